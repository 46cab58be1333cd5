//! Escaping of literal text: in a line, in code, in a block and in an address.
//!
//! A backslash before punctuation is not shown and takes its meaning away, except inside code,
//! where nothing can be escaped and a zero-width space has to part what would close it.

use std::fmt::Write as _;

use sayso_channel::web_address::web_address_length;

/// A character that takes no room and keeps its neighbours apart.
pub(super) const ZERO_WIDTH_SPACE: char = '\u{200b}';

/// What marks a look wherever it stands: looks, spoilers, links, mentions, times and emoji.
const MARKS: &str = "\\*_~|`<[]";
/// What makes a heading, a list or a quote of a line that begins with it.
const LINE_MARKS: &str = "#->+";
/// The names behind `@` that call everybody.
const EVERYBODY: [&str; 2] = ["everyone", "here"];

/// Writes a stretch of one line, escaped so that Discord shows it literally.
pub(super) fn plain(text: &str, is_line_start: bool, out: &mut String) {
    let mut is_line_start = is_line_start;
    let mut place = 0;
    while let Some(rest) = text.get(place..)
        && let Some(letter) = rest.chars().next()
    {
        let address = address_length(rest);
        if address > 0 {
            out.push('<');
            out.push_str(&rest[..address]);
            out.push('>');
            place += address;
            is_line_start = false;
            continue;
        }
        place += letter.len_utf8();
        if is_line_start && letter.is_ascii_digit() {
            place += number_at_line_start(rest, out);
            is_line_start = false;
            continue;
        }
        let is_mark = MARKS.contains(letter)
            || (is_line_start && LINE_MARKS.contains(letter))
            || (letter == ':' && is_emoji_name(&rest[1..]));
        if is_mark {
            out.push('\\');
        }
        out.push(letter);
        if letter == '@' && calls_everybody(&rest[1..]) {
            out.push(ZERO_WIDTH_SPACE);
        }
        is_line_start = is_line_start && letter.is_whitespace();
    }
}

/// Writes the digits at the beginning of a line, and takes the meaning of a numbered list from a
/// dot behind them. Returns how many bytes were written of the text behind the first digit.
fn number_at_line_start(rest: &str, out: &mut String) -> usize {
    let digits = rest.len()
        - rest
            .trim_start_matches(|letter: char| letter.is_ascii_digit())
            .len();
    out.push_str(&rest[..digits]);
    if rest[digits..].starts_with('.') {
        out.push_str("\\.");
        digits
    } else {
        digits - 1
    }
}

/// Returns the length of the web address that a text begins with, in bytes; 0 for none.
///
/// Discord finds addresses by itself, but takes everything up to the next space for one, our
/// backslashes and marks too. So they are written between `<` and `>`, which are not shown.
///
/// The looks around it may not reach into it: the marks of an address are theirs to Discord.
pub(super) fn address_length(text: &str) -> usize {
    let length = web_address_length(text, true);
    // It is written between `<` and `>`.
    let address = text.get(..length).unwrap_or_default();
    address.find('>').unwrap_or(length)
}

/// Returns whether a text behind a colon names an emoji: `smile:`.
fn is_emoji_name(text: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_+-".contains(letter);
    let behind = text.trim_start_matches(is_part);
    behind.len() < text.len() && behind.starts_with(':')
}

fn calls_everybody(text: &str) -> bool {
    EVERYBODY.iter().any(|name| text.starts_with(name))
}

/// Writes literal words of a line between the marks that they need.
pub(super) fn code(text: &str) -> String {
    if !text.contains('`') {
        return format!("`{text}`");
    }
    // Two backticks close what two opened, and Discord has no use for more than two.
    let apart = text.replace("``", "`\u{200b}`").replace("``", "`\u{200b}`");
    format!("``{ZERO_WIDTH_SPACE}{apart}{ZERO_WIDTH_SPACE}``")
}

/// Writes the text of a literal block. Discord knows no fence but three backticks, so three in the
/// text are parted by a zero-width space; it is included when the text is copied.
pub(super) fn block(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut run = 0;
    for letter in text.chars() {
        run = if letter == '`' { run + 1 } else { 0 };
        if run == 3 {
            out.push(ZERO_WIDTH_SPACE);
            run = 1;
        }
        out.push(letter);
    }
    out
}

/// Writes an address for the inside of `<` and `>` behind the words of a link.
pub(super) fn address(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for letter in url.chars() {
        if letter.is_whitespace() || letter.is_control() || "()<>*~|`\\\"'".contains(letter) {
            let mut bytes = [0; 4];
            for byte in letter.encode_utf8(&mut bytes).bytes() {
                // Writing to a string cannot fail.
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(letter);
        }
    }
    out
}
