//! What stands in the messages of a turn.

use sayso_core::transcript::{AssistantMessage, ConversationMessage};

/// Returns whether a model gave neither words nor calls.
pub(super) fn says_nothing(message: &AssistantMessage) -> bool {
    message.text.trim().is_empty() && message.calls.is_empty()
}

/// Returns all that users said, one message a line.
pub(super) fn user_texts(messages: &[ConversationMessage]) -> String {
    let texts: Vec<&str> = messages
        .iter()
        .filter_map(|message| match message {
            ConversationMessage::User { text, .. } => Some(text.as_str()),
            ConversationMessage::Assistant(_) | ConversationMessage::ToolResult { .. } => None,
        })
        .collect();
    texts.join("\n")
}
