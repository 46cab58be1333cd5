//! Which languages a text may be written in, and which of their words say nothing.
//!
//! A script that one language of the list writes decides by itself, word by word. Among the
//! languages of the Latin script at least two pieces of evidence decide: two stop words, or one and
//! a letter that few languages have. One alone is a word of too many languages. Where nothing
//! decides, a text may be in any of them, and where English has as much evidence as others, it is
//! English.
//!
//! How words of these languages are brought together is in `forms.rs`.

mod forms;

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::LazyLock;

pub(crate) use self::forms::{Beginning, stem};
use super::bigrams::Run;
use super::letter_folding::fold;

/// The languages whose words of grammar are known; those of the Latin script first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// Dutch.
    Dutch,
    /// Swedish.
    Swedish,
    /// Danish.
    Danish,
    /// Norwegian.
    Norwegian,
    /// Finnish.
    Finnish,
    /// Hungarian.
    Hungarian,
    /// Spanish.
    Spanish,
    /// Portuguese.
    Portuguese,
    /// French.
    French,
    /// Italian.
    Italian,
    /// Romanian.
    Romanian,
    /// Turkish.
    Turkish,
    /// Polish, for which there is no stemmer.
    Polish,
    /// Czech, for which there is no stemmer.
    Czech,
    /// Russian, and what else is written in Cyrillic.
    Russian,
    /// Greek.
    Greek,
    /// Arabic.
    Arabic,
    /// Tamil.
    Tamil,
}

impl Language {
    /// How many there are.
    pub(crate) const COUNT: usize = Self::Tamil as usize + 1;
}

use Language::{
    Arabic, Czech, Danish, Dutch, English, Finnish, French, German, Greek, Hungarian, Italian,
    Norwegian, Polish, Portuguese, Romanian, Russian, Spanish, Swedish, Tamil, Turkish,
};

/// The languages of the Latin script, English first.
const LATIN: [Language; 16] = [
    English, German, Dutch, Swedish, Danish, Norwegian, Finnish, Hungarian, Spanish, Portuguese,
    French, Italian, Romanian, Turkish, Polish, Czech,
];
/// How the file of stop words calls the languages.
const CODES: [(&str, Language); 20] = [
    ("en", English),
    ("de", German),
    ("nl", Dutch),
    ("sv", Swedish),
    ("da", Danish),
    ("no", Norwegian),
    ("fi", Finnish),
    ("hu", Hungarian),
    ("es", Spanish),
    ("pt", Portuguese),
    ("fr", French),
    ("it", Italian),
    ("ro", Romanian),
    ("tr", Turkish),
    ("pl", Polish),
    ("cs", Czech),
    ("ru", Russian),
    ("uk", Russian),
    ("el", Greek),
    ("ar", Arabic),
];
/// Letters that few languages have.
const LETTERS: [(&str, &[Language]); 15] = [
    ("ß", &[German]),
    ("äÄ", &[German, Swedish, Finnish]),
    ("öÖ", &[German, Swedish, Finnish, Hungarian, Turkish]),
    ("üÜ", &[German, Hungarian, Turkish]),
    ("åÅ", &[Swedish, Danish, Norwegian]),
    ("øØæÆ", &[Danish, Norwegian]),
    ("őŐűŰ", &[Hungarian]),
    ("ñÑ¿¡", &[Spanish]),
    ("ãÃõÕ", &[Portuguese]),
    ("œŒêÊèÈ", &[French, Italian, Portuguese]),
    ("çÇ", &[French, Portuguese, Turkish]),
    ("ğĞıİ", &[Turkish]),
    ("şŞ", &[Turkish, Romanian]),
    ("ăĂțȚșȘ", &[Romanian]),
    ("łŁąĄęĘśŚżŻźŹ", &[Polish]),
];
/// Where all of these letters are.
const AMONG: RangeInclusive<char> = '¡'..='ț';
/// How many pieces of evidence decide.
const ENOUGH: u32 = 2;
/// The languages are so few that words of them are brought together as those of one.
const FEW: u32 = 4;

static STOP_WORDS: LazyLock<HashMap<String, Languages>> =
    LazyLock::new(|| read(include_str!("stop_words.txt")));

/// A set of languages, those that a text may be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Languages {
    members: u32,
    /// Whether that is so by evidence.
    is_decided: bool,
}

