//! What agent and helper say to each other: one JSON object per line.

use serde::{Deserialize, Serialize};

use super::limits::{Limit, Limits};
use super::sealed::{SealedEnd, SealedWork};
use crate::{Probe, SandboxProfile, Tried};

/// The first argument that makes our binary the helper.
pub const HELPER_ARGUMENT: &str = "__helper";

/// What the helper is asked to do, once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// To run a command.
    Run(Order),
    /// To try what a plan is worth on this machine.
    Probe(Probe),
    /// To run a server that is spoken to over this same connection.
    Serve(Server),
    /// To do sealed work.
    Work(SealedWork),
}

impl Request {
    /// Returns what the command may touch.
    pub fn plan(&self) -> Option<&SandboxProfile> {
        match self {
            Self::Run(order) => order.plan.as_ref(),
            Self::Probe(probe) => Some(&probe.plan),
            Self::Work(work) => work.plan.as_ref(),
            Self::Serve(_) => None,
        }
    }
}

/// One command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The command line for `sh -c`.
    pub command: String,
    /// What it may touch; without a plan nothing confines it.
    #[serde(default)]
    pub plan: Option<SandboxProfile>,
    /// How much it may use.
    #[serde(default)]
    pub limits: Limits,
}

/// A server that the operator configured. Nothing confines it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Server {
    /// The program, by its path or its name.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// What the helper says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Report {
    /// The command runs.
    Started {
        /// Its process group, for when the helper itself is killed. None in a namespace of
        /// processes, whose numbers mean nothing outside, and which ends with the helper.
        group: Option<u32>,
    },
    /// The command itself ended, and this was still running of what it started. It is ended now.
    Left(Left),
    /// The command ended, and nothing that it started is left.
    Ended(End),
    /// What a plan is worth on this machine.
    Tried(Vec<Tried>),
    /// How sealed work ended.
    Worked(SealedEnd),
}

/// What a command left running.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    /// Command lines of the first few, each cut. They are untrusted text: the command chose them.
    pub commands: Vec<String>,
    /// How many processes there were in all.
    pub count: usize,
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
    /// By the helper: it used more than it may.
    Overdrawn(Limit),
}
