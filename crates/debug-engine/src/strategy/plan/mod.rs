//! Plans: every question decided in advance, as one number per node.
//!
//! The optimal strategies do not choose question by question. They order all nodes at once, so that
//! the earliest node that is still in play is always the next question, whatever was answered. The
//! plan is kept for as long as the session follows it and made anew when it leaves it.

mod labels;
mod ranking;
mod suspect_tree;

use std::collections::{HashMap, HashSet, hash_map::DefaultHasher};
use std::hash::{Hash, Hasher};

use super::SearchSpace;
use crate::judgement::Judgement;
use crate::tree::NodeId;

pub use labels::{Optimum, fewest_questions, optimum};
pub(super) use labels::{good_order_below, optimal_order, order_below};
pub use ranking::worst_case_optimum;
pub(super) use ranking::worst_case_order;

/// The order in which nodes come up, and the situations in which it is known to hold.
#[derive(Default)]
pub(super) struct Plan {
    /// Smaller is earlier.
    order: HashMap<NodeId, u64>,
    reachable: HashSet<u64>,
}

impl Plan {
    /// The next question according to the plan, or to a new one if this situation is not in it.
    pub(super) fn next(
        &mut self,
        space: &SearchSpace,
        make: impl FnOnce(&SearchSpace) -> HashMap<NodeId, u64>,
    ) -> Option<NodeId> {
        if !self.reachable.contains(&situation(space)) {
            self.order = make(space);
            self.reachable.clear();
        }
        let node = first_of(space, &self.order)?;
        self.reachable.insert(situation(space));
        self.reachable.insert(situation(&space.fork_into(node)));
        let mut rest = space.fork();
        rest.judge(node, Judgement::Correct);
        self.reachable.insert(situation(&rest));
        Some(node)
    }
}

/// The askable node that comes first in an order.
pub(super) fn first_of(space: &SearchSpace, order: &HashMap<NodeId, u64>) -> Option<NodeId> {
    let askable = space.askable();
    askable.min_by_key(|node| order.get(node).copied().unwrap_or(u64::MAX))
}

/// The suspects and their subtrees: the same numbers can mean something else in a transformed tree.
pub(super) fn situation(space: &SearchSpace) -> u64 {
    let mut hasher = DefaultHasher::new();
    for suspect in space.suspects_in_order() {
        (suspect, space.tree().subtree_size(suspect)).hash(&mut hasher);
    }
    hasher.finish()
}
