//! Tokens that are known by how they begin (`token_formats.rs` has the table, `token_shape.rs` says
//! what a row of it is).
//!
//! A rule tells a token by its prefix and by at least as many further bytes as the shortest that
//! the service gives out. What follows must look random: identifiers and placeholders with the
//! same beginning, such as `sk-learn-pipeline` or `ghp_xxxx`, stay.

use aho_corasick::AhoCorasick;

use super::TooMuch;
use super::azure;
use super::spans::Span;
use super::token_formats::SHAPES;
use super::token_shape::Shape;

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
