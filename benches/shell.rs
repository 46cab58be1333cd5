//! The policy against public sets of shell commands: what it lets run that it must not, how much
//! it asks about that it need not, and what it denies of ordinary use. Prints its figures as one
//! JSON line, last.
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
        part as f64 / (self.allow + self.ask + self.deny).max(1) as f64
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
    let labels = judge_rows(&rows);
    let ordinary = judge_ordinary(&benign);
    let judged = rows.len() + benign.lines().count();
    let micros = begun.elapsed().as_secs_f64() * 1e6 / judged.max(1) as f64;

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
            "commands": judged,
            "micros_per_command": micros,
        })
    );
    Ok(())
}

/// Judges the labelled commands, and prints those that were let through.
fn judge_rows(rows: &[Row]) -> BTreeMap<&str, Count> {
    let mut labels: BTreeMap<&str, Count> = BTreeMap::new();
    for row in rows {
        let decision = judge_command(&row.command, Places::AsWritten).decision;
        labels.entry(&row.label).or_default().add(decision);
        if row.label != "allow" && decision == CommandDecision::Allow {
            println!(
                "allowed, labelled {}: {} ({})",
                row.label, row.command, row.category
            );
        }
    }
    labels
}

/// Judges ordinary commands, one a line behind the name of their page.
fn judge_ordinary(pages: &str) -> Count {
    let mut count = Count::default();
    for line in pages.lines() {
        let command = line.split_once('\t').map_or(line, |(_, command)| command);
        count.add(judge_command(command, Places::AsWritten).decision);
    }
    count
}

fn material() -> PathBuf {
    std::env::var_os("SAYSO_MATERIAL").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/material").into(),
        PathBuf::from,
    )
}
