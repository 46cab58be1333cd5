//! What every event is judged with.

use std::sync::Arc;

use sayso_channel::Language;

use super::access::Access;
use super::features::{EventMaterial, Features};
use super::limits::RateLimits;
use super::overheard::Listener;
use crate::delivery::OutboxWriter;
use crate::sessions::{CardWriter, SessionLimits};

/// What every event is judged with.
pub struct IntakeContext {
    /// Who may come in.
    pub access: Access,
    /// What speaks.
    pub outbox: OutboxWriter,
    /// The limits of sessions.
    pub limits: SessionLimits,
    /// How often each sender may speak.
    pub rates: RateLimits,
    /// Whether no model is configured, so that no turn can be answered.
    pub missing_provider: bool,
    /// What people ask for by commands and answer by buttons.
    pub features: Arc<dyn Features>,
    /// What is read before the transaction of an event.
    pub material: Arc<dyn EventMaterial>,
    /// What listens to what is said in groups, and not to us.
    pub listener: Arc<dyn Listener>,
}

impl IntakeContext {
    /// Returns the language that our own texts have in a chat.
    pub fn language(&self, chat_language: &str) -> Language {
        self.limits.language_in(chat_language)
    }

    /// Returns what writes cards anew.
    pub fn cards(&self) -> CardWriter<'_> {
        CardWriter {
            outbox: &self.outbox,
            limits: &self.limits,
        }
    }
}
