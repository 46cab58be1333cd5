//! The one path on which a tool call runs, for any driver: inspect, guard, decide, hold, call, run,
//! record.
//!
//! A driver is what decides which calls there are: the model's turn is one, a chain of fixed steps
//! or a check another. It asks [`next_call`] what is to be done about the calls of its newest step
//! and has [`CallRun`] do it. The loop guard, the policy, approvals, the audit and the injection
//! check are in here, so no driver can leave one out. This module does not know models, prompts,
//! chats or the database: it writes a [`CallJournal`], which its caller provides.
//!
//! # Files
//!
//! `next_call.rs` says what is to be done about the calls of a turn's newest step (pure),
//! `call_run.rs` does it, `workspace_tracking.rs` follows whether a workspace is still the user's
//! own, `terms.rs` says on which terms a turn works, `ports.rs` has what calls need from above
//! (`EntryLog`, `CallJournal`, `CallEvents`).
//!
//! # Invariants
//!
//! - `executor` does not know models, prompts, chats or the database. A driver that is no model
//!   needs `EntryLog`, `CallJournal` and its `WorkspaceLog` alone; its calls are an entry
//!   (`Issued`).
//! - No driver can leave out a guard: the loop guard, the policy, approvals, the audit
//!   (`CallJournal::call`) and the injection check (`Toolbox::run`) are all behind
//!   `CallRun::judge`, which has no other way to a tool. `executor_tests.rs` holds this for every
//!   origin.
//! - Loops are detected from the journal (`core/transcript/repeats.rs`), so a kill, a resumed turn
//!   and a shortened prompt change nothing about it. It is judged before the policy, so a barred
//!   call makes no card; one that a person has approved runs. A result that differs each time is
//!   progress: who waits for a build may look often. What somebody says meanwhile begins anew.
//! - Terms are a pure function of origin and attendance. Work that no person attends is judged by
//!   the same policy as work at the keyboard: what requires approval is held with a card in the
//!   person's chat and questions are not asked; where that chat is closed, what requires approval
//!   is refused.

mod act;
mod call_facts;
mod call_run;
mod messages;
mod next_call;
mod ports;
mod terms;
mod tracked_workspace;
mod workspace_tracking;

#[cfg(test)]
mod executor_tests;

use std::sync::Arc;

pub use act::Act;
pub use call_run::CallRun;
pub use messages::{PeopleLine, doing, folded, report_line};
pub use next_call::{CallAction, next_call};
pub use ports::{CallEvent, CallEvents, CallJournal, EntryLog, JournalError, WorkspaceLog};
pub use sayso_core::approval::Approved;
pub use terms::{Attendance, BudgetSubject, Granted, MayAsk, Terms, terms};

use sayso_channel::Language;
use sayso_core::transcript::Scope;
use sayso_policy::SecurityPolicy;
use sayso_tools::Toolbox;

/// What every call of this instance is judged by and runs with.
pub struct Executor {
    /// The tools.
    pub tools: Arc<Toolbox>,
    /// The rules of this instance.
    pub policy: SecurityPolicy,
}

/// For whom, where and on which terms calls are made.
#[derive(Debug, Clone)]
pub struct ExecutionContext {
    /// For whom and where.
    pub scope: Scope,
    /// The display name of the person; empty where it is not known.
    pub person: String,
    /// What the driver may do.
    pub terms: Terms,
    /// The language of our own texts.
    pub language: Language,
    /// How large a file may be that is sent to the chat, in bytes.
    pub largest_file: u64,
}
