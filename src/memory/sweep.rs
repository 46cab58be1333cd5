//! Retention: a bounded background sweep that deletes old memories, and learned facts that were
//! never used and are uncertain.
//!
//! Expiry is not a request to forget, so it leaves no tombstone: the same text may be remembered
//! again.

use std::time::Duration;

use sayso_store::learned_facts::{self, Expired};
use sayso_store::{Store, StoreError, lines, now_ms};
use tokio_util::sync::CancellationToken;

/// How often it looks.
const LOOK_EVERY: Duration = Duration::from_hours(1);
/// How many memories one transaction deletes: concurrent writes wait for it.
const DELETED_AT_ONCE: usize = 200;
/// How long it leaves the writer to others between two of these.
const PAUSE: Duration = Duration::from_millis(200);

/// How long a memory is kept after it was last mentioned; `None` is forever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Summaries of turns.
    pub episodes: Option<Duration>,
    /// Facts that were learned.
    pub learned: Option<Duration>,
    /// Facts that a person stated.
    pub told: Option<Duration>,
    /// Lines of the transcript.
    pub lines: Option<Duration>,
    /// Learned facts that were never recalled and are not sure.
    pub fades: Option<Duration>,
    /// Below this many percent a fact is not sure.
    pub fades_below: u8,
}

impl Retention {
    fn expired(&self, now_ms: i64) -> Expired {
        let before = |kept| before(kept, now_ms);
        Expired {
            episodes_ms: before(self.episodes),
            learned_ms: before(self.learned),
            told_ms: before(self.told),
            faded_ms: before(self.fades),
            unsure_below: self.fades_below,
        }
    }
}

/// Returns before when something must have been said last that is not kept any more.
fn before(kept: Option<Duration>, now_ms: i64) -> Option<i64> {
    let kept = i64::try_from(kept?.as_millis()).ok()?;
    Some(now_ms.saturating_sub(kept))
}

/// Deletes what is not kept, until `shutdown`.
pub async fn sweep(store: Store, retention: Retention, shutdown: CancellationToken) {
    loop {
        if let Err(error) = delete_expired(&store, &retention, &shutdown).await {
            tracing::error!(%error, "cannot delete expired memories");
        }
        if let Err(error) = delete_lines(&store, &retention, &shutdown).await {
            tracing::error!(%error, "cannot delete expired indexed messages");
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

async fn delete_expired(
    store: &Store,
    retention: &Retention,
    shutdown: &CancellationToken,
) -> Result<(), StoreError> {
    let expired = retention.expired(now_ms());
    let mut deleted = 0;
    while !shutdown.is_cancelled() {
        let found = learned_facts::expired(store.reader(), expired, DELETED_AT_ONCE).await?;
        if found.is_empty() {
            break;
        }
        deleted += store
            .write(move |tx| {
                Box::pin(async move { learned_facts::delete_expired(tx, expired, &found).await })
            })
            .await?;
        tokio::time::sleep(PAUSE).await;
    }
    if deleted > 0 {
        tracing::info!(deleted, "expired memories deleted");
    }
    Ok(())
}

/// Has lines found no more that are not kept. What was said stays in the history.
async fn delete_lines(
    store: &Store,
    retention: &Retention,
    shutdown: &CancellationToken,
) -> Result<(), StoreError> {
    let Some(before_ms) = before(retention.lines, now_ms()) else {
        return Ok(());
    };
    let mut deleted = 0;
    while !shutdown.is_cancelled() {
        let gone = store.write(move |tx| {
            Box::pin(async move { lines::delete_older(tx, before_ms, DELETED_AT_ONCE).await })
        });
        let gone = gone.await?;
        if gone == 0 {
            break;
        }
        deleted += gone;
        tokio::time::sleep(PAUSE).await;
    }
    if deleted > 0 {
        tracing::info!(deleted, "expired indexed messages deleted");
    }
    Ok(())
}

#[cfg(test)]
#[path = "sweep_tests.rs"]
mod tests;
