//! Reads recorded answers as if they arrived in pieces, for the test and the benchmark over them.

use sayso_core::transcript::{Thought, ThoughtKind};
use serde_json::{Value, json};

use super::assembly::Answer;
use super::response::Stream;
use crate::ProviderError;
use crate::wire::replay::arrive;

/// Reads a body in pieces of pseudo-random length: equal seeds give equal pieces.
pub(super) fn answer(body: &[u8], status: u16, seed: u64) -> Result<Answer, ProviderError> {
    arrive::<Stream>(body, status, seed)
}

/// Reads a body and shows the answer in the words of the recordings.
pub fn shown(body: &[u8], status: u16, seed: u64) -> Result<Value, ProviderError> {
    let answer = answer(body, status, seed)?;
    let reasoning: String = answer.thoughts.iter().filter_map(Thought::text).collect();
    let is_signed = answer.thoughts.iter().any(|thought| match &thought.kind {
        ThoughtKind::Signed { signature, .. } => !signature.is_empty(),
        ThoughtKind::Redacted { .. } | ThoughtKind::Attached { .. } => false,
    });
    let calls: Vec<_> = answer
        .calls
        .iter()
        .map(|call| {
            let arguments: Value = match call.arguments.as_str() {
                "" => json!({}),
                written => {
                    serde_json::from_str(written).unwrap_or_else(|_| json!({"_raw": written}))
                }
            };
            json!({"id": call.id, "name": call.name, "arguments": arguments})
        })
        .collect();
    Ok(json!({
        "content": answer.text,
        "reasoning": reasoning,
        "signature": is_signed,
        "tool_calls": calls,
        "finish_reason": answer.stop_reason,
        "usage": {
            "prompt": answer.usage.input,
            "completion": answer.usage.output,
        },
    }))
}
