//! A fuzzer as a benchmark: its figures as one JSON line, last.

use std::env;
use std::time::Instant;

use anyhow::ensure;
use serde_json::json;

use super::fuzzing::{Property, fuzz};

/// Runs a fuzzer as the environment says (`SAYSO_FUZZ_SEED`, `SAYSO_FUZZ_TEXTS`), prints its figures
/// and fails when a text got past the policy.
pub fn benchmark<P: Property>(seed: u64, texts: usize) -> anyhow::Result<()> {
    let seed = number("SAYSO_FUZZ_SEED").unwrap_or(seed);
    let count = number("SAYSO_FUZZ_TEXTS").and_then(|count| usize::try_from(count).ok());
    let directory = tempfile::tempdir()?;
    let begun = Instant::now();
    let fuzzed = fuzz::<P>(directory.path(), seed, count.unwrap_or(texts))?;
    for bypass in &fuzzed.bypasses {
        println!("{bypass}");
    }
    println!(
        "{}",
        json!({
            "texts": fuzzed.texts,
            "allowed": fuzzed.unasked,
            "bypasses": fuzzed.bypasses.len(),
            "seed": seed,
            "seconds": begun.elapsed().as_secs_f64().round(),
        })
    );
    let bypasses = fuzzed.bypasses.len();
    ensure!(bypasses == 0, "{bypasses} texts got past the policy");
    Ok(())
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}
