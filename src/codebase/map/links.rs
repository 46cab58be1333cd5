//! Which file refers to what of which other: what all maps of the same files have in common.
//!
//! It is made for the first map after a change and kept with the index, because it takes much longer
//! than all that depends on the message.

use std::collections::HashMap;
use std::ops::Range;

use crate::index::{File, FileId, Index, WordId};
use crate::outline::Definition;
use crate::words::{each_word, parts_of};

/// A name that more files define says little of any of them.
const MANY_DEFINERS: usize = 5;

/// A name that more files define says nothing.
const TOO_MANY_DEFINERS: usize = 40;

/// How much less such names and private ones count.
const LITTLE: f64 = 0.1;

/// How much more a name counts that was chosen with care: several words, some length.
const TELLING: f64 = 10.0;

/// The least length of such a name, in bytes.
const TELLING_BYTES: usize = 8;

/// The files that have an outline, and their references.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// In the order of the paths.
    pub(super) nodes: Vec<Node>,
    /// In the order of the nodes that they leave.
    pub(super) edges: Vec<Edge>,
    pub(super) names: Vec<Name>,
    /// In the order of the names, those of a name in the order of the nodes.
    pub(super) slots: Vec<Slot>,
}

/// A file.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) file: FileId,
    /// Its place among the edges.
    pub(super) edges: Range<usize>,
    /// How much the file counts by where it comes from.
    pub(super) origin: f64,
}

/// A reference to a name that another file defines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) slot: usize,
    /// How much it counts, whatever the message is.
    pub(super) weight: f64,
}

/// A name.
#[derive(Debug)]
pub(super) struct Name {
    /// One for each file that defines it.
    pub(super) slots: Range<usize>,
    /// The words that it consists of; `None` where a word is in no file, so that no message has it.
    pub(super) parts: Option<Vec<WordId>>,
    /// The name as one word, if a file has that.
    pub(super) whole: Option<WordId>,
    /// How much its references count, by what it is.
    weight: f64,
}

/// A name in a file that defines it.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) node: usize,
    pub(super) name: usize,
    /// The places of its definitions in the outline of the file.
    pub(super) definitions: Vec<usize>,
}

impl Links {
    /// Links the files of an index.
    pub(crate) fn of(index: &Index) -> Self {
        let files: Vec<(FileId, &File)> = index
            .numbered_files()
            .filter(|(_, file)| {
                let outline = &file.entry.outline;
                !outline.definitions.is_empty() || !outline.references.is_empty()
            })
            .collect();
        let mut links = Self::default();
        let numbers = links.define(index, &files);
        for (node, (number, file)) in files.iter().enumerate() {
            let first = links.edges.len();
            links.connect(node, file, &numbers);
            links.nodes.push(Node {
                file: *number,
                edges: first..links.edges.len(),
                origin: file.entry.origin.weight(),
            });
        }
        let origins: Vec<f64> = links.nodes.iter().map(|node| node.origin).collect();
        for edge in &mut links.edges {
            let slot = links.slots.get(edge.slot);
            edge.weight *= slot.and_then(|slot| origins.get(slot.node)).unwrap_or(&1.0);
        }
        links
    }

    /// Collects the names; returns their numbers.
    fn define<'a>(
        &mut self,
        index: &Index,
        files: &[(FileId, &'a File)],
    ) -> HashMap<&'a str, usize> {
        let mut numbers: HashMap<&'a str, usize> = HashMap::new();
        let mut slots: Vec<Vec<Slot>> = Vec::new();
        for (node, (_, file)) in files.iter().enumerate() {
            for (place, definition) in file.entry.outline.definitions.iter().enumerate() {
                let next = slots.len();
                let name = *numbers.entry(&definition.name).or_insert(next);
                if name == next {
                    self.names.push(Name::of(index, definition));
                    slots.push(Vec::new());
                }
                let Some(slots) = slots.get_mut(name) else {
                    continue;
                };
                match slots.last_mut() {
                    Some(last) if last.node == node => last.definitions.push(place),
                    _ => slots.push(Slot {
                        node,
                        name,
                        definitions: vec![place],
                    }),
                }
            }
        }
        for (name, slots) in self.names.iter_mut().zip(slots) {
            let first = self.slots.len();
            self.slots.extend(slots);
            name.slots = first..self.slots.len();
        }
        numbers
    }

    /// Adds the edges that leave a file.
    fn connect(&mut self, node: usize, file: &File, numbers: &HashMap<&str, usize>) {
        for reference in &file.entry.outline.references {
            let number = numbers.get(reference.name.as_str());
            let Some(name) = number.and_then(|number| self.names.get(*number)) else {
                continue;
            };
            let definers = name.slots.len();
            if definers > TOO_MANY_DEFINERS {
                continue;
            }
            let rare = if definers > MANY_DEFINERS {
                LITTLE
            } else {
                1.0
            };
            let weight = name.weight * rare * f64::from(reference.count).sqrt();
            for slot in name.slots.clone() {
                if self.slots.get(slot).is_some_and(|slot| slot.node != node) {
                    self.edges.push(Edge { slot, weight });
                }
            }
        }
    }
}

impl Name {
    fn of(index: &Index, definition: &Definition) -> Self {
        let name = definition.name.as_str();
        let whole = name.replace('_', "").to_lowercase();
        let mut parts = Some(Vec::new());
        each_word(name, |word| {
            if word != whole {
                let known = index.word(word);
                parts = parts.take().zip(known).map(|(mut parts, word)| {
                    parts.push(word);
                    parts
                });
            }
        });
        Self {
            slots: 0..0,
            parts,
            whole: index.word(&whole),
            weight: weight(name),
        }
    }
}

/// Returns how much references to a name count, by what it is.
fn weight(name: &str) -> f64 {
    let inner = name.trim_matches('_');
    let is_telling = inner.len() >= TELLING_BYTES && parts_of(inner).nth(1).is_some();
    let telling = if is_telling { TELLING } else { 1.0 };
    let private = if name.starts_with('_') { LITTLE } else { 1.0 };
    telling * private
}
