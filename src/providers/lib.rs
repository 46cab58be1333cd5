//! Models behind [`Provider`] and [`Embedder`], and what can go wrong when asking one.
//!
//! A provider knows messages and tool specifications. It does not know users, chats, what a tool
//! means, or whether a call may run.
//!
//! # Files
//!
//! `Provider` with the `ModelCapacity` of its models, `Embedder`, the OpenAI-compatible clients of
//! both (`openai/`), the client of Anthropic's messages (`anthropic/`), that of llama.cpp's
//! `/completion` (`llama/`), calls found in text (`in_text/`), what both have of HTTP and streams
//! (`wire/`), static embedding models from a directory (`local/`, only with the feature
//! `local-embeddings`), the offline model (`offline/`), retry, several keys and failover over
//! several (`reliable/`, its reactions in `reaction.rs`).
//!
//! # Invariants
//!
//! - A provider does not know users, chats or what a tool means.
//! - `providers` alone speaks HTTP to a model; errors carry no key.
//! - What a model thought and signed (`transcript::Thought`) is part of the journal's answer, so a
//!   resumed turn sends it back as it came; it is never changed, and left out whole where it holds
//!   a secret.
//! - What a compatible server does otherwise is a row of `openai/quirks.rs`, never an `if` on a
//!   host; what no row says is learned from refusals by `openai/dialect.rs`. What a model can read
//!   is a row of `windows.rs`.
//! - A tool whose schema a service refuses is named in the refusal; it is left out of further
//!   requests to that service (`wire/refused_tools.rs`) and shown in `/status`.
//! - The form of an answer that a program reads is data (`form.rs`): a grammar or a JSON Schema on
//!   the wire, and its readers do not rely on it. How tools reach a model (`ToolsIn`) is the
//!   client's affair.
//! - `repetition.rs` watches every text of an answer while it streams, arguments and reasoning too,
//!   and ends the call when it only repeats itself. `reliable` does not ask again then: `agent`
//!   does, once, for it pays.

mod anthropic;
mod attempts;
mod embedder;
mod embedder_source;
mod estimate;
mod exchange;
mod form;
mod health_check;
mod in_text;
mod limits;
mod llama;
#[cfg(feature = "local-embeddings")]
mod local;
#[cfg(not(feature = "local-embeddings"))]
#[path = "no_local.rs"]
mod local;
mod messages;
mod offline;
mod openai;
mod options;
mod received;
mod redacted;
mod reliable;
mod repetition;
#[cfg(any(test, feature = "testing"))]
mod scripted;
mod served;
mod stopwatch;
mod visible_text;
mod windows;
mod wire;

use std::time::Duration;

use async_trait::async_trait;
use sayso_core::transcript::{
    AssistantMessage, ConversationMessage, ModelName, ModelRequest, ToolSpec, Usage,
};
use thiserror::Error;

pub use anthropic::{Anthropic, AnthropicConfig, anthropic_shown};
pub use attempts::Attempts;
pub use embedder::{Embedder, Embedding, MAX_DIMENSION, MAX_TEXTS, RedactedEmbedder};
pub use embedder_source::EmbedderSource;
pub use estimate::{request_tokens, text_tokens};
pub use form::{AnswerForm, Field, Form};
pub use llama::{AutoLlama, Llama, LlamaConfig, TEMPLATES};
pub use messages::{for_user, may_be_tried_again};
pub use offline::Offline;
pub use openai::{EmbeddingsConfig, OpenAi, OpenAiConfig, OpenAiEmbeddings, Quirks, replay_shown};
pub use options::{ChatOptions, Retries, Stage, Watcher};
pub use received::{Counted, MOST_TOKENS, Received};
pub use redacted::Redacted;
pub use reliable::{Keys, Reliable};
pub use sayso_core::transcript::KeyRefused;
#[cfg(any(test, feature = "testing"))]
pub use scripted::{Asked, Scripted};
pub use served::ServedModel;
pub use wire::{Timeouts, VisionSupport};

/// Returns whether a model sees pictures, as far as its name tells.
pub fn sight_of(model: &str) -> VisionSupport {
    windows::sight_of(model)
}

/// Where the text of an answer goes, piece by piece, as it arrives.
pub type Heard<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// A model service.
#[async_trait]
pub trait Provider: ModelCapacity + Send + Sync {
    /// Returns the name in the configuration.
    fn name(&self) -> &str;

    /// Returns the model that answers.
    fn model(&self) -> &str;

    /// Returns the names of the tools that the service refused so far because of their schemas, and
    /// that it is not sent again.
    fn refused_tools(&self) -> Vec<String> {
        Vec::new()
    }

    /// Asks the model once. Dropping the future ends the request.
    ///
    /// With [`ChatRequest::stream`], `heard` is called with each piece of text as it arrives; the
    /// returned reply is whole in either case. A stream that ends without its finish is an error,
    /// as is an answer with neither text nor calls when no `reasoning_content` came either. One that
    /// only repeats itself is cut off, so that no more of it is paid for.
    async fn chat_with_tools(
        &self,
        request: ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError>;

    /// Checks that the service answers, takes the key and takes a question with a tool, for `doctor`;
    /// costs a few tokens at most.
    async fn check(&self) -> Result<Checked, ProviderError>;
}

/// What the models of a service can take in and give out.
pub trait ModelCapacity {
    /// Returns how much the model can read at once, in tokens, as far as that is known; of a model
    /// that is wanted instead, where there are several.
    fn window(&self, wanted: Option<&ModelName>) -> usize;

