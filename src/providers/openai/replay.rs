//! Reads recorded answers as if they arrived in pieces, for the test and the benchmark over them.

use serde_json::{Value, json};

use super::assembly::Answer;
use super::response::Stream;
use crate::ProviderError;
use crate::wire::replay::arrive;

/// Reads a body in pieces of pseudo-random length: equal seeds give equal pieces.
pub(super) fn answer(body: &[u8], status: u16, seed: u64) -> Result<Answer, ProviderError> {
    arrive::<Stream>(body, status, seed)
}

/// Reads a body and shows the answer in the words of the recordings, in which arguments that are
/// no JSON stand under `_raw`.
pub fn shown(body: &[u8], status: u16, seed: u64) -> Result<Value, ProviderError> {
    let answer = answer(body, status, seed)?;
    let calls: Vec<_> = answer
        .calls
        .iter()
        .map(|call| {
            let arguments: Value = serde_json::from_str(&call.arguments)
                .unwrap_or_else(|_| json!({"_raw": call.arguments}));
            json!({"id": call.id, "name": call.name, "arguments": arguments})
        })
        .collect();
    Ok(json!({
        "content": answer.text,
        "reasoning": answer.reasoning,
        "tool_calls": calls,
        "finish_reason": answer.finish_reason,
        "usage": {
            "prompt": answer.usage.prompt_tokens,
            "completion": answer.usage.completion_tokens,
        },
    }))
}
