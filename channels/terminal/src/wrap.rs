//! Rows that fit into a terminal: broken between words, so that the terminal breaks none of them.
//!
//! `textwrap` was tried: by spaces it breaks Chinese nowhere, by Unicode's rules it breaks addresses
//! at each slash, and a colour that goes on over a break is its caller's to carry.

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use crate::rows::{Row, Wrapping};

/// Ends every colour.
const PLAIN: &str = "\x1b[0m";
/// What does not begin a line in Chinese.
const CLOSING: &str = "，。、；：！？）」』》”’…,.;:!?)]}%";

/// Breaks a row so that no row is wider than this many columns. A word that is wider than a row by
/// itself stays whole, so that an address can be opened and copied; so does what is literal.
pub(crate) fn wrapped(row: Row, columns: usize) -> Vec<Row> {
    let pieces = match row.wrapping {
        Wrapping::Never => return vec![row],
        Wrapping::AtWords => pieces(&row.plain, columns),
    };
    if pieces.len() < 2 {
        return vec![row];
    }
    let painted = painted_pieces(&row.painted, &pieces);
    let letters: Vec<char> = row.plain.chars().collect();
    let plain = pieces
        .into_iter()
        .map(|piece| letters.get(piece).unwrap_or_default().iter().collect());
    plain
        .zip(painted)
        .map(|(plain, painted)| Row {
            plain,
            painted,
            wrapping: row.wrapping,
        })
        .collect()
}

/// Returns the lines of a text as ranges of its characters. Spaces at a break are in none.
fn pieces(text: &str, columns: usize) -> Vec<Range<usize>> {
    let letters: Vec<char> = text.chars().collect();
    let mut pieces = Vec::new();
    let mut start = 0;
    while let Some((end, next)) = break_of(&letters, start, columns) {
        pieces.push(start..end);
        start = next;
    }
    pieces.push(start..letters.len());
    pieces
}

/// Returns where the line that starts here ends and where the next one starts; nothing where the
/// rest fits.
fn break_of(letters: &[char], start: usize, columns: usize) -> Option<(usize, usize)> {
    let mut width = 0;
    let mut has_word = false;
    let mut last_break = None;
    for (at, letter) in letters.iter().enumerate().skip(start) {
        if has_word && may_break_before(letters, at) {
            last_break = Some((end_of_word(letters, at), at));
        }
        has_word = has_word || *letter != ' ';
        width += letter.width().unwrap_or_default();
        if width > columns && *letter != ' ' && last_break.is_some() {
            return last_break;
        }
    }
    None
}

/// Returns whether a line may begin here: behind a space, and between Chinese characters.
fn may_break_before(letters: &[char], at: usize) -> bool {
    let (Some(before), Some(letter)) = (letters.get(at.wrapping_sub(1)), letters.get(at)) else {
        return false;
    };
    if *letter == ' ' {
        return false;
    }
    let is_wide = |letter: &char| letter.width() == Some(2);
    *before == ' ' || ((is_wide(before) || is_wide(letter)) && !CLOSING.contains(*letter))
}

/// Returns where the word before ends, without the spaces behind it.
fn end_of_word(letters: &[char], at: usize) -> usize {
    let before = letters.get(..at).unwrap_or_default();
    before
        .iter()
        .rposition(|letter| *letter != ' ')
        .map_or(at, |last| last + 1)
}

/// Cuts a painted text at the same places. A colour that goes on is put on again.
fn painted_pieces(painted: &str, pieces: &[Range<usize>]) -> Vec<String> {
    let mut rows: Vec<String> = vec![String::new(); pieces.len()];
    let mut codes = String::new();
    let mut letters = painted.chars();
    let (mut at, mut place) = (0, 0);
    while let Some(letter) = letters.next() {
        if letter == '\x1b' {
            let mut code = String::from(letter);
            for letter in letters.by_ref() {
                code.push(letter);
                if letter == 'm' {
                    break;
                }
            }
            if code == PLAIN {
                codes.clear();
            } else {
                codes.push_str(&code);
            }
            if let Some(row) = rows.get_mut(place) {
                row.push_str(&code);
            }
            continue;
        }
        if pieces.get(place + 1).is_some_and(|next| at == next.start) {
            let is_open = !codes.is_empty();
            if let Some(row) = rows.get_mut(place).filter(|_| is_open) {
                row.push_str(PLAIN);
            }
            place += 1;
            if let Some(row) = rows.get_mut(place) {
                row.push_str(&codes);
            }
        }
        let is_shown = pieces.get(place).is_some_and(|piece| piece.contains(&at));
        if let Some(row) = rows.get_mut(place).filter(|_| is_shown) {
            row.push(letter);
        }
        at += 1;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{Paint, Tone};

    #[track_caller]
    fn check(text: &str, columns: usize, expected: &[&str]) {
        let row = Row::whole(text.to_owned(), Tone::Plain, Paint::None);
        let rows = wrapped(row, columns);
        let shown: Vec<&str> = rows.iter().map(|row| row.painted.as_str()).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn u18_rows_break_between_words() {
        check(
            "it understands only a few",
            16,
            &["it understands", "only a few"],
        );
        check("exactly ten", 11, &["exactly ten"]);
        check("  two  spaces", 8, &["  two", "spaces"]);
        check("", 4, &[""]);
        check(
            "see https://example.org/a/b now",
            12,
            &["see", "https://example.org/a/b", "now"],
        );
        check(
            "我只懂几种请求，很少。",
            8,
            &["我只懂几", "种请求，", "很少。"],
        );
        check("一二三四，五", 8, &["一二三", "四，五"]);
    }

    #[test]
    fn u18_a_colour_goes_on_behind_a_break() {
        let row = Row::whole("one two".to_owned(), Tone::Dim, Paint::Ansi);
        let rows = wrapped(row, 4);
        let shown: Vec<String> = rows
            .iter()
            .map(|row| {
                row.painted
                    .replace("\x1b[2m", "<dim>")
                    .replace("\x1b[0m", "</dim>")
            })
            .collect();
        assert_eq!(shown, ["<dim>one</dim>", "<dim>two</dim>"]);
        let plain: Vec<&str> = rows.iter().map(|row| row.plain.as_str()).collect();
        assert_eq!(plain, ["one", "two"]);
    }
}
