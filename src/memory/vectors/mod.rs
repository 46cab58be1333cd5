//! Recall by meaning: vectors of what is remembered, kept up behind what is written, and searched
//! by comparing with every vector of one owner.
//!
//! Turns do not wait for the embedder. New memories are embedded afterwards (`index.rs`), and while
//! a query cannot be embedded, recall is by words alone (`outage.rs`). The current embedder is
//! identified by its answers: its name and the dimension of its vectors.
//!
//! # Invariants
//!
//! - `EmbeddingLedger` is a port: `memory` reports what an embedder read and for whom,
//!   `sessions/embedding_ledger.rs` books it on the turn that asks, or that the memory comes from.
//!   It refuses nothing and counts as no call.
//! - What was found by words is read again when the embedder has answered, so what was forgotten
//!   meanwhile is in no prompt.
//! - No reply and no writing waits for the embedder: its queue is every memory without a vector of
//!   the present embedder (name and dimension), and a recall without an answer in time is one by
//!   words.
//! - A vector has the owner of its memory, is read by `Owners` only, and goes with its memory (a
//!   foreign key) and with its text (a trigger). `store::vectors::unembedded` alone reads across
//!   owners; its rows go to the embedder and nowhere else.
//! - `memory/vectors/likeness.rs` tells how near two memories of an owner are by chance; what is no
//!   nearer to a question is not found by meaning.

mod fusion;
mod index;
mod ledger;
mod likeness;
mod outage;
mod parts;
mod quantization;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use sayso_channel::Health;
use sayso_core::transcript::{MemoryId, Owner};
use sayso_providers::{Embedder, Embedding, ProviderError};
use sayso_store::memories::{MemoryRow, Span};
use sayso_store::vectors::{self, EmbedderRow};
use sayso_store::{Store, StoreError};
use tokio::time::timeout;

use self::fusion::fuse;
use self::index::Written;
pub use self::ledger::{EmbeddingLedger, OnBehalf, TokensRead};

use self::likeness::Likeness;
use self::outage::Outage;
use self::parts::{embed_in_parts, has_parts, may_be_about_a_text, takes_another};
use self::quantization::{Nearest, Quantised};
use super::TEXT_CHARS;

/// How many of the best of each order are fused.
pub(crate) const DEPTH: usize = 50;

/// How long a recall waits for the vector of its query.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is remembered, by meaning.
pub struct Vectors {
    store: Store,
    embedder: Arc<dyn Embedder>,
    /// How near a memory must be to be found, while there are too few to tell what is near by
    /// chance.
    min_similarity: f32,
    /// Whose vectors are compared; searches and the index both learn it from an answer.
    present: Mutex<Option<EmbedderRow>>,
    outage: Outage,
    written: Written,
    /// Who books what embedding costs; `None` where it costs nothing.
    ledger: Option<Arc<dyn EmbeddingLedger>>,
}

impl Vectors {
    /// Returns the vectors in this database.
    ///
    /// # Errors
    /// Fails when the database cannot be read.
    pub async fn open(
        store: Store,
        embedder: Arc<dyn Embedder>,
        min_similarity: f32,
    ) -> Result<Self, StoreError> {
        let known = vectors::embedder(store.reader(), embedder.name(), embedder.dimension());
        let present = Mutex::new(known.await?);
        Ok(Self {
            store,
            embedder,
            min_similarity,
            present,
            outage: Outage::default(),
            written: Written::default(),
            ledger: None,
        })
    }

    /// Has what embedding costs booked, where it costs anything.
    #[must_use]
    pub fn booked_by(self, ledger: Arc<dyn EmbeddingLedger>) -> Self {
        let ledger = self.embedder.is_paid().then_some(ledger);
        Self { ledger, ..self }
    }

    /// Returns the health of the embedder.
    pub fn health(&self) -> Health {
        self.outage.health()
    }

    /// Tells that this was written.
    pub fn note_written(&self, memory: MemoryId) {
        self.written.note(memory);
    }

    /// Tells that something was written behind everything else.
    pub fn note_changed(&self) {
        self.written.wake();
    }

