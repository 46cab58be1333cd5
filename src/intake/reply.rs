//! Texts of our own in answer to a message.

use sayso_channel::{ChatKind, Inbound, MessageKey, Outbound};
use sayso_store::outbox::OutboxRow;
use sayso_store::skipped::{self, Skip};
use sayso_store::{StoreError, Tx, inbox, now_ms};

use super::context::IntakeContext;
use super::effects::Effects;
use super::resolved::ResolvedMessage;
use crate::delivery::{OutboxWriter, Purpose, Saying};

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

/// Leaves a message that came too fast unanswered, and counts it: a notice says how many they were
/// once no more come.
pub async fn skip(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Effects, StoreError> {
    let is_named = heard.inbound.chat_kind == ChatKind::Group && !is_awaited(heard.inbound);
    let skip = Skip {
        session: heard.session,
        user: heard.user,
        address: &serde_json::to_string(&heard.inbound.address)?,
        reply_to: is_named.then(|| heard.message.message.as_str()),
        language: ctx.language(&heard.chat.language).code(),
    };
    skipped::count(tx, &skip, now_ms()).await?;
    Ok(Effects::unanswered())
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
