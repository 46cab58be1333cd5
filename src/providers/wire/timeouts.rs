//! How long to wait for a model service.

use std::time::Duration;

/// How long to wait for each stage of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For the connection.
    pub connect: Duration,
    /// From the request to the first piece of the answer; keep-alive comments do not count.
    pub first_token: Duration,
    /// Between two pieces.
    pub idle: Duration,
    /// For everything.
    pub whole: Duration,
}

impl Timeouts {
    /// Takes the longest silence to bear: an answer that keeps coming may take five times as long.
    pub fn for_silence(silence: Duration) -> Self {
        Self {
            connect: silence.min(Duration::from_secs(10)),
            first_token: silence,
            idle: silence,
            whole: silence * 5,
        }
    }

    /// Takes how long the first piece of an answer may take; all of it may take that much longer.
    #[must_use]
    pub fn beginning_within(self, first_token: Duration) -> Self {
        let longer = first_token.saturating_sub(self.first_token);
        Self {
            first_token,
            whole: self.whole + longer,
            ..self
        }
    }
}

impl Default for Timeouts {
    fn default() -> Self {
        Self::for_silence(Duration::from_mins(2))
    }
}
