//! When a heartbeat is due, and whether the last one was answered.

use std::time::Duration;

use tokio::time::Instant;

/// The shortest time between heartbeats that we keep to; a shorter one would be a fault of
/// Discord's.
const SHORTEST: Duration = Duration::from_millis(20);

/// The heartbeat of one connection.
#[derive(Debug)]
pub(super) struct Heartbeat {
    interval: Duration,
    due: Instant,
    /// A heartbeat is on its way and was not answered.
    is_unanswered: bool,
}

/// The last heartbeat was not acknowledged before the next was due: the connection is dead.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Silent;

impl Heartbeat {
    /// Returns the heartbeat that Discord asks for: the first after a random part of the interval,
    /// or all bots would beat at once after a failure
    /// (<https://docs.discord.com/developers/events/gateway#heartbeat-interval>).
    pub(super) fn new(interval: Duration, now: Instant) -> Self {
        let interval = interval.max(SHORTEST);
        let share = getrandom::u32().unwrap_or(u32::MAX / 2);
        let jitter = f64::from(share) / f64::from(u32::MAX);
        Self {
            interval,
            due: now + interval.mul_f64(jitter),
            is_unanswered: false,
        }
    }

    /// Returns when the next heartbeat is due.
    pub(super) fn due(&self) -> Instant {
        self.due
    }

    /// Counts a heartbeat that is due now.
    pub(super) fn beat(&mut self, now: Instant) -> Result<(), Silent> {
        if self.is_unanswered {
            return Err(Silent);
        }
        self.is_unanswered = true;
        self.due = now + self.interval;
        Ok(())
    }

    /// Counts an answer.
    pub(super) fn answered(&mut self) {
        self.is_unanswered = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVAL: Duration = Duration::from_secs(40);

    #[test]
    fn first_beat_comes_within_the_interval() {
        let now = Instant::now();
        for _ in 0..100 {
            let due = Heartbeat::new(INTERVAL, now).due();
            assert!(now <= due && due <= now + INTERVAL);
        }
    }

    #[test]
    fn beat_that_was_not_answered_before_the_next_is_silence() {
        let now = Instant::now();
        let mut heartbeat = Heartbeat::new(INTERVAL, now);
        assert_eq!(heartbeat.beat(now), Ok(()));
        assert_eq!(heartbeat.due(), now + INTERVAL);
        heartbeat.answered();
        assert_eq!(heartbeat.beat(now), Ok(()));
        assert_eq!(heartbeat.beat(now), Err(Silent));
    }
}
