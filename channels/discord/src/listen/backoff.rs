//! How long to wait before the next attempt.

use std::time::Duration;

use crate::config::Timeouts;

/// How many first pauses Discord wants between the beginnings of two sessions: with the first
/// pause of a second, its five seconds
/// (<https://docs.discord.com/developers/events/gateway#identifying>).
const SESSION_PAUSES: u32 = 5;

/// A pause that doubles up to a longest one, with jitter: many bots must not return at once.
#[derive(Debug)]
pub(super) struct Backoff {
    first: Duration,
    longest: Duration,
    next: Duration,
}

impl Backoff {
    /// Returns the pauses between attempts.
    pub(super) fn new(timeouts: &Timeouts) -> Self {
        Self {
            first: timeouts.first_pause,
            longest: timeouts.longest_pause,
            next: timeouts.first_pause,
        }
    }

    /// Returns the next pause: between half of it and the whole.
    pub(super) fn pause(&mut self) -> Duration {
        let whole = self.next.min(self.longest);
        self.next = (whole * 2).min(self.longest);
        between(whole / 2, whole)
    }

    /// Starts again with the first pause.
    pub(super) fn reset(&mut self) {
        self.next = self.first;
    }
}

/// Returns the pause between the beginnings of two sessions: five seconds in earnest.
pub(super) fn between_sessions(timeouts: &Timeouts) -> Duration {
    timeouts.first_pause * SESSION_PAUSES
}

/// Returns the pause after a session that Discord ended: one to five seconds in earnest
/// (<https://docs.discord.com/developers/events/gateway#resuming>).
pub(super) fn after_session(timeouts: &Timeouts) -> Duration {
    between(timeouts.first_pause, between_sessions(timeouts))
}

fn between(least: Duration, most: Duration) -> Duration {
    // Without randomness the longest is as good.
    let share = getrandom::u32().unwrap_or(u32::MAX);
    least + (most.saturating_sub(least)).mul_f64(f64::from(share) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pause: Duration, least: u64, most: u64) {
        let [least, most] = [least, most].map(Duration::from_millis);
        assert!(least <= pause && pause <= most, "{pause:?}");
    }

    #[test]
    fn pause_doubles_up_to_the_longest() {
        let mut backoff = Backoff::new(&Timeouts::default());
        for whole in [1, 2, 4, 8, 16, 32, 60, 60] {
            check(backoff.pause(), whole * 500, whole * 1000);
        }
        backoff.reset();
        check(backoff.pause(), 500, 1000);
    }

    #[test]
    fn session_that_ended_is_followed_after_one_to_five_seconds() {
        for _ in 0..100 {
            check(after_session(&Timeouts::default()), 1000, 5000);
        }
    }
}
