//! What every client of a model service must know: checked by `config`, wired by `app`. What a protocol
//! wants besides stands in the configuration of its client.

use std::fmt;

use reqwest::Url;
use secrecy::SecretString;

use super::windows::window_of;
use super::wire::{Timeouts, VisionSupport};

/// One model at one server.
#[derive(Clone)]
pub struct ServedModel {
    /// The name of the server in the configuration.
    pub name: String,
    /// Where its API begins; what of its path belongs to that, each protocol says.
    pub base_url: Url,
    /// The key, in whichever header the protocol has it; servers on one's own machine often need none.
    pub api_key: Option<SecretString>,
    /// The model to ask for, as the server calls it.
    pub model: String,
    /// How freely it words where a request does not say.
    pub temperature: f64,
    /// The longest answer, in tokens.
    pub max_tokens: u32,
    /// How much the model can read at once, in tokens; `None` goes by its name.
    pub context_tokens: Option<usize>,
    /// Whether the model sees pictures, where the protocol can show them.
    pub sight: VisionSupport,
    /// How long to wait for what.
    pub timeouts: Timeouts,
}

impl ServedModel {
    /// Returns how much the model can read at once, in tokens, as far as that is known.
    pub(super) fn window(&self) -> usize {
        let configured = self.context_tokens;
        configured.unwrap_or_else(|| window_of(&self.model))
    }
}

#[cfg(test)]
impl ServedModel {
    /// Returns a model for tests.
    pub(super) fn sample(base_url: &str, model: &str) -> Self {
        Self {
            name: "main".into(),
            base_url: Url::parse(base_url).unwrap(),
            api_key: None,
            model: model.into(),
            temperature: 0.7,
            max_tokens: 64,
            context_tokens: None,
            sight: VisionSupport::None,
            timeouts: Timeouts::default(),
        }
    }
}

/// The address may hold a password, so only its host is shown.
impl fmt::Debug for ServedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServedModel")
            .field("name", &self.name)
            .field("host", &self.base_url.host_str())
            .field("model", &self.model)
            .field("timeouts", &self.timeouts)
            .finish_non_exhaustive()
    }
}
