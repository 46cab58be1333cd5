//! The live message of a turn: what should stand in it, and how it gets there.

use std::sync::Arc;
use std::time::Duration;

use sayso_channel::{
    Address, Button, Channel, ChannelError, MessageKey, Outbound, SendKey, SentMessage,
};

use crate::store::outbox::{self, NewOutbox};
use crate::store::{Store, StoreError};
use crate::transcript::{OutboxId, TurnId};

/// What the live message of a turn should show now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveUpdate {
    /// The turn.
    pub turn: TurnId,
    /// Where its live message stands.
    pub address: Address,
    /// What it should show; `None` only shows that something is being written.
    pub markdown: Option<String>,
    /// The button below it, with which its people stop the turn.
    pub button: Button,
    /// The message that the turn answers.
    pub reply_to: Option<MessageKey>,
}

/// Brings the live message to what it should show. Errors are no loss: it is cosmetic. Returns the
/// pause that the platform wants.
pub async fn show(
    store: &Store,
    channel: &Arc<dyn Channel>,
    update: &LiveUpdate,
) -> Option<Duration> {
    let error = try_show(store, channel, update).await.err()?;
    tracing::debug!(turn = %update.turn, %error, "the live message was not shown");
    match error {
        LiveError::Channel(ChannelError::RetryAfter(pause)) => Some(pause),
        LiveError::Channel(_) | LiveError::Store(_) => None,
    }
}

#[derive(Debug, thiserror::Error)]
enum LiveError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Channel(#[from] ChannelError),
}

async fn try_show(
    store: &Store,
    channel: &Arc<dyn Channel>,
    update: &LiveUpdate,
) -> Result<(), LiveError> {
    let Some(markdown) = &update.markdown else {
        return Ok(channel.typing(&update.address).await?);
    };
    let outbound = Outbound {
        markdown: markdown.clone(),
        buttons: vec![vec![update.button.clone()]],
        reply_to: update.reply_to.clone(),
        quiet: true,
        ..Outbound::default()
    };
    // A text that outgrew one message shows its newest part.
    let Some(part) = channel.render(&outbound).pop() else {
        return Ok(());
    };
    match place(store, update).await? {
        Place::Shown(message) => {
            let sent = SentMessage {
                address: update.address.clone(),
                message,
            };
            channel.edit(&sent, &part).await?;
        }
        Place::New(row) => {
            let key = SendKey(row.to_string());
            let sent = channel.send(&update.address, &part, &key).await;
            note(store, row, sent).await?;
        }
        Place::Closed => {}
    }
    Ok(())
}

/// Where the live message of a turn is.
enum Place {
    /// It stands in the chat.
    Shown(MessageKey),
    /// It has a row and goes out now for the first time.
    New(OutboxId),
    /// The turn has said its outcome, or the first showing is not known to have arrived.
    Closed,
}

/// The row exists, `sending`, before the first showing is on the wire.
async fn place(store: &Store, update: &LiveUpdate) -> Result<Place, StoreError> {
    let update = update.clone();
    store
        .write(move |tx| {
            Box::pin(async move {
                if outbox::turn_has_spoken(tx, update.turn).await? {
                    return Ok(Place::Closed);
                }
                if let Some(row) = outbox::live_message(tx, update.turn).await? {
                    return Ok(row.message.map_or(Place::Closed, |message| {
                        Place::Shown(MessageKey::new(message))
                    }));
                }
                let new = NewOutbox {
                    channel: update.address.channel.to_string(),
                    address: serde_json::to_string(&update.address)?,
                    turn: Some(update.turn),
                    purpose: "live",
                    subject: None,
                    edits: None,
                    message: None,
                    part: "null".to_owned(),
                };
                Ok(Place::New(outbox::insert(tx, new).await?.id))
            })
        })
        .await
}

/// What became of the first showing.
enum Fate {
    Stands(String),
    /// Its answer was lost: what it shows may stand in the chat, and the outcome must not be a second
    /// answer beside it.
    Doubted,
    NeverWas,
}

async fn note(
    store: &Store,
    row: OutboxId,
    sent: Result<SentMessage, ChannelError>,
) -> Result<(), LiveError> {
    let fate = match &sent {
        Ok(sent) => Fate::Stands(sent.message.to_string()),
        Err(ChannelError::Ambiguous(_)) => Fate::Doubted,
        Err(_) => Fate::NeverWas,
    };
    store
        .write(move |tx| {
            Box::pin(async move {
                match &fate {
                    Fate::Stands(message) => outbox::set_sent(tx, row, message, false).await,
                    Fate::Doubted => outbox::doubt_live(tx, row).await,
                    Fate::NeverWas => outbox::supersede(tx, row).await,
                }
            })
        })
        .await?;
    sent?;
    Ok(())
}
