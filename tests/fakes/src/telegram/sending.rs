//! What the bot says in a chat: sending, editing and deleting messages, by the rules of the real server.

use serde_json::{Map, Value, json};

use super::draft::Draft;
use super::params::Params;
use super::refusal::Refusal;
use super::room::{Room, RoomKind};
use super::state::State;
use super::text::{Written, accept_caption, accept_text};
use crate::message::{Attachment, Author, Button};

/// Longest token behind a button, in bytes.
const TOKEN_LIMIT: usize = 64;

pub(crate) fn send_message(state: &mut State, params: &Params) -> Result<Value, Refusal> {
    refuse_parse_mode(params)?;
    let text = params.text("text").unwrap_or_default();
    let written = accept_text(text, params.list("entities"))?;
    send(state, params, written, None)
}

/// Sends a document or a photo, new or kept from before.
pub(crate) fn send_file(state: &mut State, params: &Params, kind: &str) -> Result<Value, Refusal> {
    refuse_parse_mode(params)?;
    let caption = params.text("caption").unwrap_or_default();
    let written = accept_caption(caption, params.list("caption_entities"))?;
    state.reach(params.fields.get("chat_id"))?;
    let given = &params.fields[kind];
    let file = match params.upload(given) {
        Some(upload) if upload.bytes.is_empty() => {
            return Err(Refusal::bad_request("file must be non-empty"));
        }
        Some(upload) => state.keep_file(kind, &upload.file_name, upload.bytes.clone()),
        None => known_file(state, given, kind)?,
    };
    send(state, params, written, Some(file))
}

fn known_file(state: &State, given: &Value, kind: &str) -> Result<Attachment, Refusal> {
    let file_id = given.as_str().unwrap_or_default();
    let stored = state.files.get(file_id);
    let stored =
        stored.ok_or_else(|| Refusal::bad_request("wrong file identifier/HTTP URL specified"))?;
    Ok(Attachment {
        file_id: file_id.to_owned(),
        name: file_id.to_owned(),
        kind: kind.to_owned(),
        size: stored.bytes.len(),
    })
}

fn send(
    state: &mut State,
    params: &Params,
    written: Written,
    file: Option<Attachment>,
) -> Result<Value, Refusal> {
    let buttons = read_buttons(params)?;
    let room = state.reach(params.fields.get("chat_id"))?;
    let draft = Draft {
        written,
        topic: read_topic(room, params)?,
        reply_to: read_reply(room, params)?,
        buttons,
        extra: file.as_ref().map(file_fields).unwrap_or_default(),
        file,
        silent: params.is_true("disable_notification"),
        ..Draft::by(Author::Bot)
    };
    let id = room.compose(draft);
    Ok(room.wire(&room.messages[&id]))
}

/// What the bot is writing right now, shown in a direct chat until the message comes.
pub(crate) fn send_draft(state: &mut State, params: &Params) -> Result<Value, Refusal> {
    refuse_parse_mode(params)?;
    let text = params.text("text").unwrap_or_default();
    let written = if text.is_empty() {
        Written::default()
    } else {
        accept_text(text, params.list("entities"))?
    };
    if params.integer("draft_id") == Some(0) {
        return Err(Refusal::violation("draft_id must be non-zero"));
    }
    let room = state.reach(params.fields.get("chat_id"))?;
    if room.kind != RoomKind::Private {
        return Err(Refusal::bad_request(
            "drafts can be sent only to private chats",
        ));
    }
    room.drafts.push(written.text);
    room.changed.notify_waiters();
    Ok(true.into())
}

pub(crate) fn edit_text(state: &mut State, params: &Params) -> Result<Value, Refusal> {
    refuse_parse_mode(params)?;
    let text = params.text("text").unwrap_or_default();
    let written = accept_text(text, params.list("entities"))?;
    edit(state, params, Some(written))
}

pub(crate) fn edit_markup(state: &mut State, params: &Params) -> Result<Value, Refusal> {
    edit(state, params, None)
}

/// Changes text (unless `None`) and buttons of a message of the bot. Buttons that are not given are taken away.
fn edit(state: &mut State, params: &Params, written: Option<Written>) -> Result<Value, Refusal> {
    let buttons = read_buttons(params)?;
    let Some(id) = params.integer("message_id") else {
        return Err(Refusal::violation("message identifier is not specified"));
    };
    let room = state.reach(params.fields.get("chat_id"))?;
    let message = room.standing_mut(id);
    let message = message.ok_or_else(|| Refusal::bad_request("message to edit not found"))?;
    if !message.is_from_bot() {
        return Err(Refusal::bad_request("message can't be edited"));
    }
    let written = written.unwrap_or_else(|| Written {
        text: message.text.clone(),
        entities: message.entities.clone(),
    });
    if message.text == written.text
        && message.entities == written.entities
        && message.buttons == buttons
    {
        return Err(Refusal::bad_request(
            "message is not modified: specified new message content and reply markup are exactly the same \
             as a current content and reply markup of the message",
        ));
    }
    message.text = written.text;
    message.entities = written.entities;
    message.buttons = buttons;
    message.edits += 1;
    room.changed.notify_waiters();
    Ok(room.wire(&room.messages[&id]))
}

