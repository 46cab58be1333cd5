//! Rankings by vectors, and the fusion of rankings by rank.

use std::collections::{BTreeMap, HashMap};

use super::entry::ChunkKey;
use super::hit::{Hit, first};
use crate::chunks::Lines;

/// How little the first ranks differ (the constant of reciprocal rank fusion: Cormack, Clarke and
/// Büttcher, 2009).
const RANK_OFFSET: f64 = 60.0;

/// A question as a vector, and vectors of chunks. Chunks without a vector of the same length are
/// found by their words alone.
#[derive(Debug, Clone, Copy)]
pub struct Embedding<'a> {
    /// The question.
    pub query: &'a [f32],
    /// The chunks.
    pub vectors: &'a HashMap<ChunkKey, Vec<f32>>,
}

impl Embedding<'_> {
    /// Returns the chunks whose vectors are the nearest, the nearest first.
    pub(super) fn ranked<'h>(
        &self,
        chunks: impl Iterator<Item = Hit<'h>>,
        limit: usize,
    ) -> Vec<Hit<'h>> {
        let hits = chunks.filter_map(|chunk| {
            let vector = self.vectors.get(&chunk.key)?;
            let score = cosine(self.query, vector)?;
            Some(Hit { score, ..chunk })
        });
        first(hits.collect(), limit)
    }
}

/// Returns the cosine of two vectors; `None` where they have none.
fn cosine(one: &[f32], other: &[f32]) -> Option<f64> {
    let product = |one: &[f32], other: &[f32]| -> f64 {
        let pairs = one.iter().zip(other);
        pairs.map(|(one, other)| f64::from(one * other)).sum()
    };
    let length = (product(one, one) * product(other, other)).sqrt();
    let cosine = product(one, other) / length;
    (one.len() == other.len() && cosine.is_finite()).then_some(cosine)
}

/// Fuses rankings: a chunk counts by the sum of its reciprocal ranks.
pub(super) fn fused<'h>(rankings: &[Vec<Hit<'h>>]) -> Vec<Hit<'h>> {
    let mut all: BTreeMap<(&str, Lines), Hit<'h>> = BTreeMap::new();
    for ranking in rankings {
        for (rank, hit) in (1..).map(f64::from).zip(ranking) {
            let sum = all
                .entry((hit.path, hit.lines))
                .or_insert(Hit { score: 0.0, ..*hit });
            sum.score += 1.0 / (RANK_OFFSET + rank);
        }
    }
    all.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::cosine;

    #[test]
    fn vectors_that_cannot_be_compared_are_not() {
        assert_eq!(cosine(&[1.0, 0.0], &[2.0, 0.0]), Some(1.0));
        assert_eq!(cosine(&[1.0], &[2.0, 0.0]), None);
        assert_eq!(cosine(&[0.0], &[0.0]), None);
        assert_eq!(cosine(&[f32::NAN], &[1.0]), None);
    }
}
