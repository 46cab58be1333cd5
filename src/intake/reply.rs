//! Texts of our own in answer to a message.

use sayso_channel::{ChatKind, Inbound, MessageKey, Outbound};

use super::effects::Effects;
use super::resolved::ResolvedMessage;
use crate::delivery::{OutboxWriter, Purpose, Saying};
use crate::store::outbox::OutboxRow;
use crate::store::{StoreError, Tx, inbox};

/// Says a text of our own in answer to a message; nothing else follows from it.
pub async fn tell(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    heard: &ResolvedMessage<'_>,
    text: String,
) -> Result<Effects, StoreError> {
    let said = say(tx, outbox, heard, &Outbound::markdown(text)).await?;
    Ok(Effects {
        said,
        ..Effects::default()
    })
}

/// Sends a text that concerns only the user who gave the command, privately where the platform can
/// do that.
pub async fn tell_aside(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    heard: &ResolvedMessage<'_>,
    text: String,
) -> Result<Effects, StoreError> {
    let in_group = heard.inbound.chat_kind == ChatKind::Group;
    let outbound = Outbound {
        aside: in_group && is_awaited(heard.inbound),
        ..Outbound::markdown(text)
    };
    Ok(Effects {
        said: say(tx, outbox, heard, &outbound).await?,
        ..Effects::default()
    })
}

/// Says something of our own in answer to a message.
pub async fn say(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    heard: &ResolvedMessage<'_>,
    outbound: &Outbound,
) -> Result<Vec<OutboxRow>, StoreError> {
    let reply_to = reply_to(heard);
    let outbound = Outbound {
        reply_to,
        ..outbound.clone()
    };
    let saying = Saying {
        to: &heard.inbound.address,
        purpose: Purpose::Notice,
        turn: None,
        subject: None,
        outbound: &outbound,
    };
    outbox.say(tx, saying).await
}

/// Returns what an answer of our own names as the message that it answers: in a group, and where
/// the platform holds a command open until it is answered.
pub fn reply_to(heard: &ResolvedMessage<'_>) -> Option<MessageKey> {
    let in_group = heard.inbound.chat_kind == ChatKind::Group;
    (in_group || is_awaited(heard.inbound)).then(|| heard.message.message.clone())
}

/// Says whether the platform holds an event open until it is answered.
pub fn is_awaited(inbound: &Inbound) -> bool {
    inbound.key.kind == inbox::AWAITED
}
