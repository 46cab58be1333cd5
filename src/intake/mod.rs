//! The door: what an inbound event is, who did it, may they, and who gets it.
//!
//! Everything that follows from an event is written in the one transaction that stores it, so it
//! counts whole or not at all, and a second delivery of it ends here. The door calls no provider
//! and no tool, keeps no state of a conversation, and is closed by default.

mod access;
mod audit_records;
mod budget_prompts;
mod busy;
mod commands;
mod denial_reason;
mod erasure;
mod event;
mod expiry;
mod forget;
mod limits;
mod linking;
mod message;
mod messages;
mod names;
mod pairing;
mod platform_history;
mod press;
mod provenance;
mod skill_review;
mod stop;
mod stop_words;
mod undo;
mod unseen;
mod wording;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use sayso_channel::{Delivery, Health, Language, Notice, Past, Receipt};
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

pub use access::{Access, AccountRule, Accounts};
pub use budget_prompts::OwnerChats;
pub use commands::menu;
pub use limits::RateLimits;
pub use pairing::owner_code;
pub use skill_review::skill_to_install;

use crate::audit::Auditor;
use crate::budget::BudgetRules;
use crate::bus::{Bus, Signal};
use crate::delivery::OutboxWriter;
use crate::policy::SecurityPolicy;
use crate::sessions::{CardWriter, SessionLimits};
use crate::skills::Library;
use crate::store::outbox::OutboxRow;
use crate::store::{Committed, Store, Urgency};
use platform_history::StoredPast;

/// How many events may wait at the door; more make their channels wait.
pub const WAITING_EVENTS: usize = 256;

/// The door of one instance.
pub struct Intake {
    store: Store,
    bus: Bus,
    ctx: Arc<IntakeContext>,
    /// Says that somebody is to be erased.
    erasing: Notify,
    /// Says that a skill is to be looked at or put in place.
    reviewing: Notify,
}

/// What every event is judged with.
pub struct IntakeContext {
    /// Who may come in.
    pub access: Access,
    /// What speaks.
    pub outbox: OutboxWriter,
    /// What writes down what is done.
    pub auditor: Auditor,
    /// The limits of sessions.
    pub limits: SessionLimits,
    /// What may be done for whom, for `/autonomy`.
    pub policy: SecurityPolicy,
    /// What the kernel was found to enforce, for `/autonomy` and `/status`.
    pub sandbox: SandboxWords,
    /// Whether no model is configured, so that no turn can be answered.
    pub missing_provider: bool,
    /// The skills, for `/skills`.
    pub library: Arc<Library>,
    /// The model that answers, for `/status`.
    pub model: String,
    /// The models that a session may choose, for `/model`: `server/model`.
    pub models: Vec<String>,
    /// What owners changed of the configuration in chat, key and value; for `/status`.
    pub changed: Vec<(String, String)>,
    /// How each channel is, for `/status`.
    pub health: Vec<(String, Health)>,
    /// The embedder by its name, and how it is, if there is one; for `/status`.
    pub embedder: Option<(String, Health)>,
    /// The names of the MCP servers that wait for a login, as it changes; for `/status`.
    pub waiting_logins: watch::Receiver<BTreeSet<String>>,
    /// Returns the names of the tools that are there and that no model is offered, for `/status`.
    pub tools_left_out: Arc<dyn Fn() -> BTreeSet<String> + Send + Sync>,
    /// How often each sender may speak.
    pub rates: RateLimits,
    /// What may be spent on model calls.
    pub budget: Arc<BudgetRules>,
    /// The directory of the log files, which may hold beginnings of what was said.
    pub logs: PathBuf,
}

/// What the sandbox is worth on this machine, in one line each.
#[derive(Debug, Clone, Default)]
pub struct SandboxWords {
    /// In English.
    pub english: String,
    /// In 简体中文.
    pub chinese: String,
}

impl SandboxWords {
    /// Returns it in one language.
    pub fn in_language(&self, language: Language) -> &str {
        match language {
            Language::English => &self.english,
            Language::Chinese => &self.chinese,
        }
    }
}

