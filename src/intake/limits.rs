//! How often one sender may speak, and how much of it may wait.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use sayso_core::transcript::UserId;

/// A stranger is answered this often at once ...
const STRANGERS_BURST: NonZeroU32 = NonZeroU32::new(10).unwrap();
/// ... and then once in this time.
const STRANGERS_EVERY: Duration = Duration::from_secs(10);
/// How many messages of one person may wait in one conversation.
pub const MOST_WAITING: i64 = 50;
/// Within this time after a refusal, further refusals send no notice.
const TOLD_FOR: Duration = Duration::from_secs(30);
/// Full budgets are dropped from memory once per this many checks.
const FORGET_EVERY: u32 = 1024;

/// One budget per user for messages and one for commands, and one per stranger.
pub struct RateLimits {
    messages: DefaultKeyedRateLimiter<UserId>,
    commands: DefaultKeyedRateLimiter<UserId>,
    strangers: DefaultKeyedRateLimiter<(String, String)>,
    /// When each user last got the notice that too much waits: a flood has one.
    refused: Mutex<HashMap<UserId, Instant>>,
    counted: AtomicU32,
}

/// How much one user may send in a minute, evenly or all at once.
#[derive(Debug, Clone, Copy)]
pub struct RatesPerMinute {
    /// Messages.
    pub messages: NonZeroU32,
    /// Commands.
    pub commands: NonZeroU32,
}

/// What the limits say of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Within the limit.
    Fine,
    /// Over the limit: it is skipped, and counted for the notice.
    TooFast,
}

impl RateLimits {
    /// Returns full budgets.
    pub fn new(rates: RatesPerMinute) -> Self {
        Self {
            messages: RateLimiter::keyed(Quota::per_minute(rates.messages)),
            commands: RateLimiter::keyed(Quota::per_minute(rates.commands)),
            strangers: RateLimiter::keyed(strangers_quota()),
            refused: Mutex::default(),
            counted: AtomicU32::new(0),
        }
    }

    /// Counts a message.
    pub fn count(&self, user: UserId) -> Pace {
        self.judge(&self.messages, user)
    }

    /// Counts a command.
    pub fn count_command(&self, user: UserId) -> Pace {
        self.judge(&self.commands, user)
    }

    /// Counts what a stranger says; says whether they are answered.
    pub fn answers_stranger(&self, channel: &str, sender: &str) -> bool {
        self.forget_idle();
        let stranger = (channel.to_owned(), sender.to_owned());
        self.strangers.check_key(&stranger).is_ok()
    }

    /// Notes that too much of somebody waits; says whether they must be told.
    pub fn must_tell(&self, user: UserId) -> bool {
        self.must_tell_at(user, Instant::now())
    }

    fn must_tell_at(&self, user: UserId, now: Instant) -> bool {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let last = refused.insert(user, now);
        last.is_none_or(|last| now.duration_since(last) >= TOLD_FOR)
    }

    fn judge(&self, budgets: &DefaultKeyedRateLimiter<UserId>, user: UserId) -> Pace {
        self.forget_idle();
        match budgets.check_key(&user) {
            Ok(()) => Pace::Fine,
            Err(_) => Pace::TooFast,
        }
    }

    fn forget_idle(&self) {
        let counted = self.counted.fetch_add(1, Ordering::Relaxed);
        if !counted.is_multiple_of(FORGET_EVERY) {
            return;
        }
        self.messages.retain_recent();
        self.commands.retain_recent();
        self.strangers.retain_recent();
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.retain(|_, last| last.elapsed() < TOLD_FOR);
    }
}

fn strangers_quota() -> Quota {
    Quota::with_period(STRANGERS_EVERY)
        .unwrap_or_else(|| Quota::per_minute(STRANGERS_BURST))
        .allow_burst(STRANGERS_BURST)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::time::Instant;

    use sayso_core::transcript::UserId;

    use super::{Pace, RateLimits, RatesPerMinute, TOLD_FOR};

    fn limits(messages: u32, commands: u32) -> RateLimits {
        RateLimits::new(RatesPerMinute {
            messages: NonZeroU32::new(messages).unwrap(),
            commands: NonZeroU32::new(commands).unwrap(),
        })
    }

    #[test]
    fn each_person_has_a_budget_for_messages_and_one_for_commands() {
        let limits = limits(30, 2);
        for _ in 0..30 {
            assert_eq!(limits.count(UserId(1)), Pace::Fine);
        }
        assert_eq!(limits.count(UserId(1)), Pace::TooFast);
        assert_eq!(limits.count(UserId(2)), Pace::Fine);
        assert_eq!(limits.count_command(UserId(1)), Pace::Fine);
        assert_eq!(limits.count_command(UserId(1)), Pace::Fine);
        assert_eq!(limits.count_command(UserId(1)), Pace::TooFast);
    }

    #[test]
    fn flood_is_told_once_however_long_it_lasts() {
        let (limits, began) = (limits(30, 30), Instant::now());
        let at = |seconds| limits.must_tell_at(UserId(1), began + TOLD_FOR / 2 * seconds);
        assert!(at(0));
        assert!((1..100).all(|later| !at(later)));
        assert!(at(101), "after a rest");
    }

    #[test]
    fn strangers_are_answered_so_often_each() {
        let limits = limits(30, 30);
        let answered = (0..50).filter(|_| limits.answers_stranger("telegram", "1"));
        assert_eq!(answered.count(), 10);
        assert!(limits.answers_stranger("telegram", "2"));
    }
}
