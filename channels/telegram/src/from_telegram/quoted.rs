//! The message that a message replies to.

use sayso_channel::{MessageKey, Quoted};

use super::content;
use super::files::Files;
use super::raw::{RawExternalReply, RawMessage, RawOrigin, RawQuote};
use super::who::{cut, name_of_chat, name_of_user, sender_of_message};
use crate::identity::Identity;

/// Returns the message that this one replies to, of this chat or of another one.
pub(super) fn quoted(raw: &RawMessage, us: &Identity) -> Option<Quoted> {
    let chosen = raw.quote.as_ref();
    if let Some(original) = replied_to(raw) {
        return Some(quote_here(original, chosen, us));
    }
    let elsewhere = raw.external_reply.as_ref()?;
    Some(quote_elsewhere(elsewhere, chosen, us))
}

/// Returns the message replied to, unless it is the implicit one of a topic.
///
/// Every message of a forum topic "replies" to the message that opened the topic, whose id is the
/// topic's.
pub(super) fn replied_to(raw: &RawMessage) -> Option<&RawMessage> {
    let original = raw.reply_to_message.as_deref()?;
    let opens_topic = original.other.contains_key("forum_topic_created")
        || (raw.is_topic_message == Some(true) && original.message_id == raw.message_thread_id);
    (!opens_topic).then_some(original)
}

fn quote_here(original: &RawMessage, chosen: Option<&RawQuote>, us: &Identity) -> Quoted {
    let attachments = Files::from(original).attachments();
    let said = content::said(original, !attachments.is_empty());
    let author = sender_of_message(original);
    Quoted {
        message: MessageKey::new(original.message_id.unwrap_or_default().to_string()),
        author: author.map(|sender| sender.name).unwrap_or_default(),
        from_us: is_ours(original, us),
        text: chosen_text(chosen).unwrap_or(said.text),
        attachments,
    }
}

/// Says whether we said a message.
pub(super) fn is_ours(original: &RawMessage, us: &Identity) -> bool {
    original.from.as_ref().and_then(|from| from.id) == Some(us.id)
}

fn quote_elsewhere(raw: &RawExternalReply, chosen: Option<&RawQuote>, us: &Identity) -> Quoted {
    let origin = raw.origin.as_ref();
    let chat = raw.chat.as_ref().and_then(|chat| chat.id);
    let author_id = origin
        .and_then(|origin| origin.sender_user.as_ref())
        .and_then(|user| user.id);
    let text = chosen.and_then(|quote| quote.text.clone());
    Quoted {
        message: key_elsewhere(chat, raw.message_id),
        author: origin.map(author).unwrap_or_default(),
        from_us: author_id == Some(us.id),
        text: text.unwrap_or_else(|| content::text_of(&raw.other)),
        attachments: Files::from(raw).attachments(),
    }
}

/// Names a message of another chat so that it cannot be taken for one of this chat.
fn key_elsewhere(chat: Option<i64>, message: Option<i64>) -> MessageKey {
    match (chat, message) {
        (Some(chat), Some(message)) => MessageKey::new(format!("{chat}/{message}")),
        _ => MessageKey::from("elsewhere"),
    }
}

/// Returns the piece that the person chose; what Telegram chose itself is the message's beginning.
fn chosen_text(chosen: Option<&RawQuote>) -> Option<String> {
    let quote = chosen.filter(|quote| quote.is_manual == Some(true))?;
    quote.text.clone()
}

fn author(origin: &RawOrigin) -> String {
    if let Some(user) = &origin.sender_user {
        return name_of_user(user);
    }
    if let Some(name) = &origin.sender_user_name {
        return cut(name);
    }
    let chat = origin.sender_chat.as_ref().or(origin.chat.as_ref());
    chat.map(name_of_chat).unwrap_or_default()
}
