//! What is asked of a model and what it answers, for the log file: at `debug`, with the fields and
//! the lengths of previews that the seed names. Both come here with their secrets hidden.

use reqwest::Url;
use sayso_core::redact::Redactor;
use sayso_core::transcript::{ConversationMessage, ToolCall};
use tracing::Level;

use super::{ChatRequest, Reply, ServedModel};

/// Where these lines are logged; the console leaves them out.
const TARGET: &str = "sayso::exchange";
/// How much of each message of a question is shown, in characters.
const ASKED_CHARS: usize = 200;
/// How much of an answer, and of each call in it, is shown, in characters.
const ANSWERED_CHARS: usize = 500;

/// Logs a question in one of the protocols. Its texts are without secrets already.
pub(super) fn log_request(served: &ServedModel, api_mode: &str, request: &ChatRequest<'_>) {
    if !tracing::enabled!(target: TARGET, Level::DEBUG) {
        return;
    }
    let previews: Vec<String> = std::iter::once(preview("system: ", request.system))
        .chain(request.messages.iter().map(line))
        .collect();
    tracing::debug!(
        target: TARGET,
        provider = served.name,
        model = served.model,
        temperature = request.temperature.unwrap_or(served.temperature),
        max_tokens = served.max_tokens,
        api_mode,
        base_url = %without_credentials(&served.base_url),
        messages_count = previews.len(),
        messages = ?previews,
        "llm_request"
    );
}

/// Logs an answer whose text is without secrets already; its calls are not.
pub(super) fn log_response(reply: &Reply, redactor: &Redactor) {
    if !tracing::enabled!(target: TARGET, Level::DEBUG) {
        return;
    }
    let calls: Vec<String> = reply
        .message
        .calls
        .iter()
        .map(|call| begin(&redactor.redact(&call_line(call)), ANSWERED_CHARS))
        .collect();
    tracing::debug!(
        target: TARGET,
        text_length = reply.message.text.chars().count(),
        text_preview = ?begin(&reply.message.text, ANSWERED_CHARS),
        truncated = reply.truncated,
        has_tool_call = !calls.is_empty(),
        tool_call = ?calls,
        "llm_response"
    );
}

/// Returns the beginning of a message. Most of a long one is not even copied.
fn line(message: &ConversationMessage) -> String {
    match message {
        ConversationMessage::User { text, .. } => preview("user: ", text),
        ConversationMessage::Assistant(message) => {
            let said = preview("assistant: ", &message.text);
            let calls: String = message.calls.iter().map(call_line).collect();
            preview(&said, &calls)
        }
        ConversationMessage::ToolResult { name, outcome, .. } => {
            preview(&format!("tool {name}: "), &outcome.for_model())
        }
    }
}

/// Returns the beginning of two texts behind each other.
fn preview(first: &str, then: &str) -> String {
    first
        .chars()
        .chain(then.chars())
        .take(ASKED_CHARS)
        .collect()
}

fn call_line(call: &ToolCall) -> String {
    format!("{}{}", call.name, call.canonical_arguments())
}

fn begin(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}

/// An address may hold a password, and a key as its query.
fn without_credentials(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    format!("{}://{host}{port}{}", url.scheme(), url.path())
}
