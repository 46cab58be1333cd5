//! Lets `**重点：**请看` be bold.
//!
//! CommonMark asks for a space or punctuation on the other side of a mark that touches
//! punctuation. Chinese and Japanese have no spaces, so people and models write what CommonMark
//! does not take for emphasis. A character that counts as punctuation is put there while the text
//! is read, and taken out of everything that was read.

use crate::web_address::is_east_asian;

/// Characters that CommonMark counts as punctuation and that hardly any text has.
const CUSHIONS: [char; 4] = ['\u{2e4e}', '\u{2e4c}', '\u{2e44}', '\u{2056}'];

/// A source that was made readable, and what must be taken out of what is read from it.
pub(super) struct Cushioned {
    pub(super) source: String,
    pub(super) cushion: Option<char>,
}

/// Cushions the marks of emphasis that touch both punctuation and an East Asian text.
pub(super) fn cushion(markdown: &str) -> Cushioned {
    let places = places(markdown);
    let mut cushions = CUSHIONS.into_iter();
    let free = cushions.find(|letter| !markdown.contains(*letter));
    let (Some(cushion), false) = (free, places.is_empty()) else {
        return Cushioned {
            source: markdown.to_owned(),
            cushion: None,
        };
    };
    let mut source = String::with_capacity(markdown.len() + places.len() * cushion.len_utf8());
    let mut copied = 0;
    for place in places {
        source.push_str(markdown.get(copied..place).unwrap_or_default());
        source.push(cushion);
        copied = place;
    }
    source.push_str(markdown.get(copied..).unwrap_or_default());
    Cushioned {
        source,
        cushion: Some(cushion),
    }
}

/// Returns where cushions are needed: before marks that open, behind marks that close.
fn places(markdown: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut is_open = false;
    let mut before = '\n';
    let mut letters = markdown.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        if letter == '\n' && before == '\n' {
            is_open = false;
        }
        if !matches!(letter, '*' | '~') {
            before = letter;
            // What is escaped is no mark.
            if letter == '\\' {
                before = letters
                    .next_if(|(_, next)| next.is_ascii_punctuation())
                    .map_or(letter, |(_, next)| next);
            }
            continue;
        }
        let mut end = start + 1;
        while letters.next_if(|(_, next)| *next == letter).is_some() {
            end += 1;
        }
        let after = letters.peek().map_or('\n', |(_, next)| *next);
        let is_mark = letter == '*' || end - start == 2;
        if is_mark && !(before.is_whitespace() && after.is_whitespace()) {
            if is_open && clash(before, after) {
                places.push(end);
            } else if !is_open && clash(after, before) {
                places.push(start);
            }
            is_open = !is_open;
        }
        before = letter;
    }
    places
}

/// Returns whether a mark between these two is none to CommonMark, though it is one to a reader.
fn clash(inside: char, outside: char) -> bool {
    let is_letter = outside.is_alphanumeric();
    let east_asian = is_east_asian(inside) || is_east_asian(outside);
    let is_punctuation = !inside.is_alphanumeric() && !inside.is_whitespace();
    is_punctuation && is_letter && east_asian
}
