//! A question in the words of Anthropic's messages API.
//!
//! Protocol: the API reference of `POST /v1/messages`, and the page "Prompt caching" of its
//! documentation: what is marked, and all that stands before it, may be read from the cache.

use sayso_core::transcript::{ConversationMessage, ToolSpec};
use serde_json::{Map, Value, json};

use super::AnthropicConfig;
use super::conversation::{self, Calls};
use super::dialect::Dialect;
use crate::ChatRequest;

/// The least that a model can be given to think, in tokens.
const LEAST_THINKING: u32 = 1024;

/// Returns the body of a request.
pub(super) fn body(
    config: &AnthropicConfig,
    request: &ChatRequest<'_>,
    dialect: &Dialect,
) -> Map<String, Value> {
    let thinking = thinking(config, request, dialect);
    let extra = thinking
        .as_ref()
        .map_or(0, |_| config.thinking_tokens.unwrap_or(0));
    let mut body = Map::new();
    body.insert("model".into(), config.served.model.as_str().into());
    let most = request.options.max_tokens.unwrap_or(u32::MAX);
    // What is thought counts as part of the answer.
    body.insert(
        "max_tokens".into(),
        config
            .served
            .max_tokens
            .min(most)
            .saturating_add(extra)
            .into(),
    );
    if !request.tools.is_empty() {
        body.insert("tools".into(), tools(request.tools));
    }
    if !request.system.trim().is_empty() {
        let system = json!({"type": "text", "text": request.system});
        body.insert("system".into(), json!([marked(system)]));
    }
    body.insert("messages".into(), messages(config, request));
    if let Some(thinking) = thinking {
        // A model that thinks words at its own temperature.
        body.insert("thinking".into(), thinking);
    } else if dialect.takes_temperature() {
        let temperature = request.temperature.unwrap_or(config.served.temperature);
        body.insert("temperature".into(), temperature.min(1.0).into());
    }
    body.insert("stream".into(), request.stream.into());
    body
}

/// Returns the cheapest question there is, for a server that lists no models.
pub(super) fn smallest_body(config: &AnthropicConfig) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("model".into(), config.served.model.as_str().into());
    body.insert("max_tokens".into(), 1.into());
    body.insert(
        "messages".into(),
        json!([{"role": "user", "content": "ping"}]),
    );
    body
}

/// Returns how the model may think. A request that says how freely to word is for a short answer in a
/// form of its own, so nothing is thought about it.
fn thinking(
    config: &AnthropicConfig,
    request: &ChatRequest<'_>,
    dialect: &Dialect,
) -> Option<Value> {
    let tokens = config
        .thinking_tokens
        .filter(|_| request.temperature.is_none())?;
    if dialect.thinks_by_itself() {
        return Some(json!({"type": "adaptive"}));
    }
    let may_think = request.tools.is_empty() || conversation::may_think(request.messages);
    may_think.then(|| json!({"type": "enabled", "budget_tokens": tokens.max(LEAST_THINKING)}))
}

/// The end of what is said is marked where a further step may follow, which says it again, and the end
/// of the history, with which the next turn begins as well: what holds for this turn alone stands
/// behind it.
fn messages(config: &AnthropicConfig, request: &ChatRequest<'_>) -> Value {
    if request.tools.is_empty() {
        return conversation::messages(request.messages, Calls::AsText, config.served.sight).into();
    }
    let mut messages =
        conversation::messages(request.messages, Calls::AsBlocks, config.served.sight);
    let newest = messages.len().checked_sub(1);
    let history = history(request).and_then(|history| {
        let written = conversation::messages(history, Calls::AsBlocks, config.served.sight);
        written.len().checked_sub(1)
    });
    for place in history.into_iter().chain(newest) {
        let message = messages.get_mut(place);
        let content = message.and_then(|message| message.get_mut("content")?.as_array_mut());
        if let Some(block) = content.and_then(|blocks| blocks.last_mut()) {
            *block = marked(block.take());
        }
    }
    messages.into()
}

/// Returns what stands before the note of the turn, where that ends a message of its own.
fn history<'a>(request: &ChatRequest<'a>) -> Option<&'a [ConversationMessage]> {
    let note = request
        .messages
        .iter()
        .rposition(ConversationMessage::is_turn_note)?;
    let history = request.messages.get(..note)?;
    matches!(history.last(), Some(ConversationMessage::Assistant(_))).then_some(history)
}

fn tools(tools: &[ToolSpec]) -> Value {
    let mut written: Vec<Value> = tools.iter().map(tool).collect();
    if let Some(last) = written.last_mut() {
        *last = marked(last.take());
    }
    written.into()
}

fn tool(tool: &ToolSpec) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.parameters,
    })
}

/// Marks the end of what may be read from the cache.
fn marked(mut block: Value) -> Value {
    block["cache_control"] = json!({"type": "ephemeral"});
    block
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
