//! Which file refers to what of which other, and where the message points.

use std::collections::{BTreeMap, HashMap};

use super::MapRequest;
use crate::index::{File, Index, query_words};
use crate::outline::Definition;
use crate::words::each_word;

/// A name that more files define says little of any of them.
const MANY_DEFINERS: usize = 5;

/// A name that more files define says nothing.
const TOO_MANY_DEFINERS: usize = 40;

/// How much less such names and private ones count.
const LITTLE: f64 = 0.1;

/// How much more the references of a file in view count.
const IN_VIEW: f64 = 50.0;

/// How much more a name counts that was chosen with care: several words, some length.
const TELLING: f64 = 10.0;

/// The least length of such a name, in bytes.
const TELLING_BYTES: usize = 8;

/// What of the rank of its file a definition has that nothing refers to.
const OWN_SHARE: f64 = 0.01;

/// The share of the beginning that all files have alike.
const UNIFORM_SHARE: f64 = 0.1;

/// The share of the files in view, where there are some.
const VIEW_SHARE: f64 = 0.4;

/// How little the first files that a search found differ.
const FOUND_OFFSET: f64 = 3.0;

/// The files and their references.
pub(super) struct Graph<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) names: Vec<Name<'a>>,
}

/// A file.
pub(super) struct Node<'a> {
    pub(super) file: &'a File,
    pub(super) edges: Vec<Edge>,
    /// The share of the rank that begins here.
    pub(super) start: f64,
}

/// A reference to a name that another file defines.
pub(super) struct Edge {
    pub(super) to: usize,
    pub(super) name: usize,
    pub(super) weight: f64,
}

/// A name with its definitions, in the order of the files.
pub(super) struct Name<'a> {
    pub(super) definitions: Vec<Defined<'a>>,
    /// How many files define it.
    definers: usize,
    /// How much its references count, by what it is.
    weight: f64,
    /// How much the message speaks of it.
    mention: f64,
}

/// A definition in a file.
#[derive(Clone, Copy)]
pub(super) struct Defined<'a> {
    pub(super) node: usize,
    pub(super) definition: &'a Definition,
}

impl<'a> Graph<'a> {
    /// Makes the graph of all files that have an outline.
    pub(super) fn of(index: &'a Index, request: &MapRequest<'_>) -> Self {
        let outlined = |file: &&File| {
            let outline = &file.entry.outline;
            !outline.definitions.is_empty() || !outline.references.is_empty()
        };
        let nodes = index.files().filter(outlined).map(|file| Node {
            file,
            edges: Vec::new(),
            start: 0.0,
        });
        let mut graph = Self {
            nodes: nodes.collect(),
            names: Vec::new(),
        };
        let message = Message::of(index, request.message);
        let numbers = graph.define(&message);
        graph.connect(&numbers, request);
        graph.begin(&message, request);
        graph
    }

