//! What is known of one file: its outline, its chunks and its words.

use std::collections::BTreeMap;

use crate::chunks::{Lines, chunks, scope};
use crate::language::CodeLanguage;
use crate::outline::Outline;
use crate::source::{ContentHash, Origin, SourceFile, Stamp, content_hash};
use crate::syntax::parse;
use crate::words::each_word;

/// How much a word counts in the name of a definition, beside one in the text.
const NAME_WEIGHT: u16 = 2;

/// How much a word counts in the name of the file.
const FILE_NAME_WEIGHT: u16 = 12;

/// How much a word counts in the name of a folder.
const FOLDER_WEIGHT: u16 = 16;

/// What tells a chunk from others by its content, so that a vector can be kept for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkKey(pub(crate) ContentHash);

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) stamp: Stamp,
    pub(crate) origin: Origin,
    pub(crate) outline: Outline,
    pub(crate) chunks: Vec<Chunk>,
    /// Its words, and where they are. Empty once the file is in an index.
    pub(crate) words: BTreeMap<Box<str>, WordPlaces>,
    /// How many words it has.
    pub(crate) length: u32,
}

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub(crate) lines: Lines,
    /// The names around it and in it.
    pub(crate) scope: Vec<String>,
    pub(crate) key: ChunkKey,
    /// How many words it has.
    pub(crate) length: u32,
}

/// How often a word is in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WordPlaces {
    /// In the path, by weight.
    pub(crate) in_path: u16,
    /// In the chunks, in their order.
    pub(crate) chunks: Vec<ChunkCount>,
}

/// How often a word is in a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChunkCount {
    pub(crate) chunk: u16,
    pub(crate) count: u16,
}

impl Entry {
    /// Reads a file.
    pub(crate) fn of(path: &str, file: &SourceFile) -> Self {
        let text = file.text.as_str();
        let language = CodeLanguage::of_path(path);
        let parsed = language.and_then(|language| Some((language, parse(language, text)?)));
        let outline = parsed
            .as_ref()
            .map(|(language, tree)| Outline::of(*language, tree, text));
        let mut entry = Self {
            stamp: file.stamp,
            origin: Origin::of(path, text),
            outline: outline.unwrap_or_default(),
            chunks: Vec::new(),
            words: BTreeMap::new(),
            length: 0,
        };
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let tree = parsed.as_ref().map(|(_, tree)| tree);
        for lines_of_chunk in chunks(text, tree) {
            let part = lines.get(lines_of_chunk.first as usize - 1..lines_of_chunk.last as usize);
            entry.add_chunk(path, lines_of_chunk, &part.unwrap_or_default().concat());
        }
        entry.add_path(path);
        entry
    }

    fn add_chunk(&mut self, path: &str, lines: Lines, text: &str) {
        let Ok(number) = u16::try_from(self.chunks.len()) else {
            return;
        };
        let scope = scope(lines, &self.outline.definitions);
        let scope: Vec<String> = scope.into_iter().map(str::to_owned).collect();
        let mut length = 0;
        let mut add = |word: &str, weight: u16| {
            length += u32::from(weight);
            let places = match self.words.get_mut(word) {
                Some(places) => places,
                None => self.words.entry(word.into()).or_default(),
            };
            match places.chunks.last_mut() {
                Some(last) if last.chunk == number => {
                    last.count = last.count.saturating_add(weight);
                }
                Some(_) | None => places.chunks.push(ChunkCount {
                    chunk: number,
                    count: weight,
                }),
            }
        };
        each_word(text, |word| add(word, 1));
        for name in &scope {
            each_word(name, |word| add(word, NAME_WEIGHT));
        }
        let key = ChunkKey(content_hash(
            format!("{path}\n{}\n{text}", scope.join("\n")).as_bytes(),
        ));
        self.length = self.length.saturating_add(length);
        self.chunks.push(Chunk {
            lines,
            scope,
            key,
            length,
        });
    }

    fn add_path(&mut self, path: &str) {
        let mut parts = path.split('/');
        let name = parts.next_back().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let mut add = |word: &str, weight: u16| {
            self.length = self.length.saturating_add(u32::from(weight));
            let places = self.words.entry(word.into()).or_default();
            places.in_path = places.in_path.saturating_add(weight);
        };
        each_word(stem, |word| add(word, FILE_NAME_WEIGHT));
        for folder in parts {
            each_word(folder, |word| add(word, FOLDER_WEIGHT));
        }
    }
}

impl WordPlaces {
    /// Returns how often the word is in the whole file, by weight.
    pub(crate) fn total(&self) -> f64 {
        let in_chunks: u32 = self.chunks.iter().map(|it| u32::from(it.count)).sum();
        f64::from(u32::from(self.in_path) + in_chunks)
    }
}
