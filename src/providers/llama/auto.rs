//! A llama.cpp server that is asked at `/v1/chat/completions`, or by prompts where it has no such
//! endpoint. How tools reach its model, it says itself.

use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use sayso_core::transcript::ModelName;

use super::{Llama, LlamaConfig};
use crate::{
    ChatRequest, Checked, Heard, ModelCapacity, OpenAi, OpenAiConfig, Provider, ProviderError,
    Reply, VisionSupport,
};

/// A llama.cpp server by whichever endpoint it has.
#[derive(Debug)]
pub struct AutoLlama {
    chat: OpenAi,
    prompts: Llama,
    /// Whether it has no endpoint for chats.
    has_no_chat: AtomicBool,
}

impl AutoLlama {
    /// Makes a client; nothing is sent yet.
    pub fn new(chat: OpenAiConfig, prompts: LlamaConfig) -> anyhow::Result<Self> {
        Ok(Self {
            chat: OpenAi::new(chat)?,
            prompts: Llama::new(prompts)?,
            has_no_chat: AtomicBool::new(false),
        })
    }

    fn asked(&self) -> &dyn Provider {
        if self.has_no_chat.load(Ordering::Relaxed) {
            &self.prompts
        } else {
            &self.chat
        }
    }

    /// Returns whether to ask by prompts after an answer to the other endpoint.
    fn lacks_chat<T>(&self, answer: &Result<T, ProviderError>) -> bool {
        let is_unknown = matches!(
            answer,
            Err(ProviderError::Refused {
                status: 404 | 405 | 501,
                ..
            })
        );
        is_unknown && !self.has_no_chat.load(Ordering::Relaxed)
    }

    fn note_no_chat(&self) {
        let provider = self.chat.name();
        tracing::info!(
            provider,
            "llama.cpp server without chat endpoint; using the completion endpoint"
        );
        self.has_no_chat.store(true, Ordering::Relaxed);
    }
}

#[async_trait]
impl Provider for AutoLlama {
    fn name(&self) -> &str {
        self.chat.name()
    }

    fn model(&self) -> &str {
        self.chat.model()
    }

    fn refused_tools(&self) -> Vec<String> {
        self.asked().refused_tools()
    }

    async fn chat_with_tools(
        &self,
        request: ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let answer = self.asked().chat_with_tools(request, heard).await;
        if !self.lacks_chat(&answer) {
            return answer;
        }
        let by_prompt = self.prompts.chat_with_tools(request, heard).await;
        if by_prompt.is_ok() {
            self.note_no_chat();
        }
        by_prompt
    }

    async fn check(&self) -> Result<Checked, ProviderError> {
        let checked = self.asked().check().await;
        if !self.lacks_chat(&checked) {
            return checked;
        }
        self.prompts.check().await
    }
}

impl ModelCapacity for AutoLlama {
    fn window(&self, wanted: Option<&ModelName>) -> usize {
        self.asked().window(wanted)
    }

    fn longest_answer(&self, wanted: Option<&ModelName>) -> usize {
        self.chat.longest_answer(wanted)
    }

    fn answers_two_at_once(&self, wanted: Option<&ModelName>) -> bool {
        self.asked().answers_two_at_once(wanted)
    }

    fn sight(&self, wanted: Option<&ModelName>) -> VisionSupport {
        self.asked().sight(wanted)
    }
}
