//! Models that turn texts into vectors, behind [`Embedder`]. What a vector is good for is not known
//! here.

use std::sync::Arc;

use async_trait::async_trait;
use sayso_core::redact::Redactor;

use super::ProviderError;

/// The most texts of one request; some servers take no more than this.
pub const MAX_TEXTS: usize = 32;

/// The most numbers of one vector.
pub const MAX_DIMENSION: usize = 8192;

/// What an embedder answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedding {
    /// One vector for each text, in the order of the texts.
    pub vectors: Vec<Vec<f32>>,
    /// The tokens that were read for it, if it says so.
    pub tokens: Option<u64>,
}

/// A model that says what texts mean. Its name and the dimension of its vectors identify it: only
/// vectors of the same two can be compared.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Returns the name of the model.
    fn name(&self) -> &str;

    /// Returns the dimension, where it is known before the model has answered.
    fn dimension(&self) -> Option<usize>;

    /// Returns one vector for each text, in the order of the texts: at least one of them and at most
    /// [`MAX_TEXTS`]. All vectors of an answer have one dimension, 1 to [`MAX_DIMENSION`], and hold
    /// finite numbers only; an answer in which that is not so is an error.
    async fn embed(&self, texts: &[String]) -> Result<Embedding, ProviderError>;

    /// Returns whether its work is paid for by the token.
    fn is_paid(&self) -> bool {
        true
    }
}

/// An embedder that is shown no secrets.
pub struct RedactedEmbedder {
    embedder: Arc<dyn Embedder>,
    redactor: Redactor,
}

impl RedactedEmbedder {
    /// Puts a redactor in front of an embedder.
    pub fn new(embedder: Arc<dyn Embedder>, redactor: Redactor) -> Self {
        Self { embedder, redactor }
    }
}

#[async_trait]
impl Embedder for RedactedEmbedder {
    fn name(&self) -> &str {
        self.embedder.name()
    }

    fn dimension(&self) -> Option<usize> {
        self.embedder.dimension()
    }

    fn is_paid(&self) -> bool {
        self.embedder.is_paid()
    }

    async fn embed(&self, texts: &[String]) -> Result<Embedding, ProviderError> {
        let hidden: Vec<String> = texts
            .iter()
            .map(|text| self.redactor.redact(text).into_owned())
            .collect();
        self.embedder.embed(&hidden).await
    }
}
