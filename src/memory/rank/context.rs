//! What the place of an entry adds to its words.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::bigrams::{Run, runs};
use super::query::Query;
use super::{Entry, Statistics, Told, rarity, saturated};

/// How much of the best own score the best stretch gives to each of its entries: a question is
/// about something, and a stretch that speaks of it often holds the answer in other words.
const STRETCH: f64 = 0.3;
/// How much a long stretch has to make up for: the usual value of BM25, since here the more words
/// really are the more chances.
const STRETCH_LENGTH: f64 = 0.75;
/// How much of its score an entry gives to the next one, which answers it.
const TO_NEXT: f64 = 0.45;
/// How much it gives to the one before, which asked for it.
const TO_PREVIOUS: f64 = 0.25;
/// What a question is worth, which asks for what others tell.
const QUESTION: f64 = 0.85;
/// What an entry that tells a time is worth when a time is asked for.
const TELLS_TIME: f64 = 1.2;
/// What an entry is worth that was said by the one speaker who is named.
const SPEAKER: f64 = 1.3;
/// What the name of a speaker is worth as a word: people seldom say their own name.
const NAME: f64 = 0.5;

/// English words that tell a time, in order.
const TIME_WORDS: [&str; 44] = [
    "afternoon",
    "ago",
    "april",
    "august",
    "autumn",
    "before",
    "december",
    "evening",
    "fall",
    "february",
    "friday",
    "january",
    "july",
    "june",
    "last",
    "march",
    "may",
    "monday",
    "month",
    "months",
    "morning",
    "next",
    "november",
    "october",
    "recently",
    "saturday",
    "september",
    "since",
    "spring",
    "summer",
    "sunday",
    "thursday",
    "today",
    "tomorrow",
    "tonight",
    "tuesday",
    "wednesday",
    "week",
    "weekend",
    "weeks",
    "winter",
    "year",
    "years",
    "yesterday",
];
/// Chinese words that tell a time.
const TIME_WORDS_CHINESE: [&str; 30] = [
    "今天",
    "昨天",
    "前天",
    "明天",
    "后天",
    "今年",
    "去年",
    "前年",
    "明年",
    "上周",
    "本周",
    "下周",
    "上个月",
    "这个月",
    "下个月",
    "月底",
    "月初",
    "星期",
    "礼拜",
    "周末",
    "早上",
    "上午",
    "中午",
    "下午",
    "晚上",
    "春天",
    "夏天",
    "秋天",
    "冬天",
    "最近",
];
/// What follows a number that is a time in Chinese.
const TIME_UNITS_CHINESE: &str = "年月日号点时周天";
/// Years that a word of digits may be.
const YEARS: std::ops::Range<u32> = 1900..2100;

/// Which terms of a query name speakers.
pub(super) struct Names {
    terms: HashSet<usize>,
    /// The name of the speaker, if exactly one is named.
    only: Option<String>,
}

impl Names {
    /// Returns what is to be made of the weight of a term.
    pub(super) fn weight(&self, term: usize) -> f64 {
        if self.terms.contains(&term) {
            NAME
        } else {
            1.0
        }
    }
}

