//! How far the agent may go on its own.

use serde::{Deserialize, Serialize};

/// How far the agent may go on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AutonomyLevel {
    /// It may look, and change nothing.
    ReadOnly,
    /// It asks before what is not provably a read inside the workspace.
    Supervised,
    /// It follows `allow_commands` without asking, and is refused everything else.
    Full,
}

impl AutonomyLevel {
    /// Every level, the lowest first.
    pub const ALL: [Self; 3] = [Self::ReadOnly, Self::Supervised, Self::Full];

    /// Returns the level of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == name)
    }

    /// Returns the name in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "read_only",
            Self::Supervised => "supervised",
            Self::Full => "full",
        }
    }
}
