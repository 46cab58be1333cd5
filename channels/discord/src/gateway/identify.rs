//! How often sessions may begin: Discord counts, and resets the token of who begins too many.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::Shard;

/// How long the allowance of sessions lasts
/// (<https://docs.discord.com/developers/events/gateway#session-start-limit-object>).
const ALLOWANCE_LASTS: Duration = Duration::from_hours(24);

/// What Discord allows at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// How many sessions may begin in a day.
    pub(crate) total: u32,
    /// How many are left of them.
    pub(crate) remaining: u32,
    /// When they are all back.
    pub(crate) reset_after: Duration,
    /// How many may begin at the same time, at least 1.
    pub(crate) at_once: u16,
}

/// When the next sessions may begin. All shards of an account share it.
#[derive(Debug)]
pub(crate) struct Identifies {
    pause: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    total: u32,
    remaining: u32,
    resets_at: Instant,
    /// When the next session may begin, by the shard's number modulo `at_once`.
    next: Vec<Instant>,
}

impl Identifies {
    /// Takes what Discord allows; `pause` lies between two sessions that share a place.
    pub(crate) fn new(allowance: Allowance, pause: Duration, now: Instant) -> Self {
        Self {
            pause,
            state: Mutex::new(State {
                total: allowance.total.max(1),
                remaining: allowance.remaining,
                resets_at: now + allowance.reset_after,
                next: vec![now; usize::from(allowance.at_once.max(1))],
            }),
        }
    }

    /// Takes one session from the allowance and returns when it may begin.
    pub(crate) fn take(&self, shard: Shard, now: Instant) -> Instant {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let begin = state.count(now);
        let places = state.next.len();
        let Some(next) = state.next.get_mut(usize::from(shard.index) % places) else {
            return begin;
        };
        let begin = begin.max(*next);
        *next = begin + self.pause;
        begin
    }
}

impl State {
    /// Counts a session and returns when the allowance has one left.
    fn count(&mut self, now: Instant) -> Instant {
        if now >= self.resets_at {
            self.renew(now);
        }
        if self.remaining > 0 {
            self.remaining -= 1;
            return now;
        }
        let begin = self.resets_at;
        self.renew(begin);
        self.remaining -= 1;
        begin
    }

    fn renew(&mut self, at: Instant) {
        self.remaining = self.total;
        self.resets_at = at + ALLOWANCE_LASTS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_secs(5);
    const HOUR: Duration = Duration::from_hours(1);

    fn allowance(remaining: u32, at_once: u16) -> Allowance {
        Allowance {
            total: 2,
            remaining,
            reset_after: HOUR,
            at_once,
        }
    }

    fn shard(index: u16) -> Shard {
        Shard { index, count: 4 }
    }

    #[test]
    fn sessions_of_one_place_begin_with_a_pause_between_them() {
        let now = Instant::now();
        let identifies = Identifies::new(allowance(9, 2), PAUSE, now);
        assert_eq!(identifies.take(shard(0), now), now);
        assert_eq!(identifies.take(shard(1), now), now);
        assert_eq!(identifies.take(shard(2), now), now + PAUSE);
        assert_eq!(identifies.take(shard(0), now), now + PAUSE * 2);
    }

    #[test]
    fn used_up_allowance_is_waited_for() {
        let now = Instant::now();
        let identifies = Identifies::new(allowance(1, 1), PAUSE, now);
        assert_eq!(identifies.take(shard(0), now), now);
        assert_eq!(identifies.take(shard(0), now), now + HOUR);
    }

    #[test]
    fn allowance_comes_back_with_time() {
        let now = Instant::now();
        let identifies = Identifies::new(allowance(0, 1), PAUSE, now);
        let later = now + HOUR;
        assert_eq!(identifies.take(shard(0), later), later);
        assert_eq!(identifies.take(shard(0), later), later + PAUSE);
    }
}
