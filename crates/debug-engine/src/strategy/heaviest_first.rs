//! Heaviest first (Binks): top-down, but the child with the most suspects in its subtree comes
//! first, because a small subtree is less likely to hold the bug.

use super::heaviest::Heaviest;
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

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        choose(space)
    }
}

/// The heaviest askable node that no askable node stands above; the leftmost of equals.
pub(super) fn choose(space: &SearchSpace) -> Option<NodeId> {
    let mut heaviest = Heaviest::new(space, |node, _| space.is_askable(node));
    heaviest.look_at_top();
    heaviest.node()
}
