//! The part of the base tree that is transformed, and what becomes of the children of each of its nodes.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use super::loops::{self, PieceSpan};
use super::{Group, Sibling, Transformations};
use crate::tree::{ExecutionTree, NodeId, RoutineId, Target};

/// Loops are looked for in this many calls of a part, those with the most children: each has to be
/// executed again. When the search has come closer, there are fewer calls to choose from.
const MOST_EXPANDED: usize = 64;

/// The part of the base tree without what is absorbed. Nodes are counted from the start of the part.
pub(super) struct Shape {
    start: u32,
    pub(super) absorbed_count: u32,
    /// Where the children of each node begin in `children`; one slot more for the topmost nodes.
    offsets: Vec<u32>,
    children: Vec<usize>,
}

impl Shape {
    pub(super) fn of(
        base: &dyn ExecutionTree,
        part: Range<u32>,
        transformations: &Transformations,
    ) -> Self {
        let len = (part.end - part.start) as usize;
        let routines: Vec<RoutineId> = part.clone().map(|n| base.routine(NodeId(n))).collect();
        let parent_of = |index: usize| {
            let parent = base.parent(NodeId(part.start + index as u32));
            parent
                .filter(|parent| part.contains(&parent.0))
                .map(|parent| (parent.0 - part.start) as usize)
        };
        let recursive = if transformations.compression {
            only_recursive_calls(base, &part, &routines, parent_of)
        } else {
            Vec::new()
        };
        let mut is_absorbed = vec![false; len];
        let mut owners: Vec<u32> = Vec::with_capacity(len);
        let mut counts = vec![0u32; len + 2];
        for index in 0..len {
            let parent = parent_of(index);
            let inlined = transformations.inlined.contains(&routines[index]);
            let absorbed = inlined || recursive.get(index).is_some_and(|&is| is);
            is_absorbed[index] = absorbed && parent.is_some();
            let owner = match parent {
                None => len as u32,
                Some(parent) if is_absorbed[parent] => owners[parent],
                Some(parent) => parent as u32,
            };
            owners.push(owner);
            counts[owner as usize + 1] += u32::from(!is_absorbed[index]);
        }
        for slot in 1..counts.len() {
            counts[slot] += counts[slot - 1];
        }
        let offsets = counts;
        let mut next = offsets.clone();
        let kept = is_absorbed.iter().filter(|&&is| !is).count();
        let mut children = vec![0; kept];
        for index in (0..len).filter(|&index| !is_absorbed[index]) {
            let slot = owners[index] as usize;
            children[next[slot] as usize] = index;
            next[slot] += 1;
        }
        Shape {
            start: part.start,
            absorbed_count: (len - kept) as u32,
            offsets,
            children,
        }
    }

    pub(super) fn node(&self, index: usize) -> NodeId {
        NodeId(self.start + index as u32)
    }

    /// The slot of the topmost nodes.
    pub(super) fn top(&self) -> usize {
        self.offsets.len() - 2
    }

    pub(super) fn children(&self, slot: usize) -> &[usize] {
        &self.children[self.offsets[slot] as usize..self.offsets[slot + 1] as usize]
    }

