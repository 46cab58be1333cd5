//! Shell texts that hide commands, judged and run: what the policy lets run unasked must not do in
//! dash, bash or busybox what it was not let run for. Prints its figures as one JSON line, last, and
//! fails when a text got past.
//!
//! `SAYSO_FUZZ_SEED` names another seed, `SAYSO_FUZZ_TEXTS` another number of texts. What is hidden
//! is harmless: it makes a file in a temporary directory, or calls a stand-in for `curl`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod harness;
mod property;
mod random;
mod texts;

use std::collections::BTreeSet;
use std::env;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use serde_json::json;

use harness::Place;
use property::{broken_in, shells, unasked};
use random::Random;

const TEXTS: usize = 20_000;
const SEED: u64 = 20_261_126;

fn main() -> anyhow::Result<()> {
    ensure!(shells() == 3, "dash, bash and busybox must be installed");
    let seed = number("SAYSO_FUZZ_SEED").unwrap_or(SEED);
    let count = number("SAYSO_FUZZ_TEXTS").and_then(|count| usize::try_from(count).ok());
    let mut random = Random::new(seed);
    let directory = tempfile::tempdir().context("cannot make a directory")?;
    let place = Place::new(directory.path())?;
    let begun = Instant::now();
    let (mut seen, mut allowed, mut bypasses) = (BTreeSet::new(), 0, 0);
    while seen.len() < count.unwrap_or(TEXTS) {
        let text = texts::text(&mut random);
        let unasked = unasked(&text);
        if !seen.insert(text.clone()) || !unasked.at_all() || text.contains('\0') {
            continue;
        }
        allowed += usize::from(unasked.reads);
        let broken = broken_in(&place, &text, unasked)?;
        if !broken.is_empty() {
            bypasses += 1;
            println!("{text:?} as {unasked:?}: {broken:?}");
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
    ensure!(bypasses == 0, "{bypasses} texts got past the policy");
    Ok(())
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}
