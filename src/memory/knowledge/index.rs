//! The words of all passages, and which passages answer a query.

use std::collections::{BTreeSet, HashMap};

use rust_stemmers::{Algorithm, Stemmer};
use sayso_core::transcript::PassageId;

use super::Passage;
use crate::MemoryKind;
use crate::bigrams::{Run, is_stop_word, spelled_runs};
use crate::languages::{Language, Languages, stem};
use crate::rank::{Entry, Query, Statistics, rank};

/// The most passages that one query ranks: those with its rarest words.
const CANDIDATES: usize = 100;
/// The number of words of a query that a passage must contain to be returned, or else a share of
/// them. A passage that shares one word with a long question is mostly irrelevant, and would cost
/// prompt space in every turn.
const ENOUGH_WORDS: usize = 3;
/// The share is one fifth of the words of the query.
const ENOUGH_SHARE: usize = 5;

/// Passages with their words.
#[derive(Debug, Default)]
pub(super) struct Index {
    passages: Vec<Passage>,
    /// What is searched of each: its file, its headings, its text.
    searched: Vec<String>,
    /// Which passages hold a word, in their order.
    holding: HashMap<String, Vec<usize>>,
}

impl Index {
    /// Returns the index of these passages.
    pub(super) fn of(passages: Vec<Passage>) -> Self {
        let searched: Vec<String> = passages.iter().map(searched).collect();
        let stemmer = Stemmer::create(Algorithm::English);
        let mut holding: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, text) in searched.iter().enumerate() {
            let words: BTreeSet<String> = keys(text, &stemmer).into_iter().collect();
            for word in words {
                holding.entry(word).or_default().push(place);
            }
        }
        Self {
            passages,
            searched,
            holding,
        }
    }

    /// Returns how many passages there are.
    pub(super) fn len(&self) -> usize {
        self.passages.len()
    }

    /// Returns the passages that match a query best, best first, at most `limit`.
    pub(super) fn search(&self, query: &str, limit: usize) -> Vec<Passage> {
        if self.passages.is_empty() {
            return Vec::new();
        }
        let asked = Query::new(query);
        let held = self.held(&asked);
        let statistics = Statistics {
            entries: self.passages.len() as u64,
            holding: held.iter().map(|places| places.len() as u64).collect(),
            ..Statistics::default()
        };
        let places = candidates(&asked, &held);
        let entries: Vec<_> = places.iter().filter_map(|it| self.entry(*it)).collect();
        rank(&asked, &statistics, &entries)
            .into_iter()
            .take(limit)
            .filter_map(|rank| self.passages.get(*places.get(rank)?).cloned())
            .collect()
    }

    /// Returns those of these passages that are there, in this order.
    pub(super) fn named(&self, names: &[PassageId]) -> Vec<Passage> {
        let named = |name: &PassageId| {
            self.passages
                .iter()
                .find(|passage| passage.id == *name)
                .cloned()
        };
        names.iter().filter_map(named).collect()
    }

    /// Returns which passages hold each term.
    fn held(&self, asked: &Query) -> Vec<BTreeSet<usize>> {
        let stemmer = Stemmer::create(Algorithm::English);
        let places = |key: &String| self.holding.get(key).into_iter().flatten().copied();
        let terms = asked.terms().iter().enumerate();
        let of_term = |(place, term): (usize, &String)| {
            let mut keys: Vec<String> = keys(term, &stemmer).pop().into_iter().collect();
            let stems = asked.stems().filter(|(_, _, other)| *other == place);
            keys.extend(stems.map(|(language, stem, _)| key(language, stem)));
            keys.iter().flat_map(places).collect()
        };
        terms.map(of_term).collect()
    }

    fn entry(&self, place: usize) -> Option<Entry<'_>> {
        Some(Entry {
            text: self.searched.get(place)?,
            at_ms: 0,
            kind: MemoryKind::Fact,
            importance: 1.0,
            holds: None,
            said: None,
        })
    }
}

/// Returns the places of passages that hold enough of the query, at most [`CANDIDATES`]: those that
/// hold most of it.
fn candidates(asked: &Query, held: &[BTreeSet<usize>]) -> Vec<usize> {
    let mut words: HashMap<usize, usize> = HashMap::new();
    let mut asked_words = 0;
    for (term, places) in held.iter().enumerate() {
        // A hint alone is no reason to show anything.
        if !asked.is_word(term) {
            continue;
        }
        asked_words += 1;
        for place in places {
            *words.entry(*place).or_default() += 1;
        }
    }
    let is_enough = |held: usize| held >= ENOUGH_WORDS || held * ENOUGH_SHARE >= asked_words;
    let mut places: Vec<_> = words
        .into_iter()
        .filter(|(_, held)| is_enough(*held))
        .collect();
    places.sort_by_key(|(place, held)| (std::cmp::Reverse(*held), *place));
    places.truncate(CANDIDATES);
    places.into_iter().map(|(place, _)| place).collect()
}

fn searched(passage: &Passage) -> String {
    let file = passage.source.trim_end_matches(".md");
    let file = file.rsplit('/').next().unwrap_or(file);
    format!("{file}\n{}\n{}", passage.heading, passage.text)
}

/// Returns the words of a text in one form each, and in that of its language; of a script without
/// spaces, characters and pairs. The last is the longest that the end of the text gives.
fn keys(text: &str, stemmer: &Stemmer) -> Vec<String> {
    let runs = spelled_runs(text);
    let languages = Languages::of_runs(text, &runs);
    let mut keys = Vec::new();
    for (run, spelling) in runs {
        match run {
            Run::Word(word) if is_stop_word(&word) => {}
            Run::Word(word) => {
                let here = languages.of_word(&word);
                let stems = here.but_english().filter(|_| here.are_few());
                keys.extend(stems.filter_map(|it| Some(key(it, &stem(it, &spelling)?))));
                keys.push(stemmer.stem(&word).into_owned());
            }
            Run::Characters(characters) => {
                keys.extend(characters.iter().map(char::to_string));
                keys.extend(
                    characters
                        .windows(2)
                        .map(|pair| pair.iter().collect::<String>()),
                );
            }
        }
    }
    keys
}

/// Returns what stands for a stem of a language: no word of a text, which has no blank.
fn key(language: Language, stem: &str) -> String {
    format!("{language:?} {stem}")
}
