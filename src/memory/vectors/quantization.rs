//! Vectors of a byte for each number, and which of many are nearest to one.

use sayso_core::transcript::MemoryId;
use sayso_store::vectors::VectorRow;

/// The largest byte.
const MOST: f64 = 127.0;

/// A vector of length one: each number is a byte times `scale`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quantised {
    /// What a byte counts.
    pub(super) scale: f64,
    /// The bytes; as they are stored, so a sign is the highest bit.
    pub(super) bytes: Vec<u8>,
}

impl Quantised {
    /// Makes a vector as long as one and rounds it. One without a direction stays zero.
    pub(super) fn of(vector: &[f32]) -> Self {
        let squares: f64 = vector.iter().map(|it| f64::from(*it).powi(2)).sum();
        let length = squares.sqrt();
        let largest = vector
            .iter()
            .map(|it| f64::from(it.abs()))
            .fold(0.0, f64::max);
        if largest == 0.0 {
            return Self {
                scale: 0.0,
                bytes: vec![0; vector.len()],
            };
        }
        let byte = |number: &f32| {
            let rounded = (f64::from(*number) / largest * MOST).round();
            (rounded as i8).cast_unsigned()
        };
        Self {
            scale: largest / length / MOST,
            bytes: vector.iter().map(byte).collect(),
        }
    }

    /// Returns the cosine of the angle between two vectors; `None` where their dimensions differ.
    pub(super) fn similarity(&self, scale: f64, bytes: &[u8]) -> Option<f32> {
        if self.bytes.len() != bytes.len() {
            return None;
        }
        let pairs = self.bytes.iter().zip(bytes);
        let product: i32 = pairs
            .map(|(one, other)| i32::from(one.cast_signed()) * i32::from(other.cast_signed()))
            .sum();
        Some((f64::from(product) * self.scale * scale) as f32)
    }
}

/// The nearest of the vectors that were looked at.
pub(super) struct Nearest {
    query: Quantised,
    limit: usize,
    /// What is further is in no result.
    furthest: f32,
    /// Never more than twice the limit.
    found: Vec<(f32, MemoryId)>,
}

impl Nearest {
    /// Looks for at most `limit` that are nearest to `query`.
    pub(super) fn new(query: Quantised, limit: usize) -> Self {
        Self {
            query,
            limit,
            furthest: f32::NEG_INFINITY,
            found: Vec::with_capacity(2 * limit),
        }
    }

    /// Looks at some vectors. One of another dimension is none.
    pub(super) fn look_at<'a>(&mut self, rows: impl Iterator<Item = VectorRow<'a>>) {
        for row in rows {
            let Some(similarity) = self.query.similarity(row.scale, row.bytes) else {
                continue;
            };
            if similarity < self.furthest {
                continue;
            }
            self.found.push((similarity, row.memory));
            if self.found.len() >= 2 * self.limit {
                self.cut();
            }
        }
    }

    /// Returns the nearest that are at least so near, nearest first; of two that are equally near
    /// the newer one first.
    pub(super) fn into_ids(mut self, min_similarity: f32) -> Vec<MemoryId> {
        self.cut();
        let near = self.found.into_iter();
        let near = near.take_while(|(similarity, _)| *similarity >= min_similarity);
        near.map(|(_, id)| id).collect()
    }

    fn cut(&mut self) {
        self.found
            .sort_by(|(one_similarity, one), (other_similarity, other)| {
                let nearer = other_similarity.total_cmp(one_similarity);
                nearer.then(other.cmp(one))
            });
        self.found.truncate(self.limit);
        if let (Some((furthest, _)), true) = (self.found.last(), self.found.len() == self.limit) {
            self.furthest = self.furthest.max(*furthest);
        }
    }
}

#[cfg(test)]
#[path = "quantization_tests.rs"]
mod tests;
