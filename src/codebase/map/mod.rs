//! A map of a code base within a budget: the definitions that the rest of the code and the message
//! refer to most.
//!
//! Files are the nodes of a graph; a file that refers to a name has an edge to each file that defines
//! it. Rank flows along the edges (PageRank) from where the message and the files in view point; what
//! arrives over a name is the rank of its definition. As many definitions are shown, in the order of
//! their rank, as fit into the budget.

mod graph;
mod links;
mod rank;
mod render;

use crate::codebase::Codebase;
use crate::index::RankedFile;
use graph::Graph;

pub(crate) use links::Links;

/// What a map is wanted for.
#[derive(Debug, Clone, Copy, Default)]
pub struct MapRequest<'a> {
    /// What the person asks for; may be empty.
    pub message: &'a str,
    /// The files that are already in the conversation.
    pub in_view: &'a [&'a str],
    /// Files that a search found for the message, the best first; may be empty.
    pub found: &'a [RankedFile<'a>],
    /// The most tokens of the text, as [`sayso_core::transcript::estimate_tokens`] counts them.
    pub tokens: usize,
}

/// A map.
#[derive(Debug, Clone, PartialEq)]
pub struct Map<'a> {
    /// The text; empty where not even one definition fits.
    pub text: String,
    /// How many tokens it has.
    pub tokens: usize,
    /// How many definitions it shows.
    pub definitions: usize,
    /// How many files it shows.
    pub files: usize,
    /// All files with an outline, the most important first.
    pub ranked: Vec<RankedFile<'a>>,
}

impl Codebase {
    /// Makes a map.
    pub fn map(&self, request: &MapRequest<'_>) -> Map<'_> {
        let graph = Graph::of(&self.index, request);
        let ranks = graph.rank();
        let shown = render::fitting(&graph, &ranks, request.tokens);
        let files = ranks.files.iter().copied().enumerate();
        let mut ranked: Vec<RankedFile<'_>> = files
            .map(|(node, score)| RankedFile {
                path: graph.path(node),
                score,
            })
            .collect();
        ranked.sort_by(|one, other| {
            let order = other.score.total_cmp(&one.score);
            order.then_with(|| one.path.cmp(other.path))
        });
        Map {
            tokens: shown.tokens,
            definitions: shown.definitions,
            files: shown.files,
            text: shown.text,
            ranked,
        }
    }
}

#[cfg(test)]
mod tests;
