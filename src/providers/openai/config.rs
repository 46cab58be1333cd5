//! What a client of a compatible server must know: checked by `config`, wired by `app`.

use std::fmt;
use std::time::Duration;

use reqwest::Url;
use secrecy::SecretString;

/// One compatible server, and the model to ask there.
#[derive(Clone)]
pub struct OpenAiConfig {
    /// The name in the configuration.
    pub name: String,
    /// Where the API begins, with its version: `https://api.openai.com/v1`.
    pub base_url: Url,
    /// Sent as the bearer token; servers on one's own machine often need none.
    pub api_key: Option<SecretString>,
    /// The model to ask for.
    pub model: String,
    /// How freely it words where a request does not say, 0 to 2.
    pub temperature: f64,
    /// The longest answer, in tokens.
    pub max_tokens: u32,
    /// How long to wait for what.
    pub timeouts: Timeouts,
}

/// The address may hold a password, so only its host is shown.
impl fmt::Debug for OpenAiConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiConfig")
            .field("name", &self.name)
            .field("host", &self.base_url.host_str())
            .field("model", &self.model)
            .field("timeouts", &self.timeouts)
            .finish_non_exhaustive()
    }
}

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
}

impl Default for Timeouts {
    fn default() -> Self {
        Self::for_silence(Duration::from_mins(2))
    }
}
