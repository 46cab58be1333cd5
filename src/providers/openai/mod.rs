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
mod events;
mod failure;
mod reading;
mod replay;
mod request;

use std::time::Duration;

use anyhow::Context as _;
use async_trait::async_trait;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, Url};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout, timeout_at};

use self::assembly::Answer;
use self::dialect::Dialect;
use self::reading::{Progress, Reading};
use super::{ChatRequest, Heard, Provider, ProviderError, Reply, exchange};

pub use self::config::{OpenAiConfig, Timeouts};
pub use self::embeddings::{EmbeddingsConfig, OpenAiEmbeddings};
pub use self::replay::shown as replay_shown;

/// The most of an error body that is read, in bytes.
const MAX_ERROR_BYTES: usize = 64 * 1024;

/// How long to wait for the usage once the model is finished: some servers then say nothing more
/// and keep the connection open.
const AFTER_FINISH: Duration = Duration::from_secs(5);

/// A compatible server.
#[derive(Debug)]
pub struct OpenAi {
    config: OpenAiConfig,
    client: Client,
    dialect: Dialect,
}

impl OpenAi {
    /// Makes a client; nothing is sent yet.
    pub fn new(config: OpenAiConfig) -> anyhow::Result<Self> {
        let headers = authorization(config.api_key.as_ref())?;
        Ok(Self {
            client: client(&config.base_url, headers, config.timeouts.connect)?,
            config,
            dialect: Dialect::default(),
        })
    }

    async fn ask(
        &self,
        body: Map<String, Value>,
        heard: Heard<'_>,
    ) -> Result<Answer, ProviderError> {
        let deadline = Instant::now() + self.config.timeouts.first_token;
        let response = self.send(body, deadline).await?;
        self.read(response, deadline, heard).await
    }

    /// Sends a question, again as long as the server refuses a field that it can do without.
    async fn send(
        &self,
        mut body: Map<String, Value>,
        deadline: Instant,
    ) -> Result<Response, ProviderError> {
        loop {
            self.dialect.adapt(&mut body);
            let request = self
                .client
                .post(self.url(&["chat", "completions"]))
                .json(&body);
            let refusal = match self.respond(request, deadline).await {
                Ok(response) => return Ok(response),
                Err(refusal) => refusal,
            };
            if !self.dialect.learn(&body, &refusal) {
                return Err(refusal);
            }
        }
    }

    async fn respond(
        &self,
        request: RequestBuilder,
        deadline: Instant,
    ) -> Result<Response, ProviderError> {
        let response = timeout_at(deadline, request.send())
            .await
            .map_err(|_| self.silent())?
            .map_err(|error| self.lost(error))?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let body = timeout(self.config.timeouts.idle, error_body(response)).await;
        Err(failure::refused(
            status,
            &headers,
            &body.unwrap_or_default(),
        ))
    }

    async fn read(
        &self,
        mut response: Response,
        mut deadline: Instant,
        heard: Heard<'_>,
    ) -> Result<Answer, ProviderError> {
        let mut reading = Reading::new(response.status().as_u16());
        let mut progress = Progress::Silent;
        loop {
            let chunk = match timeout_at(deadline, response.chunk()).await {
                Ok(Ok(Some(chunk))) => chunk,
                Ok(Ok(None)) => break,
                // What follows the finish is welcome, but not waited for.
                Ok(Err(_)) | Err(_) if progress == Progress::Finished => break,
                Ok(Err(error)) => return Err(self.lost(error)),
                Err(_) if progress == Progress::Silent => return Err(self.silent()),
                Err(_) => return Err(self.stalled()),
            };
            match reading.push(&chunk, heard)? {
                Progress::Silent => {}
                Progress::Done => break,
                news @ (Progress::Heard | Progress::Finished) => {
                    progress = news;
                    deadline = Instant::now() + self.patience(news);
                }
            }
        }
        reading.finish(heard)
    }

    fn patience(&self, progress: Progress) -> Duration {
        match progress {
            Progress::Silent => self.config.timeouts.first_token,
            Progress::Heard => self.config.timeouts.idle,
            Progress::Finished | Progress::Done => AFTER_FINISH.min(self.config.timeouts.idle),
        }
    }

    async fn list_models(&self) -> Result<(), ProviderError> {
        let deadline = Instant::now() + self.config.timeouts.first_token;
        let request = self.client.get(self.url(&["models"]));
        let response = match self.respond(request, deadline).await {
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

    fn url(&self, segments: &[&str]) -> Url {
        endpoint(&self.config.base_url, segments)
    }

    async fn within_the_whole<T>(
        &self,
        work: impl Future<Output = Result<T, ProviderError>>,
    ) -> Result<T, ProviderError> {
        let whole = self.config.timeouts.whole;
        timeout(whole, work)
            .await
            .unwrap_or(Err(ProviderError::TimedOut {
                stage: "finish",
                after: whole,
            }))
            .map_err(|error| failure::without_key(error, self.config.api_key.as_ref()))
    }

    fn lost(&self, error: reqwest::Error) -> ProviderError {
        failure::on_the_way(error, self.config.timeouts.connect)
    }

    fn silent(&self) -> ProviderError {
        ProviderError::TimedOut {
            stage: "begin to answer",
            after: self.config.timeouts.first_token,
        }
    }

    fn stalled(&self) -> ProviderError {
        ProviderError::TimedOut {
            stage: "go on",
            after: self.config.timeouts.idle,
        }
    }
}

#[async_trait]
impl Provider for OpenAi {
    fn name(&self) -> &str {
        &self.config.name
    }

    fn model(&self) -> &str {
        &self.config.model
    }

    async fn chat_with_tools(
        &self,
        request: ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let ignored = |_: &str| {};
        let heard: Heard<'_> = if request.stream { heard } else { &ignored };
        exchange::log_request(&self.config, &request);
        let body = request::body(&self.config, &request);
        self.within_the_whole(async { self.ask(body, heard).await?.into_reply() })
            .await
    }

    async fn check(&self) -> Result<(), ProviderError> {
        self.within_the_whole(self.list_models()).await
    }
}

/// Makes the client of a service; nothing is sent yet.
fn client(base_url: &Url, headers: HeaderMap, connect: Duration) -> anyhow::Result<Client> {
    let mut client = Client::builder()
        .default_headers(headers)
        .connect_timeout(connect)
        // A key must not follow a redirect, and a question must not become a GET.
        .redirect(Policy::none());
    if is_loopback(base_url) {
        client = client.no_proxy();
    }
    client
        .build()
        .context("cannot set up the client of a model service")
}

/// Returns the address of an endpoint; what `base_url` carries as its query stays.
fn endpoint(base_url: &Url, segments: &[&str]) -> Url {
    let mut url = base_url.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
    url
}

fn authorization(key: Option<&SecretString>) -> anyhow::Result<HeaderMap> {
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

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Returns what there is of a body, up to the bound: a half-read reason is better than none.
async fn error_body(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        let room = MAX_ERROR_BYTES - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if body.len() == MAX_ERROR_BYTES {
            break;
        }
    }
    body
}

#[cfg(test)]
mod server_tests;

#[cfg(test)]
mod recorded_tests;

#[cfg(test)]
mod request_tests;
