//! What belongs to the best entry. "Where does Zhang Wei live?" is answered by "my uncle is called
//! Zhang Wei" and "my uncle lives in Nanjing" together: the words of the best entry, which the
//! question does not have, find the second.
//!
//! This is relevance feedback by the one best entry (after Rocchio), with a weight so small that
//! the question itself decides first: no entry comes before the best one by it. Lines of talk have
//! their stretch and their neighbours instead.

use super::query::{Counting, Counts, Query};
use super::{Entry, LENGTH, Told, rarity, saturated};

/// What a word of the best entry is worth beside a word of the question. On MemDaily a half or a
/// double of it gives the same within a thousandth.
const COMPANION: f64 = 0.1;
/// How many of them count, the rarest first.
const COMPANIONS: usize = 40;

/// How near to the best others come by what they share with it.
const BELOW_THE_BEST: f64 = 0.99;

/// Adds what the entries share with the best of them.
pub(super) fn follow_the_best(
    query: &Query,
    entries: &[Entry<'_>],
    told: &[&Told],
    scores: &mut [f64],
) {
    let stands_alone = |entry: &Entry<'_>| entry.said.is_none();
    let mut best: Option<(&Entry<'_>, f64)> = None;
    for (entry, score) in entries.iter().zip(&*scores) {
        let beaten = best.map_or(0.0, |(_, best)| best);
        if stands_alone(entry) && *score > beaten {
            best = Some((entry, *score));
        }
    }
    let Some((best, best_score)) = best else {
        return;
    };
    if entries
        .iter()
        .filter(|entry| stands_alone(entry))
        .nth(1)
        .is_none()
    {
        // There is no other to come near to it.
        return;
    }
    let most = best_score * BELOW_THE_BEST;
    let companions = Query::words(best.text);
    let mut counting = Counting::of(&companions);
    let held: Vec<Option<Counts>> = entries
        .iter()
        .zip(told)
        .map(|(entry, told)| stands_alone(entry).then(|| counting.count_in(&told.words)))
        .collect();
    let weights = weights(query, &companions, &held);
    let lengths: Vec<f64> = told
        .iter()
        .map(|told| f64::from(told.counts.length))
        .collect();
    let mean = (lengths.iter().sum::<f64>() / lengths.len().max(1) as f64).max(1.0);
    for ((score, held), length) in scores.iter_mut().zip(&held).zip(lengths) {
        let held = held.iter().flat_map(|counts| &counts.held);
        let shared: f64 = weights
            .iter()
            .zip(held)
            .map(|(weight, held)| weight * saturated(f64::from(*held), length / mean, LENGTH))
            .sum();
        *score = (*score + shared).min(most.max(*score));
    }
}

/// Returns what each word of the best entry is worth: nothing where the question has it too.
fn weights(query: &Query, companions: &Query, held: &[Option<Counts>]) -> Vec<f64> {
    let all = held.iter().flatten().count() as u64;
    let mut weights: Vec<f64> = companions
        .terms()
        .iter()
        .enumerate()
        .map(|(place, term)| {
            let holds = |counts: &&Counts| counts.held.get(place).is_some_and(|held| *held > 0);
            let holding = held.iter().flatten().filter(holds).count() as u64;
            let asked = query.count(term).held.into_iter().enumerate();
            let mut asked = asked.filter(|(term, held)| *held > 0 && query.is_word(*term));
            if asked.next().is_some() {
                0.0
            } else {
                COMPANION * rarity(all, holding)
            }
        })
        .collect();
    let mut sorted = weights.clone();
    sorted.sort_by(|one, other| other.total_cmp(one));
    if let Some(least) = sorted.get(COMPANIONS) {
        for weight in &mut weights {
            if *weight <= *least {
                *weight = 0.0;
            }
        }
    }
    weights
}
