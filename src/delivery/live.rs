//! The live message of a turn: what should stand in it, and how it gets there.

use std::time::Duration;

use sayso_channel::{
    Address, Button, ChannelError, MessageKey, Outbound, Part, SendKey, SentMessage,
};
use sayso_core::transcript::{OutboxId, TurnId};
use sayso_store::outbox::Purpose;
use sayso_store::outbox::{self, NewOutbox};
use sayso_store::{Store, StoreError};

use super::live_state::LiveEnd;
use super::plain;
use super::route::Route;

/// What the live message of a turn should show now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveUpdate {
    /// The turn.
    pub turn: TurnId,
    /// Where its live message stands.
    pub address: Address,
    /// What it should show.
    pub content: LiveContent,
    /// What stays of it when the answer is a message of its own.
    pub end: LiveEnd,
    /// The button below it, with which its people stop the turn.
    pub button: Button,
    /// The message that the turn answers.
    pub reply_to: Option<MessageKey>,
}

/// What a live message should show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiveContent {
    /// Nothing yet: only that something is being written.
    Typing,
    /// This Markdown.
    Text(String),
    /// Nothing any more: it is deleted, and what comes next is a new message. Where the platform
    /// does not delete it, it stays.
    Gone,
}

/// Brings the live message to what it should show. Errors are no loss: it is cosmetic. Returns the
/// pause that the platform wants.
pub async fn show(route: &Route, update: &LiveUpdate) -> Option<Duration> {
    let error = try_show(route, update).await.err()?;
    tracing::debug!(turn = %update.turn, %error, "live message not shown");
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

async fn try_show(route: &Route, update: &LiveUpdate) -> Result<(), LiveError> {
    let (store, channel) = (&route.store, &route.channel);
    let markdown = match &update.content {
        LiveContent::Typing => return Ok(channel.typing(&update.address).await?),
        LiveContent::Gone => return remove(route, update).await,
        LiveContent::Text(markdown) => markdown,
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
        Place::Shown(_) if route.shown.is(update.turn, &part) => {}
        Place::Shown(message) => {
            let sent = SentMessage {
                address: update.address.clone(),
                message,
            };
            if let Err(error) = channel.edit(&sent, &part).await {
                let plain = without_looks(route, &part, error)?;
                channel.edit(&sent, &plain).await?;
            }
        }
        Place::New(row) => {
            let key = SendKey(row.to_string());
            let mut sent = channel.send(&update.address, &part, &key).await;
            if let Err(error) = sent {
                sent = match without_looks(route, &part, error) {
                    Ok(plain) => channel.send(&update.address, &plain, &key).await,
                    Err(error) => Err(error),
                };
            }
            note(store, row, sent).await?;
        }
        Place::Closed => {
            route.shown.forget(update.turn);
            return Ok(());
        }
    }
    route.shown.note(update.turn, part, update.end.clone());
    Ok(())
}

/// Deletes the live message. That it is gone is noted behind that: of a kill between the two an edit
/// that fails is left.
async fn remove(route: &Route, update: &LiveUpdate) -> Result<(), LiveError> {
    let turn = update.turn;
    let found = route
        .store
        .write(move |tx| Box::pin(outbox::live_message(tx, turn)));
    let Some(row) = found.await? else {
        return Ok(());
    };
    let Some(message) = row.message else {
        return Ok(());
    };
    let sent = SentMessage {
        address: update.address.clone(),
        message: MessageKey::new(message),
    };
    route.channel.delete(&sent).await?;
    route.shown.forget(turn);
    let noted = route
        .store
        .write(move |tx| Box::pin(outbox::supersede(tx, row.id)));
    Ok(noted.await?)
}

/// Returns a part that was refused as text alone, where that is something else.
fn without_looks(route: &Route, part: &Part, error: ChannelError) -> Result<Part, ChannelError> {
    match error {
        ChannelError::Rejected(_) if plain::has_looks(part) => {
            let mut parts = plain::without_looks(part.clone(), route.channel.profile());
            Ok(parts.swap_remove(0))
        }
        error => Err(error),
    }
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
                    purpose: Purpose::Live,
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
    /// Its answer was lost: what it shows may stand in the chat, and the outcome must not be a
    /// second answer beside it.
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
