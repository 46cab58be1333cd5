//! What a message says: its text, and the name of what we cannot show.
//!
//! Text is taken wherever Telegram puts it: text, caption, rich blocks, questions of polls, names
//! of contacts. Content of a kind that we do not know gives up its text as well.

use serde_json::{Map, Value};

use super::raw::{RawEntity, RawMessage};

/// Unsupported content, by its field, with its name for the user.
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

/// Fields beside the content whose words are not part of the message itself.
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
    if let Some(text) = checklist(&raw.other, None) {
        return Said {
            text,
            entities: &[],
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

/// Returns a checklist line by line, with what is done and which task is meant; `None` where there
/// is none.
pub(super) fn checklist(content: &Map<String, Value>, meant: Option<i64>) -> Option<String> {
    let list = content.get("checklist")?;
    let tasks = list.get("tasks")?.as_array()?;
    let text_of = |value: &Value| value.get("text").and_then(Value::as_str).map(str::to_owned);
    let title = list
        .get("title")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let lines = tasks.iter().map(|task| {
        let is_done = ["completion_date", "completed_by_user", "completed_by_chat"]
            .iter()
            .any(|field| task.get(*field).is_some_and(|value| *value != 0));
        let is_meant = meant.is_some() && task.get("id").and_then(Value::as_i64) == meant;
        format!(
            "{} {}{}",
            if is_done { "☑" } else { "☐" },
            text_of(task).unwrap_or_default(),
            if is_meant {
                " ← this task is meant"
            } else {
                ""
            },
        )
    });
    let lines: Vec<String> = std::iter::once(title.to_owned()).chain(lines).collect();
    Some(lines.join("\n").trim().to_owned())
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
