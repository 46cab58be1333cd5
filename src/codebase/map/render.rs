//! Writing as many definitions as fit, file by file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use sayso_core::transcript::estimate_tokens;
use sayso_core::visible::visible_line;

use super::graph::{Defined, Graph};
use super::rank::{RankedName, Ranks};

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
    let candidates = ranks.definitions.len().min(tokens / LEAST_TOKENS);
    let (mut most, mut least_above) = (0, candidates + 1);
    let mut best = Shown::default();
    // More definitions never make a shorter text, so the most that fit are found by halving.
    while most + 1 < least_above {
        let count = usize::midpoint(most, least_above);
        let shown = written(graph, ranks.definitions.get(..count).unwrap_or_default());
        if shown.tokens <= tokens {
            (most, best) = (count, shown);
        } else {
            least_above = count;
        }
    }
    best
}

/// Writes definitions, the file with the best of them first.
fn written(graph: &Graph<'_>, names: &[RankedName]) -> Shown {
    let mut files: Vec<usize> = Vec::new();
    let mut lines: BTreeMap<usize, Vec<Defined<'_>>> = BTreeMap::new();
    for name in names {
        let all = graph
            .names
            .get(name.name)
            .map(|it| it.definitions.as_slice());
        let here = all
            .unwrap_or_default()
            .iter()
            .filter(|it| it.node == name.node);
        let file = lines.entry(name.node).or_insert_with(|| {
            files.push(name.node);
            Vec::new()
        });
        file.extend(here);
    }
    let mut shown = Shown {
        files: files.len(),
        ..Shown::default()
    };
    for node in files {
        let Some(path) = graph.nodes.get(node).map(|node| &node.file.path) else {
            continue;
        };
        let _ = writeln!(shown.text, "{}", visible_line(path));
        let mut defined = lines.remove(&node).unwrap_or_default();
        defined.sort_by_key(|it| (it.definition.line, &it.definition.name));
        defined.dedup_by_key(|it| it.definition.line);
        shown.definitions += defined.len();
        write_file(&mut shown.text, &defined);
    }
    shown.tokens = estimate_tokens(&shown.text);
    shown
}

/// Writes the definitions of a file, those inside of others indented.
fn write_file(text: &mut String, defined: &[Defined<'_>]) {
    let mut open: Vec<u32> = Vec::new();
    for definition in defined.iter().map(|it| it.definition) {
        while open.last().is_some_and(|last| *last < definition.line) {
            open.pop();
        }
        let indentation = "  ".repeat(open.len().min(MAX_DEPTH));
        let (line, signature) = (definition.line, &definition.signature);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line:>5} {indentation}{signature}");
        open.push(definition.last_line);
    }
}
