//! What a message says: its text, and the name of what we cannot show.
//!
//! Text is taken wherever Telegram puts it: text, caption, rich blocks, questions of polls, names
//! of contacts. Content of a kind that we do not know gives up its text as well.

use serde_json::{Map, Value};

use super::raw::{RawEntity, RawMessage};

/// Content that is no file of ours, by its field, as the user is told of it.
///
/// A venue also has the field `location`, a game is listed before its animation: first one wins.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("sticker", "a sticker"),
    ("poll", "a poll"),
    ("venue", "a place"),
    ("location", "a location"),
    ("contact", "a contact"),
    ("dice", "a dice"),
    ("story", "a story"),
    ("game", "a game"),
    ("checklist", "a checklist"),
    ("invoice", "an invoice"),
    ("paid_media", "paid media"),
    ("giveaway", "a giveaway"),
    ("giveaway_winners", "a giveaway"),
    ("web_app_data", "data of a web app"),
];

/// Content that is nothing but text in a structure: nothing of it is lost.
const RICH: &str = "rich_message";

/// What a content of an unknown kind is called.
const UNKNOWN: &str = "a message of an unknown kind";

/// Fields beside the content that hold words nobody says with this message.
const ENVELOPE: &[&str] = &[
    "author_signature",
    "forward_origin",
    "link_preview_options",
    "reply_markup",
    "reply_to_story",
    "sender_tag",
    "suggested_post_info",
];

/// The words of a message.
pub(super) struct Said<'a> {
    pub(super) text: String,
    /// The entities of the text; none for text that was gathered from a structure.
    pub(super) entities: &'a [RawEntity],
    pub(super) unsupported: Option<&'static str>,
}

/// Reads what a message says; `has_files` when something of it is kept as an attachment.
pub(super) fn said(raw: &RawMessage, has_files: bool) -> Said<'_> {
    let unsupported = unsupported(&raw.other);
    if let Some(text) = &raw.text {
        return Said {
            text: text.clone(),
            entities: &raw.entities,
            unsupported,
        };
    }
    if let Some(caption) = &raw.caption {
        return Said {
            text: caption.clone(),
            entities: &raw.caption_entities,
            unsupported,
        };
    }
    let is_known = has_files || unsupported.is_some() || raw.other.contains_key(RICH);
    Said {
        text: text_of(&raw.other),
        entities: &[],
        unsupported: unsupported.or((!is_known).then_some(UNKNOWN)),
    }
}

/// Returns the name of the content that we cannot show, if a message has one.
pub(super) fn unsupported(content: &Map<String, Value>) -> Option<&'static str> {
    UNSUPPORTED
        .iter()
        .find(|(field, _)| content.contains_key(*field))
        .map(|(_, name)| *name)
}

/// Gathers the text of content that is neither text nor caption.
pub(super) fn text_of(content: &Map<String, Value>) -> String {
    let mut text = String::new();
    for (field, value) in content {
        if !ENVELOPE.contains(&field.as_str()) {
            gather(value, &mut text);
        }
    }
    text.trim().to_owned()
}

/// Fields whose words belong to the line that is being read.
const WORDS: &[&str] = &[
    "text",
    "emoji",
    "value",
    "title",
    "address",
    "question",
    "description",
    "first_name",
    "last_name",
    "phone_number",
    "latitude",
    "longitude",
    "summary",
    "expression",
    "alternative_text",
    "label",
    "data",
];

/// Fields whose elements are lines of their own.
const LINES: &[&str] = &[
    "blocks", "items", "cells", "options", "tasks", "caption", "credit", "location",
];

fn gather(value: &Value, text: &mut String) {
    let Value::Object(fields) = value else {
        return;
    };
    for (field, value) in fields {
        let field = field.as_str();
        if WORDS.contains(&field) {
            words(value, text);
        } else if LINES.contains(&field) {
            lines(value, text);
        }
    }
}

fn lines(value: &Value, text: &mut String) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| lines(element, text)),
        Value::Object(_) => {
            start_line(text);
            gather(value, text);
        }
        _ => {
            start_line(text);
            words(value, text);
        }
    }
}

/// Appends words; rich text is a string, an object with `text`, or an array of both.
fn words(value: &Value, text: &mut String) {
    match value {
        Value::String(part) => append(part, text),
        Value::Number(number) => append(&number.to_string(), text),
        Value::Array(parts) => rich(parts, text),
        Value::Object(_) => gather(value, text),
        Value::Null | Value::Bool(_) => {}
    }
}

/// Appends the pieces of a rich text exactly as they follow each other.
fn rich(parts: &[Value], text: &mut String) {
    for part in parts {
        match part {
            Value::String(piece) => text.push_str(piece),
            Value::Array(pieces) => rich(pieces, text),
            Value::Object(fields) => {
                let piece = ["text", "expression", "alternative_text"]
                    .iter()
                    .find_map(|field| fields.get(*field));
                if let Some(piece) = piece {
                    rich(std::slice::from_ref(piece), text);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

fn append(part: &str, text: &mut String) {
    if !text.is_empty() && !text.ends_with(char::is_whitespace) {
        text.push(' ');
    }
    text.push_str(part);
}

fn start_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}
