//! Worst-case optimal: no bug position needs more questions than it must (edge ranking, see
//! [`plan`](super::plan)). For those who prefer a bound that always holds to a better average.

use super::plan::{self, Plan};
use super::{SearchSpace, Strategy, StrategyInfo, balance};
use crate::tree::NodeId;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "worst-case",
    explanation: "the fewest questions for the worst bug position",
    create: || Box::<WorstCase>::default(),
};

/// Larger spaces are halved until they fit.
const LARGEST: u64 = 2_000;

#[derive(Default)]
struct WorstCase {
    plan: Plan,
}

impl Strategy for WorstCase {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        if space.suspects() > LARGEST || space.has_unknown_suspects() || space.has_projections() {
            return balance::most_balanced(space, space.suspects());
        }
        self.plan.next(space, plan::worst_case_order)
    }
}
