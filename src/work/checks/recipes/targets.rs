//! Recipes of projects that name their checks as targets of `make` or recipes of `just`.

use std::collections::BTreeSet;

use sayso_core::transcript::CheckStrategy;

use super::Recipe;
use crate::files::ProjectFiles;

/// The names that targets of each kind usually have, the first that exists counts.
const NAMES: [(CheckStrategy, &[&str]); 4] = [
    (CheckStrategy::Lint, &["lint"]),
    (CheckStrategy::Types, &["typecheck", "type-check", "types"]),
    (CheckStrategy::Build, &["build", "all"]),
    (CheckStrategy::Tests, &["test", "tests", "check"]),
];

pub(super) fn recipes(files: &ProjectFiles) -> Vec<Recipe> {
    let runners = [
        ("just", ["justfile", "Justfile"]),
        ("make", ["Makefile", "makefile"]),
    ];
    let mut found = Vec::new();
    for (program, names) in runners {
        let Some(file) = files.first(&names) else {
            continue;
        };
        let targets = targets(files.text(file));
        for (strategy, names) in NAMES {
            let target = names.iter().find(|name| targets.contains(**name));
            if let Some(target) = target {
                found.push(Recipe::found(strategy, format!("{program} {target}"), file));
            }
        }
    }
    found
}

/// Returns the names in front of a colon at the beginning of lines, which is what both formats call a
/// target.
fn targets(text: &str) -> BTreeSet<&str> {
    let heads = text.lines().filter_map(|line| {
        let (head, rest) = line.split_once(':')?;
        let is_target = !line.starts_with(['\t', ' ', '#', '.']) && !rest.starts_with('=');
        is_target.then_some(head)
    });
    heads
        // A recipe of `just` may have parameters behind its name; a rule of `make` several targets.
        .flat_map(|head| head.trim_start_matches('@').split_whitespace())
        .collect()
}
