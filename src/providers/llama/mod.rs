//! llama.cpp's own endpoint, `/completion`: one prompt in, one text out.
//!
//! The server writes the prompt by the template of its model (`/apply-template`); a server that does
//! not offer that is written to by a template of ours. A grammar lets the model say plain text, or one
//! call of an offered tool in one form. Its other endpoint, `/v1/chat/completions`, is `openai`'s.

mod config;
mod conversation;
mod grammar;
mod reading;
mod template;

use std::sync::{Mutex, OnceLock, PoisonError};

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, timeout_at};

use self::conversation::Conversation;
use self::reading::Completion;
use self::template::Template;
use super::in_text::Held;
use super::openai::{authorization, failure};
use super::thinking::Aloud;
use super::wire::failure::garbage;
use super::wire::{Wire, error_body};
use super::{ChatRequest, Heard, Provider, ProviderError, Reply, exchange};
use crate::transcript::ModelName;

pub use self::config::LlamaConfig;
pub use self::template::TEMPLATES;

/// A llama.cpp server that is asked by prompts.
#[derive(Debug)]
pub struct Llama {
    config: LlamaConfig,
    wire: Wire,
    /// How much the server's context holds, once it has said so.
    context: OnceLock<usize>,
    /// How prompts are written there. Held for no longer than one look or change.
    writer: Mutex<Writer>,
}

/// Who writes a prompt.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Writer {
    /// The server, by the template of its model.
    Server {
        /// Whether that template has a place for a system prompt.
        has_system: bool,
    },
    /// We do.
    Ourselves(Template),
}

impl Llama {
    /// Makes a client; nothing is sent yet.
    pub fn new(config: LlamaConfig) -> anyhow::Result<Self> {
        let headers = authorization(config.served.api_key.as_ref())?;
        let writer = match Template::named(&config.template) {
            Some(template) => Writer::Ourselves(template),
            None => Writer::Server { has_system: true },
        };
        Ok(Self {
            wire: Wire::new(&config.served, headers, failure::refused)?,
            config,
            context: OnceLock::new(),
            writer: Mutex::new(writer),
        })
    }

    async fn ask(
        &self,
        request: &ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let deadline = self.wire.deadline();
        let body = self.body(request, deadline).await?;
        let question = self.wire.post(&["completion"]).json(&body);
        let response = self.wire.respond(question, deadline).await?;
        let held = Held::new(heard, request.tools);
        let pass_on = |piece: &str| held.hear(piece);
        let aloud = Aloud::new(&pass_on);
        let answer = self
            .wire
            .read::<Completion>(response, deadline, request, &|piece| aloud.hear(piece))
            .await?;
        Ok(held.end(answer.into_reply()?))
    }

    async fn body(
        &self,
        request: &ChatRequest<'_>,
        deadline: Instant,
    ) -> Result<Map<String, Value>, ProviderError> {
        let temperature = request
            .temperature
            .unwrap_or(self.config.served.temperature);
        let mut body = Map::new();
        body.insert(
            "prompt".into(),
            self.prompt(request, deadline).await?.into(),
        );
        body.insert("n_predict".into(), self.config.served.max_tokens.into());
        body.insert("temperature".into(), temperature.into());
        body.insert("stop".into(), json!(template::STOPS));
        body.insert("cache_prompt".into(), true.into());
        body.insert("stream".into(), request.stream.into());
        if !request.tools.is_empty() {
            body.insert("grammar".into(), grammar::of(request.tools).into());
        }
        Ok(body)
    }

