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
    /// By the numbers of the slots.
    slots: Vec<f64>,
}

impl Graph<'_> {
    /// Ranks files and definitions.
    pub(super) fn rank(&self) -> Ranks {
        let out: Vec<f64> = (0..self.links.nodes.len())
            .map(|node| self.edges_of(node).map(|edge| edge.weight).sum())
            .collect();
        let mut files = self.starts.clone();
        for _ in 0..ROUNDS {
            files = self.round(&files, &out);
        }
        let slots = self.slots(&files, &out);
        Ranks { files, slots }
    }

    /// Returns the references of a file.
    fn edges_of(&self, node: usize) -> impl Iterator<Item = Weighed> {
        let range = self.links.nodes.get(node).map(|node| node.edges.clone());
        let range = range.unwrap_or_default();
        let edges = self.links.edges.get(range.clone()).unwrap_or_default();
        let weights = self.weights.get(range).unwrap_or_default();
        edges.iter().zip(weights).map(|(edge, weight)| Weighed {
            slot: edge.slot,
            weight: *weight,
        })
    }

    fn round(&self, ranks: &[f64], out: &[f64]) -> Vec<f64> {
        let mut next = vec![0.0; ranks.len()];
        let mut lost = 0.0;
        for (node, (rank, out)) in ranks.iter().zip(out).enumerate() {
            if *out <= 0.0 {
                lost += rank;
                continue;
            }
            let share = rank / out;
            for edge in self.edges_of(node) {
                let to = self.links.slots.get(edge.slot).map(|slot| slot.node);
                if let Some(next) = to.and_then(|to| next.get_mut(to)) {
                    *next += share * edge.weight;
                }
            }
        }
        // The rank of files without references begins anew.
        for (next, start) in next.iter_mut().zip(&self.starts) {
            *next = DAMPING * (*next + lost * start) + (1.0 - DAMPING) * start;
        }
        next
    }

    /// Spreads the rank of every file over the names that it refers to.
    fn slots(&self, ranks: &[f64], out: &[f64]) -> Vec<f64> {
        let slots = self.links.slots.iter();
        // A definition that nothing refers to comes after those of its file that are.
        let mut scores: Vec<f64> = slots
            .map(|slot| {
                let of_file = ranks.get(slot.node).copied().unwrap_or_default();
                of_file * self.own_share(slot.name)
            })
            .collect();
        for (node, (rank, out)) in ranks.iter().zip(out).enumerate() {
            for edge in self.edges_of(node) {
                if let Some(score) = scores.get_mut(edge.slot) {
                    *score += rank * edge.weight / out;
                }
            }
        }
        // Rank that flows to code of others is still not what the project is about.
        for (score, slot) in scores.iter_mut().zip(&self.links.slots) {
            let node = self.links.nodes.get(slot.node);
            *score *= node.map_or(1.0, |node| node.origin);
        }
        scores
    }
}

impl Ranks {
    /// Returns the numbers of the slots of the highest rank, the highest first.
    pub(super) fn best(&self, count: usize) -> Vec<usize> {
        let mut all: Vec<(usize, f64)> = self.slots.iter().copied().enumerate().collect();
        let order = |one: &(usize, f64), other: &(usize, f64)| {
            let order = other.1.total_cmp(&one.1);
            order.then_with(|| one.0.cmp(&other.0))
        };
        if count < all.len() {
            // The rest need no order.
            all.select_nth_unstable_by(count, order);
            all.truncate(count);
        }
        all.sort_unstable_by(order);
        all.into_iter().map(|(slot, _)| slot).collect()
    }
}

/// A reference, and how much it counts for the message.
struct Weighed {
    slot: usize,
    weight: f64,
}
