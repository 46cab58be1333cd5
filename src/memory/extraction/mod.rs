//! What may be learned from what somebody said, without having been asked to: pure, with no clock,
//! no model and no database.
//!
//! The model's proposals are not trusted. It sees only the person's own words and the known facts
//! that these may change: no answers of the assistant, no tool results, no recalled memories. Each
//! of its statements cites the message that it is based on, and is kept only if the words of that
//! message support it ([`evidence`]). Calling the model and writing the results is up to the
//! caller.
//!
//! # Invariants
//!
//! - `memory/extraction` is pure: it says what a model is shown of a person's words, and which of
//!   its proposals those words bear. The model is not believed; its prompt asks for nothing that
//!   the code does not check again.

mod answer;
mod comparison;
mod evidence;
mod form;
mod judgement;
mod normalization;
mod own_words;
mod phrases;
mod prompt;
#[cfg(test)]
mod quality_tests;

pub use answer::{Candidate, read as read_answer};
pub use judgement::judge;
pub use prompt::Question;

use sayso_core::transcript::{Owner, Taint, TurnId, UserId, estimate_tokens};

use super::{NewFact, Recalled};
use evidence::{Evidence, takes_back};
use own_words::own_words;

/// The most that is read at once, in tokens: the newest messages that fit.
const MATERIAL_TOKENS: usize = 1500;
/// The most of one message, in characters.
const MESSAGE_CHARS: usize = 800;
/// How many known facts are shown.
pub const KNOWN: usize = 12;

/// A message of the person that something may be learned about.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// The turn in which it was said.
    pub turn: TurnId,
    /// When.
    pub at_ms: i64,
    /// The text.
    pub text: String,
    /// Where the untrusted text came from that its turn had in view.
    pub taint: Taint,
}

/// Where something was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// In a direct chat.
    Direct,
    /// In a group.
    Group,
}

/// Who said something, and for whose memory.
#[derive(Debug, Clone)]
pub struct Speaker {
    /// Whose memory it is for.
    pub owner: Owner,
    /// Who said it.
    pub user: UserId,
    /// How people call them.
    pub name: String,
}

/// What is to be learned from.
pub struct Material {
    owner: Owner,
    user: UserId,
    /// How people call who said it.
    name: String,
    setting: Setting,
    said: Vec<Said>,
    evidence: Vec<Evidence>,
    known: Vec<Recalled>,
    now_ms: i64,
}

/// What became of the statements that a model proposed.
#[derive(Debug, Default)]
pub struct Judged {
    /// What is kept.
    pub facts: Vec<NewFact>,
    /// What is not, and why.
    pub dropped: Vec<(String, Why)>,
}

/// Why a statement is not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It is no statement.
    Unreadable,
    /// It is a guess.
    Unsure,
    /// It was a question or a request.
    Asked,
    /// It is only so for now, or not any more.
    Passing,
    /// No message says so.
    NotSaid,
    /// It was not meant.
    NotMeant,
    /// It is not about who said it, or was said by others.
    NotOwn,
    /// The opposite was said.
    Opposite,
    /// It is a secret, or stands beside one.
    Secret,
    /// It gives orders to a model.
    Orders,
    /// The person asked for it not to be kept.
    Unwanted,
    /// The same was proposed before.
    Again,
    /// There are enough.
    TooMany,
}

impl Material {
    /// Returns what of these messages is worth asking a model about, oldest first; `None` when
    /// nothing is.
    pub fn of(speaker: Speaker, said: Vec<Said>, now_ms: i64) -> Option<Self> {
        let mut kept: Vec<Said> = Vec::new();
        for mut message in said {
            message.text = own_words(&message.text)
                .chars()
                .take(MESSAGE_CHARS)
                .collect();
            if takes_back(&message.text) {
                kept.pop();
            } else if !message.text.trim().is_empty() {
                kept.push(message);
            }
        }
        let mut tokens = 0;
        let newest = kept.iter().rev().take_while(|message| {
            tokens += estimate_tokens(&message.text);
            tokens <= MATERIAL_TOKENS
        });
        let older = kept.len() - newest.count();
        let said = kept.split_off(older);
        let evidence: Vec<_> = said
            .iter()
            .map(|message| Evidence::of(&message.text))
            .collect();
        evidence.iter().any(Evidence::may_tell).then_some(Self {
            setting: match speaker.owner {
                Owner::User(_) => Setting::Direct,
                Owner::Chat(_) => Setting::Group,
            },
            owner: speaker.owner,
            user: speaker.user,
            name: speaker.name,
            said,
            evidence,
            known: Vec::new(),
            now_ms,
        })
    }

    /// Returns what known facts are to be looked up by.
    pub fn query(&self) -> String {
        let newest_first = self.said.iter().rev();
        newest_first
            .map(|message| message.text.as_str())
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Takes the known facts that may be touched, at most [`KNOWN`].
    #[must_use]
    pub fn with_known(self, known: Vec<Recalled>) -> Self {
        Self { known, ..self }
    }

    /// Returns whether the person may change a known fact: in a group only what they said
    /// themselves.
    fn may_touch(&self, known: &Recalled) -> bool {
        self.setting == Setting::Direct || known.by == Some(self.user)
    }
}
