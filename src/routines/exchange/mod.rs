//! Routines and reminders as TOML, for the operator: what is kept is written as a file, and a file is
//! taken whole or not at all.
//!
//! `written.rs` is what stands in a file, `export.rs` writes it, `check.rs` reads and checks it, `import.rs`
//! keeps it; `messages.rs` says what is wrong, with the line and what is allowed.
//!
//! The same file twice keeps nothing twice: what is there already stays.

mod check;
mod export;
mod import;
pub mod messages;
mod written;

pub use export::export;
pub use import::{Outcome, import};
