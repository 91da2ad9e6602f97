//! Moving about in the space: from ranks to nodes, up to ancestors, over children. Nothing here takes
//! longer than the way it goes; what is worth keeping (ancestor pointers) is made when it is first
//! needed.

use std::ops::Range;

use super::SearchSpace;
use crate::tree::{JumpColumn, NodeId};

/// A climb longer than this makes an ancestor-pointer column worth its memory.
const LONG_CLIMB: u32 = 4096;

impl SearchSpace {
    /// The suspect with this rank in preorder, counted from 0.
    pub fn select(&self, rank: u64) -> Option<NodeId> {
        if rank >= self.suspects() {
            return None;
        }
        Some(self.suspect_within(self.range.clone(), rank))
    }

    /// The first suspect at or after a position. The nearer it is, the sooner it is found.
    fn next_suspect(&self, position: u32) -> Option<NodeId> {
        let start = position.max(self.range.start);
        // Mostly the next suspect is the next node.
        if self.is_suspect(NodeId(start)) {
            return Some(NodeId(start));
        }
        let rank = self.suspects_before(start);
        if rank >= self.suspects() {
            return None;
        }
        let (mut near, mut step) = (start, 1u32);
        loop {
            let far = start.saturating_add(step).min(self.range.end);
            if self.suspects_before(far) > rank {
                return Some(self.suspect_within(near..far, rank));
            }
            near = far;
            step = step.saturating_mul(2);
        }
    }

    /// The suspect with this rank, which is at one of these positions.
    fn suspect_within(&self, positions: Range<u32>, rank: u64) -> NodeId {
        let Range {
            start: mut low,
            end: mut high,
        } = positions;
        // The first position with more than `rank` suspects up to and including it.
        while low < high {
            let middle = low + (high - low) / 2;
            if self.suspects_before(middle + 1) > rank {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        NodeId(low)
    }

    /// The suspects in preorder.
    pub fn suspects_in_order(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut position = self.range.start;
        std::iter::from_fn(move || {
            let suspect = self.next_suspect(position)?;
            position = suspect.0 + 1;
            Some(suspect)
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
        self.askable_passing(|node| node.0 + 1)
    }

    /// The children of a node that have suspects in their subtree.
    pub fn children_in_play(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let Range { start, end } = self.tree.range(node);
        let mut next = start + 1;
        std::iter::from_fn(move || {
            while next < end {
                let child = NodeId(next);
                next += self.tree.subtree_size(child).max(1);
                if self.weight(child) > 0 {
                    return Some(child);
                }
                // Millions of children may have been ruled out at once.
                let suspect = self.next_suspect(next)?;
                let is_child = |below| self.tree.parent(below).is_none_or(|above| above <= node);
                next = self.climb(suspect, is_child)?.0.max(next);
            }
            None
        })
    }

    /// Whether all suspects in a subtree, if there are any, were left unanswered.
    pub(super) fn is_exhausted(&self, node: NodeId) -> bool {
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

    /// The askable nodes that no askable node stands above, in preorder: where a top-down strategy
    /// can go from here.
    pub fn topmost_askable(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.askable_passing(|node| self.tree.range(node).end)
    }

    /// The nodes that may be asked about, in preorder; after each the search goes on at the position that
    /// `pass` gives.
    fn askable_passing(&self, pass: impl Fn(NodeId) -> u32) -> impl Iterator<Item = NodeId> {
        let mut position = self.range.start;
        std::iter::from_fn(move || {
            loop {
                let node = self.next_in_play(position)?;
                if self.is_askable(node) {
                    position = pass(node);
                    return Some(node);
                }
                position = node.0 + 1;
            }
        })
    }

    /// The first suspect or projected node at or after a position, without suspects that were left
    /// unanswered.
    fn next_in_play(&self, position: u32) -> Option<NodeId> {
        let suspect = self.next_answerable(position);
        let from = self.projections.partition_point(|node| node.0 < position);
        let projection = self.projections[from..]
            .iter()
            .copied()
            .take_while(|node| suspect.is_none_or(|suspect| *node < suspect))
            .find(|&node| self.is_projection_in_play(node));
        projection.or(suspect)
    }

    fn next_answerable(&self, position: u32) -> Option<NodeId> {
        let mut position = position;
        loop {
            position = self.skip_unknown(position);
            let suspect = self.next_suspect(position)?;
            let after = self.skip_unknown(suspect.0);
            if after == suspect.0 {
                return Some(suspect);
            }
            position = after;
        }
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
