//! Remembers that a provider keeps failing, or said that it is unavailable for a while, so that it
//! is not asked in the meantime.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of failures in a row that opens a circuit.
const FAILURES_TO_OPEN: u32 = 3;

/// How long an open circuit is skipped. One more failure afterwards opens it again.
const OPEN_FOR: Duration = Duration::from_secs(30);

/// The circuit of one provider.
///
/// The lock is held for a few loads and stores by the turns that ask at the same time.
#[derive(Debug, Default)]
pub(super) struct Circuit(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    failures: u32,
    open_until: Option<Instant>,
}

impl Circuit {
    /// Returns whether the provider is to be skipped.
    pub(super) fn is_open(&self, now: Instant) -> bool {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.open_until.is_some_and(|until| now < until)
    }

    /// Takes note of an answer.
    pub(super) fn answered(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = State::default();
    }

    /// Records that the provider is unavailable until then. This concerns one key and one model, so
    /// no other provider is skipped.
    pub(super) fn rests_until(&self, then: Instant) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.open_until = state.open_until.max(Some(then));
    }

    /// Takes note of a failure.
    pub(super) fn failed(&self, now: Instant) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.failures = state.failures.saturating_add(1);
        if state.failures >= FAILURES_TO_OPEN {
            state.open_until = state.open_until.max(Some(now + OPEN_FOR));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Circuit;

    #[test]
    fn three_failures_in_a_row_open_it_for_half_a_minute() {
        let circuit = Circuit::default();
        let now = Instant::now();
        circuit.failed(now);
        circuit.failed(now);
        assert!(!circuit.is_open(now));
        circuit.failed(now);
        assert!(circuit.is_open(now + Duration::from_secs(29)));
        assert!(!circuit.is_open(now + Duration::from_secs(30)));
    }

    #[test]
    fn an_answer_between_them_closes_it() {
        let circuit = Circuit::default();
        let now = Instant::now();
        circuit.failed(now);
        circuit.failed(now);
        circuit.answered();
        circuit.failed(now);
        assert!(!circuit.is_open(now));
    }

    #[test]
    fn a_rest_lasts_as_long_as_it_was_asked_for() {
        let circuit = Circuit::default();
        let now = Instant::now();
        circuit.rests_until(now + Duration::from_mins(5));
        for _ in 0..3 {
            circuit.failed(now);
        }
        assert!(circuit.is_open(now + Duration::from_secs(299)));
        assert!(!circuit.is_open(now + Duration::from_mins(5)));
        circuit.rests_until(now + Duration::from_mins(5));
        circuit.answered();
        assert!(!circuit.is_open(now));
    }

    #[test]
    fn after_the_wait_one_failure_opens_it_again() {
        let circuit = Circuit::default();
        let now = Instant::now();
        for _ in 0..3 {
            circuit.failed(now);
        }
        let later = now + Duration::from_secs(31);
        circuit.failed(later);
        assert!(circuit.is_open(later));
    }
}
