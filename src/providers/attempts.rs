//! Which models were asked one question, in which order, and what ended each attempt.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use sayso_core::transcript::{Failure, Finish, ModelRequest};

use super::stopwatch::Stopwatch;
use super::wire::failure::GAVE_UP;
use super::{ChatRequest, Provider, ProviderError, Received, Reply};

/// The attempts at one question. The caller keeps it, so that it also knows of an attempt that it
/// aborts.
#[derive(Debug, Default)]
pub struct Attempts(Mutex<Noted>);

#[derive(Debug, Default)]
struct Noted {
    count: u32,
    under_way: Option<Stopwatch>,
    /// The outcome of the attempt that was made last.
    received: Received,
    failed: Vec<Unanswered>,
}

/// An attempt that brought no answer.
#[derive(Debug)]
struct Unanswered {
    asking: ModelRequest,
    over: Instant,
    /// Its outcome.
    received: Received,
    /// Whether a model may have begun to answer, and its service counts that.
    may_cost: bool,
}

/// An attempt that was given up for another one and may cost something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WastedAttempt {
    /// The model that was asked.
    pub model: String,
    /// Its outcome.
    pub received: Received,
}

impl Attempts {
    /// Notes that a provider is about to be asked.
    pub(super) fn begin(&self, provider: &dyn Provider, request: &ChatRequest<'_>) {
        let mut noted = self.noted();
        noted.count += 1;
        noted.received = Received::default();
        let attempt = noted.count;
        noted.under_way = Some(Stopwatch::start(provider, request, attempt));
    }

    /// Notes how much has arrived of the answer that is under way: also of one that is broken off
    /// at once.
    pub fn note_received(&self, received: Received) {
        self.noted().received = received;
    }

    /// Returns the outcome of the attempt that was made last.
    pub fn received(&self) -> Received {
        self.noted().received
    }

    /// Notes that it answered.
    pub(super) fn answered(&self, reply: &Reply) -> Option<ModelRequest> {
        let watch = self.noted().under_way.take()?;
        Some(watch.stop(finish_of(reply)))
    }

    /// Notes that it did not.
    pub(super) fn failed(&self, error: &ProviderError) {
        let mut noted = self.noted();
        let received = noted.received;
        if let Some(watch) = noted.under_way.take() {
            noted.failed.push(Unanswered {
                asking: watch.stop(Finish::Failed(error.class())),
                over: Instant::now(),
                received,
                may_cost: received.has_begun || !error.is_free(),
            });
        }
    }

    /// Returns the model that was asked last, if any was.
    pub fn last_model(&self) -> Option<String> {
        let noted = self.noted();
        let under_way = noted.under_way.as_ref().map(Stopwatch::model);
        let failed = noted.failed.last().map(|it| it.asking.model.as_str());
        under_way.or(failed).map(str::to_owned)
    }

    /// Returns whether the last attempt is over and the next one has not begun: in the pause
    /// between them nothing is under way that could cost.
    pub fn is_between(&self) -> bool {
        let noted = self.noted();
        noted.count > 0 && noted.under_way.is_none()
    }

    /// Returns each attempt that was given up for another one and may cost something: those without
    /// an answer, but the one whose failure is the `outcome`.
    pub fn wasted(&self, outcome: Option<&Result<Reply, ProviderError>>) -> Vec<WastedAttempt> {
        let noted = self.noted();
        let is_last = usize::from(matches!(outcome, Some(Err(_))));
        let given_up = noted.failed.len().saturating_sub(is_last);
        let given_up = noted.failed.iter().take(given_up);
        given_up
            .filter(|attempt| attempt.may_cost)
            .map(|attempt| WastedAttempt {
                model: attempt.asking.model.clone(),
                received: attempt.received,
            })
            .collect()
    }

    /// Takes out the attempts without an answer, each with how many milliseconds ago it was over.
    /// One that is still under way counts as broken off.
    pub fn take_unanswered(&self) -> Vec<(ModelRequest, u64)> {
        let mut noted = self.noted();
        let received = noted.received;
        if let Some(watch) = noted.under_way.take() {
            noted.failed.push(Unanswered {
                asking: watch.stop(Finish::Interrupted),
                over: Instant::now(),
                received,
                may_cost: true,
            });
        }
        let failed = std::mem::take(&mut noted.failed);
        failed
            .into_iter()
            .map(|attempt| (attempt.asking, attempt.over.elapsed().as_millis() as u64))
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
    /// Returns whether no model had begun to answer, as far as the failure alone tells: what came
    /// before it is in [`Received`].
    pub fn is_free(&self) -> bool {
        match self {
            Self::Unreachable(_)
            | Self::RateLimited { .. }
            | Self::Refused { .. }
            | Self::Broken { .. }
            | Self::Missing => true,
            Self::TimedOut { .. } | Self::Garbage(_) | Self::Repeating(_) => false,
        }
    }

    /// Returns whether the conversation does not fit into the model. Services say so with any
    /// status; what reads their failures gives it that of HTTP.
    pub fn is_too_long(&self) -> bool {
        matches!(self, Self::Refused { status: 413, .. })
    }

    /// Returns whether something is wrong with the request, for a reason that is not known.
    pub fn is_unexplained_refusal(&self) -> bool {
        matches!(
            self,
            Self::Refused {
                status: 400 | 422,
                ..
            }
        )
    }

    /// Returns whether the service said itself in the middle of an answer that it goes no further.
    pub fn is_given_up(&self) -> bool {
        matches!(self, Self::Broken { message, .. } if message.starts_with(GAVE_UP))
    }

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
