//! Conversations: one turn at a time per address, shared fairly among users.
//!
//! A session has no task while it is idle and none while it waits for a person: the pool starts
//! one for each turn that can go on, and the turn's journal says where it was. This room
//! implements the ports of `agent` over the store. It does not build prompts and names no platform.

mod autonomy;
mod cards;
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
mod inquiries;
mod journal;
mod keys;
mod line;
mod live;
pub mod messages;
mod messages_stop;
mod outcome;
mod poll_timer;
mod pool;
mod questions;
mod queue;
mod retention;
mod retry;
mod session_budget;
mod skipped;
mod stop;
mod turn_ending;
mod undo;
mod work;

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use autonomy::effective_autonomy;
pub use cards::{CardWriter, PressedMessage};
pub use compaction::{Compactor, request_compaction};
pub use embedding_ledger::StoredLedger;
pub use extraction::{Learner, undo_learned};
pub use keys::KeyWatch;
pub use messages_stop::{AlsoStopped, answer as stop_answer};
pub use pool::Pool;
pub use questions::{ChoiceOutcome, PressedChoice, asked_in, choose};
pub use queue::{
    QueuePress, QueuePresser, WhileBusy, notice as queued_notice, press_queued,
    settle as settle_queue,
};
pub use retention::RetentionSweeper;
pub use retry::run_again;
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
    /// Who is asked and told about everybody's limits.
    pub owners: Arc<dyn Owners>,
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
    /// For how long a turn may work; what it waits for people does not count.
    pub turn_timeout: Duration,
    /// What a message does that is said while its person's turn runs.
    pub while_busy: WhileBusy,
    /// How long a card may be answered, in milliseconds.
    pub approval_expires_ms: i64,
    /// The directory that holds the workspaces.
    pub workspaces: PathBuf,
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
    /// Returns the directory that the tools of an owner work in.
    pub fn workspace(&self, owner: Owner) -> PathBuf {
        match owner {
            Owner::User(user) => self.workspaces.join(format!("user-{user}")),
            Owner::Chat(chat) => self.workspaces.join(format!("chat-{chat}")),
        }
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
