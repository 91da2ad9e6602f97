//! Divide & query in the form of Hirunkitti and Hogger: the node whose subtree holds as close to half
//! of the suspects as possible, be it more or less than half (minimise |2·w(v) − W|). Ties go to the
//! node with more children in play, which costs nothing and closes part of the gap to the optimum.

use super::{SearchSpace, Strategy, StrategyInfo, balance};
use crate::tree::NodeId;

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "dq-hirunkitti",
    explanation: "divide & query: the call that splits the suspects most evenly",
    create: || Box::new(DivideAndQuery),
};

pub(super) struct DivideAndQuery;

impl Strategy for DivideAndQuery {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        balance::most_balanced(space, space.suspects())
    }
}
