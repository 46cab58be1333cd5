//! How often one sender may speak.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::transcript::UserId;

/// A person may say this many messages at once ...
const BURST: NonZeroU32 = NonZeroU32::new(30).unwrap();
/// ... and then one in this time: 30 a minute.
const EVERY: Duration = Duration::from_secs(2);
/// Full budgets are forgotten after so many messages.
const FORGET_EVERY: u32 = 1024;

/// One budget per user.
pub struct RateLimits {
    budgets: DefaultKeyedRateLimiter<UserId>,
    /// Who was told that they are too fast; they are told once until they may speak again.
    told: Mutex<Vec<UserId>>,
    counted: AtomicU32,
}

/// What the limits say of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// It may come in.
    Fine,
    /// It is too much; the sender must be told.
    TooFast,
    /// It is too much, and the sender was told.
    StillTooFast,
}

impl RateLimits {
    /// Returns full budgets.
    pub fn new() -> Self {
        let quota = Quota::with_period(EVERY)
            .unwrap_or_else(|| Quota::per_second(BURST))
            .allow_burst(BURST);
        Self {
            budgets: RateLimiter::keyed(quota),
            told: Mutex::default(),
            counted: AtomicU32::new(0),
        }
    }

    /// Counts a message.
    pub fn count(&self, user: UserId) -> Pace {
        if self
            .counted
            .fetch_add(1, Ordering::Relaxed)
            .is_multiple_of(FORGET_EVERY)
        {
            self.budgets.retain_recent();
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if self.budgets.check_key(&user).is_ok() {
            told.retain(|other| *other != user);
            return Pace::Fine;
        }
        if told.contains(&user) {
            return Pace::StillTooFast;
        }
        told.push(user);
        Pace::TooFast
    }
}

#[cfg(test)]
mod tests {
    use super::{Pace, RateLimits};
    use crate::transcript::UserId;

    #[test]
    fn who_is_too_fast_is_told_once() {
        let limits = RateLimits::new();
        for _ in 0..30 {
            assert_eq!(limits.count(UserId(1)), Pace::Fine);
        }
        assert_eq!(limits.count(UserId(1)), Pace::TooFast);
        assert_eq!(limits.count(UserId(1)), Pace::StillTooFast);
        assert_eq!(limits.count(UserId(2)), Pace::Fine);
    }
}
