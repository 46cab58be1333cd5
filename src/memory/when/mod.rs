//! Times in questions: what span of time "last spring", "two weeks ago" or 上周三 speaks of, told from
//! the text and from the present alone.
//!
//! The grammars are in `english.rs` and `chinese.rs`, the arithmetic in `calendar.rs`. People ask
//! memory about the past, so what names no year is the last one that has begun. Of several times
//! the first counts. Local time everywhere: which zone that is, the caller knows.

mod calendar;
mod chinese;
mod english;
#[cfg(test)]
mod tests;

use chrono::NaiveDateTime;

pub(crate) use self::calendar::Span;
use super::letter_folding::fold;

/// How much of a text is looked at, in characters.
const LOOKED_AT: usize = 2_000;

/// A time that a text speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spoken {
    /// The time.
    pub span: Span,
    /// The rest of the text, in one spelling.
    pub rest: String,
}

/// Returns the first time that a text speaks of, as seen at a local time.
pub(crate) fn spoken_time(text: &str, now: NaiveDateTime) -> Option<Spoken> {
    let mut folded = Vec::new();
    for character in text.chars().take(LOOKED_AT) {
        fold(character, |character| folded.push(character));
    }
    let in_english = english::find(&folded, now);
    let in_chinese = chinese::find(&folded, now);
    let found = match (in_english, in_chinese) {
        (Some(one), Some(other)) if other.at < one.at => other,
        (Some(one), _) => one,
        (None, other) => other?,
    };
    let before = folded.get(..found.at).unwrap_or_default();
    let behind = folded.get(found.at + found.length..).unwrap_or_default();
    let before: String = before.iter().collect();
    let behind: String = behind.iter().collect();
    Some(Spoken {
        span: found.span,
        rest: format!("{before} {behind}"),
    })
}

/// Where in a text a time is spoken of.
#[derive(Debug, Clone, Copy)]
struct Found {
    /// The first character.
    at: usize,
    /// How many characters there are.
    length: usize,
    /// The time.
    span: Span,
}
