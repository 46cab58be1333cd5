//! A request to the model, and what tests ask about it.

use std::time::Instant;

use axum::http::HeaderMap;
use serde_json::Value;

use super::llama;
use super::messages::as_chat;

/// How notes of the system begin, which go by the role of the user: what holds for the turn, and
/// what was recalled for a step.
const NOTES: [&str; 4] = [
    "[Context] ",
    "[本轮背景] ",
    "[Related memories]",
    "[相关记忆]",
];

/// Returns whether a text of the user's role is a note that the system wrote.
pub fn is_system_note(text: &str) -> bool {
    NOTES.iter().any(|heading| text.starts_with(heading))
}

/// At or below this temperature, and without tools, a request is a routing call.
const ROUTING_TEMPERATURE: f64 = 0.11;

/// One request as it came.
#[derive(Clone, Debug)]
pub struct ModelRequest {
    /// The body, as a chat completion.
    pub body: Value,
    /// When it came.
    pub at: Instant,
    said: Vec<Value>,
    headers: HeaderMap,
    body_bytes: usize,
    messages_body: Option<Value>,
    completion_body: Option<Value>,
}

impl ModelRequest {
    pub(crate) fn new(headers: HeaderMap, body: Value, body_bytes: usize) -> Self {
        let is_note = |message: &&Value| {
            let text = text_of(message);
            is_turn_note(&text) && without_note(&text).is_empty()
        };
        let sent = sent(&body).iter();
        Self {
            said: sent.filter(|message| !is_note(message)).cloned().collect(),
            body,
            at: Instant::now(),
            headers,
            body_bytes,
            messages_body: None,
            completion_body: None,
        }
    }

    /// A request in Anthropic's wire format, whose `body` is converted to the chat format.
    pub(crate) fn of_messages(headers: HeaderMap, body: Value, body_bytes: usize) -> Self {
        let chat = as_chat(&body);
        Self {
            messages_body: Some(body),
            ..Self::new(headers, chat, body_bytes)
        }
    }

    /// A request in llama.cpp's wire format, whose `body` is converted to the chat format.
    pub(crate) fn of_completion(headers: HeaderMap, body: Value, body_bytes: usize) -> Self {
        let chat = llama::as_chat(&body);
        Self {
            completion_body: Some(body),
            ..Self::new(headers, chat, body_bytes)
        }
    }

    /// Returns the body as it came on llama.cpp's wire, where it came on that.
    pub fn completion_body(&self) -> Option<&Value> {
        self.completion_body.as_ref()
    }

    /// Returns a field of the body as it came, on whichever wire.
    pub fn asked(&self, field: &str) -> &Value {
        let body = self
            .completion_body
            .as_ref()
            .or(self.messages_body.as_ref());
        &body.unwrap_or(&self.body)[field]
    }

    /// Returns the body as it came on Anthropic's wire.
    ///
    /// # Panics
    ///
    /// When the request came on the other wire.
    pub fn messages_body(&self) -> &Value {
        self.messages_body
            .as_ref()
            .expect("a request of Anthropic's wire")
    }

    /// Returns the key that it came with, on either wire.
    pub fn key(&self) -> &str {
        let given = |name: &str| self.headers.get(name).and_then(|value| value.to_str().ok());
        let bearer = given("authorization").and_then(|value| value.strip_prefix("Bearer "));
        bearer.or_else(|| given("x-api-key")).unwrap_or_default()
    }

    /// Tells whether it came on Anthropic's wire.
    pub fn is_of_messages(&self) -> bool {
        self.messages_body.is_some()
    }

    pub(crate) fn is_asked_to_think(&self) -> bool {
        let thinking = self
            .messages_body
            .as_ref()
            .map(|body| &body["thinking"]["type"]);
        thinking.is_some_and(|kind| kind == "enabled" || kind == "adaptive")
    }

    /// Returns the messages as sent, but for the note of the turn ([`Self::told`]).
    pub fn messages(&self) -> &[Value] {
        &self.said
    }

    /// Returns the system texts, joined by an empty line.
    pub fn system(&self) -> String {
        let texts: Vec<_> = self
            .messages()
            .iter()
            .filter(|message| message["role"] == "system" || message["role"] == "developer")
            .map(text_of)
            .collect();
        texts.join("\n\n")
    }

    /// Returns what the prompt says about the turn: the system texts, and the note after the
    /// history.
    pub fn told(&self) -> String {
        let users = sent(&self.body).iter().filter(|it| it["role"] == "user");
        let notes = users.map(text_of).filter_map(|text| {
            let note = text.len() - without_note(&text).len();
            (note > 0).then(|| text[..note].trim_end().to_owned())
        });
        let system = std::iter::once(self.system());
        system.chain(notes).collect::<Vec<_>>().join("\n\n")
    }

