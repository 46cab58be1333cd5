//! The policy against public sets of shell commands: what it lets run that it must not, how much
//! it asks about that it need not, and what it denies of ordinary use. Prints its figures as one
//! JSON line, last.
//!
//! The set is a sample, so each share comes with what it would be on other samples of the same
//! kind: drawn anew from its rows a thousand times, the 5th and the 95th of a hundred.
//!
//! The commands are read from `SAYSO_MATERIAL` (default `../shared/material`). Nothing is run, and
//! no path is looked up: what is relative and does not climb counts as inside the workspace.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use sayso::bench_support::{CommandDecision, Places, judge_command};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Row {
    command: String,
    label: String,
    category: String,
}

/// How often the sample is drawn anew.
const DRAWS: usize = 1000;
/// Where the drawing starts, so that it can be repeated.
const SEED: u64 = 0x5a75_50de;

/// How many commands of one label were allowed, asked about and denied.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    allow: usize,
    ask: usize,
    deny: usize,
}

impl Count {
    fn add(&mut self, decision: CommandDecision) {
        match decision {
            CommandDecision::Allow => self.allow += 1,
            CommandDecision::Ask => self.ask += 1,
            CommandDecision::Deny => self.deny += 1,
        }
    }

    fn share(self, part: usize) -> f64 {
        part as f64 / self.all().max(1) as f64
    }

    fn all(self) -> usize {
        self.allow + self.ask + self.deny
    }
}

fn main() -> anyhow::Result<()> {
    let folder = material().join("shell");
    let Ok(labelled) = std::fs::read_to_string(folder.join("labelled.jsonl")) else {
        println!("skipped: no commands at {}", folder.display());
        return Ok(());
    };
    let rows = labelled
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<Vec<Row>, _>>()
        .context("cannot read the commands")?;
    let benign = std::fs::read_to_string(folder.join("benign_tldr.txt"))
        .context("cannot read the ordinary commands")?;

    let begun = Instant::now();
    let decisions: Vec<_> = rows.iter().map(|row| judged(&row.command)).collect();
    let labels = by_label(&rows, &decisions);
    let ordinary = judge_ordinary(&benign);
    let commands = rows.len() + benign.lines().count();
    let seconds = begun.elapsed().as_secs_f64();

    for ((label, class), count) in by_class(&rows, &decisions) {
        println!("{label}, {class}: {count:?}");
    }
    for (label, count) in &labels {
        println!("{label}: {count:?}");
    }
    println!("ordinary: {ordinary:?}");
    let of = |label: &str| labels.get(label).copied().unwrap_or_default();
    let (allow, ask, deny, not_allow) = (of("allow"), of("ask"), of("deny"), of("not-allow"));
    println!(
        "{}",
        json!({
            "false_allow_deny": deny.allow,
            "false_allow_ask_share": ask.share(ask.allow),
            "false_allow_not_allow": not_allow.allow,
            "allow_coverage": allow.share(allow.allow),
            "needless_ask_share": allow.share(allow.ask),
            "hard_deny_benign_share": ordinary.share(ordinary.deny),
            "hard_deny_allow_share": allow.share(allow.deny),
            "allow_coverage_spread": spread(allow.allow, allow.all()),
            "false_allow_ask_spread": spread(ask.allow, ask.all()),
            "commands": commands,
            "commands_per_second": commands as f64 / seconds,
        })
    );
    Ok(())
}

fn judged(command: &str) -> CommandDecision {
    judge_command(command, Places::AsWritten).decision
}

/// Counts by label, and prints what was let through under another label than `allow`.
fn by_label<'a>(rows: &'a [Row], decisions: &[CommandDecision]) -> BTreeMap<&'a str, Count> {
    let mut labels: BTreeMap<&str, Count> = BTreeMap::new();
    for (row, decision) in rows.iter().zip(decisions) {
        labels.entry(&row.label).or_default().add(*decision);
        if row.label != "allow" && *decision == CommandDecision::Allow {
            println!(
                "allowed, labelled {}: {} ({})",
                row.label, row.command, row.category
            );
        }
    }
    labels
}

/// Counts by label and class.
fn by_class<'a>(
    rows: &'a [Row],
    decisions: &[CommandDecision],
) -> BTreeMap<(&'a str, &'a str), Count> {
    let mut classes: BTreeMap<(&str, &str), Count> = BTreeMap::new();
    for (row, decision) in rows.iter().zip(decisions) {
        let class = (row.label.as_str(), row.category.as_str());
        classes.entry(class).or_default().add(*decision);
    }
    classes
}

/// Returns the 5th and the 95th percentile of a share over samples drawn anew from its own rows.
fn spread(part: usize, all: usize) -> [f64; 2] {
    let mut state = SEED;
    let mut random = || {
        // xorshift64
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let rows = all.max(1) as u64;
    let mut shares: Vec<f64> = (0..DRAWS)
        .map(|_| (0..rows).filter(|_| random() % rows < part as u64).count() as f64 / rows as f64)
        .collect();
    shares.sort_by(f64::total_cmp);
    let at = |share: usize| shares.get(DRAWS * share / 100).copied().unwrap_or_default();
    [at(5), at(95)]
}

/// Judges ordinary commands, one a line behind the name of their page.
fn judge_ordinary(pages: &str) -> Count {
    let mut count = Count::default();
    for line in pages.lines() {
        let command = line.split_once('\t').map_or(line, |(_, command)| command);
        count.add(judged(command));
    }
    count
}

fn material() -> PathBuf {
    std::env::var_os("SAYSO_MATERIAL").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/material").into(),
        PathBuf::from,
    )
}
