//! Heaviest first (Binks): top-down, but the child with the most suspects in its subtree comes
//! first, because a small subtree is less likely to hold the bug.

use super::{SearchSpace, Strategy, StrategyInfo};
use crate::tree::NodeId;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "heaviest-first",
    explanation: "follow the wrong call downwards, the callee with the most suspects first",
    create: || Box::new(HeaviestFirst),
};

struct HeaviestFirst;

impl Strategy for HeaviestFirst {
    fn name(&self) -> &'static str {
        INFO.name
    }

    /// The heaviest askable node that no askable node stands above; the leftmost of equals. Nodes
    /// that cannot be asked are looked through as long as they are heavy enough to matter.
    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        let mut best: Option<(u64, NodeId)> = None;
        let mut open: Vec<NodeId> = space.top().collect();
        while let Some(node) = open.pop() {
            let enough = best.map_or(1, |(weight, _)| weight);
            // A subtree with fewer nodes than the best has suspects need not be weighed.
            if u64::from(space.tree().subtree_size(node)) < enough {
                continue;
            }
            let weight = space.weight(node);
            if weight < enough {
                continue;
            }
            if space.is_askable(node) {
                let better = best.is_none_or(|(w, b)| weight > w || (weight == w && node < b));
                if better {
                    best = Some((weight, node));
                }
            } else {
                open.extend(space.tree().children(node));
            }
        }
        best.map(|(_, node)| node)
    }
}
