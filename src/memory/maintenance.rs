//! Background maintenance of the memory: old lines and words are indexed, and lines whose indexing
//! failed when their turn ended; the segments of the indexes are merged; and when a stretch of
//! conversation is over, the summaries of its turns are merged too.
//!
//! Each step is a transaction of its own that records its progress, so a kill loses nothing and
//! concurrent writes wait for one step only. No model is called.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use sayso_core::transcript::{Taint, TurnId};
use sayso_store::episodes::{self, EpisodeRow, MergedEpisode};
use sayso_store::lines::{self, PAUSE_MS};
use sayso_store::reindex::{self, Index};
use sayso_store::unindexed::{self, UnindexedTurn};
use sayso_store::word_index::{INDEXES, merge_some};
use sayso_store::{Store, StoreError, Tx, now_ms};
use tokio_util::sync::CancellationToken;

use super::bigrams::index_words;
use super::episode_merge::{TURNS, merged};
use super::index_repair::IndexRepair;
use super::lines::{TRIED_AGAIN_MS, index_lines};
use super::vectors::Vectors;

/// How words are made now: with each change of `bigrams.rs`, `letter_folding.rs` or `store::word_index`
/// that changes them, one more.
const SPELLING: i64 = 1;
/// How many rows one transaction indexes.
const AT_ONCE: usize = 50;
/// How often the lines of a turn are tried, and by how much longer each try waits.
const TRIES: i64 = 5;
const LONGER: i64 = 4;
/// How long it rests at most, and at least.
const RESTS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(10));

/// The upkeep of the memory in one database.
pub struct Maintenance {
    store: Store,
    vectors: Option<Arc<Vectors>>,
    index_repair: Arc<IndexRepair>,
}

impl Maintenance {
    /// Returns the upkeep of this database.
    pub fn new(
        store: Store,
        vectors: Option<Arc<Vectors>>,
        index_repair: Arc<IndexRepair>,
    ) -> Self {
        Self {
            store,
            vectors,
            index_repair,
        }
    }

    /// Goes on until `shutdown`.
    pub async fn run(self, shutdown: CancellationToken) {
        shutdown.run_until_cancelled(self.follow()).await;
    }

    async fn follow(&self) {
        loop {
            let rest = match self.catch_up(now_ms()).await {
                Ok(rest) => rest,
                Err(error) => {
                    tracing::error!(error = %format!("{error:#}"), "memory maintenance failed; retrying");
                    RESTS.1
                }
            };
            tokio::time::sleep(rest.clamp(RESTS.0, RESTS.1)).await;
        }
    }

    /// Does all that is to be done at this time; returns how long there will be nothing.
    pub(super) async fn catch_up(&self, now_ms: i64) -> anyhow::Result<Duration> {
        let begun = self.store.write(|tx| {
            Box::pin(async move {
                reindex::begin(tx, Index::Memories, SPELLING).await?;
                reindex::begin(tx, Index::Lines, SPELLING).await
            })
        });
        begun.await.context("cannot look at the indexes")?;
        for index in [Index::Memories, Index::Lines] {
            self.index_again(index)
                .await
                .context("cannot index again")?;
        }
        let tried_ms = self
            .try_lines_again(now_ms)
            .await
            .context("cannot index lines that were left out")?;
        self.merge(now_ms - PAUSE_MS)
            .await
            .context("cannot merge summaries")?;
        self.simplify_indexes()
            .await
            .context("cannot simplify the indexes")?;
        let oldest = episodes::oldest(self.store.reader()).await?;
        let over_ms = oldest.map_or(i64::MAX, |last| last.saturating_add(PAUSE_MS));
        let next_ms = over_ms.min(tried_ms.unwrap_or(i64::MAX));
        let rest = next_ms.saturating_sub(now_ms).clamp(0, i64::from(u32::MAX));
        Ok(Duration::from_millis(rest.unsigned_abs()))
    }

