//! Tests of patches as a whole.

mod bounds;
mod messages;
mod mistakes;
mod rendering;
mod round_trips;

use std::collections::BTreeMap;

use super::{Applied, PatchError, apply, parse};

/// Files by their paths.
fn files(files: &[[&str; 2]]) -> BTreeMap<String, String> {
    let files = files
        .iter()
        .map(|[path, text]| ((*path).to_owned(), (*text).to_owned()));
    files.collect()
}

/// Reads a patch and applies it.
fn applied(patch: &str, files: &BTreeMap<String, String>) -> Result<Applied, PatchError> {
    apply(&parse(patch)?, files)
}

/// Returns files with changes made to them, as a caller makes them on disk.
fn after(
    files: &BTreeMap<String, String>,
    changes: &[super::FileChange],
) -> BTreeMap<String, String> {
    let mut files = files.clone();
    for change in changes {
        let old = change.moved_from.as_ref().unwrap_or(&change.path);
        assert_eq!(files.remove(old), change.before, "{old}");
        if let Some(text) = &change.after {
            files.insert(change.path.clone(), text.clone());
        }
    }
    files
}
