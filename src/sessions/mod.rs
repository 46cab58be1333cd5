//! Conversations: one turn at a time per address, shared fairly among users.
//!
//! A session has no task while it is idle and none while it waits for a person: the pool starts
//! one for each turn that can go on, and the turn's journal says where it was. This room
//! implements the ports of `agent` over the store. It does not build prompts and names no platform.
//!
//! # Files
//!
//! `extraction/` learns from sessions that are idle, `compaction/` sums up their older turns.
//! `claim.rs` says what to do next, `work.rs` does it, `journal/` implements the journal traits of
//! `executor` and `agent` over the store, a file for each, `held_cards.rs` says which cards ask
//! about held calls, `outcome.rs` ends a turn, `questions.rs` keeps clarifications, `live.rs` shows
//! a turn at work, `projects.rs` says which folder a turn works in, `patch_history.rs`
//! tells `undo_patch` what calls changed there.
//!
//! # Invariants
//!
//! - A session has no task while it is idle, and none while it waits for a person.
//! - `sessions` builds no prompt and names no platform.
//! - A turn of an origin that has no driver in this version ends as failed (`work.rs`).
//!   `driver_tests.rs` has toy drivers of the origins `Chain` and `Check`, which show what a driver
//!   gets from `executor`.
//! - Every entry of a turn is written under the fence of its lease: a worker that lost the session
//!   can append nothing.
//! - A turn is marked for learning in the transaction of its end, and the mark goes in the one that
//!   writes what was learned, the note about it and what the call cost: a kill repeats a model call
//!   and nothing else. A lesson takes no lease, so no message waits for it; it is tried three times
//!   at most.
//! - `/stop`, verdicts and expiry are written outside the lease; the first one wins, and the lease
//!   owner folds it in. A stopped turn that does not run is ended beside the pool's limit, and
//!   before anything else of its session.
//! - A stop button carries the number of its turn and no secret: who may stop it is checked at each
//!   press. It rides on the edits of the live message, and an outcome has none.
//! - What a message does to its person's running turn is a column of its row (`inbox.while_busy`),
//!   decided by `intake`: it joins, waits, or has stopped the turn in the transaction that stored
//!   it; further pieces of an album or a split text do what the first does. `sessions/queue.rs`
//!   keeps the one notice about what waits, and takes it back in the transaction that takes the
//!   last of it.
//! - What comes too fast is counted in `skipped_messages` by `intake`; the pool's look takes the
//!   row and says how many they were, in one transaction, once no more of them come.
//! - Before a call is started, the model's driver looks for words that join: then what was not
//!   started returns as given way (`E_STEERED`), and the words are heard at the next step. A kill
//!   between the two finds them waiting.
//! - What a file was before `file_write` is a row (`file_changes`) of the commit that says
//!   `Called`. `/undo` is a row too; `sessions/undo` puts files back by one rename each, leaves
//!   those alone that are as they were, and says so in one transaction with `Undone`, so a kill in
//!   the middle is gone on from. It is no tool call: a person does it, and no model can.
//! - What a file was before an undo is a row (`undone_files`) committed before the undo writes, and
//!   the changes that it settled are set aside (`file_changes.undone_by`). A redo compares first,
//!   brings all files back or none, and says so in one transaction with `Redone`.
//! - The ended turns of a session, as later ones are shown them, are kept in memory with a limit and
//!   continued by each turn that ends (`history_cache.rs`); a property test compares them with what
//!   the database says.
//! - The folder of a turn is chosen in one place, `work.rs`, by the project that the turn began
//!   with (`turns.project`): a project that is chosen meanwhile is for later turns. A turn whose
//!   project is gone ends as failed, and runs nothing elsewhere.
//! - What a turn has worked is noted when it is let go of (`turns.worked_ms`); a kill forgets the
//!   last stretch.

