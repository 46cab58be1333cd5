//! The way from a channel to the door: nothing counts as heard before it is stored.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use thiserror::Error;
use tokio::sync::{mpsc, oneshot};

use crate::{Address, ChannelName, Health, Inbound, MessageKey};

/// The channel's end of the way in. Clones lead to the same door.
#[derive(Clone)]
pub struct Inbox {
    door: mpsc::Sender<Delivery>,
    health: Health,
    past: Option<Arc<dyn Past>>,
}

/// What a channel may ask about its own past, to read back what it missed.
#[async_trait]
pub trait Past: Send + Sync {
    /// Returns the newest stored message of every chat and thread of a channel, in any order.
    async fn last_heard(&self, channel: &ChannelName) -> Result<Vec<LastHeard>, InboxClosed>;
}

/// The newest message that is stored of a chat or thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastHeard {
    /// The chat or thread.
    pub address: Address,
    /// The platform's name of the message.
    pub message: MessageKey,
}

/// One event on its way in, and the way back for its receipt.
#[derive(Debug)]
pub struct Delivery {
    /// What was heard.
    pub inbound: Inbound,
    /// Resolves the sender's [`Inbox::put`]; dropping it says that the event was not stored.
    pub receipt: oneshot::Sender<Receipt>,
}

/// Says that an event is stored: the platform may forget it now.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Receipt {
    /// What a press is answered with; `None` asks for a plain acknowledgement.
    pub notice: Option<Notice>,
    /// Whether nothing will be said in answer: what the platform promised for it is taken back.
    pub unanswered: bool,
}

impl Receipt {
    /// Returns the receipt of a press that is answered with this.
    pub fn with_notice(notice: Option<Notice>) -> Self {
        Self {
            notice,
            ..Self::default()
        }
    }
}

/// A short text for the one who pressed a button, private where the platform can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// At most 200 characters (Telegram's limit for an answer to a press).
    pub text: String,
    /// How much it matters.
    pub kind: NoticeKind,
}

/// How much a notice matters to the one who pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeKind {
    /// It repeats what the pressed message shows already. Left out where a notice stays until it is
    /// dismissed (Discord).
    Echo,
    /// It says what no message shows: a passing line.
    Passing,
    /// It must be seen: a dialogue.
    Alert,
}

/// The event could not be stored now. It must be delivered again; the offset must not move on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the inbox could not store the event")]
pub struct InboxClosed;

impl Inbox {
    /// Returns both ends: the channel's, and the door's. `capacity` bounds what waits at the door;
    /// a full inbox makes channels wait, and the platform keeps what they did not take.
    pub fn new(health: Health, capacity: usize) -> (Self, mpsc::Receiver<Delivery>) {
        let (door, deliveries) = mpsc::channel(capacity);
        let inbox = Self {
            door,
            health,
            past: None,
        };
        (inbox, deliveries)
    }

    /// Lets channels ask for their past.
    #[must_use]
    pub fn with_past(self, past: Arc<dyn Past>) -> Self {
        Self {
            past: Some(past),
            ..self
        }
    }

    /// Returns another way to the same door that reports to the health of another channel.
    pub fn for_channel(&self, health: Health) -> Self {
        Self {
            door: self.door.clone(),
            health,
            past: self.past.clone(),
        }
    }

    /// Passes one event to the inbox and returns when it is stored (or judged, for a press).
    ///
    /// Calls made one after the other are stored in that order, also when they wait together.
    pub async fn put(&self, inbound: Inbound) -> Result<Receipt, InboxClosed> {
        let (receipt, stored) = oneshot::channel();
        self.door
            .send(Delivery { inbound, receipt })
            .await
            .map_err(|_| InboxClosed)?;
        stored.await.map_err(|_| InboxClosed)
    }

    /// Returns the newest stored message of every chat and thread of a channel; empty if no history
    /// is kept.
    pub async fn last_heard(&self, channel: &ChannelName) -> Result<Vec<LastHeard>, InboxClosed> {
        match &self.past {
            Some(past) => past.last_heard(channel).await,
            None => Ok(Vec::new()),
        }
    }

    /// Returns where the channel reports how its connection is.
    pub fn health(&self) -> &Health {
        &self.health
    }
}

impl fmt::Debug for Inbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inbox")
            .field("health", &self.health)
            .finish_non_exhaustive()
    }
}
