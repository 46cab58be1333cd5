//! Writing as many definitions as fit, file by file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sayso_core::transcript::estimate_tokens;
use sayso_core::visible::visible_line;

use super::graph::Graph;
use super::rank::Ranks;
use crate::outline::Definition;

/// The fewest tokens of a definition with its line number.
const LEAST_TOKENS: usize = 2;

/// The deepest indentation.
const MAX_DEPTH: usize = 3;

/// What fits.
#[derive(Debug, Default, Clone)]
pub(super) struct Shown {
    pub(super) text: String,
    pub(super) tokens: usize,
    pub(super) definitions: usize,
    pub(super) files: usize,
}

/// Writes as many definitions as fit into a budget of tokens, in the order of their rank.
pub(super) fn fitting(graph: &Graph<'_>, ranks: &Ranks, tokens: usize) -> Shown {
    let best = ranks.best(tokens / LEAST_TOKENS);
    let (mut most, mut least_above) = (0, best.len() + 1);
    let mut fits = Shown::default();
    // More definitions never make a shorter text, so the most that fit are found by halving.
    while most + 1 < least_above {
        let count = usize::midpoint(most, least_above);
        let shown = written(graph, best.get(..count).unwrap_or_default());
        if shown.tokens <= tokens {
            (most, fits) = (count, shown);
        } else {
            least_above = count;
        }
    }
    fits
}

/// Writes the definitions of slots, the file with the best of them first.
fn written(graph: &Graph<'_>, slots: &[usize]) -> Shown {
    let mut nodes: Vec<usize> = Vec::new();
    let mut places: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for slot in slots.iter().filter_map(|slot| graph.links.slots.get(*slot)) {
        let of_node = places.entry(slot.node).or_insert_with(|| {
            nodes.push(slot.node);
            Vec::new()
        });
        of_node.extend(&slot.definitions);
    }
    let mut shown = Shown {
        files: nodes.len(),
        ..Shown::default()
    };
    for node in nodes {
        let (Some(file), Some(places)) = (graph.file(node), places.remove(&node)) else {
            continue;
        };
        // Writing to a string cannot fail.
        let _ = writeln!(shown.text, "{}", visible_line(&file.path));
        let all = &file.entry.outline.definitions;
        let mut defined: Vec<&Definition> =
            places.iter().filter_map(|place| all.get(*place)).collect();
        defined.sort_by_key(|it| (it.line, &it.name));
        defined.dedup_by_key(|it| it.line);
        shown.definitions += defined.len();
        write_file(&mut shown.text, &defined);
    }
    shown.tokens = estimate_tokens(&shown.text);
    shown
}

/// Writes the definitions of a file, those inside of others indented.
fn write_file(text: &mut String, defined: &[&Definition]) {
    let mut open: Vec<u32> = Vec::new();
    for definition in defined {
        while open.last().is_some_and(|last| *last < definition.line) {
            open.pop();
        }
        let indentation = "  ".repeat(open.len().min(MAX_DEPTH));
        let (line, signature) = (definition.line, &definition.signature);
        let _ = writeln!(text, "{line:>5} {indentation}{signature}");
        open.push(definition.last_line);
    }
}
