//! The model call that sums up the older turns of a session: part of no turn, made while nobody waits.

use std::fmt::Write as _;

use sayso_channel::Language;

use super::fitting::Window;
use super::{Agent, Cost, PlannedCall, messages};
use crate::providers::{Attempts, ChatRequest};
use crate::transcript::{
    Consulted, ConversationMessage, Past, Purpose, Usage, first_chars, message_tokens,
};

/// Nearly the same summary each time.
const TEMPERATURE: f64 = 0.2;
/// The longest summary that is taken, in characters.
const SUMMARY_CHARS: usize = 6_000;
/// How much of one message is summed up, in characters, and how much of a result.
const MESSAGE_CHARS: usize = 1_500;
const RESULT_CHARS: usize = 300;
/// How much of the model's window what is summed up may fill, as one part of so many.
const MATERIAL_SHARE: usize = 2;
/// Which part of what history may have stays in view as it was.
const KEPT_SHARE: usize = 4;

/// What is to be summed up.
#[derive(Debug, Clone, PartialEq)]
pub struct ToSumUp {
    system: String,
    messages: Vec<ConversationMessage>,
}

/// What a model made of it, and what asking it cost.
#[derive(Debug)]
pub struct SummedUp {
    /// The summary; `None` when there is none that can be used.
    pub text: Option<String>,
    /// What is written down of each attempt.
    pub consulted: Vec<Consulted>,
    /// What it cost.
    pub costs: Vec<Cost>,
}

impl Agent {
    /// Returns how many of these turns, the newest, stay as they were while those before are summed up:
    /// one where a person asks for it.
    pub fn kept_turns(&self, turns: &[Past], is_asked_for: bool) -> usize {
        if is_asked_for {
            return 1;
        }
        let messages = self.limits.history_messages / KEPT_SHARE;
        let tokens = self.default_window().past / KEPT_SHARE;
        let (mut so_far, mut tokens_so_far) = (0, 0);
        let kept = turns.iter().rev().take_while(|turn| {
            so_far += turn.messages.len();
            tokens_so_far += turn.messages.iter().map(message_tokens).sum::<usize>();
            so_far <= messages && tokens_so_far <= tokens
        });
        kept.count().max(1)
    }

    /// Returns what a model is asked to sum up: the summary of what was before, and these turns.
    pub fn to_sum_up(&self, before: Option<&str>, turns: &[Past], language: Language) -> ToSumUp {
        let room = self.default_window().asked / MATERIAL_SHARE;
        let mut pieces: Vec<String> = turns.iter().map(material).collect();
        if let Some(before) = before {
            pieces.insert(0, format!("[summary of what was before]\n{before}\n"));
        }
        // Where that is too much, the oldest turns go; what sums up those before them stays.
        let first = usize::from(before.is_some());
        let tokens = |pieces: &[String]| -> usize {
            let pieces = pieces.iter();
            pieces
                .map(|it| crate::transcript::estimate_tokens(it))
                .sum()
        };
        while pieces.len() > first + 1 && tokens(&pieces) > room {
            pieces.remove(first);
        }
        ToSumUp {
            system: messages::sum_up(language).to_owned(),
            messages: vec![ConversationMessage::user(pieces.concat())],
        }
    }

    /// Returns the call that this will be.
    pub fn plan_summary(&self, question: &ToSumUp) -> PlannedCall {
        let attempts = Attempts::default();
        let factor = self.provider.token_factor(None);
        PlannedCall::new(self.provider.model(), &request(question, &attempts), factor)
    }

    /// Asks a model for the summary, once.
    pub async fn sum_up(&self, question: &ToSumUp, planned: &PlannedCall) -> SummedUp {
        let attempts = Attempts::default();
        let asked = request(question, &attempts);
        let answer = self.provider.chat_with_tools(asked, &|_| {}).await;
        let costs = planned.costs(Some(&answer), "", &attempts);
        let noted = |asking, ago_ms, usage| Consulted {
            purpose: Some(Purpose::SumUp),
            asking: Some(asking),
            ago_ms,
            usage,
        };
        let unanswered = attempts.take_unanswered().into_iter();
        let mut consulted: Vec<Consulted> = unanswered
            .map(|(asking, ago_ms)| noted(asking, ago_ms, Usage::default()))
            .collect();
        let text = match answer {
            Ok(reply) => {
                consulted.extend(reply.asking.map(|asking| noted(asking, 0, reply.usage)));
                let is_whole = !reply.truncated && reply.message.calls.is_empty();
                usable(&reply.message.text).filter(|_| is_whole)
            }
            Err(error) => {
                tracing::warn!(%error, "no model sums up older turns");
                None
            }
        };
        SummedUp {
            text,
            consulted,
            costs,
        }
    }

    /// Returns the window of the model that is asked where nobody chose one.
    fn default_window(&self) -> Window {
        let (model, factor) = (&self.provider, self.provider.token_factor(None));
        Window::of(model.window(None), model.longest_answer(None), factor)
    }
}

fn request<'a>(question: &'a ToSumUp, attempts: &'a Attempts) -> ChatRequest<'a> {
    ChatRequest {
        system: &question.system,
        messages: &question.messages,
        tools: &[],
        temperature: Some(TEMPERATURE),
        stream: false,
        attempts: Some(attempts),
        wanted: None,
    }
}

/// Returns a summary that is one: some words, and not longer than what it stands for may be.
fn usable(text: &str) -> Option<String> {
    let text = text.trim();
    let is_short = first_chars(text, SUMMARY_CHARS).is_none();
    (!text.is_empty() && is_short).then(|| text.to_owned())
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
    use super::usable;

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
