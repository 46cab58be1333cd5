//! Ranking chunks and files by the words of a question (BM25), and by vectors beside them.

use std::collections::BTreeMap;

use super::entry::Chunk;
use super::fusion::{Embedding, fused};
use super::hit::{Hit, descending, first};
use super::{File, FileId, Index};
use crate::codebase::Codebase;
use crate::map::{Map, MapRequest};
use crate::words::each_word;

/// How soon more of the same word adds nothing.
const SATURATION: f64 = 2.0;

/// How much the length of a file or chunk counts.
const LENGTH_SHARE: f64 = 0.75;

/// How much the best chunk of a file adds to the file.
const CHUNK_IN_FILE: f64 = 0.5;

/// How much more a word counts in the first line of a question, which says what it is about.
const FIRST_LINE: f64 = 2.0;

/// In how many files the map says as much as the search of what a message is about. What it says falls
/// with the square of their number: in a large tree, what most of the code refers to is seldom what a
/// message speaks of (`benches/codebase.rs`).
const MAP_FILES: f64 = 50.0;

/// How little the first files of the two rankings differ.
const LOCATE_OFFSET: f64 = 10.0;

/// How much the file adds to each of its chunks.
const FILE_IN_CHUNK: f64 = 0.5;

/// How many chunks of each ranking are fused.
const FUSED: usize = 200;

/// The longest question that is read, in bytes; the rest is left out.
const MAX_QUERY_BYTES: usize = 20_000;

/// A question.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// What is looked for, in words or names.
    pub text: &'a str,
    /// The question as a vector, and vectors of chunks.
    pub embedding: Option<Embedding<'a>>,
    /// The most hits.
    pub limit: usize,
}

/// A file and how well it fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankedFile<'a> {
    /// The file, relative to the root.
    pub path: &'a str,
    /// How well it fits; comparable within one answer alone.
    pub score: f64,
}

/// The files that a message is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Located<'a> {
    /// The best first.
    pub files: Vec<RankedFile<'a>>,
    /// Whether a word of the message is in some file: without one, only the map speaks.
    pub has_hits: bool,
    /// A map of them and of what they stand on.
    pub map: Map<'a>,
}

impl Codebase {
    /// Returns the chunks that fit a question best, the best first. Equal ones are in the order of
    /// their paths and lines.
    pub fn search(&self, query: &Query<'_>) -> Vec<Hit<'_>> {
        let by_words = self.index.by_words(query.text);
        let Some(embedding) = &query.embedding else {
            return first(by_words, query.limit);
        };
        let by_vectors = embedding.ranked(self.chunks(), FUSED);
        let by_words = first(by_words, FUSED);
        first(fused(&[by_words, by_vectors]), query.limit)
    }

    /// Returns the files that fit a question, the best first. Files without a word of it are left out.
    pub fn rank_files(&self, text: &str) -> Vec<RankedFile<'_>> {
        let scores = self.index.scores(text);
        let mut ranked: Vec<RankedFile<'_>> = scores
            .into_iter()
            .filter_map(|(number, scores)| {
                let file = self.index.file(number)?;
                let best = scores.chunks.values().copied().fold(0.0, f64::max);
                let score = (scores.file + CHUNK_IN_FILE * best) * file.entry.origin.weight();
                Some(RankedFile {
                    path: &file.path,
                    score,
                })
            })
            .collect();
        ranked.sort_by(|one, other| {
            let order = descending(one.score, other.score);
            order.then_with(|| one.path.cmp(other.path))
        });
        ranked
    }

    /// Finds the files that a message is about: what a search finds, and what the code around that
    /// refers to most. The map of them has at most `tokens`, and points from `in_view`, too: the files
    /// that are already in the conversation.
    pub fn locate(&self, message: &str, in_view: &[&str], tokens: usize) -> Located<'_> {
        let found = self.rank_files(message);
        let map = self.map(&MapRequest {
            message,
            in_view,
            found: &found,
            tokens,
        });
        let of_map = (MAP_FILES / self.len().max(1) as f64).powi(2).min(1.0);
        let mut scores: BTreeMap<&str, f64> = BTreeMap::new();
        for (ranked, share) in [(&found, 1.0), (&map.ranked, of_map)] {
            for (rank, file) in (1..).map(f64::from).zip(ranked) {
                *scores.entry(file.path).or_default() += share / (LOCATE_OFFSET + rank);
            }
        }
        let scores = scores.into_iter();
        let mut files: Vec<RankedFile<'_>> = scores
            .map(|(path, score)| RankedFile { path, score })
            .collect();
        files.sort_by(|one, other| {
            let order = descending(one.score, other.score);
            order.then_with(|| one.path.cmp(other.path))
        });
        Located {
            files,
            has_hits: !found.is_empty(),
            map,
        }
    }

    /// Returns all chunks, in the order of their paths and lines.
    pub fn chunks(&self) -> impl Iterator<Item = Hit<'_>> {
        self.index.files().flat_map(|file| {
            let chunks = file.entry.chunks.iter();
            chunks.map(|chunk| hit(file, chunk, 0.0))
        })
    }
}

