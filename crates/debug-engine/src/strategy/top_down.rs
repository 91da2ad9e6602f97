//! Top-down search: from the wrong node to its children, left to right, and into the first one that
//! is wrong. Consecutive questions are about neighbouring calls, which people find easy to follow;
//! the price is that nothing is said about how much each answer rules out.
//!
//! In preorder the next child to ask about, looking through children that cannot be asked, is simply
//! the first askable node after the focus.

use super::{SearchSpace, Strategy, StrategyInfo};
use crate::tree::NodeId;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "top-down",
    explanation: "follow the wrong call downwards, its callees from first to last",
    create: || Box::new(TopDown),
};

struct TopDown;

impl Strategy for TopDown {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        space.askable().next()
    }
}
