//! The tiny question of a check: one with a tool, since servers that answer plain questions may take no
//! tools.

use sayso_core::transcript::{ConversationMessage, ToolSpec};
use serde_json::json;

use super::{ChatOptions, ChatRequest, ProviderError, Reply};

/// How long its answer may become, in tokens.
const TOKENS: u32 = 16;

/// A question that any model has an answer to.
pub(super) struct CheckQuestion {
    tools: [ToolSpec; 1],
    messages: [ConversationMessage; 1],
}

impl CheckQuestion {
    /// Returns the question.
    pub(super) fn new() -> Self {
        Self {
            tools: [ToolSpec {
                name: "now".to_owned(),
                description: "Tells the time.".to_owned(),
                parameters: json!({"type": "object", "properties": {}}).into(),
            }],
            messages: [ConversationMessage::user("ping")],
        }
    }

    /// Returns it as a client is asked it.
    pub(super) fn request(&self) -> ChatRequest<'_> {
        ChatRequest {
            system: "Answer with one word.",
            messages: &self.messages,
            tools: &self.tools,
            options: ChatOptions {
                max_tokens: Some(TOKENS),
                ..ChatOptions::default()
            },
            ..ChatRequest::default()
        }
    }
}

/// Returns what an answer says of the service: that it answered, whatever that is worth.
pub(super) fn answers(answer: Result<Reply, ProviderError>) -> Result<(), ProviderError> {
    match answer {
        Ok(_) | Err(ProviderError::Garbage(_) | ProviderError::Repeating(_)) => Ok(()),
        // OpenAI's word for an answer that does not fit into so few tokens.
        Err(ProviderError::Refused { message, .. }) if message.contains("output limit") => Ok(()),
        Err(error) => Err(error),
    }
}
