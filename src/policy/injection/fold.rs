//! A text in one spelling, with the way back: which byte came from where.

use std::ops::Range;

use super::letters::{self, Reading};

/// A text in lower case, without invisible characters and escapes, in which blanks are one blank.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    text: String,
    /// For each byte of `text` where in the original it came from, and last where all ends.
    origins: Vec<u32>,
    /// Ranges of `text` that were written in invisible characters.
    tags: Vec<Range<usize>>,
}

impl Folded {
    /// Folds one part of a text of less than 4 GiB; `part` is on character boundaries.
    pub(crate) fn new(text: &str, part: Range<usize>) -> Self {
        let mut folded = Self::default();
        let end = part.end;
        let mut rest = text.get(part.clone()).unwrap_or_default();
        folded.text.reserve(rest.len());
        folded.origins.reserve(rest.len() + 1);
        while let Some((character, length)) = next(rest) {
            folded.push(character, end - rest.len());
            rest = rest.get(length..).unwrap_or_default();
        }
        folded.origins.push(end as u32);
        folded
    }

    /// Folds a text that was made from one place of the original.
    pub(crate) fn made_from(text: &str, place: &Range<usize>) -> Self {
        let mut folded = Self::new(text, 0..text.len());
        folded.origins.fill(place.start as u32);
        if let Some(last) = folded.origins.last_mut() {
            *last = place.end as u32;
        }
        folded
    }

    /// Returns the same text with other letters, each as long as the one that it stands for.
    pub(crate) fn respelled(&self, spell: fn(char) -> char) -> Self {
        let respell = |letter: char| {
            let other = spell(letter);
            if other.len_utf8() == letter.len_utf8() {
                other
            } else {
                letter
            }
        };
        Self {
            text: self.text.chars().map(respell).collect(),
            origins: self.origins.clone(),
            tags: Vec::new(),
        }
    }

    /// Returns the same text without some places, which are in order, apart, and on character
    /// boundaries.
    pub(crate) fn without(&self, places: &[Range<usize>]) -> Self {
        let mut rest = Self::default();
        let mut start = 0;
        let last = self.text.len()..self.text.len();
        for place in places.iter().chain([&last]) {
            rest.text
                .push_str(self.text.get(start..place.start).unwrap_or_default());
            rest.origins
                .extend(self.origins.get(start..place.start).unwrap_or_default());
            start = place.end;
        }
        rest.origins.extend(self.origins.last());
        rest
    }

    /// Returns the folded text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the ranges of the folded text that are invisible in the original.
    pub(crate) fn tags(&self) -> &[Range<usize>] {
        &self.tags
    }

    /// Returns where a range of the folded text stands in the original.
    pub(crate) fn origin(&self, range: &Range<usize>) -> Range<usize> {
        let at = |place: usize| self.origins.get(place).copied();
        let all = self.origins.last().copied().unwrap_or_default();
        let start = at(range.start).unwrap_or(all);
        let last = at(range.end.saturating_sub(1)).unwrap_or(start);
        let end = self
            .origins
            .get(range.end..)
            .and_then(|after| after.iter().find(|origin| **origin > last))
            .copied()
            .unwrap_or(all);
        start as usize..end.max(start) as usize
    }

    fn push(&mut self, character: char, origin: usize) {
        match letters::read(character) {
            Reading::Letter(letter) => self.write(letter, origin),
            Reading::Pair(first, second) => {
                self.write(first, origin);
                self.write(second, origin);
            }
            Reading::Invisible => {}
            Reading::Tag(letter) => {
                let start = self.text.len();
                self.write(letter, origin);
                self.note_tag(start..self.text.len());
            }
        }
    }

    fn note_tag(&mut self, range: Range<usize>) {
        match self.tags.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.tags.push(range),
        }
    }

    /// Writes a letter. Blanks at the ends of lines are dropped, others are one blank.
    fn write(&mut self, letter: char, origin: usize) {
        let letter = if matches!(letter, '\t' | '\r' | '\u{b}' | '\u{c}') {
            ' '
        } else {
            letter
        };
        let last = self.text.as_bytes().last();
        match (letter, last) {
            (' ', Some(b' ' | b'\n') | None) => return,
            ('\n', Some(b' ')) => {
                self.text.pop();
                self.origins.pop();
            }
            _ => {}
        }
        self.text.push(letter);
        self.origins.resize(self.text.len(), origin as u32);
    }
}

/// Returns the first character of a text, decoded, and the length of its encoded form in bytes.
fn next(text: &str) -> Option<(char, usize)> {
    let first = text.chars().next()?;
    let meant = match first {
        '\\' => backslash(text),
        '&' => entity(text),
        '%' => percent(text),
        _ => None,
    };
    Some(meant.unwrap_or((first, first.len_utf8())))
}

/// Reads an escape of JSON, or of a language like it.
fn backslash(text: &str) -> Option<(char, usize)> {
    match *text.as_bytes().get(1)? {
        b'n' => Some(('\n', 2)),
        b't' | b'r' => Some((' ', 2)),
        mark @ (b'"' | b'\'' | b'/') => Some((char::from(mark), 2)),
        b'x' => hexadecimal(text, 2..4),
        b'u' => match hexadecimal_number(text, 2..6)? {
            high @ 0xd800..=0xdbff => {
                let low = hexadecimal_number(text.get(6..)?.strip_prefix("\\u")?, 0..4)?;
                let code = 0x1_0000 + ((high - 0xd800) << 10) + low.checked_sub(0xdc00)?;
                Some((char::from_u32(code)?, 12))
            }
            code => Some((char::from_u32(code)?, 6)),
        },
        _ => None,
    }
}

/// The entities that a sentence may be written with; what else has a name is no letter.
const ENTITIES: [(&str, char); 7] = [
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&amp;", '&'),
    ("&quot;", '"'),
    ("&apos;", '\''),
    ("&nbsp;", ' '),
    ("&shy;", '\u{ad}'),
];
/// The longest number of an entity, in characters.
const MAX_ENTITY_DIGITS: usize = 7;

fn entity(text: &str) -> Option<(char, usize)> {
    let Some(number) = text.strip_prefix("&#") else {
        let (name, character) = ENTITIES.iter().find(|(name, _)| text.starts_with(name))?;
        return Some((*character, name.len()));
    };
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    let length = digits
        .bytes()
        .take(MAX_ENTITY_DIGITS + 1)
        .position(|byte| byte == b';')?;
    let code = u32::from_str_radix(digits.get(..length)?, radix).ok()?;
    let written = text.len() - digits.len() + length + 1;
    Some((char::from_u32(code)?, written))
}

/// Decodes a percent-encoded ASCII character.
fn percent(text: &str) -> Option<(char, usize)> {
    hexadecimal(text, 1..3).filter(|(character, _)| matches!(character, ' '..='~' | '\n'))
}

fn hexadecimal(text: &str, digits: Range<usize>) -> Option<(char, usize)> {
    let length = digits.end;
    Some((char::from_u32(hexadecimal_number(text, digits)?)?, length))
}

fn hexadecimal_number(text: &str, digits: Range<usize>) -> Option<u32> {
    let digits = text.get(digits)?;
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    are_digits.then(|| u32::from_str_radix(digits, 16).ok())?
}
