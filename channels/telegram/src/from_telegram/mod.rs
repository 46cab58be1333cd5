//! From one update, as the Bot API sends it, to what the agent hears. Pure.
//!
//! It reads the raw JSON through structs of our own that have only the fields in use, every one
//! optional. teloxide's `Update` is not used on purpose: a single entity kind that it does not
//! know makes it return a message without text, and an unknown content kind an empty one. Here an
//! unknown entity kind is no obstacle, an unknown content kind is reported with whatever text it
//! holds, a field of an unexpected type counts as absent, and an unknown update kind is silence.

mod addressed;
mod content;
mod files;
#[cfg(test)]
mod fuzz_tests;
mod message;
mod quoted;
mod raw;
mod service;
#[cfg(test)]
mod tests;
mod utf16;
mod who;

use sayso_channel::{Address, ChannelName, ChatKind, Event, EventKey, Inbound, MessageKey, Press};
use serde::Deserialize;
use serde_json::Value;

use crate::identity::Identity;
use raw::{RawMembership, RawMessage, RawPress};
use who::{address, chat_kind, sender_of_message, sender_of_user, topic_title};

/// What must be known besides the update: which channel hears, and who we are there.
#[derive(Debug, Clone)]
pub(crate) struct UpdateMapper {
    /// The channel that hears.
    pub(crate) channel: ChannelName,
    /// The account that people mention and reply to.
    pub(crate) us: Identity,
}

/// Returns the number by which Telegram counts its updates.
pub(crate) fn update_id(update: &Value) -> Option<i64> {
    update.get("update_id")?.as_i64()
}

/// Reads one update; `None` when it is nothing for the agent.
///
/// `now_ms` is the time of events that Telegram sends without one: presses.
pub(crate) fn from_telegram(update: &Value, mapper: &UpdateMapper, now_ms: i64) -> Option<Inbound> {
    let kinds = update.as_object()?;
    kinds.iter().find_map(|(kind, body)| match kind.as_str() {
        "message" | "channel_post" => heard(body, mapper, Form::First),
        "edited_message" | "edited_channel_post" => {
            let update_id = update_id(update)?;
            heard(body, mapper, Form::Edited { update_id })
        }
        "callback_query" => pressed(body, mapper, now_ms),
        "my_chat_member" => membership(body, mapper, update_id(update)?),
        _ => None,
    })
}

/// Whether a message is said for the first time or was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    First,
    /// Two edits in one second have the same time, so the update names the form.
    Edited {
        update_id: i64,
    },
}

fn heard(body: &Value, mapper: &UpdateMapper, form: Form) -> Option<Inbound> {
    let raw = RawMessage::deserialize(body).ok()?;
    if raw.from.as_ref().and_then(|from| from.id) == Some(mapper.us.id) {
        return None;
    }
    if let Some(new_chat) = raw.migrate_to_chat_id {
        return moved(&raw, mapper, new_chat);
    }
    if service::is_service(&raw) || is_moving_location(&raw, form) {
        return None;
    }
    let chat = raw.chat.as_ref()?;
    let message_id = raw.message_id?;
    let said_at = raw.date.unwrap_or_default();
    let changed_at = raw.edit_date.unwrap_or(said_at);
    let (version, at) = match form {
        Form::First => (0, said_at),
        Form::Edited { update_id } => (update_id, changed_at),
    };
    Some(Inbound {
        address: address(&raw, mapper)?,
        chat_kind: chat_kind(chat),
        thread_title: topic_title(&raw),
        sender: sender_of_message(&raw)?,
        key: EventKey {
            kind: "message".to_owned(),
            id: format!("{}/{message_id}", chat.id?),
            version,
        },
        at_ms: at.saturating_mul(1000),
        event: Event::Message(Box::new(message::read(&raw, message_id, mapper, form))),
    })
}

/// A live location is edited every few seconds; these edits are not messages.
fn is_moving_location(raw: &RawMessage, form: Form) -> bool {
    matches!(form, Form::Edited { .. }) && raw.other.contains_key("location")
}

fn moved(raw: &RawMessage, mapper: &UpdateMapper, new_chat: i64) -> Option<Inbound> {
    let chat = raw.chat.as_ref()?;
    let old_chat = chat.id?.to_string();
    Some(Inbound {
        address: Address::chat(mapper.channel.clone(), old_chat.as_str()),
        chat_kind: ChatKind::Group,
        thread_title: None,
        sender: sender_of_message(raw)?,
        key: EventKey {
            kind: "migration".to_owned(),
            id: old_chat,
            version: 0,
        },
        at_ms: raw.date.unwrap_or_default().saturating_mul(1000),
        event: Event::Moved {
            to: Address::chat(mapper.channel.clone(), new_chat.to_string().as_str()),
        },
    })
}

/// Reads a press. One without a message belongs to a message sent in inline mode: not ours.
fn pressed(body: &Value, mapper: &UpdateMapper, now_ms: i64) -> Option<Inbound> {
    let raw = RawPress::deserialize(body).ok()?;
    let message = raw.message.as_ref()?;
    Some(Inbound {
        address: address(message, mapper)?,
        chat_kind: chat_kind(message.chat.as_ref()?),
        thread_title: None,
        sender: sender_of_user(raw.from.as_ref()?)?,
        key: EventKey {
            kind: "press".to_owned(),
            id: raw.id?,
            version: 0,
        },
        at_ms: now_ms,
        event: Event::Press(Press {
            token: raw.data.unwrap_or_default(),
            message: message
                .message_id
                .map(|message_id| MessageKey::new(message_id.to_string())),
        }),
    })
}

/// Reads a change of our own membership; `None` when we could speak before and still can.
fn membership(body: &Value, mapper: &UpdateMapper, update_id: i64) -> Option<Inbound> {
    let raw = RawMembership::deserialize(body).ok()?;
    let could_speak = raw.old_chat_member?.can_speak();
    let can_speak = raw.new_chat_member?.can_speak();
    let event = match (could_speak, can_speak) {
        (false, true) => Event::Opened,
        (true, false) => Event::Closed,
        (true, true) | (false, false) => return None,
    };
    let chat = raw.chat?;
    let chat_id = chat.id?.to_string();
    let date = raw.date.unwrap_or_default();
    Some(Inbound {
        address: Address::chat(mapper.channel.clone(), chat_id.as_str()),
        chat_kind: chat_kind(&chat),
        thread_title: None,
        sender: sender_of_user(&raw.from?)?,
        key: EventKey {
            kind: "membership".to_owned(),
            id: format!("{chat_id}/{update_id}"),
            version: date,
        },
        at_ms: date.saturating_mul(1000),
        event,
    })
}
