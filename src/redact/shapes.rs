//! Tokens that are known by how they begin (`token_formats.rs` has the table).
//!
//! A rule tells a token by its prefix and by at least as many further bytes as the shortest that
//! the service gives out. What follows must look random: identifiers and placeholders with the
//! same beginning, such as `sk-learn-pipeline` or `ghp_xxxx`, stay.

use aho_corasick::AhoCorasick;

use super::TooMuch;
use super::alphabet::{Alphabet, entropy, is_alphanumeric, is_mixed, is_word, run};
use super::azure;
use super::plain_words::{has_placeholder, is_plain_words};
use super::spans::Span;
use super::token_formats::SHAPES;

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

/// The kinds of what is found here.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    SHAPES.iter().map(|shape| shape.kind)
}

/// Looks for all forms at once.
pub(super) struct Shapes {
    finder: AhoCorasick,
    /// The form that each pattern of the finder begins; those behind are signatures of Azure.
    shapes: Vec<&'static Shape>,
}

impl Shapes {
    pub(super) fn new() -> Result<Self, TooMuch> {
        let prefixes = SHAPES.iter().flat_map(|shape| shape.prefixes);
        let of_prefix = |shape: &'static Shape| std::iter::repeat_n(shape, shape.prefixes.len());
        Ok(Self {
            finder: AhoCorasick::new(prefixes.chain(&azure::SIGNATURES))?,
            shapes: SHAPES.iter().flat_map(of_prefix).collect(),
        })
    }

    /// Finds every token. What was tried as one and is none is not tried again from its middle,
    /// so that the time does not depend on what stands there.
    pub(super) fn find(&self, bytes: &[u8], found: &mut Vec<Span<'_>>) {
        let (mut tried_from, mut tried) = (0, 0);
        for prefix in self.finder.find_overlapping_iter(bytes) {
            let pattern = prefix.pattern().as_usize();
            let Some(shape) = self.shapes.get(pattern) else {
                let signature = pattern - self.shapes.len();
                found.extend(azure::key_at(bytes, prefix.range(), signature));
                continue;
            };
            let (start, end) = (prefix.start(), prefix.end());
            let before = start.checked_sub(1).and_then(|before| bytes.get(before));
            if start < tried && start != tried_from
                || before.is_some_and(|before| (shape.not_behind)(*before))
            {
                continue;
            }
            let Some(token_end) = shape.end(bytes, end) else {
                continue;
            };
            (tried_from, tried) = (start, tried.max(token_end));
            if shape.looks_random(bytes.get(end..token_end).unwrap_or_default()) {
                let exactness = end - start;
                found.push(Span::new(start..token_end, shape.kind).with_exactness(exactness));
            }
        }
    }
}

impl Shape {
    /// Returns whether what follows the prefix may be what a service gave out.
    fn looks_random(&self, body: &[u8]) -> bool {
        (self.digits == 0 || is_mixed(body, self.digits))
            && (body.len() < MIN_BODY || entropy(body) >= MIN_ENTROPY)
            && !has_placeholder(body)
            && (self.may_be_words || !is_plain_words(body))
    }

    /// Returns where a token ends whose prefix ends at `from`.
    fn end(&self, bytes: &[u8], from: usize) -> Option<usize> {
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
