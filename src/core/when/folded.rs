//! A text in one spelling: small letters, figures and punctuation of ASCII, simplified Chinese. Each
//! character stands for one of the text, so that places in it are places in the text.

use crate::transcript::simplified;

/// How much of a text is looked at, in characters.
const LOOKED_AT: usize = 2_000;

/// A text and the same in one spelling.
pub(super) struct Folded {
    /// The characters as they were written.
    pub(super) written: Vec<char>,
    /// The same in one spelling, as far as they are looked at.
    pub(super) chars: Vec<char>,
}

impl Folded {
    pub(super) fn new(text: &str) -> Self {
        let written: Vec<char> = text.chars().collect();
        let chars = written.iter().take(LOOKED_AT).map(|it| fold(*it)).collect();
        Self { written, chars }
    }

    /// Returns the characters between two places.
    pub(super) fn between(&self, from: usize, until: usize) -> &[char] {
        self.chars.get(from..until).unwrap_or_default()
    }

    /// Returns whether the text has a date whose year has more than four figures: `99999-12-31`,
    /// `12345年1月1日`.
    pub(super) fn has_far_year(&self) -> bool {
        let mut runs = self.chars.split(|it| !it.is_ascii_digit());
        let is_long = runs.any(|run| run.len() > 4);
        is_long
            && (0..self.chars.len()).any(|at| {
                let figures = self.chars[at..]
                    .iter()
                    .take_while(|it| it.is_ascii_digit())
                    .count();
                figures > 4 && is_rest_of_date(&self.chars[at + figures..])
            })
    }

    /// Returns how long a word is, if the text has it at a place.
    pub(super) fn begins(&self, at: usize, word: &str) -> Option<usize> {
        begins(self.chars.get(at..)?, word)
    }
}

/// Returns whether what follows a year makes it one: the year's sign, or a month and a day.
fn is_rest_of_date(rest: &[char]) -> bool {
    let [sign @ ('-' | '/' | '.' | '年'), rest @ ..] = rest else {
        return false;
    };
    // How many figures a number has that is at most so high.
    let figures_up_to = |most: u32, rest: &[char]| {
        let figures = rest.iter().map_while(|it| it.to_digit(10));
        let figures: Vec<u32> = figures.collect();
        let number = figures.iter().take(3).fold(0, |sum, it| sum * 10 + it);
        ((1..=2).contains(&figures.len()) && (1..=most).contains(&number)).then_some(figures.len())
    };
    *sign == '年'
        || figures_up_to(12, rest).is_some_and(|month| {
            rest.get(month) == Some(sign) && figures_up_to(31, &rest[month + 1..]).is_some()
        })
}

/// Returns how long a word is, if the characters begin with it.
pub(super) fn begins(chars: &[char], word: &str) -> Option<usize> {
    let mut length = 0;
    for character in word.chars() {
        if chars.get(length) != Some(&character) {
            return None;
        }
        length += 1;
    }
    Some(length)
}

fn fold(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5d}' => {
            let ascii = u32::from(character) - 0xfee0;
            char::from_u32(ascii).map_or(character, |ascii| ascii.to_ascii_lowercase())
        }
        '\u{3000}' | '\u{a0}' | '\t' | '\n' | '\r' => ' ',
        '。' => '.',
        '、' => ',',
        '“' | '”' => '"',
        '‘' | '’' => '\'',
        '～' | '–' | '—' | '〜' | '−' => '-',
        _ => {
            let mut small = simplified(character).to_lowercase();
            match (small.next(), small.next()) {
                (Some(small), None) => small,
                _ => character,
            }
        }
    }
}
