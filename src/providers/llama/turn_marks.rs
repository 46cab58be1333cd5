//! The tokens by which models read where a turn begins and ends.
//!
//! They are also text that anybody can write. In the content of messages they are broken up, so that
//! no message can impersonate another role.

/// The tokens that mean a turn.
const MARKS: [&str; 12] = [
    "<|im_start|>",
    "<|im_end|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eot_id|>",
    "<|endoftext|>",
    "<start_of_turn>",
    "<end_of_turn>",
    "[INST]",
    "[/INST]",
    "<s>",
    "</s>",
];

/// Breaks up the tokens that mean a turn.
pub(super) fn without_marks(text: &str) -> String {
    let mut text = text.to_owned();
    for mark in MARKS {
        if text.contains(mark) {
            let (first, rest) = mark.split_at(1);
            text = text.replace(mark, &format!("{first} {rest}"));
        }
    }
    text
}
