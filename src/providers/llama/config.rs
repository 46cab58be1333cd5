//! What a client of a llama.cpp server must know: checked by `config`, wired by `app`.

use crate::ServedModel;

/// One llama.cpp server, which has one model.
#[derive(Debug, Clone)]
pub struct LlamaConfig {
    /// The model: its address is without a version, and the server may say itself how much it can read.
    /// A prompt shows no pictures, whatever it sees.
    pub served: ServedModel,
    /// The template that prompts are written by: one of [`super::TEMPLATES`].
    pub template: String,
}
