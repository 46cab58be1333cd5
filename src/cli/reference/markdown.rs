//! Tables and texts in Markdown, as the reference pages have them.

/// Returns a text in which nothing ends the cell of a table or begins a tag.
pub(super) fn cell(text: &str) -> String {
    let text = text.replace('|', "\\|").replace('<', "&lt;");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a table; its lines end each with a line break. A column without any content is left out.
pub(super) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let is_used = |column: &usize| {
        let mut cells = rows.iter().filter_map(|row| row.get(*column));
        cells.any(|cell| !cell.is_empty())
    };
    let used: Vec<usize> = (0..head.len()).filter(is_used).collect();
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let mut table = line(
        used.iter()
            .filter_map(|at| head.get(*at).copied())
            .collect(),
    );
    table.push_str(&["|", &"---|".repeat(used.len()), "\n"].concat());
    for row in rows {
        let cells = used.iter().filter_map(|at| row.get(*at));
        table.push_str(&line(cells.map(String::as_str).collect()));
    }
    table
}

/// Returns a text with a full stop at its end.
pub(super) fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || text.ends_with(['.', '!', '?', '。']) {
        return text.to_owned();
    }
    format!("{text}.")
}

#[cfg(test)]
mod tests {
    use super::{cell, sentence, table};

    #[test]
    fn nothing_ends_a_cell_or_begins_a_tag() {
        assert_eq!(cell("a|b <c>\n  d"), "a\\|b &lt;c> d");
        let rows = [["1", "", "2"], ["3", "", ""]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        insta::assert_snapshot!(table(&["a", "b", "c"], &rows), @r"
        | a | c |
        |---|---|
        | 1 | 2 |
        | 3 |  |
        ");
        assert_eq!(sentence("Stop it"), "Stop it.");
        assert_eq!(sentence("Why?"), "Why?");
    }
}
