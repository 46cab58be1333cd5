//! Any server that speaks OpenAI's chat completions: sends the question, minds the time, and
//! leaves the words of the wire to its files.
//!
//! It asks once. Whether to ask again, or somebody else, is up to `reliable`; only what the server does
//! not know of a request is taken back here and the question repeated.

mod alternation;
mod assembly;
mod calls;
mod config;
mod content;
mod dialect;
mod embeddings;
pub(super) mod failure;
mod quirks;
mod replay;
mod request;
mod response;
mod spoken;

use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use async_trait::async_trait;
use reqwest::Response;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use sayso_core::transcript::{ModelName, ToolSpec};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Map, Value};
use tokio::time::Instant;

use self::dialect::{Dialect, Lesson};
use self::response::Stream;
use super::health_check::{CheckQuestion, answers};
use super::in_text::Held;
use super::limits::TooLong;
use super::llama::LlamaServer;
use super::visible_text::VisibleText;
use super::wire::{Wire, error_body};
use super::{
    ChatOptions, ChatRequest, Checked, Heard, ModelCapacity, Provider, ProviderError, Reply,
    ToolsIn, VisionSupport, exchange,
};

pub(super) use self::dialect::may_mind_forms;

pub use self::config::OpenAiConfig;
pub use self::embeddings::{EmbeddingsConfig, OpenAiEmbeddings};
pub use self::quirks::Quirks;
pub use self::replay::shown as replay_shown;

/// A compatible server.
#[derive(Debug)]
pub struct OpenAi {
    config: OpenAiConfig,
    wire: Wire,
    dialect: Dialect,
    /// The server beside its answers, where it is known to be llama.cpp's.
    llama: Option<LlamaServer>,
    /// How much the model can read, as it was said of a question that was too long; 0 before.
    limit_said: AtomicUsize,
}

impl OpenAi {
    /// Makes a client; nothing is sent yet.
    pub fn new(config: OpenAiConfig) -> anyhow::Result<Self> {
        let headers = authorization(config.served.api_key.as_ref())?;
        Ok(Self {
            wire: Wire::new(&config.served, headers, failure::refused)?,
            llama: config
                .is_llama
                .then(|| LlamaServer::new(&config.served))
                .transpose()?,
            config,
            dialect: Dialect::default(),
            limit_said: AtomicUsize::new(0),
        })
    }

    /// Asks, and where the answer shows what this server does not take, once more without it.
    async fn ask(
        &self,
        request: &ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        if let Some(llama) = &self.llama {
            llama.properties(&request.options).await;
        }
        let request = ChatRequest {
            options: self.dialect.taken(request.options),
            ..*request
        };
        let answer = self.ask_once(&request, heard).await;
        let Some(lesson) = Lesson::of(&request, &answer) else {
            return answer;
        };
        let is_known = lesson == Lesson::NoTools && !self.dialect.heed(lesson);
        if is_known {
            return answer;
        }
        let again = self.ask_once(&lesson.applied(&request), heard).await;
        // A form is not what a refusal was about that comes without it, too.
        if again.is_ok() && self.dialect.heed(lesson) {
            let provider = &self.config.served.name;
            tracing::info!(
                provider,
                ?lesson,
                "model service quirk detected; requests are adapted"
            );
        }
        again
    }

    async fn ask_once(
        &self,
        request: &ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let answer = self.send_and_read(request, heard).await;
        if let Err(error) = &answer {
            self.learn_limit(error);
        }
        answer
    }

    async fn send_and_read(
        &self,
        request: &ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let mut deadline = self.wire.deadline();
        let tools_in = self.tools_in();
        let body = request::body(&self.config, request, tools_in);
        let response = self.send(body, &mut deadline, &request.options).await?;
        let held = Held::new(heard, self.called_in_text(request, tools_in));
        let pass_on = |piece: &str| held.hear(piece);
        let visible = VisibleText::new(&pass_on);
        let answer = self
            .wire
            .read::<Stream>(response, deadline, request, &|piece| visible.hear(piece))
            .await?;
        Ok(held.end(answer.into_reply()?))
    }

    /// Returns how tools reach the model.
    pub(super) fn tools_in(&self) -> ToolsIn {
        let known = self.llama.as_ref().map(LlamaServer::known);
        let are_shown = known.and_then(|known| known.shows_tools) != Some(false);
        if are_shown && !self.dialect.refuses_tools() {
            ToolsIn::Field
        } else {
            ToolsIn::Prompt
        }
    }

