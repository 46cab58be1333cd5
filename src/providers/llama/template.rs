//! Chat templates as data, for servers that do not write prompts themselves.
//!
//! The texts between their tokens hold none of these (`turn_marks.rs`).

use super::conversation::{Conversation, Speaker};

/// The names in the configuration; `auto` has the server write prompts, or tell its template.
pub const TEMPLATES: [&str; 5] = ["auto", "chatml", "llama3", "mistral", "gemma"];

/// What ends an answer in one of the templates. A server knows the end of its own model's; a model
/// that was trained for another says that one.
pub(super) const STOPS: [&str; 4] = ["<|im_end|>", "<|eot_id|>", "<end_of_turn>", "</s>"];

/// What stands before and behind what somebody says.
type Around = (&'static str, &'static str);

/// How a conversation is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Template {
    name: &'static str,
    /// By this token the template of a server is known.
    mark: &'static str,
    /// `None` where the system prompt stands in the first message of the user.
    system: Option<Around>,
    user: Around,
    assistant: Around,
}

const CHATML: Template = Template {
    name: "chatml",
    mark: "<|im_start|>",
    system: Some(("<|im_start|>system\n", "<|im_end|>\n")),
    user: ("<|im_start|>user\n", "<|im_end|>\n"),
    assistant: ("<|im_start|>assistant\n", "<|im_end|>\n"),
};

const TABLE: [Template; 4] = [
    CHATML,
    Template {
        name: "llama3",
        mark: "<|start_header_id|>",
        system: Some((
            "<|start_header_id|>system<|end_header_id|>\n\n",
            "<|eot_id|>",
        )),
        user: ("<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|>"),
        assistant: (
            "<|start_header_id|>assistant<|end_header_id|>\n\n",
            "<|eot_id|>",
        ),
    },
    Template {
        name: "mistral",
        mark: "[INST]",
        system: None,
        user: ("[INST] ", "[/INST]"),
        assistant: (" ", "</s>"),
    },
    Template {
        name: "gemma",
        mark: "<start_of_turn>",
        system: None,
        user: ("<start_of_turn>user\n", "<end_of_turn>\n"),
        assistant: ("<start_of_turn>model\n", "<end_of_turn>\n"),
    },
];

impl Template {
    /// Returns the template of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        TABLE.into_iter().find(|template| template.name == name)
    }

    /// Returns the template whose mark stands in the one of a server; ChatML, where none does.
    pub(super) fn of(written: &str) -> Self {
        let mut table = TABLE.into_iter();
        table
            .find(|template| written.contains(template.mark))
            .unwrap_or(CHATML)
    }

    /// Writes a conversation up to where the model goes on.
    pub(super) fn prompt(&self, conversation: Conversation) -> String {
        let (system, turns) = conversation.parted(self.system.is_some());
        let mut prompt = String::new();
        let mut add = |(before, behind): Around, text: &str| {
            prompt.push_str(before);
            prompt.push_str(text);
            prompt.push_str(behind);
        };
        if let (Some(around), false) = (self.system, system.is_empty()) {
            add(around, &system);
        }
        for turn in turns {
            let around = match turn.speaker {
                Speaker::User => self.user,
                Speaker::Assistant => self.assistant,
            };
            add(around, &turn.text);
        }
        // A token that ends in a blank is another one than that and the first word.
        prompt.push_str(self.assistant.0.trim_end_matches(' '));
        prompt
    }
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
