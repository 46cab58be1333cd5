//! The offline model: a handful of rules that understand a handful of requests, in English and
//! Chinese, the same way every time. With it everything can be tried without a key or a network.
//!
//! It is asked like any model and knows nothing but its request. It says what it is.

mod intents;
mod route;
mod words;

use async_trait::async_trait;
use sayso_core::Language;
use sayso_core::transcript::{
    AssistantMessage, CallId, ConversationMessage, ModelName, ToolCall, ToolOutcome,
};

use self::intents::Intent;
use super::{ChatRequest, Checked, Heard, ModelCapacity, Provider, ProviderError, Reply};

/// Into how many pieces a streamed text is cut.
const PIECES: usize = 4;

/// What the prompt's section of routed skills begins with.
const GUIDES: [&str; 2] = ["\n\n[Guides]", "\n\n[行为指南]"];

/// What the question begins with that asks what is to be learned: from a handful of rules, nothing.
const LEARNING: &str = "[what to remember]";
/// How the prompts begin that want older turns summed up.
const SUMMING_UP: [&str; 2] = ["[sum up]", "[概括]"];
/// How the prompts begin that want a plan: from a handful of rules, none is needed.
const PLANNING: [&str; 2] = ["[planning]", "[规划]"];
/// How much of what was said a summary quotes, in lines.
const QUOTED_LINES: usize = 40;

/// What each skill in that section begins with.
const GUIDE: &str = "\n\n## Skill: ";

/// A question without tools at most this warm is a routing question.
const ROUTING_TEMPERATURE: f64 = 0.11;

/// The offline model.
#[derive(Debug, Clone)]
pub struct Offline {
    name: String,
}

impl Offline {
    /// Makes one under its name in the configuration.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into() }
    }
}

#[async_trait]
impl Provider for Offline {
    fn name(&self) -> &str {
        &self.name
    }

    fn model(&self) -> &'static str {
        "offline"
    }

    async fn chat_with_tools(
        &self,
        request: ChatRequest<'_>,
        heard: Heard<'_>,
    ) -> Result<Reply, ProviderError> {
        let message = if request.system.starts_with(LEARNING) {
            AssistantMessage {
                text: "[]".to_owned(),
                ..AssistantMessage::default()
            }
        } else if PLANNING.iter().any(|it| request.system.starts_with(it)) {
            AssistantMessage {
                text: r#"{"steps":[]}"#.to_owned(),
                ..AssistantMessage::default()
            }
        } else if SUMMING_UP.iter().any(|it| request.system.starts_with(it)) {
            AssistantMessage {
                text: what_was_wanted(request.messages),
                ..AssistantMessage::default()
            }
        } else if is_routing(&request) {
            AssistantMessage {
                text: route::answer(request.system, last_words(request.messages)),
                ..AssistantMessage::default()
            }
        } else {
            answer(&request)
        };
        if request.stream {
            for piece in pieces(&message.text) {
                heard(&piece);
            }
        }
        Ok(Reply {
            message,
            ..Reply::default()
        })
    }

    async fn check(&self) -> Result<Checked, ProviderError> {
        Ok(Checked::default())
    }
}

impl ModelCapacity for Offline {
    fn window(&self, _wanted: Option<&ModelName>) -> usize {
        usize::MAX
    }
}

/// Returns what people wanted, in their words.
fn what_was_wanted(messages: &[ConversationMessage]) -> String {
    let Some(ConversationMessage::User { text, .. }) = messages.last() else {
        return String::new();
    };
    let wanted = text.lines().filter(|line| line.starts_with("[user] "));
    wanted.take(QUOTED_LINES).collect::<Vec<_>>().join("\n")
}

fn is_routing(request: &ChatRequest<'_>) -> bool {
    let cool = request
        .temperature
        .is_some_and(|temperature| temperature <= ROUTING_TEMPERATURE);
    request.tools.is_empty() && cool
}

fn answer(request: &ChatRequest<'_>) -> AssistantMessage {
    let said = last_words(request.messages);
    let language = language_of(said);
    let results = new_results(request.messages);
    if results.is_empty() {
        return act(request, said, language);
    }
    let report = words::report(&results, language);
    let more = request.messages.last().filter(|last| last.is_said());
    if more.is_some() && !intents::read(said).is_empty() {
        let mut next = act(request, said, language);
        next.text = format!("{report}\n\n{}", next.text);
        return next;
    }
    AssistantMessage {
        text: report,
        ..AssistantMessage::default()
    }
}