    /// Returns the best of what was found by words and of what is near to the query in meaning, at
    /// most `limit`. Without an answer of the embedder, the words alone decide.
    pub async fn fused_with(
        &self,
        by_words: impl Future<Output = Result<Vec<MemoryRow>, StoreError>>,
        owner: Owner,
        span: Span,
        query: &str,
        limit: usize,
    ) -> Result<Vec<MemoryRow>, StoreError> {
        let (by_words, near) = tokio::join!(by_words, self.nearest(owner, query));
        let near = near.unwrap_or_else(|error| {
            tracing::error!(error = %format!("{error:#}"), "vector search failed");
            Vec::new()
        });
        let by_words = by_words?;
        let words: Vec<MemoryId> = by_words.iter().map(|row| row.id).collect();
        let order = fuse(&words, &near, limit);
        // The rows are read again, because memories may have been forgotten while the embedder
        // worked. Lines of conversations are not among the memories.
        let mut rows = vectors::named(self.store.reader(), owner, &order, span).await?;
        rows.extend(by_words.into_iter().filter(|row| row.said.is_some()));
        Ok(in_order(rows, &order, limit))
    }

    /// Returns what is nearest to a query, nearest first.
    async fn nearest(&self, owner: Owner, query: &str) -> anyhow::Result<Vec<MemoryId>> {
        let Some(vector) = self.vector_of(owner, query).await else {
            return Ok(Vec::new());
        };
        let present = self.present();
        let Some(present) = present.filter(|it| it.dimension == vector.len() as i64) else {
            self.turn_to(vector.len()).await?;
            return Ok(Vec::new());
        };
        let query = Quantised::of(&vector);
        let mut nearest = Nearest::new(query, DEPTH);
        let mut likeness = Likeness::default();
        vectors::walk(self.store.reader(), owner, present, |block| {
            nearest.look_at(block.rows());
            likeness.look_at(block.rows());
        })
        .await?;
        Ok(nearest.into_ids(likeness.by_chance().unwrap_or(self.min_similarity)))
    }

    /// Returns the vector of a query, if there is one in time.
    async fn vector_of(&self, owner: Owner, query: &str) -> Option<Vec<f32>> {
        if query.trim().is_empty() || self.outage.is_fresh() {
            return None;
        }
        let query = [query.chars().take(TEXT_CHARS).collect()];
        let asked = timeout(PATIENCE, self.embed_query(&query)).await;
        self.book_query(owner, &query, &asked).await;
        match asked {
            Ok(Ok(mut embedding)) => {
                self.outage.is_over();
                embedding.vectors.pop()
            }
            Ok(Err(error)) => {
                self.outage.note(&error.to_string());
                None
            }
            Err(_) => {
                self.outage.note("it takes too long");
                None
            }
        }
    }

    /// Asks for the vector of a query; for that of its parts, where it is refused for its length.
    async fn embed_query(&self, query: &[String; 1]) -> Result<Embedding, ProviderError> {
        let embedder = self.embedder.as_ref();
        let [text] = query;
        match embedder.embed(query).await {
            Err(error) if may_be_about_a_text(&error) && has_parts(text) => {
                if !takes_another(embedder).await {
                    return Err(error);
                }
                tracing::debug!(%error, "query embedded in chunks");
                embed_in_parts(embedder, text, error).await
            }
            asked => asked,
        }
    }

    fn present(&self) -> Option<EmbedderRow> {
        *self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes vectors of this dimension from now on, and has everything embedded that has none.
    async fn turn_to(&self, dimension: usize) -> anyhow::Result<EmbedderRow> {
        let name = self.embedder.name().to_owned();
        let noted = self.store.write(move |tx| {
            Box::pin(async move { vectors::note_embedder(tx, &name, dimension).await })
        });
        let noted = noted.await.context("cannot note the embedder")?;
        *self.present.lock().unwrap_or_else(PoisonError::into_inner) = Some(noted);
        self.written.wake();
        Ok(noted)
    }
}

/// Returns the rows in this order, each text once: two accounts of a person may remember the same.
fn in_order(mut rows: Vec<MemoryRow>, order: &[MemoryId], limit: usize) -> Vec<MemoryRow> {
    let mut found: Vec<MemoryRow> = Vec::new();
    for id in order {
        if found.len() == limit {
            break;
        }
        let Some(place) = rows.iter().position(|row| row.id == *id) else {
            continue;
        };
        let row = rows.swap_remove(place);
        if found.iter().all(|other| other.text != row.text) {
            found.push(row);
        }
    }
    found
}

#[cfg(test)]
mod tests;
