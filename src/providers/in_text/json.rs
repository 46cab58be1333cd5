//! Calls as JSON: where a value ends, how it is read, and which shapes are a call.

use sayso_core::transcript::{ToolCall, read_lenient};
use serde_json::{Map, Value};

use super::offered::Offered;
use crate::wire::arguments;

/// The fields that name the tool; `tool` is that of the seed, `function` holds an object in OpenAI's.
const NAMES: [&str; 4] = ["name", "tool", "tool_name", "function"];
/// The fields that hold the arguments.
const ARGUMENTS: [&str; 4] = ["arguments", "parameters", "input", "args"];
/// The fields that may stand beside them.
const BESIDE: [&str; 3] = ["id", "type", "index"];
/// The field that holds several calls.
const SEVERAL: &str = "tool_calls";

/// What says that a value is a call, beside its shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// Nothing: it must have arguments.
    None,
    /// A tag that means a call: a tool without arguments is called by its name alone.
    Tag,
}

/// Reads the calls that a text begins with, one behind the other, and how long they are. An object
/// that does not end is the last one.
pub(super) fn calls_at(
    text: &str,
    offered: Offered<'_>,
    sign: Sign,
) -> Option<(Vec<ToolCall>, usize)> {
    let mut calls = Vec::new();
    let mut rest = text;
    loop {
        let Some(length) = length(rest) else {
            calls.push(cut(rest, offered)?);
            return Some((calls, text.len()));
        };
        let (value, behind) = rest.split_at_checked(length)?;
        calls.extend(calls_of(&read_lenient(value)?, offered, sign)?);
        let next = behind.trim_start_matches(|it: char| it == ';' || it.is_whitespace());
        if !next.starts_with('{') {
            return Some((calls, text.len() - behind.len()));
        }
        rest = next;
    }
}

/// Returns how long the object or list is that a text begins with; `None` where it does not end.
pub(super) fn length(text: &str) -> Option<usize> {
    let mut quotes = Quotes::default();
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        if quotes.take(letter) {
            continue;
        }
        match letter {
            '{' | '[' => depth += 1,
            '}' | ']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns whether a value that may not be there as a whole yet can be a call, by the first name in
/// it.
pub(super) fn may_be_call(text: &str) -> bool {
    let inside = text.trim_start_matches(|it: char| matches!(it, '{' | '[') || it.is_whitespace());
    if inside.is_empty() {
        return true;
    }
    let Some(name) = inside.strip_prefix('"') else {
        return false;
    };
    let mut names = NAMES.iter().chain(&ARGUMENTS).chain(&BESIDE);
    match name.split_once('"') {
        Some((name, _)) => name == SEVERAL || names.any(|it| *it == name),
        None => SEVERAL.starts_with(name) || names.any(|it| it.starts_with(name)),
    }
}

/// Returns arguments as they are in the protocol's own field.
pub(super) fn arguments_of(value: &Value) -> Value {
    match value {
        Value::String(text) => arguments::read(text),
        other => arguments::read(&other.to_string()),
    }
}

fn calls_of(value: &Value, offered: Offered<'_>, sign: Sign) -> Option<Vec<ToolCall>> {
    let items = match value {
        Value::Array(items) => items,
        Value::Object(fields) if fields.len() == 1 && fields.contains_key(SEVERAL) => {
            fields.get(SEVERAL)?.as_array()?
        }
        _ => return Some(vec![call_of(value.as_object()?, offered, sign)?]),
    };
    if items.is_empty() {
        return None;
    }
    let calls = items
        .iter()
        .map(|item| call_of(item.as_object()?, offered, sign));
    calls.collect()
}

fn call_of(fields: &Map<String, Value>, offered: Offered<'_>, sign: Sign) -> Option<ToolCall> {
    let mut name = None;
    let mut arguments = None;
    for (key, value) in fields {
        let place = match key.as_str() {
            "function" if value.is_object() => {
                let is_alone = fields
                    .keys()
                    .all(|it| it == key || BESIDE.contains(&it.as_str()));
                return is_alone.then(|| call_of(value.as_object()?, offered, sign))?;
            }
            key if NAMES.contains(&key) => &mut name,
            key if ARGUMENTS.contains(&key) => &mut arguments,
            key if BESIDE.contains(&key) => continue,
            _ => return None,
        };
        if place.replace(value).is_some() {
            return None;
        }
    }
    let arguments = match arguments {
        Some(arguments) => arguments_of(arguments),
        None if sign == Sign::Tag => Value::Object(Map::new()),
        None => return None,
    };
    offered.call(name?.as_str()?, arguments)
}

/// Reads a call that does not end, once its name is known and its arguments have begun. They are
/// what there is of them, as a text.
fn cut(text: &str, offered: Offered<'_>) -> Option<ToolCall> {
    let mut rest = text.trim_start().strip_prefix('{')?;
    let mut name: Option<String> = None;
    loop {
        rest = rest.trim_start_matches(|it: char| it == ',' || it.is_whitespace());
        let (key, behind) = string_at(rest)?;
        let value = behind.trim_start().strip_prefix(':')?.trim_start();
        if ARGUMENTS.contains(&key.as_str()) {
            return offered.call(&name?, Value::String(value.to_owned()));
        }
        if let Some(inner) = value.strip_prefix('{').filter(|_| key == "function") {
            rest = inner;
            continue;
        }
        let (word, behind) = string_at(value)?;
        if NAMES.contains(&key.as_str()) {
            name = Some(word);
        }
        rest = behind;
    }
}

/// Reads the string that a text begins with, and returns what is behind it.
fn string_at(text: &str) -> Option<(String, &str)> {
    let mut quotes = Quotes::default();
    let mut letters = text.char_indices();
    let (_, first) = letters.next()?;
    if first != '"' {
        return None;
    }
    quotes.take(first);
    let (end, _) = letters.find(|(_, letter)| !quotes.take_inside(*letter))?;
    let (string, behind) = text.split_at_checked(end + 1)?;
    Some((serde_json::from_str(string).ok()?, behind))
}

/// Whether a character stands inside of a string.
#[derive(Debug, Default)]
struct Quotes {
    is_open: bool,
    is_escaped: bool,
}

impl Quotes {
    /// Takes the next character and returns whether it belongs to a string, its quotes included.
    fn take(&mut self, letter: char) -> bool {
        if !self.is_open {
            self.is_open = letter == '"';
            return self.is_open;
        }
        self.take_inside(letter);
        true
    }

    /// Takes a character of a string and returns whether the string goes on behind it.
    fn take_inside(&mut self, letter: char) -> bool {
        match letter {
            _ if self.is_escaped => self.is_escaped = false,
            '\\' => self.is_escaped = true,
            '"' => self.is_open = false,
            _ => {}
        }
        self.is_open
    }
}