/// What followed from an event.
#[derive(Debug, Default)]
pub struct Effects {
    /// What a press is answered with.
    pub receipt: Receipt,
    /// Rows to offer after the commit.
    pub said: Vec<OutboxRow>,
    /// Signals to send after the commit.
    pub signals: Vec<Signal>,
    /// Whether a person is to be erased from now on.
    pub erases: bool,
    /// Whether a skill is to be looked at or put in place.
    pub reviews: bool,
}

impl Effects {
    /// Returns what followed from a press that is answered with these words.
    fn told(text: String, alert: bool) -> Self {
        Self {
            receipt: Receipt::with_notice(Some(Notice { text, alert })),
            ..Self::default()
        }
    }

    /// Returns what followed from an event to which nothing is said.
    pub fn unanswered() -> Self {
        Self {
            receipt: Receipt {
                unanswered: true,
                ..Receipt::default()
            },
            ..Self::default()
        }
    }
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

impl Intake {
    /// Returns the door of an instance.
    pub fn new(store: Store, bus: Bus, ctx: Arc<IntakeContext>) -> Self {
        Self {
            store,
            bus,
            ctx,
            erasing: Notify::new(),
            reviewing: Notify::new(),
        }
    }

    /// Returns what channels may know of their own past.
    pub fn past(&self) -> Arc<dyn Past> {
        Arc::new(StoredPast::new(self.store.clone()))
    }

    /// Takes events in until `shutdown`, closes the cards of the door that expire meanwhile, erases
    /// who asked for it, and puts skills in place.
    pub async fn run(self, deliveries: mpsc::Receiver<Delivery>, shutdown: CancellationToken) {
        tokio::join!(
            self.take_in(deliveries, &shutdown),
            expiry::run(&self.store, &self.ctx, &shutdown),
            erasure::run(&self.store, &self.ctx, &self.erasing, &shutdown),
            skill_review::run(&self.store, &self.ctx, &self.reviewing, &shutdown),
        );
    }

    /// Takes events in. Events of one channel are stored in their order; those that wait together
    /// share a commit.
    async fn take_in(
        &self,
        mut deliveries: mpsc::Receiver<Delivery>,
        shutdown: &CancellationToken,
    ) {
        let mut storing = FuturesUnordered::new();
        loop {
            tokio::select! {
                () = shutdown.cancelled() => break,
                Some(delivery) = deliveries.recv() => {
                    let (committed, receipt) = self.enqueue(delivery).await;
                    storing.push(self.settle(committed, receipt));
                }
                Some(()) = storing.next() => {}
            }
        }
        // What is in line is stored and receipted; what still waits at the door is delivered again.
        while storing.next().await.is_some() {}
    }

    async fn enqueue(&self, delivery: Delivery) -> (Committed<Effects>, oneshot::Sender<Receipt>) {
        let Delivery { inbound, receipt } = delivery;
        let ctx = Arc::clone(&self.ctx);
        let committed = self
            .store
            .enqueue(Urgency::Now, move |tx| {
                Box::pin(async move { event::receive(tx, &ctx, inbound).await })
            })
            .await;
        (committed, receipt)
    }

    async fn settle(&self, committed: Committed<Effects>, receipt: oneshot::Sender<Receipt>) {
        match committed.wait().await {
            Ok(effects) => {
                // A channel that went away needs no receipt: the event is stored.
                let _ = receipt.send(effects.receipt);
                self.ctx.outbox.offer(effects.said);
                for signal in effects.signals {
                    self.bus.send(signal);
                }
                if effects.erases {
                    self.erasing.notify_one();
                }
                if effects.reviews {
                    self.reviewing.notify_one();
                }
            }
            // Dropping the receipt says so: the platform delivers it again.
            Err(error) => tracing::error!(%error, "event not stored"),
        }
    }
}

#[cfg(test)]
mod roles_tests;
