//! How long turns, and what was heard and said, are kept: a sweep behind everything else that
//! deletes what is old in small pieces, and gives the room of it back.

use std::time::Duration;

use sayso_core::transcript::TurnId;
use sayso_store::retention::{self, OldTurns};
use sayso_store::{Store, StoreError, now_ms};
use tokio_util::sync::CancellationToken;

/// How long after a start it looks first, so that a start has the disk for itself.
const FIRST_AFTER: Duration = Duration::from_secs(5);
/// How often it looks.
const LOOK_EVERY: Duration = Duration::from_hours(1);
/// How many turns one transaction deletes: a message that is written meanwhile waits for it.
const TURNS_AT_ONCE: usize = 20;
/// How many messages it does.
const MESSAGES_AT_ONCE: usize = 200;
/// How long it leaves the writer to others between two of these.
const PAUSE: Duration = Duration::from_millis(100);
/// The fewest turns of a session that stay, however old they are.
const FEWEST_TURNS: usize = 100;

/// How long everything is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetentionSweeper {
    /// Turns, after they ended; `None` is for ever.
    pub turns: Option<Duration>,
    /// What was heard and said, beside what is of a turn.
    pub messages: Duration,
    /// How many messages a history has at most.
    pub history_messages: usize,
}

impl RetentionSweeper {
    /// Deletes what is not kept, and gives the room back, until `shutdown`.
    pub async fn run(self, store: Store, shutdown: CancellationToken) {
        let mut pause = FIRST_AFTER;
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
            if let Err(error) = self.sweep(&store, now_ms(), &shutdown).await {
                tracing::error!(%error, "cannot delete expired rows");
            }
            pause = LOOK_EVERY;
        }
    }

    /// Deletes what is not kept any more at a time.
    async fn sweep(
        self,
        store: &Store,
        now_ms: i64,
        shutdown: &CancellationToken,
    ) -> Result<(), StoreError> {
        let turns = self.sweep_turns(store, now_ms, shutdown).await?;
        let before_ms = before(self.messages, now_ms);
        let mut messages = 0;
        while !shutdown.is_cancelled() {
            let deleted = store.write(move |tx| {
                Box::pin(async move {
                    let said = retention::delete_said(tx, before_ms, MESSAGES_AT_ONCE).await?;
                    let heard = retention::delete_heard(tx, before_ms, MESSAGES_AT_ONCE).await?;
                    Ok(said + heard)
                })
            });
            let deleted = deleted.await?;
            if deleted == 0 {
                break;
            }
            messages += deleted;
            tokio::time::sleep(PAUSE).await;
        }
        if turns + messages > 0 {
            tracing::info!(turns, messages, "expired rows deleted");
        }
        store.give_back(|| !shutdown.is_cancelled()).await
    }

    async fn sweep_turns(
        self,
        store: &Store,
        now_ms: i64,
        shutdown: &CancellationToken,
    ) -> Result<u64, StoreError> {
        let Some(kept) = self.turns else {
            return Ok(0);
        };
        let old = OldTurns {
            before_ms: before(kept, now_ms),
            newest: self.history_messages.max(FEWEST_TURNS) as i64,
        };
        let (mut deleted, mut after) = (0, TurnId(0));
        while !shutdown.is_cancelled() {
            let found = retention::old_turns(store.reader(), old, after, TURNS_AT_ONCE).await?;
            let Some(last) = found.last() else {
                break;
            };
            after = *last;
            deleted += store
                .write(move |tx| {
                    Box::pin(async move { retention::delete_turns(tx, old, &found).await })
                })
                .await?;
            tokio::time::sleep(PAUSE).await;
        }
        Ok(deleted)
    }
}

/// Returns before when something must have been that is not kept any more.
fn before(kept: Duration, now_ms: i64) -> i64 {
    let kept = i64::try_from(kept.as_millis()).unwrap_or(i64::MAX);
    now_ms.saturating_sub(kept)
}

#[cfg(test)]
#[path = "retention_tests.rs"]
mod tests;
