//! Recorded answers of the API, cut at pseudo-random bytes and compared with what the official
//! clients read from them. The recordings are not part of the repository: `SAYSO_MATERIAL` names
//! their folder, and each test says so and passes where it is missing.

use std::path::PathBuf;

use reqwest::header::HeaderMap;
use serde::Deserialize;
use serde_json::Value;

use super::assembly::Answer;
use super::{failure, replay};
use crate::ProviderError;

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

/// Returns the rows of a protocol, or none where there are no recordings.
fn rows(protocol: &str) -> Option<Vec<Row>> {
    let path = material().join("llm/recorded.jsonl");
    let Ok(recorded) = std::fs::read_to_string(&path) else {
        println!("skipped: no recordings at {}", path.display());
        return None;
    };
    let rows = recorded
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let rows: Vec<Row> = rows.filter(|row: &Row| row.protocol == protocol).collect();
    Some(rows)
}

#[test]
fn recorded_answers_are_read_as_the_official_clients_read_them() {
    let Some(rows) = rows("anthropic") else {
        return;
    };
    let mut mismatches = Vec::new();
    for row in &rows {
        for seed in 0..5 {
            match replay::shown(row.body.as_bytes(), row.status, seed) {
                Ok(shown) if shown == row.expected => {}
                Ok(shown) => mismatches.push(format!("{}: {shown}", row.id)),
                Err(error) => mismatches.push(format!("{}: {error}", row.id)),
            }
        }
    }
    println!(
        "{} recorded answers, {} mismatches",
        rows.len(),
        mismatches.len()
    );
    assert!(!rows.is_empty(), "no row of our protocol");
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
}

/// What an error says is in its message, and its status is that of the response.
#[test]
fn recorded_errors_are_read_with_status_and_words() {
    let Some(rows) = rows("error") else {
        return;
    };
    let own = rows.iter().filter(|row| row.provider == "anthropic");
    for row in own.clone() {
        let body: Value = serde_json::from_str(&row.body).unwrap();
        let said = body["error"]["message"].as_str().unwrap();
        let expected = ProviderError::Refused {
            status: row.status,
            message: said.to_owned(),
        };
        let error = failure::refused(row.status, &HeaderMap::new(), row.body.as_bytes());
        assert_eq!(error, expected, "{}", row.id);
    }
    assert!(own.count() > 0, "no error of our protocol");
}

#[test]
fn streams_that_broke_other_clients_are_read() {
    let folder = material().join("llm/streams/yakbak");
    let check = |name: &str, text: &str, usage: (u64, u64, u64), calls: usize| {
        let path = folder.join(name).join("response_000.txt");
        let Ok(body) = std::fs::read(&path) else {
            println!("skipped: no recording at {}", path.display());
            return;
        };
        for seed in 0..20 {
            let reply = replay::answer(&body, 200, seed).and_then(Answer::into_reply);
            let reply = reply.unwrap();
            assert!(reply.message.text.starts_with(text), "{name}: {reply:?}");
            let counted = &reply.usage;
            let counted = (
                counted.prompt_tokens,
                counted.cached_tokens,
                counted.completion_tokens,
            );
            assert_eq!(counted, usage, "{name}");
            assert_eq!(reply.message.calls.len(), calls, "{name}: {reply:?}");
            for call in reply.message.calls {
                assert!(call.arguments.is_object(), "{name}: {call:?}");
            }
        }
    };
    check("anthropic/ping_stream", "Hello!", (25, 0, 15), 0);
    check("anthropic/tool_stream", "", (85, 0, 42), 1);
    check("anthropic/usage_stream", "The sky is blue", (19, 0, 34), 0);
    check("anthropic/usage_cache_stream", "OK.", (4211, 4202, 5), 0);
    check(
        "anthropic/usage_cache_creation_stream",
        "OK.",
        (4211, 0, 5),
        0,
    );
    check("opencode_go/minimax_chat", "Hello!", (26, 0, 23), 0);
    check("opencode_go/minimax_stream", "\n\nHello!", (26, 0, 40), 0);
}
