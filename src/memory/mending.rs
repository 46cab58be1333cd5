//! Making the index of words anew when it is damaged, behind the turns that go on without it.
//!
//! A damaged index is noticed by whoever meets it. It is emptied at once, so that what is written from
//! then on is found again, and filled from the memories themselves, some at a time: the queue is every
//! memory that the index does not have, so a kill in the middle costs nothing. The same look at every
//! start finds what came to be missing in another way.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::bigrams::index_words;
use crate::store::{Store, StoreError, memory_words};
use crate::transcript::MemoryId;

/// How many memories one look reads.
const LOOKED_AT: usize = 500;

/// The pause after a failure.
const PAUSE: Duration = Duration::from_secs(30);

/// An index that is damaged again so soon lies in a damaged file, which emptying does not mend.
const MENDED_LATELY: Duration = Duration::from_mins(1);

/// The index of words, watched.
#[derive(Debug)]
pub struct Mending {
    store: Store,
    /// When it was last emptied; held for a look or a change.
    emptied: Mutex<Option<Instant>>,
    wake: Notify,
}

impl Mending {
    pub(super) fn new(store: Store) -> Self {
        Self {
            store,
            emptied: Mutex::default(),
            wake: Notify::new(),
        }
    }

    /// Empties the index if this failure is its, and has it filled again. Says whether what failed may
    /// be tried once more.
    pub(super) async fn begins_for(&self, failure: &StoreError) -> bool {
        if !matches!(failure, StoreError::Corrupt(_)) {
            return false;
        }
        if !self.is_to_be_emptied() {
            // Somebody else who met the same damage has emptied it, or nothing helps.
            return true;
        }
        tracing::error!(error = %failure, "the index of memories is damaged; it is made anew, and until then not everything is found");
        let cleared = self
            .store
            .write(|tx| Box::pin(async move { memory_words::clear(tx).await }));
        if let Err(error) = cleared.await {
            tracing::error!(%error, "the index of memories cannot be emptied");
            return false;
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
            match self.fill().await {
                Ok(0) => self.wake.notified().await,
                Ok(filled) => {
                    tracing::info!(memories = filled, "the index of memories is whole again");
                }
                Err(error) => {
                    tracing::error!(%error, "the index of memories cannot be filled");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
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
}
