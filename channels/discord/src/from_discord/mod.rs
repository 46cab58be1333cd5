//! From one object, as Discord sends it, to what the agent hears. Pure.
//!
//! It reads raw JSON through structs of our own that have only the fields in use, every one
//! optional: an unknown kind of message, component or flag loses no text and stops nothing, and a
//! field of an unexpected type counts as absent.
//!
//! Without the Message Content intent, Discord blanks messages that do not mention Sayso; such a
//! message is ignored.

mod files;
#[cfg(test)]
mod fuzz_tests;
mod interaction;
mod message;
mod places;
mod raw;
#[cfg(test)]
mod tests;
mod who;
mod words;

use sayso_channel::{ChannelName, Event, EventKey, Inbound};

use crate::identity::Identity;

pub(crate) use interaction::{Asked, Interaction, read as read_interaction};
pub(crate) use message::{Form, heard, opens_with, quote};
pub(crate) use places::{Place, Places, can_be_written};
pub(crate) use raw::{Id, RawChannel, RawGuild, RawMember, RawMessage, RawRole, time_ms};

/// What must be known besides an object: which channel hears, and who we are there.
#[derive(Debug, Clone)]
pub(crate) struct EventMapper {
    /// The channel that hears.
    pub(crate) channel: ChannelName,
    /// The account that people mention and reply to.
    pub(crate) us: Identity,
}

impl EventMapper {
    /// Returns our account.
    pub(crate) fn our_id(&self) -> Id {
        Id(self.us.id)
    }
}

/// Returns the event that we were removed from a chat, or may speak there again. Discord gives it
/// neither a time nor an id, so its moment tells it from the next one of its kind.
pub(crate) fn membership(
    event: Event,
    place: &Place,
    mapper: &EventMapper,
    now_ms: i64,
) -> Inbound {
    Inbound {
        address: place.address(&mapper.channel),
        chat_kind: place.kind(),
        thread_title: None,
        sender: who::unknown_actor(place.server.unwrap_or(place.id)),
        key: EventKey {
            kind: "membership".to_owned(),
            id: place.id.0.to_string(),
            version: now_ms,
        },
        at_ms: now_ms,
        event,
    }
}
