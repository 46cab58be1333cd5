//! Rebuilding damaged indexes of words, of memories and of lines, in the background, while turns go
//! on without them.
//!
//! A damaged index is detected by the first query or write that fails on it. It is emptied at once,
//! so that new memories can be found again, and refilled from the stored memories in batches. The
//! queue is every memory that is missing in the index, so a kill in the middle loses nothing. The
//! same check at every start finds memories that are missing for another reason.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sayso_core::transcript::MemoryId;
use sayso_store::{Store, StoreError, Tx, line_words, lines, memory_words};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::bigrams::index_words;

/// How many memories one look reads.
const LOOKED_AT: usize = 500;

/// How the indexes are called.
const MEMORIES: &str = "memories";
const LINES: &str = "lines";

/// The pause after a failure.
const PAUSE: Duration = Duration::from_secs(30);

/// An index that is damaged again so soon lies in a damaged file, which emptying does not mend.
const MENDED_LATELY: Duration = Duration::from_mins(1);

/// The indexes of words, watched.
#[derive(Debug)]
pub struct IndexRepair {
    store: Store,
    /// When it was last emptied; held for a look or a change.
    emptied: Mutex<Option<Instant>>,
    wake: Notify,
}

impl IndexRepair {
    pub(super) fn new(store: Store) -> Self {
        Self {
            store,
            emptied: Mutex::default(),
            wake: Notify::new(),
        }
    }

    /// Empties the index whose failure this is, and has it filled again. Returns whether the failed
    /// operation may be retried.
    pub(super) async fn begins_for(&self, failure: &StoreError) -> bool {
        if !matches!(failure, StoreError::Corrupt(_)) {
            return false;
        }
        if !self.is_to_be_emptied() {
            // Somebody else who met the same damage has emptied it, or nothing helps.
            return true;
        }
        let cleared = self.store.write(|tx| Box::pin(clear_damaged(tx)));
        match cleared.await {
            Err(error) => {
                tracing::error!(%error, "cannot clear a damaged index");
                return false;
            }
            Ok(cleared) => {
                for index in cleared {
                    tracing::error!(error = %failure, "search index of {index} is damaged and is rebuilt; until then searches are incomplete");
                }
            }
        }
        self.wake.notify_one();
        true
    }

    /// Several who meet the damage at once empty it once.
    fn is_to_be_emptied(&self) -> bool {
        let mut emptied = self.emptied.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = emptied.is_none_or(|at| at.elapsed() > MENDED_LATELY);
        if is_due {
            *emptied = Some(Instant::now());
        }
        is_due
    }

    /// Fills the index whenever something is missing, until `shutdown`.
    pub async fn keep_whole(self: Arc<Self>, shutdown: CancellationToken) {
        shutdown.run_until_cancelled(self.follow()).await;
    }

    async fn follow(&self) {
        loop {
            match self.fill_all().await {
                Ok(0) => self.wake.notified().await,
                Ok(_) => {}
                Err(error) => {
                    tracing::error!(%error, "cannot rebuild a search index");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    /// Fills both indexes, and returns how many rows were missing.
    async fn fill_all(&self) -> Result<usize, StoreError> {
        let memories = self.fill().await?;
        if memories > 0 {
            tracing::info!(memories, "search index of memories rebuilt");
        }
        let lines = self.fill_lines().await?;
        if lines > 0 {
            tracing::info!(lines, "search index of messages rebuilt");
        }
        Ok(memories + lines)
    }

    /// Looks at every memory once, and returns how many were put into the index.
    async fn fill(&self) -> Result<usize, StoreError> {
        let (mut after, mut filled) = (MemoryId(0), 0);
        loop {
            let readers = self.store.reader();
            let looked = memory_words::unindexed(readers, after, LOOKED_AT).await?;
            let Some(last) = looked.last else {
                return Ok(filled);
            };
            after = last;
            let missing = looked.missing;
            if missing.is_empty() {
                continue;
            }
            filled += missing.len();
            let added = self.store.write(move |tx| {
                Box::pin(async move {
                    for memory in &missing {
                        memory_words::add(tx, memory, &index_words(&memory.text)).await?;
                    }
                    Ok(())
                })
            });
            added.await?;
        }
    }

    /// Looks at every line once, and returns how many were put into the index.
    async fn fill_lines(&self) -> Result<usize, StoreError> {
        let (mut after, mut filled) = (0, 0);
        loop {
            let looked = line_words::unindexed(self.store.reader(), after, LOOKED_AT).await?;
            let Some(last) = looked.last else {
                return Ok(filled);
            };
            after = last;
            let missing = looked.missing;
            if missing.is_empty() {
                continue;
            }
            filled += missing.len();
            let added = self.store.write(move |tx| {
                Box::pin(async move {
                    for (line, owner) in lines::named(tx, &missing).await? {
                        let words = index_words(&line.text);
                        lines::index_again(tx, &line, owner, &words).await?;
                    }
                    Ok(())
                })
            });
            added.await?;
        }
    }
}

/// Empties what is damaged, and returns how it is called. Where neither index looks so although one
/// has failed, both are emptied.
async fn clear_damaged(tx: &mut Tx) -> Result<Vec<&'static str>, StoreError> {
    let mut damaged = Vec::new();
    if memory_words::is_damaged(tx).await? {
        damaged.push(MEMORIES);
    }
    if line_words::is_damaged(tx).await? {
        damaged.push(LINES);
    }
    if damaged.is_empty() {
        damaged.extend([MEMORIES, LINES]);
    }
    if damaged.contains(&MEMORIES) {
        memory_words::clear(tx).await?;
    }
    if damaged.contains(&LINES) {
        line_words::clear(tx).await?;
    }
    Ok(damaged)
}
