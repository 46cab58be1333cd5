//! Tools that a message asks for: their arguments, what they do, and what people see of it.

/// Commands that keep running, and what they leave running.
mod background;
/// Notes and whole texts that are kept: the vault.
mod notes;
/// Questions of the model, answered by buttons or in words.
mod questions;
/// The `git` tool.
mod repositories;
mod routines;
/// Searching the web.
pub mod searching;
/// Files that are sent to the chat.
mod sending;
