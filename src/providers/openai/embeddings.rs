//! Any server that speaks OpenAI's `/embeddings`.
//!
//! It retries by itself, since no caller does; its answers are checked before they are used.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::{Client, Response};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::timeout;

use super::{authorization, failure};
use crate::embedder::{Embedder, Embedding, MAX_DIMENSION, MAX_TEXTS};
use crate::wire::{client, endpoint, error_body};
use crate::{MOST_TOKENS, ProviderError, Timeouts};

/// The most of an answer that is read, in bytes: enough for [`MAX_TEXTS`] of the longest vectors.
const MAX_ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// How often a request is repeated.
const RETRIES: u32 = 2;

/// The pause before the first repetition; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// The longest pause that a service may ask for; who asks for more is not asked again.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Words with which servers say that a text is too long.
const TOO_LONG: [&str; 6] = [
    "too large to process",
    "too long",
    "context length",
    "context size",
    "maximum sequence",
    "token limit",
];

/// One embedding model, and the server that has it.
#[derive(Debug, Clone)]
pub struct EmbeddingsConfig {
    /// What stands before `/embeddings`.
    pub base_url: reqwest::Url,
    /// Sent as the bearer token.
    pub api_key: Option<SecretString>,
    /// The model to ask for.
    pub model: String,
    /// How many numbers a vector shall have, where the model leaves a choice.
    pub dimensions: Option<usize>,
    /// How long one request may take.
    pub timeout: Duration,
}

/// A compatible server.
#[derive(Debug)]
pub struct OpenAiEmbeddings {
    config: EmbeddingsConfig,
    client: Client,
    first_pause: Duration,
}

#[derive(Serialize)]
struct Question<'a> {
    model: &'a str,
    input: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
    /// Some servers count otherwise, or in other forms; a count is no reason to refuse vectors.
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct Item {
    index: usize,
    embedding: Vec<f32>,
}

impl OpenAiEmbeddings {
    /// Makes a client; nothing is sent yet.
    pub fn new(config: EmbeddingsConfig) -> anyhow::Result<Self> {
        let headers = authorization(config.api_key.as_ref())?;
        let connect = Timeouts::for_silence(config.timeout).connect;
        Ok(Self {
            client: client(&config.base_url, headers, connect)?,
            config,
            first_pause: FIRST_PAUSE,
        })
    }

    async fn ask(&self, texts: &[String]) -> Result<Embedding, ProviderError> {
        let work = self.exchange(texts);
        let asked = timeout(self.config.timeout, work).await;
        asked
            .unwrap_or(Err(ProviderError::TimedOut {
                stage: "answer",
                after: self.config.timeout,
            }))
            .map_err(|error| failure::without_key(error, self.config.api_key.as_ref()))
    }

    async fn exchange(&self, texts: &[String]) -> Result<Embedding, ProviderError> {
        let question = Question {
            model: &self.config.model,
            input: texts,
            dimensions: self.config.dimensions,
        };
        let request = self
            .client
            .post(endpoint(&self.config.base_url, &["embeddings"]))
            .json(&question);
        let response = request.send().await.map_err(|error| self.lost(error))?;
        let status = response.status();
        if !status.is_success() {
            let headers = response.headers().clone();
            let body = error_body(response).await;
            return Err(failure::refused(status.as_u16(), &headers, &body));
        }
        let body = self.body(response).await?;
        self.vectors(&body, texts.len(), status.as_u16())
    }

