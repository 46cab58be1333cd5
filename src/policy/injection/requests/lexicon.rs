//! The words of requests, as a table.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

const WORDS: &str = include_str!("../tables/words.toml");

/// What kind of thing is done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Verb {
    /// What the verb alone adds.
    pub weight: f32,
    /// Whether it only makes a text.
    pub composes: bool,
}

/// A verb that is in no table, behind a "please" or before "your answer".
pub(super) const UNKNOWN: Verb = Verb {
    weight: 0.2,
    composes: false,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    courtesies: HashSet<String>,
    pointers: HashSet<String>,
    technical: HashSet<String>,
    delivering: HashSet<String>,
    genres: HashSet<String>,
    verb: Vec<Verbs>,
    object: Vec<Objects>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Verbs {
    weight: f32,
    #[serde(default)]
    composes: bool,
    words: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Objects {
    words: Vec<String>,
}

/// The words, ready to be looked up.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    courtesies: HashSet<String>,
    pointers: HashSet<String>,
    technical: HashSet<String>,
    delivering: HashSet<String>,
    genres: HashSet<String>,
    verbs: HashMap<String, Verb>,
    /// The class of each object.
    objects: HashMap<String, usize>,
}

impl Lexicon {
    /// Returns the built-in words; none when they cannot be read, which a test rules out.
    pub(super) fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::load().unwrap_or_default());
        &BUILT_IN
    }

    /// Reads the built-in table.
    pub(super) fn load() -> Result<Self, toml::de::Error> {
        let table: Table = toml::from_str(WORDS)?;
        let mut lexicon = Self {
            courtesies: table.courtesies,
            pointers: table.pointers,
            technical: table.technical,
            delivering: table.delivering,
            genres: table.genres,
            ..Self::default()
        };
        for verbs in table.verb {
            let (weight, composes) = (verbs.weight, verbs.composes);
            let words = verbs.words.into_iter();
            lexicon
                .verbs
                .extend(words.map(|word| (word, Verb { weight, composes })));
        }
        for (class, objects) in table.object.into_iter().enumerate() {
            let words = objects.words.into_iter();
            lexicon.objects.extend(words.map(|word| (word, class)));
        }
        Ok(lexicon)
    }

    /// Returns what a word does.
    pub(super) fn verb(&self, word: &str) -> Option<Verb> {
        self.verbs.get(word).copied()
    }

    /// Returns whether "please" and this word ask a reader for something ordinary.
    pub(super) fn is_courtesy(&self, word: &str) -> bool {
        self.courtesies.contains(word)
    }

    /// Returns whether "please" and this word point a reader at something.
    pub(super) fn points(&self, word: &str) -> bool {
        self.pointers.contains(word)
    }

    /// Returns the class of things that a word belongs to, if it is one that matters.
    pub(super) fn object(&self, word: &str) -> Option<usize> {
        self.objects.get(word).copied()
    }

    /// Returns whether a word is of technical prose.
    pub(super) fn is_technical(&self, word: &str) -> bool {
        self.technical.contains(word)
    }

    /// Returns whether a word before "your answer" does not say how to answer.
    pub(super) fn is_delivering(&self, word: &str) -> bool {
        self.delivering.contains(word)
    }

    /// Returns whether a word is a kind of text.
    pub(super) fn is_genre(&self, word: &str) -> bool {
        self.genres.contains(word)
    }
}
