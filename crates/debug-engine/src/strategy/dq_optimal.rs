//! Optimal divide & query (Insa and Silva): what counts is what is left to *ask* on either side. A NO
//! leaves the subtree without its root, which needs no further question; a YES leaves the rest,
//! without the current root if that is already known to be wrong. With a known root this is the split
//! of Hirunkitti and Hogger again; with an unknown one it aims half a node higher.

use super::{SearchSpace, Strategy, StrategyInfo, balance};
use crate::tree::NodeId;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "dq-optimal",
    explanation: "optimal divide & query: balances what remains to be asked, not what remains",
    create: || Box::new(OptimalDivideAndQuery),
};

struct OptimalDivideAndQuery;

impl Strategy for OptimalDivideAndQuery {
    fn name(&self) -> &'static str {
        INFO.name
    }

    /// |(w − 1) − (W − w − 1)| is |2·w − W|; without a known root, |(w − 1) − (W − w)| is
    /// |2·w − (W + 1)|.
    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        let unasked_root = u64::from(!space.is_known_wrong());
        balance::most_balanced(space, space.suspects() + unasked_root)
    }
}
