//! What differs between the skill that was approved and the one that is there now, by lines.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use similar::TextDiff;

use super::cut;
use crate::skills::content::{Kept, KeptFile};
use crate::tools::{visible, visible_line};

/// The most of all differences together, in bytes.
const MOST_BYTES: usize = 100 * 1024;
/// How many equal lines stand around what changed.
const AROUND: usize = 2;

/// Returns the differences of all files, in the order of their paths.
pub fn between(before: &Kept, now: &Kept) -> String {
    let paths: BTreeSet<&String> = before.0.keys().chain(now.0.keys()).collect();
    let mut shown = String::new();
    for path in paths {
        let (old, new) = (before.0.get(path), now.0.get(path));
        if old == new {
            continue;
        }
        let path = visible_line(path);
        match (text(old), text(new)) {
            (Some(old), Some(new)) => shown.push_str(&lines(&path, &old, &new)),
            // Writing to a string cannot fail.
            _ => {
                let _ = writeln!(shown, "--- {path}\n+++ {path}\n[changed, and no text]");
            }
        }
    }
    cut(shown, MOST_BYTES)
}

/// A file that is not there is an empty one.
fn text(file: Option<&KeptFile>) -> Option<String> {
    match file {
        None => Some(String::new()),
        Some(KeptFile::Text(text)) => Some(visible(text)),
        Some(KeptFile::Hash(_)) => None,
    }
}

fn lines(path: &str, old: &str, new: &str) -> String {
    TextDiff::from_lines(old, new)
        .unified_diff()
        .context_radius(AROUND)
        .header(path, path)
        .to_string()
}
