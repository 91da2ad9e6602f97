//! Divide & query as Shapiro gave it: the heaviest node with at most half of the suspects. Nodes with
//! more than half are asked only if nothing else is askable.

use super::heaviest::Heaviest;
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

    /// Nodes with more than half of the suspects lie on one path up from the middle one. What is
    /// beside the path above a node of it has at most what that node leaves, so the way up can end
    /// early.
    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        let all = space.suspects();
        let eligible = |node, weight| 2 * weight <= all && space.is_askable(node);
        let mut heaviest = Heaviest::new(space, eligible);
        let mut above_half = None;
        match space.climb(space.select(all / 2)?, |node| 2 * space.weight(node) > all) {
            None => heaviest.look_at_top(),
            Some(lowest) => {
                let mut left_out = all;
                for node in space.ancestors_in_range(lowest) {
                    if left_out < heaviest.weight().max(1) {
                        break;
                    }
                    heaviest.look_below_beside(node, above_half);
                    above_half = Some(node);
                    left_out = all - space.weight(node);
                }
                if left_out >= heaviest.weight().max(1) && space.focus().is_none() {
                    heaviest.look_at_top_beside(above_half);
                }
            }
        }
        heaviest.node().or_else(|| lightest_above_half(space))
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
