//! The card of an erasure: what it reads and what its buttons carry.

use sayso_channel::{Button, Language, Outbound};

use super::messages;
use crate::store::erase::ErasureState;

/// What a button of the card stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// Erase everything.
    Erase,
    /// Keep it.
    Keep,
}

impl Answer {
    /// Returns the data of a button (at most 39 bytes).
    fn button(self, token: &str) -> String {
        match self {
            Self::Erase => format!("erase:{token}"),
            Self::Keep => format!("stay:{token}"),
        }
    }

    /// Reads the data of a button; `None` when it is none of this card's.
    pub(super) fn parse(data: &str) -> Option<(Self, &str)> {
        match data.split_once(':')? {
            ("erase", token) => Some((Self::Erase, token)),
            ("stay", token) => Some((Self::Keep, token)),
            _ => None,
        }
    }
}

/// Renders the card that asks. It says how many accounts it is about, and nothing else of the
/// person.
pub(super) fn asking(token: &str, accounts: usize, language: Language) -> Outbound {
    let (yes, no) = messages::labels(language);
    Outbound {
        buttons: vec![vec![
            Button::yes(yes, Answer::Erase.button(token)),
            Button::no(no, Answer::Keep.button(token)),
        ]],
        ..Outbound::markdown(messages::asking(accounts, language))
    }
}

/// Renders the card after it was answered or has expired.
pub(super) fn ended(state: ErasureState, language: Language) -> Outbound {
    Outbound::markdown(match state {
        ErasureState::Open | ErasureState::Wanted | ErasureState::Cleared => {
            messages::begun(language)
        }
        ErasureState::Done => messages::done(language),
        ErasureState::Refused => messages::refused(language),
        ErasureState::Expired => messages::expired(language),
    })
}
