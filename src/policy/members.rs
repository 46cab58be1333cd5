//! What somebody may do who is let in and owns nothing here.
//!
//! A yes of their own covers their own space: the workspace and what the kernel confines to it.
//! What reaches past that reads and changes what is other people's, so an owner approves it, or
//! no one. Rules of the operator that let something run unasked hold for members as for owners.

use sayso_core::approval::Approver;
use sayso_core::transcript::Role;
use serde::{Deserialize, Serialize};

use super::access::{Access, CommandReach};
use super::messages::{MemberRefusal, Refusal};

/// Who approves what reaches the whole system for a member, from `policy.members_system`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MembersSystem {
    /// An owner.
    #[default]
    Owner,
    /// No one: it is refused.
    Deny,
}

/// Who approves a member's command with the network, from `policy.members_network`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MembersNetwork {
    /// The member.
    Asker,
    /// An owner: a command reaches what listens on this machine and near it, past the rules for hosts.
    #[default]
    Owner,
    /// No one: it is refused.
    Deny,
}

/// The settings about members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemberRules {
    /// About what reaches the whole system.
    pub system: MembersSystem,
    /// About commands with the network.
    pub network: MembersNetwork,
}

/// How far a call reaches past the space of the person who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReachesPast {
    Nothing,
    Network,
    System,
}

impl ReachesPast {
    /// Returns how far a command reaches. One that is not wholly confined may reach everything.
    pub(super) fn of_command(reach: CommandReach) -> Self {
        match reach.access {
            _ if !reach.is_held() => Self::System,
            Access::Network => Self::Network,
            Access::Workspace | Access::System => Self::Nothing,
        }
    }
}

impl MemberRules {
    /// Returns who approves what reaches this far. It does not depend on who asks: an owner who is
    /// none any more approves nothing of it.
    pub(super) fn approver(self, past: ReachesPast) -> Approver {
        match (past, self.network) {
            (ReachesPast::Nothing, _) | (ReachesPast::Network, MembersNetwork::Asker) => {
                Approver::Asker
            }
            (ReachesPast::Network, MembersNetwork::Owner | MembersNetwork::Deny)
            | (ReachesPast::System, _) => Approver::Owner,
        }
    }

    /// Returns why a member may not have it at all; `None` where somebody may approve it.
    pub(super) fn refusal(self, past: ReachesPast, role: Role) -> Option<Refusal> {
        let refusal = match (role, past) {
            (Role::Owner, _) | (Role::Guest | Role::Member, ReachesPast::Nothing) => return None,
            (Role::Guest | Role::Member, ReachesPast::Network) => {
                (self.network == MembersNetwork::Deny).then_some(MemberRefusal::Network)
            }
            (Role::Guest | Role::Member, ReachesPast::System) => {
                (self.system == MembersSystem::Deny).then_some(MemberRefusal::System)
            }
        };
        refusal.map(Refusal::Member)
    }
}
