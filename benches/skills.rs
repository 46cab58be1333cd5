//! Public collections of skills: how many load, and whether those are the ones that should. Prints
//! its figures as one JSON line, last.
//!
//! The collections are read from `skills/` of `SAYSO_MATERIAL` (default `../shared/material`), and
//! what is expected of each file from `expected.json` beside them: `ok`, or else a refusal.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sayso::bench_support::{Checked, Host, Weight, check_skills, skill_problem};
use sayso_channel::Language;
use serde_json::json;

fn main() -> anyhow::Result<()> {
    let folder = material().join("skills");
    let path = folder.join("expected.json");
    let Ok(expected) = std::fs::read_to_string(&path) else {
        println!("skipped: nothing is expected at {}", path.display());
        return Ok(());
    };
    let expected: Vec<(String, String)> =
        serde_json::from_str(&expected).context("cannot read what is expected")?;
    let (mut agree, mut loaded, mut faulty, mut warned) = (0, 0, 0, 0);
    let (mut reasons, mut disagree) = (BTreeMap::new(), Vec::new());
    for (file, outcome) in &expected {
        let skill = checked(&folder.join(file))?;
        let weight = skill.findings.iter().map(|one| one.problem.weight()).max();
        match weight {
            None => {}
            Some(Weight::Advice) => warned += 1,
            Some(Weight::Wrong) => faulty += 1,
            Some(Weight::Refused) => {
                reasons.insert(file.as_str(), refusals(&skill));
            }
        }
        let is_loaded = weight != Some(Weight::Refused);
        loaded += usize::from(is_loaded);
        if is_loaded == (outcome == "ok") {
            agree += 1;
        } else {
            disagree.push(file);
        }
        for finding in &skill.findings {
            let what = skill_problem(&finding.problem, Language::English);
            println!("{file}:{}: {what}", finding.line);
        }
    }
    println!(
        "{}",
        json!({
            "files": expected.len(),
            "agree_share": f64::from(agree) / expected.len().max(1) as f64,
            "reasons": reasons,
            "loaded": loaded,
            "loaded_against_the_format": faulty,
            "with_advice_only": warned,
            "disagree": disagree,
        })
    );
    Ok(())
}

fn checked(file: &Path) -> anyhow::Result<Checked> {
    let host = Host::new([]);
    let checked = check_skills(file, &host)?;
    checked.into_iter().next().context("a file is not there")
}

fn refusals(skill: &Checked) -> String {
    let refused = skill
        .findings
        .iter()
        .filter(|one| one.problem.weight() == Weight::Refused);
    let lines = refused.map(|one| {
        let what = skill_problem(&one.problem, Language::English);
        format!("line {}: {what}", one.line)
    });
    lines.collect::<Vec<_>>().join("; ")
}

fn material() -> PathBuf {
    std::env::var_os("SAYSO_MATERIAL").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/material").into(),
        PathBuf::from,
    )
}
