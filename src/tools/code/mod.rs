//! The tools that read the code of a project: `read_file`, `glob_file_search` and `grep`; and its
//! `AGENTS.md`.
//!
//! They take the place of `file_read` while a turn works in a project. What `.gitignore` and
//! `.ignore` leave out is not searched, and neither is what keeps secrets by its name.

mod glob;
mod grep;
mod instructions;
mod read_file;
mod walk;

pub use glob::GlobFileSearch;
pub use grep::Grep;
pub use instructions::{INSTRUCTIONS_FILE, ProjectInstructions};
pub use read_file::ReadFile;

use std::time::Duration;

/// The largest file that is read or searched, in bytes.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// How long one search takes at most.
const SEARCH_TIME: Duration = Duration::from_secs(10);
/// Room for what is said beside a result, in bytes.
const NOTE_BYTES: usize = 512;

#[cfg(test)]
mod tests;
