//! Conversations: one turn at a time per address, shared fairly among users.
//!
//! A session has no task while it is idle and none while it waits for a person: the pool starts
//! one for each turn that can go on, and the turn's journal says where it was. This room
//! implements the ports of `agent` over the store. It does not build prompts and names no platform.

mod claim;
mod clock;
mod fair;
mod journal;
mod live;
pub mod messages;
mod outcome;
mod pool;
mod questions;
mod stopping;
mod work;

use std::path::PathBuf;
use std::sync::Arc;

pub use pool::Pool;
pub use questions::{ChoiceOutcome, asked_in, choose};
pub use work::effective_autonomy;

use sayso_channel::Language;

use crate::agent::Agent;
use crate::audit::Auditor;
use crate::delivery::Voice;
use crate::store::Store;
use crate::transcript::Owner;

/// What every session works with.
#[derive(Clone)]
pub struct Surroundings {
    /// The database.
    pub store: Store,
    /// What speaks.
    pub voice: Voice,
    /// What thinks.
    pub agent: Arc<Agent>,
    /// What writes down what is done.
    pub auditor: Auditor,
    /// The limits of sessions.
    pub limits: SessionLimits,
    /// Names this process in leases.
    pub worker: Arc<str>,
}

/// The limits of sessions, from the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionLimits {
    /// How many turns may run at once.
    pub concurrent_turns: usize,
    /// How long a card may be answered, in milliseconds.
    pub approval_expires_ms: i64,
    /// The directory that holds the workspaces.
    pub workspaces: PathBuf,
    /// The language of our own texts; `None` follows the chat.
    pub language: Option<Language>,
}

impl SessionLimits {
    /// Returns the directory that the tools of an owner work in.
    pub fn workspace(&self, owner: Owner) -> PathBuf {
        match owner {
            Owner::User(user) => self.workspaces.join(format!("user-{user}")),
            Owner::Chat(chat) => self.workspaces.join(format!("chat-{chat}")),
        }
    }

    /// Returns the language that our own texts have in a chat.
    pub fn language_in(&self, chat_language: &str) -> Language {
        self.language
            .unwrap_or_else(|| Language::nearest(chat_language))
    }
}
