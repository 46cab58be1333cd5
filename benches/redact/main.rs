//! The redactor against texts with secrets and texts that only look so: how many secrets it hides,
//! how many look-alikes it marks, and how fast. Prints its figures as one JSON line, last.
//!
//! The cases are `cases.jsonl` beside this file, written from the formats that services publish.
//! Their secrets are templates (`expand.rs`), filled with random letters of a fixed seed, so that no
//! token stands in the repository. More cases are read from `SAYSO_MATERIAL/redact/cases.jsonl`
//! (default `../shared/material`) when it is there.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod expand;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use sayso::bench_support::{Redactor, has_mark};
use serde::Deserialize;
use serde_json::json;

use self::expand::Random;

/// This many of the cases that go wrong are printed.
const MAX_PRINTED: usize = 40;
/// How often the texts are redacted to measure the time.
const ROUNDS: usize = 20;

#[derive(Deserialize)]
struct Case {
    text: String,
    secret: bool,
}

#[derive(Debug, Default, Clone, Copy)]
struct Count {
    secrets: usize,
    hidden: usize,
    look_alikes: usize,
    marked: usize,
}

impl Count {
    fn add(&mut self, is_secret: bool, is_marked: bool) {
        if is_secret {
            self.secrets += 1;
            self.hidden += usize::from(is_marked);
        } else {
            self.look_alikes += 1;
            self.marked += usize::from(is_marked);
        }
    }
}

fn main() -> anyhow::Result<()> {
    let redactor = Redactor::new([])?;
    let own = cases(include_str!("cases.jsonl"))?;
    let file = material().join("redact/cases.jsonl");
    let others = if let Ok(text) = std::fs::read_to_string(&file) {
        cases(&text)?
    } else {
        println!("no further cases at {}", file.display());
        Vec::new()
    };
    let (mut count, mut printed) = (Count::default(), 0);
    for case in own.iter().chain(&others) {
        let shown = redactor.redact(&case.text);
        let is_marked = has_mark(&shown);
        count.add(case.secret, is_marked);
        if case.secret != is_marked && printed < MAX_PRINTED {
            printed += 1;
            let what = if case.secret { "missed" } else { "marked" };
            println!("{what}: {shown:?}");
        }
    }
    let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
    println!(
        "{}",
        json!({
            "recall": share(count.hidden, count.secrets),
            "marks_on_look_alikes": share(count.marked, count.look_alikes),
            "secrets": count.secrets,
            "look_alikes": count.look_alikes,
            "megabytes_per_s": speed(&redactor, &own),
        })
    );
    Ok(())
}

/// Redacts all texts as one, as a result of a tool may be, and returns how fast.
fn speed(redactor: &Redactor, cases: &[Case]) -> f64 {
    let ordinary = cases.iter().filter(|case| !case.secret);
    let text: Vec<&str> = ordinary.map(|case| case.text.as_str()).collect();
    let text = text.join("\n").repeat(ROUNDS);
    let begun = Instant::now();
    let shown = redactor.redact(&text);
    let seconds = begun.elapsed().as_secs_f64();
    std::hint::black_box(shown.len());
    text.len() as f64 / 1e6 / seconds
}

fn cases(text: &str) -> anyhow::Result<Vec<Case>> {
    let mut random = Random::new();
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let case: Case = serde_json::from_str(line).context("cannot read a case")?;
            Ok(Case {
                text: random.expand(&case.text),
                secret: case.secret,
            })
        })
        .collect()
}

fn material() -> PathBuf {
    std::env::var_os("SAYSO_MATERIAL").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/material").into(),
        PathBuf::from,
    )
}