    async fn body(&self, mut response: Response) -> Result<Vec<u8>, ProviderError> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.lost(error))? {
            if body.len() + chunk.len() > MAX_ANSWER_BYTES {
                return Err(garbage(format!("more than {MAX_ANSWER_BYTES} bytes")));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// Reads an answer: a vector for each text, put in the order of the texts by its `index`, and
    /// what was counted for it.
    fn vectors(&self, body: &[u8], texts: usize, status: u16) -> Result<Embedding, ProviderError> {
        let answer: Answer = serde_json::from_slice(body).map_err(|error| {
            let value = serde_json::from_slice::<Value>(body).unwrap_or_default();
            failure::in_answer(&value, status)
                .unwrap_or_else(|| garbage(format!("no list of vectors: {error}")))
        })?;
        if answer.data.len() != texts {
            let count = answer.data.len();
            return Err(garbage(format!("{count} vectors for {texts} texts")));
        }
        let mut places: Vec<Option<Vec<f32>>> = vec![None; texts];
        for item in answer.data {
            match places.get_mut(item.index) {
                Some(place @ None) => *place = Some(item.embedding),
                Some(Some(_)) => return Err(garbage(format!("two vectors of {}", item.index))),
                None => return Err(garbage(format!("a vector of {}", item.index))),
            }
        }
        let vectors: Vec<Vec<f32>> = places.into_iter().flatten().collect();
        self.check(&vectors)?;
        let counted = ["prompt_tokens", "total_tokens"];
        let mut counted = counted.iter().filter_map(|it| answer.usage[*it].as_u64());
        Ok(Embedding {
            vectors,
            tokens: counted.find(|tokens| (1..=MOST_TOKENS).contains(tokens)),
        })
    }

    fn check(&self, vectors: &[Vec<f32>]) -> Result<(), ProviderError> {
        let first = vectors.first().map_or(0, Vec::len);
        let wanted = self.config.dimensions.unwrap_or(first);
        if !(1..=MAX_DIMENSION).contains(&wanted) {
            return Err(garbage(format!("vectors of {wanted} numbers")));
        }
        for vector in vectors {
            if vector.len() != wanted {
                let length = vector.len();
                return Err(garbage(format!(
                    "a vector of {length} numbers instead of {wanted}"
                )));
            }
            if !vector.iter().all(|number| number.is_finite()) {
                return Err(garbage("a vector with what is no number".to_owned()));
            }
        }
        Ok(())
    }

    fn lost(&self, error: reqwest::Error) -> ProviderError {
        let connect = Timeouts::for_silence(self.config.timeout).connect;
        failure::on_the_way(error, connect)
    }

    /// Returns how long to wait before the request is repeated; `None` where that is no use.
    fn pause(&self, error: &ProviderError, retries: u32) -> Option<Duration> {
        let own = self.first_pause * 2_u32.pow(retries);
        let pause = match error {
            ProviderError::Broken { message, .. } if is_too_long(message) => return None,
            ProviderError::RateLimited { retry_after } => retry_after.unwrap_or(own).max(own),
            ProviderError::Broken { .. } | ProviderError::Unreachable(_) => own,
            ProviderError::TimedOut { .. }
            | ProviderError::Refused { .. }
            | ProviderError::Garbage(_)
            | ProviderError::Repeating(_)
            | ProviderError::Missing => return None,
        };
        (retries < RETRIES && pause <= LONGEST_PAUSE).then_some(pause)
    }
}

#[async_trait]
impl Embedder for OpenAiEmbeddings {
    fn name(&self) -> &str {
        &self.config.model
    }

    fn dimension(&self) -> Option<usize> {
        self.config.dimensions
    }

    async fn embed(&self, texts: &[String]) -> Result<Embedding, ProviderError> {
        if !(1..=MAX_TEXTS).contains(&texts.len()) {
            let count = texts.len();
            return Err(garbage(format!("asked for {count} texts at once")));
        }
        let mut retries = 0;
        loop {
            let error = match self.ask(texts).await {
                Ok(embedding) => return Ok(embedding),
                Err(error) => error,
            };
            let Some(pause) = self.pause(&error, retries) else {
                return Err(error);
            };
            tracing::debug!(%error, ?pause, "retrying the embedder");
            tokio::time::sleep(pause).await;
            retries += 1;
        }
    }
}

/// Returns whether a server says that a text is too long for it. llama.cpp calls that a fault of
/// its own; asked again, it says the same.
fn is_too_long(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    TOO_LONG.iter().any(|words| message.contains(words))
}

fn garbage(what: String) -> ProviderError {
    ProviderError::Garbage(what)
}

#[cfg(test)]
#[path = "embeddings_tests.rs"]
mod tests;
