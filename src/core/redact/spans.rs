//! Where secrets stand, and how finds that overlap become one.

use std::ops::Range;

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span<'k> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: &'k str,
    /// How much was needed to tell it: of two finds at one place the more exact one names it.
    exactness: usize,
}

impl<'k> Span<'k> {
    pub(super) fn new(range: Range<usize>, kind: &'k str) -> Self {
        Self {
            start: range.start,
            end: range.end,
            kind,
            exactness: 0,
        }
    }

    pub(super) fn with_exactness(self, exactness: usize) -> Self {
        Self { exactness, ..self }
    }

    pub(super) fn moved_by(self, offset: usize) -> Self {
        Self {
            start: self.start + offset,
            end: self.end + offset,
            ..self
        }
    }
}

/// Sorts finds by place and joins those that overlap or touch.
pub(super) fn settle(mut found: Vec<Span<'_>>) -> Vec<Span<'_>> {
    found.sort_by_key(|span| (span.start, std::cmp::Reverse((span.exactness, span.end))));
    let mut settled: Vec<Span<'_>> = Vec::with_capacity(found.len());
    for span in found {
        match settled.last_mut() {
            Some(last) if span.start <= last.end => {
                if span.exactness > last.exactness {
                    (last.kind, last.exactness) = (span.kind, span.exactness);
                }
                last.end = last.end.max(span.end);
            }
            Some(_) | None => settled.push(span),
        }
    }
    settled
}