mod autonomy;
mod cards;
mod check_request;
mod claim;
mod clock;
mod compaction;
#[cfg(test)]
mod driver_tests;
mod embedding_ledger;
mod extraction;
mod fair;
mod file_fetch;
mod held_cards;
mod history_cache;
mod inquiries;
mod journal;
mod keys;
mod line;
mod live;
mod message_turn;
pub mod messages;
mod messages_stop;
mod outcome;
mod patch_history;
mod plans;
mod poll_timer;
mod pool;
mod projects;
mod questions;
mod queue;
mod retention;
mod retry;
mod routine_turn;
mod seen_store;
mod session_budget;
mod skipped;
mod stop;
mod turn_ending;
mod undo;
mod waiting;
mod work;

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use crate::agent::{INSTRUCTIONS_FILE, ProjectInstructions, UncheckedInstructions};
pub use autonomy::effective_autonomy;
pub use cards::{CardWriter, PressedMessage};
pub use check_request::{CheckRequest, request_check};
pub use compaction::{Compactor, request_compaction};
pub use embedding_ledger::StoredLedger;
pub use extraction::{Learner, undo_learned};
pub use history_cache::HistoryCache;
pub use keys::KeyWatch;
pub use messages_stop::{AlsoStopped, answer as stop_answer};
pub use outcome::done_in;
pub use patch_history::StoredPatchHistory;
pub use pool::Pool;
pub use projects::{Project, ProjectAccount, Projects};
pub use questions::{ChoiceOutcome, PressedChoice, asked_in, choose};
pub use queue::{
    QueuePress, QueuePresser, WhileBusy, notice as queued_notice, press_queued,
    settle as settle_queue,
};
pub use retention::RetentionSweeper;
pub use retry::run_again;
pub use seen_store::StoredSeenFiles;
pub use stop::stops;
pub use undo::{UndoAnswer, Undoer, close_undo, messages as undo_messages, want_redo};

use async_trait::async_trait;
use sayso_channel::{Address, Language};
use sayso_core::transcript::Owner;
use sayso_store::{Store, StoreError, Tx};

use crate::agent::Agent;
use crate::audit::Auditor;
use crate::budget::{BudgetRules, Reservations};
use crate::delivery::OutboxWriter;
use crate::routines::RoutineContext;

/// What every session works with.
#[derive(Clone)]
pub struct SessionContext {
    /// The database.
    pub store: Store,
    /// What speaks.
    pub outbox: OutboxWriter,
    /// What thinks.
    pub agent: Arc<Agent>,
    /// What writes down what is done.
    pub auditor: Auditor,
    /// The limits of sessions.
    pub limits: SessionLimits,
    /// What may be spent on model calls.
    pub budget: Arc<BudgetRules>,
    /// The model calls in flight, as far as limits are concerned.
    pub reservations: Reservations,
    /// What this process knows of the past of sessions.
    pub history: HistoryCache,
    /// Who is asked and told about everybody's limits.
    pub owners: Arc<dyn Owners>,
    /// What runs of routines begin and end with.
    pub routines: RoutineContext,
    /// Names this process in leases.
    pub worker: Arc<str>,
}

/// Where owners are asked and told: the door knows who they are.
#[async_trait]
pub trait Owners: Send + Sync {
    /// Returns every direct chat of an owner in which we can speak.
    async fn direct_chats(&self, tx: &mut Tx) -> Result<Vec<Address>, StoreError>;
}

/// The limits of sessions, from the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionLimits {
    /// How many messages, and as many commands, one user may send in a minute; `None` where the two
    /// differ.
    pub messages_per_minute: Option<NonZeroU32>,
    /// How many turns may run at once.
    pub concurrent_turns: usize,
    /// How many of these may be turns in the background, which no person waits for.
    pub concurrent_background: usize,
    /// For how long a turn may work; what it waits for people does not count.
    pub turn_timeout: Duration,
    /// What a message does that is said while its person's turn runs.
    pub while_busy: WhileBusy,
    /// How long a card may be answered, in milliseconds.
    pub approval_expires_ms: i64,
    /// The directory that holds the workspaces.
    pub workspaces: PathBuf,
    /// The projects of the configuration.
    pub projects: Projects,
    /// The language of our own texts for people of whom none is known.
    pub language: Option<Language>,
    /// Whether and when facts are learned from what was said.
    pub learning: Option<LearningLimits>,
}

/// When facts are learned from what was said, and whether that is said, from `[memory.learning]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LearningLimits {
    /// How long a session must be idle before, in milliseconds.
    pub idle_ms: i64,
    /// Whether a quiet note says what was learned.
    pub says_so: bool,
}

impl SessionLimits {
    /// Returns the directory that the tools of an owner work in outside of projects.
    pub fn workspace(&self, owner: Owner) -> PathBuf {
        self.workspaces.join(owner.folder_name())
    }

    /// Returns the language of our own texts, by what is stored of a person or a chat; where that is
    /// nothing, it is the language of the instance.
    pub fn language_in(&self, stored: &str) -> Language {
        match stored {
            "" => self.language.unwrap_or_default(),
            known => Language::nearest(known),
        }
    }
}
