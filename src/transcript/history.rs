//! What of the past goes into a prompt: whole turns only, within messages and tokens.

use super::{ConversationMessage, Taint, TurnId, estimate_tokens};

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

/// Keeps the newest turns that fit into `max_messages` and `max_tokens`, oldest first.
///
/// Cuts only between turns, so no tool result loses its call. The newest turn is kept even when
/// it alone is too large in messages, but not when it is over the tokens.
pub fn trim_history(turns: Vec<Past>, max_messages: usize, max_tokens: usize) -> Past {
    let mut messages = 0;
    let mut tokens = 0;
    let kept = turns
        .iter()
        .rev()
        .take_while(|turn| {
            messages += turn.messages.len();
            tokens += turn.messages.iter().map(message_tokens).sum::<usize>();
            (messages <= max_messages || messages == turn.messages.len()) && tokens <= max_tokens
        })
        .count();
    let dropped = turns.len() - kept;
    let mut past = Past::default();
    for turn in turns.into_iter().skip(dropped) {
        past.messages.extend(turn.messages);
        past.taint.merge(&turn.taint);
        past.turns.extend(turn.turns);
    }
    past
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

/// Estimates the tokens of a message of an earlier turn, whose reasoning is not sent back.
pub fn message_tokens(message: &ConversationMessage) -> usize {
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
        ConversationMessage::ToolResult { .. } => message
            .result_text()
            .map_or(0, |text| estimate_tokens(&text)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Past, clear_old_reasoning_content, trim_history};
    use crate::transcript::{AssistantMessage, ConversationMessage, Taint, Thought, ThoughtKind};

    fn turn(texts: &[&str]) -> Past {
        Past {
            messages: texts
                .iter()
                .map(|text| ConversationMessage::user(*text))
                .collect(),
            taint: Taint::default(),
            turns: Vec::new(),
        }
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
    fn the_taint_of_a_turn_stays_while_the_turn_is_in_view() {
        let mut tainted = turn(&["a"]);
        tainted.taint.add_others();
        let turns = || vec![tainted.clone(), turn(&["b"])];
        assert!(!trim_history(turns(), 2, 100).taint.is_empty());
        assert!(trim_history(turns(), 1, 100).taint.is_empty());
    }

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
