//! Programs of awk and sed that hide what acts, judged and run: what the policy lets run unasked
//! must start nothing and make no file in gawk, mawk, GNU sed or those of busybox. Prints its figures
//! as one JSON line, last, and fails when a program got past.
//!
//! `SAYSO_FUZZ_SEED` names another seed, `SAYSO_FUZZ_TEXTS` another number of programs. What is
//! hidden is harmless: it makes a file in a temporary directory, or calls a stand-in for `curl`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../shell_fuzz/harness.rs"]
mod harness;
mod programs;
mod property;
#[path = "../shell_fuzz/random.rs"]
mod random;

use std::collections::BTreeSet;
use std::env;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use serde_json::json;

use harness::Place;
use property::{broken_in, is_unasked, readers};
use random::Random;

const TEXTS: usize = 20_000;
const SEED: u64 = 20_261_126;

fn main() -> anyhow::Result<()> {
    ensure!(
        readers() == 5,
        "gawk, mawk, sed and busybox must be installed"
    );
    let seed = number("SAYSO_FUZZ_SEED").unwrap_or(SEED);
    let count = number("SAYSO_FUZZ_TEXTS").and_then(|count| usize::try_from(count).ok());
    let mut random = Random::new(seed);
    let directory = tempfile::tempdir().context("cannot make a directory")?;
    let place = Place::new(directory.path())?;
    let begun = Instant::now();
    let (mut seen, mut allowed, mut bypasses) = (BTreeSet::new(), 0, 0);
    while seen.len() < count.unwrap_or(TEXTS) {
        let words = programs::call(&mut random);
        if !seen.insert(words.clone()) || !is_unasked(&words) {
            continue;
        }
        allowed += 1;
        let broken = broken_in(&place, &words)?;
        if !broken.is_empty() {
            bypasses += 1;
            println!("{words:?}: {broken:?}");
        }
    }
    println!(
        "{}",
        json!({
            "texts": seen.len(),
            "allowed": allowed,
            "bypasses": bypasses,
            "seed": seed,
            "seconds": begun.elapsed().as_secs_f64().round(),
        })
    );
    ensure!(bypasses == 0, "{bypasses} programs got past the policy");
    Ok(())
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}
