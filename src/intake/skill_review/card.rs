//! The card about a skill of somebody else: what it reads and what its buttons carry.

use sayso_channel::{Button, FileSource, Language, OutFile, Outbound};

use super::messages;
use crate::skills::Candidate;
use crate::store::skill_reviews::ReviewRow;

/// What a button of the card stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Take it.
    Approve,
    /// Leave it.
    Deny,
}

impl Answer {
    /// Returns the data of a button (at most 39 bytes).
    fn button(self, token: &str) -> String {
        match self {
            Self::Approve => format!("skill+:{token}"),
            Self::Deny => format!("skill-:{token}"),
        }
    }

    /// Reads the data of a button; `None` when it is none of this card's.
    pub fn parse(data: &str) -> Option<(Self, &str)> {
        match data.split_once(':')? {
            ("skill+", token) => Some((Self::Approve, token)),
            ("skill-", token) => Some((Self::Deny, token)),
            _ => None,
        }
    }
}

/// Renders the card that asks.
pub fn asking(review: &ReviewRow, candidate: &Candidate, language: Language) -> Outbound {
    let (yes, no) = messages::labels(language);
    Outbound {
        buttons: vec![vec![
            Button::yes(yes, Answer::Approve.button(&review.token)),
            Button::no(no, Answer::Deny.button(&review.token)),
        ]],
        ..Outbound::markdown(messages::asking(
            (review.wish, &review.source),
            candidate,
            language,
        ))
    }
}

/// Returns everything there is to read, as a file above the card.
pub fn to_read(candidate: &Candidate) -> Outbound {
    let review = &candidate.review;
    let changes = review.changes.as_deref().unwrap_or_default();
    let text = match changes {
        "" => review.text.clone(),
        changes => format!("===== changes\n{changes}\n{}", review.text),
    };
    Outbound {
        file: Some(OutFile {
            name: format!("{}.txt", review.name),
            source: FileSource::Text(text),
        }),
        ..Outbound::default()
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;

    #[test]
    fn a_button_is_read_back_and_fits() {
        let token = "0123456789abcdef0123456789abcdef";
        for answer in [Answer::Approve, Answer::Deny] {
            let data = answer.button(token);
            assert!(data.len() <= 39, "{data}");
            assert_eq!(Answer::parse(&data), Some((answer, token)));
        }
        assert_eq!(Answer::parse("skill:x"), None);
    }
}
