//! Calls between tags, as the templates of open models have them: `<tool_call>` of Hermes and Qwen,
//! with `<arg_key>` of GLM, `<function=...>` of Qwen3-Coder, Llama and Seed, `<invoke name="...">` of
//! MiniMax and DeepSeek V3.2, `[TOOL_CALLS]` of Mistral and `<|python_tag|>` of Llama. Those between
//! special tokens are read by [`super::tokens`].

use sayso_core::transcript::ToolCall;
use serde_json::{Map, Value};

use super::block::{Block, values, with_object};
use super::offered::Offered;
use super::tokens;
use crate::visible_text;

/// Tags around calls, with what ends them. A server may keep the end for itself.
const AROUND: [(&str, &str); 7] = [
    ("<tool_call>", "</tool_call>"),
    ("<tool_calls>", "</tool_calls>"),
    ("<function_call>", "</function_call>"),
    ("<function_calls>", "</function_calls>"),
    ("<minimax:tool_call>", "</minimax:tool_call>"),
    ("<seed:tool_call>", "</seed:tool_call>"),
    ("<｜DSML｜function_calls>", "</｜DSML｜function_calls>"),
];

/// Around the name and the value of an argument of GLM's.
const GLM_KEY: (&str, &str) = ("<arg_key>", "</arg_key>");
const GLM_VALUE: (&str, &str) = ("<arg_value>", "</arg_value>");

/// Begins Mistral's calls.
const MISTRAL: &str = "[TOOL_CALLS]";
/// Between the name and the arguments in its newer form.
const MISTRAL_ARGUMENTS: &str = "[ARGS]";
/// Begins Llama's.
const LLAMA: &str = "<|python_tag|>";

/// A call whose name and arguments are tags.
struct Form {
    call: (&'static str, &'static str),
    argument: (&'static str, &'static str),
    argument_end: &'static str,
    end: &'static str,
}

const FORMS: [Form; 3] = [
    Form {
        call: ("<function=", ">"),
        argument: ("<parameter=", ">"),
        argument_end: "</parameter>",
        end: "</function>",
    },
    Form {
        call: ("<invoke name=\"", "\">"),
        argument: ("<parameter name=\"", "\">"),
        argument_end: "</parameter>",
        end: "</invoke>",
    },
    Form {
        call: ("<｜DSML｜invoke name=\"", "\">"),
        // The name is followed by whether the value is a text, which the schema says as well.
        argument: ("<｜DSML｜parameter name=\"", ">"),
        argument_end: "</｜DSML｜parameter>",
        end: "</｜DSML｜invoke>",
    },
];

/// Returns whether a text begins with a tag of a call.
pub(super) fn begins(text: &str) -> bool {
    openers().any(|opener| text.starts_with(opener))
}

/// Returns whether a text is the beginning of such a tag.
pub(super) fn may_begin(text: &str) -> bool {
    openers().any(|opener| opener.starts_with(text))
}

/// Returns a text without the marks by which a model ends its answer.
pub(super) fn without_end(text: &str) -> &str {
    visible_text::without_ends(text.trim()).trim_end()
}

/// Reads the calls that a text begins with, and how long they are.
pub(super) fn calls_at(text: &str, offered: Offered<'_>) -> Option<(Vec<ToolCall>, usize)> {
    let mut calls = Vec::new();
    let mut rest = text;
    loop {
        let (more, behind) = block(rest, offered)?;
        calls.extend(more);
        let next = behind.trim_start();
        if !begins(next) {
            let is_some = !calls.is_empty();
            return is_some.then_some((calls, text.len() - behind.len()));
        }
        rest = next;
    }
}

fn openers() -> impl Iterator<Item = &'static str> {
    let around = AROUND.iter().map(|(opener, _)| *opener);
    let forms = FORMS.iter().map(|form| form.call.0);
    around
        .chain(forms)
        .chain([MISTRAL, LLAMA])
        .chain(tokens::openers())
}

fn block<'a>(text: &'a str, offered: Offered<'_>) -> Block<'a> {
    for (opener, end) in AROUND {
        if let Some(inside) = text.strip_prefix(opener) {
            return around(inside, end, offered);
        }
    }
    for form in &FORMS {
        if let Some(inside) = text.strip_prefix(form.call.0) {
            let (call, behind) = form.read(inside, offered)?;
            return Some((vec![call], behind));
        }
    }
    if let Some(inside) = text.strip_prefix(MISTRAL) {
        return mistral(inside.trim_start(), offered);
    }
    if let Some(inside) = text.strip_prefix(LLAMA) {
        return values(inside, offered);
    }
    tokens::block(text, offered)
}

