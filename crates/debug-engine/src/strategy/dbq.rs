//! Divide by queries: the strategy with the smallest average number of questions, exactly (see
//! [`plan`](super::plan)). Where the tree is too large or too wide for the exact plan, or questions
//! were left unanswered or are about projected nodes, rollout stands in; it is close.

use super::plan::{self, Plan};
use super::{SearchSpace, Strategy, StrategyInfo, rollout};
use crate::tree::NodeId;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "dbq",
    explanation: "divide by queries: the fewest questions on average, exactly, on small trees",
    create: || Box::<DivideByQueries>::default(),
};

/// Larger spaces take longer to plan than a person wants to wait.
const LARGEST: u64 = 400;

#[derive(Default)]
struct DivideByQueries {
    plan: Plan,
}

impl Strategy for DivideByQueries {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        if space.suspects() > LARGEST || space.has_unknown_suspects() || space.has_projections() {
            return rollout::choose(space);
        }
        let mut is_planned = true;
        let planned = self.plan.next(space, |space| {
            plan::optimal_order(space).unwrap_or_else(|| {
                is_planned = false;
                Default::default()
            })
        });
        if is_planned {
            return planned;
        }
        self.plan = Plan::default();
        rollout::choose(space)
    }
}
