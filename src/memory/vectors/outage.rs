//! Whether the embedder answers: said once when it stops, and once when it is back.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sayso_channel::{Health, HealthStatus};

/// How long no query waits for an embedder that has just failed.
const SPARE: Duration = Duration::from_secs(5);

/// An outage, or none. Searches and the index both meet it.
#[derive(Debug, Default)]
pub(super) struct Outage {
    /// How it is, for people: the time of its last fault is that at which the outage began.
    health: Health,
    /// The last failure.
    last: Mutex<Option<Instant>>,
}

impl Outage {
    /// Notes that the embedder did not answer.
    pub(super) fn note(&self, why: &str) {
        *self.last() = Some(Instant::now());
        if !matches!(self.health.read().status, HealthStatus::Waiting(_)) {
            self.health.waiting(why);
            tracing::warn!(
                why,
                "embedder unavailable; memory search uses words only until it recovers"
            );
        }
    }

    /// Notes that it answered.
    pub(super) fn is_over(&self) {
        *self.last() = None;
        let was_away = matches!(self.health.read().status, HealthStatus::Waiting(_));
        self.health.connected();
        if was_away {
            tracing::info!("embedder available again");
        }
    }

    /// Returns the health; the clone shares its state, so it also shows later changes.
    pub(super) fn health(&self) -> Health {
        self.health.clone()
    }

    /// Returns whether it failed a moment ago.
    pub(super) fn is_fresh(&self) -> bool {
        self.last().is_some_and(|last| last.elapsed() < SPARE)
    }

    fn last(&self) -> MutexGuard<'_, Option<Instant>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
