//! English text as words, numbers and marks, each with its place.

use crate::when::folded::Folded;

/// A word, a number or a mark.
#[derive(Debug)]
pub(super) struct Word {
    /// In the spelling of the vocabulary: small letters, without apostrophes and periods.
    pub(super) text: String,
    pub(super) at: usize,
    pub(super) end: usize,
    /// Whether it begins with a capital letter.
    pub(super) is_capital: bool,
}

/// What a character is a part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    Space,
    Mark,
}

/// Splits a text: letters and digits that touch are two words, and each mark is one.
pub(super) fn words(folded: &Folded) -> Vec<Word> {
    let chars = &folded.chars;
    let mut words: Vec<Word> = Vec::new();
    let mut at = 0;
    while let Some(character) = chars.get(at) {
        let kind = kind_of(*character);
        let end = match kind {
            Kind::Letter => end_of_letters(chars, at),
            Kind::Digit => end_of(chars, at, Kind::Digit),
            Kind::Space | Kind::Mark => at + 1,
        };
        if kind != Kind::Space {
            let text = chars.get(at..end).unwrap_or_default().iter();
            let is_word = kind == Kind::Letter;
            words.push(Word {
                text: text
                    .filter(|it| !is_word || it.is_ascii_lowercase())
                    .collect(),
                at,
                end,
                is_capital: folded.written.get(at).is_some_and(char::is_ascii_uppercase),
            });
        }
        at = end;
    }
    words
}

fn kind_of(character: char) -> Kind {
    match character {
        'a'..='z' => Kind::Letter,
        '0'..='9' => Kind::Digit,
        ' ' => Kind::Space,
        _ => Kind::Mark,
    }
}

fn end_of(chars: &[char], at: usize, kind: Kind) -> usize {
    let rest = chars.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|it| kind_of(**it) == kind).count()
}

/// Whether `'s` behind it makes it a time that something has: `tomorrow's meeting`.
fn is_time(word: &[char]) -> bool {
    let endings = ["day", "tomorrow", "tonight", "week", "weekend", "month"];
    let word: String = word.iter().collect();
    endings.iter().any(|ending| word.ends_with(ending))
}

/// Letters, with an apostrophe between two of them (`o'clock`), and `a.m.` and `p.m.` as a whole.
fn end_of_letters(chars: &[char], at: usize) -> usize {
    if let Some(['a' | 'p', '.', 'm', rest @ ..]) = chars.get(at..) {
        return at + 3 + usize::from(rest.first() == Some(&'.'));
    }
    let end = end_of(chars, at, Kind::Letter);
    match chars.get(end..) {
        Some(['\'', 's', ..]) if is_time(chars.get(at..end).unwrap_or_default()) => end,
        Some(['\'', next, ..]) if next.is_ascii_lowercase() => end_of_letters(chars, end + 1),
        _ => end,
    }
}
