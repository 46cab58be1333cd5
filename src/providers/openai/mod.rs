//! Any server that speaks OpenAI's chat completions: sends the question, minds the time, and
//! leaves the words of the wire to its files.
//!
//! It asks once. Whether to ask again, or somebody else, is up to `reliable`; only a request
//! field that the server does not know is taken back here and the question repeated.

mod assembly;
mod calls;
mod config;
mod dialect;
mod embeddings;
pub(super) mod failure;
mod quirks;
mod reading;
mod replay;
mod request;

use anyhow::Context as _;
use async_trait::async_trait;
use reqwest::Response;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Map, Value};
use tokio::time::Instant;

use self::dialect::Dialect;
use self::reading::Stream;
use super::in_text::Held;
use super::thinking::Aloud;
use super::wire::{Wire, error_body};
use super::{ChatRequest, Heard, Provider, ProviderError, Reply, Sight, exchange};
use crate::transcript::{ModelName, ToolSpec};

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
}

impl OpenAi {
    /// Makes a client; nothing is sent yet.
    pub fn new(config: OpenAiConfig) -> anyhow::Result<Self> {
        let headers = authorization(config.served.api_key.as_ref())?;
        Ok(Self {
            wire: Wire::new(&config.served, headers, failure::refused)?,
            config,
            dialect: Dialect::default(),
        })
    }

    async fn ask(
        &self,
        request: &ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let deadline = self.wire.deadline();
        let body = request::body(&self.config, request);
        let response = self.send(body, deadline).await?;
        let held = Held::new(heard, self.called_in_text(request));
        let pass_on = |piece: &str| held.hear(piece);
        let aloud = Aloud::new(&pass_on);
        let answer = self
            .wire
            .read::<Stream>(response, deadline, request, &|piece| aloud.hear(piece))
            .await?;
        Ok(held.end(answer.into_reply()?))
    }

    /// Returns the tools whose calls are looked for in the text.
    fn called_in_text<'a>(&self, request: &ChatRequest<'a>) -> &'a [ToolSpec] {
        if self.config.calls_in_text {
            request.tools
        } else {
            &[]
        }
    }

    /// Sends a question, again as long as the server refuses a field that it can do without.
    async fn send(
        &self,
        mut body: Map<String, Value>,
        deadline: Instant,
    ) -> Result<Response, ProviderError> {
        loop {
            self.dialect.adapt(&mut body);
            let request = self.wire.post(&["chat", "completions"]).json(&body);
            let refusal = match self.wire.respond(request, deadline).await {
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
            Err(ProviderError::Refused { status: 404, .. }) => {
                let question = request::smallest_body(&self.config);
                return self.send(question, deadline).await.map(|_| ());
            }
            answered => answered?,
        };
        let body = error_body(response).await;
        match body.trim_ascii().first() {
            Some(b'<') => Err(ProviderError::Garbage(failure::WEB_PAGE.to_owned())),
            _ => Ok(()),
        }
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

    fn longest_answer(&self, _wanted: Option<&ModelName>) -> usize {
        self.config.served.max_tokens as usize
    }

    fn window(&self, _wanted: Option<&ModelName>) -> usize {
        self.config.served.window()
    }

    fn sight(&self, _wanted: Option<&ModelName>) -> Sight {
        self.config.served.sight
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

    async fn check(&self) -> Result<(), ProviderError> {
        self.wire.within_the_whole(self.list_models()).await
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
