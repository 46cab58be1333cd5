//! Finds the lines of a hunk in a file: in four passes, each less strict than the one before. A pass
//! compares whole lines; how alike two different lines are never counts.

use std::borrow::Cow;
use std::collections::HashMap;

use super::error::PatchError;
use super::limits::LINES_SEARCHED;
use super::line_text::TextLine;

/// How lines are compared. The order is that of the passes, as in `seek_sequence` of OpenAI's Codex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pass {
    /// All characters are the same.
    Exact,
    /// Spaces at the end do not count.
    TrailingSpace,
    /// Spaces at the beginning and the end do not count.
    SurroundingSpace,
    /// Nor does the kind of dashes, quotes and spaces.
    Punctuation,
}

impl Pass {
    /// All passes, the strictest first.
    pub(super) const ALL: [Self; 4] = [
        Self::Exact,
        Self::TrailingSpace,
        Self::SurroundingSpace,
        Self::Punctuation,
    ];

    /// Returns what of a line is compared.
    pub(super) fn key(self, line: &str) -> Cow<'_, str> {
        match self {
            Self::Exact => Cow::Borrowed(line),
            Self::TrailingSpace => Cow::Borrowed(line.trim_end()),
            Self::SurroundingSpace => Cow::Borrowed(line.trim()),
            Self::Punctuation => folded(line),
        }
    }

    fn index(self) -> usize {
        match self {
            Self::Exact => 0,
            Self::TrailingSpace => 1,
            Self::SurroundingSpace => 2,
            Self::Punctuation => 3,
        }
    }
}

/// Returns a line with plain dashes, quotes and spaces, and without spaces around.
fn folded(line: &str) -> Cow<'_, str> {
    let line = line.trim();
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let plain = line.chars().filter_map(plain_letter).collect::<String>();
    Cow::Owned(plain.trim().to_owned())
}

/// Returns the plain spelling of a dash, quote or space; `None` for a space without width.
fn plain_letter(letter: char) -> Option<char> {
    Some(match letter {
        // Hyphens and dashes of the block General Punctuation, the minus sign, and the small and
        // full-width hyphens.
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => '-',
        '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{ff07}' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ff02}' => '"',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        '\u{200b}' | '\u{2060}' | '\u{feff}' => return None,
        same => same,
    })
}

/// A file in which lines are looked for.
pub(super) struct Seeker<'a> {
    lines: &'a [TextLine<'a>],
    indexes: [Option<Index<'a>>; 4],
}

/// The lines of a file as numbers; lines with the same key have the same.
struct Index<'a> {
    number_of: HashMap<Cow<'a, str>, u32>,
    numbers: Vec<u32>,
}

/// How many lines searches may still go through.
#[derive(Debug)]
pub(super) struct Allowance(usize);

impl Default for Allowance {
    fn default() -> Self {
        Self(LINES_SEARCHED)
    }
}

impl Allowance {
    fn take(&mut self, lines: usize) -> Result<(), PatchError> {
        match self.0.checked_sub(lines) {
            Some(rest) => self.0 = rest,
            None => {
                return Err(PatchError::TooLarge {
                    what: "the lines to search for all hunks together",
                    limit: LINES_SEARCHED,
                });
            }
        }
        Ok(())
    }
}

