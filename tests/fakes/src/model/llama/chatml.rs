//! ChatML, which the fake's model was trained on: written, and read back.

use serde_json::{Value, json};

const BEGIN: &str = "<|im_start|>";
const END: &str = "<|im_end|>";
/// What a template ends a prompt with whose model is to think first.
pub(crate) const THOUGHTS: &str = "<think>\n";

/// Writes messages as a prompt that the assistant goes on with.
pub(crate) fn render(messages: &[Value]) -> String {
    let turns: Vec<String> = messages
        .iter()
        .map(|message| {
            let role = message["role"].as_str().unwrap_or_default();
            let content = message["content"].as_str().unwrap_or_default();
            format!("{BEGIN}{role}\n{content}{END}\n")
        })
        .collect();
    format!("{}{BEGIN}assistant\n", turns.concat())
}

/// Reads the messages of a prompt.
pub(crate) fn parse(prompt: &str) -> Value {
    let turns = prompt.split(BEGIN).skip(1);
    turns
        .filter_map(|turn| {
            let (role, content) = turn.split_once('\n')?;
            let (content, _) = content.split_once(END)?;
            Some(json!({"role": role, "content": content}))
        })
        .collect()
}
