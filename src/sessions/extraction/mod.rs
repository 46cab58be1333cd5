//! Learning by itself: when somebody has said nothing for a while, one small model call proposes
//! what is worth remembering of what they said since the last one, and what `memory::learning` lets
//! pass is kept.
//!
//! A turn that ended is marked in the transaction of its end, and the mark goes in the one that
//! writes what was learned, so a kill loses nothing and repeats nothing but the call. Nothing here
//! holds a lease: a message that comes meanwhile is answered as ever. A session in which nothing
//! new was said, or nothing that could tell anything, costs no call.

mod fact_store;
mod material;
mod request;
mod undo;

use std::time::Duration;

use sayso_store::lessons::{self, LessonRow};
use sayso_store::{StoreError, now_ms};
use tokio_util::sync::CancellationToken;

pub use undo::undo_learned;

use super::session_budget::Begun;
use super::{LearningLimits, SessionContext};
use material::Reading;
use request::ask;

/// How often lessons are looked for at least.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How soon is looked again when a lesson is due and its session is busy.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// How many lessons are done one after the other before it is looked again.
const AT_ONCE: i64 = 20;
/// How often a model is asked about a lesson; whatever came of it, the turns are done then.
const TRIES: i64 = 3;
/// By how much longer than the idle time each further try waits.
const LONGER: i64 = 4;
/// How long a lesson waits that cannot be given now, in milliseconds: its user has nothing left to
/// spend, or it cannot be read.
const PUT_OFF_MS: i64 = 60 * 60 * 1000;
/// A new conversation is learned from after the idle time divided by `SOONER`, at most after
/// `NEW_AFTER_MS` milliseconds: a user who starts a new conversation mostly continues at once, and
/// is answered first.
const SOONER: i64 = 20;
const NEW_AFTER_MS: i64 = 30_000;

impl LearningLimits {
    /// Returns how long after the end of a conversation it is learned from, in milliseconds.
    pub fn after_new_ms(&self) -> i64 {
        (self.idle_ms / SOONER).min(NEW_AFTER_MS)
    }
}

/// Learns from what was said, one lesson after the other. One per process.
pub struct Learner {
    ctx: SessionContext,
    limits: LearningLimits,
}

impl Learner {
    /// Returns what learns; `None` where that is off.
    pub fn new(ctx: SessionContext) -> Option<Self> {
        let limits = ctx.limits.learning?;
        Some(Self { ctx, limits })
    }

    /// Learns until `shutdown`. A call that is cut off counts as a try.
    pub async fn run(self, shutdown: CancellationToken) {
        loop {
            let pause = self.pause().await;
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
            let learned = tokio::select! {
                () = shutdown.cancelled() => return,
                learned = self.look() => learned,
            };
            if let Err(error) = learned {
                tracing::error!(error = %format!("{error:#}"), "memory extraction failed; retrying");
            }
        }
    }

    /// Returns how long to wait until a lesson may be due.
    async fn pause(&self) -> Duration {
        match lessons::next_due(self.ctx.store.reader()).await {
            Ok(Some(due_ms)) => {
                let wait = u64::try_from(due_ms - now_ms()).unwrap_or_default();
                Duration::from_millis(wait).clamp(LOOK_AGAIN, LOOK_EVERY)
            }
            Ok(None) | Err(_) => LOOK_EVERY,
        }
    }

    async fn look(&self) -> anyhow::Result<()> {
        for lesson in lessons::due(self.ctx.store.reader(), now_ms(), AT_ONCE).await? {
            if let Err(error) = self.learn(&lesson).await {
                // One that cannot be read keeps no other waiting.
                let session = lesson.session_id;
                tracing::error!(%session, error = %format!("{error:#}"), "memory extraction failed for a session; retrying");
                self.put_off(&lesson).await?;
            }
        }
        Ok(())
    }

    async fn learn(&self, lesson: &LessonRow) -> anyhow::Result<()> {
        let Some(reading) = Reading::of(&self.ctx, lesson).await? else {
            return Ok(());
        };
        let Some(material) = &reading.material else {
            tracing::debug!(session = %lesson.session_id, "nothing to extract memories from");
            return Ok(self.close(&reading).await?);
        };
        if lesson.tries >= TRIES {
            tracing::warn!(session = %lesson.session_id, "memory extraction gave no usable response; giving up");
            return Ok(self.close(&reading).await?);
        }
        let next_ms = now_ms() + self.limits.idle_ms * LONGER.pow(lesson.tries as u32);
        match ask(&self.ctx, &reading, material, next_ms).await? {
            Begun::Busy => Ok(()),
            Begun::NoFunds => Ok(self.postpone(lesson).await?),
            Begun::Yes(answered) => fact_store::write(&self.ctx, &reading, answered).await,
        }
    }

    async fn close(&self, reading: &Reading) -> Result<(), StoreError> {
        let (lesson, turns) = (reading.lesson, reading.turns.clone());
        let store = &self.ctx.store;
        let closed = store
            .write(move |tx| Box::pin(async move { lessons::close(tx, &lesson, &turns).await }));
        closed.await.map(drop)
    }

    /// Sends no notice, since learning was not requested by a user.
    async fn postpone(&self, lesson: &LessonRow) -> Result<(), StoreError> {
        tracing::debug!(session = %lesson.session_id, "budget limit reached; memory extraction postponed");
        self.put_off(lesson).await
    }

    async fn put_off(&self, lesson: &LessonRow) -> Result<(), StoreError> {
        let lesson = *lesson;
        let due_ms = now_ms() + PUT_OFF_MS;
        let store = &self.ctx.store;
        store
            .write(move |tx| Box::pin(async move { lessons::postpone(tx, &lesson, due_ms).await }))
            .await
    }
}
