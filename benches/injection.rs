//! The scanner against public sets of injections: what it finds in each family, and what it takes
//! for one that is none. Prints its figures as one JSON line, last.
//!
//! The texts are read from `SAYSO_MATERIAL` (default `../shared/material`). Nothing is trained on
//! them: the rules are written by hand.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use sayso::bench_support::{Treatment, check_tool_result};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Row {
    text: String,
    label: u8,
    family: String,
}

/// How many texts of one family got which treatment.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    clean: usize,
    warn: usize,
    review: usize,
    block: usize,
}

impl Count {
    fn add(&mut self, treatment: Treatment) {
        match treatment {
            Treatment::Clean => self.clean += 1,
            Treatment::Warn => self.warn += 1,
            Treatment::Review => self.review += 1,
            Treatment::Block => self.block += 1,
        }
    }

    fn join(self, other: Self) -> Self {
        Self {
            clean: self.clean + other.clean,
            warn: self.warn + other.warn,
            review: self.review + other.review,
            block: self.block + other.block,
        }
    }

    /// The share that is reviewed or blocked.
    fn found(self) -> f64 {
        self.share(self.review + self.block)
    }

    fn blocked(self) -> f64 {
        self.share(self.block)
    }

    fn share(self, part: usize) -> f64 {
        let all = self.clean + self.warn + self.review + self.block;
        part as f64 / all.max(1) as f64
    }
}

fn main() -> anyhow::Result<()> {
    let file = material().join("injection/set.jsonl");
    let Ok(set) = std::fs::read_to_string(&file) else {
        println!("skipped: no texts at {}", file.display());
        return Ok(());
    };
    let rows = set
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<Vec<Row>, _>>()
        .context("cannot read the texts")?;

    // The rules are read before the clock runs.
    check_tool_result("");
    let begun = Instant::now();
    let (attacks, benign) = scan(&rows);
    let bytes: usize = rows.iter().map(|row| row.text.len()).sum();
    let megabytes_per_s = bytes as f64 / 1e6 / begun.elapsed().as_secs_f64();

    for (family, count) in attacks.iter().chain(&benign) {
        println!("{family}: {count:?}");
    }
    let mean = |share: fn(Count) -> f64| {
        attacks.values().copied().map(share).sum::<f64>() / attacks.len().max(1) as f64
    };
    let of = |prefix: &str| {
        benign
            .iter()
            .filter(|(family, _)| family.starts_with(prefix))
            .fold(Count::default(), |all, (_, count)| all.join(*count))
    };
    let by_family: BTreeMap<_, _> = attacks
        .iter()
        .chain(&benign)
        .map(|(family, count)| (*family, count.found()))
        .collect();
    println!(
        "{}",
        json!({
            "macro_recall": mean(Count::found),
            "block_recall": mean(Count::blocked),
            "false_positive_tool": of("tool-").found(),
            "false_positive_notinject": of("notinject").found(),
            "false_block_benign": of("").blocked(),
            "by_family": by_family,
            "texts": rows.len(),
            "megabytes_per_s": megabytes_per_s,
        })
    );
    Ok(())
}

type Families<'a> = BTreeMap<&'a str, Count>;

/// Scans all texts: attacks first, benign ones second.
fn scan(rows: &[Row]) -> (Families<'_>, Families<'_>) {
    let (mut attacks, mut benign) = (Families::new(), Families::new());
    for row in rows {
        let families = if row.label == 1 {
            &mut attacks
        } else {
            &mut benign
        };
        let count = families.entry(row.family.as_str()).or_default();
        count.add(check_tool_result(&row.text).treatment);
    }
    (attacks, benign)
}

fn material() -> PathBuf {
    std::env::var_os("SAYSO_MATERIAL").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/material").into(),
        PathBuf::from,
    )
}
