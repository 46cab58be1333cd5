//! Where something was said and by whom.

use sayso_channel::{Address, ChatKey, ChatKind, Sender, SenderKey, SenderKind, ThreadKey};

use super::UpdateMapper;
use super::raw::{RawChat, RawMessage, RawUser};
use crate::send::DIRECT_TOPIC;

/// The longest name that is passed on, in characters.
const NAME_CHARACTERS: usize = 128;

/// Returns where a message stands, with its forum topic.
///
/// `message_thread_id` is a topic only beside `is_topic_message`; in groups without topics it names
/// the first message of a chain of replies. Topic General has no id in messages. In the direct
/// messages of a channel each person has a topic of another kind.
pub(super) fn address(raw: &RawMessage, mapper: &UpdateMapper) -> Option<Address> {
    let direct = raw.direct_messages_topic.as_ref();
    let direct = direct
        .and_then(|topic| topic.topic_id)
        .map(|topic| ThreadKey::new(format!("{DIRECT_TOPIC}{topic}")));
    let thread = raw
        .message_thread_id
        .filter(|_| raw.is_topic_message == Some(true))
        .map(|topic| ThreadKey::new(topic.to_string()));
    Some(Address {
        channel: mapper.channel.clone(),
        chat: ChatKey::new(raw.chat.as_ref()?.id?.to_string()),
        thread: direct.or(thread),
    })
}

/// Returns what the topic of a message is called: a message that replies to nothing replies to the
/// one that made its topic.
pub(super) fn topic_title(raw: &RawMessage) -> Option<String> {
    let opened = raw.reply_to_message.as_deref()?;
    let created = opened.other.get("forum_topic_created")?;
    Some(cut(created.get("name")?.as_str()?))
}

pub(super) fn chat_kind(chat: &RawChat) -> ChatKind {
    match chat.kind.as_deref() {
        Some("private") => ChatKind::Direct,
        Some(_) | None => ChatKind::Group,
    }
}

/// Returns who said a message: `sender_chat` before `from`, which is then a stand-in account.
pub(super) fn sender_of_message(raw: &RawMessage) -> Option<Sender> {
    if let Some(chat) = &raw.sender_chat {
        return sender_of_chat(chat);
    }
    match &raw.from {
        Some(user) => sender_of_user(user),
        None => sender_of_chat(raw.chat.as_ref()?),
    }
}

pub(super) fn sender_of_user(user: &RawUser) -> Option<Sender> {
    Some(Sender {
        key: SenderKey::new(user.id?.to_string()),
        name: name_of_user(user),
        language: user.language_code.clone(),
        kind: if user.is_bot == Some(true) {
            SenderKind::Bot
        } else {
            SenderKind::Person
        },
        roles: Vec::new(),
        handle: user.username.clone(),
    })
}

fn sender_of_chat(chat: &RawChat) -> Option<Sender> {
    Some(Sender {
        key: SenderKey::new(chat.id?.to_string()),
        name: name_of_chat(chat),
        language: None,
        kind: SenderKind::Chat,
        roles: Vec::new(),
        handle: chat.username.clone(),
    })
}

pub(super) fn name_of_user(user: &RawUser) -> String {
    let full = [user.first_name.as_deref(), user.last_name.as_deref()]
        .into_iter()
        .flatten()
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    let name = if full.is_empty() {
        user.username.clone().unwrap_or_default()
    } else {
        full
    };
    cut(&name)
}

pub(super) fn name_of_chat(chat: &RawChat) -> String {
    let names = [&chat.title, &chat.first_name, &chat.username];
    cut(names
        .into_iter()
        .flatten()
        .next()
        .map_or("", String::as_str))
}

pub(super) fn cut(name: &str) -> String {
    name.chars().take(NAME_CHARACTERS).collect()
}
