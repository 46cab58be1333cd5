//! A conversation for a model whose server shows it no tools: they stand in the system prompt, calls are
//! shown in the form in which they are made, and their results are what the user says next.
//!
//! The words are those of `llama`'s prompts; pictures stay what they are.

use sayso_core::transcript::ConversationMessage;
use serde_json::{Value, json};

use super::OpenAiConfig;
use super::alternation::alternating;
use super::content::user_content;
use crate::ChatRequest;
use crate::llama::{MEANWHILE, said, system_prompt};

/// Returns the messages of a request; user and assistant alternate in them.
pub(super) fn messages(request: &ChatRequest<'_>, config: &OpenAiConfig) -> Value {
    let system = system_prompt(request);
    let mut messages: Vec<Value> = Vec::with_capacity(request.messages.len() + 1);
    if !system.is_empty() {
        messages.push(json!({"role": "system", "content": system}));
    }
    let mut is_behind_result = false;
    for message in request.messages {
        messages.push(spoken(message, is_behind_result, config));
        is_behind_result = match message {
            ConversationMessage::ToolResult { .. } => true,
            ConversationMessage::Assistant(_) => false,
            ConversationMessage::User { .. } => is_behind_result,
        };
    }
    alternating(messages).into()
}

fn spoken(message: &ConversationMessage, is_behind_result: bool, config: &OpenAiConfig) -> Value {
    match message {
        ConversationMessage::User { text, images } => {
            let mark = if is_behind_result { MEANWHILE } else { "" };
            let text = format!("{mark}{text}");
            json!({"role": "user", "content": user_content(&text, images, config.served.sight)})
        }
        ConversationMessage::Assistant(message) => {
            json!({"role": "assistant", "content": said(message)})
        }
        ConversationMessage::ToolResult { name, .. } => {
            let result = message.result_text().unwrap_or_default();
            json!({"role": "user", "content": format!("[result of {name}]\n{result}")})
        }
    }
}
