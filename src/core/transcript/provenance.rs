//! What is known of a workspace: whether text from outside can be in it.

use serde::{Deserialize, Serialize};

/// What is known of a workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum WorkspaceProvenance {
    /// It has not been checked yet.
    #[default]
    Unknown,
    /// Nothing from outside ever came into it.
    Own {
        /// How the last call left it.
        inventory: String,
    },
    /// It may hold text from outside.
    Foreign {
        /// What it was that may have brought some.
        why: OutsideReason,
    },
}

/// What may have brought text from outside into a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutsideReason {
    /// It is a group's: everybody in it writes there.
    Shared,
    /// There were files in it before Sayso first looked.
    FoundThere,
    /// It was changed by something other than a call, or by a call whose end was not observed.
    ChangedElsewhere,
    /// A call changed it that had the network, or text from outside in view.
    BroughtIn,
    /// A command was held to nothing.
    ReachedOut,
    /// It cannot be looked through: too much, a mount, or no right to.
    Unreadable,
}

impl OutsideReason {
    /// All that are kept; [`Self::Shared`] is known without.
    const KEPT: [Self; 5] = [
        Self::FoundThere,
        Self::ChangedElsewhere,
        Self::BroughtIn,
        Self::ReachedOut,
        Self::Unreadable,
    ];

    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::FoundThere => "found_there",
            Self::ChangedElsewhere => "changed_elsewhere",
            Self::BroughtIn => "brought_in",
            Self::ReachedOut => "reached_out",
            Self::Unreadable => "unreadable",
        }
    }

    /// Returns the one of this name; an unknown name says least of what it was.
    pub fn named(name: &str) -> Self {
        Self::KEPT
            .into_iter()
            .find(|one| one.as_str() == name)
            .unwrap_or(Self::Unreadable)
    }

    /// Returns whether nothing of it is left once the workspace is empty.
    pub fn goes_with_its_files(self) -> bool {
        match self {
            Self::FoundThere | Self::ChangedElsewhere | Self::BroughtIn | Self::Unreadable => true,
            Self::Shared | Self::ReachedOut => false,
        }
    }
}
