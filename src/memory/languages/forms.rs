//! What brings the forms of a word together: the stems of Snowball for the languages that it knows,
//! and for the rest how much of their spelling two words share.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization as _;

use super::{Language, folded};

/// The shortest words that are compared by their spelling, in characters.
const SHORTEST: usize = 4;
/// The shortest beginning that is looked for.
const SHORTEST_BEGINNING: usize = 3;
/// How much of their trigrams two words must share, as Dice's coefficient: `katze` and `katzen`
/// share 0.91, `кошка` and `кошке` 0.8, `gato` and `gather` 0.6, `house` and `horse` 0.4.
const ALIKE: f64 = 0.65;

/// Returns the stem of a word, in one spelling; `None` where no stemmer knows the language.
///
/// `spelling` is the word as it was written: endings have accents that a folded word lacks.
pub(crate) fn stem(language: Language, spelling: &str) -> Option<String> {
    let stemmer = Stemmer::create(algorithm(language)?);
    let mut word: String = spelling.nfc().flat_map(char::to_lowercase).collect();
    if language == Language::Russian {
        word = word.replace('ё', "е");
    }
    let stem: Cow<'_, str> = stemmer.stem(&word);
    Some(folded(&stem)).filter(|stem| !stem.is_empty())
}

fn algorithm(language: Language) -> Option<Algorithm> {
    Some(match language {
        Language::English => Algorithm::English,
        Language::German => Algorithm::German,
        Language::Dutch => Algorithm::Dutch,
        Language::Swedish => Algorithm::Swedish,
        Language::Danish => Algorithm::Danish,
        Language::Norwegian => Algorithm::Norwegian,
        Language::Finnish => Algorithm::Finnish,
        Language::Hungarian => Algorithm::Hungarian,
        Language::Spanish => Algorithm::Spanish,
        Language::Portuguese => Algorithm::Portuguese,
        Language::French => Algorithm::French,
        Language::Italian => Algorithm::Italian,
        Language::Romanian => Algorithm::Romanian,
        Language::Turkish => Algorithm::Turkish,
        Language::Russian => Algorithm::Russian,
        Language::Greek => Algorithm::Greek,
        Language::Arabic => Algorithm::Arabic,
        Language::Tamil => Algorithm::Tamil,
        Language::Polish | Language::Czech => return None,
    })
}

/// The beginning of a word, for words that are spelt like it.
#[derive(Debug)]
pub(crate) struct Beginning {
    letters: String,
    trigrams: BTreeSet<[char; 3]>,
}

impl Beginning {
    /// Returns the beginning of a folded word; `None` of a short one, and of a number.
    pub(crate) fn of(word: &str) -> Option<Self> {
        let length = word.chars().count();
        if length < SHORTEST || word.chars().any(char::is_numeric) {
            return None;
        }
        let kept = (length * 3 / 5).max(SHORTEST_BEGINNING);
        Some(Self {
            letters: word.chars().take(kept).collect(),
            trigrams: trigrams(word),
        })
    }

    /// Returns the letters that words like it are looked for by.
    pub(crate) fn letters(&self) -> &str {
        &self.letters
    }

    /// Returns whether a folded word begins so.
    pub(crate) fn begins(&self, word: &str) -> bool {
        word.starts_with(self.letters.as_str())
    }

    /// Returns whether a folded word is spelt like it.
    pub(crate) fn is_like(&self, word: &str) -> bool {
        if !self.begins(word) {
            return false;
        }
        let others = trigrams(word);
        let shared = self.trigrams.intersection(&others).count() as f64;
        2.0 * shared >= ALIKE * (self.trigrams.len() + others.len()) as f64
    }
}

/// Returns each three letters in a row; the first letter stands behind two blanks.
fn trigrams(word: &str) -> BTreeSet<[char; 3]> {
    let mut last = [' ', ' '];
    let mut trigrams = BTreeSet::new();
    for letter in word.chars() {
        let [before, there] = last;
        trigrams.insert([before, there, letter]);
        last = [there, letter];
    }
    trigrams
}
