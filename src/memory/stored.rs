//! Memory over the database.

use std::sync::Arc;

use anyhow::{Context as _, bail};
use async_trait::async_trait;
use futures_util::future::BoxFuture;
use sayso_core::transcript::{MemoryId, Owner};
use sayso_store::memories::{self, FactToKeep, MemoryRow, MemoryToKeep};
use sayso_store::word_index::SearchTerms;
use sayso_store::{Store, StoreError, Tx, Urgency, now_ms, turns, vectors};

use super::bigrams::index_words;
use super::index_repair::IndexRepair;
use super::learned_facts::{self, Arriving};
use super::note_store;
use super::query_time::asked;
use super::questions::{in_turn, questions};
use super::rank::{rank, worth};
use super::rows::{entry, recalled, statistics};
use super::tombstones::Saying;
use super::transcript_search::TranscriptSearch;
use super::vectors::{DEPTH, Vectors};
use super::{
    Filed, Learned, Memory, MemoryKind, MemorySearch, NewEntry, NewFact, NewMemory, Question,
    Recalled, Span, TEXT_CHARS, tombstones,
};

/// How many of the nearest may be a fact in another spelling.
const ALIKE: usize = 10;
/// What is remembered, in the database of this instance.
#[derive(Clone)]
pub struct StoredMemory {
    pub(super) store: Store,
    pub(super) vectors: Option<Arc<Vectors>>,
    pub(super) index_repair: Arc<IndexRepair>,
}

impl StoredMemory {
    /// Returns the memory in this database.
    pub fn new(store: Store) -> Self {
        Self {
            index_repair: Arc::new(IndexRepair::new(store.clone())),
            store,
            vectors: None,
        }
    }

    /// Returns the task that repairs the word indexes; the caller must run it.
    pub fn index_repair(&self) -> Arc<IndexRepair> {
        Arc::clone(&self.index_repair)
    }

    /// Has memories found by their meaning, too.
    #[must_use]
    pub fn with_vectors(self, vectors: Option<Arc<Vectors>>) -> Self {
        Self { vectors, ..self }
    }

