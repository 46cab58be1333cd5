//! Which models were asked one question, in which order, and what ended each attempt.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::stopwatch::Stopwatch;
use super::{ChatRequest, Provider, ProviderError, Reply};
use crate::transcript::{Asking, Failure, Finish};

/// The attempts at one question. Whoever asks keeps it, so that it knows of an attempt that it
/// breaks off, too.
#[derive(Debug, Default)]
pub struct Attempts(Mutex<Noted>);

#[derive(Debug, Default)]
struct Noted {
    count: u32,
    under_way: Option<Stopwatch>,
    failed: Vec<(Asking, Instant)>,
}

impl Attempts {
    /// Notes that a provider is about to be asked.
    pub(super) fn begin(&self, provider: &dyn Provider, request: &ChatRequest<'_>) {
        let mut noted = self.noted();
        noted.count += 1;
        let attempt = noted.count;
        noted.under_way = Some(Stopwatch::start(provider, request, attempt));
    }

    /// Notes that it answered.
    pub(super) fn answered(&self, reply: &Reply) -> Option<Asking> {
        let watch = self.noted().under_way.take()?;
        Some(watch.stop(finish_of(reply)))
    }

    /// Notes that it did not.
    pub(super) fn failed(&self, error: &ProviderError) {
        let mut noted = self.noted();
        if let Some(watch) = noted.under_way.take() {
            let asking = watch.stop(Finish::Failed(error.class()));
            noted.failed.push((asking, Instant::now()));
        }
    }

    /// Takes out the attempts without an answer, each with how many milliseconds ago it was over.
    /// One that is still under way counts as broken off.
    pub fn take_unanswered(&self) -> Vec<(Asking, u64)> {
        let mut noted = self.noted();
        if let Some(watch) = noted.under_way.take() {
            let asking = watch.stop(Finish::Interrupted);
            noted.failed.push((asking, Instant::now()));
        }
        let failed = std::mem::take(&mut noted.failed);
        failed
            .into_iter()
            .map(|(asking, at)| (asking, at.elapsed().as_millis() as u64))
            .collect()
    }

    fn noted(&self) -> std::sync::MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn finish_of(reply: &Reply) -> Finish {
    if reply.truncated {
        Finish::Length
    } else if reply.message.calls.is_empty() {
        Finish::Stop
    } else {
        Finish::ToolCalls
    }
}

impl ProviderError {
    /// Returns what kind of failure it is, without what anybody said about it.
    pub fn class(&self) -> Failure {
        match self {
            Self::Unreachable(_) => Failure::Unreachable,
            Self::TimedOut { .. } => Failure::TimedOut,
            Self::RateLimited { .. } => Failure::RateLimited,
            Self::Refused { status, .. } => Failure::Refused { status: *status },
            Self::Broken { status, .. } => Failure::Broken { status: *status },
            Self::Garbage(_) => Failure::Garbage,
            Self::Repeating(_) => Failure::Repeating,
            Self::Missing => Failure::Missing,
        }
    }
}
