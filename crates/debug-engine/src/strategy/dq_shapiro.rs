//! Divide & query as Shapiro gave it: the heaviest node with at most half of the suspects. Nodes with
//! more than half are asked only if nothing else is askable.

use super::{SearchSpace, Strategy, StrategyInfo};
use crate::tree::NodeId;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "dq-shapiro",
    explanation: "divide & query: the heaviest call with at most half of the suspects",
    create: || Box::new(ShapiroDivideAndQuery),
};

struct ShapiroDivideAndQuery;

impl Strategy for ShapiroDivideAndQuery {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        let half = space.suspects() / 2;
        let mut best: Option<(u64, NodeId)> = None;
        let mut open: Vec<NodeId> = space.top().collect();
        while let Some(node) = open.pop() {
            let weight = space.weight(node);
            if weight == 0 || best.is_some_and(|(heaviest, _)| weight < heaviest) {
                continue;
            }
            if weight <= half && space.is_askable(node) {
                let better = best.is_none_or(|(w, b)| weight > w || (weight == w && node < b));
                if better {
                    best = Some((weight, node));
                }
            } else {
                open.extend(space.tree().children(node));
            }
        }
        best.map(|(_, node)| node)
            .or_else(|| lightest_above_half(space))
    }
}

/// Nodes with more than half of the suspects lie on one path up from the middle one.
fn lightest_above_half(space: &SearchSpace) -> Option<NodeId> {
    let all = space.suspects();
    let lowest = space.climb(space.select(all / 2)?, |node| 2 * space.weight(node) > all)?;
    space
        .ancestors_in_range(lowest)
        .find(|&node| space.is_askable(node))
}
