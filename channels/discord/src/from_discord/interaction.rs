//! One interaction: a slash command, "Ask Sayso" on a message, a choice of a menu, or a press.

use sayso_channel::{
    Addressed, CommandCall, Event, EventKey, HeardMessage, Inbound, MessageKey, Press, Quoted,
    Sender,
};
use serde::Deserialize as _;
use serde_json::Value;

use super::places::{Place, Places};
use super::raw::{RawInteraction, RawInteractionData, RawMessage};
use super::{EventMapper, message, who};
use crate::components;
use crate::reply::InteractionKey;

/// The context of an interaction in a chat between other people, where we cannot speak
/// (<https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-context-types>).
const AMONG_OTHERS: u64 = 2;

/// An interaction, and what answers it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Interaction {
    /// What answers it.
    pub(crate) key: InteractionKey,
    /// The language that its person reads.
    pub(crate) language: Option<String>,
    /// What the person did.
    pub(crate) asked: Asked,
}

/// What a person did.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Asked {
    /// They gave a command.
    Command(Box<Inbound>, CommandCall),
    /// They pressed a button, or chose from a menu.
    Press(Box<Inbound>),
    /// They asked about a message.
    About(Box<Inbound>),
    /// They typed into an argument that offers nothing.
    Completion,
    /// They did it where we cannot speak.
    Elsewhere,
    /// Something that we do not know.
    Unknown,
}

/// Reads an interaction; `None` when it cannot even be answered.
pub(crate) fn read(object: &Value, mapper: &EventMapper) -> Option<Interaction> {
    let raw = RawInteraction::deserialize(object).ok()?;
    let key = InteractionKey {
        application: raw.application_id?.0,
        id: raw.id?.0,
        token: raw.token.clone()?,
    };
    let asked = if raw.context == Some(AMONG_OTHERS) {
        Asked::Elsewhere
    } else {
        asked(&raw, &key, mapper).unwrap_or(Asked::Unknown)
    };
    Some(Interaction {
        key,
        language: raw.locale,
        asked,
    })
}

/// Reads what was done, by the kinds of interactions and of commands
/// (<https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-type>).
fn asked(raw: &RawInteraction, key: &InteractionKey, mapper: &EventMapper) -> Option<Asked> {
    let data = raw.data.as_ref()?;
    let place = place(raw)?;
    match (raw.kind?, data.kind) {
        (2, Some(1)) => {
            let call = command(data)?;
            let inbound = given(raw, &call, &place, key, mapper)?;
            Some(Asked::Command(Box::new(inbound), call))
        }
        (2, Some(3)) => {
            let inbound = about(raw, data, &place, key, mapper)?;
            Some(Asked::About(Box::new(inbound)))
        }
        (3, _) => pressed(raw, data, &place, mapper).map(|press| Asked::Press(Box::new(press))),
        (4, _) => Some(Asked::Completion),
        _ => None,
    }
}

/// Returns where it was done; Discord sends the chat along.
fn place(raw: &RawInteraction) -> Option<Place> {
    let chat = raw.channel.as_ref();
    let known = chat.and_then(|chat| Place::read(chat, raw.guild_id));
    let mut place = known.or_else(|| raw.channel_id.map(Place::direct))?;
    place.server = raw.guild_id;
    Some(place)
}

fn command(data: &RawInteractionData) -> Option<CommandCall> {
    let values = data
        .options
        .iter()
        .filter_map(|option| option.value.as_ref());
    let arguments: Vec<String> = values.map(plain).collect();
    Some(CommandCall {
        name: data.name.clone()?.to_ascii_lowercase(),
        arguments: arguments.join(" ").trim().to_owned(),
    })
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn sender(raw: &RawInteraction) -> Option<Sender> {
    let member = raw.member.as_ref();
    let user = member.and_then(|member| member.user.as_ref());
    who::sender(user.or(raw.user.as_ref())?, member, raw.locale.as_deref())
}

/// Returns a command as a message whose answer goes into the interaction.
fn given(
    raw: &RawInteraction,
    call: &CommandCall,
    place: &Place,
    key: &InteractionKey,
    mapper: &EventMapper,
) -> Option<Inbound> {
    inbound(raw, "command", command_event(call, key), place, mapper)
}

fn command_event(call: &CommandCall, key: &InteractionKey) -> Event {
    Event::Message(Box::new(HeardMessage {
        text: format!("/{} {}", call.name, call.arguments)
            .trim()
            .to_owned(),
        command: Some(call.clone()),
        ..silent(key)
    }))
}

/// Returns a message without words whose answer goes into an interaction.
fn silent(key: &InteractionKey) -> HeardMessage {
    HeardMessage {
        message: key.to_message_key(),
        text: String::new(),
        addressed: Addressed::Command,
        command: None,
        quoted: None,
        attachments: Vec::new(),
        album: None,
        edited: false,
        unsupported: None,
    }
}

/// Returns a question about a message, which is quoted.
fn about(
    raw: &RawInteraction,
    data: &RawInteractionData,
    place: &Place,
    key: &InteractionKey,
    mapper: &EventMapper,
) -> Option<Inbound> {
    let message = HeardMessage {
        quoted: Some(target(data, place, mapper)?),
        ..silent(key)
    };
    let event = Event::Message(Box::new(message));
    inbound(raw, "command", event, place, mapper)
}

fn target(data: &RawInteractionData, place: &Place, mapper: &EventMapper) -> Option<Quoted> {
    let id = data.target_id?.0.to_string();
    let object = data.resolved.as_ref()?.messages.as_ref()?.get(&id)?;
    let original = RawMessage::deserialize(object).ok()?;
    message::quote(&original, place, &Places::default(), mapper)
}

/// Reads a press. Its token is whatever came: the agent knows its own.
fn pressed(
    raw: &RawInteraction,
    data: &RawInteractionData,
    place: &Place,
    mapper: &EventMapper,
) -> Option<Inbound> {
    let custom_id = data.custom_id.as_deref().unwrap_or_default();
    let token = components::pressed(custom_id, &data.values).to_owned();
    let carrier = raw.message.as_ref().and_then(|message| message.id);
    let press = Press {
        token,
        message: carrier.map(|message| MessageKey::new(message.0.to_string())),
    };
    inbound(raw, "press", Event::Press(press), place, mapper)
}

fn inbound(
    raw: &RawInteraction,
    kind: &str,
    event: Event,
    place: &Place,
    mapper: &EventMapper,
) -> Option<Inbound> {
    let id = raw.id?;
    Some(Inbound {
        address: place.address(&mapper.channel),
        chat_kind: place.kind(),
        thread_title: None,
        sender: sender(raw)?,
        key: EventKey {
            kind: kind.to_owned(),
            id: id.0.to_string(),
            version: 0,
        },
        at_ms: id.at_ms(),
        event,
    })
}
