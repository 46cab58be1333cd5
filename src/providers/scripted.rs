//! A provider for tests: gives scripted answers and keeps the requests.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use sayso_core::transcript::{AssistantMessage, ConversationMessage, ModelName, ToolCall};

use super::{
    AnswerForm, ChatRequest, Checked, Heard, ModelCapacity, Provider, ProviderError, Reply,
};

/// A provider that follows a script; at its end it fails with [`ProviderError::Garbage`].
#[derive(Debug, Default)]
pub struct Scripted {
    lines: Mutex<VecDeque<Line>>,
    asked: Mutex<Vec<Asked>>,
}

/// One question that was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The system prompt.
    pub system: String,
    /// The conversation.
    pub messages: Vec<ConversationMessage>,
    /// The names of the tools, in their order.
    pub tools: Vec<String>,
    /// How freely it was to be worded.
    pub temperature: Option<f64>,
    /// Whether text was wanted while it arrives.
    pub stream: bool,
    /// The form of the answer.
    pub form: Option<AnswerForm>,
    /// How long the answer might become.
    pub max_tokens: Option<u32>,
}

#[derive(Debug)]
struct Line {
    heard: Vec<String>,
    result: Result<Reply, ProviderError>,
}

impl Scripted {
    /// Answers with these, in their order.
    pub fn new(results: impl IntoIterator<Item = Result<Reply, ProviderError>>) -> Self {
        results.into_iter().fold(Self::default(), Self::then)
    }

    /// Adds an answer; where text is wanted as it arrives, it comes in one piece.
    pub fn then(self, result: Result<Reply, ProviderError>) -> Self {
        let heard = match &result {
            Ok(reply) if !reply.message.text.is_empty() => vec![reply.message.text.clone()],
            Ok(_) | Err(_) => Vec::new(),
        };
        self.then_heard(heard, result)
    }

    /// Adds an answer of which these pieces are heard first, as when a stream breaks off.
    pub fn then_heard(self, heard: Vec<String>, result: Result<Reply, ProviderError>) -> Self {
        self.lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push_back(Line { heard, result });
        self
    }

    /// Adds an answer of text alone.
    pub fn then_says(self, text: &str) -> Self {
        self.then_calls(text, Vec::new())
    }

    /// Adds an answer with tool calls.
    pub fn then_calls(self, text: &str, calls: Vec<ToolCall>) -> Self {
        self.then(Ok(Reply {
            message: AssistantMessage {
                text: text.to_owned(),
                reasoning_content: None,
                thoughts: vec![],
                calls,
            },
            ..Reply::default()
        }))
    }

    /// Returns what was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Returns how many answers are left in the script.
    pub fn left(&self) -> usize {
        self.lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }
}

#[async_trait]
impl Provider for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn model(&self) -> &'static str {
        "script"
    }

    async fn chat_with_tools(
        &self,
        request: ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        self.asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Asked {
                system: request.system.to_owned(),
                messages: request.messages.to_vec(),
                tools: request.tools.iter().map(|tool| tool.name.clone()).collect(),
                temperature: request.temperature,
                stream: request.stream,
                form: request.options.form.cloned(),
                max_tokens: request.options.max_tokens,
            });
        let line = self
            .lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front();
        let Some(line) = line else {
            return Err(ProviderError::Garbage("the script is over".to_owned()));
        };
        if request.stream {
            for piece in &line.heard {
                heard(piece);
            }
        }
        line.result
    }

    async fn check(&self) -> Result<Checked, ProviderError> {
        Ok(Checked::default())
    }
}

impl ModelCapacity for Scripted {
    fn window(&self, _wanted: Option<&ModelName>) -> usize {
        usize::MAX
    }
}
