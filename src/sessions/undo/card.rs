//! The card that asks before a file is put back that something else changed since: its buttons.

use sayso_channel::{Button, Language, Outbound};

use super::messages;
use crate::prompts::Prompt;

/// What a button of the card stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Put them back anyway.
    PutBack,
    /// Leave all files unchanged.
    Leave,
}

impl Answer {
    fn choice(self) -> &'static str {
        match self {
            Self::PutBack => "yes",
            Self::Leave => "no",
        }
    }

    /// Returns the answer that a button gives; `None` when it was forged.
    pub fn parse(choice: &str) -> Option<Self> {
        let mut all = [Self::PutBack, Self::Leave].into_iter();
        all.find(|answer| answer.choice() == choice)
    }
}

/// Renders the card.
pub fn asking(prompt: &Prompt, text: String, language: Language) -> Outbound {
    let (yes, no) = messages::labels(language);
    Outbound {
        buttons: vec![vec![
            Button::yes(yes, prompt.button(Answer::PutBack.choice())),
            Button::no(no, prompt.button(Answer::Leave.choice())),
        ]],
        ..Outbound::markdown(text)
    }
}
