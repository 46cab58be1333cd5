//! Recorded answers of real servers, cut at random bytes and compared with what the official
//! clients read from them. The recordings are not part of the repository: `SAYSO_MATERIAL` names
//! their folder, and the test says so and passes where it is missing.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use super::assembly::Answer;
use super::reading::{Progress, Reading};
use crate::providers::ProviderError;

#[derive(Deserialize)]
struct Row {
    id: String,
    protocol: String,
    status: u16,
    body: String,
    expected: Value,
}

fn material() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/material");
    std::env::var_os("SAYSO_MATERIAL").map_or_else(|| beside.into(), PathBuf::from)
}

/// Cuts that are the same in every run and different for every row.
fn next_cut(seed: &mut u64) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    1 + (*seed >> 33) as usize % 97
}

fn read(body: &str, status: u16, mut seed: u64) -> Result<Answer, ProviderError> {
    let mut reading = Reading::new(status);
    let mut rest = body.as_bytes();
    while !rest.is_empty() {
        let (chunk, later) = rest.split_at(next_cut(&mut seed).min(rest.len()));
        rest = later;
        if reading.push(chunk, &|_| {})? == Progress::Done {
            break;
        }
    }
    reading.finish(&|_| {})
}

/// Shows an answer in the words of the recordings: what is no JSON stands under `_raw`.
fn shown(answer: &Answer) -> Value {
    let calls: Vec<_> = answer
        .calls
        .iter()
        .map(|call| {
            let arguments: Value = serde_json::from_str(&call.arguments)
                .unwrap_or_else(|_| json!({"_raw": call.arguments}));
            json!({"id": call.id, "name": call.name, "arguments": arguments})
        })
        .collect();
    json!({
        "content": answer.text,
        "reasoning": answer.reasoning,
        "tool_calls": calls,
        "finish_reason": answer.finish_reason,
        "usage": {
            "prompt": answer.usage.prompt_tokens,
            "completion": answer.usage.completion_tokens,
        },
    })
}

#[test]
fn recorded_answers_are_read_as_the_official_clients_read_them() {
    let path = material().join("llm/recorded.jsonl");
    let Ok(recorded) = std::fs::read_to_string(&path) else {
        println!("skipped: no recordings at {}", path.display());
        return;
    };
    let mut rows = 0;
    let mut mismatches = Vec::new();
    for (seed, line) in (0..).zip(recorded.lines()) {
        let row: Row = serde_json::from_str(line).unwrap();
        if row.protocol != "openai-chat" {
            continue;
        }
        rows += 1;
        match read(&row.body, row.status, seed) {
            Ok(answer) if shown(&answer) == row.expected => {}
            Ok(answer) => mismatches.push(format!("{}: {}", row.id, shown(&answer))),
            Err(error) => mismatches.push(format!("{}: {error}", row.id)),
        }
    }
    println!(
        "{} of {rows} recorded answers read exactly",
        rows - mismatches.len()
    );
    assert!(rows > 0, "no row of our protocol");
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
}

#[test]
fn streams_that_broke_other_clients_are_read() {
    let folder = material().join("llm/streams/yakbak");
    let check = |name: &str, text: &str, calls: usize| {
        let path = folder.join(name).join("response_000.txt");
        let Ok(body) = std::fs::read_to_string(&path) else {
            println!("skipped: no recording at {}", path.display());
            return;
        };
        for seed in 0..20 {
            let reply = read(&body, 200, seed).and_then(Answer::into_reply).unwrap();
            assert!(reply.message.text.starts_with(text), "{name}: {reply:?}");
            assert_eq!(reply.message.calls.len(), calls, "{name}: {reply:?}");
            assert!(
                reply
                    .message
                    .calls
                    .iter()
                    .all(|call| call.arguments.is_object())
            );
        }
    };
    check("openai/stream_tool_call_with_finish_reason", "", 1);
    check("github_copilot/tool_stream", "", 1);
    check("github_copilot/simple_stream", "The sky", 0);
    check("opencode_go/openai_stream", "Hello", 0);
    check("opencode_go/openai_chat", "Hello", 0);
    check("aihubmix/chat_stream", "Hello", 0);
}
