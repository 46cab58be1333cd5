//! How a model is asked and how long it takes, for the journal: facts, and nothing that was said.

use std::time::Instant;

use sayso_core::transcript::{Finish, ModelRequest};

use super::{ChatRequest, Provider, request_tokens};

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
        Self {
            server: provider.name().to_owned(),
            model: provider.model().to_owned(),
            attempt,
            messages: request.messages.len(),
            tools: request.tools.len(),
            estimated_tokens: request_tokens(request),
            began: Instant::now(),
        }
    }

    /// Returns the model that is asked.
    pub(super) fn model(&self) -> &str {
        &self.model
    }

    /// Stops with what ended the call.
    pub(super) fn stop(self, finish: Finish) -> ModelRequest {
        ModelRequest {
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
