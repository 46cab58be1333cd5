//! A line diff between the approved version of a skill and the current one.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use sayso_core::visible::{visible, visible_line};
use similar::TextDiff;

use super::cut;
use crate::skills::content::{StoredFile, StoredFiles};

/// The most of all differences together, in bytes.
const MOST_BYTES: usize = 100 * 1024;
/// How many equal lines stand around what changed.
const AROUND: usize = 2;
/// The time limit for computing the shortest diffs of all files. After that, a diff is still
/// correct but longer: all old lines are removed and all new ones added.
pub const WITHIN: Duration = Duration::from_secs(2);

/// Returns the differences of all files, in the order of their paths. The shortest are looked for
/// until `deadline`.
pub fn between(before: &StoredFiles, now: &StoredFiles, deadline: Instant) -> String {
    let paths: BTreeSet<&String> = before.0.keys().chain(now.0.keys()).collect();
    let mut shown = String::new();
    for path in paths {
        let (old, new) = (before.0.get(path), now.0.get(path));
        if old == new {
            continue;
        }
        let path = visible_line(path);
        match (text(old), text(new)) {
            (Some(old), Some(new)) => shown.push_str(&lines(&path, &old, &new, deadline)),
            // Writing to a string cannot fail.
            _ => {
                let _ = writeln!(shown, "--- {path}\n+++ {path}\n[changed, and no text]");
            }
        }
    }
    cut(shown, MOST_BYTES)
}

/// A file that is not there is an empty one.
fn text(file: Option<&StoredFile>) -> Option<String> {
    match file {
        None => Some(String::new()),
        Some(StoredFile::Text(text)) => Some(visible(text)),
        Some(StoredFile::Hash(_)) => None,
    }
}

fn lines(path: &str, old: &str, new: &str, deadline: Instant) -> String {
    TextDiff::configure()
        .deadline(deadline)
        .diff_lines(old, new)
        .unified_diff()
        .context_radius(AROUND)
        .header(path, path)
        .to_string()
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::between;
    use crate::skills::content::Content;

    fn written(lines: &[&str]) -> Content {
        let mut content = Content::default();
        let text = lines.join("\n").into_bytes();
        content.add("SKILL.md".to_owned(), text).unwrap();
        content
    }

    #[test]
    fn a_difference_for_which_there_was_no_time_is_longer_and_still_true() {
        let before = written(&["a", "b", "c", "d", "e"]).kept();
        let now = written(&["x", "b", "c", "y", "e"]).kept();
        insta::assert_snapshot!(between(&before, &now, Instant::now()), @r"
        --- SKILL.md
        +++ SKILL.md
        @@ -1,5 +1,5 @@
        -a
        -b
        -c
        -d
        +x
        +b
        +c
        +y
         e
        \ No newline at end of file
        ");
    }
}
