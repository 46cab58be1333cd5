//! What agent and helper say to each other: one JSON object per line.

use serde::{Deserialize, Serialize};

/// What the helper is asked to do, once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The command line for `sh -c`.
    pub command: String,
}

/// What the helper says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Report {
    /// The command runs.
    Started {
        /// Its process group, for when the helper itself is killed.
        group: u32,
    },
    /// The command ended, and nothing that it started is left.
    Ended(End),
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// By itself.
    Exited {
        /// Its exit code.
        code: i32,
    },
    /// By a signal.
    Killed {
        /// The signal's name, as `SIGKILL`.
        signal: String,
    },
}
