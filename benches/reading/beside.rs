//! An earlier text and the one of today, in two columns: what only one of them has is marked.

use std::fmt::Write as _;

use similar::{ChangeTag, TextDiff};

/// How wide a column is, in characters.
const WIDTH: usize = 76;
/// How many rows of a text are printed.
pub(crate) const MAX_ROWS: usize = 60;

/// Returns the first rows of two texts beside each other.
pub(crate) fn beside(earlier: &str, today: &str) -> String {
    let compared = TextDiff::from_lines(earlier, today);
    let changes: Vec<_> = compared.iter_all_changes().collect();
    let rows = changes.iter().take(MAX_ROWS).map(|change| {
        let line = change.value().trim_end();
        match change.tag() {
            ChangeTag::Equal => row(line, ' ', line),
            ChangeTag::Delete => row(line, '<', ""),
            ChangeTag::Insert => row("", '>', line),
        }
    });
    let mut shown: String = rows.collect();
    if changes.len() > MAX_ROWS {
        // Writing to a string cannot fail.
        let _ = writeln!(shown, "[{} more rows]", changes.len() - MAX_ROWS);
    }
    shown
}

fn row(left: &str, mark: char, right: &str) -> String {
    let cut = |text: &str| text.chars().take(WIDTH).collect::<String>();
    format!("{:WIDTH$} {mark} {}\n", cut(left), cut(right))
}