fn around<'a>(inside: &'a str, end: &str, offered: Offered<'_>) -> Block<'a> {
    let mut calls = Vec::new();
    let mut rest = inside.trim_start();
    loop {
        if let Some(behind) = rest.strip_prefix(end) {
            return Some((calls, behind));
        }
        if without_end(rest).is_empty() {
            return Some((calls, ""));
        }
        let item = if rest.starts_with(['{', '[']) && !rest.starts_with(MISTRAL) {
            values(rest, offered)
        } else if begins(rest) {
            block(rest, offered)
        } else {
            glm(rest, end, offered)
        };
        let (more, behind) = item?;
        calls.extend(more);
        rest = behind.trim_start();
    }
}

/// Reads a name with arguments between tags.
fn glm<'a>(text: &'a str, end: &str, offered: Offered<'_>) -> Block<'a> {
    let name_end = text.find(['\n', '<']).unwrap_or(text.len());
    let (name, body) = text.split_at_checked(name_end)?;
    let mut arguments = Map::new();
    let mut rest = body.trim_start();
    while let Some(inside) = rest.strip_prefix(GLM_KEY.0) {
        let (key, behind) = inside.split_once(GLM_KEY.1)?;
        let inside = behind.trim_start().strip_prefix(GLM_VALUE.0)?;
        let (value, behind) = inside.split_once(GLM_VALUE.1)?;
        let value = offered.argument(name.trim(), key.trim(), value);
        arguments.insert(key.trim().to_owned(), value);
        rest = behind.trim_start();
    }
    let is_end = rest.starts_with(end) || without_end(rest).is_empty();
    let call = offered.call(name, Value::Object(arguments))?;
    is_end.then(|| (vec![call], rest))
}

/// A list of calls, or a name and its arguments.
fn mistral<'a>(inside: &'a str, offered: Offered<'_>) -> Block<'a> {
    if inside.starts_with(['[', '{']) {
        return values(inside, offered);
    }
    let name_end = inside.find(['[', '{'])?;
    let (name, behind) = inside.split_at_checked(name_end)?;
    let text = behind.strip_prefix(MISTRAL_ARGUMENTS).unwrap_or(behind);
    let (call, behind) = with_object(name.trim(), text.trim_start(), offered)?;
    Some((vec![call], behind))
}

impl Form {
    /// Reads a call behind the beginning of its tag.
    fn read<'a>(&self, inside: &'a str, offered: Offered<'_>) -> Option<(ToolCall, &'a str)> {
        let (name, body) = inside.split_once(self.call.1)?;
        let name = name.trim();
        if body.trim_start().starts_with('{') {
            let (call, behind) = with_object(name, body.trim_start(), offered)?;
            let behind = behind.trim_start();
            return Some((call, behind.strip_prefix(self.end).unwrap_or(behind)));
        }
        let mut arguments = Map::new();
        let mut rest = body.trim_start();
        loop {
            if let Some(behind) = rest.strip_prefix(self.end) {
                return Some((offered.call(name, Value::Object(arguments))?, behind));
            }
            let Some((key, value, behind)) = self.argument(rest) else {
                // What there is of a call that was cut off is no object.
                let written = Value::String(body.trim().to_owned());
                let is_cut = rest.starts_with(self.argument.0)
                    || self.argument.0.starts_with(rest)
                    || self.end.starts_with(rest);
                return is_cut.then(|| Some((offered.call(name, written)?, "")))?;
            };
            let value = offered.argument(name, key, value);
            arguments.insert(key.to_owned(), value);
            rest = behind.trim_start();
        }
    }

    /// Reads one argument: its name, its value and what is behind it. A value may hold the end of an
    /// argument; it ends where another one or the end of the call follows.
    fn argument<'a>(&self, text: &'a str) -> Option<(&'a str, &'a str, &'a str)> {
        let inside = text.strip_prefix(self.argument.0)?;
        let (key, inside) = inside.split_once(self.argument.1)?;
        let mut ends = inside.match_indices(self.argument_end);
        let (value, behind) = ends.find_map(|(at, end)| {
            let behind = inside.get(at + end.len()..)?;
            let next = behind.trim_start();
            let is_end = next.starts_with(self.argument.0) || next.starts_with(self.end);
            is_end.then_some((inside.get(..at)?, behind))
        })?;
        let begun = value.strip_prefix('\n').unwrap_or(value);
        let value = begun.strip_suffix('\n').unwrap_or(begun);
        // `name" string="true`
        let key = key.split('"').next().unwrap_or_default();
        Some((key.trim(), value, behind))
    }
}
