//! Whether the embedder answers: said once when it stops, and once when it is back.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long no query waits for an embedder that has just failed.
const SPARE: Duration = Duration::from_secs(5);

/// An outage, or none. Searches and the index both meet it.
#[derive(Debug, Default)]
pub(super) struct Outage(Mutex<Option<Instant>>);

impl Outage {
    /// Notes that the embedder did not answer.
    pub(super) fn note(&self, why: &str) {
        if self.last().replace(Instant::now()).is_none() {
            tracing::warn!(
                why,
                "the embedder does not answer; until it does, memory is found by words alone"
            );
        }
    }

    /// Notes that it answered.
    pub(super) fn is_over(&self) {
        if self.last().take().is_some() {
            tracing::info!("the embedder answers again");
        }
    }

    /// Returns whether it failed a moment ago.
    pub(super) fn is_fresh(&self) -> bool {
        self.last().is_some_and(|last| last.elapsed() < SPARE)
    }

    fn last(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
