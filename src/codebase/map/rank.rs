//! PageRank with a beginning of its own for each node, and what of it arrives at each definition.

use super::graph::Graph;

/// The share of the rank that follows the edges in each round. Little, because a message is about a
/// place more often than about what the place stands on (`benches/codebase.rs`).
const DAMPING: f64 = 0.2;

/// Rank moves less than a millionth after these.
const ROUNDS: usize = 9;

/// Ranks of files and of names in them.
pub(super) struct Ranks {
    /// By the numbers of the nodes.
    pub(super) files: Vec<f64>,
    /// What arrived at each definition; in the order of the rank.
    pub(super) definitions: Vec<RankedName>,
}

/// A name in the file that defines it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RankedName {
    pub(super) node: usize,
    pub(super) name: usize,
    pub(super) score: f64,
}

impl Graph<'_> {
    /// Ranks files and definitions.
    pub(super) fn rank(&self) -> Ranks {
        let out: Vec<f64> = self
            .nodes
            .iter()
            .map(|node| node.edges.iter().map(|edge| edge.weight).sum())
            .collect();
        let mut files: Vec<f64> = self.nodes.iter().map(|node| node.start).collect();
        for _ in 0..ROUNDS {
            files = self.round(&files, &out);
        }
        let definitions = self.definitions(&files, &out);
        Ranks { files, definitions }
    }

    fn round(&self, ranks: &[f64], out: &[f64]) -> Vec<f64> {
        let mut next = vec![0.0; ranks.len()];
        let mut lost = 0.0;
        for ((node, rank), out) in self.nodes.iter().zip(ranks).zip(out) {
            if *out <= 0.0 {
                lost += rank;
                continue;
            }
            for edge in &node.edges {
                if let Some(next) = next.get_mut(edge.to) {
                    *next += rank * edge.weight / out;
                }
            }
        }
        // The rank of files without references begins anew.
        for (next, node) in next.iter_mut().zip(&self.nodes) {
            *next = DAMPING * (*next + lost * node.start) + (1.0 - DAMPING) * node.start;
        }
        next
    }

    /// Spreads the rank of every file over the names that it refers to.
    fn definitions(&self, ranks: &[f64], out: &[f64]) -> Vec<RankedName> {
        let mut all: Vec<RankedName> = Vec::new();
        for (number, name) in self.names.iter().enumerate() {
            let mut last = None;
            for defined in &name.definitions {
                if last != Some(defined.node) {
                    last = Some(defined.node);
                    // A definition that nothing refers to comes after those of its file that are.
                    let of_file = ranks.get(defined.node).copied().unwrap_or_default();
                    all.push(RankedName {
                        node: defined.node,
                        name: number,
                        score: of_file * name.own_share(),
                    });
                }
            }
        }
        all.sort_by_key(|it| (it.node, it.name));
        for ((node, rank), out) in self.nodes.iter().zip(ranks).zip(out) {
            for edge in &node.edges {
                let key = |it: &RankedName| (it.node, it.name);
                if let Ok(at) = all.binary_search_by_key(&(edge.to, edge.name), key)
                    && let Some(found) = all.get_mut(at)
                {
                    found.score += rank * edge.weight / out;
                }
            }
        }
        // Rank that flows to code of others is still not what the project is about.
        for found in &mut all {
            let node = self.nodes.get(found.node);
            found.score *= node.map_or(1.0, |node| node.file.entry.origin.weight());
        }
        all.sort_by(|one, other| {
            let order = other.score.total_cmp(&one.score);
            order.then_with(|| (one.node, one.name).cmp(&(other.node, other.name)))
        });
        all
    }
}
