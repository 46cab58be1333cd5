//! BM25 as the books have it, over whole files.

use std::collections::{BTreeMap, HashMap};

const SATURATION: f64 = 1.2;
const LENGTH_SHARE: f64 = 0.75;

/// What is a letter of a word.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Words {
    /// Letters and digits.
    CutAtUnderscores,
    /// Letters, digits and underscores.
    WholeIdentifiers,
}

/// The files and how often each word is in them.
pub(crate) struct Bm25 {
    words: Words,
    files: BTreeMap<String, File>,
}

struct File {
    counts: HashMap<String, f64>,
    length: f64,
}

impl Bm25 {
    pub(crate) fn new(words: Words) -> Self {
        Self {
            words,
            files: BTreeMap::new(),
        }
    }

    pub(crate) fn put(&mut self, path: &str, content: &[u8]) {
        let text = String::from_utf8_lossy(content);
        let counts = self.counts(&text);
        let length = counts.values().sum();
        self.files.insert(path.to_owned(), File { counts, length });
    }

    pub(crate) fn remove(&mut self, path: &str) {
        self.files.remove(path);
    }

    /// Returns the files with a word of the text, the best first.
    pub(crate) fn ranked(&self, text: &str) -> Vec<&str> {
        let count = self.files.len() as f64;
        let total: f64 = self.files.values().map(|file| file.length).sum();
        let mean = total / count;
        let words = self.counts(text);
        let weights = words.keys().map(|word| {
            let having = self
                .files
                .values()
                .filter(|file| file.counts.contains_key(word));
            let having = having.count() as f64;
            (word, (1.0 + (count - having + 0.5) / (having + 0.5)).ln())
        });
        let mut weights: Vec<(&String, f64)> = weights.collect();
        weights.sort_by(|one, other| one.0.cmp(other.0));
        let score = |file: &File| -> f64 {
            let length = 1.0 - LENGTH_SHARE + LENGTH_SHARE * file.length / mean;
            let parts = weights.iter().map(|(word, weight)| {
                let count = file.counts.get(*word).copied().unwrap_or_default();
                weight * count * (SATURATION + 1.0) / (count + SATURATION * length)
            });
            parts.sum()
        };
        let mut scored: Vec<(f64, &str)> = self
            .files
            .iter()
            .map(|(path, file)| (score(file), path.as_str()))
            .filter(|(score, _)| *score > 0.0)
            .collect();
        scored.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
        scored.into_iter().map(|(_, path)| path).collect()
    }

    fn counts(&self, text: &str) -> HashMap<String, f64> {
        let mut counts = HashMap::new();
        let is_inside = |letter: char| {
            letter.is_alphanumeric()
                || (letter == '_' && matches!(self.words, Words::WholeIdentifiers))
        };
        for word in text.split(|letter| !is_inside(letter)) {
            if !word.is_empty() {
                *counts.entry(word.to_lowercase()).or_insert(0.0) += 1.0;
            }
        }
        counts
    }
}
