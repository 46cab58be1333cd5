//! The tools for the code of a project: `read_file`, `glob_file_search`, `grep`, `search_semantic`,
//! `apply_patch`, `write_file` and `undo_patch`; and its `AGENTS.md`.
//!
//! They take the place of `file_read` and `file_write` while a turn works in a project. What
//! `.gitignore` and `.ignore` leave out is not searched, and neither is what keeps secrets by its
//! name.

mod code_map;
mod command_changes;
mod commit;
mod edit_tool;
mod file_edit;
mod glob;
mod grep;
mod instructions;
mod plan_edits;
mod read_file;
mod recovery;
mod search_semantic;
mod seen_files;
mod source_files;
mod walk;

pub use code_map::{CodeMap, CodeMapRequest};
pub use command_changes::{CommandChanges, FilesBefore};
pub use edit_tool::{EditTool, PatchHistory, PatchStep};
pub(crate) use file_edit::before;
pub use glob::GlobFileSearch;
pub use grep::Grep;
pub use instructions::{
    INSTRUCTIONS_BYTES, INSTRUCTIONS_FILE, ProjectInstructions, UncheckedInstructions,
};
pub use read_file::ReadFile;
pub(crate) use recovery::finish;
pub use search_semantic::{CodePlace, CodePlaces, CodeSearch, SearchSemantic};
pub use seen_files::{SEEN_FILES_OF_SESSION, SeenFile, SeenFiles, SeenStore};
pub use source_files::{SourceFiles, source_files};

use std::time::Duration;

/// The largest file that is read or searched, in bytes.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// How long one search takes at most.
const SEARCH_TIME: Duration = Duration::from_secs(10);
/// Room for what is said beside a result, in bytes.
const NOTE_BYTES: usize = 512;

#[cfg(test)]
mod edit_tests;
#[cfg(test)]
mod tests;
