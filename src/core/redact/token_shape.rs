//! One form of token: its prefixes, what follows them, and whether that looks random. Identifiers
//! and placeholders with the same beginning, such as `sk-learn-pipeline` or `ghp_xxxx`, do not.

use super::alphabet::{Alphabet, entropy, is_alphanumeric, is_mixed, is_word, run};
use super::plain_words::{has_placeholder, is_plain_words};

/// A shorter body is not asked for its entropy.
const MIN_BODY: usize = 12;

/// Sixteen random hexadecimal digits have more than 2.5 bits a byte nearly always; placeholders
/// such as `xxxx` have less than 2.
const MIN_ENTROPY: f64 = 2.3;

/// One form of token.
pub(super) struct Shape {
    pub(super) kind: &'static str,
    pub(super) prefixes: &'static [&'static str],
    /// What follows the prefix, in order.
    pub(super) rest: &'static [Piece],
    /// What may not stand right before it: then it is the middle of something else.
    pub(super) not_behind: Alphabet,
    /// How many digits must be among its letters: prefixes such as `sk-` also begin words.
    pub(super) digits: usize,
    /// Whether words may follow: nothing else begins with such a prefix.
    pub(super) may_be_words: bool,
}

/// A part of a token behind its prefix.
pub(super) enum Piece {
    /// Exactly this many, and the next byte is no letter or digit.
    Exactly(usize, Alphabet),
    /// At least this many; all that follow belong to it.
    AtLeast(usize, Alphabet),
    /// This text.
    Then(&'static str),
}

use Piece::{AtLeast, Exactly, Then};

pub(super) const fn shape(
    kind: &'static str,
    prefixes: &'static [&'static str],
    rest: &'static [Piece],
) -> Shape {
    Shape {
        kind,
        prefixes,
        rest,
        not_behind: is_alphanumeric,
        digits: 0,
        may_be_words: false,
    }
}

impl Shape {
    /// Returns whether what follows the prefix may be what a service gave out.
    pub(super) fn looks_random(&self, body: &[u8]) -> bool {
        (self.digits == 0 || is_mixed(body, self.digits))
            && (body.len() < MIN_BODY || entropy(body) >= MIN_ENTROPY)
            && !has_placeholder(body)
            && (self.may_be_words || !is_plain_words(body))
    }

    /// Returns where a token ends whose prefix ends at `from`.
    pub(super) fn end(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let mut end = from;
        for piece in self.rest {
            end = match *piece {
                Exactly(length, alphabet) => {
                    let piece = bytes.get(end..end + length)?;
                    let is_whole = piece.iter().all(|byte| alphabet(*byte))
                        && !bytes.get(end + length).is_some_and(|byte| is_word(*byte));
                    is_whole.then_some(end + length)?
                }
                AtLeast(least, alphabet) => {
                    let length = run(bytes, end, alphabet);
                    (length >= least).then_some(end + length)?
                }
                Then(text) => {
                    let next = bytes.get(end..)?;
                    next.starts_with(text.as_bytes())
                        .then_some(end + text.len())?
                }
            };
        }
        Some(end + run(bytes, end, is_word))
    }
}
