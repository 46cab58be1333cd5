//! Senders that are chats or bots and address the assistant: they cannot be answered. The chat is
//! informed of that, once.

use sayso_channel::{Addressed, ChatKind, HeardMessage, Inbound, Outbound, SenderKind};
use sayso_store::chats::{self, ChatRow};
use sayso_store::{StoreError, Tx};

use super::context::IntakeContext;
use super::effects::Effects;
use super::messages;
use crate::delivery::{Purpose, Saying};

/// Tells a chat once why a sender that addressed the assistant gets no answer; `None` when the chat
/// was informed before, or when no answer is expected.
pub async fn tell_once(
    tx: &mut Tx,
    ctx: &IntakeContext,
    inbound: &Inbound,
    message: &HeardMessage,
    chat: &ChatRow,
) -> Result<Option<Effects>, StoreError> {
    let waits = match (inbound.sender.kind, message.addressed) {
        (SenderKind::Chat, Addressed::Mention | Addressed::Reply | Addressed::Command)
        | (SenderKind::Bot, Addressed::Mention) => true,
        (SenderKind::Person, _)
        | (_, Addressed::No | Addressed::Direct)
        // Two bots that answer each other would never stop.
        | (SenderKind::Bot, Addressed::Reply | Addressed::Command) => false,
    };
    if inbound.chat_kind == ChatKind::Direct || !waits || !chats::tells_unseen(tx, chat.id).await? {
        return Ok(None);
    }
    let language = ctx.language(&chat.language);
    let outbound = Outbound {
        reply_to: Some(message.message.clone()),
        ..Outbound::markdown(messages::cannot_see(inbound.sender.kind, language))
    };
    let saying = Saying {
        to: &inbound.address,
        purpose: Purpose::Notice,
        turn: None,
        subject: None,
        outbound: &outbound,
    };
    Ok(Some(Effects {
        said: ctx.outbox.say(tx, saying).await?,
        ..Effects::default()
    }))
}
