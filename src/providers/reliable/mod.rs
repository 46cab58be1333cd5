//! Several providers as one: asks again, asks the next, and skips who keeps failing.
//!
//! What was heard cannot be taken back: once a piece of text was passed on, a failure is the
//! caller's, and nobody else is asked.

mod circuit;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;

use self::circuit::Circuit;
use super::{ChatRequest, Heard, Provider, ProviderError, Reply};

/// How often the same provider is asked again.
const RETRIES: u32 = 2;

/// The pause before the first retry; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// The longest pause that a service may ask for; who asks for more is not asked again.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How long a provider rests whose key, credit or model is refused: nothing but a person changes that.
const REFUSED_REST: Duration = Duration::from_mins(5);

/// The longest rest that a service may ask for.
const LONGEST_REST: Duration = Duration::from_hours(1);

/// Providers that are tried in their order.
pub struct Reliable {
    places: Vec<Place>,
    first_pause: Duration,
}

struct Place {
    provider: Arc<dyn Provider>,
    circuit: Circuit,
}

/// What to do about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Remedy {
    AskAgain { after: Duration },
    AskTheNext,
}

impl Reliable {
    /// Tries these, in their order; none at all answers [`ProviderError::Missing`].
    pub fn new(providers: Vec<Arc<dyn Provider>>) -> Self {
        let place = |provider| Place {
            provider,
            circuit: Circuit::default(),
        };
        Self {
            places: providers.into_iter().map(place).collect(),
            first_pause: FIRST_PAUSE,
        }
    }

    /// Returns who to ask: those whose circuit is closed, or everybody when there are none.
    fn to_ask(&self) -> Vec<&Place> {
        let now = Instant::now();
        let closed: Vec<_> = self
            .places
            .iter()
            .filter(|place| !place.circuit.is_open(now))
            .collect();
        if closed.is_empty() {
            return self.places.iter().collect();
        }
        closed
    }

    async fn ask_one(
        &self,
        place: &Place,
        request: ChatRequest<'_>,
        heard: &Once<'_>,
    ) -> Result<Reply, ProviderError> {
        let mut retries = 0;
        loop {
            let began = Instant::now();
            if let Some(attempts) = request.attempts {
                attempts.begin(place.provider.as_ref(), &request);
            }
            let result = place
                .provider
                .chat_with_tools(request, &|piece| heard.pass_on(piece))
                .await;
            count(place.provider.name(), began.elapsed(), result.is_ok());
            let error = match result {
                Ok(reply) => {
                    place.circuit.answered();
                    let attempts = request.attempts;
                    return Ok(Reply {
                        asking: attempts.and_then(|attempts| attempts.answered(&reply)),
                        model: place.provider.model().to_owned(),
                        ..reply
                    });
                }
                Err(error) => error,
            };
            if let Some(attempts) = request.attempts {
                attempts.failed(&error);
            }
            tracing::warn!(provider = place.provider.name(), %error, "a model did not answer");
            if counts_against(&error) {
                place.circuit.failed(Instant::now());
            }
            if let Some(rest) = rest(&error) {
                place.circuit.rests_until(Instant::now() + rest);
            }
            let remedy = remedy(&error, retries, self.first_pause);
            let Remedy::AskAgain { after } = remedy else {
                return Err(error);
            };
            if heard.is_spent() {
                return Err(error);
            }
            tokio::time::sleep(spread(after, dice())).await;
            retries += 1;
        }
    }
}

fn count(provider: &str, took: Duration, answered: bool) {
    let status = if answered { "answered" } else { "failed" };
    let provider = provider.to_owned();
    metrics::histogram!("sayso_model_call_seconds", "provider" => provider.clone()).record(took);
    metrics::counter!("sayso_model_calls_total", "provider" => provider, "status" => status)
        .increment(1);
}

/// The way of text to the caller, and whether any went there.
struct Once<'a> {
    heard: Heard<'a>,
    spent: AtomicBool,
}

