//! Top-down zooming (Maeji and Kanamori): top-down, but calls of the same routine as the wrong call
//! come first. A recursive routine is followed to its last wrong call before anything else is asked,
//! so that consecutive questions are about the same routine.

use super::{SearchSpace, Strategy, StrategyInfo};
use crate::tree::NodeId;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "top-down-zooming",
    explanation: "top-down, recursive calls of the wrong method first",
    create: || Box::new(TopDownZooming),
};

/// A recursive call is looked for among the first so many callees: choosing a question must not take longer
/// than answering it.
const LOOKED_AT: usize = 1 << 12;

struct TopDownZooming;

impl Strategy for TopDownZooming {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        let routine = space.focus().map(|focus| space.tree().routine(focus));
        let same = |&node: &NodeId| Some(space.tree().routine(node)) == routine;
        space
            .topmost_askable()
            .take(LOOKED_AT)
            .find(same)
            .or_else(|| space.askable().next())
    }
}
