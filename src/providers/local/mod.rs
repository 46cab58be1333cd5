//! Static embedding models from a directory in model2vec form, run in this process.
//!
//! Such a model is a table with a vector for each token; a text means the mean of its tokens. So it
//! needs no network of neurons and answers in well under a millisecond. A directory has the files as
//! they are published: `tokenizer.json`, `model.safetensors` and `config.json`. Models of other kinds
//! (all-MiniLM and other transformers) are not read; model2vec distils them into this form.

mod files;
mod table;

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use async_trait::async_trait;
use tokenizers::Tokenizer;
use tokio::task::spawn_blocking;

use self::table::Table;
use super::embedder::{Embedder, Embedding};
use super::{MAX_TEXTS, ProviderError};

/// The most tokens of a text that are looked at, as in model2vec.
const MOST_TOKENS: usize = 512;

/// Loads the model of a directory.
///
/// # Errors
/// Fails when a file is missing or damaged, and when its vectors are not as they must be.
pub(super) async fn open(
    directory: &Path,
    dimensions: Option<usize>,
) -> anyhow::Result<Arc<dyn Embedder>> {
    let directory = directory.to_owned();
    let loaded = spawn_blocking(move || {
        let loaded = files::load(&directory, dimensions);
        loaded.with_context(|| format!("cannot load the model in `{}`", directory.display()))
    });
    let model = loaded.await.context("loading the model was cut off")??;
    Ok(Arc::new(LocalEmbedder(Arc::new(model))))
}

/// A model that is loaded.
struct LocalEmbedder(Arc<Model>);

/// What texts are turned into vectors with.
struct Model {
    /// Its directory's name and a digest of its files: other files are another model.
    name: String,
    tokenizer: Tokenizer,
    /// The token of what is not in the vocabulary, which says nothing.
    unknown: Option<u32>,
    table: Table,
}

impl Model {
    fn vector(&self, text: &str) -> Result<Vec<f32>, ProviderError> {
        let encoded = self.tokenizer.encode_fast(text, false);
        let encoded = encoded.map_err(|error| {
            ProviderError::Garbage(format!("the tokenizer of the model fails: {error}"))
        })?;
        let known = encoded.get_ids().iter().copied();
        let known = known.filter(|token| Some(*token) != self.unknown);
        Ok(self.table.mean(known.take(MOST_TOKENS)))
    }
}

#[async_trait]
impl Embedder for LocalEmbedder {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn dimension(&self) -> Option<usize> {
        Some(self.0.table.dimension())
    }

    fn is_paid(&self) -> bool {
        false
    }

    async fn embed(&self, texts: &[String]) -> Result<Embedding, ProviderError> {
        if !(1..=MAX_TEXTS).contains(&texts.len()) {
            let count = texts.len();
            let why = format!("asked for {count} texts at once");
            return Err(ProviderError::Garbage(why));
        }
        let (model, texts) = (Arc::clone(&self.0), texts.to_vec());
        let embedded = spawn_blocking(move || {
            let vectors = texts.iter().map(|text| model.vector(text));
            vectors.collect::<Result<Vec<_>, _>>()
        });
        let cut_off = |error| ProviderError::Garbage(format!("embedding was cut off: {error}"));
        Ok(Embedding {
            vectors: embedded.await.map_err(cut_off)??,
            tokens: None,
        })
    }
}

#[cfg(test)]
mod tests;
