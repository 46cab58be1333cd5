//! Discord's limits as windows by bucket, and the headers that tell of them.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::faults::Scope;
use super::form::Form;
use super::snowflake::now;

/// What may be asked of one bucket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    pub(crate) limit: u32,
    pub(crate) per: Duration,
}

/// Messages: five in five seconds in one channel.
const SPEECH: Rate = Rate {
    limit: 5,
    per: Duration::from_secs(5),
};
/// Everything else, roughly.
const OTHERS: Rate = Rate {
    limit: 30,
    per: Duration::from_secs(5),
};
/// Documented: 50 requests a second in all.
const OVERALL: Rate = Rate {
    limit: 50,
    per: Duration::from_secs(1),
};

#[derive(Clone, Copy, Debug)]
struct Window {
    rate: Rate,
    used: u32,
    resets_at: Instant,
}

impl Window {
    fn new(rate: Rate) -> Self {
        Self {
            rate,
            used: 0,
            resets_at: Instant::now() + rate.per,
        }
    }

    fn renew(&mut self) {
        if Instant::now() >= self.resets_at {
            *self = Self::new(self.rate);
        }
    }

    fn rest(&self) -> Option<Duration> {
        let is_used_up = self.used >= self.rate.limit;
        is_used_up.then(|| self.resets_at.saturating_duration_since(Instant::now()))
    }
}

/// How a bucket stands, as the headers tell.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    pub(crate) bucket: String,
    pub(crate) limit: u32,
    pub(crate) remaining: u32,
    pub(crate) reset_after: Duration,
}

/// A request that came too early.
#[derive(Clone, Debug)]
pub(crate) struct TooEarly {
    pub(crate) rest: Duration,
    pub(crate) scope: Scope,
}

/// What was used of every bucket.
#[derive(Debug)]
pub(crate) struct Limits {
    overall: Window,
    /// How many requests were refused.
    pub(crate) refused: usize,
    buckets: HashMap<String, Window>,
    rates: HashMap<String, Rate>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            overall: Window::new(OVERALL),
            refused: 0,
            buckets: HashMap::new(),
            rates: HashMap::new(),
        }
    }
}

impl Limits {
    /// Gives an operation a rate of its own.
    pub(crate) fn set(&mut self, operation: &str, rate: Rate) {
        self.rates.insert(operation.to_owned(), rate);
        self.buckets.clear();
    }

    /// Takes a request from its bucket, or refuses it with the time to wait.
    pub(crate) fn admit(
        &mut self,
        operation: &str,
        form: &Form,
    ) -> (Option<Standing>, Result<(), TooEarly>) {
        if operation == "create_interaction_response" {
            return (None, Ok(()));
        }
        let (bucket, key, rate) = (
            bucket_of(operation),
            key_of(operation, form),
            self.rate(operation),
        );
        self.overall.renew();
        let window = self.buckets.entry(key).or_insert_with(|| Window::new(rate));
        window.renew();
        let verdict = match (self.overall.rest(), window.rest()) {
            (Some(rest), _) => Err((rest, Scope::Global)),
            (None, Some(rest)) => Err((rest, Scope::User)),
            (None, None) => Ok(()),
        };
        if verdict.is_ok() {
            window.used += 1;
            self.overall.used += 1;
        }
        self.refused += usize::from(verdict.is_err());
        let standing = Standing {
            bucket,
            limit: window.rate.limit,
            remaining: window.rate.limit - window.used,
            reset_after: window.resets_at.saturating_duration_since(Instant::now()),
        };
        (
            Some(standing),
            verdict.map_err(|(rest, scope)| TooEarly { rest, scope }),
        )
    }

    fn rate(&self, operation: &str) -> Rate {
        let known = self.rates.get(operation).copied();
        known.unwrap_or(match operation {
            "create_message" | "update_message" | "delete_message" | "trigger_typing_indicator" => {
                SPEECH
            }
            _ => OTHERS,
        })
    }
}

/// The name of a bucket says nothing to who reads it, as with the real one.
fn bucket_of(operation: &str) -> String {
    let mixed = operation
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
    format!("{mixed:016x}")
}

/// Buckets are apart by their major parameter: channel, server, or webhook with its token.
fn key_of(operation: &str, form: &Form) -> String {
    let majors = ["channel_id", "guild_id", "webhook_id", "webhook_token"];
    let majors: Vec<&str> = majors.iter().map(|name| form.segment(name)).collect();
    format!("{operation}:{}", majors.join("/"))
}

impl Standing {
    /// The headers of every answer.
    pub(crate) fn headers(&self) -> Vec<(&'static str, String)> {
        let resets = Duration::from_millis(now().unsigned_abs()) + self.reset_after;
        vec![
            ("X-RateLimit-Limit", self.limit.to_string()),
            ("X-RateLimit-Remaining", self.remaining.to_string()),
            ("X-RateLimit-Reset", format!("{:.3}", resets.as_secs_f64())),
            (
                "X-RateLimit-Reset-After",
                format!("{:.3}", self.reset_after.as_secs_f64()),
            ),
            ("X-RateLimit-Bucket", self.bucket.clone()),
        ]
    }
}
