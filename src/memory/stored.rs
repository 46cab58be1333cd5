//! Memory over the database.

use std::sync::Arc;

use anyhow::{Context as _, bail};
use async_trait::async_trait;

use super::bigrams::{index_words, written_terms};
use super::rank::{Entry, Query, Statistics, rank};
use super::vectors::{DEPTH, Vectors};
use super::{Memory, MemoryKind, NewMemory, Recalled, TEXT_CHARS};
use crate::store::memories::{self, MemoryRow, MemoryToKeep};
use crate::store::{Store, StoreError, Urgency};
use crate::transcript::{MemoryId, Owner};

/// What is remembered, in the database of this instance.
#[derive(Clone)]
pub struct StoredMemory {
    store: Store,
    vectors: Option<Arc<Vectors>>,
}

impl StoredMemory {
    /// Returns the memory in this database.
    pub fn new(store: Store) -> Self {
        Self {
            store,
            vectors: None,
        }
    }

    /// Has memories found by their meaning, too.
    #[must_use]
    pub fn with_vectors(self, vectors: Option<Arc<Vectors>>) -> Self {
        Self { vectors, ..self }
    }

    /// Returns what holds words of a query, best first.
    async fn by_words(
        &self,
        owner: Owner,
        query: &str,
        limit: usize,
    ) -> Result<Vec<MemoryRow>, StoreError> {
        let asked = Query::new(query);
        let terms = [asked.terms(), &written_terms(query)].concat();
        let found = memories::candidates(self.store.reader(), owner, &terms).await?;
        let statistics = Statistics {
            entries: found.owned,
            holding: found.held,
            ..Statistics::default()
        };
        let entries: Vec<_> = found.rows.iter().map(entry).collect();
        Ok(rank(&asked, &statistics, &entries)
            .into_iter()
            .take(limit)
            .filter_map(|place| found.rows.get(place).cloned())
            .collect())
    }
}

#[async_trait]
impl Memory for StoredMemory {
    async fn remember(&self, owner: Owner, new: NewMemory) -> anyhow::Result<MemoryId> {
        let text = new.text.trim();
        let length = text.chars().count();
        if length == 0 || length > TEXT_CHARS {
            bail!("a memory has 1-{TEXT_CHARS} characters, this one has {length}");
        }
        let memory = MemoryToKeep {
            kind: kind_name(new.kind),
            text: text.to_owned(),
            words: index_words(text),
            turn: new.turn,
            taint: new.taint,
        };
        let urgency = match new.kind {
            MemoryKind::Fact => Urgency::Now,
            // Nobody waits for it, and its loss is none of a message.
            MemoryKind::Episode => Urgency::Rides,
        };
        let kept = self
            .store
            .enqueue(urgency, move |tx| {
                Box::pin(async move { memories::keep(tx, owner, &memory).await })
            })
            .await;
        let kept = kept.wait().await.context("cannot write a memory");
        if let Some(vectors) = &self.vectors {
            vectors.note_written();
        }
        kept
    }

    async fn recall(
        &self,
        owner: Owner,
        query: &str,
        limit: usize,
    ) -> anyhow::Result<Vec<Recalled>> {
        let rows = match &self.vectors {
            None => self.by_words(owner, query, limit).await,
            Some(vectors) => {
                let by_words = self.by_words(owner, query, limit.max(DEPTH));
                vectors.fused_with(by_words, owner, query, limit).await
            }
        };
        let rows = rows.context("cannot search the memory")?;
        Ok(rows.into_iter().map(recalled).collect())
    }

    async fn forget(&self, owner: Owner, ids: &[MemoryId]) -> anyhow::Result<u64> {
        let ids = ids.to_vec();
        self.store
            .write(move |tx| Box::pin(async move { memories::delete(tx, owner, &ids).await }))
            .await
            .context("cannot delete memories")
    }
}

fn kind_name(kind: MemoryKind) -> &'static str {
    match kind {
        MemoryKind::Fact => "fact",
        MemoryKind::Episode => "episode",
    }
}

fn kind(row: &MemoryRow) -> MemoryKind {
    match row.kind.as_str() {
        "fact" => MemoryKind::Fact,
        _ => MemoryKind::Episode,
    }
}

/// What is kept here was said in no stretch: each row stands for itself.
fn entry(row: &MemoryRow) -> Entry<'_> {
    Entry {
        text: &row.text,
        at_ms: row.touched_ms,
        kind: kind(row),
        said: None,
    }
}

fn recalled(row: MemoryRow) -> Recalled {
    Recalled {
        id: row.id,
        kind: kind(&row),
        text: row.text,
        at_ms: row.touched_ms,
        by: row.by,
        taint: row.taint.0,
    }
}

#[cfg(test)]
#[path = "stored_tests.rs"]
mod tests;
