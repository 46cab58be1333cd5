//! How the process ends.

use std::process::ExitCode;

/// How the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// Everything went well.
    Fine,
    /// Something did not; it was said.
    Failed,
    /// The configuration or the arguments cannot be used.
    BadConfiguration,
}

impl Exit {
    /// Returns the number of it.
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Failed => 1,
            Self::BadConfiguration => 2,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