    /// Returns what estimates of tokens are multiplied by for the model that is asked first, as far as
    /// its service has counted; 1 where nothing is known.
    fn token_factor(&self, _wanted: Option<&ModelName>) -> f64 {
        1.0
    }

    /// Returns how long an answer may become, in tokens, which share the window with the question; of a
    /// model that is wanted instead, where there are several. 0 where nothing bounds it.
    fn longest_answer(&self, _wanted: Option<&ModelName>) -> usize {
        0
    }

    /// Returns whether the model that is asked first answers two questions side by side: its server has
    /// room for both, and does not limit requests just now.
    fn answers_two_at_once(&self, _wanted: Option<&ModelName>) -> bool {
        true
    }

    /// Returns whether a model that may answer sees pictures.
    fn sight(&self, _wanted: Option<&ModelName>) -> VisionSupport {
        VisionSupport::None
    }
}

/// One question to a model.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChatRequest<'a> {
    /// The system prompt.
    pub system: &'a str,
    /// The conversation, oldest first.
    pub messages: &'a [ConversationMessage],
    /// The tools it may call; empty forbids any.
    pub tools: &'a [ToolSpec],
    /// How freely it words; `None` takes the configured value.
    pub temperature: Option<f64>,
    /// Whether text is wanted while it arrives.
    pub stream: bool,
    /// Where each attempt is noted, if somebody wants to know.
    pub attempts: Option<&'a Attempts>,
    /// The model that is asked first; `None` takes the order of the configuration.
    pub wanted: Option<&'a ModelName>,
    /// What it wants beside its words.
    pub options: ChatOptions<'a>,
}

/// What a check of a service has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checked {
    /// How tools reach the model.
    pub tools: ToolsIn,
}

/// How tools reach a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ToolsIn {
    /// In the field of the protocol; the template of the model writes them.
    #[default]
    Field,
    /// In the system prompt, for a model whose template knows none.
    Prompt,
}

impl ChatRequest<'_> {
    /// Returns how many pictures it shows.
    pub fn pictures(&self) -> usize {
        let images = self.messages.iter().flat_map(ConversationMessage::images);
        images.filter(|image| image.data.is_some()).count()
    }
}

impl ChatRequest<'_> {
    /// Returns where pieces of the answer go: nowhere, unless they are wanted as they arrive.
    fn listener<'h>(&self, heard: Heard<'h>) -> Heard<'h> {
        if self.stream { heard } else { &|_| {} }
    }
}

/// The answer of a model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reply {
    /// What it said and which tools it wants. Call ids may repeat and may be empty.
    pub message: AssistantMessage,
    /// The model that answered; empty where there was only one to ask.
    pub model: String,
    /// What it cost.
    pub usage: Usage,
    /// How many tokens prompt and answer have together, where the service says so; 0 where not.
    pub total_tokens: u64,
    /// Whether it was cut at the token limit.
    pub truncated: bool,
    /// Whether the service withheld the rest of it.
    pub filtered: bool,
    /// How it was asked; `None` unless somebody watched.
    pub asking: Option<ModelRequest>,
}

impl Reply {
    /// Returns what the service counted.
    pub fn counted(&self) -> Counted {
        Counted {
            usage: self.usage,
            total_tokens: self.total_tokens,
        }
    }
}

/// Why a model did not answer. Texts are for operators and hold no secrets.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProviderError {
    /// No connection, or it was lost.
    #[error("cannot reach the model: {0}")]
    Unreachable(String),
    /// It took too long; says which stage and how long we waited.
    #[error("the model did not {stage} within {} s", .after.as_secs())]
    TimedOut {
        /// `connect`, `begin to answer`, `go on` or `finish`.
        stage: &'static str,
        /// How long we waited.
        after: Duration,
    },
    /// Too many requests; may be asked again after this time.
    #[error("the model service is limiting requests")]
    RateLimited {
        /// What the service asks for, where it says.
        retry_after: Option<Duration>,
    },
    /// The key, the model's name or the request is refused: asking again does not help.
    #[error("the model service refuses (HTTP {status}): {message}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What the service says, at most 300 characters, key removed.
        message: String,
    },
    /// The service failed on its side (5xx).
    #[error("the model service failed (HTTP {status}): {message}")]
    Broken {
        /// The HTTP status.
        status: u16,
        /// What the service says, at most 300 characters.
        message: String,
    },
    /// It answered something that is no answer: bad JSON, a stream without end, nothing at all.
    #[error("the model's answer cannot be read: {0}")]
    Garbage(String),
    /// It said the same again and again, and was cut off; says what came how often.
    #[error("the model only repeats itself: {0}")]
    Repeating(String),
    /// No provider is configured.
    #[error("no model is configured")]
    Missing,
}
