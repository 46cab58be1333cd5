//! The model call that summarizes the older turns of a session. It runs in the background, outside
//! any turn.

use std::fmt::Write as _;

use sayso_channel::Language;
use sayso_core::transcript::{
    CallPurpose, Consulted, ConversationMessage, Past, estimate_tokens, first_chars, message_tokens,
};
use sayso_providers::ProviderError;

use super::background_call::{BackgroundAnswer, BackgroundQuestion};
use super::window_limits::WindowLimits;
use super::{Agent, Cost, PlannedCall, messages};

/// The longest summary that is taken, in characters.
const SUMMARY_CHARS: usize = 6_000;
/// How much of one message is summed up, in characters, and how much of a result.
const MESSAGE_CHARS: usize = 1_500;
const RESULT_CHARS: usize = 300;
/// Divisor: the text to summarize may fill at most `1 / MATERIAL_SHARE` of the model's window.
const MATERIAL_SHARE: usize = 2;
/// Which part of what history may have stays in view as it was.
const KEPT_SHARE: usize = 4;

/// What is to be summed up.
#[derive(Debug, Clone, PartialEq)]
pub struct ToSumUp {
    system: String,
    messages: Vec<ConversationMessage>,
}

/// Gathers what is to be summed up, from the newest turn back: the newest stay as they are, and
/// those before them are material until its room is full.
#[derive(Debug)]
pub struct Gathering {
    /// How many messages and tokens may still stay; `None` when no further turn does.
    stays: Option<(usize, usize)>,
    /// Whether a turn stays.
    has_newest: bool,
    is_asked_for: bool,
    /// How many tokens of material there is still room for.
    room: usize,
    before: Option<String>,
    /// The newest first.
    pieces: Vec<String>,
}

/// What a model made of it, and what asking it cost.
#[derive(Debug)]
pub struct SummedUp {
    /// What it made of it.
    pub summary: Summary,
    /// What is written down of each attempt.
    pub consulted: Vec<Consulted>,
    /// What it cost.
    pub costs: Vec<Cost>,
}

/// What a model made of older turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Summary {
    /// It summed them up.
    Text(String),
    /// What it said is none that can be used.
    Useless,
    /// It did not answer; another time it may.
    Unanswered,
}

impl ToSumUp {
    /// A summary is text, in whatever form.
    fn asked(&self) -> BackgroundQuestion<'_> {
        BackgroundQuestion {
            system: &self.system,
            messages: &self.messages,
            form: None,
        }
    }
}

impl Gathering {
    /// Returns whether the next older turn is kept verbatim.
    pub fn keeps(&mut self, turn: &Past) -> bool {
        let Some((messages, tokens)) = self.stays else {
            return false;
        };
        let messages = messages.checked_sub(turn.messages.len());
        let left = messages.zip(tokens.checked_sub(tokens_of(turn)));
        let is_newest = !std::mem::replace(&mut self.has_newest, true);
        self.stays = left.filter(|_| !self.is_asked_for);
        is_newest || left.is_some()
    }

    /// Takes the next turn back; returns whether there was room for it. The first has its room.
    pub fn takes(&mut self, turn: &Past) -> bool {
        let piece = material(turn);
        let tokens = estimate_tokens(&piece);
        if tokens > self.room && !self.pieces.is_empty() {
            return false;
        }
        self.room = self.room.saturating_sub(tokens);
        self.pieces.push(piece);
        true
    }

    /// Returns what a model is asked.
    pub fn to_sum_up(&self, language: Language) -> ToSumUp {
        let mut material = self.before.clone().unwrap_or_default();
        material.extend(self.pieces.iter().rev().map(String::as_str));
        ToSumUp {
            system: messages::sum_up(language).to_owned(),
            messages: vec![ConversationMessage::user(material)],
        }
    }
}

impl Agent {
    /// Begins to gather what is to be summarized, in addition to the previous summary. When a
    /// person requested the compaction, only the newest turn is kept verbatim.
    pub fn gather(&self, before: Option<&str>, is_asked_for: bool) -> Gathering {
        let window = self.default_window();
        let before = before.map(|text| format!("[summary of what was before]\n{text}\n"));
        let told = before.as_deref().map_or(0, estimate_tokens);
        Gathering {
            stays: Some((
                self.limits.history_messages / KEPT_SHARE,
                window.past / KEPT_SHARE,
            )),
            has_newest: false,
            is_asked_for,
            room: (window.asked / MATERIAL_SHARE).saturating_sub(told),
            before,
            pieces: Vec::new(),
        }
    }

    /// Returns the call that this will be.
    pub fn plan_summary(&self, question: &ToSumUp) -> PlannedCall {
        self.plan_in_background(question.asked())
    }

