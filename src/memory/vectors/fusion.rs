//! Two orders made into one by rank: what the scores of either mean is not asked.

use std::collections::HashMap;

use crate::transcript::MemoryId;

/// Dampens the weight of the first ranks; the value of the paper.
const K: f64 = 60.0;

/// Fuses two orders, best first: each place counts `1 / (60 + rank)`, and the sums decide.
///
/// This is reciprocal rank fusion after Cormack, Clarke and Büttcher, "Reciprocal rank fusion
/// outperforms Condorcet and individual rank learning methods", SIGIR 2009. Of two equal sums the
/// one that stands better by words comes first, and then the newer one.
pub(super) fn fuse(by_words: &[MemoryId], by_meaning: &[MemoryId]) -> Vec<MemoryId> {
    let mut sums: HashMap<MemoryId, (f64, usize)> = HashMap::new();
    for (rank, id) in (1..).zip(by_words) {
        sums.entry(*id)
            .or_insert((1.0 / (K + f64::from(rank)), rank as usize));
    }
    for (rank, id) in (1..).zip(by_meaning) {
        sums.entry(*id).or_insert((0.0, usize::MAX)).0 += 1.0 / (K + f64::from(rank));
    }
    let mut order: Vec<(MemoryId, (f64, usize))> = sums.into_iter().collect();
    order.sort_by(
        |(one, (one_sum, one_rank)), (other, (other_sum, other_rank))| {
            let by_sum = other_sum.total_cmp(one_sum);
            by_sum.then(one_rank.cmp(other_rank)).then(other.cmp(one))
        },
    );
    order.into_iter().map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(by_words: &[i64], by_meaning: &[i64], fused: &[i64]) {
        let ids = |ids: &[i64]| ids.iter().copied().map(MemoryId).collect::<Vec<_>>();
        assert_eq!(fuse(&ids(by_words), &ids(by_meaning)), ids(fused));
    }

    #[test]
    fn what_stands_in_both_orders_comes_first() {
        check(&[1, 2, 3], &[4, 3], &[3, 1, 4, 2]);
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