    /// What becomes of the children of each node, from the leaves upwards. The topmost nodes are
    /// treated as the children of a projected node: a stretch that is known to be wrong is one.
    pub(super) fn balance(
        &self,
        base: &dyn ExecutionTree,
        transformations: &Transformations,
        weighs: &dyn Fn(NodeId) -> bool,
        opened: &[Target],
    ) -> Groups {
        let mut groups = Groups::default();
        let balancing = transformations.balancing;
        if balancing.is_none() && !transformations.loops {
            return groups;
        }
        let expanded = match transformations.loops {
            true => self.expanded(base, weighs),
            false => HashSet::new(),
        };
        let unrestricted = balancing.is_some_and(|parameters| parameters.unrestricted);
        let chained = |one: NodeId, next: NodeId| {
            balancing.is_some()
                && follows(base, one, next)
                && (unrestricted || base.chained_to_next(one))
        };
        groups.starts = vec![(0, 0); self.top() + 1];
        let is_open = |node: NodeId| opened.iter().any(|target| target.contains(base, node));
        let mut weights = vec![0u64; self.top()];
        // A trusted call with suspects below it is looked through, so it is a part of no group.
        let is_looked_through =
            |weights: &[u64], slot: usize| weights[slot] > 0 && !weighs(self.node(slot));
        let mut siblings = Vec::new();
        for slot in (0..self.top()).rev().chain([self.top()]) {
            let children = self.children(slot);
            siblings.clear();
            for (position, &child) in children.iter().enumerate() {
                let node = self.node(child);
                let next = children.get(position + 1).copied();
                let next = next.filter(|&next| {
                    !is_looked_through(&weights, child) && !is_looked_through(&weights, next)
                });
                let next = next.map(|next| self.node(next));
                let is_leaf = self.children(child).is_empty() && base.is_complete(node);
                siblings.push(Sibling {
                    weight: weights[child],
                    routine: base.routine(node),
                    is_leaf: is_leaf && weights[child] == 1 && !is_open(node),
                    chained: next.is_some_and(|next| chained(node, next)),
                });
            }
            let is_top = slot == self.top();
            let pieces = match expanded.contains(&slot) {
                true => self.pieces(base, slot),
                false => Vec::new(),
            };
            if siblings.len() < 2 && pieces.is_empty() {
                if !is_top {
                    let below = siblings.first().map_or(0, |only| only.weight);
                    weights[slot] = below + u64::from(weighs(self.node(slot)));
                }
                continue;
            }
            let own_weight = u64::from(!is_top && weighs(self.node(slot)));
            let layout = loops::layout(&siblings, &pieces, balancing.as_ref(), own_weight);
            if !is_top {
                weights[slot] = own_weight + layout.weight;
            }
            let start = groups.all.len();
            groups.all.extend(layout.groups);
            groups.starts[slot] = (start, groups.all.len());
        }
        groups
    }

    /// The calls whose loops are looked for: the topmost one, and those with the most children.
    fn expanded(
        &self,
        base: &dyn ExecutionTree,
        weighs: &dyn Fn(NodeId) -> bool,
    ) -> HashSet<usize> {
        let keeps_children = |&slot: &usize| {
            let kept = self.children(slot).iter().map(|&child| self.node(child));
            kept.eq(base.children(self.node(slot)))
        };
        let mut slots: Vec<usize> = (0..self.top())
            .filter(|&slot| self.children(slot).len() > 1 || (slot == 0 && self.has_one_root()))
            .filter(|&slot| weighs(self.node(slot)))
            .filter(keeps_children)
            .collect();
        slots.sort_by_key(|&slot| (slot > 0, Reverse(self.children(slot).len()), slot));
        slots.truncate(MOST_EXPANDED);
        slots.into_iter().collect()
    }

    fn has_one_root(&self) -> bool {
        self.children(self.top()).len() == 1
    }

    /// The loops and iterations of a call, in terms of its children.
    fn pieces(&self, base: &dyn ExecutionTree, slot: usize) -> Vec<PieceSpan> {
        let children = self.children(slot);
        let place = |node: NodeId| children.partition_point(|&child| self.node(child) < node);
        let pieces = base.loops(self.node(slot));
        let spans = pieces.iter().map(|piece| PieceSpan {
            is_loop: piece.is_loop,
            first: place(piece.first),
            last: place(piece.last),
        });
        loops::without_doubles(spans)
    }
}

/// The groups among the children of each node.
#[derive(Default)]
pub(super) struct Groups {
    /// Start and end in `all`, by slot; nothing at all if there are no groups.
    starts: Vec<(usize, usize)>,
    all: Vec<Group>,
}

impl Groups {
    pub(super) fn of(&self, slot: usize) -> &[Group] {
        match self.starts.get(slot) {
            Some(&(start, end)) => &self.all[start..end],
            None => &[],
        }
    }
}

/// Whether one node is the next sibling of another, and both have ended.
fn follows(base: &dyn ExecutionTree, one: NodeId, next: NodeId) -> bool {
    base.range(one).end == next.0 && base.parent(one) == base.parent(next) && base.is_complete(next)
}

/// Tree compression: the calls of the same routine as their caller that are the only such call.
fn only_recursive_calls(
    base: &dyn ExecutionTree,
    part: &Range<u32>,
    routines: &[RoutineId],
    parent_of: impl Fn(usize) -> Option<usize>,
) -> Vec<bool> {
    let same = |index: usize| {
        let parent = parent_of(index)?;
        let ended = base.is_complete(NodeId(part.start + parent as u32));
        (ended && routines[parent] == routines[index]).then_some(parent)
    };
    let mut calls = vec![0u32; routines.len()];
    for index in 0..routines.len() {
        if let Some(parent) = same(index) {
            calls[parent] += 1;
        }
    }
    (0..routines.len())
        .map(|index| same(index).is_some_and(|parent| calls[parent] == 1))
        .collect()
}
