//! The server's limits on what a bot says, as token buckets: bursts pass, a steady excess is refused.

use std::collections::HashMap;
use std::time::Instant;

use super::refusal::Refusal;

/// Published: about 30 messages a second in all.
const OVERALL: Rate = Rate {
    burst: 30.0,
    per_second: 30.0,
};
/// Published: 20 messages a minute in one group.
const GROUP: Rate = Rate {
    burst: 20.0,
    per_second: 20.0 / 60.0,
};
/// Published: one message a second in one chat, short bursts aside.
const CHAT: Rate = Rate {
    burst: 5.0,
    per_second: 1.0,
};

#[derive(Clone, Copy, Debug)]
struct Rate {
    burst: f64,
    per_second: f64,
}

#[derive(Debug)]
struct Bucket {
    rate: Rate,
    left: f64,
    filled_at: Instant,
}

impl Bucket {
    fn full(rate: Rate) -> Self {
        Self {
            rate,
            left: rate.burst,
            filled_at: Instant::now(),
        }
    }

    /// Refills by the time that passed; returns the whole seconds until one message fits, 0 for now.
    fn wait(&mut self) -> u64 {
        let now = Instant::now();
        let gained = now.duration_since(self.filled_at).as_secs_f64() * self.rate.per_second;
        self.left = (self.left + gained).min(self.rate.burst);
        self.filled_at = now;
        if self.left >= 1.0 {
            return 0;
        }
        ((1.0 - self.left) / self.rate.per_second).ceil() as u64
    }
}

/// How much may still be said, overall and per chat.
#[derive(Debug)]
pub(crate) struct Limits {
    overall: Bucket,
    /// How many messages were refused.
    pub(crate) refused: usize,
    chats: HashMap<i64, Bucket>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            overall: Bucket::full(OVERALL),
            refused: 0,
            chats: HashMap::new(),
        }
    }
}

impl Limits {
    /// Takes one message to the chat from the budget, or refuses it with the seconds to wait.
    pub(crate) fn admit(&mut self, chat: i64) -> Result<(), Refusal> {
        let rate = if chat < 0 { GROUP } else { CHAT };
        let bucket = self.chats.entry(chat).or_insert_with(|| Bucket::full(rate));
        let wait = bucket.wait().max(self.overall.wait());
        if wait > 0 {
            self.refused += 1;
            return Err(Refusal::too_many(wait));
        }
        bucket.left -= 1.0;
        self.overall.left -= 1.0;
        Ok(())
    }
}
