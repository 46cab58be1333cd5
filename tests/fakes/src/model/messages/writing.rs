//! Writes an answer in the words of this wire: in one piece, or as its events.

use serde_json::{Value, json};

use super::signature_of;
use crate::model::answer::{Answer, Ending, ToolCall};
use crate::model::request::ModelRequest;
use crate::model::stream::cut;

/// The body of a refusal.
pub(crate) fn refusal(kind: &str, why: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": why}})
}

/// The answer as one `message`.
pub(crate) fn whole(answer: &Answer, request: &ModelRequest) -> Value {
    let content: Vec<_> = blocks(answer, request)
        .into_iter()
        .map(|block| block.whole)
        .collect();
    let mut message = message(request);
    message["content"] = content.into();
    message["stop_reason"] = stop_reason(answer).into();
    message["usage"] = usage(answer);
    message
}

/// The answer as server-sent events.
pub(crate) fn events(answer: &Answer, request: &ModelRequest) -> Vec<String> {
    let mut start = message(request);
    start["usage"] = usage(answer);
    start["usage"]["output_tokens"] = 1.into();
    let mut events = vec![
        json!({"type": "message_start", "message": start}),
        json!({"type": "ping"}),
    ];
    for (index, block) in blocks(answer, request).into_iter().enumerate() {
        events.push(json!({
            "type": "content_block_start", "index": index, "content_block": block.begun,
        }));
        let deltas = block.deltas.into_iter();
        events.extend(
            deltas.map(
                |delta| json!({"type": "content_block_delta", "index": index, "delta": delta}),
            ),
        );
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    if let Some((kind, why)) = &answer.error_at_end {
        events.push(refusal(kind, why));
    } else if answer.ending == Ending::Whole {
        events.push(json!({
            "type": "message_delta",
            "delta": {"stop_reason": stop_reason(answer), "stop_sequence": null},
            "usage": {"output_tokens": usage(answer)["output_tokens"]},
        }));
        events.push(json!({"type": "message_stop"}));
    }
    let written = |event: &Value| {
        let name = event["type"].as_str().unwrap_or_default();
        format!("event: {name}\ndata: {event}\n\n")
    };
    events.iter().map(written).collect()
}

/// A content block: whole, and as it comes.
struct Block {
    whole: Value,
    begun: Value,
    deltas: Vec<Value>,
}

/// A model thinks only when it was asked to.
fn blocks(answer: &Answer, request: &ModelRequest) -> Vec<Block> {
    let mut blocks = Vec::new();
    if request.is_asked_to_think() {
        if !answer.reasoning.is_empty() {
            blocks.push(thinking(answer));
        }
        let hidden = answer.hidden_thoughts.iter();
        blocks.extend(hidden.map(|data| {
            let block = json!({"type": "redacted_thinking", "data": data});
            Block {
                begun: block.clone(),
                whole: block,
                deltas: Vec::new(),
            }
        }));
    }
    if !answer.text.is_empty() {
        let piece = |text| json!({"type": "text_delta", "text": text});
        blocks.push(Block {
            whole: json!({"type": "text", "text": answer.text}),
            begun: json!({"type": "text", "text": ""}),
            deltas: cut(&answer.text, answer.chunk)
                .into_iter()
                .map(piece)
                .collect(),
        });
    }
    blocks.extend(answer.calls.iter().map(|call| tool_use(answer, call)));
    blocks
}

fn thinking(answer: &Answer) -> Block {
    let signature = signature_of(&answer.reasoning);
    let piece = |text| json!({"type": "thinking_delta", "thinking": text});
    let mut deltas: Vec<_> = cut(&answer.reasoning, answer.chunk)
        .into_iter()
        .map(piece)
        .collect();
    deltas.push(json!({"type": "signature_delta", "signature": signature}));
    Block {
        whole: json!({
            "type": "thinking", "thinking": answer.reasoning, "signature": signature,
        }),
        begun: json!({"type": "thinking", "thinking": "", "signature": ""}),
        deltas,
    }
}

fn tool_use(answer: &Answer, call: &ToolCall) -> Block {
    let input = serde_json::from_str(&call.arguments).unwrap_or_else(|_| json!({}));
    let block = |input: Value| json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input});
    let mut pieces = vec![""];
    pieces.extend(cut(&call.arguments, answer.chunk));
    let piece = |text| json!({"type": "input_json_delta", "partial_json": text});
    Block {
        whole: block(input),
        begun: block(json!({})),
        deltas: pieces.into_iter().map(piece).collect(),
    }
}

fn message(request: &ModelRequest) -> Value {
    json!({
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "model": request.model(),
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
    })
}

fn stop_reason(answer: &Answer) -> &str {
    let natural = if answer.calls.is_empty() {
        "end_turn"
    } else {
        "tool_use"
    };
    match answer.finish.as_deref() {
        Some("length") => "max_tokens",
        Some(other) => other,
        None => natural,
    }
}

fn usage(answer: &Answer) -> Value {
    if let Some(report) = &answer.report {
        return report.clone();
    }
    let usage = answer.usage;
    json!({
        "input_tokens": usage.prompt - usage.cached,
        "output_tokens": usage.completion,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": usage.cached,
    })
}
