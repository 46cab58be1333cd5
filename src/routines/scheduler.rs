//! The one task that knows when something is due.
//!
//! It reads the clock of the machine once a second and never sleeps towards a moment, because the time
//! that it sleeps is not that clock's: a suspended machine, or one whose clock is set, would wake it at
//! the wrong time. What is due first is known in between, so a second costs no query; it is looked up
//! again when something changes, and every [`LOOK_EVERY`] in any case.

use std::sync::Arc;
use std::time::Duration;

use sayso_store::{Store, StoreError, now_ms, routine_events, routine_runs, routines};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::context::RoutineContext;
use super::report_tool::KNOWN_MS;
use super::{due, notices};

/// How often the clock is read.
const TICK: Duration = Duration::from_secs(1);
/// How often what is due first is looked up, whether or not anything changed.
const LOOK_EVERY: Duration = Duration::from_secs(20);
/// How often what became of occurrences long ago is deleted.
const SWEEP_EVERY: Duration = Duration::from_hours(1);
/// How many rows are deleted in one transaction.
const SWEPT: i64 = 500;
/// How long events are kept that a run took, in milliseconds: for this time the same one starts no other.
/// Events of a routine that is off are kept as long: an erasure finds what a person said in a group by
/// the message itself, which is not kept for ever either.
const EVENTS_KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1000;
/// How long nothing is tried after the store failed.
const AFTER_FAULT: Duration = Duration::from_secs(5);

/// Starts what is due. One per process.
pub struct Scheduler {
    store: Store,
    ctx: RoutineContext,
    /// When the next routine is due, as it was known last.
    next_ms: Option<i64>,
    looked: Instant,
    /// When old rows were last deleted.
    swept: Option<Instant>,
}

impl Scheduler {
    /// Returns a scheduler that knows nothing yet.
    pub fn new(store: Store, ctx: RoutineContext) -> Self {
        Self {
            store,
            ctx,
            next_ms: None,
            looked: Instant::now(),
            swept: None,
        }
    }

    /// Works until `shutdown`.
    pub async fn run(mut self, shutdown: CancellationToken) {
        if !self.ctx.limits.enabled {
            return;
        }
        let changed = Arc::clone(&self.ctx.changed);
        let mut is_stale = true;
        loop {
            if let Err(error) = self.work(is_stale).await {
                tracing::error!(%error, "routines that are due cannot be started; retrying");
                is_stale = true;
                tokio::select! {
                    () = shutdown.cancelled() => return,
                    () = tokio::time::sleep(AFTER_FAULT) => continue,
                }
            }
            let until_due = self
                .next_ms
                .map_or(TICK, |next| until(next, now_ms()).min(TICK));
            is_stale = tokio::select! {
                () = shutdown.cancelled() => return,
                () = changed.notified() => true,
                () = tokio::time::sleep(until_due) => self.looked.elapsed() >= LOOK_EVERY,
            };
        }
    }

    /// Looks up what is due first, where that may have changed, and starts what is due.
    async fn work(&mut self, is_stale: bool) -> Result<(), StoreError> {
        if is_stale {
            self.look().await?;
        }
        while self.next_ms.is_some_and(|next| next <= now_ms()) {
            self.start_due().await?;
            self.look().await?;
        }
        Ok(())
    }

    async fn look(&mut self) -> Result<(), StoreError> {
        self.next_ms = routines::next(self.store.reader()).await?;
        self.looked = Instant::now();
        self.inform().await?;
        if self
            .swept
            .is_none_or(|swept| swept.elapsed() >= SWEEP_EVERY)
        {
            self.swept = Some(Instant::now());
            self.sweep().await?;
        }
        Ok(())
    }

    /// Informs people of what they did not ask about, unless they want quiet now.
    async fn inform(&self) -> Result<(), StoreError> {
        let users = notices::addressees(self.store.reader(), &self.ctx.limits, now_ms()).await?;
        for user in users {
            let ctx = self.ctx.clone();
            let said = self
                .store
                .write(move |tx| Box::pin(async move { notices::say(tx, &ctx, user).await }));
            self.ctx.outbox.offer(said.await?);
        }
        Ok(())
    }

    /// Deletes what became of occurrences long ago, events that runs took or none will, and keys of
    /// reports that are news again.
    pub(super) async fn sweep(&self) -> Result<(), StoreError> {
        let events_before_ms = now_ms() - EVENTS_KEPT_MS;
        let told_before_ms = now_ms() - KNOWN_MS;
        let swept = self.store.write(move |tx| {
            Box::pin(async move {
                routine_events::sweep(tx, events_before_ms).await?;
                routine_runs::sweep_told(tx, told_before_ms).await
            })
        });
        swept.await?;
        let Some(kept) = self.ctx.limits.keep_runs else {
            return Ok(());
        };
        let kept_ms = i64::try_from(kept.as_millis()).unwrap_or(i64::MAX);
        let before_ms = now_ms().saturating_sub(kept_ms);
        loop {
            let swept = self.store.write(move |tx| {
                Box::pin(async move { routine_runs::sweep(tx, before_ms, SWEPT).await })
            });
            if swept.await? == 0 {
                return Ok(());
            }
        }
    }

    async fn start_due(&self) -> Result<(), StoreError> {
        let ctx = self.ctx.clone();
        let begun = self
            .store
            .write(move |tx| Box::pin(async move { due::start(tx, &ctx, now_ms()).await }))
            .await?;
        tracing::info!(routines = begun.routines, "routines were due");
        self.ctx.outbox.offer(begun.said);
        for signal in begun.signals {
            self.ctx.bus.send(signal);
        }
        Ok(())
    }
}

/// Returns how long it is until a moment; not less than a millisecond, so that no loop is without a
/// pause.
fn until(at_ms: i64, now_ms: i64) -> Duration {
    let wait = u64::try_from(at_ms - now_ms).unwrap_or_default();
    Duration::from_millis(wait.max(1))
}
