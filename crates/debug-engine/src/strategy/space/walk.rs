//! Moving about in the space: from ranks to nodes, up to ancestors, over children. Nothing here takes
//! longer than the way it goes; what is worth keeping (ancestor pointers, sorted children of wide
//! nodes) is made when it is first needed.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::{Arc, PoisonError};

use super::{Exhausted, SearchSpace};
use crate::tree::{JumpColumn, NodeId};

/// A climb longer than this makes an ancestor-pointer column worth its memory.
const LONG_CLIMB: u32 = 4096;

/// Nodes with more children than this have them sorted once and kept.
const MANY_CHILDREN: usize = 256;

/// Of very many children only the heaviest are listed.
const LISTED_CHILDREN: usize = 1 << 16;

/// The children of a node by weight.
#[derive(Clone)]
pub(super) struct HeavyChildren {
    /// The heaviest, with the weights that they have if nothing is ruled out.
    first: Arc<[(NodeId, u32)]>,
    /// No other child is heavier; 0 if there is no other.
    rest: u32,
}

impl SearchSpace {
    /// The suspect with this rank in preorder, counted from 0.
    pub fn select(&self, rank: u64) -> Option<NodeId> {
        if rank >= self.suspects() {
            return None;
        }
        let (mut low, mut high) = (self.range.start, self.range.end);
        // The first position with more than `rank` suspects up to and including it.
        while low < high {
            let middle = low + (high - low) / 2;
            if self.suspects_before(middle + 1) > rank {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Some(NodeId(low))
    }

    /// The suspects in preorder.
    pub fn suspects_in_order(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut last: Option<NodeId> = None;
        (0..self.suspects()).map_while(move |rank| {
            // Mostly the next suspect is the next node; otherwise whole intervals are skipped.
            let neighbour = last
                .map(|node| NodeId(node.0 + 1))
                .filter(|&n| self.is_suspect(n));
            last = neighbour.or_else(|| self.select(rank));
            last
        })
    }

    /// The suspects and the projected nodes in play, in preorder.
    pub fn in_play_in_order(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut suspects = self.suspects_in_order().peekable();
        let mut projections = self
            .projections
            .iter()
            .copied()
            .filter(|&node| self.is_projection_in_play(node))
            .peekable();
        std::iter::from_fn(move || {
            let suspect_is_next = match (suspects.peek(), projections.peek()) {
                (Some(suspect), Some(projection)) => suspect < projection,
                (suspect, _) => suspect.is_some(),
            };
            if suspect_is_next {
                suspects.next()
            } else {
                projections.next()
            }
        })
    }

    /// The nodes that may be asked about, in preorder.
    pub fn askable(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.in_play_in_order()
            .filter(|&node| self.is_askable(node))
    }

    /// The children of a node that have suspects in their subtree.
    pub fn children_in_play(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.tree
            .children(node)
            .filter(|&child| self.weight(child) > 0)
    }

    /// The children of a node, each with a bound on its weight, in the order of falling bounds (and
    /// of execution, where bounds are equal). A search for a heavy child can stop as soon as the
    /// bounds get too small.
    pub fn children_by_weight(&self, node: NodeId) -> impl Iterator<Item = (NodeId, u64)> + '_ {
        let heavy = self.heavy_children(node);
        let rest = heavy.rest;
        let start = self.skip_exhausted(node, &heavy);
        let listed = (start..heavy.first.len()).map(move |index| heavy.first[index]);
        let unlisted = (rest > 0)
            .then(|| self.tree.children(node))
            .into_iter()
            .flatten();
        let unlisted = unlisted.filter(move |&child| self.bound(child) <= rest);
        let pair = |(node, bound): (NodeId, u32)| (node, u64::from(bound));
        listed
            .chain(unlisted.map(move |child| (child, rest)))
            .map(pair)
    }

    fn heavy_children(&self, node: NodeId) -> HeavyChildren {
        let mut children = self.tree.children(node);
        if children.nth(MANY_CHILDREN).is_none() {
            return self.find_heavy(node);
        }
        let mut wide = self.wide.lock().unwrap_or_else(PoisonError::into_inner);
        wide.entry(node)
            .or_insert_with(|| self.find_heavy(node))
            .clone()
    }

    /// Where the listed children begin about which a question is still possible, or about something in
    /// them. Answers come in the order of the list, more or less, so thousands of children that were
    /// ruled out or left unanswered stand at its beginning; they are passed over only once.
    fn skip_exhausted(&self, node: NodeId, heavy: &HeavyChildren) -> usize {
        if heavy.first.len() <= MANY_CHILDREN {
            return 0;
        }
        let mut exhausted = self
            .exhausted
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let start = exhausted.entry(node).or_default();
        let is_exhausted = |&(child, _): &(NodeId, u32)| self.is_exhausted(child);
        while heavy.first.get(*start).is_some_and(is_exhausted) {
            *start += 1;
        }
        *start
    }

    /// Whether all suspects in a subtree, if there are any, were left unanswered.
    fn is_exhausted(&self, node: NodeId) -> bool {
        let weight = self.weight(node);
        if weight == 0 {
            return true;
        }
        let Range { start, end } = self.tree.range(node);
        let unknown = self.unknown.range(NodeId(start)..NodeId(end));
        let unknown = unknown.filter(|&&node| self.is_suspect(node));
        // A projected node can be asked about whatever was said about what is in it.
        !self.has_projections() && unknown.count() as u64 == weight
    }

    /// Forgets which children are exhausted: what is searched has changed.
    pub(super) fn forget_exhausted(&mut self) {
        self.exhausted = Exhausted::default();
    }

    /// Sorts children by weight, and keeps the first of very many.
    fn find_heavy(&self, node: NodeId) -> HeavyChildren {
        let key = |&(node, bound): &(NodeId, u32)| (Reverse(bound), node);
        let mut first: Vec<(NodeId, u32)> = Vec::new();
        let mut rest = 0;
        let Range { start, end } = self.tree.range(node);
        let mut next = start + 1;
        while next < end {
            if rest > 0 {
                // As heavy as the last one listed, and later: not among the first.
                next = self.tree.skip_leaves(next, end);
                if next == end {
                    break;
                }
            }
            let child = NodeId(next);
            next += self.tree.subtree_size(child).max(1);
            let bound = self.bound(child);
            if bound == 0 || bound <= rest {
                continue;
            }
            first.push((child, bound));
            if first.len() == 2 * LISTED_CHILDREN {
                first.select_nth_unstable_by_key(LISTED_CHILDREN, key);
                rest = first[LISTED_CHILDREN].1;
                first.truncate(LISTED_CHILDREN);
            }
        }
        first.sort_unstable_by_key(key);
        HeavyChildren {
            first: first.into(),
            rest,
        }
    }

    /// The weight that the subtree of a node would have if nothing in it were ruled out.
    fn bound(&self, node: NodeId) -> u32 {
        let Range { start, end } = self.tree.range(node);
        if end - start == 1 {
            // A loop may have made a hundred million calls that made none.
            return u32::from(!self.weightless.contains(start));
        }
        self.weight_between(start, end.min(self.known_len).max(start)) as u32
    }

    /// The askable nodes that no askable node stands above, in preorder: where a top-down strategy
    /// can go from here.
    pub fn topmost_askable(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut position = self.range.start;
        std::iter::from_fn(move || {
            loop {
                let node = self.next_in_play(position)?;
                if self.is_askable(node) {
                    position = self.tree.range(node).end;
                    return Some(node);
                }
                position = node.0 + 1;
            }
        })
    }

    /// The first suspect or projected node at or after a position.
    fn next_in_play(&self, position: u32) -> Option<NodeId> {
        let suspect = self.select(self.suspects_before(position));
        let from = self.projections.partition_point(|node| node.0 < position);
        let projection = self.projections[from..]
            .iter()
            .copied()
            .take_while(|node| suspect.is_none_or(|suspect| *node < suspect))
            .find(|&node| self.is_projection_in_play(node));
        projection.or(suspect)
    }

    /// The topmost nodes of the range: the focus alone, or the roots in scope.
    pub fn top(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut next = self.range.start;
        std::iter::from_fn(move || {
            let node = (next < self.range.end).then_some(NodeId(next))?;
            next += self.tree.subtree_size(node).max(1);
            Some(node)
        })
    }

    /// The lowest ancestor-or-self of `node` inside the range that satisfies `holds`, a property
    /// that once true stays true upwards.
    pub fn climb(&self, node: NodeId, holds: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let mut node = node;
        for step in 0u32.. {
            if !self.range.contains(&node.0) {
                return None;
            }
            if holds(node) {
                return Some(node);
            }
            let far = self.jump(node, step);
            let far = far.filter(|&far| self.range.contains(&far.0) && !holds(far));
            node = match far.filter(|&far| far != node) {
                Some(far) => far,
                None => self.tree.parent(node)?,
            };
        }
        None
    }

    /// The node and its ancestors, up to the top of the range.
    pub(crate) fn ancestors_in_range(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |&node| self.tree.parent(node))
            .take_while(|node| self.range.contains(&node.0))
    }

    fn jump(&self, node: NodeId, step: u32) -> Option<NodeId> {
        if let Some(target) = self.tree.jump(node) {
            return Some(target);
        }
        if step >= LONG_CLIMB {
            self.jumps.get_or_init(|| JumpColumn::build(&*self.tree));
        }
        self.jumps.get().map(|jumps| jumps.get(node))
    }
}
