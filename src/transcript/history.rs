//! What of the past goes into a prompt: whole turns only, within messages and tokens.

use super::{ConversationMessage, estimate_tokens};

/// Keeps the newest turns that fit into `max_messages` and `max_tokens`, oldest first.
///
/// Cuts only between turns, so no tool result loses its call. The newest turn is kept even when
/// it alone is too large in messages, but not when it is over the tokens.
pub fn trim_history(
    turns: Vec<Vec<ConversationMessage>>,
    max_messages: usize,
    max_tokens: usize,
) -> Vec<ConversationMessage> {
    let mut messages = 0;
    let mut tokens = 0;
    let kept = turns
        .iter()
        .rev()
        .take_while(|turn| {
            messages += turn.len();
            tokens += turn.iter().map(message_tokens).sum::<usize>();
            (messages <= max_messages || messages == turn.len()) && tokens <= max_tokens
        })
        .count();
    let dropped = turns.len() - kept;
    turns.into_iter().skip(dropped).flatten().collect()
}

/// Drops the chain of thought of earlier turns: a provider needs it only inside the current one.
pub fn clear_old_reasoning_content(history: &mut [ConversationMessage]) {
    for message in history {
        if let ConversationMessage::Assistant(assistant) = message {
            assistant.reasoning_content = None;
        }
    }
}

fn message_tokens(message: &ConversationMessage) -> usize {
    match message {
        ConversationMessage::User { text } => estimate_tokens(text),
        ConversationMessage::Assistant(assistant) => {
            let calls: usize = assistant
                .calls
                .iter()
                .map(|call| estimate_tokens(&call.arguments.to_string()))
                .sum();
            estimate_tokens(&assistant.text) + calls
        }
        ConversationMessage::ToolResult { outcome, .. } => estimate_tokens(&outcome.for_model()),
    }
}

#[cfg(test)]
mod tests {
    use super::{clear_old_reasoning_content, trim_history};
    use crate::transcript::{AssistantMessage, ConversationMessage};

    fn turn(texts: &[&str]) -> Vec<ConversationMessage> {
        texts
            .iter()
            .map(|text| ConversationMessage::user(*text))
            .collect()
    }

    #[track_caller]
    fn check(turns: &[&[&str]], max_messages: usize, max_tokens: usize, expected: &[&str]) {
        let turns = turns.iter().map(|texts| turn(texts)).collect();
        assert_eq!(
            trim_history(turns, max_messages, max_tokens),
            turn(expected)
        );
    }

    #[test]
    fn history_is_cut_between_turns() {
        check(&[&["a", "b"], &["c", "d"]], 4, 100, &["a", "b", "c", "d"]);
        check(&[&["a", "b"], &["c", "d"]], 3, 100, &["c", "d"]);
        check(&[&["a"], &["c", "d", "e"]], 2, 100, &["c", "d", "e"]);
        check(&[&["aaaaaaaa"], &["cccc"]], 50, 2, &["cccc"]);
        check(&[&["aaaaaaaaaaaa"]], 50, 2, &[]);
    }

    #[test]
    fn old_reasoning_is_dropped() {
        let mut history = vec![ConversationMessage::Assistant(AssistantMessage {
            text: "a".into(),
            reasoning_content: Some("thoughts".into()),
            calls: vec![],
        })];
        clear_old_reasoning_content(&mut history);
        let ConversationMessage::Assistant(message) = &history[0] else {
            panic!("an answer")
        };
        assert_eq!(message.reasoning_content, None);
    }
}
