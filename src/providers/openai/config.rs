//! What a client of a compatible server must know: checked by `config`, wired by `app`.

use std::fmt;

use reqwest::Url;
use secrecy::SecretString;

use super::quirks::Quirks;
use crate::providers::exchange::Addressee;
use crate::providers::wire::{Sight, Timeouts};

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
    /// How much the model can read at once, in tokens; `None` goes by its name.
    pub context_tokens: Option<usize>,
    /// Whether the model sees pictures.
    pub sight: Sight,
    /// What the server does otherwise than others.
    pub quirks: Quirks,
    /// Whether calls are looked for in the text.
    pub calls_in_text: bool,
    /// How long to wait for what.
    pub timeouts: Timeouts,
}

impl OpenAiConfig {
    /// Returns who is asked, for the log.
    pub(super) fn addressee(&self) -> Addressee<'_> {
        Addressee {
            name: &self.name,
            model: &self.model,
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            api_mode: "openai_compat",
            base_url: &self.base_url,
        }
    }
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
