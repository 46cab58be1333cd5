//! The two sets: the history of this repository, and rows of others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sayso_codebase::CodeLanguage;
use serde_json::Value;

use crate::git::{Commit, Git};
use crate::recall::{Recall, Tree};

/// The most files that a row changes.
const MAX_FILES: usize = 5;

/// Every third row is held out.
fn is_held_out(row: usize) -> bool {
    row % 3 == 2
}

/// The history of a repository.
pub(crate) struct Own {
    git: Git,
    commits: Vec<Commit>,
}

/// Reads the history; `None` where there is no git or no history.
pub(crate) fn own(folder: &Path) -> anyhow::Result<Option<Own>> {
    let git = Git::open(folder)?;
    let Ok(all) = git.commits() else {
        println!("own: skipped, this is no git repository");
        return Ok(None);
    };
    let rows = all.into_iter().filter_map(|mut commit| {
        commit
            .changed
            .retain(|path| CodeLanguage::of_path(path).is_some());
        (1..=MAX_FILES)
            .contains(&commit.changed.len())
            .then_some(commit)
    });
    let commits = rows.collect();
    Ok(Some(Own { git, commits }))
}

impl Own {
    /// Measures the visible rows and those that are held out, if they may be looked at.
    pub(crate) fn measure(mut self, tunes: bool) -> anyhow::Result<(Recall, Recall)> {
        let (mut visible, mut held_out) = (Recall::new(tunes), Recall::new(false));
        let mut tree = Tree::new();
        for (row, commit) in self.commits.iter().enumerate() {
            if tunes && is_held_out(row) {
                continue;
            }
            let files = self.git.tree(&commit.parent)?;
            tree.follow(&files, |_, hash| self.git.content(hash))?;
            let recall = if is_held_out(row) {
                &mut held_out
            } else {
                &mut visible
            };
            tree.measure(&commit.message, &commit.changed, recall);
        }
        Ok((visible, held_out))
    }
}

/// A commit of another project.
struct Row {
    repository: String,
    parent: String,
    query: String,
    gold: Vec<String>,
}

/// Rows of other projects.
pub(crate) struct Localise(Vec<Row>);

impl Localise {
    pub(crate) fn read(lines: &str) -> anyhow::Result<Self> {
        let rows = lines.lines().map(|line| {
            let row: Value = serde_json::from_str(line)?;
            let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
            let gold = row["gold"].as_array().context("a row without files")?;
            let gold = gold.iter().filter_map(Value::as_str).map(str::to_owned);
            Ok(Row {
                repository: text("repo"),
                parent: text("parent"),
                query: text("query"),
                gold: gold.collect(),
            })
        });
        Ok(Self(rows.collect::<anyhow::Result<_>>()?))
    }

    /// Measures the rows whose trees are in a folder: the visible ones, and those that are held out, if
    /// they may be looked at.
    pub(crate) fn measure(
        self,
        folder: &Path,
        kind: &str,
        tunes: bool,
    ) -> anyhow::Result<(Recall, Recall)> {
        let (mut visible, mut held_out) = (Recall::new(tunes), Recall::new(false));
        let mut trees: BTreeMap<PathBuf, Tree> = BTreeMap::new();
        for (number, row) in self.0.iter().enumerate() {
            let place = folder.join(&row.repository);
            if (tunes && is_held_out(number)) || !place.is_dir() {
                continue;
            }
            let (place, git) = match kind {
                "trees" => (place.clone(), Some(Git::open(&place)?)),
                _ => match package(&place, row)? {
                    Some(place) => (place, None),
                    None => continue,
                },
            };
            let tree = trees.entry(place.clone()).or_insert_with(Tree::new);
            let mut files = match &git {
                Some(git) => git.tree(&row.parent)?,
                None => list(&place, "")?,
            };
            files.retain(|path, _| is_source(&row.repository, path));
            match git {
                Some(mut git) => tree.follow(&files, |_, hash| git.content(hash))?,
                None => tree.follow(&files, |path, _| Ok(std::fs::read(place.join(path))?))?,
            }
            let recall = if is_held_out(number) {
                &mut held_out
            } else {
                &mut visible
            };
            tree.measure(&row.query, &row.gold, recall);
        }
        Ok((visible, held_out))
    }
}

/// Returns the last version of a package that has all files of a row.
fn package(folder: &Path, row: &Row) -> anyhow::Result<Option<PathBuf>> {
    let mut versions: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        versions.push(entry?.path());
    }
    versions.sort();
    let has_all = |version: &PathBuf| row.gold.iter().all(|path| version.join(path).is_file());
    Ok(versions.into_iter().rev().find(has_all))
}

/// Returns whether a file is one of those that the rows of its repository are about.
fn is_source(repository: &str, path: &str) -> bool {
    let folders: &[&str] = match repository {
        "pallets/flask" => &["src/flask/", "flask/"],
        "psf/requests" => &["src/requests/", "requests/"],
        "expressjs/express" => &["lib/"],
        "sharkdp/fd" => &["src/"],
        _ => &["crates/", "src/", "globset/", "grep", "ignore/"],
    };
    let is_inside = folders.iter().any(|folder| path.starts_with(folder));
    is_inside && !path.contains("/tests/") && !path.contains("/packages/")
}

/// Lists the files of a folder by their relative paths, without a hash.
fn list(root: &Path, folder: &str) -> anyhow::Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = PathBuf::from(folder).join(entry.file_name());
        let path = path.to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            files.extend(list(root, &path)?);
        } else {
            files.insert(path, String::new());
        }
    }
    Ok(files)
}
