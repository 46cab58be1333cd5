//! Which entries answer a query best, from their words and from where they stand: no model, no
//! database, no clock.
//!
//! The score is BM25 with the statistics of one owner. It is never `bm25()` of FTS5: that counts
//! the rows of all owners, so the messages of others would influence one's own results (and could
//! be inferred from them), and its weights are meaningless for an owner with few of the rows.
//!
//! An entry that was said in a stretch of talk is also judged by its place: the score of its
//! stretch and of its neighbours flows in, who is named counts, questions count less, and a
//! question for a time prefers entries that tell one. An entry without a stretch ranks by its own
//! score and by what it shares with the best of its like. Age and kind are weak priors: they decide
//! between near equals. The time that a question speaks of is a stronger one, and never hides
//! anything.
//!
//! The constants of the context were chosen on the visible half of LoCoMo, where each of them
//! stands on a wide plateau: a half or a third more or less moves recall by about one point.

mod context;
mod forms;
mod neighbours;
mod query;

use std::collections::BTreeMap;
use std::ops::Range;

use super::MemoryKind;
pub(crate) use query::Counting;
pub use query::Query;
use query::{Counts, Words};

/// How soon more of the same word stops to count: the usual value of BM25.
const SATURATION: f64 = 1.2;
/// How much a long entry has to make up for: less than the usual 0.75, for what people say is short
/// and a longer line says more.
const LENGTH: f64 = 0.5;
/// How much more an entry of this very moment counts than an old one.
const RECENCY: f64 = 0.05;
/// After how long half of that is gone.
const RECENCY_HALVES_MS: f64 = 30.0 * 24.0 * 3600.0 * 1000.0;
/// How much more a fact counts, which somebody wanted remembered, than what was merely said.
const FACT: f64 = 0.1;

/// What an entry of the time is worth that the query is about: more than a somewhat better match of
/// words, and less than a much better one.
const OF_THE_TIME: f64 = 1.5;

/// Something that may answer a query.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// The text.
    pub text: &'a str,
    /// When it was said, in milliseconds since 1970.
    pub at_ms: i64,
    /// What kind it is.
    pub kind: MemoryKind,
    /// Where it was said, if that is known.
    pub said: Option<Said<'a>>,
    /// How much it counts that it is a fact, up to 1.
    pub importance: f64,
    /// From when to when it holds, where that is another time than that of its saying.
    pub holds: Option<(i64, i64)>,
}

impl Entry<'_> {
    /// Returns whether it is of a time.
    fn is_of(&self, time: &Range<i64>) -> bool {
        let (begins, ends) = self.holds.unwrap_or((self.at_ms, self.at_ms + 1));
        begins < time.end && ends > time.start
    }
}

/// Where in a conversation something was said, and by whom.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// The stretch of talk.
    pub stretch: i64,
    /// The place in it: neighbours are one apart.
    pub place: i64,
    /// The name of who said it.
    pub speaker: &'a str,
}

/// What is known of all entries of an owner, of which only a part may be ranked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How many there are.
    pub entries: u64,
    /// How many of them hold each term of the query.
    pub holding: Vec<u64>,
    /// How many entries each stretch has.
    pub stretches: BTreeMap<i64, u64>,
    /// How many stretches there are, and entries in them, where not all are named.
    pub all_stretches: (u64, u64),
}

impl Statistics {
    /// Returns those of an owner who has these entries and no others.
    pub fn of(query: &Query, entries: &[Entry<'_>]) -> Self {
        let mut statistics = Self {
            entries: entries.len() as u64,
            holding: vec![0; query.terms().len()],
            ..Self::default()
        };
        for entry in entries {
            let counts = query.count(entry.text);
            for (holding, held) in statistics.holding.iter_mut().zip(&counts.held) {
                *holding += u64::from(*held > 0);
            }
            if let Some(said) = &entry.said {
                *statistics.stretches.entry(said.stretch).or_default() += 1;
            }
        }
        statistics
    }
}

/// What a query finds in the text of an entry. Telling it is most of the work of ranking.
pub(crate) struct Told {
    words: Words,
    counts: Counts,
}

impl Told {
    /// Returns what a query finds in a text.
    pub(crate) fn of(counting: &mut Counting<'_>, text: &str) -> Self {
        let words = Words::of(text);
        Self {
            counts: counting.count_in(&words),
            words,
        }
    }

