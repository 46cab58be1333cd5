//! A question in the words of the chat completions API.
//!
//! Protocol: the API reference of `POST /chat/completions`; `reasoning_content` is DeepSeek's
//! extension, which several servers share.

use serde_json::{Map, Value, json};

use super::{OpenAiConfig, Quirks};
use crate::providers::ChatRequest;
use crate::providers::wire::{Sight, arguments};
use crate::transcript::{
    AssistantMessage, ConversationMessage, Image, ThoughtKind, ToolCall, ToolSpec,
};

/// Between the result of a tool and what the user said behind it, where both are one message.
const MEANWHILE: &str = "\n\n[user] ";

/// Returns the body of a request.
pub(super) fn body(config: &OpenAiConfig, request: &ChatRequest<'_>) -> Map<String, Value> {
    let quirks = &config.quirks;
    let mut body = Map::new();
    body.insert("model".into(), config.served.model.as_str().into());
    body.insert("messages".into(), messages(request, config));
    if !request.tools.is_empty() {
        body.insert("tools".into(), request.tools.iter().map(function).collect());
    }
    let temperature = request.temperature.unwrap_or(config.served.temperature);
    body.insert("temperature".into(), temperature.min(quirks.hottest).into());
    body.insert(quirks.limit.into(), config.served.max_tokens.into());
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
    body.insert("model".into(), config.served.model.as_str().into());
    body.insert(
        "messages".into(),
        json!([{"role": "user", "content": "ping"}]),
    );
    body.insert("max_tokens".into(), 1.into());
    body
}

fn messages(request: &ChatRequest<'_>, config: &OpenAiConfig) -> Value {
    let quirks = &config.quirks;
    let system =
        (!request.system.is_empty()).then(|| json!({"role": "system", "content": request.system}));
    let said = request.messages.iter().map(|it| message(it, config));
    let messages: Vec<Value> = system.into_iter().chain(said).collect();
    if quirks.strict_roles {
        return Value::Array(alternating(messages));
    }
    Value::Array(messages)
}

fn message(message: &ConversationMessage, config: &OpenAiConfig) -> Value {
    match message {
        ConversationMessage::User { text, images } => {
            json!({"role": "user", "content": user_content(text, images, config.served.sight)})
        }
        ConversationMessage::Assistant(assistant) => assistant_message(assistant, &config.quirks),
        ConversationMessage::ToolResult { call, .. } => json!({
            "role": "tool",
            "tool_call_id": call.0,
            "content": message.result_text(),
        }),
    }
}

/// Returns a text, or where pictures go with it the list of both.
fn user_content(text: &str, images: &[Image], sight: Sight) -> Value {
    let text = sight.text(text, images);
    let shown: Vec<Value> = sight
        .shown(images)
        .map(|(image, data)| {
            let url = format!("data:{};base64,{data}", image.kind.media_type());
            json!({"type": "image_url", "image_url": {"url": url}})
        })
        .collect();
    if shown.is_empty() {
        return text.into();
    }
    let text = json!({"type": "text", "text": text});
    std::iter::once(text).chain(shown).collect()
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
    if last["content"].is_array() || message["content"].is_array() {
        let mark = (!between.trim().is_empty()).then(|| json!({"type": "text", "text": between}));
        let all = parts(last).into_iter().chain(mark).chain(parts(message));
        last["content"] = all.collect();
        return;
    }
    let joined = format!("{}{between}{}", text(last), text(message));
    last["content"] = joined.trim().into();
}

fn parts(message: &Value) -> Vec<Value> {
    match &message["content"] {
        Value::Array(parts) => parts.clone(),
        content => vec![json!({"type": "text", "text": content})],
    }
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
