//! The words of every file, chunk by chunk, and where each word is.
//!
//! A posting names a file; the chunks in which a word stands are with the file. So a change of one
//! file touches the postings of its own words alone.

mod entry;
mod fusion;
mod hit;
mod search;
mod stored;

pub use entry::ChunkKey;
pub use fusion::Embedding;
pub use hit::Hit;
pub use search::{Located, Query, RankedFile};
pub use stored::NotStored;

pub(crate) use entry::Entry;
pub(crate) use search::query_words;

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use crate::map::Links;
use crate::source::Stamp;
use entry::WordPlaces;

/// A word by its number.
pub(crate) type WordId = u32;

/// A file by its number.
pub(crate) type FileId = u32;

/// All words of all files.
#[derive(Debug, Default)]
pub(crate) struct Index {
    words: HashMap<Box<str>, WordId>,
    /// The files that have each word, in order.
    postings: Vec<Vec<FileId>>,
    files: Vec<Option<File>>,
    numbers: BTreeMap<String, FileId>,
    free: Vec<FileId>,
    /// The sum of the lengths of all files, and of all their chunks, in words.
    file_words: u64,
    chunk_count: u64,
    /// What maps have in common, once one was made of the files that there are now.
    links: OnceLock<Links>,
}

/// A file, with words by their numbers.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) entry: Entry,
    /// In the order of the numbers; the same places as the words of the entry.
    places: Vec<Places>,
}

/// The places of a word in a file.
#[derive(Debug)]
struct Places {
    word: WordId,
    at: WordPlaces,
}

impl Index {
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    #[cfg(test)]
    pub(crate) fn word_count(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.numbers.keys().map(String::as_str)
    }

    /// Returns the files in the order of their paths.
    pub(crate) fn files(&self) -> impl Iterator<Item = &File> {
        self.numbers
            .values()
            .filter_map(|number| self.file(*number))
    }

    /// Returns the files with their numbers, in the order of their paths.
    pub(crate) fn numbered_files(&self) -> impl Iterator<Item = (FileId, &File)> {
        let numbers = self.numbers.values();
        numbers.filter_map(|number| Some((*number, self.file(*number)?)))
    }

    /// Returns what all maps of these files have in common; the first one after a change makes it.
    pub(crate) fn links(&self) -> &Links {
        self.links.get_or_init(|| Links::of(self))
    }

    /// Returns the number of a word, if a file has it or had it.
    pub(crate) fn word(&self, word: &str) -> Option<WordId> {
        self.words.get(word).copied()
    }

    /// Returns the files that have a word in their path.
    pub(crate) fn files_by_path(&self, word: WordId) -> impl Iterator<Item = FileId> {
        let files = self.postings.get(word as usize);
        files.into_iter().flatten().copied().filter(move |number| {
            let places = self.file(*number).and_then(|file| file.places(word));
            places.is_some_and(|places| places.in_path > 0)
        })
    }

    pub(crate) fn stamp(&self, path: &str) -> Option<&Stamp> {
        let number = self.numbers.get(path)?;
        self.file(*number).map(|file| &file.entry.stamp)
    }

    /// Notes another time of modification for the same content.
    pub(crate) fn restamp(&mut self, path: &str, stamp: Stamp) {
        let slot = self.numbers.get(path).copied();
        let file = slot.and_then(|number| self.files.get_mut(number as usize)?.as_mut());
        if let Some(file) = file {
            file.entry.stamp = stamp;
        }
    }

    /// Makes an index that knows words by their places in a list, and no files.
    fn of_words(words: &[&str]) -> Self {
        let numbers = (0..)
            .zip(words)
            .map(|(number, word)| ((*word).into(), number));
        Self {
            words: numbers.collect(),
            postings: vec![Vec::new(); words.len()],
            ..Self::default()
        }
    }

