//! The message that a message replies to or forwards, and who said the words of a message where
//! that is not its sender.

use std::borrow::Cow;

use sayso_channel::{AttachmentRef, MessageKey, Quoted, SenderKey};

use super::content;
use super::files::Files;
use super::raw::{RawExternalReply, RawMessage, RawOrigin, RawQuote, RawStory};
use super::who::{cut, name_of_chat, name_of_user, sender_of_message};
use crate::identity::Identity;

/// What is shown of a story.
const STORY: &str = "[a story; I cannot see what it shows]";

/// Returns the message that this one replies to, of this chat or of another one.
pub(super) fn quoted(raw: &RawMessage, us: &Identity) -> Option<Quoted> {
    let chosen = raw.quote.as_ref();
    if let Some(original) = replied_to(raw) {
        let task = raw.reply_to_checklist_task_id;
        return Some(quote_here(original, chosen, task, us));
    }
    if let Some(elsewhere) = raw.external_reply.as_ref() {
        let task = raw.reply_to_checklist_task_id;
        return Some(quote_elsewhere(elsewhere, chosen, task, us));
    }
    raw.reply_to_story.as_ref().map(quote_story)
}

/// Shows a story as what it is: its words and pictures are not told.
fn quote_story(story: &RawStory) -> Quoted {
    let chat = story.chat.as_ref();
    let id = chat.and_then(|chat| chat.id);
    Quoted {
        message: MessageKey::new(format!("story/{}", story.id.unwrap_or_default())),
        author: chat.map(name_of_chat).unwrap_or_default(),
        author_key: id.map(sender_key),
        forwarded: false,
        from_us: false,
        text: STORY.to_owned(),
        attachments: Vec::new(),
    }
}

/// Who said the words of a message that somebody else sent.
pub(super) struct Another<'a> {
    origin: Cow<'a, RawOrigin>,
    /// Whether the message forwards their words.
    is_forward: bool,
}

/// Returns who said the words of a message, where that is not its sender: it forwards them, or a
/// bot wrote them in the sender's name (inline, or for a business account).
pub(super) fn words_of_another(raw: &RawMessage) -> Option<Another<'_>> {
    let sender = raw.from.as_ref().and_then(|from| from.id);
    let is_own = |origin: &RawOrigin| sender.is_some() && origin_id(origin) == sender;
    let forwarded = raw.forward_origin.as_ref();
    if let Some(origin) = forwarded.filter(|origin| !is_own(origin)) {
        return Some(Another {
            origin: Cow::Borrowed(origin),
            is_forward: true,
        });
    }
    let bot = raw.via_bot.as_ref().or(raw.sender_business_bot.as_ref())?;
    Some(Another {
        origin: Cow::Owned(RawOrigin {
            sender_user: Some(bot.clone()),
            ..RawOrigin::default()
        }),
        is_forward: false,
    })
}

/// Shows the words of another in a message as a message that is quoted.
pub(super) fn forwarded(
    another: &Another<'_>,
    message_id: i64,
    text: String,
    attachments: Vec<AttachmentRef>,
    us: &Identity,
) -> Quoted {
    let author_id = origin_id(&another.origin);
    Quoted {
        // The original has no name that we know.
        message: MessageKey::new(format!("forwarded/{message_id}")),
        author: author(&another.origin),
        author_key: author_id.map(sender_key),
        forwarded: another.is_forward,
        from_us: author_id == Some(us.id),
        text,
        attachments,
    }
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

fn quote_here(
    original: &RawMessage,
    chosen: Option<&RawQuote>,
    task: Option<i64>,
    us: &Identity,
) -> Quoted {
    let attachments = Files::from(original).attachments();
    let said = content::said(original, !attachments.is_empty());
    let (name, key) = match words_of_another(original) {
        Some(another) => {
            let origin = &*another.origin;
            (author(origin), origin_id(origin).map(sender_key))
        }
        None => sender_of_message(original)
            .map(|sender| (sender.name, Some(sender.key)))
            .unwrap_or_default(),
    };
    Quoted {
        message: MessageKey::new(original.message_id.unwrap_or_default().to_string()),
        author: name,
        author_key: key,
        forwarded: false,
        from_us: is_ours(original, us),
        text: chosen_text(chosen)
            .or_else(|| content::checklist(&original.other, task))
            .unwrap_or(said.text),
        attachments,
    }
}

/// Returns whether we said a message.
pub(super) fn is_ours(original: &RawMessage, us: &Identity) -> bool {
    original.from.as_ref().and_then(|from| from.id) == Some(us.id)
}

fn quote_elsewhere(
    raw: &RawExternalReply,
    chosen: Option<&RawQuote>,
    task: Option<i64>,
    us: &Identity,
) -> Quoted {
    let origin = raw.origin.as_ref();
    let chat = raw.chat.as_ref().and_then(|chat| chat.id);
    let author_id = origin.and_then(origin_id);
    let text = chosen.and_then(|quote| quote.text.clone());
    Quoted {
        message: key_elsewhere(chat, raw.message_id),
        author: origin.map(author).unwrap_or_default(),
        author_key: author_id.map(sender_key),
        forwarded: false,
        from_us: author_id == Some(us.id),
        text: text
            .or_else(|| content::checklist(&raw.other, task))
            .unwrap_or_else(|| content::text_of(&raw.other)),
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

/// Returns the account that is named, which people can hide.
fn origin_id(origin: &RawOrigin) -> Option<i64> {
    origin.sender_user.as_ref().and_then(|user| user.id)
}

fn sender_key(id: i64) -> SenderKey {
    SenderKey::new(id.to_string())
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
