//! A chunk that was found, and the order of those.

use std::cmp::Ordering;

use super::entry::ChunkKey;
use crate::chunks::Lines;

/// A chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit<'a> {
    /// The file, relative to the root.
    pub path: &'a str,
    /// Its lines.
    pub lines: Lines,
    /// The names of the definitions around it, the outermost first, then those in it; at most four.
    pub scope: &'a [String],
    /// What a vector of it is kept by.
    pub key: ChunkKey,
    /// How well it fits; comparable within one answer alone.
    pub score: f64,
}

/// Returns the best hits, in order.
pub(super) fn first(mut hits: Vec<Hit<'_>>, limit: usize) -> Vec<Hit<'_>> {
    hits.sort_by(|one, other| {
        let order = descending(one.score, other.score);
        order.then_with(|| (one.path, one.lines).cmp(&(other.path, other.lines)))
    });
    hits.truncate(limit);
    hits
}

pub(super) fn descending(one: f64, other: f64) -> Ordering {
    other.total_cmp(&one)
}