/// Does what was asked for where a tool for it is at hand, and says so where none is.
fn act(request: &ChatRequest<'_>, said: &str, language: Language) -> AssistantMessage {
    let intents = intents::read(said);
    if intents.is_empty() {
        let text = match guide(request.messages).filter(|_| !words::greets(said)) {
            Some((name, text)) => words::guide(name, text, language),
            None => words::introduction(said, language),
        };
        return AssistantMessage {
            text,
            ..AssistantMessage::default()
        };
    }
    let is_at_hand = |intent: &Intent| request.tools.iter().any(|tool| tool.name == intent.tool());
    let (possible, missing): (Vec<_>, Vec<_>) = intents.into_iter().partition(is_at_hand);
    let earlier = calls_so_far(request.messages);
    AssistantMessage {
        text: words::plan(&possible, &missing, language),
        reasoning_content: None,
        thoughts: vec![],
        calls: (earlier + 1..)
            .zip(&possible)
            .map(|(number, intent)| ToolCall {
                id: CallId(format!("offline-{number}")),
                name: intent.tool().to_owned(),
                arguments: intent.arguments(),
            })
            .collect(),
    }
}

/// Returns the first skill whose text Phase 1 put into the note of the turn, and the text.
fn guide(messages: &[ConversationMessage]) -> Option<(&str, &str)> {
    let note = messages.iter().rev().find(|message| message.is_turn_note());
    let Some(ConversationMessage::User { text: note, .. }) = note else {
        return None;
    };
    let (_, behind) = GUIDES.iter().find_map(|heading| note.split_once(heading))?;
    let (_, skill) = behind.split_once(GUIDE)?;
    let (name, text) = skill.split_once('\n')?;
    let end = [GUIDE, "\n\nTime: ", "\n\n时间："]
        .iter()
        .filter_map(|next| text.find(next))
        .min();
    Some((name, text.get(..end?)?.trim()))
}

fn last_words(messages: &[ConversationMessage]) -> &str {
    match messages.iter().rev().find(|message| message.is_said()) {
        Some(ConversationMessage::User { text, .. }) => text,
        _ => "",
    }
}

/// Returns the results that came since the model last spoke, each with the call that it answers.
fn new_results(messages: &[ConversationMessage]) -> Vec<(&ToolCall, &ToolOutcome)> {
    let spoke = messages.iter().rposition(|message| {
        matches!(message, ConversationMessage::Assistant(assistant) if !assistant.calls.is_empty())
    });
    let Some((ConversationMessage::Assistant(asking), later)) =
        spoke.and_then(|position| messages.get(position..)?.split_first())
    else {
        return Vec::new();
    };
    if later
        .iter()
        .any(|message| matches!(message, ConversationMessage::Assistant(_)))
    {
        return Vec::new();
    }
    later
        .iter()
        .filter_map(|message| match message {
            ConversationMessage::ToolResult { call, outcome, .. } => {
                let call = asking.calls.iter().find(|asked| asked.id == *call)?;
                Some((call, outcome))
            }
            ConversationMessage::User { .. } | ConversationMessage::Assistant(_) => None,
        })
        .collect()
}

fn calls_so_far(messages: &[ConversationMessage]) -> usize {
    messages
        .iter()
        .map(|message| match message {
            ConversationMessage::Assistant(assistant) => assistant.calls.len(),
            ConversationMessage::User { .. } | ConversationMessage::ToolResult { .. } => 0,
        })
        .sum()
}

fn language_of(text: &str) -> Language {
    let is_chinese = |letter: char| ('\u{4e00}'..='\u{9fff}').contains(&letter);
    if text.chars().any(is_chinese) {
        Language::Chinese
    } else {
        Language::English
    }
}

fn pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let length = letters.len().div_ceil(PIECES).max(1);
    letters
        .chunks(length)
        .map(|piece| piece.iter().collect())
        .collect()
}

#[cfg(test)]
mod tests;
