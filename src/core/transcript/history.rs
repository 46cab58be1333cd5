//! What later turns are shown of earlier ones, and how long messages are.

use super::{AssistantMessage, ConversationMessage, Taint, TurnId, estimate_tokens};

/// What later turns are shown of an ended one, or of several.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Past {
    /// The messages, in order.
    pub messages: Vec<ConversationMessage>,
    /// Where untrusted text came from that the model had in view when it wrote them.
    pub taint: Taint,
    /// The turns that they are of.
    pub turns: Vec<TurnId>,
}

/// Drops the chain of thought of earlier turns: a provider needs it only inside the current one.
pub fn clear_old_reasoning_content(history: &mut [ConversationMessage]) {
    for message in history {
        if let ConversationMessage::Assistant(assistant) = message {
            assistant.reasoning_content = None;
            assistant.thoughts.clear();
        }
    }
}

/// Estimates the tokens of a message, its pictures apart. Inside its turn one of the model goes
/// back with its reasoning.
pub fn message_tokens(message: &ConversationMessage) -> usize {
    match message {
        ConversationMessage::User { text, .. } => estimate_tokens(text),
        ConversationMessage::Assistant(assistant) => answer_tokens(assistant),
        ConversationMessage::ToolResult { .. } => message
            .result_text()
            .map_or(0, |text| estimate_tokens(&text)),
    }
}

/// Estimates the tokens of an answer.
pub fn answer_tokens(message: &AssistantMessage) -> usize {
    let calls = message
        .calls
        .iter()
        .map(|call| estimate_tokens(&call.name) + estimate_tokens(&call.arguments.to_string()));
    estimate_tokens(&message.text) + estimate_tokens(&message.reasoning()) + calls.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::clear_old_reasoning_content;
    use crate::transcript::{AssistantMessage, ConversationMessage, Thought, ThoughtKind};

    #[test]
    fn old_reasoning_is_dropped() {
        let mut history = vec![ConversationMessage::Assistant(AssistantMessage {
            text: "a".into(),
            reasoning_content: Some("thoughts".into()),
            thoughts: vec![Thought {
                behind_text: 0,
                behind_calls: 0,
                kind: ThoughtKind::Redacted { data: "x".into() },
            }],
            calls: vec![],
        })];
        clear_old_reasoning_content(&mut history);
        let ConversationMessage::Assistant(message) = &history[0] else {
            panic!("an answer")
        };
        assert_eq!(message.reasoning_content, None);
        assert_eq!(message.thoughts, vec![]);
    }
}
