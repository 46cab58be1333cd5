//! The book: its generated pages are those of the program, its examples run, its links lead
//! somewhere, and its most visited pages are easy to read.

/// What a reader copies from a page works.
mod examples;
/// That pages are written from what they describe, and describe all of it.
mod generated;
/// Where links lead.
mod links;
/// How long sentences are.
mod reading;
/// What a new user has to do, counted.
mod walks;

use std::path::{Path, PathBuf};

/// A page in Markdown.
struct Page {
    /// Its path from the root of the repository.
    path: String,
    /// What it says.
    text: String,
}

/// A fenced block of a page.
#[derive(Debug)]
struct Block {
    /// Where its first fence is: `path:line`.
    place: String,
    /// The words behind the first fence, which commas separate.
    info: Vec<String>,
    /// What is between the fences.
    text: String,
}

/// Returns the directory of the workspace.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the pages of the book and the documents beside it, by their paths.
fn pages() -> Vec<Page> {
    let mut paths = vec![
        root().join("CHANGELOG.md"),
        root().join("CONTRIBUTING.md"),
        root().join("README.md"),
        root().join("SECURITY.md"),
    ];
    collect(&root().join("docs/src"), &mut paths);
    paths.retain(|path| path.exists());
    paths.sort_unstable();
    let pages: Vec<Page> = paths.iter().map(|path| page(path)).collect();
    assert!(pages.len() > 4, "only {} pages were found", pages.len());
    pages
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            into.push(path);
        }
    }
}

fn page(path: &Path) -> Page {
    let name = path.strip_prefix(root()).unwrap();
    Page {
        path: name.to_string_lossy().into_owned(),
        text: std::fs::read_to_string(path).unwrap(),
    }
}

impl Page {
    /// Returns the fenced blocks, in their order.
    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for (number, line) in (1..).zip(self.text.lines()) {
            let info = line.trim_start().strip_prefix("```");
            match (open.take(), info) {
                (None, Some(info)) => {
                    open = Some(Block {
                        place: format!("{}:{number}", self.path),
                        info: info.split(',').map(|word| word.trim().to_owned()).collect(),
                        text: String::new(),
                    });
                }
                (Some(block), Some(_)) => blocks.push(block),
                (Some(mut block), None) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                    open = Some(block);
                }
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{}: a fenced block has no end", self.path);
        blocks
    }

    /// Returns the lines outside of fenced blocks and comments, with their numbers.
    fn prose(&self) -> Vec<(usize, &str)> {
        let (mut is_fenced, mut is_comment) = (false, false);
        let mut prose = Vec::new();
        for (number, line) in (1..).zip(self.text.lines()) {
            let is_fence = line.trim_start().starts_with("```");
            is_fenced ^= is_fence;
            is_comment |= !is_fenced && line.trim_start().starts_with("<!--");
            if !is_fenced && !is_fence && !is_comment {
                prose.push((number, line));
            }
            is_comment &= !line.contains("-->");
        }
        prose
    }
}

impl Block {
    /// Returns whether the block is marked by this word.
    fn is(&self, word: &str) -> bool {
        self.info.iter().any(|info| info == word)
    }

    /// Returns the value of a mark such as `sayso-file=rules.toml`.
    fn value(&self, name: &str) -> Option<&str> {
        let mut values = self.info.iter().filter_map(|info| info.split_once('='));
        values.find_map(|(key, value)| (key == name).then_some(value))
    }
}

/// Fails with every breach, one line each.
#[track_caller]
fn check(breaches: &[String]) {
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}
