//! Blocks that occur more than once in a file: the same names, literals and signs, however laid out.

use std::collections::HashMap;

use tree_sitter::Node;

use crate::tokens::{hash, leaves, text_of};

/// How many leaves a block has at least: some ten lines.
const BLOCK: usize = 100;

/// A block that stands here and earlier.
pub(crate) struct Duplicate<'t> {
    /// The first leaf of the later one.
    pub(crate) node: Node<'t>,
    /// The line where it was first.
    pub(crate) first_line: usize,
    /// How many leaves are the same.
    pub(crate) length: usize,
    /// What is the same, as a number.
    pub(crate) content: u64,
}

/// Finds the blocks of a file that occur again; each leaf is in one of them at most.
pub(crate) fn duplicates<'t>(root: Node<'t>, text: &str) -> Vec<Duplicate<'t>> {
    let leaves = leaves(root);
    let hashes: Vec<u64> = leaves
        .iter()
        .map(|leaf| hash([text_of(*leaf, text)]))
        .collect();
    let mut seen: HashMap<u64, usize> = HashMap::new();
    let mut found = Vec::new();
    let mut at = 0;
    let windows = rolling(&hashes);
    while let Some(window) = windows.get(at) {
        let earlier = seen.get(window).copied();
        let Some(earlier) = earlier.filter(|earlier| {
            earlier + BLOCK <= at
                && hashes.get(*earlier..earlier + BLOCK) == hashes.get(at..at + BLOCK)
        }) else {
            seen.entry(*window).or_insert(at);
            at += 1;
            continue;
        };
        let same = (hashes.iter().skip(earlier).take(at - earlier))
            .zip(hashes.iter().skip(at))
            .take_while(|(one, other)| one == other)
            .count();
        let content = hashes.get(at..at + BLOCK).unwrap_or_default();
        found.push(Duplicate {
            node: leaves[at],
            first_line: leaves[earlier].start_position().row + 1,
            length: same,
            content: content.iter().fold(0, |sum, it| sum.rotate_left(5) ^ it),
        });
        at += same.max(1);
    }
    found.retain(|duplicate| is_code(duplicate, &leaves));
    found
}

/// A number for each run of [`BLOCK`] leaves.
fn rolling(hashes: &[u64]) -> Vec<u64> {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let top = (1..BLOCK).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut value = 0_u64;
    let mut windows = Vec::new();
    for (number, hash) in hashes.iter().enumerate() {
        if number >= BLOCK {
            let gone = hashes.get(number - BLOCK).copied().unwrap_or_default();
            value = value.wrapping_sub(gone.wrapping_mul(top));
        }
        value = value.wrapping_mul(BASE).wrapping_add(*hash);
        if number + 1 >= BLOCK {
            windows.push(value);
        }
    }
    windows
}

/// Tables of numbers and texts repeat themselves; that is data.
fn is_code(duplicate: &Duplicate<'_>, leaves: &[Node<'_>]) -> bool {
    let start = duplicate.node.start_byte();
    let first = leaves.partition_point(|leaf| leaf.start_byte() < start);
    let of_block = leaves.iter().skip(first).take(duplicate.length);
    let (mut names, mut all) = (0, 0);
    for leaf in of_block {
        all += 1;
        names += usize::from(leaf.kind().contains("identifier"));
    }
    names * 4 >= all
}