/// Returns which speakers of these entries a query names.
pub(super) fn names(query: &Query, entries: &[Entry<'_>]) -> Names {
    let speakers: HashSet<&str> = entries
        .iter()
        .filter_map(|entry| entry.said.map(|said| said.speaker))
        .collect();
    let mut terms = HashSet::new();
    let mut named = Vec::new();
    for speaker in speakers {
        let counts = query.count(speaker).held.into_iter().enumerate();
        let held: Vec<_> = counts
            .filter(|(term, count)| *count > 0 && query.is_word(*term))
            .map(|(term, _)| term)
            .collect();
        if !held.is_empty() {
            named.push(speaker.to_owned());
        }
        terms.extend(held);
    }
    Names {
        terms,
        only: (named.len() == 1).then(|| named.pop()).flatten(),
    }
}

/// Adds what flows in from the stretch and from the neighbours of each entry.
pub(super) fn flow(
    query: &Query,
    statistics: &Statistics,
    entries: &[Entry<'_>],
    told: &[&Told],
    scores: &mut [f64],
) {
    let best_score = scores.iter().copied().fold(0.0, f64::max);
    let stretches = stretch_scores(query, statistics, entries, told);
    let best_stretch = stretches.values().copied().fold(0.0, f64::max);
    if best_score <= 0.0 || best_stretch <= 0.0 {
        return;
    }
    let mut places = HashMap::new();
    for (score, entry) in scores.iter_mut().zip(entries) {
        if let Some(said) = &entry.said {
            let stretch = stretches.get(&said.stretch).copied().unwrap_or_default();
            *score += STRETCH * best_score * stretch / best_stretch;
            places.insert((said.stretch, said.place), *score);
        }
    }
    for (score, entry) in scores.iter_mut().zip(entries) {
        if let Some(said) = &entry.said {
            let at = |place| places.get(&(said.stretch, place)).copied().unwrap_or(0.0);
            *score += TO_NEXT * at(said.place - 1) + TO_PREVIOUS * at(said.place + 1);
        }
    }
}

/// Returns the score of each stretch, as if all that was said in it were one text. Its length is
/// counted in entries, which needs no reading of those that hold none of the terms.
fn stretch_scores(
    query: &Query,
    statistics: &Statistics,
    entries: &[Entry<'_>],
    told: &[&Told],
) -> BTreeMap<i64, f64> {
    let mut held: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
    for (entry, told) in entries.iter().zip(told) {
        if let Some(said) = &entry.said {
            let sums = held
                .entry(said.stretch)
                .or_insert_with(|| vec![0; told.counts.held.len()]);
            for (sum, held) in sums.iter_mut().zip(&told.counts.held) {
                *sum += held;
            }
        }
    }
    let (counted, lines) = statistics.all_stretches;
    let all = counted.max(statistics.stretches.len().max(held.len()) as u64);
    let said = lines.max(statistics.stretches.values().sum());
    let mean = said.max(1) as f64 / all.max(1) as f64;
    let weights: Vec<f64> = (0..query.terms().len())
        .map(|term| {
            let holds = |sums: &&Vec<u32>| sums.get(term).is_some_and(|sum| *sum > 0);
            let holding = held.values().filter(holds).count() as u64;
            rarity(all, holding) * query.weight(term)
        })
        .collect();
    let score = |(stretch, sums): (i64, Vec<u32>)| {
        let lines = statistics.stretches.get(&stretch).copied().unwrap_or(1);
        let length = lines as f64 / mean;
        let terms = weights.iter().zip(&sums);
        let score = terms
            .map(|(weight, sum)| weight * saturated(f64::from(*sum), length, STRETCH_LENGTH))
            .sum();
        (stretch, score)
    };
    held.into_iter().map(score).collect()
}

/// Returns how likely such an entry is to be an answer, beside its words.
pub(super) fn likelihood(query: &Query, names: &Names, entry: &Entry<'_>) -> f64 {
    let mut likelihood = 1.0;
    if entry.text.trim_end().ends_with(['?', '？']) {
        likelihood *= QUESTION;
    }
    if query.asks_when() && tells_time(entry.text) {
        likelihood *= TELLS_TIME;
    }
    if names.only.is_some() && entry.said.map(|said| said.speaker) == names.only.as_deref() {
        likelihood *= SPEAKER;
    }
    likelihood
}

fn tells_time(text: &str) -> bool {
    runs(text).windows(2).any(is_counted_time)
        || runs(text).iter().any(|run| match run {
            Run::Word(word) => is_time_word(word),
            Run::Characters(characters) => {
                let run: String = characters.iter().collect();
                TIME_WORDS_CHINESE.iter().any(|word| run.contains(word))
            }
        })
}

fn is_time_word(word: &str) -> bool {
    TIME_WORDS.binary_search(&word).is_ok()
        || word.parse::<u32>().is_ok_and(|year| YEARS.contains(&year))
}

/// Returns whether it is a number and a unit of time, as `3月`.
fn is_counted_time(runs: &[Run]) -> bool {
    match runs {
        [Run::Word(number), Run::Characters(unit)] => {
            number.bytes().all(|byte| byte.is_ascii_digit())
                && unit
                    .first()
                    .is_some_and(|unit| TIME_UNITS_CHINESE.contains(*unit))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{TIME_WORDS, tells_time};

    #[track_caller]
    fn check(text: &str, expected: bool) {
        assert_eq!(tells_time(text), expected, "{text:?}");
    }

    #[test]
    fn times_are_told_in_english_and_chinese() {
        check("I saw her last week", true);
        check("we moved in 2019", true);
        check("他3月搬家", true);
        check("我昨天买的", true);
        check("昨天我買了", true);
        check("I like tea", false);
        check("room 4711", false);
        check("他有3只猫", false);
    }

    #[test]
    fn words_for_times_are_in_order() {
        assert!(TIME_WORDS.is_sorted());
    }
}
