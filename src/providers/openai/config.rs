//! What a client of a compatible server must know: checked by `config`, wired by `app`.

use super::quirks::Quirks;
use crate::ServedModel;

/// One compatible server, and the model to ask there.
#[derive(Debug, Clone)]
pub struct OpenAiConfig {
    /// The model: its address is written with the version (`https://api.openai.com/v1`), and the key is
    /// the bearer token.
    pub served: ServedModel,
    /// What the server does otherwise than others.
    pub quirks: Quirks,
    /// Whether calls are looked for in the text.
    pub calls_in_text: bool,
    /// Whether it is known to be llama.cpp's, which says of its model what others do not.
    pub is_llama: bool,
}
