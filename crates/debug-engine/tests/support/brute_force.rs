//! Everything tried, on sets of suspects as bits: up to 20 nodes or so.

use std::collections::HashMap;

use debug_engine::tree::SketchTree;
use debug_engine::{ExecutionTree, NodeId};

/// The suspects inside and outside of a node that can be asked about, as bits.
type Split = (u32, u32);

/// A tree with a known-wrong root.
pub struct BruteForce {
    subtrees: Vec<u32>,
}

impl BruteForce {
    pub fn new(tree: &SketchTree) -> Self {
        let tree: &dyn ExecutionTree = tree;
        let bits = |node| tree.range(node).fold(0, |set, inside| set | 1 << inside);
        let subtrees = (0..tree.len()).map(NodeId).map(bits).collect();
        BruteForce { subtrees }
    }

    /// The smallest total of questions over all bug positions.
    pub fn optimum(&self) -> u64 {
        self.smallest(|suspects, inside, outside| u64::from(suspects) + inside + outside)
    }

    /// The smallest number of questions for the worst bug position.
    pub fn worst_case(&self) -> u64 {
        self.smallest(|_, inside, outside| 1 + inside.max(outside))
    }

    /// The smallest and the largest total that a strategy can have that asks, in each situation, one of
    /// the `best` questions of those that are possible: given how many suspects there are, and how many
    /// of them each question has inside.
    pub fn within_ties(&self, best: &dyn Fn(u32, &[u32]) -> Vec<usize>) -> (u64, u64) {
        self.totals(self.everything(), best, &mut HashMap::new())
    }

    fn everything(&self) -> u32 {
        u32::MAX >> (u32::BITS as usize - self.subtrees.len())
    }

    fn splits(&self, suspects: u32) -> Vec<Split> {
        let nodes = self.subtrees.iter().enumerate();
        let in_play = nodes.filter(|&(node, _)| suspects >> node & 1 == 1);
        let splits = in_play.map(|(_, subtree)| (suspects & subtree, suspects & !subtree));
        splits.filter(|&(_, outside)| outside != 0).collect()
    }

    fn smallest(&self, cost: impl Fn(u32, u64, u64) -> u64) -> u64 {
        self.cheapest(self.everything(), &cost, &mut HashMap::new())
    }

    fn cheapest(
        &self,
        suspects: u32,
        cost: &dyn Fn(u32, u64, u64) -> u64,
        known: &mut HashMap<u32, u64>,
    ) -> u64 {
        if suspects.count_ones() <= 1 {
            return 0;
        }
        if let Some(&cheapest) = known.get(&suspects) {
            return cheapest;
        }
        let costs = self.splits(suspects).into_iter().map(|(inside, outside)| {
            let inside = self.cheapest(inside, cost, known);
            let outside = self.cheapest(outside, cost, known);
            cost(suspects.count_ones(), inside, outside)
        });
        let cheapest = costs.min().unwrap_or(0);
        known.insert(suspects, cheapest);
        cheapest
    }

    fn totals(
        &self,
        suspects: u32,
        best: &dyn Fn(u32, &[u32]) -> Vec<usize>,
        known: &mut HashMap<u32, (u64, u64)>,
    ) -> (u64, u64) {
        let count = suspects.count_ones();
        if count <= 1 {
            return (0, 0);
        }
        if let Some(&totals) = known.get(&suspects) {
            return totals;
        }
        let splits = self.splits(suspects);
        let weights: Vec<u32> = splits
            .iter()
            .map(|(inside, _)| inside.count_ones())
            .collect();
        let mut totals = (u64::MAX, 0);
        for index in best(count, &weights) {
            let (inside, outside) = splits[index];
            let inside = self.totals(inside, best, known);
            let outside = self.totals(outside, best, known);
            let here = u64::from(count);
            totals.0 = totals.0.min(here + inside.0 + outside.0);
            totals.1 = totals.1.max(here + inside.1 + outside.1);
        }
        known.insert(suspects, totals);
        totals
    }
}
