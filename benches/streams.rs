//! Recorded answers of real servers, cut at pseudo-random bytes: how many are read exactly as the
//! official clients read them, and how fast. Prints its figures as one JSON line, last.
//!
//! The recordings are read from `SAYSO_MATERIAL` (default `../shared/material`). Rows of
//! protocols that no provider here speaks are counted apart.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use sayso::bench_support::{ProviderError, anthropic_shown, replay_shown};
use serde::Deserialize;
use serde_json::{Value, json};

/// Reads a body in pieces, and shows it in the words of the recordings.
type Reader = fn(&[u8], u16, u64) -> Result<Value, ProviderError>;

/// The protocols that are spoken here, as the recordings name them.
const SPOKEN: [(&str, Reader); 2] = [
    ("openai-chat", replay_shown),
    ("anthropic", anthropic_shown),
];

/// How often each recording is read, each time cut elsewhere.
const ROUNDS: u64 = 5;

#[derive(Deserialize)]
struct Row {
    id: String,
    protocol: String,
    status: u16,
    body: String,
    expected: Value,
}

fn main() -> anyhow::Result<()> {
    let path = material().join("llm/recorded.jsonl");
    let Ok(recorded) = std::fs::read_to_string(&path) else {
        println!("skipped: no recordings at {}", path.display());
        return Ok(());
    };
    let rows = recorded
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<Vec<Row>, _>>()
        .context("cannot read the recordings")?;
    let (spoken, others): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|row| reader(row).is_some());
    let begun = Instant::now();
    let mismatches: Vec<_> = spoken
        .iter()
        .filter(|row| !(0..ROUNDS).all(|seed| is_exact(row, seed)))
        .map(|row| row.id.as_str())
        .collect();
    let seconds = begun.elapsed().as_secs_f64();
    let bytes: usize = spoken.iter().map(|row| row.body.len()).sum();
    let exact = spoken.len() - mismatches.len();
    println!(
        "{}",
        json!({
            "rows": spoken.len(),
            "exact_share": exact as f64 / spoken.len().max(1) as f64,
            "mismatches": mismatches,
            "rows_of_other_protocols": others.len(),
            "megabytes_per_s": bytes as f64 * ROUNDS as f64 / 1e6 / seconds,
        })
    );
    Ok(())
}

fn is_exact(row: &Row, seed: u64) -> bool {
    reader(row).is_some_and(|read| {
        read(row.body.as_bytes(), row.status, seed).is_ok_and(|shown| shown == row.expected)
    })
}

fn reader(row: &Row) -> Option<Reader> {
    let mut spoken = SPOKEN.iter();
    let found = spoken.find(|(protocol, _)| *protocol == row.protocol)?;
    Some(found.1)
}

fn material() -> PathBuf {
    std::env::var_os("SAYSO_MATERIAL").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/material").into(),
        PathBuf::from,
    )
}
