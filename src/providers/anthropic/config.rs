//! What a client of Anthropic's API must know: checked by `config`, wired by `app`.

use std::fmt;

use reqwest::Url;
use secrecy::SecretString;

use crate::providers::exchange::Addressee;
use crate::providers::wire::{Sight, Timeouts};

/// A server that speaks Anthropic's messages, and the model to ask there.
#[derive(Clone)]
pub struct AnthropicConfig {
    /// The name in the configuration.
    pub name: String,
    /// Where the API begins, with or without its version: `https://api.anthropic.com`.
    pub base_url: Url,
    /// Sent as `x-api-key`.
    pub api_key: Option<SecretString>,
    /// The model to ask for.
    pub model: String,
    /// How freely it words where a request does not say, 0 to 1.
    pub temperature: f64,
    /// The longest answer, in tokens, what it thinks apart.
    pub max_tokens: u32,
    /// How many tokens it may think; `None` asks for no thinking.
    pub thinking_tokens: Option<u32>,
    /// How much the model can read at once, in tokens; `None` goes by its name.
    pub context_tokens: Option<usize>,
    /// Whether the model sees pictures.
    pub sight: Sight,
    /// How long to wait for what.
    pub timeouts: Timeouts,
}

impl AnthropicConfig {
    /// Returns who is asked, for the log.
    pub(super) fn addressee(&self) -> Addressee<'_> {
        Addressee {
            name: &self.name,
            model: &self.model,
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            api_mode: "anthropic",
            base_url: &self.base_url,
        }
    }
}

/// The address may hold a password, so only its host is shown.
impl fmt::Debug for AnthropicConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnthropicConfig")
            .field("name", &self.name)
            .field("host", &self.base_url.host_str())
            .field("model", &self.model)
            .field("timeouts", &self.timeouts)
            .finish_non_exhaustive()
    }
}