fn hit<'a>(file: &'a File, chunk: &'a Chunk, score: f64) -> Hit<'a> {
    Hit {
        path: &file.path,
        lines: chunk.lines,
        scope: &chunk.scope,
        key: chunk.key,
        score,
    }
}

/// How well a file fits, and each of its chunks.
#[derive(Debug, Default)]
pub(crate) struct Scores {
    file: f64,
    chunks: BTreeMap<u16, f64>,
}

impl Index {
    fn by_words(&self, text: &str) -> Vec<Hit<'_>> {
        let scores = self.scores(text).into_iter();
        let hits = scores.filter_map(|(number, scores)| {
            let file = self.file(number)?;
            let weight = file.entry.origin.weight();
            let mut of_chunks = scores.chunks;
            // A file that is found by its path alone is shown from its beginning.
            if of_chunks.is_empty() {
                of_chunks.insert(0, 0.0);
            }
            let hits = of_chunks.into_iter().filter_map(move |(number, score)| {
                let chunk = file.entry.chunks.get(usize::from(number))?;
                let score = (score + FILE_IN_CHUNK * scores.file) * weight;
                Some(hit(file, chunk, score))
            });
            Some(hits)
        });
        hits.flatten().collect()
    }

    /// Scores every file that has a word of a text.
    pub(crate) fn scores(&self, text: &str) -> BTreeMap<FileId, Scores> {
        let mut scores: BTreeMap<FileId, Scores> = BTreeMap::new();
        let file_mean = self.file_words as f64 / self.len().max(1) as f64;
        let chunk_mean = self.file_words as f64 / self.chunk_count.max(1) as f64;
        for (word, count) in query_words(text) {
            let Some(posting) = self.posting(&word) else {
                continue;
            };
            let weight = self.rarity(posting.files.len()) * (1.0 + count.ln());
            for number in posting.files {
                let Some(file) = self.file(*number) else {
                    continue;
                };
                let Some(places) = file.places(posting.word) else {
                    continue;
                };
                let scored = scores.entry(*number).or_default();
                let length = f64::from(file.entry.length) / file_mean;
                scored.file += weight * saturated(places.total(), length);
                for place in &places.chunks {
                    let Some(chunk) = file.entry.chunks.get(usize::from(place.chunk)) else {
                        continue;
                    };
                    let length = f64::from(chunk.length) / chunk_mean;
                    let score = weight * saturated(f64::from(place.count), length);
                    *scored.chunks.entry(place.chunk).or_default() += score;
                }
            }
        }
        scores
    }

    /// Returns how much a word says that this many files have (the weight of BM25).
    fn rarity(&self, files: usize) -> f64 {
        let (all, files) = (self.len() as f64, files as f64);
        (1.0 + (all - files + 0.5) / (files + 0.5)).ln()
    }

    /// Returns how much a word says; `None` where no file has it.
    pub(crate) fn rarity_of(&self, word: &str) -> Option<f64> {
        let posting = self.posting(word)?;
        Some(self.rarity(posting.files.len()))
    }
}

/// Returns the words of a question, and how often each is in it.
pub(crate) fn query_words(text: &str) -> BTreeMap<String, f64> {
    let end = text.floor_char_boundary(MAX_QUERY_BYTES);
    let mut words = BTreeMap::new();
    let text = text.get(..end).unwrap_or_default();
    each_word(text, |word| {
        *words.entry(word.to_owned()).or_insert(0.0) += 1.0;
    });
    each_word(text.lines().next().unwrap_or_default(), |word| {
        *words.entry(word.to_owned()).or_insert(0.0) += FIRST_LINE;
    });
    words
}

/// Returns what a count of a word is worth in a text of some length, as a multiple of the mean.
fn saturated(count: f64, length: f64) -> f64 {
    let length = 1.0 - LENGTH_SHARE + LENGTH_SHARE * length;
    count * (SATURATION + 1.0) / (count + SATURATION * length)
}