impl Once<'_> {
    fn pass_on(&self, piece: &str) {
        self.spent.store(true, Ordering::Relaxed);
        (self.heard)(piece);
    }

    fn is_spent(&self) -> bool {
        self.spent.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl Provider for Reliable {
    /// Returns the name of the first provider.
    fn name(&self) -> &str {
        self.places
            .first()
            .map_or("none", |place| place.provider.name())
    }

    /// Returns the model of the first provider.
    fn model(&self) -> &str {
        self.places
            .first()
            .map_or("none", |place| place.provider.model())
    }

    /// The error is that of the last provider that was asked.
    async fn chat_with_tools(
        &self,
        request: ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let heard = Once {
            heard,
            spent: AtomicBool::new(false),
        };
        let mut last = ProviderError::Missing;
        for place in self.to_ask() {
            match self.ask_one(place, request, &heard).await {
                Ok(reply) => return Ok(reply),
                Err(error) if heard.is_spent() => return Err(error),
                // It was paid for: whether to pay again is up to the caller.
                Err(error @ ProviderError::Repeating(_)) => return Err(error),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Succeeds when one of them answers; the error is that of the first.
    async fn check(&self) -> Result<(), ProviderError> {
        let mut first = None;
        for place in &self.places {
            match place.provider.check().await {
                Ok(()) => return Ok(()),
                Err(error) => first = first.or(Some(error)),
            }
        }
        Err(first.unwrap_or(ProviderError::Missing))
    }
}

fn remedy(error: &ProviderError, retries: u32, first_pause: Duration) -> Remedy {
    if retries >= RETRIES {
        return Remedy::AskTheNext;
    }
    let pause = first_pause * 2_u32.pow(retries);
    match error {
        ProviderError::RateLimited {
            retry_after: Some(after),
        } if *after > LONGEST_PAUSE => Remedy::AskTheNext,
        ProviderError::RateLimited { retry_after } => Remedy::AskAgain {
            after: retry_after.unwrap_or(pause),
        },
        ProviderError::Unreachable(_)
        | ProviderError::TimedOut { .. }
        | ProviderError::Broken { .. }
        | ProviderError::Garbage(_) => Remedy::AskAgain { after: pause },
        ProviderError::Refused { .. } | ProviderError::Repeating(_) | ProviderError::Missing => {
            Remedy::AskTheNext
        }
    }
}

/// Returns how long a provider is of no use to anybody after this failure, if it is.
///
/// Who is limited for longer than a turn may wait is not asked by the next turn either, nor is one whose
/// key was revoked. What was wrong with one request is not held against the next.
fn rest(error: &ProviderError) -> Option<Duration> {
    match error {
        ProviderError::RateLimited {
            retry_after: Some(after),
        } if *after > LONGEST_PAUSE => Some((*after).min(LONGEST_REST)),
        ProviderError::Refused {
            status: 401 | 402 | 403 | 404 | 429,
            ..
        } => Some(REFUSED_REST),
        ProviderError::RateLimited { .. }
        | ProviderError::Refused { .. }
        | ProviderError::Unreachable(_)
        | ProviderError::TimedOut { .. }
        | ProviderError::Broken { .. }
        | ProviderError::Garbage(_)
        | ProviderError::Repeating(_)
        | ProviderError::Missing => None,
    }
}

/// Makes a pause up to half as long again, so that turns which failed together do not return together.
/// It is never shorter than what a service asked for.
fn spread(pause: Duration, dice: u64) -> Duration {
    pause + pause.mul_f64(dice as f64 / u64::MAX as f64 / 2.0)
}

/// A random number: the keys of a hasher are, and nothing here is worth more.
fn dice() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Who refuses has answered: it costs no time, and the next question may be to its liking.
fn counts_against(error: &ProviderError) -> bool {
    match error {
        ProviderError::Unreachable(_)
        | ProviderError::TimedOut { .. }
        | ProviderError::RateLimited { .. }
        | ProviderError::Broken { .. }
        | ProviderError::Garbage(_) => true,
        ProviderError::Refused { .. } | ProviderError::Repeating(_) | ProviderError::Missing => {
            false
        }
    }
}

#[cfg(test)]
mod tests;
