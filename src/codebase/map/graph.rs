//! What a message makes of the references between files: how much each counts, and where rank begins.

use std::collections::HashMap;

use super::MapRequest;
use super::links::{Links, Name};
use crate::index::{File, FileId, Index, WordId, query_words};

/// How much more the references of a file in view count.
const IN_VIEW: f64 = 50.0;

/// What of the rank of its file a definition has that nothing refers to.
const OWN_SHARE: f64 = 0.01;

/// The share of the beginning that all files have alike.
const UNIFORM_SHARE: f64 = 0.1;

/// The share of the files in view, where there are some.
const VIEW_SHARE: f64 = 0.4;

/// How little the first files that a search found differ.
const FOUND_OFFSET: f64 = 3.0;

/// The files and their references, as a message sees them.
pub(super) struct Graph<'a> {
    index: &'a Index,
    pub(super) links: &'a Links,
    /// How much each edge counts.
    pub(super) weights: Vec<f64>,
    /// The share of the rank that begins at each node.
    pub(super) starts: Vec<f64>,
    /// How much the message speaks of each name.
    mentions: Vec<f64>,
}

impl<'a> Graph<'a> {
    /// Makes the graph of all files that have an outline.
    pub(super) fn of(index: &'a Index, request: &MapRequest<'_>) -> Self {
        let links = index.links();
        let message = Message::of(index, request.message);
        let names = links.names.iter();
        let mut graph = Self {
            index,
            links,
            weights: Vec::with_capacity(links.edges.len()),
            starts: Vec::new(),
            mentions: names.map(|name| message.mention(name)).collect(),
        };
        let in_view: Vec<bool> = (0..links.nodes.len())
            .map(|node| request.in_view.contains(&graph.path(node)))
            .collect();
        graph.weigh(&in_view);
        let pointed = graph.pointed(index, &message, request);
        graph.begin(pointed, &in_view);
        graph
    }

    /// Returns the path of a file.
    pub(super) fn path(&self, node: usize) -> &'a str {
        self.file(node).map_or("", |file| file.path.as_str())
    }

    /// Returns a file.
    pub(super) fn file(&self, node: usize) -> Option<&'a File> {
        let node = self.links.nodes.get(node)?;
        self.index.file(node.file)
    }

    /// Returns the share of the rank of its file that a definition has even if nothing refers to it:
    /// little, unless the message speaks of it.
    pub(super) fn own_share(&self, name: usize) -> f64 {
        OWN_SHARE + self.mentions.get(name).copied().unwrap_or_default()
    }

    /// Says how much each edge counts.
    fn weigh(&mut self, in_view: &[bool]) {
        for (node, is_in_view) in self.links.nodes.iter().zip(in_view) {
            let view = if *is_in_view { IN_VIEW } else { 1.0 };
            let edges = self.links.edges.get(node.edges.clone());
            self.weights
                .extend(edges.unwrap_or_default().iter().map(|edge| {
                    let slot = self.links.slots.get(edge.slot);
                    let mention = slot.and_then(|slot| self.mentions.get(slot.name));
                    edge.weight * view * (1.0 + mention.copied().unwrap_or_default())
                }));
        }
    }

    /// Returns how much the message points at each file.
    fn pointed(&self, index: &Index, message: &Message, request: &MapRequest<'_>) -> Vec<f64> {
        let nodes = self.links.nodes.len();
        if !request.found.is_empty() {
            let found = request.found.iter().zip((0..).map(f64::from));
            let found: HashMap<&str, f64> = found
                .map(|(file, rank)| (file.path, 1.0 / (FOUND_OFFSET + rank)))
                .collect();
            return (0..nodes)
                .map(|node| found.get(self.path(node)).copied().unwrap_or_default())
                .collect();
        }
        let mut pointed: Vec<f64> = vec![0.0; nodes];
        for (name, mention) in self.links.names.iter().zip(&self.mentions) {
            if *mention > 0.0 {
                let slots = self.links.slots.get(name.slots.clone()).unwrap_or_default();
                for slot in slots {
                    if let Some(pointed) = pointed.get_mut(slot.node) {
                        *pointed +=
                            mention * slot.definitions.len() as f64 / name.slots.len() as f64;
                    }
                }
            }
        }
        let in_paths = message.in_paths(index);
        for (pointed, node) in pointed.iter_mut().zip(&self.links.nodes) {
            *pointed += in_paths.get(&node.file).copied().unwrap_or_default();
        }
        pointed
    }

    /// Says where rank begins.
    fn begin(&mut self, pointed: Vec<f64>, in_view: &[bool]) {
        let viewed = in_view.iter().map(|it| f64::from(u8::from(*it)));
        let viewed = shares(viewed.collect(), VIEW_SHARE);
        let pointed = shares(pointed, 1.0 - UNIFORM_SHARE - VIEW_SHARE);
        let uniform = UNIFORM_SHARE / self.links.nodes.len().max(1) as f64;
        let all = self.links.nodes.iter().zip(viewed.into_iter().zip(pointed));
        self.starts = all
            .map(|(node, (viewed, pointed))| (uniform + viewed + pointed) * node.origin)
            .collect();
        self.starts = shares(std::mem::take(&mut self.starts), 1.0);
    }
}

/// Scales weights to a sum; leaves them where they are all zero.
fn shares(mut weights: Vec<f64>, wanted: f64) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 {
        for weight in &mut weights {
            *weight *= wanted / sum;
        }
    }
    weights
}

/// The words of a message that are in some file, and how much each says.
struct Message {
    words: HashMap<WordId, f64>,
}

impl Message {
    fn of(index: &Index, text: &str) -> Self {
        let words = query_words(text).into_keys();
        let words = words.filter_map(|word| Some((index.word(&word)?, index.rarity_of(&word)?)));
        Self {
            words: words.collect(),
        }
    }

    /// Returns how much the message speaks of a name: what its words say, if it has all of them or the
    /// name as a whole.
    fn mention(&self, name: &Name) -> f64 {
        if self.words.is_empty() {
            return 0.0;
        }
        let said = |word: &WordId| self.words.get(word).copied();
        let whole = name.whole.as_ref().and_then(said);
        let parts = name.parts.as_deref();
        let is_complete =
            parts.is_some_and(|parts| parts.iter().all(|part| self.words.contains_key(part)));
        if whole.is_none() && !is_complete {
            return 0.0;
        }
        let parts = parts.unwrap_or_default().iter().filter_map(said);
        whole.unwrap_or_default() + parts.sum::<f64>()
    }

    /// Returns how much the message speaks of the path of each file.
    fn in_paths(&self, index: &Index) -> HashMap<FileId, f64> {
        let mut sums: HashMap<FileId, f64> = HashMap::new();
        for (word, rarity) in &self.words {
            for file in index.files_by_path(*word) {
                *sums.entry(file).or_default() += rarity;
            }
        }
        sums
    }
}
