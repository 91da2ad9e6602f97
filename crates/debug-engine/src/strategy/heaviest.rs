//! The search for the heaviest askable node, for the strategies that want just that.

use super::SearchSpace;
use crate::tree::NodeId;

/// Keeps the heaviest node offered so far, the first in preorder among equals, and looks through
/// nodes that are not eligible as long as something heavier can be inside.
pub(super) struct Heaviest<'space, Eligible> {
    space: &'space SearchSpace,
    eligible: Eligible,
    best: Option<(u64, NodeId)>,
}

impl<'space, Eligible: Fn(NodeId, u64) -> bool> Heaviest<'space, Eligible> {
    /// A search among the nodes that are eligible, given the node and its weight.
    pub(super) fn new(space: &'space SearchSpace, eligible: Eligible) -> Self {
        Heaviest {
            space,
            eligible,
            best: None,
        }
    }

    /// The weight to beat.
    pub(super) fn weight(&self) -> u64 {
        self.best.map_or(0, |(weight, _)| weight)
    }

    pub(super) fn node(&self) -> Option<NodeId> {
        self.best.map(|(_, node)| node)
    }

    /// Looks at the topmost nodes of the space and, where they are not eligible, below them.
    pub(super) fn look_at_top(&mut self) {
        self.look_at_top_beside(None);
    }

    /// The same without one of them.
    pub(super) fn look_at_top_beside(&mut self, done: Option<NodeId>) {
        let through = self.look_along(self.space.top_by_weight(), done);
        through.into_iter().for_each(|node| self.look_below(node));
    }

    /// Looks at the children of `node` and, where they are not eligible, below them.
    pub(super) fn look_below(&mut self, node: NodeId) {
        self.look_below_beside(node, None);
    }

    /// The same without one of the children.
    pub(super) fn look_below_beside(&mut self, node: NodeId, done: Option<NodeId>) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            open.extend(self.look_along(self.space.children_by_weight(node), done));
        }
    }

    /// Looks at siblings in the order of falling weights; gives those to look through.
    fn look_along(
        &mut self,
        siblings: impl Iterator<Item = (NodeId, u64)>,
        done: Option<NodeId>,
    ) -> Vec<NodeId> {
        let mut through = Vec::new();
        for (node, bound) in siblings {
            if bound < self.weight().max(1) {
                break;
            }
            if Some(node) != done && self.is_worth_opening(node) {
                through.push(node);
            }
            // An untouched subtree that is the best: those after it are no heavier, and later.
            if self.best == Some((bound, node)) {
                break;
            }
        }
        through
    }

    /// Takes the node if it is eligible and better; says whether to look inside otherwise.
    fn is_worth_opening(&mut self, node: NodeId) -> bool {
        let weight = self.space.weight(node);
        if weight < self.weight().max(1) {
            return false;
        }
        if !(self.eligible)(node, weight) {
            return true;
        }
        if self
            .best
            .is_none_or(|(w, first)| weight > w || (weight == w && node < first))
        {
            self.best = Some((weight, node));
        }
        false
    }
}
