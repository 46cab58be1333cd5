//! The card that asks what is to be forgotten: what it reads and what its buttons carry.

use sayso_channel::{Button, ButtonLook, Language, Outbound};

use super::messages;

/// How many memories a card shows, beside what was said: each has a button and a key.
pub const SHOWN: usize = 8;

/// What a button of the card stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Forget the memory at this place, or behind them what was said with the words.
    One(usize),
    /// Forget all of them.
    All,
    /// Forget nothing.
    Nothing,
}

impl Answer {
    /// Returns the data of a button (at most 39 bytes).
    fn button(self, token: &str) -> String {
        match self {
            Self::One(place) => format!("gone{place}:{token}"),
            Self::All => format!("gone*:{token}"),
            Self::Nothing => format!("gone-:{token}"),
        }
    }

    /// Reads the data of a button; `None` when it is none of this card's.
    pub fn parse(data: &str) -> Option<(Self, &str)> {
        let (name, token) = data.strip_prefix("gone")?.split_once(':')?;
        let answer = match name {
            "*" => Self::All,
            "-" => Self::Nothing,
            place => Self::One(place.parse().ok().filter(|place| *place <= SHOWN)?),
        };
        Some((answer, token))
    }
}

/// Renders the card that asks: each line may be forgotten, and `left_out` memories more match.
pub fn asking(lines: &[String], left_out: usize, token: &str, language: Language) -> Outbound {
    let button = |answer: Answer, label: String, key, look| Button {
        label,
        token: answer.button(token),
        key: Some(key),
        look,
    };
    let (one, all, nothing) = messages::labels(language);
    let no = button(Answer::Nothing, nothing.to_owned(), 'n', ButtonLook::No);
    let rows = if lines.len() == 1 {
        let yes = button(Answer::One(0), one.to_owned(), 'y', ButtonLook::Yes);
        vec![vec![yes, no]]
    } else {
        let numbers = (0..lines.len()).zip('1'..).map(|(place, key)| {
            button(Answer::One(place), key.to_string(), key, ButtonLook::Plain)
        });
        let numbers: Vec<_> = numbers.collect();
        let mut rows: Vec<_> = numbers.chunks(4).map(<[_]>::to_vec).collect();
        let yes = button(Answer::All, all.to_owned(), 'a', ButtonLook::Yes);
        rows.push(vec![yes, no]);
        rows
    };
    Outbound {
        buttons: rows,
        ..Outbound::markdown(messages::asking(lines, left_out, language))
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, SHOWN};

    #[test]
    fn a_button_is_read_back_and_fits() {
        let token = "0123456789abcdef0123456789abcdef";
        for answer in [
            Answer::One(0),
            Answer::One(SHOWN),
            Answer::All,
            Answer::Nothing,
        ] {
            let data = answer.button(token);
            assert!(data.len() <= 39, "{data}");
            assert_eq!(Answer::parse(&data), Some((answer, token)));
        }
        for forged in ["gone:", "gone9:x", "gone-1:x", "erase:x", ""] {
            assert_eq!(Answer::parse(forged), None, "{forged}");
        }
    }
}
