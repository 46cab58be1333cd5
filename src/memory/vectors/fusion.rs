//! Two orders made into one by rank: what the scores of either mean is not asked. Words lead, and
//! meaning decides among what they find and adds what they do not.

use std::collections::HashMap;

use sayso_core::transcript::MemoryId;

/// Dampens the weight of the first ranks; the value of the paper.
const K: f64 = 60.0;

/// What a place by meaning counts beside one by words. With equal weights a text in the middle of
/// both orders goes before the best of either, and where words are the better half that loses
/// answers.
const WEIGHT_OF_MEANING: f64 = 0.1;

/// The first places are never given up to what shares no word with the query.
const SPARED: usize = 5;

/// Where the nearest of those stands at the latest, counted from 1.
const LATEST: usize = 10;

/// Fuses two orders, best first: each place counts `weight / (60 + rank)`, and the sums decide.
///
/// This is reciprocal rank fusion after Cormack, Clarke and Büttcher, "Reciprocal rank fusion
/// outperforms Condorcet and individual rank learning methods", SIGIR 2009, with weights. Of two
/// equal sums the one that stands better by words comes first, and then the newer one. What words
/// did not find stands behind what they found, but for the nearest of it: of `limit` it has the
/// last place, or the tenth, unless so few are wanted that words need them all.
pub(super) fn fuse(by_words: &[MemoryId], by_meaning: &[MemoryId], limit: usize) -> Vec<MemoryId> {
    let mut sums: HashMap<MemoryId, (f64, usize)> = HashMap::new();
    for (rank, id) in (1..).zip(by_words) {
        sums.entry(*id)
            .or_insert((1.0 / (K + f64::from(rank)), rank as usize));
    }
    for (rank, id) in (1..).zip(by_meaning) {
        sums.entry(*id).or_insert((0.0, usize::MAX)).0 += WEIGHT_OF_MEANING / (K + f64::from(rank));
    }
    let mut order: Vec<(MemoryId, (f64, usize))> = sums.into_iter().collect();
    order.sort_by(
        |(one, (one_sum, one_rank)), (other, (other_sum, other_rank))| {
            let by_sum = other_sum.total_cmp(one_sum);
            by_sum.then(one_rank.cmp(other_rank)).then(other.cmp(one))
        },
    );
    let nearest = order.iter().position(|(_, (_, rank))| *rank == usize::MAX);
    let latest = limit.min(LATEST);
    if let Some(place) = nearest.filter(|place| latest > SPARED && *place >= latest) {
        let nearest = order.remove(place);
        order.insert(latest - 1, nearest);
    }
    order.into_iter().map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(by_words: &[i64], by_meaning: &[i64], fused: &[i64]) {
        let ids = |ids: &[i64]| ids.iter().copied().map(MemoryId).collect::<Vec<_>>();
        assert_eq!(fuse(&ids(by_words), &ids(by_meaning), 5), ids(fused));
    }

    #[test]
    fn what_stands_in_both_orders_comes_first() {
        check(&[1, 2, 3], &[4, 3], &[3, 1, 2, 4]);
    }

    #[test]
    fn model_f6_the_best_by_words_goes_before_what_is_in_the_middle_of_both() {
        let by_words: Vec<MemoryId> = (1..=50).map(MemoryId).collect();
        let others = (101..=139).map(MemoryId);
        let by_meaning: Vec<MemoryId> = others.chain([MemoryId(40)]).collect();
        for limit in [5, 10] {
            let fused = fuse(&by_words, &by_meaning, limit);
            assert_eq!(fused[..5], by_words[..5], "{limit}");
        }
    }

    #[test]
    fn model_f6_the_nearest_that_shares_no_word_has_the_last_place_of_enough() {
        let by_words: Vec<MemoryId> = (1..=50).map(MemoryId).collect();
        let by_meaning = [101, 102].map(MemoryId);
        let place = |limit| {
            let fused = fuse(&by_words, &by_meaning, limit);
            fused.iter().position(|id| *id == by_meaning[0])
        };
        assert_eq!(place(5), Some(50));
        assert_eq!(place(8), Some(7));
        assert_eq!(place(10), Some(9));
        assert_eq!(place(20), Some(9));
    }

    #[test]
    fn an_empty_order_changes_nothing() {
        check(&[3, 1, 2], &[], &[3, 1, 2]);
        check(&[], &[3, 1, 2], &[3, 1, 2]);
    }

    #[test]
    fn equal_sums_are_decided_by_words_and_then_by_age() {
        check(&[1, 2], &[2, 1], &[1, 2]);
        check(&[1], &[2], &[1, 2]);
        check(&[2], &[1], &[2, 1]);
    }
}