    /// Collects the names; returns their numbers.
    fn define(&mut self, message: &Message) -> HashMap<&'a str, usize> {
        let mut numbers: HashMap<&'a str, usize> = HashMap::new();
        for (node, file) in self.nodes.iter().map(|node| node.file).enumerate() {
            for definition in &file.entry.outline.definitions {
                let number = *numbers.entry(&definition.name).or_insert_with(|| {
                    self.names.push(Name {
                        definitions: Vec::new(),
                        definers: 0,
                        weight: weight(&definition.name),
                        mention: message.mention(&definition.name),
                    });
                    self.names.len() - 1
                });
                if let Some(name) = self.names.get_mut(number) {
                    let is_new = name.definitions.last().is_none_or(|last| last.node != node);
                    name.definers += usize::from(is_new);
                    name.definitions.push(Defined { node, definition });
                }
            }
        }
        numbers
    }

    fn connect(&mut self, numbers: &HashMap<&str, usize>, request: &MapRequest<'_>) {
        let origins: Vec<f64> = self
            .nodes
            .iter()
            .map(|node| node.file.entry.origin.weight())
            .collect();
        for (from, node) in self.nodes.iter_mut().enumerate() {
            let is_in_view = request.in_view.contains(&node.file.path.as_str());
            let view = if is_in_view { IN_VIEW } else { 1.0 };
            for reference in &node.file.entry.outline.references {
                let Some(number) = numbers.get(reference.name.as_str()) else {
                    continue;
                };
                let Some(name) = self.names.get(*number) else {
                    continue;
                };
                if name.definers > TOO_MANY_DEFINERS {
                    continue;
                }
                let rare = if name.definers > MANY_DEFINERS {
                    LITTLE
                } else {
                    1.0
                };
                let count = f64::from(reference.count).sqrt();
                let weight = name.weight * (1.0 + name.mention) * rare * view * count;
                let mut last = from;
                for defined in &name.definitions {
                    if defined.node != from && defined.node != last {
                        node.edges.push(Edge {
                            to: defined.node,
                            name: *number,
                            weight: weight * origins.get(defined.node).unwrap_or(&1.0),
                        });
                    }
                    last = defined.node;
                }
            }
        }
    }

    /// Says where rank begins.
    fn begin(&mut self, message: &Message, request: &MapRequest<'_>) {
        let mut pointed: Vec<f64> = vec![0.0; self.nodes.len()];
        if request.found.is_empty() {
            for name in self.names.iter().filter(|name| name.mention > 0.0) {
                for defined in &name.definitions {
                    if let Some(pointed) = pointed.get_mut(defined.node) {
                        *pointed += name.mention / name.definers as f64;
                    }
                }
            }
            for (pointed, node) in pointed.iter_mut().zip(&self.nodes) {
                *pointed += message.in_path(&node.file.path);
            }
        } else {
            let found: HashMap<&str, f64> = request
                .found
                .iter()
                .zip((0..).map(f64::from))
                .map(|(file, rank)| (file.path, 1.0 / (FOUND_OFFSET + rank)))
                .collect();
            for (pointed, node) in pointed.iter_mut().zip(&self.nodes) {
                *pointed = found
                    .get(node.file.path.as_str())
                    .copied()
                    .unwrap_or_default();
            }
        }
        let viewed = self.nodes.iter().map(|node| {
            let is_in_view = request.in_view.contains(&node.file.path.as_str());
            f64::from(u8::from(is_in_view))
        });
        let viewed = shares(viewed.collect(), VIEW_SHARE);
        let pointed = shares(pointed, 1.0 - UNIFORM_SHARE - VIEW_SHARE);
        let uniform = UNIFORM_SHARE / self.nodes.len().max(1) as f64;
        let all = self.nodes.iter_mut().zip(viewed.into_iter().zip(pointed));
        for (node, (viewed, pointed)) in all {
            node.start = (uniform + viewed + pointed) * node.file.entry.origin.weight();
        }
        let sum: f64 = self.nodes.iter().map(|node| node.start).sum();
        for node in &mut self.nodes {
            node.start /= sum;
        }
    }
}

impl Name<'_> {
    /// Returns the share of the rank of its file that a definition has even if nothing refers to it:
    /// little, unless the message speaks of it.
    pub(super) fn own_share(&self) -> f64 {
        OWN_SHARE + self.mention
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

/// Returns how much references to a name count, by what it is.
fn weight(name: &str) -> f64 {
    let inner = name.trim_matches('_');
    let is_telling = inner.len() >= TELLING_BYTES && crate::words::parts_of(inner).nth(1).is_some();
    let telling = if is_telling { TELLING } else { 1.0 };
    let private = if name.starts_with('_') { LITTLE } else { 1.0 };
    telling * private
}

/// The words of a message, and how much each says.
struct Message {
    words: BTreeMap<String, f64>,
}

impl Message {
    fn of(index: &Index, text: &str) -> Self {
        let words = query_words(text).into_keys();
        let words = words.filter_map(|word| {
            let rarity = index.rarity_of(&word)?;
            Some((word, rarity))
        });
        Self {
            words: words.collect(),
        }
    }

    /// Returns how much the message speaks of a name: what its words say, if it has all of them.
    fn mention(&self, name: &str) -> f64 {
        if self.words.is_empty() {
            return 0.0;
        }
        let whole = name.replace('_', "").to_lowercase();
        let (mut sum, mut is_complete) = (0.0, true);
        each_word(name, |word| match self.words.get(word) {
            Some(rarity) => sum += rarity,
            // The name as a whole need not be said, if its parts are.
            None if word == whole => {}
            None => is_complete = false,
        });
        let is_said = self.words.contains_key(&whole);
        if is_complete || is_said { sum } else { 0.0 }
    }

    /// Returns how much the message speaks of a path.
    fn in_path(&self, path: &str) -> f64 {
        let mut sum = 0.0;
        if !self.words.is_empty() {
            each_word(path, |word| {
                sum += self.words.get(word).copied().unwrap_or_default();
            });
        }
        sum
    }
}
