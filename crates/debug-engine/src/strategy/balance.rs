//! The search for the node that splits the suspects most evenly, which all divide & query variants
//! share.
//!
//! Let `T` be the target for `2·w(v)`; plain divide & query has `T = W`. Nodes with `2·w ≥ T` lie on
//! one path up from the middle suspect in preorder (two paths, if a weightless root has two equal
//! halves). Let `v` be the lowest of them. If it can be asked, it or one of its children is the best
//! choice: whatever lies beside `v` has at most `W − w(v)` suspects, so it is no better than `v`. If
//! it cannot be asked, the same holds for the lowest node `a` above it that can, and what lies
//! between `a` and `v` has to be looked at too.

use std::cmp::Reverse;

use super::SearchSpace;
use crate::tree::NodeId;

/// Ties are broken towards more children in play; beyond this many, a node simply has "many".
pub(super) const MANY_CHILDREN: usize = 8;

/// Beyond this many equally good nodes the search for a better tie-break ends.
const MANY_TIES: usize = 64;

/// The askable node that minimises |2·w − target|; of equals the one with more children in play, then
/// the first. `target` is at least the number of suspects.
pub(super) fn most_balanced(space: &SearchSpace, target: u64) -> Option<NodeId> {
    let all = space.suspects();
    let mut search = Search {
        space,
        target,
        best: u64::MAX,
        candidates: Vec::new(),
    };
    for rank in [all / 2, all.saturating_sub(1) / 2] {
        let middle = space.select(rank)?;
        let above = search.look_above(middle);
        if let Some(askable) = above {
            search.offer_rest_of(askable);
        }
        if all % 2 == 1 {
            break;
        }
    }
    search.winner()
}

struct Search<'space> {
    space: &'space SearchSpace,
    target: u64,
    /// The smallest |2·w − target| so far.
    best: u64,
    candidates: Vec<NodeId>,
}

/// What to do with a node's subtree after a look at the node.
#[derive(PartialEq, Eq)]
enum Look {
    /// Nothing: it was offered, or nothing in it can compete.
    Done,
    /// It cannot be asked; its children may compete.
    Through,
    /// It is too light to compete, and so is everything lighter.
    TooLight,
}

impl Search<'_> {
    /// Offers the lowest askable node above the half-way point, and what lies below it. Gives that
    /// node.
    fn look_above(&mut self, middle: NodeId) -> Option<NodeId> {
        let space = self.space;
        let heavy = |node: NodeId| 2 * space.weight(node) >= self.target;
        let Some(lowest) = space.climb(middle, heavy) else {
            // A forest without a heavy tree.
            self.look_at_top();
            return None;
        };
        let mut path = Vec::new();
        let mut askable = None;
        for node in space.ancestors_in_range(lowest) {
            path.push(node);
            if space.is_askable(node) {
                self.offer(node, space.weight(node));
                askable = Some(node);
                break;
            }
        }
        for node in path {
            self.look_below(node);
        }
        if askable.is_none() && space.focus().is_none() {
            self.look_at_top();
        }
        askable
    }

    /// Offers the askable ones among the topmost nodes, and looks through the others.
    fn look_at_top(&mut self) {
        let through = self.look_along(self.space.top_by_weight());
        through.into_iter().for_each(|node| self.look_below(node));
    }

    /// Offers the askable children, and looks through the others. Whatever cannot be as good as the
    /// best so far is passed over; the bound alone says so in most cases.
    fn look_below(&mut self, node: NodeId) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            open.extend(self.look_along(self.space.children_by_weight(node)));
        }
    }

    /// Looks at siblings in the order of falling weights; gives those to look through.
    fn look_along(&mut self, siblings: impl Iterator<Item = (NodeId, u64)>) -> Vec<NodeId> {
        let mut through = Vec::new();
        for (node, bound) in siblings {
            match self.look_at(node, bound) {
                Look::Through => through.push(node),
                Look::Done => {}
                Look::TooLight => break,
            }
        }
        through
    }

    fn look_at(&mut self, node: NodeId, at_most: u64) -> Look {
        if self.cannot_compete(at_most) {
            return Look::TooLight;
        }
        let weight = self.space.weight(node);
        if weight == 0 || 2 * weight >= self.target || self.cannot_compete(weight) {
            return Look::Done;
        }
        if !self.space.is_askable(node) {
            return Look::Through;
        }
        self.offer(node, weight);
        Look::Done
    }

    fn cannot_compete(&self, at_most: u64) -> bool {
        let distance = self.target.saturating_sub(2 * at_most);
        distance > self.best || (distance == self.best && self.candidates.len() >= MANY_TIES)
    }

    /// If all suspects outside `node` are inside one other node, then that splits them just as well.
    fn offer_rest_of(&mut self, node: NodeId) {
        let space = self.space;
        let all = space.suspects();
        let rest = all - space.weight(node);
        let outside = [0, all - 1]
            .into_iter()
            .filter_map(|rank| space.select(rank))
            .find(|&suspect| !space.tree().contains(node, suspect));
        let Some(outside) = outside else { return };
        let lowest = space.climb(outside, |node| space.weight(node) >= rest);
        let Some(lowest) = lowest.filter(|&node| space.weight(node) == rest) else {
            return;
        };
        for other in space.ancestors_in_range(lowest) {
            if space.weight(other) != rest {
                break;
            }
            if space.is_askable(other) {
                self.offer(other, rest);
            }
        }
    }

    fn offer(&mut self, node: NodeId, weight: u64) {
        let distance = (2 * weight).abs_diff(self.target);
        if distance > self.best {
            return;
        }
        if distance < self.best {
            self.best = distance;
            self.candidates.clear();
        }
        self.candidates.push(node);
    }

    fn winner(self) -> Option<NodeId> {
        if let [only] = self.candidates[..] {
            return Some(only);
        }
        self.candidates
            .iter()
            .copied()
            .min_by_key(|&node| (Reverse(children_in_play(self.space, node)), node))
    }
}

/// The number of children in play, counted up to [`MANY_CHILDREN`].
pub(super) fn children_in_play(space: &SearchSpace, node: NodeId) -> usize {
    space.children_in_play(node).take(MANY_CHILDREN).count()
}