    /// Returns the text of the last user message, empty where there is none. Notes of the system go
    /// by the same role, and no model takes them for a request.
    pub fn last_user(&self) -> String {
        let newest_first = self.messages().iter().rev();
        newest_first
            .filter(|message| message["role"] == "user")
            .map(|message| without_note(&text_of(message)).to_owned())
            .find(|text| !text.is_empty() && !is_system_note(text))
            .unwrap_or_default()
    }

    /// Returns the results of tools, each with the id of its call, in order.
    pub fn tool_results(&self) -> Vec<(String, String)> {
        self.messages()
            .iter()
            .filter(|message| message["role"] == "tool")
            .map(|message| {
                (
                    message["tool_call_id"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned(),
                    text_of(message),
                )
            })
            .collect()
    }

    /// Returns the last result of a tool as a model understands it, without the delimiters of text
    /// from outside; empty where there is none.
    pub fn last_tool_result(&self) -> String {
        self.tool_results()
            .pop()
            .map(|(_, text)| without_delimiters(&text))
            .unwrap_or_default()
    }

    /// Returns the names of the tools that are offered.
    pub fn tools(&self) -> Vec<String> {
        let tools = self.body["tools"].as_array().map_or(&[][..], Vec::as_slice);
        tools
            .iter()
            .filter_map(|tool| tool["function"]["name"].as_str())
            .map(str::to_owned)
            .collect()
    }

    /// Returns the name of the model that is asked for.
    pub fn model(&self) -> &str {
        self.body["model"].as_str().unwrap_or_default()
    }

    /// Returns the temperature, where one is given.
    pub fn temperature(&self) -> Option<f64> {
        self.body["temperature"].as_f64()
    }

    /// Tells whether the answer is to be streamed.
    pub fn is_streamed(&self) -> bool {
        self.body["stream"] == true
    }

    /// Tells whether this is a routing call: no tools, and a temperature of almost nothing.
    pub fn is_routing(&self) -> bool {
        self.tools().is_empty()
            && self
                .temperature()
                .is_some_and(|temperature| temperature <= ROUTING_TEMPERATURE)
    }

    /// Tells whether this is a request for a plan.
    pub fn is_planning(&self) -> bool {
        self.system().starts_with("[planning]") || self.system().starts_with("[规划]")
    }

    /// Tells whether this is a request to sum up older turns.
    pub fn is_summing_up(&self) -> bool {
        self.system().starts_with("[sum up]") || self.system().starts_with("[概括]")
    }

    /// Returns a header, where it is there and text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the length of the body.
    pub fn body_bytes(&self) -> usize {
        self.body_bytes
    }

    /// Tells whether the text stands anywhere in the messages.
    pub fn mentions(&self, text: &str) -> bool {
        sent(&self.body)
            .iter()
            .any(|message| text_of(message).contains(text))
    }
}

fn sent(body: &Value) -> &[Value] {
    body["messages"].as_array().map_or(&[], Vec::as_slice)
}

fn is_turn_note(text: &str) -> bool {
    NOTES[..2].iter().any(|heading| text.starts_with(heading))
}

/// Leaves out the note of the turn, which ends with the section of the time. What is said stands
/// behind it in the same message where a template wants user and assistant to alternate.
fn without_note(text: &str) -> &str {
    if !is_turn_note(text) {
        return text;
    }
    let time = ["\n\nTime: ", "\n\n时间："];
    let at = time.iter().filter_map(|time| text.rfind(time)).max();
    let behind = at.and_then(|at| text[at + 2..].split_once("\n\n"));
    let said = behind.map_or("", |(_, said)| said);
    let is_routine = ["[Routine rules]", "[Routine 执行规范]"]
        .iter()
        .any(|rules| said.starts_with(rules));
    match said.split_once("\n\n") {
        _ if !is_routine => said,
        Some((_, said)) => said,
        None => "",
    }
}

/// Leaves out the line that opens a block of text from outside, and the one that closes it.
fn without_delimiters(text: &str) -> String {
    let mark = text
        .lines()
        .find_map(|line| line.strip_prefix("[outside ")?.split(':').next());
    let Some(mark) = mark else {
        return text.to_owned();
    };
    let (opens, closes) = (format!("[outside {mark}:"), format!("[/outside {mark}]"));
    let lines = text
        .lines()
        .filter(|line| !line.starts_with(&opens) && *line != closes);
    lines.collect::<Vec<_>>().join("\n")
}

/// The text of a message, whether it is a string or a list of parts.
fn text_of(message: &Value) -> String {
    match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<_> = parts
                .iter()
                .filter_map(|part| part["text"].as_str())
                .collect();
            texts.join("\n")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}
