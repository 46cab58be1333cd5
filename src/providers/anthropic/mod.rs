//! Anthropic's messages API: sends the question, and leaves the words of the wire to its files.
//!
//! It asks once. Whether to ask again, or somebody else, is up to `reliable`; only a request field
//! that the model does not take is left out here and the question repeated.

mod assembly;
mod config;
mod conversation;
mod dialect;
mod failure;
mod replay;
mod request;
mod response;

use anyhow::Context as _;
use async_trait::async_trait;
use reqwest::Response;
use reqwest::header::{HeaderMap, HeaderValue};
use sayso_core::transcript::ModelName;
use secrecy::{ExposeSecret as _, SecretString};
use tokio::time::Instant;

use self::assembly::Answer;
use self::dialect::Dialect;
use self::response::Stream;
use super::wire::failure::WEB_PAGE;
use super::wire::{Wire, error_body};
use super::{
    ChatRequest, Checked, Heard, ModelCapacity, Provider, ProviderError, Reply, VisionSupport,
    exchange,
};

pub use self::config::AnthropicConfig;
pub use self::replay::shown as anthropic_shown;

/// The version of the API that is spoken here.
const VERSION: &str = "2023-06-01";

/// A server that speaks Anthropic's messages.
#[derive(Debug)]
pub struct Anthropic {
    config: AnthropicConfig,
    wire: Wire,
    dialect: Dialect,
}

impl Anthropic {
    /// Makes a client; nothing is sent yet.
    pub fn new(config: AnthropicConfig) -> anyhow::Result<Self> {
        Ok(Self {
            wire: Wire::new(
                &config.served,
                headers(config.served.api_key.as_ref())?,
                failure::refused,
            )?,
            config,
            dialect: Dialect::default(),
        })
    }

    async fn ask(
        &self,
        request: &ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Answer, ProviderError> {
        let deadline = self.wire.deadline();
        let response = self.send(request, deadline).await?;
        let wire = &self.wire;
        wire.read::<Stream>(response, deadline, request, heard)
            .await
    }

    /// Sends a question, again as long as the server refuses a field that it can do without.
    async fn send(
        &self,
        request: &ChatRequest<'_>,
        deadline: Instant,
    ) -> Result<Response, ProviderError> {
        loop {
            let mut body = request::body(&self.config, request, &self.dialect);
            self.dialect.refused_tools.take_from(&mut body);
            let question = self.wire.post(&self.path(&["messages"])).json(&body);
            let refusal = match self.wire.respond(question, deadline).await {
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
        let request = self.wire.get(&self.path(&["models"]));
        let response = match self.wire.respond(request, deadline).await {
            Err(ProviderError::Refused { status: 404, .. }) => {
                let question = request::smallest_body(&self.config);
                let question = self.wire.post(&self.path(&["messages"])).json(&question);
                return self.wire.respond(question, deadline).await.map(|_| ());
            }
            answered => answered?,
        };
        let body = error_body(response).await;
        match body.trim_ascii().first() {
            Some(b'<') => Err(ProviderError::Garbage(WEB_PAGE.to_owned())),
            _ => Ok(()),
        }
    }

    /// Returns the way to an endpoint: the address is written with the version and without.
    fn path<'a>(&self, endpoint: &[&'a str]) -> Vec<&'a str> {
        let segments = self.config.served.base_url.path_segments();
        let last = segments.and_then(|mut segments| segments.rfind(|it| !it.is_empty()));
        let version = (last != Some("v1")).then_some("v1");
        version
            .into_iter()
            .chain(endpoint.iter().copied())
            .collect()
    }
}

#[async_trait]
impl Provider for Anthropic {
    fn name(&self) -> &str {
        &self.config.served.name
    }

    fn model(&self) -> &str {
        &self.config.served.model
    }

    fn refused_tools(&self) -> Vec<String> {
        self.dialect.refused_tools.names()
    }

    async fn chat_with_tools(
        &self,
        request: ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let heard = request.listener(heard);
        exchange::log_request(&self.config.served, "anthropic", &request);
        self.wire
            .within_the_whole(async { self.ask(&request, heard).await?.into_reply() })
            .await
    }

    async fn check(&self) -> Result<Checked, ProviderError> {
        let listed = self.wire.within_the_whole(self.list_models()).await;
        listed.map(|()| Checked::default())
    }
}

impl ModelCapacity for Anthropic {
    fn longest_answer(&self, _wanted: Option<&ModelName>) -> usize {
        self.config.served.max_tokens as usize
    }

    fn window(&self, _wanted: Option<&ModelName>) -> usize {
        self.config.served.window()
    }

    fn sight(&self, _wanted: Option<&ModelName>) -> VisionSupport {
        self.config.served.sight
    }
}

fn headers(key: Option<&SecretString>) -> anyhow::Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    headers.insert("anthropic-version", HeaderValue::from_static(VERSION));
    if let Some(key) = key {
        let mut key = HeaderValue::try_from(key.expose_secret())
            .ok()
            .context("the API key holds characters that no HTTP header can carry")?;
        key.set_sensitive(true);
        headers.insert("x-api-key", key);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::{Anthropic, AnthropicConfig};
    use crate::ServedModel;

    pub(super) fn config(base_url: &str) -> AnthropicConfig {
        AnthropicConfig {
            served: ServedModel::sample(base_url, "claude"),
            thinking_tokens: None,
        }
    }

    #[test]
    fn debug_shows_neither_key_nor_password() {
        let mut config = config("https://me:hidden@a.example/v1");
        config.served.api_key = Some("sk-ant-hush".into());
        let shown = format!("{:?}", Anthropic::new(config).unwrap());
        assert!(
            !shown.contains("hush") && !shown.contains("hidden"),
            "{shown}"
        );
    }

    #[test]
    fn the_version_stands_in_the_address_once() {
        let check = |base_url: &str, expected: &[&str]| {
            let client = Anthropic::new(config(base_url)).unwrap();
            assert_eq!(client.path(&["messages"]), expected, "{base_url}");
        };
        check("https://api.anthropic.com", &["v1", "messages"]);
        check("https://api.anthropic.com/", &["v1", "messages"]);
        check("https://api.anthropic.com/v1", &["messages"]);
        check("https://a.example/anthropic/v1/", &["messages"]);
        check("https://a.example/anthropic", &["v1", "messages"]);
    }
}

#[cfg(test)]
mod recorded_tests;