impl Languages {
    /// Returns the languages that the Latin words of a text may be in; `words` are its words,
    /// folded.
    fn of<'a>(text: &str, words: impl Iterator<Item = &'a str>) -> Self {
        let mut evidence = [0; LATIN.len()];
        let mut seen = HashSet::new();
        for word in words {
            let Some(languages) = STOP_WORDS.get(word) else {
                continue;
            };
            if seen.insert(word) {
                count(&mut evidence, *languages);
            }
        }
        let by_letters = by_letters(text);
        if let Some(languages) = by_letters {
            count(&mut evidence, languages);
        }
        let best = evidence.iter().copied().max().unwrap_or_default();
        if best < ENOUGH {
            return by_letters.unwrap_or_else(Self::any_latin);
        }
        let [english, ..] = evidence;
        if english == best {
            return Self::only(English).decided();
        }
        let languages = LATIN.iter().zip(evidence);
        languages
            .filter(|(_, evidence)| *evidence == best)
            .map(|(language, _)| Self::only(*language))
            .fold(Self::default(), Self::or)
            .decided()
    }

    /// Returns the languages that the Latin words of a text may be in, told of its runs.
    pub(crate) fn of_runs(text: &str, runs: &[(Run, String)]) -> Self {
        let words = runs.iter().filter_map(|(run, _)| match run {
            Run::Word(word) => Some(word.as_str()),
            Run::Characters(_) => None,
        });
        Self::of(text, words)
    }

    /// Returns the languages that a word of a text in these may be in; a script may
    /// decide that.
    pub(crate) fn of_word(self, word: &str) -> Self {
        match word.chars().find_map(by_script) {
            Some(language) => Self::only(language).decided(),
            None if word.chars().any(|letter| letter.is_ascii_lowercase()) => self,
            None => Self::default(),
        }
    }

    /// Returns the languages that are in both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            members: self.members & other.members,
            is_decided: self.is_decided || other.is_decided,
        }
    }

    /// Returns whether it is known that these are the languages and no others.
    pub(crate) fn is_decided(self) -> bool {
        self.is_decided
    }

    /// Returns whether it is known to be English.
    pub(crate) fn is_english(self) -> bool {
        self.is_decided && self.members == Self::only(English).members
    }

    /// Returns whether the languages are few.
    pub(crate) fn are_few(self) -> bool {
        self.members.count_ones() <= FEW
    }

    /// Returns whether a folded word says nothing in the languages that are decided.
    pub(crate) fn is_stop_word(self, word: &str) -> bool {
        let here = self.of_word(word);
        here.is_decided
            && !here.is_english()
            && STOP_WORDS
                .get(word)
                .is_some_and(|there| there.members & here.members != 0)
    }

    /// Returns each of them but English, whose forms count in every text.
    pub(crate) fn but_english(self) -> impl Iterator<Item = Language> {
        let others = LATIN.into_iter().skip(1);
        let others = others.chain([Russian, Greek, Arabic, Tamil]);
        others.filter(move |language| self.has(*language))
    }

    /// Returns all of them.
    pub(crate) fn any() -> Self {
        Self {
            members: u32::MAX,
            is_decided: false,
        }
    }

    /// Returns whether it is one of them.
    pub(crate) fn has(self, language: Language) -> bool {
        self.members & Self::only(language).members != 0
    }

    fn only(language: Language) -> Self {
        Self {
            members: 1 << language as u32,
            is_decided: false,
        }
    }

    fn any_latin() -> Self {
        let each = LATIN.into_iter().map(Self::only);
        each.fold(Self::default(), Self::or)
    }

    fn or(self, other: Self) -> Self {
        Self {
            members: self.members | other.members,
            is_decided: self.is_decided,
        }
    }

    fn decided(self) -> Self {
        Self {
            is_decided: true,
            ..self
        }
    }
}

fn count(evidence: &mut [u32; LATIN.len()], languages: Languages) {
    for (language, evidence) in LATIN.into_iter().zip(evidence) {
        *evidence += u32::from(languages.has(language));
    }
}

/// Returns the languages that have all the letters of a text that few languages have; `None` where
/// there is no such letter, or no such language.
fn by_letters(text: &str) -> Option<Languages> {
    if text.is_ascii() {
        return None;
    }
    let mut is_there = [false; LETTERS.len()];
    for letter in text.chars().filter(|letter| AMONG.contains(letter)) {
        for (is_there, (letters, _)) in is_there.iter_mut().zip(LETTERS) {
            *is_there |= letters.contains(letter);
        }
    }
    let mut narrowed: Option<Languages> = None;
    for (is_there, (_, languages)) in is_there.into_iter().zip(LETTERS) {
        if is_there {
            let each = languages.iter().map(|language| Languages::only(*language));
            let these = each.fold(Languages::default(), Languages::or);
            narrowed = Some(narrowed.map_or(these, |narrowed| narrowed.and(these)));
        }
    }
    narrowed.filter(|languages| languages.members != 0)
}

/// Returns the language that alone is written in the script of a letter.
fn by_script(letter: char) -> Option<Language> {
    match u32::from(letter) {
        0x370..=0x3ff | 0x1f00..=0x1fff => Some(Greek),
        0x400..=0x52f => Some(Russian),
        0x600..=0x6ff | 0x750..=0x77f => Some(Arabic),
        0xb80..=0xbff => Some(Tamil),
        _ => None,
    }
}

fn read(lists: &str) -> HashMap<String, Languages> {
    let mut words: HashMap<String, Languages> = HashMap::new();
    let mut language = None;
    for line in lists.lines().filter(|line| !line.starts_with('#')) {
        let (code, listed) = line.split_once(':').unwrap_or(("", line));
        let named = CODES.iter().find(|(other, _)| *other == code);
        language = named.map(|(_, language)| *language).or(language);
        let Some(language) = language else { continue };
        for word in listed.split_whitespace() {
            let known = words.entry(folded(word)).or_default();
            *known = known.or(Languages::only(language));
        }
    }
    words
}

fn folded(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for character in word.chars() {
        fold(character, |character| folded.push(character));
    }
    folded
}

#[cfg(test)]
mod tests;
