//! The card that asks what is to be forgotten: what it reads and what its buttons carry.

use sayso_channel::{Button, ButtonLook, Language, Outbound};
use sayso_core::transcript::{MemoryId, Owner};
use sayso_store::outbox::{self as outbox_rows, OutboxRow};
use sayso_store::{StoreError, Tx};
use serde::{Deserialize, Serialize};

use super::messages;
use crate::delivery::{MessageRef, OutboxWriter, Purpose};
use crate::prompts::Prompt;

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
    fn choice(self) -> String {
        match self {
            Self::One(place) => place.to_string(),
            Self::All => "all".to_owned(),
            Self::Nothing => "no".to_owned(),
        }
    }

    /// Returns the answer that a button gives; `None` when it was forged.
    pub fn parse(choice: &str) -> Option<Self> {
        Some(match choice {
            "all" => Self::All,
            "no" => Self::Nothing,
            place => Self::One(place.parse().ok().filter(|place| *place <= SHOWN)?),
        })
    }
}

/// What may be forgotten: the payload of the prompt.
#[derive(Debug, Serialize, Deserialize)]
pub struct Forgetting {
    /// Whose memories they are.
    pub owner: Owner,
    /// The memories, in the order in which they are shown.
    pub memories: Vec<MemoryId>,
    /// The words that were asked for, where something was said with all of them.
    pub words: Option<String>,
}

/// Renders the card that asks: each line may be forgotten, and `left_out` memories more match.
pub fn asking(lines: &[String], left_out: usize, prompt: &Prompt, language: Language) -> Outbound {
    let button = |answer: Answer, label: String, key, look| Button {
        label,
        token: prompt.button(answer.choice()),
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

/// Rewrites a card, and what the outbox still has of what it said.
pub async fn amend(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    prompt: &Prompt,
    this: Option<MessageRef<'_>>,
    text: String,
) -> Result<Vec<OutboxRow>, StoreError> {
    let outbound = Outbound::markdown(text);
    let said = outbox
        .amend(tx, Purpose::Card, prompt.id(), this, &outbound)
        .await?;
    outbox_rows::unsay(tx, Purpose::Card, prompt.id(), said.first()).await?;
    Ok(said)
}

#[cfg(test)]
mod tests {
    use super::{Answer, SHOWN};

    #[test]
    fn a_choice_is_read_back() {
        for answer in [
            Answer::One(0),
            Answer::One(SHOWN),
            Answer::All,
            Answer::Nothing,
        ] {
            assert_eq!(Answer::parse(&answer.choice()), Some(answer));
        }
        for forged in ["9", "-1", "x", ""] {
            assert_eq!(Answer::parse(forged), None, "{forged}");
        }
    }
}
