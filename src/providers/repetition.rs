//! Output that goes on for ever: a model that only repeats itself is cut off.
//!
//! Two rules, on what a model writes, piece by piece. How it was cut into pieces does not matter.
//!
//! *Brackets.* More than 50 of `[` and `{` in a row, spaces aside, are no answer. Nested lists are
//! the one thing that begins so: a run of `[` alone is let through when it goes on as JSON does,
//! and up to 128 levels, which is as deep as readers of JSON go.
//!
//! *Anything else.* The end of the text is one piece, repeated more than 10 times in a row, over at
//! least 2,000 tokens. So a separator, a row of zeros, a table or a chorus passes, and so does text
//! that was requested to fill a page, while a loop is cut off long before it has filled a chat. A
//! piece that opens or closes brackets is nesting, not repetition, up to those 128 levels.

use std::collections::VecDeque;

use thiserror::Error;

/// How many brackets may open in a row.
const OPENERS: usize = 50;
/// How deep JSON may be nested: the limit of serde_json, which parses our arguments.
const LEVELS: usize = 128;
/// How often a piece may be said in a row, however long it is.
const TIMES: usize = 10;
/// How long a loop is at least, in quarters of a token: an ASCII character is one, any other four.
const QUARTERS: usize = 2000 * 4;
/// How much of the end of a text is looked at, in characters.
const TAIL: usize = 8192;
/// How often the end is looked at: a look costs about as many steps as the tail has characters.
const LOOK_EVERY: usize = 256;

/// Why an answer was cut. Quotes nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum DegenerateOutput {
    /// Brackets that only open.
    #[error("{0} brackets opened in a row")]
    Openers(usize),
    /// One piece, again and again.
    #[error("the same {length} characters came {times} times")]
    Loop {
        /// How long the piece is, in characters.
        length: usize,
        /// How often it came.
        times: usize,
    },
}

/// Watches one text that grows.
#[derive(Debug, Default)]
pub(super) struct Repetition {
    /// How much of the text was taken, in bytes.
    taken: usize,
    openers: Openers,
    tail: VecDeque<char>,
    unseen: usize,
}

impl Repetition {
    /// Takes what was added to the text since the last call.
    pub(super) fn watch(&mut self, text: &str) -> Result<(), DegenerateOutput> {
        // A server may replace what it sent before.
        let Some(added) = text.get(self.taken..) else {
            *self = Self::default();
            return self.watch(text);
        };
        self.taken = text.len();
        for letter in added.chars() {
            self.openers.take(letter)?;
            if self.tail.len() == TAIL {
                self.tail.pop_front();
            }
            self.tail.push_back(letter);
            self.unseen += 1;
            if self.unseen == LOOK_EVERY {
                self.look()?;
            }
        }
        Ok(())
    }

    /// Takes the end of the text.
    pub(super) fn finish(&mut self) -> Result<(), DegenerateOutput> {
        self.openers.finish()?;
        self.look()
    }

    fn look(&mut self) -> Result<(), DegenerateOutput> {
        self.unseen = 0;
        let newest_first: Vec<char> = self.tail.iter().rev().copied().collect();
        find_loop(&newest_first).map_or(Ok(()), Err)
    }
}

/// A run of brackets that open.
#[derive(Debug, Default)]
struct Openers {
    count: usize,
    last: Option<char>,
    /// Whether something opened right behind a `{`, where JSON has a name.
    is_no_json: bool,
}

impl Openers {
    fn take(&mut self, letter: char) -> Result<(), DegenerateOutput> {
        if letter.is_whitespace() {
            return Ok(());
        }
        if !matches!(letter, '[' | '{') {
            let ran = std::mem::take(self);
            return ran.end(goes_on(ran.last, letter));
        }
        self.is_no_json |= self.last == Some('{');
        self.last = Some(letter);
        self.count += 1;
        self.end(!self.is_no_json && self.count <= LEVELS)
    }

    fn finish(&self) -> Result<(), DegenerateOutput> {
        self.end(false)
    }

    fn end(&self, may_be_json: bool) -> Result<(), DegenerateOutput> {
        if self.count <= OPENERS || may_be_json {
            return Ok(());
        }
        Err(DegenerateOutput::Openers(self.count))
    }
}

/// Returns whether JSON may have this character behind a bracket that opened.
fn goes_on(opener: Option<char>, next: char) -> bool {
    match opener {
        Some('[') => matches!(next, ']' | '"' | '-' | '0'..='9' | 't' | 'f' | 'n'),
        _ => matches!(next, '}' | '"'),
    }
}

/// Finds a loop at the end of a text, which is given from its end.
///
/// By the prefix function of Knuth, Morris and Pratt: a stretch of `n` characters whose longest
/// border has `b` is made of pieces of `n - b`.
fn find_loop(newest_first: &[char]) -> Option<DegenerateOutput> {
    let mut borders: Vec<usize> = Vec::with_capacity(newest_first.len());
    let mut quarters = 0;
    for (at, letter) in newest_first.iter().enumerate() {
        quarters += if letter.is_ascii() { 1 } else { 4 };
        let mut border = at.checked_sub(1).map_or(0, |before| borders[before]);
        while border > 0 && newest_first[border] != *letter {
            border = borders[border - 1];
        }
        if at > 0 && newest_first[border] == *letter {
            border += 1;
        }
        borders.push(border);
        let length = at + 1 - border;
        let times = (at + 1) / length;
        let is_loop = times > TIMES && quarters >= QUARTERS;
        if is_loop && !is_nesting(&newest_first[..length], times) {
            return Some(DegenerateOutput::Loop { length, times });
        }
    }
    None
}

/// Returns whether a piece opens or closes brackets each time, and not deeper than JSON may be.
///
/// A piece begins anywhere, also inside of quotes, so both are tried.
fn is_nesting(newest_first: &[char], times: usize) -> bool {
    let is_nested = |depth: usize| depth != 0 && depth * times <= LEVELS;
    [false, true]
        .map(|quoted| depth_of(newest_first, quoted))
        .into_iter()
        .any(is_nested)
}

/// Returns how many more brackets a piece opens than it closes, or the other way round.
fn depth_of(newest_first: &[char], mut is_quoted: bool) -> usize {
    let mut depth = 0_isize;
    for letter in newest_first.iter().rev() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '[' | '{' if !is_quoted => depth += 1,
            ']' | '}' if !is_quoted => depth -= 1,
            _ => {}
        }
    }
    depth.unsigned_abs()
}

#[cfg(test)]
#[path = "repetition_tests.rs"]
mod tests;
