//! What a client of a llama.cpp server must know: checked by `config`, wired by `app`.

use std::fmt;

use reqwest::Url;
use secrecy::SecretString;

use crate::providers::exchange::Addressee;
use crate::providers::wire::Timeouts;

/// One llama.cpp server.
#[derive(Clone)]
pub struct LlamaConfig {
    /// The name in the configuration.
    pub name: String,
    /// Where the server is, without a version.
    pub base_url: Url,
    /// Sent as the bearer token; most servers need none.
    pub api_key: Option<SecretString>,
    /// What its model is called here; the server has only one.
    pub model: String,
    /// How freely it words where a request does not say, 0 to 2.
    pub temperature: f64,
    /// The longest answer, in tokens.
    pub max_tokens: u32,
    /// How much the model can read at once, in tokens; `None` goes by what the server says.
    pub context_tokens: Option<usize>,
    /// The template that prompts are written by: one of [`super::TEMPLATES`].
    pub template: String,
    /// How long to wait for what.
    pub timeouts: Timeouts,
}

impl LlamaConfig {
    /// Returns who is asked, for the log.
    pub(super) fn addressee(&self) -> Addressee<'_> {
        Addressee {
            name: &self.name,
            model: &self.model,
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            api_mode: "completion",
            base_url: &self.base_url,
        }
    }
}

/// The address may hold a password, so only its host is shown.
impl fmt::Debug for LlamaConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LlamaConfig")
            .field("name", &self.name)
            .field("host", &self.base_url.host_str())
            .field("model", &self.model)
            .field("template", &self.template)
            .finish_non_exhaustive()
    }
}