    /// Merges the pieces in which the indexes of words were written.
    async fn simplify_indexes(&self) -> Result<(), StoreError> {
        for index in INDEXES {
            let step = || {
                self.store
                    .write(move |tx| Box::pin(async move { merge_some(tx, index).await }))
            };
            loop {
                match step().await {
                    Ok(true) => {}
                    Ok(false) => break,
                    // What is broken is made anew, and with it whole.
                    Err(error) if self.index_repair.begins_for(&error).await => break,
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Indexes lines that could not be when their turn ended; returns when the next try is due.
    async fn try_lines_again(&self, now_ms: i64) -> Result<Option<i64>, StoreError> {
        let readers = self.store.reader();
        for left_out in unindexed::due(readers, now_ms, AT_ONCE).await? {
            let Err(error) = self.index_turn(left_out.turn).await else {
                continue;
            };
            // An index that is emptied takes new words at once.
            let is_mended = self.index_repair.begins_for(&error).await;
            if is_mended && self.index_turn(left_out.turn).await.is_ok() {
                continue;
            }
            self.put_off(&left_out, now_ms).await?;
        }
        unindexed::next_due(readers).await
    }

    async fn index_turn(&self, turn: TurnId) -> Result<(), StoreError> {
        let indexed = self.store.write(move |tx| {
            Box::pin(async move {
                index_lines(tx, turn).await?;
                unindexed::take_out(tx, turn).await.map(drop)
            })
        });
        indexed.await
    }

    /// Has a turn tried later, or given up.
    async fn put_off(&self, left_out: &UnindexedTurn, now_ms: i64) -> Result<(), StoreError> {
        let UnindexedTurn { turn, tries } = *left_out;
        if tries >= TRIES {
            tracing::error!(%turn, "gave up indexing the messages of a turn; search will not find them");
            let given_up = self
                .store
                .write(move |tx| Box::pin(async move { unindexed::take_out(tx, turn).await }));
            return given_up.await.map(drop);
        }
        let due_ms = now_ms + TRIED_AGAIN_MS * LONGER.pow(tries as u32);
        let noted = self
            .store
            .write(move |tx| Box::pin(async move { unindexed::note(tx, turn, due_ms).await }));
        noted.await
    }

    async fn index_again(&self, index: Index) -> Result<(), StoreError> {
        while let Some((done, until)) = reindex::open(self.store.reader(), index).await? {
            let step = self.store.write(move |tx| {
                Box::pin(async move {
                    let last = index_some(tx, index, done, until).await?;
                    reindex::note(tx, index, last.unwrap_or(until)).await
                })
            });
            step.await?;
        }
        Ok(())
    }

    async fn merge(&self, before_ms: i64) -> Result<(), StoreError> {
        loop {
            let over = episodes::over(self.store.reader(), before_ms, AT_ONCE).await?;
            if over.is_empty() {
                return Ok(());
            }
            for stretch in over {
                let merged = self
                    .store
                    .write(move |tx| Box::pin(merge_stretch(tx, stretch)));
                if merged.await?
                    && let Some(vectors) = &self.vectors
                {
                    vectors.note_changed();
                }
            }
        }
    }
}

/// Indexes the next rows; returns the last of them, or `None` when there are no more.
async fn index_some(
    tx: &mut Tx,
    index: Index,
    after: i64,
    until: i64,
) -> Result<Option<i64>, StoreError> {
    match index {
        Index::Memories => {
            let memories = reindex::memories(tx, after, until, AT_ONCE).await?;
            for memory in &memories {
                reindex::index_memory(tx, memory, &index_words(&memory.text)).await?;
            }
            Ok(memories.last().map(|memory| memory.id.0))
        }
        Index::Lines => {
            let lines = lines::after(tx, after, until, AT_ONCE).await?;
            for (line, owner) in &lines {
                lines::index_again(tx, line, *owner, &index_words(&line.text)).await?;
            }
            Ok(lines.last().map(|(line, _)| line.id))
        }
    }
}

/// Merges the summaries of a stretch that may stand together; returns whether there were any.
async fn merge_stretch(tx: &mut Tx, stretch: i64) -> Result<bool, StoreError> {
    let episodes = episodes::of_stretch(tx, stretch).await?;
    let mut any = false;
    for together in groups(episodes) {
        for parts in together.chunks(TURNS) {
            if parts.len() > 1 {
                episodes::replace(tx, parts, &merge(parts)?).await?;
                any = true;
            }
        }
    }
    episodes::note_merged(tx, stretch).await?;
    Ok(any)
}

/// Parts summaries by whose turns they are of, and by whether untrusted text is in them: in a group
/// each member's can be taken away alone, and what is clean stays so.
fn groups(episodes: Vec<EpisodeRow>) -> Vec<Vec<EpisodeRow>> {
    let mut groups: Vec<Vec<EpisodeRow>> = Vec::new();
    for episode in episodes {
        let fits = |group: &&mut Vec<EpisodeRow>| {
            group.first().is_some_and(|first| {
                first.user_id == episode.user_id && first.taint.is_some() == episode.taint.is_some()
            })
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(episode),
            None => groups.push(vec![episode]),
        }
    }
    groups
}

fn merge(parts: &[EpisodeRow]) -> Result<MergedEpisode, StoreError> {
    let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    let text = merged(&texts);
    let mut taint = Taint::default();
    for part in parts {
        if let Some(json) = &part.taint {
            taint.merge(&serde_json::from_str(json)?);
        }
    }
    let is_clean = taint.is_empty();
    Ok(MergedEpisode {
        words: index_words(&text),
        text,
        taint: (!is_clean)
            .then(|| serde_json::to_string(&taint))
            .transpose()?,
    })
}

#[cfg(test)]
#[path = "maintenance_tests.rs"]
mod tests;
