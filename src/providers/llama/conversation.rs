//! A conversation for models that only know a system prompt, a user and an assistant who alternate:
//! tools stand in the system prompt, and their results are what the user says next.

use sayso_core::transcript::{AssistantMessage, ConversationMessage, ToolSpec};
use serde_json::{Value, json};

use super::turn_marks::without_marks;
use crate::ChatRequest;
use crate::wire::{VisionSupport, arguments};

/// How tools are called: the form that the grammar allows.
const HOW_TO_CALL: &str = "# Tools\n\
    To use a tool, answer with one line of JSON and nothing else: {\"tool\": NAME, \"args\": {...}}\n\
    Its result comes next. Any other answer is plain text that does not begin with {.";

/// Between the result of a tool and what the user said behind it.
pub(crate) const MEANWHILE: &str = "[user] ";

/// Stands where a conversation begins with the assistant, which templates refuse.
const BEFORE: &str = "(earlier messages are left out)";

/// Who speaks, besides the system prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    User,
    Assistant,
}

/// What one of them says until the other one speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) speaker: Speaker,
    pub(super) text: String,
}

/// A conversation in which they alternate, and the user begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Conversation {
    system: String,
    turns: Vec<Turn>,
}

impl Conversation {
    /// Returns a question as such a conversation.
    pub(super) fn of(request: &ChatRequest<'_>) -> Self {
        let mut turns: Vec<Turn> = Vec::new();
        let mut is_behind_result = false;
        for message in request.messages {
            let (speaker, text) = match message {
                ConversationMessage::User { text, images } if is_behind_result => {
                    let text = VisionSupport::None.text(text, images);
                    (Speaker::User, format!("{MEANWHILE}{text}"))
                }
                ConversationMessage::User { text, images } => {
                    (Speaker::User, VisionSupport::None.text(text, images))
                }
                ConversationMessage::Assistant(message) => (Speaker::Assistant, said(message)),
                ConversationMessage::ToolResult { name, .. } => {
                    let result = message.result_text().unwrap_or_default();
                    (Speaker::User, format!("[result of {name}]\n{result}"))
                }
            };
            is_behind_result = match message {
                ConversationMessage::ToolResult { .. } => true,
                ConversationMessage::Assistant(_) => false,
                ConversationMessage::User { .. } => is_behind_result,
            };
            add(&mut turns, speaker, &without_marks(&text));
        }
        // What is identical for all conversations comes first, for the server's prompt cache.
        let parts = [tools(request.tools), request.system.to_owned()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let system = parts.join("\n\n");
        Self {
            system: without_marks(&system),
            turns,
        }
    }

    /// Returns the system prompt and the turns; a system prompt that has no place of its own stands
    /// in the first turn.
    pub(super) fn parted(self, has_system: bool) -> (String, Vec<Turn>) {
        let Self { system, mut turns } = self;
        if has_system || system.is_empty() {
            return (system, turns);
        }
        if let Some(first) = turns.first_mut() {
            first.text = format!("{system}\n\n{}", first.text);
        }
        (String::new(), turns)
    }

    /// Returns it as the messages that `/apply-template` takes.
    pub(super) fn messages(self, has_system: bool) -> Value {
        let (system, turns) = self.parted(has_system);
        let system = (!system.is_empty()).then(|| json!({"role": "system", "content": system}));
        let turns = turns.into_iter().map(|turn| {
            let role = match turn.speaker {
                Speaker::User => "user",
                Speaker::Assistant => "assistant",
            };
            json!({"role": role, "content": turn.text})
        });
        system.into_iter().chain(turns).collect()
    }
}

/// Returns the system prompt of a question with its tools in it.
pub(crate) fn system_prompt(request: &ChatRequest<'_>) -> String {
    let alone = ChatRequest {
        messages: &[],
        ..*request
    };
    Conversation::of(&alone).parted(true).0
}

fn add(turns: &mut Vec<Turn>, speaker: Speaker, text: &str) {
    match turns.last_mut() {
        Some(last) if last.speaker == speaker => {
            last.text.push_str("\n\n");
            last.text.push_str(text);
        }
        None if speaker == Speaker::Assistant => {
            add(turns, Speaker::User, BEFORE);
            add(turns, speaker, text);
        }
        Some(_) | None => turns.push(Turn {
            speaker,
            text: text.to_owned(),
        }),
    }
}

/// A call is shown in the form in which it is made.
pub(crate) fn said(message: &AssistantMessage) -> String {
    let text = Some(message.text.clone()).filter(|text| !text.is_empty());
    let calls = message.calls.iter().map(|call| {
        let arguments = arguments::as_object(&call.arguments);
        format!(
            "{{\"tool\": {}, \"args\": {arguments}}}",
            Value::from(call.name.as_str())
        )
    });
    let lines: Vec<String> = text.into_iter().chain(calls).collect();
    lines.join("\n")
}

fn tools(tools: &[ToolSpec]) -> String {
    if tools.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = tools
        .iter()
        .map(|tool| {
            let ToolSpec {
                name,
                description,
                parameters,
            } = tool;
            format!("\n- {name}: {description}\n  args: {parameters}")
        })
        .collect();
    format!("{HOW_TO_CALL}{}", lines.concat())
}

#[cfg(test)]
#[path = "conversation_tests.rs"]
mod tests;
