//! The one path on which a tool call runs, for any driver: inspect, guard, decide, hold, call, run,
//! record.
//!
//! A driver is what decides which calls there are: the model's turn is one, a chain of fixed steps
//! or a check another. It asks [`next_call`] what is to be done about the calls of its newest step
//! and has [`CallRun`] do it. The loop guard, the policy, approvals, the audit and the injection
//! check are in here, so no driver can leave one out. This module does not know models, prompts,
//! chats or the database: it writes a [`CallJournal`], which its caller provides.

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