    /// Asks a model for the summary, once.
    pub async fn sum_up(&self, question: &ToSumUp, planned: &PlannedCall) -> SummedUp {
        let asked = question.asked();
        let BackgroundAnswer {
            answer,
            consulted,
            costs,
        } = self
            .ask_in_background(CallPurpose::SumUp, asked, planned)
            .await;
        let summary = match answer {
            Ok(reply) => {
                let is_whole = !reply.truncated && reply.message.calls.is_empty();
                let text = usable(&reply.message.text).filter(|_| is_whole);
                text.map_or(Summary::Useless, Summary::Text)
            }
            Err(error) => {
                tracing::warn!(%error, "no model summarized the older turns");
                match error {
                    ProviderError::Repeating(_) => Summary::Useless,
                    _ => Summary::Unanswered,
                }
            }
        };
        SummedUp {
            summary,
            consulted,
            costs,
        }
    }

    /// Returns the context window of the default model.
    fn default_window(&self) -> WindowLimits {
        let (model, factor) = (&self.provider, self.provider.token_factor(None));
        WindowLimits::of(model.window(None), model.longest_answer(None), factor)
    }
}

/// Returns a summary that is one: some words, and not longer than what it stands for may be.
fn usable(text: &str) -> Option<String> {
    let text = text.trim();
    let is_short = first_chars(text, SUMMARY_CHARS).is_none();
    (!text.is_empty() && is_short).then(|| text.to_owned())
}

fn tokens_of(turn: &Past) -> usize {
    turn.messages.iter().map(message_tokens).sum()
}

/// Returns a turn as a model reads it that sums it up.
fn material(turn: &Past) -> String {
    let mut material = String::new();
    for message in &turn.messages {
        let (who, text, most) = match message {
            ConversationMessage::User { text, .. } => ("user", text.clone(), MESSAGE_CHARS),
            ConversationMessage::Assistant(said) => {
                let calls = said.calls.iter();
                let calls: Vec<String> = calls
                    .map(|call| format!("{} {}", call.name, call.canonical_arguments()))
                    .collect();
                let text = format!("{}\n{}", said.text, calls.join("\n"));
                ("you", text.trim().to_owned(), MESSAGE_CHARS)
            }
            ConversationMessage::ToolResult { name, .. } => {
                let text = message.result_text().unwrap_or_default();
                (name.as_str(), text, RESULT_CHARS)
            }
        };
        let shown = first_chars(&text, most);
        let cut = if shown.is_some() { " […]" } else { "" };
        let _ = writeln!(material, "[{who}] {}{cut}", shown.unwrap_or(&text));
    }
    material
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{ConversationMessage, Past};

    use super::{Gathering, estimate_tokens, material, usable};

    fn turn(said: &str) -> Past {
        Past {
            messages: vec![
                ConversationMessage::user(said),
                ConversationMessage::user("yes"),
            ],
            ..Past::default()
        }
    }

    fn gathering(is_asked_for: bool) -> Gathering {
        Gathering {
            stays: Some((5, 1_000)),
            has_newest: false,
            is_asked_for,
            room: estimate_tokens(&material(&turn("I like tea"))) * 2,
            before: Some("Ann has a cat.\n".to_owned()),
            pieces: Vec::new(),
        }
    }

    #[test]
    fn the_newest_turns_stay_as_far_as_there_is_room_and_one_does_in_any_case() {
        let kept = |mut gathering: Gathering, said: &str| {
            let turn = turn(said);
            (0..9).take_while(|_| gathering.keeps(&turn)).count()
        };
        assert_eq!(kept(gathering(false), "tea"), 2);
        assert_eq!(kept(gathering(false), &"tea ".repeat(2_000)), 1);
        assert_eq!(kept(gathering(true), "tea"), 1);
    }

    #[test]
    fn what_is_summed_up_is_the_newest_that_there_is_room_for_in_its_order() {
        let mut gathering = gathering(false);
        assert!(gathering.takes(&turn("I like tea")));
        assert!(gathering.takes(&turn("I like ale")));
        assert!(!gathering.takes(&turn("I like gin")));
        let asked = gathering.to_sum_up(sayso_channel::Language::English);
        let [ConversationMessage::User { text, .. }] = &asked.messages[..] else {
            panic!("one message")
        };
        assert_eq!(
            text,
            "Ann has a cat.\n[user] I like ale\n[user] yes\n[user] I like tea\n[user] yes\n"
        );
    }

    #[test]
    fn a_summary_has_words_and_an_end() {
        assert_eq!(
            usable(" Ann wants tea.\n").as_deref(),
            Some("Ann wants tea.")
        );
        assert_eq!(usable(" \n"), None);
        assert_eq!(usable(&"word ".repeat(2_000)), None);
    }
}
