//! How much a model can read at once, and whether it sees, by its name: from the pages of those who
//! make them.
//!
//! It plans how much of the past goes into a prompt. A guess that is too high is corrected by the
//! refusal of the model, one that is too low by `context_tokens` of the configuration.

use super::wire::VisionSupport;

/// What a model can read that is in no row, in tokens.
const UNKNOWN: usize = 65_536;

/// How names begin, in small letters and without their maker, and what these models can read. The
/// longest beginning counts.
const WINDOWS: &[(&str, usize)] = &[
    ("gpt-3.5", 16_385),
    ("gpt-4", 8_192),
    ("gpt-4-turbo", 128_000),
    ("gpt-4o", 128_000),
    ("gpt-4.1", 1_047_576),
    ("gpt-5", 400_000),
    ("gpt-oss", 131_072),
    ("o1", 200_000),
    ("o3", 200_000),
    ("o4", 200_000),
    ("claude", 200_000),
    ("deepseek", 128_000),
    ("deepseek-v4", 1_000_000),
    ("glm-4", 128_000),
    ("glm-4.6", 200_000),
    ("glm-4.7", 200_000),
    ("glm-5", 200_000),
    ("qwen", 131_072),
    ("qwen2", 32_768),
    ("qwen3", 40_960),
    ("qwen3-coder", 262_144),
    ("qwen3-max", 262_144),
    ("qwen-plus", 1_000_000),
    ("qwen-max", 32_768),
    ("minimax-m1", 1_000_000),
    ("minimax-m2", 204_800),
    ("kimi-k2", 131_072),
    ("kimi-k2-0905", 262_144),
    ("kimi-k2-thinking", 262_144),
    ("kimi-k2.", 262_144),
    ("moonshot-v1-8k", 8_192),
    ("moonshot-v1-32k", 32_768),
    ("moonshot-v1-128k", 131_072),
    ("gemini", 1_048_576),
    ("gemma3", 131_072),
    ("gemma-3", 131_072),
    ("gemma2", 8_192),
    ("gemma-2", 8_192),
    ("llama3", 8_192),
    ("llama-3", 8_192),
    ("llama3.", 131_072),
    ("llama-3.", 131_072),
    ("mistral", 32_768),
    ("mistral-large", 131_072),
    ("mistral-small", 131_072),
    ("phi-4", 16_384),
    ("phi4", 16_384),
];

/// What the names hold of models that see pictures, whatever else they are called.
const SEEING_NAMES: [&str; 3] = ["-vl", "vision", "llava"];

/// How the names of models begin that see pictures, and of those among them that do not. The longest
/// beginning counts; a model that is in no row, and is not called so either, does not see.
const SEES: &[(&str, VisionSupport)] = &[
    ("gpt-4-turbo", VisionSupport::Sees),
    ("gpt-4o", VisionSupport::Sees),
    ("chatgpt-4o", VisionSupport::Sees),
    ("gpt-4.1", VisionSupport::Sees),
    ("gpt-5", VisionSupport::Sees),
    ("o1", VisionSupport::Sees),
    ("o1-mini", VisionSupport::None),
    ("o1-preview", VisionSupport::None),
    ("o3", VisionSupport::Sees),
    ("o3-mini", VisionSupport::None),
    ("o4", VisionSupport::Sees),
    ("claude", VisionSupport::Sees),
    ("claude-2", VisionSupport::None),
    ("claude-instant", VisionSupport::None),
    ("gemini", VisionSupport::Sees),
    ("gemma3", VisionSupport::Sees),
    ("gemma3:1b", VisionSupport::None),
    ("gemma-3", VisionSupport::Sees),
    ("gemma-3-1b", VisionSupport::None),
    ("glm-4v", VisionSupport::Sees),
    ("glm-4.1v", VisionSupport::Sees),
    ("glm-4.5v", VisionSupport::Sees),
    ("glm-4.6v", VisionSupport::Sees),
    ("grok-4", VisionSupport::Sees),
    ("qwen2.5vl", VisionSupport::Sees),
    ("qvq", VisionSupport::Sees),
    ("kimi-k2.5", VisionSupport::Sees),
    ("llama-4", VisionSupport::Sees),
    ("llama4", VisionSupport::Sees),
    ("minicpm-v", VisionSupport::Sees),
    ("pixtral", VisionSupport::Sees),
];

/// Returns whether a model sees pictures.
pub(super) fn sight_of(model: &str) -> VisionSupport {
    let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
    let rows = SEES.iter().filter(|(begin, _)| name.starts_with(begin));
    let row = rows.max_by_key(|(begin, _)| begin.len());
    match row {
        Some((_, sight)) => *sight,
        None if SEEING_NAMES.iter().any(|part| name.contains(part)) => VisionSupport::Sees,
        None => VisionSupport::None,
    }
}

/// Returns how much a model can read at once, in tokens.
pub(super) fn window_of(model: &str) -> usize {
    let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
    let rows = WINDOWS.iter().filter(|(begin, _)| name.starts_with(begin));
    let row = rows.max_by_key(|(begin, _)| begin.len());
    row.map_or(UNKNOWN, |(_, window)| *window)
}

#[cfg(test)]
mod tests {
    use super::{VisionSupport, sight_of, window_of};

    #[test]
    fn who_sees_is_known_by_name() {
        assert_eq!(sight_of("gpt-4o-mini"), VisionSupport::Sees);
        assert_eq!(sight_of("anthropic/Claude-Haiku-4-5"), VisionSupport::Sees);
        assert_eq!(
            sight_of("qwen/qwen3-vl-30b-a3b-instruct"),
            VisionSupport::Sees
        );
        assert_eq!(sight_of("llama3.2-vision:11b"), VisionSupport::Sees);
        assert_eq!(sight_of("o3-mini"), VisionSupport::None);
        assert_eq!(sight_of("deepseek-chat"), VisionSupport::None);
    }

    #[test]
    fn the_longest_beginning_of_a_name_counts() {
        assert_eq!(window_of("gpt-4"), 8_192);
        assert_eq!(window_of("gpt-4o-mini"), 128_000);
        assert_eq!(window_of("anthropic/Claude-Haiku-4-5"), 200_000);
        assert_eq!(window_of("llama3.1:8b"), 131_072);
        assert_eq!(window_of("my-own"), 65_536);
    }
}
