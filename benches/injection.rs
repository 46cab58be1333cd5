//! The scanner against public sets of injections: what it finds in each family, and what it takes
//! for one that is none. Prints its figures as one JSON line, last.
//!
//! The texts are read from `SAYSO_MATERIAL` (default `../shared/material`). Nothing is trained on
//! them: the rules are written by hand.
//!
//! `SAYSO_BENIGN` adds benign texts of one's own: a folder with one text in each file, or a file of
//! JSON lines with a `text` each. Their false positives are printed by language.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
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

/// A text that is known to be benign.
#[derive(Deserialize)]
struct BenignText {
    text: String,
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

    fn texts(self) -> usize {
        self.clean + self.warn + self.review + self.block
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
        part as f64 / self.texts().max(1) as f64
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
    let mut figures = json!({
        "macro_recall": mean(Count::found),
        "block_recall": mean(Count::blocked),
        "false_positive_tool": of("tool-").found(),
        "false_positive_notinject": of("notinject").found(),
        "false_block_benign": of("").blocked(),
        "by_family": by_family,
        "texts": rows.len(),
        "megabytes_per_s": megabytes_per_s,
    });
    for (name, figure) in benign_figures()? {
        figures[name] = figure;
    }
    println!("{figures}");
    Ok(())
}

/// Scans the texts of `SAYSO_BENIGN`; no figures without it.
fn benign_figures() -> anyhow::Result<Vec<(&'static str, serde_json::Value)>> {
    let Some(place) = std::env::var_os("SAYSO_BENIGN").map(PathBuf::from) else {
        return Ok(Vec::new());
    };
    let (mut english, mut chinese) = (Count::default(), Count::default());
    for text in benign_texts(&place).context("cannot read the benign texts")? {
        let count = if is_chinese(&text) {
            &mut chinese
        } else {
            &mut english
        };
        count.add(check_tool_result(&text).treatment);
    }
    println!("benign English: {english:?}\nbenign Chinese: {chinese:?}");
    Ok(vec![
        ("benign_en", english.texts().into()),
        ("benign_zh", chinese.texts().into()),
        ("false_positive_benign_en", english.found().into()),
        ("false_positive_benign_zh", chinese.found().into()),
        ("false_block_benign_en", english.blocked().into()),
        ("false_block_benign_zh", chinese.blocked().into()),
    ])
}

fn benign_texts(place: &Path) -> anyhow::Result<Vec<String>> {
    if place.is_dir() {
        let files = std::fs::read_dir(place)?.collect::<Result<Vec<_>, _>>()?;
        let paths = files.iter().map(std::fs::DirEntry::path);
        return paths
            .filter(|path| path.is_file())
            .map(|path| Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned()))
            .collect();
    }
    std::fs::read_to_string(place)?
        .lines()
        .map(|line| Ok(serde_json::from_str::<BenignText>(line)?.text))
        .collect()
}

/// Returns whether one character of eight is Chinese, or 200 are.
fn is_chinese(text: &str) -> bool {
    let is_han = |letter: &char| matches!(letter, '\u{4e00}'..='\u{9fff}');
    let chinese = text.chars().filter(is_han).count();
    chinese >= 200 || chinese * 8 >= text.chars().count()
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