    /// Adds a file, or puts it in the place of the one with this path.
    pub(crate) fn insert(&mut self, path: &str, mut entry: Entry) {
        self.remove(path);
        let mut all: Vec<Places> = std::mem::take(&mut entry.words)
            .into_iter()
            .map(|(word, places)| {
                let next = self.postings.len() as WordId;
                let word = *self.words.entry(word).or_insert(next);
                if word == next {
                    self.postings.push(Vec::new());
                }
                Places { word, at: places }
            })
            .collect();
        all.sort_unstable_by_key(|it| it.word);
        self.add(path, entry, all);
    }

    /// Adds a file that is not there, with its words in order.
    fn add(&mut self, path: &str, entry: Entry, places: Vec<Places>) {
        self.links.take();
        let number = self.free.pop().unwrap_or_else(|| {
            self.files.push(None);
            self.files.len() as FileId - 1
        });
        for word in places.iter().map(|it| it.word) {
            if let Some(posting) = self.postings.get_mut(word as usize)
                && let Err(at) = posting.binary_search(&number)
            {
                posting.insert(at, number);
            }
        }
        self.file_words += u64::from(entry.length);
        self.chunk_count += entry.chunks.len() as u64;
        self.numbers.insert(path.to_owned(), number);
        if let Some(slot) = self.files.get_mut(number as usize) {
            *slot = Some(File {
                path: path.to_owned(),
                entry,
                places,
            });
        }
    }

    pub(crate) fn remove(&mut self, path: &str) {
        let Some(number) = self.numbers.remove(path) else {
            return;
        };
        let Some(file) = self.files.get_mut(number as usize).and_then(Option::take) else {
            return;
        };
        self.links.take();
        for word in file.places.iter().map(|it| it.word) {
            if let Some(posting) = self.postings.get_mut(word as usize)
                && let Ok(at) = posting.binary_search(&number)
            {
                posting.remove(at);
            }
        }
        self.file_words -= u64::from(file.entry.length);
        self.chunk_count -= file.entry.chunks.len() as u64;
        self.free.push(number);
    }

    /// Forgets the words that no file has any more, once they are the greater part of all.
    pub(crate) fn forget_unused_words(&mut self) {
        let used = self.postings.iter().filter(|it| !it.is_empty()).count();
        if used >= self.postings.len() / 2 {
            return;
        }
        self.links.take();
        let mut next: WordId = 0;
        // In the same order, which the places of a file are in, too.
        let numbers: Vec<Option<WordId>> = self
            .postings
            .iter()
            .map(|posting| {
                let number = (!posting.is_empty()).then_some(next);
                next += WordId::from(number.is_some());
                number
            })
            .collect();
        let renumbered = |word: WordId| numbers.get(word as usize).copied().flatten();
        self.postings.retain(|posting| !posting.is_empty());
        self.words.retain(|_, number| {
            let now = renumbered(*number);
            *number = now.unwrap_or(*number);
            now.is_some()
        });
        let files = self.files.iter_mut().flatten();
        for places in files.flat_map(|file| &mut file.places) {
            places.word = renumbered(places.word).unwrap_or(places.word);
        }
    }

    pub(crate) fn file(&self, number: FileId) -> Option<&File> {
        self.files.get(number as usize)?.as_ref()
    }

    /// Returns the files that have a word, in the order of their numbers.
    fn posting(&self, word: &str) -> Option<Posting<'_>> {
        let word = *self.words.get(word)?;
        let files = self.postings.get(word as usize)?;
        (!files.is_empty()).then_some(Posting { word, files })
    }
}

/// Where a word is.
struct Posting<'a> {
    word: WordId,
    files: &'a [FileId],
}

impl File {
    /// Returns the places of a word.
    fn places(&self, word: WordId) -> Option<&WordPlaces> {
        let at = self.places.binary_search_by_key(&word, |it| it.word).ok()?;
        self.places.get(at).map(|it| &it.at)
    }
}
