//! What the bot may put into a message: text, files, embeds, components and whom it may alert.

use serde_json::Value;

use super::components;
use super::form::Form;
use super::posting::Draft;
use super::refusal::Refusal;
use super::rights::Right;
use super::room::{EPHEMERAL, SILENT};
use super::state::{Place, State};
use crate::message::{Attachment, Author};

/// Longest text of a bot's message, in characters.
const LONGEST_TEXT: usize = 2000;
/// Longest nonce, in characters.
const LONGEST_NONCE: usize = 25;
/// Most files in one message, and the largest in bytes on a server without boosts.
const MOST_FILES: usize = 10;
const LARGEST_FILE: usize = 10 * 1024 * 1024;
/// `flags`: links are not shown as embeds.
const NO_EMBEDS: i64 = 1 << 2;
/// `flags` that a bot may set on a message, and those only on an answer to an interaction.
const OWN_FLAGS: i64 = NO_EMBEDS | SILENT;

/// Judges the body of a new message and makes a draft of it; its files are kept.
pub(crate) fn accept(
    state: &mut State,
    place: Place,
    form: &Form,
    body: &Value,
) -> Result<Draft, Refusal> {
    let content = body["content"].as_str().unwrap_or_default();
    check_text(content)?;
    check_flags(body)?;
    check_allowed_mentions(&body["allowed_mentions"])?;
    let list = |name: &str| body[name].as_array().cloned().unwrap_or_default();
    let (rows, embeds) = (list("components"), list("embeds"));
    let buttons = components::accept(&rows)?;
    check_files(form, body)?;
    if content.trim().is_empty()
        && embeds.is_empty()
        && rows.is_empty()
        && form.uploads.is_empty()
        && list("sticker_ids").is_empty()
    {
        return Err(Refusal::empty_message());
    }
    let room = state.room(place.room);
    if !form.uploads.is_empty() && !room.allows(Right::Attach)
        || !embeds.is_empty() && !room.allows(Right::Embed)
    {
        return Err(Refusal::missing_permissions());
    }
    let attachments = keep_files(state, place, form);
    Ok(Draft {
        content: content.trim().to_owned(),
        file: attachments.first().map(seen_file),
        components: rows,
        buttons,
        attachments,
        embeds,
        flags: body["flags"].as_i64().unwrap_or_default(),
        nonce: body.get("nonce").filter(|nonce| !nonce.is_null()).cloned(),
        ..Draft::by(Author::Bot)
    })
}

pub(crate) fn check_text(content: &str) -> Result<(), Refusal> {
    if content.chars().count() > LONGEST_TEXT {
        return Err(Refusal::form("content", "Must be 2000 or fewer in length."));
    }
    Ok(())
}

fn check_flags(body: &Value) -> Result<(), Refusal> {
    let flags = body["flags"].as_i64().unwrap_or_default();
    if flags & !(OWN_FLAGS | EPHEMERAL) != 0 {
        return Err(Refusal::form("flags", "this flag cannot be set by a bot"));
    }
    Ok(())
}

/// A nonce makes a repeated message harmless only with `enforce_nonce`.
pub(crate) fn check_nonce(body: &Value) -> Result<(), Refusal> {
    let nonce = match &body["nonce"] {
        Value::Null => {
            return Err(Refusal::form(
                "nonce",
                "a message without a nonce doubles when its answer is lost",
            ));
        }
        Value::String(nonce) => nonce.clone(),
        other => other.to_string(),
    };
    if nonce.is_empty() || nonce.chars().count() > LONGEST_NONCE {
        return Err(Refusal::form(
            "nonce",
            "Must be between 1 and 25 in length.",
        ));
    }
    if body["enforce_nonce"] != true {
        return Err(Refusal::form(
            "enforce_nonce",
            "a nonce that is not enforced stops no double",
        ));
    }
    Ok(())
}

/// What is parsed from the text and what is listed exclude each other.
pub(crate) fn check_allowed_mentions(allowed: &Value) -> Result<(), Refusal> {
    let parse = allowed["parse"].as_array();
    for kind in ["users", "roles"] {
        let is_parsed = parse.is_some_and(|parse| parse.iter().any(|it| it == kind));
        let is_listed = allowed[kind]
            .as_array()
            .is_some_and(|list| !list.is_empty());
        if is_parsed && is_listed {
            return Err(Refusal::form(
                "allowed_mentions",
                format!("parse:[\"{kind}\"] and {kind}: [ids...] are mutually exclusive."),
            ));
        }
    }
    Ok(())
}

fn check_files(form: &Form, body: &Value) -> Result<(), Refusal> {
    if form.uploads.len() > MOST_FILES {
        return Err(Refusal::form(
            "attachments",
            "Must be 10 or fewer in length.",
        ));
    }
    if form
        .uploads
        .iter()
        .any(|upload| upload.bytes.len() > LARGEST_FILE)
    {
        return Err(Refusal::new(413, 40005, "Request entity too large"));
    }
    for listed in body["attachments"].as_array().into_iter().flatten() {
        let number = listed["id"]
            .as_str()
            .and_then(|id| id.parse().ok())
            .or_else(|| listed["id"].as_u64());
        let is_sent = form
            .uploads
            .iter()
            .any(|upload| Some(upload.number as u64) == number);
        if !is_sent {
            return Err(Refusal::form(
                "attachments",
                format!("there is no part files[{}]", listed["id"]),
            ));
        }
    }
    Ok(())
}

/// Keeps the uploaded files and returns them as the message carries them.
fn keep_files(state: &mut State, place: Place, form: &Form) -> Vec<Value> {
    let channel = place.thread.unwrap_or(place.room);
    let uploads = form.uploads.iter();
    uploads
        .map(|upload| state.keep_file(channel, &upload.name, upload.bytes.clone()))
        .collect()
}

/// The file of a message as people see it.
pub(crate) fn seen_file(wire: &Value) -> Attachment {
    let field = |name: &str| wire[name].as_str().unwrap_or_default().to_owned();
    let kind = field("content_type");
    let kind = if wire.get("waveform").is_some() {
        "voice"
    } else if kind.starts_with("image/") {
        "photo"
    } else {
        "document"
    };
    Attachment {
        file_id: field("url"),
        name: field("filename"),
        kind: kind.to_owned(),
        size: wire["size"].as_u64().unwrap_or_default() as usize,
    }
}
