//! Calls between the special tokens of model families, which some servers pass on as text: DeepSeek,
//! Kimi, Gemma 4, LFM2, gpt-oss (harmony), Granite and Phi. The forms are those of the models' chat
//! templates.

use sayso_core::transcript::{ToolCall, read_lenient};
use serde_json::{Map, Value};

use super::block::{Block, values, with_object};
use super::json;
use super::offered::Offered;

/// A call as a name and JSON behind it, each between tokens.
struct NameAndJson {
    /// Begins a list of calls; empty where there is none.
    list: (&'static str, &'static str),
    /// Begins a call.
    call: &'static str,
    /// Stands between the name and the arguments.
    between: &'static str,
    /// Ends a call. A server may keep it for itself.
    end: &'static str,
}

const NAMES_AND_JSON: [NameAndJson; 4] = [
    NameAndJson {
        list: ("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
        call: "<｜tool▁call▁begin｜>",
        between: "<｜tool▁sep｜>",
        end: "<｜tool▁call▁end｜>",
    },
    NameAndJson {
        list: ("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),
        call: "<|tool_call_begin|>",
        between: "<|tool_call_argument_begin|>",
        end: "<|tool_call_end|>",
    },
    NameAndJson {
        list: ("", ""),
        call: "<|start|>assistant<|channel|>commentary to=",
        between: "<|message|>",
        end: "<|call|>",
    },
    NameAndJson {
        list: ("", ""),
        call: "<|channel|>commentary to=",
        between: "<|message|>",
        end: "<|call|>",
    },
];

/// Begins and ends Gemma's call; within, `call:NAME{key:value}` with texts between [`GEMMA_QUOTE`].
const GEMMA: (&str, &str) = ("<|tool_call>", "<tool_call|>");
const GEMMA_QUOTE: &str = "<|\"|>";

/// Begins and ends LFM2's calls; within, a list of calls as Python has them.
const PYTHON: (&str, &str) = ("<|tool_call_start|>", "<|tool_call_end|>");

/// Begins and ends JSON of Granite and Phi.
const JSON: (&str, &str) = ("<|tool_call|>", "<|/tool_call|>");

/// Returns what begins such calls.
pub(super) fn openers() -> impl Iterator<Item = &'static str> {
    let lists = NAMES_AND_JSON.iter().map(|form| form.list.0);
    let calls = NAMES_AND_JSON.iter().map(|form| form.call);
    let others = [GEMMA.0, PYTHON.0, JSON.0];
    lists.chain(calls).chain(others).filter(|it| !it.is_empty())
}

/// Reads what a text begins with.
pub(super) fn block<'a>(text: &'a str, offered: Offered<'_>) -> Block<'a> {
    for form in &NAMES_AND_JSON {
        let is_list = !form.list.0.is_empty() && text.starts_with(form.list.0);
        if is_list || text.starts_with(form.call) {
            return form.read(text, offered);
        }
    }
    // Granite's mark begins as Gemma's does.
    if let Some(inside) = text.strip_prefix(JSON.0) {
        let (calls, behind) = values(inside, offered)?;
        return Some((calls, without_prefix(behind, JSON.1)));
    }
    if let Some(inside) = text.strip_prefix(GEMMA.0) {
        return gemma(inside, offered);
    }
    python(text.strip_prefix(PYTHON.0)?, offered)
}

fn without_prefix<'a>(text: &'a str, prefix: &str) -> &'a str {
    let words = text.trim_start();
    words.strip_prefix(prefix).unwrap_or(text)
}

impl NameAndJson {
    fn read<'a>(&self, text: &'a str, offered: Offered<'_>) -> Block<'a> {
        let mut rest = text.strip_prefix(self.list.0).unwrap_or(text).trim_start();
        let mut calls = Vec::new();
        while let Some(inside) = rest.strip_prefix(self.call) {
            let (call, behind) = self.call(inside, offered)?;
            calls.push(call);
            rest = without_prefix(behind, self.end).trim_start();
        }
        let behind = without_prefix(rest, self.list.1);
        (!calls.is_empty()).then_some((calls, behind))
    }

    /// Reads `NAME <between> {...}`. DeepSeek R1 has the kind `function` in the name's place, the name
    /// behind it, and the JSON in a block of code; harmony names the kind of the arguments behind the
    /// name.
    fn call<'a>(&self, inside: &'a str, offered: Offered<'_>) -> Option<(ToolCall, &'a str)> {
        let (head, body) = inside.split_once(self.between)?;
        let name = head.split_whitespace().next().unwrap_or_default();
        let (name, body) = match body.split_once("```json") {
            Some((line, fenced)) if name == "function" => (line.trim(), fenced),
            Some(_) | None => (name, body),
        };
        let (call, behind) = with_object(name, body.trim_start(), offered)?;
        Some((call, without_prefix(behind, "```")))
    }
}

