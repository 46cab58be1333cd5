//! What a tool call may do: judged from the call and from facts, and from nothing else.
//!
//! Nothing here awaits, reads a clock, or touches disk or network: the caller gathers the [`CallFacts`]
//! first. The types carry the proof. [`HeldCall`] and [`ClearedCall`] have private fields, only
//! this module constructs them, and neither can be cloned or deserialized, so a call that runs is a
//! call that was judged.
//!
//! # Files
//!
//! `SecurityPolicy::decide` and `clear`, the facts they judge, `ClearedCall` and `HeldCall`.
//!
//! `plain.rs` reads a command line far enough to say whether it is one plain command, for grants;
//! `binding.rs` is what approvals and grants are bound to on disk.
//!
//! `security_policy.rs` holds the rules of one instance, `judgement.rs` a decision before it is
//! bound to its call, `outside_text.rs` what untrusted text in view holds back.
//!
//! `project_edit.rs` says when patches in a project run unasked.
//!
//! `summary.rs` is what a call would do as its tool says it, typed; `messages/summaries.rs` puts it
//! in words, and its `Display` is the form that an approval is bound to.
//!
//! `members.rs` says who approves what reaches past a member's own space.
//!
//! `access.rs` says how far a command may reach and what the kernel enforces of it, `exec.rs`
//! judges one against level, grants, rules and that; `messages/` says why.
//!
//! `commands/` judges shell commands: `script.rs` (segments, by brush-parser), `portable_syntax/`
//! (a second lexer of what dash, bash and busybox read alike: what it does not know, or reads
//! otherwise, asks) and `word.rs` (quote removal, and whether a word is certain), `expansion.rs`
//! (patterns, plain variables and substitutions), `judge/` (the strictest segment decides; wrappers
//! are looked through; `spread.rs` has what a shell makes of a word, `file_listing.rs` which
//! commands list names of files), `options.rs` and `languages/` (what the words of a program mean),
//! `bindings.rs` (whether a command runs only what its words name), `rules.rs` and `rulebook.rs`
//! (rules with examples that are run when they are loaded), `tables/` (the programs and rules as
//! TOML, with examples for every program that a test runs, and lists of ordinary commands and of
//! what is nearly one).
//!
//! `hosts.rs` judges requests to servers by rules for hosts; `secret_files/` knows the files that
//! are asked about even for reading, by their names (`names.rs`) and by words in them (`words.rs`).
//!
//! # Invariants
//!
//! - `policy` does not await, reads no clock, and touches neither disk nor network.
//! - A program's own configuration in the workspace (`.git/config`) may name programs, and may have
//!   come with a clone. So what runs unasked because it provably only reads gets no more than that
//!   (`WorkspaceUse::Reading`): nothing to write, no network, no file that keeps secrets by its
//!   name.
//! - While untrusted text is in view, nothing that runs, writes, fetches or remembers is allowed
//!   unasked, at no level and by no setting or grant; what an equal call gave holds back only other
//!   calls. The one exception is what a person allowed knowingly: patches in a project, while nothing
//!   untrusted is in view but texts of that project (`project_edit.rs`).
//! - What a call shows of a workspace is the user's own, and taints nothing, only while all that
//!   lies there was put there by confined calls of turns with nothing untrusted in view. So
//!   everything that it can show is the words of that user, of the model with nothing else in view,
//!   or of what the operator installed. It is proved before and after each call by an inventory of
//!   names, inodes and change times, kept with the call's journal entries (`workspaces`): a file
//!   that came another way, a call that a crash cut off, a mount, or a change by a call with the
//!   network, with untrusted text in view, or that shows other processes, makes the workspace
//!   foreign; a command that nothing confines does at once, and for good. Confined commands share
//!   no other writable place (`TMPDIR` is each call's own), calls of one followed workspace run one
//!   at a time, and a group's is never followed. A suspicious result taints wherever it lay.
//!   Accepted: what is put there by hand while a call runs is taken for the call's; a program of
//!   the user's own that lists processes shows their command lines.
//! - A `ClearedCall` is neither `Clone` nor `Deserialize`; nothing outside of `policy` makes one.
//! - `clear` judges again: a denial wins over a yes, and a call, or a file that it may run, that
//!   changed since it was shown asks anew.
//! - Who may approve a call is part of what its approval is bound to (`members.rs`): a yes of the
//!   asker is none for what an owner must approve, also where the settings changed in between.

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
mod project_edit;
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
#[cfg(test)]
mod recipe_tests;

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
