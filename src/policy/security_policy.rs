//! The rules of one instance, and what follows from them alone.

use super::access::{CommandReach, Confinement, SandboxedCommands};
use super::autonomy_level::AutonomyLevel;
use super::call_facts::{Action, CallFacts};
use super::commands::OperatorRules;
use super::hosts::HostRules;
use super::levels::PersonalLevels;
use super::mcp::McpRules;
use super::members::{MemberRules, ReachesPast};
use super::secrets::SecretRules;

/// The rules of one instance, from `[policy]`, `agent.autonomy` and `access.autonomy`.
#[derive(Debug, Clone)]
pub struct SecurityPolicy {
    /// The programs that [`AutonomyLevel::Full`] may run.
    pub allow_commands: Vec<String>,
    /// Whether a command that uses the network may be freed of asking, and run at all under
    /// [`AutonomyLevel::Full`].
    pub allow_network: bool,
    /// Whether writes ask under [`AutonomyLevel::Supervised`].
    pub confirm_write: bool,
    /// Whether commands ask under [`AutonomyLevel::Supervised`].
    pub confirm_exec: bool,
    /// Whether commands ask that the kernel confines to the workspace.
    pub sandboxed_commands: SandboxedCommands,
    /// The operator's own rules for commands.
    pub rules: OperatorRules,
    /// The level of everybody who has none of their own.
    pub autonomy: AutonomyLevel,
    /// The levels of single accounts, above it or below.
    pub levels: PersonalLevels,
    /// What holds commands to what they were cleared for.
    pub confinement: Confinement,
    /// Which servers may be asked over HTTP.
    pub hosts: HostRules,
    /// Where secrets may go that calls use.
    pub secrets: SecretRules,
    /// What may be done at MCP servers.
    pub mcp: McpRules,
    /// Who approves what reaches past a member's own space.
    pub members: MemberRules,
}

impl Default for SecurityPolicy {
    /// What an instance has whose configuration says nothing.
    fn default() -> Self {
        Self {
            allow_commands: Vec::new(),
            allow_network: false,
            confirm_write: true,
            confirm_exec: true,
            sandboxed_commands: SandboxedCommands::Ask,
            rules: OperatorRules::default(),
            autonomy: AutonomyLevel::Supervised,
            levels: PersonalLevels::default(),
            confinement: Confinement::default(),
            hosts: HostRules::default(),
            secrets: SecretRules::default(),
            mcp: McpRules::default(),
            members: MemberRules::default(),
        }
    }
}

impl SecurityPolicy {
    /// Returns the highest level that anybody of this instance has.
    pub fn highest(&self) -> AutonomyLevel {
        let highest = self.levels.highest();
        highest.map_or(self.autonomy, |level| level.max(self.autonomy))
    }

    /// Returns how far a call reaches past the space of the asker.
    pub(super) fn reaches_past(
        &self,
        facts: &CallFacts,
        reach: Option<CommandReach>,
    ) -> ReachesPast {
        let is_past = match &facts.tool.action {
            Action::Exec { .. } => {
                return reach.map_or(ReachesPast::System, ReachesPast::of_command);
            }
            Action::Mcp { server, .. } => self.mcp.is_local(server),
            Action::Fetch { server, method, .. } => {
                self.hosts.reaches_inward(server, method.changes())
            }
            // What it changes is everybody's.
            Action::Configure => true,
            Action::Internal
            | Action::Remember { .. }
            | Action::Schedule(_)
            | Action::Read { .. }
            | Action::Write { .. } => false,
        };
        if is_past {
            ReachesPast::System
        } else {
            ReachesPast::Nothing
        }
    }
}
