//! Reads recorded answers as if they arrived in pieces, for the test and the benchmark over them.

use serde_json::{Value, json};

use super::assembly::Answer;
use super::reading::{Progress, Reading};
use crate::providers::ProviderError;

/// The largest piece, in bytes.
const MAX_PIECE_BYTES: usize = 97;

/// Reads a body in pieces of pseudo-random length: equal seeds give equal pieces.
pub(super) fn answer(body: &[u8], status: u16, seed: u64) -> Result<Answer, ProviderError> {
    let mut reading = Reading::new(status);
    let mut state = seed;
    let mut rest = body;
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(next_length(&mut state).min(rest.len()));
        rest = later;
        if reading.push(piece, &|_| {})? == Progress::Done {
            break;
        }
    }
    reading.finish(&|_| {})
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

/// A linear congruential generator, with the constants of Knuth's MMIX.
fn next_length(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    1 + (*state >> 33) as usize % MAX_PIECE_BYTES
}
