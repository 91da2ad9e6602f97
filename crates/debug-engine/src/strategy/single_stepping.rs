//! Single stepping (Shapiro): every call in the order in which the calls ended. A node is asked only
//! after everything that it called was found correct, so the first NO names the buggy node.
//!
//! It needs a question for nearly every node; it is here because the others are measured against it.

use super::{SearchSpace, Strategy, StrategyInfo};
use crate::tree::NodeId;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "single-stepping",
    explanation: "every call in the order in which they ended, innermost first",
    create: || Box::new(SingleStepping),
};

struct SingleStepping;

impl Strategy for SingleStepping {
    fn name(&self) -> &'static str {
        INFO.name
    }

    /// The first askable node in postorder: in preorder, the last of a run of nested askable nodes
    /// before the first suspect that is outside of it.
    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        let mut innermost = None;
        for node in space.in_play_in_order() {
            if let Some(candidate) = innermost
                && !space.tree().contains(candidate, node)
            {
                return innermost;
            }
            if space.is_askable(node) {
                innermost = Some(node);
            }
        }
        innermost
    }

    fn questions_left(&self, space: &SearchSpace) -> u32 {
        u32::try_from(space.suspects() / 2)
            .unwrap_or(u32::MAX)
            .max(1)
    }
}
