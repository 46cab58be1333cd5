//! The card that asks before a file is put back that something else changed since: its buttons.

use sayso_channel::{Button, Language, Outbound};

use super::messages;

/// What a button of the card stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Put them back anyway.
    PutBack,
    /// Leave all files unchanged.
    Leave,
}

impl Answer {
    /// Returns the data of a button (at most 38 bytes).
    fn button(self, token: &str) -> String {
        match self {
            Self::PutBack => format!("undo+:{token}"),
            Self::Leave => format!("undo-:{token}"),
        }
    }

    /// Reads the data of a button; `None` when it is none of this card's.
    pub fn parse(data: &str) -> Option<(Self, &str)> {
        match data.split_once(':')? {
            ("undo+", token) => Some((Self::PutBack, token)),
            ("undo-", token) => Some((Self::Leave, token)),
            _ => None,
        }
    }
}

/// Renders the card.
pub fn asking(token: &str, text: String, language: Language) -> Outbound {
    let (yes, no) = messages::labels(language);
    Outbound {
        buttons: vec![vec![
            Button::yes(yes, Answer::PutBack.button(token)),
            Button::no(no, Answer::Leave.button(token)),
        ]],
        ..Outbound::markdown(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;

    #[test]
    fn a_button_is_read_back_and_fits() {
        let token = "0123456789abcdef0123456789abcdef";
        for answer in [Answer::PutBack, Answer::Leave] {
            let data = answer.button(token);
            assert!(data.len() <= 38, "{data}");
            assert_eq!(Answer::parse(&data), Some((answer, token)));
        }
        assert_eq!(Answer::parse("undo:x"), None);
    }
}
