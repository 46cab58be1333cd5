//! Tools that a service refuses by themselves, learned from its refusals and kept while the process
//! lives.
//!
//! A service that does not like the schema of one tool refuses the whole request, and names the tool
//! (`Invalid schema for function 'x'`) or its place (`tools[3].function.parameters`, `tools.3.custom`,
//! `function_declarations[3]`). It is asked again without that tool.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};

/// Words behind which the place of a tool stands. In Gemini's words all functions are in one tool, so
/// its inner list counts first.
const LISTS: [&str; 3] = ["function_declarations", "functions", "tools"];
/// Words by which a refusal that names a tool is about its definition. Without one of them it may be
/// about an earlier call in the conversation, which another request without the tool does not mend.
const DEFINITION: [&str; 7] = [
    "schema",
    "parameter",
    "declaration",
    "definition",
    "propert",
    "failed to load",
    "items",
];
/// Words before the name of a tool that stands without quotes.
const KINDS: [&str; 2] = ["function ", "tool "];
/// Quotes that names stand in.
const QUOTES: [(char, char); 4] = [('\'', '\''), ('"', '"'), ('`', '`'), ('‘', '’')];

/// The names of the tools that a service refused.
#[derive(Debug, Default)]
pub(crate) struct RefusedTools(Mutex<BTreeSet<String>>);

impl RefusedTools {
    /// Returns the names.
    pub(crate) fn names(&self) -> Vec<String> {
        self.known().iter().cloned().collect()
    }

    /// Takes the refused tools out of a request. Without any tool left it speaks of none.
    pub(crate) fn take_from(&self, body: &mut Map<String, Value>) {
        let known = self.known();
        if known.is_empty() {
            return;
        }
        let Some(Value::Array(tools)) = body.get_mut("tools") else {
            return;
        };
        tools.retain(|tool| name_of(tool).is_none_or(|name| !known.contains(name)));
        if tools.is_empty() {
            body.shift_remove("tools");
            body.shift_remove("tool_choice");
        }
    }

    /// Learns from the words of a refusal, and returns whether they are about one of the tools that
    /// were sent, so that asking again without it can help.
    pub(crate) fn learn(&self, sent: &Map<String, Value>, message: &str) -> bool {
        let tools = sent.get("tools").and_then(Value::as_array);
        let names: Vec<&str> = tools.into_iter().flatten().filter_map(name_of).collect();
        let Some(name) = meant(&names, message) else {
            return false;
        };
        let is_new = self.known().insert(name.to_owned());
        if is_new {
            tracing::warn!(
                tool = name,
                why = message,
                "model service rejects a tool definition; the tool is left out"
            );
        }
        is_new
    }

    fn known(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the name of a tool as OpenAI and Anthropic have it.
fn name_of(tool: &Value) -> Option<&str> {
    let name = tool.pointer("/function/name").or_else(|| tool.get("name"));
    name.and_then(Value::as_str)
}

/// Returns which of the tools a refusal is about: by its name, else by its place.
fn meant<'a>(names: &[&'a str], message: &str) -> Option<&'a str> {
    let is_named = |name: &&&str| {
        QUOTES
            .iter()
            .any(|(open, close)| message.contains(&format!("{open}{name}{close}")))
            || KINDS
                .iter()
                .any(|kind| has_word(message, &format!("{kind}{name}")))
    };
    let lower = message.to_lowercase();
    let is_about_definition = DEFINITION.iter().any(|word| lower.contains(word));
    let named = names.iter().filter(|_| is_about_definition);
    let by_name = named.filter(is_named).max_by_key(|name| name.len());
    by_name
        .or_else(|| {
            LISTS
                .iter()
                .find_map(|list| names.get(place_in(message, list)?))
        })
        .copied()
}

/// Returns whether a text has these words, with no further letter of a name behind them.
fn has_word(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let next = text[at + words.len()..].chars().next();
        next.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_' && letter != '-')
    })
}

/// Returns the number that stands behind the name of a list: `tools[3]`, `tools.3`, `tools/3`.
fn place_in(message: &str, list: &str) -> Option<usize> {
    message.match_indices(list).find_map(|(at, _)| {
        let after = message[at + list.len()..].strip_prefix(['[', '.', '/'])?;
        let end = after.find(|letter: char| !letter.is_ascii_digit());
        after[..end.unwrap_or(after.len())].parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::RefusedTools;

    fn sent() -> Map<String, Value> {
        let tool = |name: &str| json!({"type": "function", "function": {"name": name}});
        let tools = [tool("odd"), tool("odd__look"), json!({"name": "list"})];
        let body = json!({"tools": tools, "tool_choice": "auto"});
        body.as_object().unwrap().clone()
    }

    /// Returns which tools are left out after a refusal in these words.
    fn learned(message: &str) -> Vec<String> {
        let tools = RefusedTools::default();
        let is_new = tools.learn(&sent(), message);
        assert_eq!(is_new, !tools.names().is_empty(), "{message}");
        tools.names()
    }

    #[test]
    fn chat_f6_a_refusal_is_about_the_tool_that_it_names_or_counts() {
        for (message, expected) in [
            (
                "Invalid schema for function 'odd__look': array schema missing items.",
                "odd__look",
            ),
            ("Failed to load function odd: no items", "odd"),
            (
                "Invalid 'tools[1].function.parameters': not an object",
                "odd__look",
            ),
            (
                "tools.2.custom.input_schema.type: Input should be 'object'",
                "list",
            ),
            (
                "* GenerateContentRequest.tools[0].function_declarations[1].parameters: bad",
                "odd__look",
            ),
            ("body/tools/0/function/parameters must be an object", "odd"),
            ("tool `list` has a bad schema", "list"),
        ] {
            assert_eq!(learned(message), [expected], "{message}");
        }
    }

    #[test]
    fn chat_f6_every_other_refusal_is_about_no_tool() {
        for message in [
            "tools are not supported",
            "tools[9].function.name is bad",
            "the list of messages is odd",
            "function oddity failed to load",
            "messages.3: no result follows the call of tool 'odd'",
            "Invalid 'messages[2].tool_calls[0].function.name': 'odd' does not match",
            "model 'small' does not exist",
        ] {
            assert!(learned(message).is_empty(), "{message}");
        }
    }

    #[test]
    fn chat_f6_what_is_refused_is_taken_out_and_learned_once() {
        let tools = RefusedTools::default();
        let mut body = sent();
        assert!(tools.learn(&body, "bad schema of 'odd'"));
        assert!(!tools.learn(&body, "bad schema of 'odd'"));
        tools.take_from(&mut body);
        assert_eq!(body["tools"].as_array().map(Vec::len), Some(2));
        assert!(
            tools.learn(&body, "bad schema of 'odd__look'")
                && tools.learn(&body, "parameters of 'list'")
        );
        tools.take_from(&mut body);
        assert_eq!(body, Map::new());
    }
}
