//! A question in the words of the chat completions API.
//!
//! Protocol: the API reference of `POST /chat/completions`; `reasoning_content` is DeepSeek's
//! extension, which several servers share.

use serde_json::{Map, Value, json};

use super::OpenAiConfig;
use crate::providers::ChatRequest;
use crate::providers::wire::arguments;
use crate::transcript::{AssistantMessage, ConversationMessage, ToolCall, ToolSpec};

/// Returns the body of a request.
pub(super) fn body(config: &OpenAiConfig, request: &ChatRequest<'_>) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".into(), config.model.as_str().into());
    body.insert("messages".into(), messages(request));
    if !request.tools.is_empty() {
        body.insert("tools".into(), request.tools.iter().map(function).collect());
    }
    let temperature = request.temperature.unwrap_or(config.temperature);
    body.insert("temperature".into(), temperature.into());
    body.insert("max_tokens".into(), config.max_tokens.into());
    body.insert("stream".into(), request.stream.into());
    if request.stream {
        body.insert("stream_options".into(), json!({"include_usage": true}));
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

fn messages(request: &ChatRequest<'_>) -> Value {
    let system =
        (!request.system.is_empty()).then(|| json!({"role": "system", "content": request.system}));
    system
        .into_iter()
        .chain(request.messages.iter().map(message))
        .collect()
}

fn message(message: &ConversationMessage) -> Value {
    match message {
        ConversationMessage::User { text } => json!({"role": "user", "content": text}),
        ConversationMessage::Assistant(assistant) => assistant_message(assistant),
        ConversationMessage::ToolResult { call, .. } => json!({
            "role": "tool",
            "tool_call_id": call.0,
            "content": message.result_text(),
        }),
    }
}

/// Beside tool calls an empty text is `null`; alone it must be a string, which may be empty.
fn assistant_message(assistant: &AssistantMessage) -> Value {
    let content = if assistant.text.is_empty() && !assistant.calls.is_empty() {
        Value::Null
    } else {
        assistant.text.as_str().into()
    };
    let mut wire = json!({"role": "assistant", "content": content});
    if let Some(reasoning) = &assistant.reasoning_content {
        wire["reasoning_content"] = reasoning.as_str().into();
    }
    if !assistant.calls.is_empty() {
        wire["tool_calls"] = assistant.calls.iter().map(call).collect();
    }
    wire
}

fn call(call: &ToolCall) -> Value {
    json!({
        "id": call.id.0,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments::as_object(&call.arguments).to_string()},
    })
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
