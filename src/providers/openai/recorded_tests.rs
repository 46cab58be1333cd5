//! Recorded answers of real servers, cut at pseudo-random bytes and compared with what the
//! official clients read from them. The recordings are not part of the repository:
//! `SAYSO_MATERIAL` names their folder, and each test says so and passes where it is missing.

use std::path::PathBuf;

use reqwest::header::HeaderMap;
use serde::Deserialize;
use serde_json::Value;

use super::assembly::Answer;
use super::{failure, replay};
use crate::ProviderError;
use crate::wire::error_kinds::{self, Meaning};

#[derive(Deserialize)]
struct Row {
    id: String,
    provider: String,
    protocol: String,
    status: u16,
    body: String,
    expected: Value,
}

fn material() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/material");
    std::env::var_os("SAYSO_MATERIAL").map_or_else(|| beside.into(), PathBuf::from)
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
        match replay::shown(row.body.as_bytes(), row.status, seed) {
            Ok(shown) if shown == row.expected => {}
            Ok(shown) => mismatches.push(format!("{}: {shown}", row.id)),
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

/// What an error says is in its message, and its status is that of the response.
#[test]
fn recorded_errors_are_read_with_status_and_words() {
    let path = material().join("llm/recorded.jsonl");
    let Ok(recorded) = std::fs::read_to_string(&path) else {
        println!("skipped: no recordings at {}", path.display());
        return;
    };
    let mut rows = 0;
    for line in recorded.lines() {
        let row: Row = serde_json::from_str(line).unwrap();
        if row.protocol != "error" || row.provider == "anthropic" {
            continue;
        }
        rows += 1;
        let body: Value = serde_json::from_str(&row.body).unwrap();
        let places = ["/error/message", "/error", "/message", "/detail"];
        let said = places
            .iter()
            .find_map(|place| body.pointer(place)?.as_str());
        let message = said.unwrap().to_owned();
        let meaning = error_kinds::of_message(row.status, &message);
        let status = meaning.map_or(row.status, Meaning::status);
        // llama.cpp says what its model cannot do with the status of a passing fault.
        let is_for_good = message.contains("is not supported");
        let expected = if status < 500 || is_for_good {
            ProviderError::Refused { status, message }
        } else {
            ProviderError::Broken { status, message }
        };
        let error = failure::refused(status, &HeaderMap::new(), row.body.as_bytes());
        assert_eq!(error, expected, "{}", row.id);
    }
    assert!(rows > 0, "no error of our protocol");
}

#[test]
fn streams_that_broke_other_clients_are_read() {
    let folder = material().join("llm/streams/yakbak");
    let check = |name: &str, text: &str, calls: usize| {
        let path = folder.join(name).join("response_000.txt");
        let Ok(body) = std::fs::read(&path) else {
            println!("skipped: no recording at {}", path.display());
            return;
        };
        for seed in 0..20 {
            let reply = replay::answer(&body, 200, seed)
                .and_then(Answer::into_reply)
                .unwrap();
            assert!(reply.message.text.starts_with(text), "{name}: {reply:?}");
            assert_eq!(reply.message.calls.len(), calls, "{name}: {reply:?}");
            for call in reply.message.calls {
                assert!(call.arguments.is_object(), "{name}: {call:?}");
            }
        }
    };
    check("openai/stream_tool_call_with_finish_reason", "", 1);
    check("github_copilot/tool_stream", "", 1);
    check("github_copilot/simple_stream", "The sky", 0);
    check("opencode_go/openai_stream", "Hello", 0);
    check("opencode_go/openai_chat", "Hello", 0);
    check("aihubmix/chat_stream", "Hello", 0);
}