pub(crate) fn delete(state: &mut State, params: &Params) -> Result<Value, Refusal> {
    let id = params.integer("message_id").unwrap_or_default();
    let room = state.reach(params.fields.get("chat_id"))?;
    let may_delete_others =
        room.kind == RoomKind::Private || room.bot == super::room::Standing::Administrator;
    let message = room.standing_mut(id);
    let message = message.ok_or_else(|| Refusal::bad_request("message to delete not found"))?;
    if !message.is_from_bot() && !may_delete_others {
        return Err(Refusal::bad_request("message can't be deleted"));
    }
    message.deleted = true;
    room.changed.notify_waiters();
    Ok(true.into())
}

/// The emoji that Telegram takes as reactions, as far as they are used here
/// (<https://core.telegram.org/bots/api#reactiontypeemoji>).
const REACTIONS: &[&str] = &["👍", "👎", "❤", "🔥", "🎉", "👀", "👌", "🙏"];

/// Replaces the reactions of the bot: at most one, of the list of emoji.
pub(crate) fn react(state: &mut State, params: &Params) -> Result<Value, Refusal> {
    let given = params.list("reaction").iter();
    let given: Vec<String> = given
        .map(|reaction| reaction["emoji"].as_str().unwrap_or_default().to_owned())
        .collect();
    if given.len() > 1 {
        return Err(Refusal::violation("REACTIONS_TOO_MANY"));
    }
    if given
        .iter()
        .any(|emoji| !REACTIONS.contains(&emoji.as_str()))
    {
        return Err(Refusal::violation("REACTION_INVALID"));
    }
    let id = params.integer("message_id").unwrap_or_default();
    let room = state.reach(params.fields.get("chat_id"))?;
    let message = room.standing_mut(id);
    let message = message.ok_or_else(|| Refusal::bad_request("message to react not found"))?;
    message.reactions = given;
    room.changed.notify_waiters();
    Ok(true.into())
}

/// The topic General has no number of its own: it must be left out.
pub(crate) fn read_topic(room: &Room, params: &Params) -> Result<Option<i64>, Refusal> {
    match params.integer("message_thread_id") {
        None => Ok(None),
        Some(topic) if room.topics.contains_key(&topic) => Ok(Some(topic)),
        Some(_) => Err(Refusal::bad_request("message thread not found")),
    }
}

fn read_reply(room: &Room, params: &Params) -> Result<Option<i64>, Refusal> {
    let Some(reply) = params.fields.get("reply_parameters") else {
        return Ok(None);
    };
    let id = reply["message_id"].as_i64().unwrap_or_default();
    let is_here = reply
        .get("chat_id")
        .and_then(Value::as_i64)
        .is_none_or(|chat| chat == room.id);
    if is_here && room.standing(id).is_some() {
        return Ok(Some(id));
    }
    if reply["allow_sending_without_reply"] == true {
        return Ok(None);
    }
    Err(Refusal::bad_request("message to be replied not found"))
}

fn read_buttons(params: &Params) -> Result<Vec<Vec<Button>>, Refusal> {
    let markup = params.fields.get("reply_markup");
    let Some(rows) = markup.and_then(|markup| markup.get("inline_keyboard")?.as_array()) else {
        return Ok(Vec::new());
    };
    let rows: Result<Vec<Vec<Button>>, Refusal> = rows
        .iter()
        .filter_map(Value::as_array)
        .map(|row| row.iter().map(read_button).collect())
        .collect();
    let mut rows = rows?;
    rows.retain(|row| !row.is_empty());
    Ok(rows)
}

/// A button has a label and does exactly one thing.
fn read_button(button: &Value) -> Result<Button, Refusal> {
    let field = |name: &str| button.get(name).and_then(Value::as_str).map(str::to_owned);
    let label = field("text").unwrap_or_default();
    if label.trim().is_empty() {
        return Err(Refusal::violation("button text must be non-empty"));
    }
    let looks = ["text", "style", "icon_custom_emoji_id"];
    let acts = button.as_object().map_or(0, |fields| {
        fields
            .keys()
            .filter(|name| !looks.contains(&name.as_str()))
            .count()
    });
    if acts != 1 {
        return Err(Refusal::violation(
            "text buttons are unallowed in the inline keyboard",
        ));
    }
    let token = field("callback_data");
    if token
        .as_ref()
        .is_some_and(|token| token.is_empty() || token.len() > TOKEN_LIMIT)
    {
        return Err(Refusal::violation("BUTTON_DATA_INVALID"));
    }
    Ok(Button {
        label,
        token,
        url: field("url"),
    })
}

/// Sayso sends entities; markup in text would be read by rules that this fake does not have.
fn refuse_parse_mode(params: &Params) -> Result<(), Refusal> {
    if params.fields.contains_key("parse_mode") {
        return Err(Refusal::violation(
            "this fake reads entities only, no parse_mode",
        ));
    }
    Ok(())
}

/// A file as the message on the wire carries it.
pub(crate) fn file_fields(file: &Attachment) -> Map<String, Value> {
    let base = json!({
        "file_id": file.file_id,
        "file_unique_id": format!("u-{}", file.file_id),
        "file_size": file.size,
    });
    let mut content = base;
    match file.kind.as_str() {
        "photo" => {
            content["width"] = 640.into();
            content["height"] = 480.into();
            content = json!([content]);
        }
        "voice" => {
            content["duration"] = 3.into();
            content["mime_type"] = "audio/ogg".into();
        }
        _ => {
            content["file_name"] = file.name.as_str().into();
            content["mime_type"] = mime_of(&file.name).into();
        }
    }
    Map::from_iter([(file.kind.clone(), content)])
}

fn mime_of(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "txt" | "md" | "log" => "text/plain",
        "json" => "application/json",
        "pdf" => "application/pdf",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        _ => "application/octet-stream",
    }
}