fn gemma<'a>(inside: &'a str, offered: Offered<'_>) -> Block<'a> {
    let inside = inside.trim_start().strip_prefix("call:")?;
    let (name, body) = inside.split_once('{')?;
    let name = name.trim();
    let mut arguments = Map::new();
    let mut rest = body.trim_start();
    loop {
        if let Some(behind) = rest.strip_prefix('}') {
            let call = offered.call(name, Value::Object(arguments))?;
            return Some((vec![call], without_prefix(behind, GEMMA.1)));
        }
        let (key, behind) = rest.split_once(':')?;
        let key = key.trim().trim_matches('"');
        let (value, behind) = match behind.trim_start().strip_prefix(GEMMA_QUOTE) {
            Some(quoted) => {
                let (text, behind) = quoted.split_once(GEMMA_QUOTE)?;
                (Value::String(text.to_owned()), behind)
            }
            None => plain_value(behind.trim_start(), name, key, offered)?,
        };
        arguments.insert(key.to_owned(), value);
        rest = behind.trim_start().trim_start_matches(',').trim_start();
    }
}

/// Reads a number, a word, an object or a list, up to the next comma or the end.
fn plain_value<'a>(
    text: &'a str,
    name: &str,
    key: &str,
    offered: Offered<'_>,
) -> Option<(Value, &'a str)> {
    if text.starts_with(['{', '[']) {
        let length = json::length(text)?;
        let (written, behind) = text.split_at_checked(length)?;
        return Some((read_lenient(&written.replace(GEMMA_QUOTE, "\""))?, behind));
    }
    let end = text.find([',', '}', ')'])?;
    let (word, behind) = text.split_at_checked(end)?;
    Some((offered.argument(name, key, word.trim()), behind))
}

/// Reads `[name(key="value", other=3), …]`.
fn python<'a>(inside: &'a str, offered: Offered<'_>) -> Block<'a> {
    let mut rest = inside.trim_start();
    if rest.starts_with('{') || rest.starts_with("[{") {
        let (calls, behind) = values(rest, offered)?;
        return Some((calls, without_prefix(behind, PYTHON.1)));
    }
    rest = rest.strip_prefix('[').unwrap_or(rest);
    let mut calls = Vec::new();
    loop {
        rest = rest.trim_start();
        let Some((name, body)) = rest.split_once('(').filter(|(name, _)| is_name(name)) else {
            let behind = rest.strip_prefix(']').unwrap_or(rest);
            return (!calls.is_empty()).then_some((calls, without_prefix(behind, PYTHON.1)));
        };
        let (arguments, behind) = python_arguments(body, name, offered)?;
        calls.push(offered.call(name, Value::Object(arguments))?);
        rest = behind.trim_start().trim_start_matches(',');
    }
}

fn is_name(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || "_.-".contains(letter);
    !text.is_empty() && text.chars().all(is_letter)
}

fn python_arguments<'a>(
    body: &'a str,
    name: &str,
    offered: Offered<'_>,
) -> Option<(Map<String, Value>, &'a str)> {
    let mut arguments = Map::new();
    let mut rest = body.trim_start();
    loop {
        if let Some(behind) = rest.strip_prefix(')') {
            return Some((arguments, behind));
        }
        let (key, value) = rest.split_once('=')?;
        let (key, value) = (key.trim(), value.trim_start());
        let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''));
        let (value, behind) = match quote {
            Some(quote) => python_text(value.get(1..)?, quote)?,
            None => plain_value(value, name, key, offered)?,
        };
        arguments.insert(key.to_owned(), value);
        rest = behind.trim_start().trim_start_matches(',').trim_start();
    }
}

/// Reads a text up to its quote. Escaped are quotes, backslashes and ends of lines.
fn python_text(text: &str, quote: char) -> Option<(Value, &str)> {
    let mut read = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => match letters.next()?.1 {
                'n' => read.push('\n'),
                't' => read.push('\t'),
                other => read.push(other),
            },
            letter if letter == quote => {
                let behind = text.get(at + letter.len_utf8()..)?;
                return Some((Value::String(read), behind));
            }
            letter => read.push(letter),
        }
    }
    None
}
