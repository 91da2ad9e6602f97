//! Moving about in the space: from ranks to nodes, up to ancestors, over children. Nothing here takes
//! longer than the way it goes; what is worth keeping (ancestor pointers, sorted children of wide
//! nodes) is made when it is first needed.

use std::cmp::Reverse;
use std::sync::{Arc, PoisonError};

use super::SearchSpace;
use crate::tree::{JumpColumn, NodeId};

/// A climb longer than this makes an ancestor-pointer column worth its memory.
const LONG_CLIMB: u32 = 4096;

/// Nodes with more children than this have them sorted once and kept.
const MANY_CHILDREN: usize = 256;

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

    /// The nodes that may be asked about, in preorder.
    pub fn askable(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.suspects_in_order()
            .filter(|&node| self.is_askable(node))
    }

    /// The children of a node that have suspects in their subtree.
    pub fn children_in_play(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.tree
            .children(node)
            .filter(|&child| self.weight(child) > 0)
    }

    /// The children of a node, the largest subtrees first (equals in order of execution). A search
    /// for a heavy child can stop as soon as the sizes get too small.
    pub fn children_by_size(&self, node: NodeId) -> Arc<[NodeId]> {
        let sorted = |mut children: Vec<NodeId>| -> Arc<[NodeId]> {
            children.sort_by_key(|&child| Reverse(self.tree.subtree_size(child)));
            children.into()
        };
        let first: Vec<_> = self.tree.children(node).take(MANY_CHILDREN + 1).collect();
        if first.len() <= MANY_CHILDREN {
            return sorted(first);
        }
        let mut wide = self.wide.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = wide.entry(node);
        Arc::clone(entry.or_insert_with(|| sorted(self.tree.children(node).collect())))
    }

    /// The askable nodes that no askable node stands above, in preorder: where a top-down strategy
    /// can go from here.
    pub fn topmost_askable(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut rank = 0;
        std::iter::from_fn(move || {
            loop {
                let node = self.select(rank)?;
                if self.is_askable(node) {
                    rank += self.weight(node);
                    return Some(node);
                }
                rank += 1;
            }
        })
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
