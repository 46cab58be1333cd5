//! Lines that fit into a terminal, counted in columns: a Chinese letter takes two.
//!
//! `textwrap` was tried: by spaces it leaves a line short before a run of Chinese, and lets a comma
//! begin one; by Unicode's rules it needs the tables of `icu_segmenter`.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Breaks a line so that no piece is wider than this many columns: at its last space, where that is
/// not far from the end, else between two letters.
pub(super) fn wrapped(line: &str, columns: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(end) = too_wide_at(rest, columns) {
        let head = rest.get(..end).unwrap_or(rest);
        let space = head
            .rfind(' ')
            .filter(|at| head[..*at].width() > columns / 2);
        let cut = space.unwrap_or(end);
        pieces.push(rest[..cut].trim_end().to_owned());
        rest = rest[cut..].trim_start();
    }
    pieces.push(rest.to_owned());
    pieces
}

/// Puts parts behind each other with ` · ` between them; one that does not fit begins a new line.
pub(super) fn joined(parts: &[String], columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        match lines.last_mut() {
            Some(line) if line.width() + 3 + part.width() <= columns => {
                line.push_str(" · ");
                line.push_str(part);
            }
            Some(_) | None => lines.extend(wrapped(part, columns)),
        }
    }
    lines
}

/// Returns where a line stops fitting, in bytes; the first letter always fits.
fn too_wide_at(line: &str, columns: usize) -> Option<usize> {
    let mut width = 0;
    line.char_indices()
        .find(|(at, letter)| {
            width += letter.width().unwrap_or_default();
            width > columns && *at > 0
        })
        .map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::{joined, wrapped};

    #[test]
    fn lines_break_at_spaces_or_else_between_letters() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("one two", 8), ["one two"]);
        assert_eq!(wrapped("a/very/long/path", 8), ["a/very/l", "ong/path"]);
        assert_eq!(wrapped("一二三四五", 6), ["一二三", "四五"]);
        assert_eq!(wrapped("", 6), [""]);
        assert_eq!(wrapped("一二", 1), ["一", "二"]);
    }

    #[test]
    fn parts_stay_whole_where_they_can() {
        let parts = ["step 1", "", "0.5 s", "12 tokens in"].map(str::to_owned);
        assert_eq!(joined(&parts, 20), ["step 1 · 0.5 s", "12 tokens in"]);
        assert_eq!(joined(&parts, 80), ["step 1 · 0.5 s · 12 tokens in"]);
    }
}
