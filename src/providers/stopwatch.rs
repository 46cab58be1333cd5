//! How a model is asked and how long it takes, for the journal: facts, and nothing that was said.

use std::time::Instant;

use super::{ChatRequest, Provider};
use crate::transcript::{Asking, ConversationMessage, Finish, IMAGE_TOKENS, estimate_tokens};

/// A model call that is under way.
#[derive(Debug)]
pub(super) struct Stopwatch {
    server: String,
    model: String,
    attempt: u32,
    messages: usize,
    tools: usize,
    estimated_tokens: usize,
    began: Instant,
}

impl Stopwatch {
    /// Starts with a request.
    pub(super) fn start(provider: &dyn Provider, request: &ChatRequest<'_>, attempt: u32) -> Self {
        let said: usize = request.messages.iter().map(tokens_of).sum();
        Self {
            server: provider.name().to_owned(),
            model: provider.model().to_owned(),
            attempt,
            messages: request.messages.len(),
            tools: request.tools.len(),
            estimated_tokens: estimate_tokens(request.system) + said,
            began: Instant::now(),
        }
    }

    /// Returns the model that is asked.
    pub(super) fn model(&self) -> &str {
        &self.model
    }

    /// Stops with what ended the call.
    pub(super) fn stop(self, finish: Finish) -> Asking {
        Asking {
            server: self.server,
            model: self.model,
            attempt: self.attempt,
            messages: self.messages,
            tools: self.tools,
            estimated_tokens: self.estimated_tokens,
            took_ms: self.began.elapsed().as_millis() as u64,
            finish,
        }
    }
}

fn tokens_of(message: &ConversationMessage) -> usize {
    match message {
        ConversationMessage::User { text, images } => {
            let shown = images.iter().filter(|image| image.data.is_some());
            estimate_tokens(text) + shown.count() * IMAGE_TOKENS
        }
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
