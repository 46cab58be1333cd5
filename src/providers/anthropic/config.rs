//! What a client of Anthropic's API must know: checked by `config`, wired by `app`.

use crate::ServedModel;

/// A server that speaks Anthropic's messages, and the model to ask there.
#[derive(Debug, Clone)]
pub struct AnthropicConfig {
    /// The model: its address is written with the version and without (`https://api.anthropic.com`),
    /// the key goes as `x-api-key`, the temperature is at most 1, and what it thinks does not count in
    /// the longest answer.
    pub served: ServedModel,
    /// How many tokens it may think; `None` asks for no thinking.
    pub thinking_tokens: Option<u32>,
}
