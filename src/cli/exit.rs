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

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Fine => Self::SUCCESS,
            Exit::Failed => Self::from(1),
            Exit::BadConfiguration => Self::from(2),
        }
    }
}
