//! A question in the words of the chat completions API.
//!
//! Protocol: the API reference of `POST /chat/completions`; `reasoning_content` is DeepSeek's
//! extension, which several servers share.

use serde_json::{Map, Value, json};

use super::{OpenAiConfig, Quirks};
use crate::providers::ChatRequest;
use crate::providers::wire::arguments;
use crate::transcript::{AssistantMessage, ConversationMessage, ThoughtKind, ToolCall, ToolSpec};

/// Between the result of a tool and what the user said behind it, where both are one message.
const MEANWHILE: &str = "\n\n[user] ";

/// Returns the body of a request.
pub(super) fn body(config: &OpenAiConfig, request: &ChatRequest<'_>) -> Map<String, Value> {
    let quirks = &config.quirks;
    let mut body = Map::new();
    body.insert("model".into(), config.model.as_str().into());
    body.insert("messages".into(), messages(request, quirks));
    if !request.tools.is_empty() {
        body.insert("tools".into(), request.tools.iter().map(function).collect());
    }
    let temperature = request.temperature.unwrap_or(config.temperature);
    body.insert("temperature".into(), temperature.min(quirks.hottest).into());
    body.insert(quirks.limit.into(), config.max_tokens.into());
    body.insert("stream".into(), request.stream.into());
    if request.stream {
        body.insert("stream_options".into(), json!({"include_usage": true}));
    }
    let in_one_piece = quirks.in_one_piece.iter().filter(|_| !request.stream);
    for (field, value) in quirks.always.iter().chain(in_one_piece) {
        body.insert((*field).into(), (*value).into());
    }
    body
}

/// Returns the cheapest question there is, for a server that lists no models.
pub(super) fn smallest_body(config: &OpenAiConfig) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".into(), config.model.as_str().into());
    body.insert(
        "messages".into(),
        json!([{"role": "user", "content": "ping"}]),
    );
    body.insert("max_tokens".into(), 1.into());
    body
}

fn messages(request: &ChatRequest<'_>, quirks: &Quirks) -> Value {
    let system =
        (!request.system.is_empty()).then(|| json!({"role": "system", "content": request.system}));
    let said = request.messages.iter().map(|it| message(it, quirks));
    let messages: Vec<Value> = system.into_iter().chain(said).collect();
    if quirks.strict_roles {
        return Value::Array(alternating(messages));
    }
    Value::Array(messages)
}

fn message(message: &ConversationMessage, quirks: &Quirks) -> Value {
    match message {
        ConversationMessage::User { text } => json!({"role": "user", "content": text}),
        ConversationMessage::Assistant(assistant) => assistant_message(assistant, quirks),
        ConversationMessage::ToolResult { call, .. } => json!({
            "role": "tool",
            "tool_call_id": call.0,
            "content": message.result_text(),
        }),
    }
}

/// Beside tool calls an empty text is `null`, or empty where that is refused; alone it must be a
/// string, which may be empty.
fn assistant_message(assistant: &AssistantMessage, quirks: &Quirks) -> Value {
    let has_calls = !assistant.calls.is_empty();
    let content = if assistant.text.is_empty() && has_calls && quirks.null_beside_calls {
        Value::Null
    } else {
        assistant.text.as_str().into()
    };
    let mut wire = json!({"role": "assistant", "content": content});
    let due = quirks.reasoning_is_due.filter(|_| has_calls);
    let reasoning = assistant.reasoning_content.as_deref().or(due);
    if let (Some(field), Some(reasoning)) = (quirks.reasoning, reasoning) {
        wire[field] = reasoning.into();
    }
    if has_calls {
        let calls = assistant.calls.iter().enumerate();
        wire["tool_calls"] = calls
            .map(|(place, it)| call(it, attached(assistant, place, quirks)))
            .collect();
    }
    wire
}

/// Returns what came with a call, where it is wanted back.
fn attached<'a>(message: &'a AssistantMessage, place: usize, quirks: &Quirks) -> Option<&'a Value> {
    let thoughts = message.thoughts.iter().filter(|_| quirks.signs_calls);
    let mut attached = thoughts.filter_map(|thought| match &thought.kind {
        ThoughtKind::Attached { data } if thought.behind_calls == place => Some(data),
        ThoughtKind::Attached { .. }
        | ThoughtKind::Signed { .. }
        | ThoughtKind::Redacted { .. } => None,
    });
    attached.next()
}

fn call(call: &ToolCall, attached: Option<&Value>) -> Value {
    let mut wire = json!({
        "id": call.id.0,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments::as_object(&call.arguments).to_string()},
    });
    if let Some(extra) = attached {
        wire["extra_content"] = extra.clone();
    }
    wire
}

/// Joins messages of one role, for templates in which user and assistant alternate. What the user
/// says behind the results of tools joins the last of these, and says whose it is.
fn alternating(messages: Vec<Value>) -> Vec<Value> {
    let mut joined: Vec<Value> = Vec::with_capacity(messages.len());
    for message in messages {
        match joined.last_mut() {
            Some(last) if (role(last), role(&message)) == ("user", "user") => {
                join(last, "\n\n", &message);
            }
            Some(last) if (role(last), role(&message)) == ("tool", "user") => {
                join(last, MEANWHILE, &message);
            }
            // Behind its own calls there are results.
            Some(last) if (role(last), role(&message)) == ("assistant", "assistant") => {
                join(last, "\n\n", &message);
                if let Some(calls) = message.get("tool_calls") {
                    last["tool_calls"] = calls.clone();
                }
            }
            _ => joined.push(message),
        }
    }
    joined
}

fn join(last: &mut Value, between: &str, message: &Value) {
    let joined = format!("{}{between}{}", text(last), text(message));
    last["content"] = joined.trim().into();
}

fn role(message: &Value) -> &str {
    message["role"].as_str().unwrap_or_default()
}

fn text(message: &Value) -> &str {
    message["content"].as_str().unwrap_or_default()
}

fn function(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
        },
    })
}
