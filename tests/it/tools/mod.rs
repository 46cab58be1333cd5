//! Tools that a message asks for: their arguments, what they do, and what people see of it.

/// Questions of the model, answered by buttons or in words.
mod asking;
/// Commands that keep running, and what they leave running.
mod background;
/// Notes and whole texts that are kept: the vault.
mod keeping;
/// The `git` tool.
mod repositories;
mod routines;
/// Searching the web.
pub mod searching;
/// Files that are sent to the chat.
mod sending;
