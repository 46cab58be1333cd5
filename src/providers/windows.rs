//! How much a model can read at once, by its name: from the pages of those who make them.
//!
//! It plans how much of the past goes into a prompt. A guess that is too high is corrected by the
//! refusal of the model, one that is too low by `context_tokens` of the configuration.

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

/// Returns how much a model can read at once, in tokens.
pub(super) fn window_of(model: &str) -> usize {
    let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
    let rows = WINDOWS.iter().filter(|(begin, _)| name.starts_with(begin));
    let row = rows.max_by_key(|(begin, _)| begin.len());
    row.map_or(UNKNOWN, |(_, window)| *window)
}

#[cfg(test)]
mod tests {
    use super::window_of;

    #[test]
    fn the_longest_beginning_of_a_name_counts() {
        assert_eq!(window_of("gpt-4"), 8_192);
        assert_eq!(window_of("gpt-4o-mini"), 128_000);
        assert_eq!(window_of("anthropic/Claude-Haiku-4-5"), 200_000);
        assert_eq!(window_of("llama3.1:8b"), 131_072);
        assert_eq!(window_of("my-own"), 65_536);
    }
}
