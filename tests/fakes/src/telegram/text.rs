//! What the server accepts as text and entities, and the entities it finds in what people write.
//! Offsets and lengths are in UTF-16 code units everywhere.

use serde_json::{Value, json};

use super::links::check_links;
use super::refusal::Refusal;

/// Longest text of a message, in UTF-16 units.
pub(crate) const TEXT_LIMIT: usize = 4096;
/// Longest caption of a file, in UTF-16 units.
pub(crate) const CAPTION_LIMIT: usize = 1024;

/// The entity kinds that a bot may send.
const ENTITY_KINDS: &[&str] = &[
    "mention",
    "hashtag",
    "cashtag",
    "bot_command",
    "url",
    "email",
    "phone_number",
    "bold",
    "italic",
    "underline",
    "strikethrough",
    "spoiler",
    "blockquote",
    "expandable_blockquote",
    "code",
    "pre",
    "text_link",
    "text_mention",
    "custom_emoji",
    "date_time",
];

/// Text with its entities as the server keeps it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) entities: Vec<Value>,
}

/// Judges the text of a message that a bot sends.
pub(crate) fn accept_text(text: &str, entities: &[Value]) -> Result<Written, Refusal> {
    check_entities(text, entities)?;
    let written = trimmed(text, entities);
    if written.text.trim().is_empty() {
        return Err(Refusal::violation("message text is empty"));
    }
    if units(&written.text) > TEXT_LIMIT {
        return Err(Refusal::violation("message is too long"));
    }
    Ok(written)
}

/// Judges the caption of a file that a bot sends; it may be empty.
pub(crate) fn accept_caption(text: &str, entities: &[Value]) -> Result<Written, Refusal> {
    check_entities(text, entities)?;
    let written = trimmed(text, entities);
    if units(&written.text) > CAPTION_LIMIT {
        return Err(Refusal::violation("message caption is too long"));
    }
    Ok(written)
}

/// Returns the length in UTF-16 code units.
pub(crate) fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

fn check_entities(text: &str, entities: &[Value]) -> Result<(), Refusal> {
    let units: Vec<u16> = text.encode_utf16().collect();
    for entity in entities {
        check_entity(&units, entity)?;
    }
    check_links(entities)
}

fn check_entity(units: &[u16], entity: &Value) -> Result<(), Refusal> {
    let kind = entity["type"].as_str().unwrap_or_default();
    if !ENTITY_KINDS.contains(&kind) {
        return Err(Refusal::violation(format!(
            "can't parse MessageEntity: unsupported type {kind:?}"
        )));
    }
    let (Some(offset), Some(length)) = (unsigned(entity, "offset"), unsigned(entity, "length"))
    else {
        return Err(Refusal::violation(format!(
            "receive an entity with incorrect bounds: {entity}"
        )));
    };
    let end = offset + length;
    if length == 0 || end > units.len() {
        return Err(Refusal::violation(format!(
            "entity beginning at UTF-16 offset {offset} ends after the end of the text at UTF-16 offset {end}"
        )));
    }
    // A low surrogate at a bound means that the bound cuts a pair.
    if [offset, end]
        .iter()
        .any(|at| units.get(*at).is_some_and(|unit| is_low_surrogate(*unit)))
    {
        return Err(Refusal::violation(format!(
            "entity at UTF-16 offset {offset} begins or ends in a middle of a UTF-16 symbol"
        )));
    }
    let needed = match kind {
        "text_link" => Some("url"),
        "text_mention" => Some("user"),
        "custom_emoji" => Some("custom_emoji_id"),
        _ => None,
    };
    match needed {
        Some(field) if entity.get(field).is_none() => {
            Err(Refusal::violation(format!("entity {kind} has no {field}")))
        }
        _ => Ok(()),
    }
}

fn unsigned(entity: &Value, field: &str) -> Option<usize> {
    usize::try_from(entity[field].as_i64()?).ok()
}

const fn is_low_surrogate(unit: u16) -> bool {
    matches!(unit, 0xDC00..=0xDFFF)
}

/// The server drops the whitespace at the end, and with it what entities reach into it.
fn trimmed(text: &str, entities: &[Value]) -> Written {
    let kept = text.trim_end();
    let end = units(kept);
    let entities = entities
        .iter()
        .filter_map(|entity| clipped(entity, end))
        .collect();
    Written {
        text: kept.to_owned(),
        entities,
    }
}

fn clipped(entity: &Value, end: usize) -> Option<Value> {
    let (offset, length) = (unsigned(entity, "offset")?, unsigned(entity, "length")?);
    if offset >= end {
        return None;
    }
    let mut entity = entity.clone();
    entity["length"] = length.min(end - offset).into();
    Some(entity)
}

/// Finds the entities that a client marks by itself: commands, mentions and links.
pub(crate) fn found_in(text: &str) -> Vec<Value> {
    let mut entities = Vec::new();
    let mut offset = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        // "hey,@bot" is no mention: what is marked begins the word, behind an opening bracket at most.
        let marked = bare.trim_start_matches(['(', '"']);
        let start = offset + units(bare) - units(marked);
        if let Some((kind, length)) = marking(marked) {
            entities.push(json!({ "type": kind, "offset": start, "length": length }));
        }
        offset += units(word);
    }
    entities
}

/// Returns the kind of what the word begins with and its length; all of these but links are ASCII.
fn marking(word: &str) -> Option<(&'static str, usize)> {
    let name = |text: &str| {
        text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(text.len())
    };
    if let Some(rest) = word.strip_prefix('@') {
        let length = name(rest);
        return (length >= 3).then_some(("mention", 1 + length));
    }
    if let Some(rest) = word.strip_prefix('/') {
        let command = name(rest);
        let addressee = rest[command..]
            .strip_prefix('@')
            .map_or(0, |rest| 1 + name(rest));
        return (command > 0).then_some(("bot_command", 1 + command + addressee));
    }
    if word.starts_with("https://") || word.starts_with("http://") {
        return Some(("url", units(word.trim_end_matches([',', '.', ')', '"']))));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, usize, usize)]) {
        let found = found_in(text);
        let found: Vec<_> = found
            .iter()
            .map(|entity| {
                let bound = |name: &str| entity[name].as_u64().unwrap() as usize;
                (
                    entity["type"].as_str().unwrap(),
                    bound("offset"),
                    bound("length"),
                )
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn entities_of_people_are_counted_in_utf16() {
        check("hi", &[]);
        check("@sayso_bot hi", &[("mention", 0, 10)]);
        check("👍 @sayso_bot, hi", &[("mention", 3, 10)]);
        check("/new@sayso_bot now", &[("bot_command", 0, 14)]);
        check("中文 /help", &[("bot_command", 3, 5)]);
        check(
            "(@sayso_bot) see https://a.b/c.",
            &[("mention", 1, 10), ("url", 17, 13)],
        );
        check("a@sayso_bot or x/y / @", &[]);
    }
}
