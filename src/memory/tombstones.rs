//! What was forgotten does not come back: a tombstone keeps the words of a text as hashes under a
//! key of its owner, each word for itself.
//!
//! A tombstone suppresses a text that says all of what was forgotten, or nothing but a part of it.
//! The order, the endings and the spelling of the words do not matter (`letter_folding.rs`), nor does how
//! the person is named: "I", "the user". A text of a few words is too unspecific for that and must
//! have the same words.
//!
//! What this protects: the forgotten text cannot be read from the database, from a dump of the
//! table or from an export; equal words of two people have different hashes; and without the key no
//! word can be guessed. What it does not protect: the key is in the same database. Someone with
//! access to all of it can try words one by one, as they can read everything else there. Erasing a
//! person erases the key.

use std::collections::BTreeSet;

use rust_stemmers::{Algorithm, Stemmer};
use sayso_core::transcript::Owner;
use sayso_store::learned_facts::SaidRow;
use sayso_store::tombstones::{self, Covering, HashedWords};
use sayso_store::{StoreError, Tx};
use sha2::{Digest as _, Sha256};

use super::bigrams::{Run, is_stop_character, is_stop_word, runs};

/// How many bytes a key has.
const KEY_BYTES: usize = 32;
/// The most words of a text that count: more than a line of the transcript has.
const MOST_WORDS: usize = 4_000;
/// How much words must say to be told among others, where a word says as much as two characters of
/// a script that writes no words apart.
const TELLING: usize = 4;
/// Who facts are said of, folded.
const SUBJECTS: [&str; 2] = ["user", "users"];
/// The same where no words are written apart.
const SUBJECTS_CHINESE: [[char; 2]; 1] = [['用', '户']];

/// The words of a text that must not come back.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Words {
    words: BTreeSet<String>,
    is_telling: bool,
}

impl Words {
    /// Returns the words of a text.
    pub(crate) fn of(text: &str) -> Self {
        let stemmer = Stemmer::create(Algorithm::English);
        let mut words = BTreeSet::new();
        let mut says = 0;
        for run in runs(text) {
            match run {
                Run::Word(word) if is_stop_word(&word) || SUBJECTS.contains(&word.as_str()) => {}
                Run::Word(word) => {
                    says += 2 * usize::from(words.insert(stemmer.stem(&word).into()));
                }
                Run::Characters(characters) => {
                    for character in without_subjects(&characters) {
                        says += usize::from(words.insert(character.to_string()));
                    }
                }
            }
            if words.len() >= MOST_WORDS {
                break;
            }
        }
        if words.is_empty() && !text.trim().is_empty() {
            words.insert(text.trim().to_lowercase());
        }
        Self {
            words,
            is_telling: says >= TELLING,
        }
    }

    /// Returns whether a text says all of them, where they say enough to be told among others.
    pub(crate) fn are_said_in(&self, text: &str) -> bool {
        let said = Self::of(text).words;
        let is_telling = self.is_telling || self.words == said;
        is_telling && !self.words.is_empty() && self.words.is_subset(&said)
    }

    /// Returns whether a text holds all of them, few as they may be.
    pub(crate) fn are_held_in(&self, text: &str) -> bool {
        !self.words.is_empty() && self.words.is_subset(&Self::of(text).words)
    }

    fn hashed(&self, key: &[u8]) -> HashedWords {
        HashedWords {
            words: self.words.iter().map(|word| hash(key, word)).collect(),
            is_telling: self.is_telling,
        }
    }
}

fn without_subjects(characters: &[char]) -> Vec<char> {
    let mut left = Vec::new();
    let mut rest = characters;
    while let [first, after @ ..] = rest {
        let subject = SUBJECTS_CHINESE.iter().find(|one| rest.starts_with(*one));
        if let Some(subject) = subject {
            rest = rest.get(subject.len()..).unwrap_or_default();
        } else {
            left.extend(Some(*first).filter(|one| !is_stop_character(*one)));
            rest = after;
        }
    }
    left
}

/// A key of a fixed length before the word, and a hash that is cut: nothing can be appended.
fn hash(key: &[u8], word: &str) -> i64 {
    let digest = Sha256::new()
        .chain_update(key)
        .chain_update(word)
        .finalize();
    let mut beginning = [0; 8];
    for (to, from) in beginning.iter_mut().zip(digest) {
        *to = from;
    }
    i64::from_be_bytes(beginning)
}

/// Buries what a deleted memory said.
pub(crate) async fn bury(tx: &mut Tx, gone: &SaidRow) -> Result<(), StoreError> {
    let owner = gone.owner();
    let key = match tombstones::key(tx, owner).await? {
        Some(key) => key,
        None => new_key(tx, owner).await?,
    };
    let hashed = Words::of(&gone.text).hashed(&key);
    tombstones::bury(tx, owner, &hashed, gone.by).await
}