    /// Learns how much the model can read, and that the server may come back with another one.
    fn learn_limit(&self, error: &ProviderError) {
        if let Some(too_long) = TooLong::of(error) {
            let limit = usize::try_from(too_long.limit).unwrap_or(usize::MAX);
            self.limit_said.store(limit, Ordering::Relaxed);
        }
        if let (ProviderError::Unreachable(_), Some(llama)) = (error, &self.llama) {
            llama.forget();
            self.limit_said.store(0, Ordering::Relaxed);
        }
    }

    /// Returns the tools whose calls are looked for in the text.
    fn called_in_text<'a>(&self, request: &ChatRequest<'a>, tools_in: ToolsIn) -> &'a [ToolSpec] {
        if self.config.calls_in_text || tools_in == ToolsIn::Prompt {
            request.tools
        } else {
            &[]
        }
    }

    /// Sends a question, again as long as the server refuses a field that it can do without.
    async fn send(
        &self,
        mut body: Map<String, Value>,
        deadline: &mut Instant,
        options: &ChatOptions<'_>,
    ) -> Result<Response, ProviderError> {
        loop {
            self.dialect.adapt(&mut body);
            let request = self.wire.post(&["chat", "completions"]).json(&body);
            let answer = self.wire.respond_when_ready(request, deadline, options);
            let refusal = match answer.await {
                Ok(response) => return Ok(response),
                Err(refusal) => refusal,
            };
            if !self.dialect.learn(&body, &refusal) {
                return Err(refusal);
            }
        }
    }

    async fn list_models(&self) -> Result<(), ProviderError> {
        let deadline = self.wire.deadline();
        let request = self.wire.get(&["models"]);
        let response = match self.wire.respond(request, deadline).await {
            // Not every server has a list.
            Err(ProviderError::Refused { status: 404, .. }) => return Ok(()),
            answered => answered?,
        };
        let body = error_body(response).await;
        match body.trim_ascii().first() {
            Some(b'<') => Err(ProviderError::Garbage(failure::WEB_PAGE.to_owned())),
            _ => Ok(()),
        }
    }

    async fn look(&self) -> Result<Checked, ProviderError> {
        self.list_models().await?;
        let question = CheckQuestion::new();
        answers(self.ask(&question.request(), &|_| {}).await)?;
        Ok(Checked {
            tools: self.tools_in(),
        })
    }
}

#[async_trait]
impl Provider for OpenAi {
    fn name(&self) -> &str {
        &self.config.served.name
    }

    fn model(&self) -> &str {
        &self.config.served.model
    }

    fn refused_tools(&self) -> Vec<String> {
        self.dialect.refused_tools()
    }

    async fn chat_with_tools(
        &self,
        request: ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let heard = request.listener(heard);
        exchange::log_request(&self.config.served, "openai_compat", &request);
        self.wire.within_the_whole(self.ask(&request, heard)).await
    }

    async fn check(&self) -> Result<Checked, ProviderError> {
        self.wire.within_the_whole(self.look()).await
    }
}

impl ModelCapacity for OpenAi {
    fn longest_answer(&self, _wanted: Option<&ModelName>) -> usize {
        self.config.served.max_tokens as usize
    }

    /// Returns what the server has said, where nothing is configured.
    fn window(&self, _wanted: Option<&ModelName>) -> usize {
        let served = &self.config.served;
        let known = self.llama.as_ref().and_then(|llama| llama.known().context);
        let said = self.limit_said.load(Ordering::Relaxed);
        match (served.context_tokens, known) {
            (None, Some(known)) => known,
            (None, None) if said > 0 => said,
            (Some(_), _) | (None, None) => served.window(),
        }
    }

    /// A llama.cpp server must have said that it has two slots; of others only their refusals tell.
    fn answers_two_at_once(&self, _wanted: Option<&ModelName>) -> bool {
        let slots = self.llama.as_ref().map(|llama| llama.known().slots);
        slots.is_none_or(|slots| slots.is_some_and(|slots| slots >= 2))
    }

    fn sight(&self, _wanted: Option<&ModelName>) -> VisionSupport {
        self.config.served.sight
    }
}

/// Returns the header that a key is sent in.
pub(super) fn authorization(key: Option<&SecretString>) -> anyhow::Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    if let Some(key) = key {
        let bearer = format!("Bearer {}", key.expose_secret());
        let mut bearer = HeaderValue::try_from(bearer)
            .ok()
            .context("the API key holds characters that no HTTP header can carry")?;
        bearer.set_sensitive(true);
        headers.insert(AUTHORIZATION, bearer);
    }
    Ok(headers)
}

#[cfg(test)]
mod server_tests;

#[cfg(test)]
mod recorded_tests;

#[cfg(test)]
mod request_tests;
