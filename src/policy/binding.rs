//! What an approval is bound to on disk: the files that a command may run or a call changes, as they
//! were when a person saw it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The current state of something on disk that decides what a command does.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Binding {
    /// A file that the words of the command name.
    File {
        /// The path, resolved.
        path: PathBuf,
        /// The SHA-256 of its content, in hexadecimal.
        sha256: String,
    },
    /// The whole workspace: the command may run files of it that its words do not name.
    Workspace {
        /// What lies there; `None` where that cannot be listed in full, so that a change may go
        /// unnoticed.
        inventory: Option<String>,
    },
    /// The command is a check of a project, as its files define it. It runs what the project holds,
    /// whatever that is by then: only the files that define the check are bound.
    Recipe {
        /// What is verified.
        check: String,
    },
    /// A file that the call makes, changes or removes.
    Edit {
        /// The path, resolved.
        path: PathBuf,
        /// The SHA-256 of its content, in hexadecimal; `None` where it does not exist.
        was: Option<String>,
        /// The SHA-256 of its content afterwards; `None` where it is removed.
        becomes: Option<String>,
    },
}

impl Binding {
    /// Returns whether the command may run files that its words do not name.
    pub fn is_whole_workspace(&self) -> bool {
        match self {
            Self::File { .. } | Self::Recipe { .. } | Self::Edit { .. } => false,
            Self::Workspace { .. } => true,
        }
    }

    /// Returns whether the command is a check of a project.
    pub fn is_recipe(&self) -> bool {
        matches!(self, Self::Recipe { .. })
    }

    /// Returns whether a change would go unnoticed.
    pub fn is_incomplete(&self) -> bool {
        match self {
            Self::File { .. } | Self::Recipe { .. } | Self::Edit { .. } => false,
            Self::Workspace { inventory } => inventory.is_none(),
        }
    }
}