impl<'a> Seeker<'a> {
    /// Looks in these lines.
    pub(super) fn new(lines: &'a [TextLine<'a>]) -> Self {
        Self {
            lines,
            indexes: [None, None, None, None],
        }
    }

    /// Returns the lines of the file.
    pub(super) fn lines(&self) -> &'a [TextLine<'a>] {
        self.lines
    }

    /// Returns every place, from 0, where these lines stand one below the other, at or behind `from`.
    /// Places may overlap. The work is linear in the lines of file and pattern (the algorithm of Knuth,
    /// Morris and Pratt).
    pub(super) fn places(
        &mut self,
        pass: Pass,
        wanted: &[&str],
        from: usize,
        allowance: &mut Allowance,
    ) -> Result<Vec<usize>, PatchError> {
        let index = self.index(pass, allowance)?;
        let numbers = wanted
            .iter()
            .map(|line| index.number_of.get(&pass.key(line)).copied());
        let Some(pattern) = numbers.collect::<Option<Vec<u32>>>() else {
            return Ok(Vec::new());
        };
        let searched = index.numbers.get(from..).unwrap_or_default();
        allowance.take(searched.len() + pattern.len())?;
        let found = occurrences(searched, &pattern);
        Ok(found.into_iter().map(|at| at + from).collect())
    }

    /// Returns the places of the strictest pass that has any, with that pass.
    pub(super) fn first_places(
        &mut self,
        wanted: &[&str],
        from: usize,
        allowance: &mut Allowance,
    ) -> Result<Option<Found>, PatchError> {
        for pass in Pass::ALL {
            let places = self.places(pass, wanted, from, allowance)?;
            if !places.is_empty() {
                return Ok(Some(Found { pass, places }));
            }
        }
        Ok(None)
    }

    fn index(&mut self, pass: Pass, allowance: &mut Allowance) -> Result<&Index<'a>, PatchError> {
        let lines = self.lines;
        let slot = &mut self.indexes[pass.index()];
        if slot.is_none() {
            allowance.take(lines.len())?;
        }
        Ok(slot.get_or_insert_with(|| Index::new(pass, lines)))
    }
}

/// Where lines were found.
#[derive(Debug)]
pub(super) struct Found {
    /// How they were compared.
    pub(super) pass: Pass,
    /// The places, from 0, at least one.
    pub(super) places: Vec<usize>,
}

impl<'a> Index<'a> {
    fn new(pass: Pass, lines: &'a [TextLine<'a>]) -> Self {
        let mut number_of: HashMap<Cow<'a, str>, u32> = HashMap::new();
        let numbers = lines.iter().map(|line| {
            let next = number_of.len() as u32;
            *number_of.entry(pass.key(line.text)).or_insert(next)
        });
        let numbers = numbers.collect();
        Self { number_of, numbers }
    }
}

/// Returns where a pattern begins in a text, overlapping places too. An empty pattern is nowhere.
fn occurrences(text: &[u32], pattern: &[u32]) -> Vec<usize> {
    if pattern.is_empty() || pattern.len() > text.len() {
        return Vec::new();
    }
    let borders = borders(pattern);
    let mut found = Vec::new();
    let mut matched = 0;
    for (at, number) in text.iter().enumerate() {
        while matched > 0 && pattern.get(matched) != Some(number) {
            matched = borders[matched - 1];
        }
        matched += usize::from(pattern.get(matched) == Some(number));
        if matched == pattern.len() {
            found.push(at + 1 - matched);
            matched = borders[matched - 1];
        }
    }
    found
}

/// Returns for each prefix of a pattern the length of its longest proper prefix that is also its end.
fn borders(pattern: &[u32]) -> Vec<usize> {
    let mut borders = vec![0; pattern.len()];
    let mut length = 0;
    for at in 1..pattern.len() {
        while length > 0 && pattern[at] != pattern[length] {
            length = borders[length - 1];
        }
        length += usize::from(pattern[at] == pattern[length]);
        borders[at] = length;
    }
    borders
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Pass, occurrences};

    #[test]
    fn each_pass_compares_less() {
        let key = |pass: Pass, line| pass.key(line).into_owned();
        assert_eq!(key(Pass::Exact, " a\t"), " a\t");
        assert_eq!(key(Pass::TrailingSpace, " a\t"), " a");
        assert_eq!(key(Pass::SurroundingSpace, " a\t"), "a");
        let fancy = "\u{3000}“it’s”\u{a0}– 你\u{200b}好，\u{feff}";
        assert_eq!(key(Pass::Punctuation, fancy), "\"it's\" - 你好，");
    }

    proptest! {
        #[test]
        fn every_place_is_found(
            text in prop::collection::vec(0_u32..3, 0..40),
            pattern in prop::collection::vec(0_u32..3, 1..5),
        ) {
            let plain: Vec<usize> = (0..text.len())
                .filter(|at| text[*at..].starts_with(&pattern))
                .collect();
            prop_assert_eq!(occurrences(&text, &pattern), plain);
        }
    }
}
