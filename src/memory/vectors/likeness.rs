//! How near any two memories of one owner are by chance: what is no nearer to a query than that
//! means nothing.
//!
//! How large the cosines of unrelated texts are differs by model and by what a person speaks of, so
//! no fixed number tells what is near. The measure is the owner's own vectors: some pairs of them,
//! of which nearly all are unrelated.

use sayso_store::vectors::VectorRow;

use super::quantization::Quantised;

/// The size of the sample: at most this number of vectors of an owner, the newest, are compared
/// with each other.
const SAMPLED: usize = 128;
/// How far apart the vectors of a pair stand in the order of their writing. What was written one
/// after the other is often about one thing.
const APART: [usize; 8] = [3, 5, 8, 13, 21, 34, 55, 89];
/// With fewer pairs, chance cannot be told from meaning.
const ENOUGH_PAIRS: usize = 200;
/// How many of a hundred pairs are no nearer than the bound. With MiniLM on LoCoMo
/// (`benches/local_model`) words alone find .579 of the answers among five and .642 among ten; with
/// meaning it is .578 and .643 at 99, and .595 and .659 at 90.
const PERCENTILE: usize = 90;

/// Vectors of one owner, to be compared with each other.
#[derive(Debug, Default)]
pub(super) struct Likeness {
    sample: Vec<Quantised>,
}

impl Likeness {
    /// Takes vectors into the sample until it is full.
    pub(super) fn look_at<'a>(&mut self, rows: impl Iterator<Item = VectorRow<'a>>) {
        let room = SAMPLED - self.sample.len();
        self.sample.extend(rows.take(room).map(|row| Quantised {
            scale: row.scale,
            bytes: row.bytes.to_vec(),
        }));
    }

    /// Returns how near to each other 90 of 100 pairs are at most; `None` of too few.
    pub(super) fn by_chance(&self) -> Option<f32> {
        let pairs = APART.iter().flat_map(|apart| {
            let others = self.sample.iter().skip(*apart);
            self.sample.iter().zip(others)
        });
        let mut similarities: Vec<f32> = pairs
            .filter_map(|(one, other)| one.similarity(other.scale, &other.bytes))
            .collect();
        if similarities.len() < ENOUGH_PAIRS {
            return None;
        }
        let place = similarities.len() * PERCENTILE / 100;
        let (_, bound, _) = similarities.select_nth_unstable_by(place, f32::total_cmp);
        Some(*bound)
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::MemoryId;
    use sayso_store::vectors::VectorRow;

    use super::{Likeness, SAMPLED};
    use crate::vectors::quantization::Quantised;

    fn likeness_of(vectors: &[[f32; 2]]) -> Likeness {
        let mut likeness = Likeness::default();
        for vector in vectors {
            let Quantised { scale, bytes } = Quantised::of(vector);
            let row = VectorRow {
                memory: MemoryId(1),
                scale,
                bytes: &bytes,
            };
            likeness.look_at(std::iter::once(row));
        }
        likeness
    }

    /// Returns `count` unit vectors, each turned by `degrees` from the one before.
    fn turning(count: u16, degrees: f32) -> Vec<[f32; 2]> {
        let at = |number| (f32::from(number) * degrees).to_radians();
        (0..count).map(|it| [at(it).cos(), at(it).sin()]).collect()
    }

    #[test]
    fn model_f6_chance_follows_how_alike_all_memories_of_an_owner_are() {
        let narrow = likeness_of(&turning(100, 0.1)).by_chance().unwrap();
        assert!(narrow > 0.99, "{narrow}");
        // The nearest of all stand three apart, and turn by 21 degrees.
        let wide = likeness_of(&turning(50, 7.0)).by_chance().unwrap();
        assert!((wide - 21_f32.to_radians().cos()).abs() < 0.02, "{wide}");
    }

    #[test]
    fn model_f6_a_few_memories_tell_nothing_of_chance() {
        assert_eq!(likeness_of(&[]).by_chance(), None);
        assert_eq!(likeness_of(&turning(20, 7.0)).by_chance(), None);
    }

    #[test]
    fn model_f6_the_sample_is_bounded() {
        assert_eq!(likeness_of(&turning(5_000, 1.0)).sample.len(), SAMPLED);
    }
}
