//! A provider that neither receives nor returns secrets: the last check of every prompt, and the
//! first of every answer.
//!
//! A call that the model makes is not changed, because what runs must be what it asked for; when
//! the call comes back in the next prompt, its secrets are redacted as well. Streamed text is
//! passed on unchanged: the code that shows it redacts all of the text so far.

use std::sync::Arc;

use async_trait::async_trait;
use sayso_core::redact::{Redactor, RememberingRedactor};
use sayso_core::transcript::{
    AssistantMessage, ConversationMessage, ModelName, OutsideSource, Thought,
};
use serde_json::Value;

use super::{
    ChatRequest, Checked, Heard, ModelCapacity, Provider, ProviderError, Reply, VisionSupport,
    exchange,
};

/// Wraps a provider.
pub struct Redacted {
    provider: Arc<dyn Provider>,
    /// Most of a prompt was in the one before it.
    redactor: RememberingRedactor,
}

impl Redacted {
    /// Puts a redactor in front of a provider and behind it.
    pub fn new(provider: Arc<dyn Provider>, redactor: Redactor) -> Self {
        Self {
            provider,
            redactor: RememberingRedactor::new(redactor),
        }
    }

    fn hide(&self, text: &str) -> String {
        self.redactor.redact(text).into_owned()
    }

    fn message(&self, message: &ConversationMessage) -> ConversationMessage {
        match message {
            ConversationMessage::User { text, images } => ConversationMessage::User {
                text: self.hide(text),
                images: images.clone(),
            },
            ConversationMessage::Assistant(message) => {
                let mut message = self.answer(message.clone());
                for call in &mut message.calls {
                    self.hide_in(&mut call.arguments);
                }
                ConversationMessage::Assistant(message)
            }
            ConversationMessage::ToolResult {
                call,
                name,
                outcome,
                outside,
            } => ConversationMessage::ToolResult {
                call: call.clone(),
                name: name.clone(),
                outcome: outcome.clone().map_texts(|text| self.hide(&text)),
                outside: outside.as_ref().map(|source| OutsideSource {
                    call: self.hide(&source.call),
                    ..source.clone()
                }),
            },
        }
    }

    fn answer(&self, message: AssistantMessage) -> AssistantMessage {
        let mut thoughts = message.thoughts;
        thoughts.retain(|thought| !self.has_secret(thought));
        AssistantMessage {
            text: self.hide(&message.text),
            reasoning_content: message.reasoning_content.map(|thought| self.hide(&thought)),
            thoughts,
            calls: message.calls,
        }
    }

    /// What is signed cannot be changed: a thought with a secret in it is left out as a whole.
    fn has_secret(&self, thought: &Thought) -> bool {
        let text = thought.text().unwrap_or_default();
        self.redactor.redact(text) != text
    }

    fn hide_in(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.hide(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.hide_in(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.hide_in(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn error(&self, error: ProviderError) -> ProviderError {
        match error {
            ProviderError::Unreachable(why) => ProviderError::Unreachable(self.hide(&why)),
            ProviderError::Garbage(why) => ProviderError::Garbage(self.hide(&why)),
            ProviderError::Refused { status, message } => ProviderError::Refused {
                status,
                message: self.hide(&message),
            },
            ProviderError::Broken { status, message } => ProviderError::Broken {
                status,
                message: self.hide(&message),
            },
            silent @ (ProviderError::TimedOut { .. }
            | ProviderError::RateLimited { .. }
            | ProviderError::Repeating(_)
            | ProviderError::Missing) => silent,
        }
    }
}

#[async_trait]
impl Provider for Redacted {
    fn name(&self) -> &str {
        self.provider.name()
    }

    fn model(&self) -> &str {
        self.provider.model()
    }

    fn refused_tools(&self) -> Vec<String> {
        self.provider.refused_tools()
    }

    async fn chat_with_tools(
        &self,
        request: ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let system = self.redactor.redact(request.system);
        let messages: Vec<_> = request.messages.iter().map(|it| self.message(it)).collect();
        let request = ChatRequest {
            system: &system,
            messages: &messages,
            ..request
        };
        let answer = self.provider.chat_with_tools(request, heard).await;
        let reply = answer.map_err(|error| self.error(error))?;
        let reply = Reply {
            message: self.answer(reply.message),
            ..reply
        };
        exchange::log_response(&reply, self.redactor.redactor());
        Ok(reply)
    }

    async fn check(&self) -> Result<Checked, ProviderError> {
        let checked = self.provider.check().await;
        checked.map_err(|error| self.error(error))
    }
}

impl ModelCapacity for Redacted {
    fn window(&self, wanted: Option<&ModelName>) -> usize {
        self.provider.window(wanted)
    }

    fn longest_answer(&self, wanted: Option<&ModelName>) -> usize {
        self.provider.longest_answer(wanted)
    }

    fn token_factor(&self, wanted: Option<&ModelName>) -> f64 {
        self.provider.token_factor(wanted)
    }

    fn answers_two_at_once(&self, wanted: Option<&ModelName>) -> bool {
        self.provider.answers_two_at_once(wanted)
    }

    fn sight(&self, wanted: Option<&ModelName>) -> VisionSupport {
        self.provider.sight(wanted)
    }
}

#[cfg(test)]
#[path = "redacted_tests.rs"]
mod tests;
