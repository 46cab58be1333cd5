//! How far a command reaches, and how much of that the kernel holds it to.
//!
//! The policy says which [`Access`] a command gets. The sandbox gives it no more, and says with
//! [`Confinement`] how much of its promise the kernel of this machine keeps.

use serde::{Deserialize, Serialize};

/// How far a command may reach. Each reaches further than the one before it.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[schemars(inline)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// The workspace and programs, no network.
    #[default]
    Workspace,
    /// The network as well.
    Network,
    /// All that Sayso's own user may.
    System,
}

/// What a command may do in its workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceUse {
    /// Read what keeps no secrets by its name, and change nothing: what a command gets that
    /// provably only reads and that needed no approval.
    Reading,
    /// Everything.
    Changing,
}

/// How much is demanded of the sandbox, from `policy.sandbox`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SandboxMode {
    /// Commands run wholly confined, or are refused.
    #[default]
    Require,
    /// Commands are confined as far as the kernel can; where that is not wholly, each asks.
    Prefer,
    /// Commands are not confined, and each asks.
    Off,
}

/// What the self-test of the sandbox found that the kernel enforces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Enforced {
    /// Nothing.
    #[default]
    Nothing,
    /// Some of it: a command is held back in some ways and not in others.
    Partly,
    /// Everything that [`Access`] promises.
    Wholly,
}

/// What is demanded of the sandbox, and what it does. The default demands everything and has
/// found nothing yet, so that no command runs by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Confinement {
    /// What is demanded.
    pub mode: SandboxMode,
    /// What the self-test found; [`Enforced::Nothing`] until it ran.
    pub enforced: Enforced,
}

impl Confinement {
    /// Returns whether the kernel holds a command to everything that its access promises.
    pub fn is_whole(self) -> bool {
        match self.mode {
            SandboxMode::Require | SandboxMode::Prefer => self.enforced == Enforced::Wholly,
            SandboxMode::Off => false,
        }
    }

    /// Returns whether the configuration would rather have no command than one that is not held to all
    /// of it.
    pub fn must_not_run(self) -> bool {
        self.mode == SandboxMode::Require && !self.is_whole()
    }

    /// Returns whether it is less than the configuration wants: then nothing is freed of asking.
    pub fn falls_short(self) -> bool {
        match self.mode {
            SandboxMode::Require | SandboxMode::Prefer => self.enforced != Enforced::Wholly,
            SandboxMode::Off => false,
        }
    }
}

/// What becomes of commands that the kernel confines to the workspace, from
/// `policy.sandboxed_commands`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SandboxedCommands {
    /// They ask like all others.
    #[default]
    Ask,
    /// They run unasked, unless they destroy, escalate or cannot be read for certain.
    Allow,
}

/// How far one command would reach. The card says it, and the approval is bound to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CommandReach {
    /// What it gets.
    pub access: Access,
    /// What holds it to that.
    pub confinement: Confinement,
}

impl CommandReach {
    /// Returns whether the kernel holds it to less than everything.
    pub fn is_held(self) -> bool {
        self.access < Access::System && self.confinement.is_whole()
    }
}
