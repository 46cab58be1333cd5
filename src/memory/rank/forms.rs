//! Which words are forms of the terms of a query in other languages than English.
//!
//! A stem counts as the word itself where one of the two texts tells which language it is in. Words
//! that are only spelt alike are hints: they lead to what no stemmer brings together, and to other
//! words.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::super::languages::{Beginning, Language, Languages, stem};

/// How many words of a query are looked for by their beginnings, too.
const BEGINNINGS: usize = 24;
/// The shortest stem that words are looked for by, in characters.
const SHORTEST_STEM: usize = 3;
/// What a term ends with that is the beginning of words.
pub(super) const AND_SO_ON: char = '*';

/// The forms of the terms of a query.
pub(super) struct Forms {
    /// The languages that the query may be in.
    pub languages: Languages,
    /// Of words whose language is known.
    by_stem: HashMap<(Language, String), usize>,
    /// Words that may be of many languages.
    undecided: Undecided,
    beginnings: Vec<Hint>,
}

/// Words of a query that may be of many languages, with the place of the term of each. They are
/// stemmed in a language when a text is in it: most texts are in none of them.
#[derive(Default)]
struct Undecided {
    words: Vec<(Languages, String, usize)>,
    by_language: [OnceLock<HashMap<String, usize>>; Language::COUNT],
}

impl Undecided {
    /// Returns the terms by their stems in a language.
    fn stems(&self, language: Language) -> Option<&HashMap<String, usize>> {
        let stems = self.by_language.get(language as usize)?;
        Some(stems.get_or_init(|| {
            let mut by_stem = HashMap::new();
            for (languages, spelling, term) in &self.words {
                if languages.has(language)
                    && let Some(stem) = stem(language, spelling)
                {
                    by_stem.entry(stem).or_insert(*term);
                }
            }
            by_stem
        }))
    }

    fn held(&self, language: Language, stem: &str) -> Option<usize> {
        if self.words.is_empty() {
            return None;
        }
        self.stems(language)?.get(stem).copied()
    }
}

/// What leads to words that are spelt like one of the query.
struct Hint {
    beginning: Beginning,
    /// The place of the word among the terms.
    word: usize,
    /// The place of the hint.
    place: usize,
}

impl Forms {
    /// Returns those of a query in these languages, of which nothing is known yet.
    pub(super) fn new(languages: Languages) -> Self {
        Self {
            languages,
            by_stem: HashMap::new(),
            undecided: Undecided::default(),
            beginnings: Vec::new(),
        }
    }

    /// Returns the term that a word of the query is another form of, where its language is known.
    pub(super) fn same_as(&self, word: &str, spelling: &str) -> Option<usize> {
        let here = self.languages.of_word(word);
        let mut languages = here.but_english().filter(|_| here.is_decided());
        languages.find_map(|language| self.held(language, spelling))
    }

    /// Adds the forms of a term, and returns the beginning that it is to be looked for by, if by
    /// one.
    pub(super) fn add(&mut self, word: &str, spelling: &str, term: usize) -> Option<String> {
        let here = self.languages.of_word(word);
        if !here.is_decided() {
            let spelling = spelling.to_owned();
            self.undecided.words.push((here, spelling, term));
            return None;
        }
        let mut shared = Some(word.len());
        for language in here.but_english() {
            let Some(stem) = stem(language, spelling) else {
                shared = None;
                continue;
            };
            shared = shared.map(|shared| shared.min(same_beginning(word, &stem)));
            self.by_stem.entry((language, stem)).or_insert(term);
        }
        let beginning = word.get(..shared.filter(|_| !here.is_english())?)?;
        let is_long = beginning.chars().count() >= SHORTEST_STEM;
        is_long.then(|| format!("{beginning}{AND_SO_ON}"))
    }

    /// Has words that are spelt like a term, the one at `word`, count as the hint at `place`;
    /// returns what is looked for. `None` of a word that must be the same.
    pub(super) fn add_beginning(
        &mut self,
        term: &str,
        word: usize,
        place: usize,
    ) -> Option<String> {
        let here = self.languages.of_word(term);
        if here.is_english() || here == Languages::default() || self.beginnings.len() == BEGINNINGS
        {
            return None;
        }
        let beginning = Beginning::of(term)?;
        let letters = format!("{}{AND_SO_ON}", beginning.letters());
        self.beginnings.push(Hint {
            beginning,
            word,
            place,
        });
        Some(letters)
    }

    /// Returns the place of the word that a hint is spelt like.
    pub(super) fn word_of(&self, place: usize) -> Option<usize> {
        let mut hints = self.beginnings.iter();
        hints.find(|hint| hint.place == place).map(|hint| hint.word)
    }

    /// Returns which term a word is a form of; `languages` are those of both texts.
    pub(super) fn term_of(
        &self,
        word: &str,
        spelling: &str,
        languages: Languages,
    ) -> Option<usize> {
        let has_stems = !self.by_stem.is_empty() || !self.undecided.words.is_empty();
        if !has_stems && self.beginnings.is_empty() {
            return None;
        }
        let here = languages.of_word(word);
        let mut by_stem = here.but_english().filter(|_| here.are_few());
        let term = by_stem.find_map(|language| self.held(language, spelling));
        let has_stem_of = |term: usize| {
            let mut languages = here.but_english();
            languages.any(|language| self.held(language, spelling) == Some(term))
        };
        let leads_here = |hint: &&Hint| {
            hint.beginning.begins(word) && (hint.beginning.is_like(word) || has_stem_of(hint.word))
        };
        let hint = || {
            let mut hints = self.beginnings.iter().filter(|_| !here.is_english());
            hints.find(leads_here)
        };
        term.or_else(|| hint().map(|hint| hint.place))
    }

    /// Returns each stem with its language, and the place of its term.
    pub(super) fn stems(&self) -> impl Iterator<Item = (Language, &str, usize)> {
        let known = self.by_stem.iter();
        let known = known.map(|((language, stem), term)| (*language, stem.as_str(), *term));
        let may_be = Languages::any().but_english().flat_map(|language| {
            let stems = self.undecided.stems(language).into_iter().flatten();
            stems.map(move |(stem, term)| (language, stem.as_str(), *term))
        });
        known.chain(may_be)
    }

    fn held(&self, language: Language, spelling: &str) -> Option<usize> {
        let stem = stem(language, spelling)?;
        let undecided = || self.undecided.held(language, &stem);
        // A word of a script that one language writes is of no other.
        let known = self.by_stem.get(&(language, stem.clone())).copied();
        known.or_else(undecided)
    }
}

/// Returns how many bytes two words have in common from their beginnings on.
fn same_beginning(one: &str, other: &str) -> usize {
    let letters = one.char_indices().zip(other.chars());
    let differing = letters.clone().find(|((_, one), other)| one != other);
    differing.map_or(one.len().min(other.len()), |((place, _), _)| place)
}
