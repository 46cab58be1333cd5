//! How well the place of a change is found from its message, and what that costs: recall of the files
//! that a commit changed, searched in the tree before it, beside BM25 over whole files in the same run.
//! Fails when a figure is below its bound; prints all figures as one JSON line, last.
//!
//! - **own**: the history of this repository. A row is a commit that changed one to five source files;
//!   its message is the question. Every third row is held out: with the argument `tune` those are not
//!   looked at.
//! - **packages**: the rows of `code/git_localise.jsonl` in `SAYSO_MATERIAL`, searched in source
//!   packages. `SAYSO_LOCALISE_PACKAGES` is a folder with folders `<owner>/<name>/<version>`, laid out
//!   like the repository. Each row is searched in the last version that has its files; rows without
//!   one are left out.
//! - **trees**: the same rows in their exact trees. `SAYSO_LOCALISE_TREES` is a folder with a git
//!   directory `<owner>/<name>` for each repository.
//! - **speed**: the tree of the last commit on disk: first index, a change, the map, questions.
//!
//! The baseline is BM25 as the books have it (k1 1.2, b 0.75), over whole files, with words in lower
//! case. It is run with identifiers cut at underscores and with whole ones; the better one counts.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "codebase/bm25.rs"]
mod bm25;
#[path = "codebase/git.rs"]
mod git;
#[path = "codebase/recall.rs"]
mod recall;
#[path = "codebase/sets.rs"]
mod sets;
#[path = "codebase/speed.rs"]
mod speed;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use recall::Recall;

/// The least that recall at 5 must be above that of BM25 over whole files.
const ABOVE_BM25: f64 = 0.05;

/// All figures, by their names.
pub(crate) type Figures = BTreeMap<String, f64>;

fn main() -> anyhow::Result<()> {
    let tunes = std::env::args().any(|argument| argument == "tune");
    let mut figures = Figures::new();
    let mut misses = Vec::new();
    if !tunes {
        // Before all else, so that memory is that of one code base.
        speed::measure(&repository(), &mut figures)?;
    }
    let mut add = |name: &str, recall: &Recall| {
        recall.print(name);
        misses.extend(recall.misses(name, ABOVE_BM25));
        recall.add_to(&mut figures, name);
    };
    if let Some(rows) = sets::own(&repository())? {
        let (visible, held_out) = rows.measure(tunes)?;
        add("own_visible", &visible);
        if !tunes {
            add("own_held_out", &held_out);
        }
    }
    for (name, variable) in [
        ("packages", "SAYSO_LOCALISE_PACKAGES"),
        ("trees", "SAYSO_LOCALISE_TREES"),
    ] {
        let Some(folder) = std::env::var_os(variable).map(PathBuf::from) else {
            println!("{name}: skipped, {variable} is not set");
            continue;
        };
        let rows = sets::Localise::read(&material()?)?;
        let (visible, held_out) = rows.measure(&folder, name, tunes)?;
        add(&format!("{name}_visible"), &visible);
        if !tunes {
            add(&format!("{name}_held_out"), &held_out);
        }
    }
    println!("{}", serde_json::to_string(&figures)?);
    ensure!(tunes || misses.is_empty(), "{}", misses.join("\n"));
    Ok(())
}

/// Returns the root of this repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn material() -> anyhow::Result<String> {
    let folder = std::env::var_os("SAYSO_MATERIAL").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| repository().join("../shared/material"));
    let path = folder.join("code/git_localise.jsonl");
    std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}