async fn new_key(tx: &mut Tx, owner: Owner) -> Result<Vec<u8>, StoreError> {
    let mut key = vec![0; KEY_BYTES];
    getrandom::fill(&mut key)
        .map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))?;
    tombstones::note_key(tx, owner, &key).await?;
    Ok(key)
}

/// Returns whether a text was forgotten by the person on any account, or by the group.
pub(crate) async fn is_buried(tx: &mut Tx, owner: Owner, text: &str) -> Result<bool, StoreError> {
    Ok(!covering(tx, owner, text).await?.is_empty())
}

/// What a text that was said is to what was forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Saying {
    /// It says nothing of it.
    Nothing,
    /// It says all of it, and was said again since.
    Again,
    /// It was said before that, and says all of it or nothing but a part of it.
    Before,
}

/// Returns what a text that was said at this time is to what its owner had forgotten. A few words
/// that are part of it are no saying again.
pub(crate) async fn saying(
    tx: &mut Tx,
    owner: Owner,
    text: &str,
    at_ms: i64,
) -> Result<Saying, StoreError> {
    let tombstones = TombstoneSet::of(tx, owner).await?;
    tombstones.saying(tx, text, at_ms).await
}

async fn covering(tx: &mut Tx, owner: Owner, text: &str) -> Result<Vec<Covering>, StoreError> {
    TombstoneSet::of(tx, owner).await?.covering(tx, text).await
}

/// What an owner had forgotten: the accounts of the person that have a key, or the group.
pub(crate) struct TombstoneSet(Vec<(Owner, Vec<u8>)>);

impl TombstoneSet {
    /// Reads the keys of an owner; most have none.
    pub(crate) async fn of(tx: &mut Tx, owner: Owner) -> Result<Self, StoreError> {
        Ok(Self(tombstones::keys(tx, owner).await?))
    }

    /// Returns what [`saying`] would.
    pub(crate) async fn saying(
        &self,
        tx: &mut Tx,
        text: &str,
        at_ms: i64,
    ) -> Result<Saying, StoreError> {
        let covering = self.covering(tx, text).await?;
        Ok(if covering.iter().any(|one| one.buried_ms >= at_ms) {
            Saying::Before
        } else if covering.iter().any(|one| one.says_all) {
            Saying::Again
        } else {
            Saying::Nothing
        })
    }

    async fn covering(&self, tx: &mut Tx, text: &str) -> Result<Vec<Covering>, StoreError> {
        let mut found = Vec::new();
        if self.0.is_empty() {
            return Ok(found);
        }
        let words = Words::of(text);
        for (account, key) in &self.0 {
            found.extend(tombstones::covering(tx, *account, &words.hashed(key)).await?);
        }
        Ok(found)
    }
}

/// Removes the tombstones that block a text, because the person stated it again.
pub(crate) async fn lift(tx: &mut Tx, owner: Owner, text: &str) -> Result<(), StoreError> {
    let words = Words::of(text);
    for (account, key) in TombstoneSet::of(tx, owner).await?.0 {
        tombstones::lift(tx, account, &words.hashed(&key)).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Words, hash};

    fn words(text: &str) -> String {
        let words = Words::of(text);
        let telling = if words.is_telling {
            ""
        } else {
            " (too little)"
        };
        let words: Vec<_> = words.words.into_iter().collect();
        format!("{}{telling}", words.join(" "))
    }

    #[test]
    fn order_endings_spelling_and_subject_say_nothing() {
        for text in [
            "I like green tea.",
            "The user likes GREEN TEA",
            "User's liking: green teas",
        ] {
            assert_eq!(words(text), "green like tea", "{text}");
        }
        for text in ["我喜歡綠茶", "用户喜欢绿茶。", "他喜欢的是绿茶"] {
            assert_eq!(words(text), "喜 欢 绿 茶", "{text}");
        }
    }

    #[test]
    fn a_few_words_say_too_little() {
        assert_eq!(words("has a cat"), "cat (too little)");
        assert_eq!(words("有猫"), "有 猫 (too little)");
        assert_eq!(words("🍵"), "🍵 (too little)");
        assert_eq!(words(""), " (too little)");
    }

    #[test]
    fn a_word_has_another_hash_under_another_key() {
        assert_eq!(hash(&[1; 32], "tea"), hash(&[1; 32], "tea"));
        assert_ne!(hash(&[1; 32], "tea"), hash(&[2; 32], "tea"));
        assert_ne!(hash(&[1; 32], "tea"), hash(&[1; 32], "teas"));
    }
}
