//! A conversation in content blocks, as Anthropic's API takes it: user and assistant in turns, each
//! call answered by the message right behind it, no text without a word.
//!
//! Protocol: the API reference of `POST /v1/messages`, and the pages "Tool use" and "Extended
//! thinking" of its documentation.

use sayso_core::transcript::{
    AssistantMessage, ConversationMessage, Image, Thought, ThoughtKind, ToolCall, ToolOutcome,
};
use serde_json::{Value, json};

use crate::wire::{VisionSupport, arguments};

/// The longest name of a tool, in characters.
const MAX_NAME_CHARS: usize = 64;

/// What stands in for the first words of the user, where the conversation begins with ours.
const BEFORE: &str = "(earlier messages are left out)";

/// How calls and their results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Calls {
    /// As blocks of their own, which needs the tools in the same request.
    AsBlocks,
    /// As text, in a request that offers no tools.
    AsText,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    User,
    Assistant,
}

/// Returns the messages of a request.
pub(super) fn messages(
    conversation: &[ConversationMessage],
    calls: Calls,
    sight: VisionSupport,
) -> Vec<Value> {
    let mut merged: Vec<(Role, Vec<Value>)> = Vec::new();
    for message in conversation {
        let (role, blocks) = match message {
            ConversationMessage::User { text, images } => {
                let pictures = sight
                    .shown(images)
                    .map(|(image, data)| image_block(image, data));
                let text = text_block(&sight.text(text, images));
                (Role::User, pictures.chain(text).collect())
            }
            ConversationMessage::Assistant(answer) => {
                (Role::Assistant, answer_blocks(answer, calls))
            }
            ConversationMessage::ToolResult { .. } => (
                Role::User,
                result_block(message, calls).into_iter().collect(),
            ),
        };
        match merged.last_mut() {
            _ if blocks.is_empty() => {}
            Some((last, said)) if *last == role => said.extend(blocks),
            _ => merged.push((role, blocks)),
        }
    }
    if let Some((Role::Assistant, _)) = merged.first() {
        merged.insert(0, (Role::User, text_block(BEFORE).into_iter().collect()));
    }
    merged
        .into_iter()
        .map(|(role, blocks)| wire_message(role, blocks))
        .collect()
}

/// Returns whether a model that thinks before it acts may go on thinking: an answer that waits for the
/// results of its calls must begin with a thought then, and one of another model has none.
pub(super) fn may_think(conversation: &[ConversationMessage]) -> bool {
    let last = conversation.iter().rev().find_map(|message| match message {
        ConversationMessage::Assistant(answer) => Some(answer),
        ConversationMessage::User { .. } | ConversationMessage::ToolResult { .. } => None,
    });
    last.is_none_or(|answer| {
        let first = answer.thoughts.first();
        answer.calls.is_empty()
            || first.is_some_and(|thought| thought.behind_text == 0 && thought.behind_calls == 0)
    })
}

/// Results stand before whatever else is said with them.
fn wire_message(role: Role, mut blocks: Vec<Value>) -> Value {
    match role {
        Role::User => {
            blocks.sort_by_key(|block| block["type"] != "tool_result");
            json!({"role": "user", "content": blocks})
        }
        Role::Assistant => json!({"role": "assistant", "content": blocks}),
    }
}

fn image_block(image: &Image, data: &str) -> Value {
    let media_type = image.kind.media_type();
    json!({
        "type": "image",
        "source": {"type": "base64", "media_type": media_type, "data": data},
    })
}

/// A text of spaces is refused, as an empty one is.
fn text_block(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}))
}

/// Returns the blocks of an answer, with its thoughts where they stood.
fn answer_blocks(answer: &AssistantMessage, calls: Calls) -> Vec<Value> {
    let mut blocks = Vec::new();
    let (mut said, mut called) = (0, 0);
    let thoughts = match calls {
        Calls::AsBlocks => answer.thoughts.as_slice(),
        // Nothing hangs on them where no call waits for its result.
        Calls::AsText => &[],
    };
    for thought in thoughts {
        let text_end = answer
            .text
            .floor_char_boundary(thought.behind_text)
            .max(said);
        let calls_end = thought.behind_calls.min(answer.calls.len()).max(called);
        blocks.extend(text_block(&answer.text[said..text_end]));
        blocks.extend(answer.calls[called..calls_end].iter().map(call_block));
        blocks.extend(thought_block(thought));
        (said, called) = (text_end, calls_end);
    }
    blocks.extend(text_block(&answer.text[said..]));
    let left = answer.calls[called..].iter();
    match calls {
        Calls::AsBlocks => blocks.extend(left.map(call_block)),
        Calls::AsText => blocks.extend(left.filter_map(|call| text_block(&call_text(call)))),
    }
    blocks
}

/// What another service attached to a call is nothing to this one.
fn thought_block(thought: &Thought) -> Option<Value> {
    match &thought.kind {
        ThoughtKind::Signed { text, signature } => {
            Some(json!({"type": "thinking", "thinking": text, "signature": signature}))
        }
        ThoughtKind::Redacted { data } => Some(json!({"type": "redacted_thinking", "data": data})),
        ThoughtKind::Attached { .. } => None,
    }
}

fn call_block(call: &ToolCall) -> Value {
    json!({
        "type": "tool_use",
        "id": call.id.0,
        "name": name(&call.name),
        "input": arguments::as_object(&call.arguments),
    })
}

fn call_text(call: &ToolCall) -> String {
    format!("[called {} with {}]", call.name, call.arguments)
}

fn result_block(message: &ConversationMessage, calls: Calls) -> Option<Value> {
    let ConversationMessage::ToolResult {
        call,
        name,
        outcome,
        ..
    } = message
    else {
        return None;
    };
    let text = message.result_text().unwrap_or_default();
    if calls == Calls::AsText {
        return text_block(&format!("[{name} gave]\n{text}"));
    }
    let mut block = json!({"type": "tool_result", "tool_use_id": call.0, "content": text});
    if !matches!(outcome, ToolOutcome::Success { .. }) {
        block["is_error"] = true.into();
    }
    Some(block)
}

/// A model may call a tool by a name that cannot be one, and the API refuses that in what is past, too.
fn name(written: &str) -> String {
    let plain = |letter: char| {
        if letter.is_ascii_alphanumeric() || letter == '-' {
            letter
        } else {
            '_'
        }
    };
    let name: String = written.chars().take(MAX_NAME_CHARS).map(plain).collect();
    if name.is_empty() {
        return "_".to_owned();
    }
    name
}
