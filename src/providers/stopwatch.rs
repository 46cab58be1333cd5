//! How a model is asked and how long it takes, for the journal: facts, and nothing that was said.

use std::time::Instant;

use super::{ChatRequest, Reply};
use crate::transcript::{Asking, ConversationMessage, Finish, estimate_tokens};

/// A model call that is under way.
pub(super) struct Stopwatch {
    model: String,
    messages: usize,
    tools: usize,
    estimated_tokens: usize,
    began: Instant,
}

impl Stopwatch {
    /// Starts with a request.
    pub(super) fn start(model: &str, request: &ChatRequest<'_>) -> Self {
        let said: usize = request.messages.iter().map(tokens_of).sum();
        Self {
            model: model.to_owned(),
            messages: request.messages.len(),
            tools: request.tools.len(),
            estimated_tokens: estimate_tokens(request.system) + said,
            began: Instant::now(),
        }
    }

    /// Stops with the answer.
    pub(super) fn stop(self, reply: &Reply) -> Asking {
        Asking {
            model: self.model,
            messages: self.messages,
            tools: self.tools,
            estimated_tokens: self.estimated_tokens,
            took_ms: self.began.elapsed().as_millis() as u64,
            finish: if reply.truncated {
                Finish::Length
            } else if reply.message.calls.is_empty() {
                Finish::Stop
            } else {
                Finish::ToolCalls
            },
        }
    }
}

fn tokens_of(message: &ConversationMessage) -> usize {
    match message {
        ConversationMessage::User { text } => estimate_tokens(text),
        ConversationMessage::Assistant(assistant) => {
            let calls = assistant.calls.iter();
            let calls: usize = calls
                .map(|call| estimate_tokens(&call.arguments.to_string()))
                .sum();
            estimate_tokens(&assistant.text) + calls
        }
        ConversationMessage::ToolResult { outcome, .. } => estimate_tokens(&outcome.for_model()),
    }
}