    /// Changes the memories, also when the index must be emptied for it.
    async fn write<T, W>(&self, urgency: Urgency, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, StoreError>>,
        W: Clone + Send + 'static,
    {
        let written = self.store.enqueue(urgency, work.clone()).await;
        let error = match written.wait().await {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        if !self.index_repair.begins_for(&error).await {
            return Err(error);
        }
        self.store.enqueue(urgency, work).await.wait().await
    }

    /// Returns what holds words of a query, best first; of several questions the best of each in
    /// turn.
    async fn by_words(
        &self,
        owner: Owner,
        query: &str,
        limit: usize,
        span: Span,
    ) -> Result<Vec<MemoryRow>, StoreError> {
        let mut answers = Vec::new();
        for question in questions(query) {
            answers.push(self.answers(owner, question, span).await?);
        }
        let mut rows = in_turn(answers, |one, other| one.id == other.id);
        rows.truncate(limit);
        Ok(rows)
    }

    /// Returns what holds words of one question, best first.
    async fn answers(
        &self,
        owner: Owner,
        query: &str,
        span: Span,
    ) -> Result<Vec<MemoryRow>, StoreError> {
        let asked = asked(query);
        let worth = worth(&asked);
        let sought = SearchTerms {
            terms: asked.searches(),
            word_of: &|term| asked.word_of(term),
            worth: &worth,
        };
        let mut found = memories::candidates(self.store.reader(), owner, sought, span).await?;
        found.rows.retain(|row| asked.may_be_answered_by(&row.text));
        let entries: Vec<_> = found.rows.iter().map(entry).collect();
        Ok(rank(&asked, &statistics(&found), &entries)
            .into_iter()
            .filter_map(|place| found.rows.get(place).cloned())
            .collect())
    }

    async fn search(
        &self,
        owner: Owner,
        query: &str,
        limit: usize,
        span: Span,
    ) -> anyhow::Result<Vec<Recalled>> {
        let rows = match &self.vectors {
            None => self.by_words(owner, query, limit, span).await,
            Some(vectors) => {
                let by_words = self.by_words(owner, query, limit.max(DEPTH), span);
                vectors
                    .fused_with(by_words, owner, span, query, limit)
                    .await
            }
        };
        if let Err(error) = &rows {
            self.index_repair.begins_for(error).await;
        }
        let rows = rows.context("cannot search the memory")?;
        Ok(rows.into_iter().map(recalled).collect())
    }

    /// Counts a use of what was found. It is not awaited: a lost count does no harm.
    async fn note_recalled(&self, owner: Owner, found: &[Recalled]) {
        let remembered = found.iter().filter(|memory| memory.speaker.is_none());
        let ids: Vec<_> = remembered.map(|memory| memory.id).collect();
        if !ids.is_empty() {
            let noted = self.store.write_later(move |tx| {
                Box::pin(async move { memories::note_recalled(tx, owner, &ids).await })
            });
            drop(noted.await);
        }
    }

    /// Returns a fact that says the same in another spelling. Meaning is not asked: near is not
    /// same.
    async fn alike(&self, owner: Owner, text: &str) -> Result<Option<MemoryId>, StoreError> {
        let said = index_words(text);
        let near = match self.by_words(owner, text, ALIKE, Span::Now).await {
            // In an index that was damaged nothing is alike; better doubled than lost.
            Err(error) if self.index_repair.begins_for(&error).await => Vec::new(),
            near => near?,
        };
        let alike = near.iter().find(|row| {
            row.kind == MemoryKind::Fact && !said.is_empty() && index_words(&row.text) == said
        });
        Ok(alike.map(|row| row.id))
    }

    fn wrote(&self, memory: MemoryId) {
        if let Some(vectors) = &self.vectors {
            vectors.note_written(memory);
        }
    }
}

#[async_trait]
impl Memory for StoredMemory {
    async fn remember(&self, owner: Owner, new: NewMemory) -> anyhow::Result<Option<MemoryId>> {
        let text = bounded(&new.text)?;
        let memory = MemoryToKeep {
            kind: new.kind,
            text: text.to_owned(),
            words: index_words(text),
            turn: new.turn,
            taint: new.taint,
            fact: match new.kind {
                MemoryKind::Fact => Some(FactToKeep::TOLD),
                MemoryKind::Episode => None,
            },
        };
        let urgency = match new.kind {
            MemoryKind::Fact => Urgency::Now,
            // It is not awaited, and losing it loses no message.
            MemoryKind::Episode => Urgency::Rides,
        };
        let kept = self
            .write(urgency, move |tx| {
                let memory = memory.clone();
                Box::pin(async move {
                    if memory.fact.is_some() {
                        tombstones::lift(tx, owner, &memory.text).await?;
                    } else if is_forgotten(tx, owner, &memory).await? {
                        return Ok(None);
                    }
                    memories::keep(tx, owner, &memory).await.map(Some)
                })
            })
            .await
            .context("cannot write a memory")?;
        if let Some(kept) = kept {
            self.wrote(kept);
        }
        Ok(kept)
    }

    async fn learn(&self, owner: Owner, new: NewFact) -> anyhow::Result<Learned> {
        let text = bounded(&new.text)?;
        if new
            .valid_from_ms
            .zip(new.valid_until_ms)
            .is_some_and(|(from, until)| from > until)
        {
            bail!("a fact cannot end before it begins");
        }
        let alike = match new.replaces {
            Some(_) => None,
            None => self.alike(owner, text).await?,
        };
        let arriving = Arriving::of(&new, alike);
        let learned = self.write(Urgency::Now, move |tx| {
            let arriving = arriving.clone();
            Box::pin(async move { learned_facts::learn(tx, owner, &arriving).await })
        });
        let learned = learned.await.context("cannot write a fact")?;
        if let Learned::New(written) | Learned::Replaced { new: written, .. } = &learned {
            self.wrote(*written);
        }
        Ok(learned)
    }

    async fn file(&self, owner: Owner, entry: NewEntry) -> anyhow::Result<Option<Filed>> {
        let filed = self.write(Urgency::Now, move |tx| {
            let entry = entry.clone();
            Box::pin(async move { note_store::file(tx, owner, &entry).await })
        });
        let filed = filed.await.context("cannot write into the vault")?;
        self.note_written();
        Ok(filed)
    }

    async fn undo(&self, owner: Owner, learned: &Learned) -> anyhow::Result<bool> {
        let learned = learned.clone();
        let undone = self.write(Urgency::Now, move |tx| {
            let learned = learned.clone();
            Box::pin(async move { learned_facts::undo(tx, owner, &learned).await })
        });
        undone.await.context("cannot take a fact back")
    }

    fn note_written(&self) {
        if let Some(vectors) = &self.vectors {
            vectors.note_changed();
        }
    }

    async fn forget(&self, owner: Owner, ids: &[MemoryId]) -> anyhow::Result<u64> {
        let ids = ids.to_vec();
        let forgotten = self.write(Urgency::Now, move |tx| {
            let ids = ids.clone();
            Box::pin(async move { learned_facts::forget(tx, owner, &ids).await })
        });
        forgotten.await.context("cannot delete memories")
    }
}

#[async_trait]
impl MemorySearch for StoredMemory {
    async fn recall(
        &self,
        owner: Owner,
        query: &str,
        limit: usize,
    ) -> anyhow::Result<Vec<Recalled>> {
        let found = self.search(owner, query, limit, Span::Now).await?;
        self.note_recalled(owner, &found).await;
        Ok(found)
    }

    async fn find(
        &self,
        owner: Owner,
        query: &str,
        limit: usize,
        span: Span,
    ) -> anyhow::Result<Vec<Recalled>> {
        self.search(owner, query, limit, span).await
    }

    async fn search_transcript(
        &self,
        owner: Owner,
        question: &Question<'_>,
    ) -> anyhow::Result<Vec<Recalled>> {
        let search = TranscriptSearch {
            store: &self.store,
            vectors: self.vectors.as_deref(),
            index_repair: &self.index_repair,
        };
        let found = search.answers(owner, question).await;
        if let Err(error) = &found {
            self.index_repair.begins_for(error).await;
        }
        let found = found.context("cannot search what was said")?;
        self.note_recalled(owner, &found).await;
        Ok(found)
    }

    async fn named(&self, owner: Owner, ids: &[MemoryId]) -> anyhow::Result<Vec<Recalled>> {
        let rows = vectors::named(self.store.reader(), owner, ids, Span::Now).await;
        let mut rows = rows.context("cannot read memories again")?;
        rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
        Ok(rows.into_iter().map(recalled).collect())
    }
}

/// Returns whether the summary of a turn says what was forgotten.
async fn is_forgotten(
    tx: &mut Tx,
    owner: Owner,
    summary: &MemoryToKeep,
) -> Result<bool, StoreError> {
    Ok(turns::is_forgotten(tx, summary.turn).await?
        || tombstones::saying(tx, owner, &summary.text, now_ms()).await? != Saying::Nothing)
}

/// Returns a text in the form in which it is remembered.
fn bounded(text: &str) -> anyhow::Result<&str> {
    let text = text.trim();
    let length = text.chars().count();
    if length == 0 || length > TEXT_CHARS {
        bail!("a memory has 1-{TEXT_CHARS} characters, this one has {length}");
    }
    Ok(text)
}

#[cfg(test)]
#[path = "stored_tests.rs"]
mod tests;