    /// Returns whether the text may be an answer: a word that only begins as one of the query does is
    /// none.
    pub(crate) fn may_answer(&self, query: &Query) -> bool {
        !query.is_loose() || self.counts.held.iter().any(|held| *held > 0)
    }
}

/// Returns the places of `entries`, best first. What is equally good stays in the order given.
pub fn rank(query: &Query, statistics: &Statistics, entries: &[Entry<'_>]) -> Vec<usize> {
    let mut counting = Counting::of(query);
    let told: Vec<Told> = entries
        .iter()
        .map(|entry| Told::of(&mut counting, entry.text))
        .collect();
    rank_told(query, statistics, entries, &told.iter().collect::<Vec<_>>())
}

/// Returns the same as [`rank`]; `told` is what the query finds in each entry.
pub(crate) fn rank_told(
    query: &Query,
    statistics: &Statistics,
    entries: &[Entry<'_>],
    told: &[&Told],
) -> Vec<usize> {
    let names = context::names(query, entries);
    let mut scores = own_scores(&weights(query, statistics, &names, told), told);
    neighbours::follow_the_best(query, entries, told, &mut scores);
    context::flow(query, statistics, entries, told, &mut scores);
    let newest = entries.iter().map(|entry| entry.at_ms).max();
    for (score, entry) in scores.iter_mut().zip(entries) {
        *score *= context::likelihood(query, &names, entry);
        *score *= prior(entry, newest.unwrap_or_default());
    }
    prefer_time(query, entries, &mut scores);
    let mut order: Vec<_> = scores.into_iter().enumerate().collect();
    order.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    order.into_iter().map(|(place, _)| place).collect()
}

/// Prefers what is of the time that is asked about. Nothing is left out for its time.
fn prefer_time(query: &Query, entries: &[Entry<'_>], scores: &mut [f64]) {
    let Some(time) = query.time() else { return };
    let best = scores.iter().copied().fold(1.0, f64::max);
    for (score, entry) in scores.iter_mut().zip(entries) {
        if entry.is_of(&time) {
            *score *= OF_THE_TIME;
            if query.time_alone().is_some() {
                *score += best;
            }
        }
    }
}

/// Returns what one of each term is worth. What is ranked may hold more forms of a term than were
/// counted.
fn weights(
    query: &Query,
    statistics: &Statistics,
    names: &context::Names,
    told: &[&Told],
) -> Vec<f64> {
    let ranked = |term| {
        let holds = |told: &&&Told| told.counts.held.get(term).is_some_and(|held| *held > 0);
        told.iter().filter(holds).count() as u64
    };
    statistics
        .holding
        .iter()
        .take(query.terms().len())
        .enumerate()
        .map(|(term, holding)| {
            let holding = ranked(term).max(*holding);
            rarity(statistics.entries, holding) * query.weight(term) * names.weight(term)
        })
        .collect()
}

/// Returns what it is worth to hold a term, by its place, from how many entries there are and hold
/// it.
pub fn worth(query: &Query) -> impl Fn(usize, u64, u64) -> f64 + Sync {
    |term, all, holding| rarity(all, holding) * query.weight(term)
}

/// Returns the weight of what is in `holding` of `all`: never below zero.
fn rarity(all: u64, holding: u64) -> f64 {
    let (all, holding) = (all.max(holding) as f64, holding as f64);
    ((all - holding + 0.5) / (holding + 0.5)).ln_1p()
}

fn own_scores(weights: &[f64], told: &[&Told]) -> Vec<f64> {
    let total: u32 = told.iter().map(|told| told.counts.length).sum();
    let mean = f64::from(total.max(1)) / told.len().max(1) as f64;
    let score = |told: &&Told| {
        let length = f64::from(told.counts.length) / mean;
        let terms = weights.iter().zip(&told.counts.held);
        terms
            .map(|(weight, held)| weight * saturated(f64::from(*held), length, LENGTH))
            .sum()
    };
    told.iter().map(score).collect()
}

/// Returns the saturated weight of a term that occurs `held` times in a text that is `length` times
/// as long as the mean; `share` is the strength of the length normalisation.
fn saturated(held: f64, length: f64, share: f64) -> f64 {
    let room = SATURATION * (1.0 - share + share * length);
    held * (SATURATION + 1.0) / (held + room)
}

/// The age is measured from the newest entry, so a clock that went wrong does no harm.
fn prior(entry: &Entry<'_>, newest_ms: i64) -> f64 {
    let age = newest_ms.saturating_sub(entry.at_ms) as f64;
    let recent = 1.0 + RECENCY * (-age / RECENCY_HALVES_MS).exp2();
    match entry.kind {
        MemoryKind::Fact => recent * (1.0 + FACT * entry.importance),
        MemoryKind::Episode => recent,
    }
}

#[cfg(test)]
mod tests;
