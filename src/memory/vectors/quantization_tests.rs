//! How much of the exact order is left after rounding.

use std::collections::BTreeSet;

use sayso_core::transcript::MemoryId;
use sayso_store::vectors::VectorRow;

use super::{Nearest, Quantised};

/// Numbers that look random and are the same each time (SplitMix64).
struct Dice(u64);

impl Dice {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Numbers that are distributed about zero as the sum of many small chances is.
    fn vector(&mut self, dimension: usize) -> Vec<f32> {
        let number = |_| (0..12).map(|_| self.number()).sum::<f64>() - 6.0;
        (0..dimension).map(number).map(|it| it as f32).collect()
    }
}

fn cosine(one: &[f32], other: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    dot(one, other) / (dot(one, one) * dot(other, other)).sqrt()
}

type Row = (i64, Quantised);

fn row(memory: i64, vector: &[f32]) -> Row {
    (memory, Quantised::of(vector))
}

fn as_stored((memory, quantised): &Row) -> VectorRow<'_> {
    VectorRow {
        memory: MemoryId(*memory),
        scale: quantised.scale,
        bytes: &quantised.bytes,
    }
}

fn nearest(query: &[f32], rows: &[Row], limit: usize, least: f32) -> Vec<i64> {
    let mut nearest = Nearest::new(Quantised::of(query), limit);
    for block in rows.chunks(100) {
        nearest.look_at(block.iter().map(as_stored));
    }
    nearest.into_ids(least).into_iter().map(|id| id.0).collect()
}

#[test]
fn the_ten_nearest_are_the_exact_ones_in_nineteen_of_twenty() {
    let mut dice = Dice(5);
    let vectors: Vec<Vec<f32>> = (0..2000).map(|_| dice.vector(256)).collect();
    let rows: Vec<Row> = (0..).zip(&vectors).map(|(id, it)| row(id, it)).collect();
    let mut agreeing = 0;
    for _ in 0..20 {
        let query = dice.vector(256);
        let mut exact: Vec<(f64, i64)> = (0..)
            .zip(&vectors)
            .map(|(id, vector)| (cosine(&query, vector), id))
            .collect();
        exact.sort_by(|one, other| other.0.total_cmp(&one.0));
        let exact: BTreeSet<i64> = exact.iter().take(10).map(|(_, id)| *id).collect();
        let found = nearest(&query, &rows, 10, -1.0);
        assert_eq!(found.len(), 10);
        agreeing += found.iter().filter(|id| exact.contains(id)).count();
    }
    assert!(agreeing >= 190, "{agreeing} of 200");
}

#[test]
fn a_cosine_is_kept_to_a_hundredth() {
    let mut dice = Dice(6);
    for _ in 0..100 {
        let (one, other) = (dice.vector(64), dice.vector(64));
        let Quantised { scale, bytes } = Quantised::of(&other);
        let found = Quantised::of(&one).similarity(scale, &bytes).unwrap();
        let exact = cosine(&one, &other);
        assert!((f64::from(found) - exact).abs() < 0.01, "{found}, {exact}");
    }
}

#[test]
fn length_does_not_matter_and_what_has_none_is_near_to_nothing() {
    let rows = [
        row(1, &[0.0, 3e30]),
        row(2, &[1e-30, 1e-30]),
        row(3, &[0.0, 0.0]),
        row(4, &[1.0, 0.0, 0.0]),
    ];
    assert_eq!(nearest(&[0.0, 1.0], &rows, 10, 0.5), [1, 2]);
    assert_eq!(nearest(&[0.0, 0.0], &rows, 10, 0.5), [0_i64; 0]);
}

#[test]
fn of_equals_the_newer_one_comes_first() {
    let rows: Vec<Row> = (0..300).map(|id| row(id, &[1.0, 2.0])).collect();
    assert_eq!(nearest(&[1.0, 2.0], &rows, 3, 0.0), [299, 298, 297]);
}