    /// Writes a conversation as a prompt, or has it written. A server that cannot is not asked again,
    /// nor one for a system prompt that has no place for it.
    async fn prompt(
        &self,
        request: &ChatRequest<'_>,
        deadline: Instant,
    ) -> Result<String, ProviderError> {
        let conversation = Conversation::of(request);
        loop {
            let writer = *self.writer.lock().unwrap_or_else(PoisonError::into_inner);
            let has_system = match writer {
                Writer::Ourselves(template) => return Ok(template.prompt(conversation)),
                Writer::Server { has_system } => has_system,
            };
            let messages = conversation.clone().messages(has_system);
            let error = match self.apply_template(&messages, deadline).await {
                Ok(prompt) => return Ok(prompt),
                Err(error) => error,
            };
            let next = if has_system && failure::is_no_system_role(&error) {
                Writer::Server { has_system: false }
            } else if let ProviderError::Refused {
                status: 404 | 405 | 501,
                ..
            } = error
            {
                Writer::Ourselves(self.template(deadline).await?)
            } else {
                return Err(error);
            };
            *self.writer.lock().unwrap_or_else(PoisonError::into_inner) = next;
        }
    }

    async fn apply_template(
        &self,
        messages: &Value,
        deadline: Instant,
    ) -> Result<String, ProviderError> {
        let body = json!({"messages": messages});
        let question = self.wire.post(&["apply-template"]).json(&body);
        let answer = self.read_json(question, deadline).await?;
        let prompt = answer.get("prompt").and_then(Value::as_str);
        let prompt = prompt.ok_or_else(|| garbage("`/apply-template` gave no prompt"))?;
        if self.context.get().is_none() {
            // It only says how much of the past fits.
            self.properties(deadline).await.ok();
        }
        Ok(prompt.to_owned())
    }

    /// Returns the template of ours that is the server's, as far as its marks tell.
    async fn template(&self, deadline: Instant) -> Result<Template, ProviderError> {
        let properties = self.properties(deadline).await?;
        let written = properties.get("chat_template").and_then(Value::as_str);
        Ok(Template::of(written.unwrap_or_default()))
    }

    async fn properties(&self, deadline: Instant) -> Result<Value, ProviderError> {
        let answer = self.read_json(self.wire.get(&["props"]), deadline).await?;
        let context = answer.pointer("/default_generation_settings/n_ctx");
        if let Some(context) = context.and_then(Value::as_u64).filter(|it| *it > 0) {
            self.context.get_or_init(|| context as usize);
        }
        Ok(answer)
    }

    async fn read_json(
        &self,
        question: reqwest::RequestBuilder,
        deadline: Instant,
    ) -> Result<Value, ProviderError> {
        let response = self.wire.respond(question, deadline).await?;
        let body = timeout_at(deadline, response.bytes()).await;
        let Ok(Ok(body)) = body else {
            return Err(ProviderError::Unreachable(
                "the answer was cut off".to_owned(),
            ));
        };
        serde_json::from_slice(&body).map_err(|_| garbage("the answer is no JSON"))
    }

    async fn look(&self) -> Result<(), ProviderError> {
        let deadline = self.wire.deadline();
        let response = self.wire.respond(self.wire.get(&["props"]), deadline);
        let body = error_body(response.await?).await;
        match body.trim_ascii().first() {
            Some(b'<') => Err(ProviderError::Garbage(failure::WEB_PAGE.to_owned())),
            _ => Ok(()),
        }
    }
}

#[async_trait]
impl Provider for Llama {
    fn name(&self) -> &str {
        &self.config.served.name
    }

    fn model(&self) -> &str {
        &self.config.served.model
    }

    fn longest_answer(&self, _wanted: Option<&ModelName>) -> usize {
        self.config.served.max_tokens as usize
    }

    /// Returns what the server has said, where nothing is configured.
    fn window(&self, _wanted: Option<&ModelName>) -> usize {
        let served = &self.config.served;
        match (served.context_tokens, self.context.get()) {
            (None, Some(said)) => *said,
            (Some(_), _) | (None, None) => served.window(),
        }
    }

    async fn chat_with_tools(
        &self,
        request: ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let heard = request.listener(heard);
        exchange::log_request(&self.config.served, "completion", &request);
        self.wire.within_the_whole(self.ask(&request, heard)).await
    }

    async fn check(&self) -> Result<(), ProviderError> {
        self.wire.within_the_whole(self.look()).await
    }
}
