//! What a tool call may do: judged from the call and from facts, and from nothing else.
//!
//! Nothing here awaits, reads a clock, or touches disk or network: the caller gathers the [`CallFacts`]
//! first. The types carry the proof. [`HeldCall`] and [`ClearedCall`] have private fields, only
//! this module constructs them, and neither can be cloned or deserialized, so a call that runs is a
//! call that was judged.

mod access;
mod autonomy_level;
mod binding;
mod call;
mod call_facts;
pub mod commands;
mod decide;
mod effective;
mod exec;
mod explain;
mod hosts;
mod judgement;
mod levels;
mod mcp;
mod members;
mod messages;
mod outside_text;
mod own_words;
mod plain;
mod secret_files;
mod secret_variable;
mod secrets;
mod security_policy;
mod summary;
mod workspace_effect;

#[cfg(test)]
mod always_tests;
#[cfg(test)]
mod background_tests;
#[cfg(test)]
mod danger_tests;
#[cfg(test)]
mod decide_tests;
#[cfg(test)]
mod exec_tests;
#[cfg(test)]
mod members_tests;

pub use access::{Access, Confinement, Enforced, SandboxMode, SandboxedCommands, WorkspaceUse};
pub use autonomy_level::AutonomyLevel;
pub use binding::Binding;
pub use call::{ClearedCall, HeldCall};
pub use call_facts::{
    Action, CallFacts, Covers, Due, GrantPattern, Lasting, Place, Reach, ToolFacts,
};
pub use decide::Decision;
pub use effective::{Deed, Effective, Treatment};
pub use explain::Explained;
pub use hosts::{HostPattern, HostRules, Method, Server, Standing, is_near, is_this_machine};
pub use levels::{PersonalLevel, PersonalLevels};
pub use mcp::{McpRule, McpRules, NamePattern};
pub use members::{MemberRules, MembersNetwork, MembersSystem};
pub use messages::{FolderOf, Refusal};
pub use secret_files::is_secret_like;
pub use secret_variable::variable_of;
pub use secrets::{SecretRule, SecretRules};
pub use security_policy::SecurityPolicy;
pub use summary::{RoutineChange, RoutineState, Summary};
pub use workspace_effect::WorkspaceEffect;
#[cfg(test)]
pub(crate) use {access::CommandReach, messages::AskReason};
