//! How long to wait before the next attempt.

use std::time::Duration;

use crate::config::Timeouts;

/// A pause that doubles up to a longest one, with jitter: many bots must not return at once.
#[derive(Debug)]
pub(super) struct Backoff {
    first: Duration,
    longest: Duration,
    next: Duration,
}

impl Backoff {
    /// Returns the pauses between attempts after network errors and 5xx.
    pub(super) fn after_faults(timeouts: &Timeouts) -> Self {
        Self::new(timeouts.first_pause, timeouts.longest_pause)
    }

    /// Returns the pauses while another program polls.
    pub(super) fn after_conflicts(timeouts: &Timeouts) -> Self {
        Self::new(timeouts.conflict_pause, timeouts.longest_pause)
    }

    fn new(first: Duration, longest: Duration) -> Self {
        Self {
            first,
            longest,
            next: first,
        }
    }

    /// Returns the next pause: between half of it and the whole.
    pub(super) fn pause(&mut self) -> Duration {
        let whole = self.next.min(self.longest);
        self.next = (whole * 2).min(self.longest);
        // Without randomness the whole pause is as good.
        let share = getrandom::u32().unwrap_or(u32::MAX);
        whole / 2 + (whole / 2).mul_f64(f64::from(share) / f64::from(u32::MAX))
    }

    /// Starts again with the first pause.
    pub(super) fn reset(&mut self) {
        self.next = self.first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pause: Duration, whole: u64) {
        let whole = Duration::from_secs(whole);
        assert!(
            whole / 2 <= pause && pause <= whole,
            "{pause:?} of {whole:?}"
        );
    }

    #[test]
    fn pause_doubles_up_to_the_longest() {
        let mut backoff = Backoff::after_faults(&Timeouts::default());
        for whole in [1, 2, 4, 8, 16, 30, 30] {
            check(backoff.pause(), whole);
        }
        backoff.reset();
        check(backoff.pause(), 1);
    }
}
