//! A transformed tree over a part of the base tree, numbered in preorder like any other.
//!
//! It is made in three passes over the part: which nodes are absorbed by their callers (inlining,
//! compression), then from the leaves upwards what becomes of each node's children
//! ([`Balancing`](super::Balancing)), and then the new numbers. A new node stands for the siblings
//! `first ..= last` of the base tree, mostly just one. New numbers ascend with `first`, so the way back
//! from the base tree is a binary search and needs no table.

use std::ops::Range;
use std::sync::Arc;

use super::{Group, GroupKind, NodeKind, Sibling, Transformations};
use crate::tree::{ExecutionTree, NodeId, RoutineId, Target};

/// A transformed execution tree (an *execution forest*, Definition 6 of *Balanced Execution Trees*, as
/// long as collapsed nodes can be opened).
pub struct Overlay {
    base: Arc<dyn ExecutionTree>,
    parents: Vec<Option<NodeId>>,
    sizes: Vec<u32>,
    first: Vec<NodeId>,
    last: Vec<NodeId>,
    kinds: Vec<NodeKind>,
    absorbed: u32,
}

/// What was done to a tree, as Table 1 of *Balanced Execution Trees* counts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OverlayCounts {
    /// Nodes of the base tree.
    pub base_nodes: u32,
    /// New parents.
    pub projections: u32,
    /// Nodes in place of several.
    pub collapses: u32,
    /// Children that have a projected parent now.
    pub projected_nodes: u32,
    /// Nodes that are represented by a collapsed one.
    pub collapsed_nodes: u32,
    /// Nodes that are a part of their callers now.
    pub absorbed_nodes: u32,
}

/// The routine of nodes that are no routine: no node of a base tree has it.
const NO_ROUTINE: RoutineId = RoutineId(u32::MAX);

impl Overlay {
    /// Transforms a whole tree in which every node is a suspect.
    pub fn of_tree(base: &Arc<dyn ExecutionTree>, transformations: &Transformations) -> Self {
        Self::build(base, 0..base.len(), transformations, &|_| true, &[])
    }

    /// Transforms a part of a tree: the subtrees of consecutive siblings. `weighs` says which nodes are
    /// suspects at all, and stretches in `opened` are not collapsed.
    pub fn build(
        base: &Arc<dyn ExecutionTree>,
        part: Range<u32>,
        transformations: &Transformations,
        weighs: &dyn Fn(NodeId) -> bool,
        opened: &[Target],
    ) -> Self {
        let shape = Shape::of(&**base, part, transformations);
        let groups = shape.balance(&**base, transformations, weighs, opened);
        let mut overlay = Overlay {
            base: Arc::clone(base),
            parents: Vec::new(),
            sizes: Vec::new(),
            first: Vec::new(),
            last: Vec::new(),
            kinds: Vec::new(),
            absorbed: shape.absorbed_count,
        };
        overlay.number(&shape, &groups);
        overlay
    }

    /// The tree that it was made from.
    pub fn base(&self) -> &Arc<dyn ExecutionTree> {
        &self.base
    }

    /// What a node of this tree stands for.
    pub fn kind(&self, node: NodeId) -> NodeKind {
        self.kinds[node.index()]
    }

    /// What a target in this tree is in the base tree.
    pub fn to_base(&self, target: Target) -> Target {
        Target::between(
            self.first[target.first().index()],
            self.last[target.last().index()],
        )
    }

    /// The node of this tree that stands for just this in the base tree.
    pub fn from_base(&self, target: Target) -> Option<NodeId> {
        let start = self.position_of(target.first().0);
        (start..self.first.len())
            .take_while(|&index| self.first[index] == target.first())
            .find(|&index| self.last[index] == target.last())
            .map(|index| NodeId(index as u32))
    }

    /// The positions in this tree of a preorder interval of the base tree. Projected nodes that begin
    /// with it but reach further are left out.
    pub fn interval_from_base(&self, interval: Range<u32>) -> Range<u32> {
        let mut start = self.position_of(interval.start);
        let end = self.position_of(interval.end);
        while start < end && self.base_end(start) > interval.end {
            start += 1;
        }
        start as u32..end.max(start) as u32
    }

    /// The collapsed node, if any, that a preorder position of the base tree cuts in two.
    pub fn collapse_cut_at(&self, position: u32) -> Option<Target> {
        let index = self.position_of(position).checked_sub(1)?;
        let is_cut = self.kinds[index] == NodeKind::Collapse && self.base_end(index) > position;
        is_cut.then(|| Target::between(self.first[index], self.last[index]))
    }

    /// What was done to the tree.
    pub fn counts(&self) -> OverlayCounts {
        let mut counts = OverlayCounts {
            absorbed_nodes: self.absorbed,
            ..OverlayCounts::default()
        };
        for (index, kind) in self.kinds.iter().enumerate() {
            match kind {
                NodeKind::Projection => counts.projections += 1,
                NodeKind::Collapse => {
                    let members = Target::between(self.first[index], self.last[index]);
                    counts.collapses += 1;
                    counts.collapsed_nodes += members.members(&*self.base).count() as u32;
                }
                _ => {}
            }
            let parent = self.parents[index];
            let is_projected = parent.is_some_and(|p| self.kind(p) == NodeKind::Projection);
            counts.projected_nodes += u32::from(is_projected && *kind != NodeKind::Projection);
        }
        counts.base_nodes = self.len() - counts.projections - counts.collapses
            + counts.collapsed_nodes
            + counts.absorbed_nodes;
        counts
    }

    /// The first index whose nodes start at or after a position of the base tree.
    fn position_of(&self, position: u32) -> usize {
        self.first.partition_point(|first| first.0 < position)
    }

    fn base_end(&self, index: usize) -> u32 {
        self.base.range(self.last[index]).end
    }

    fn number(&mut self, shape: &Shape, groups: &Groups) {
        let groups_of = |slot: usize| groups.of(slot);
        let mut todo = Vec::new();
        list(shape, shape.top(), None, groups_of(shape.top()), &mut todo);
        while let Some(task) = todo.pop() {
            let node = NodeId(self.first.len() as u32);
            match task {
                Task::Routine { index, parent } => {
                    let base = shape.node(index);
                    self.add(NodeKind::Routine, base, base, parent);
                    list(shape, index, Some(node), groups_of(index), &mut todo);
                }
                Task::Group {
                    slot,
                    parent,
                    groups,
                } => {
                    let (group, inner) = (groups[0], &groups[1..]);
                    let children = shape.children(slot);
                    let (first, last) = (children[group.first], children[group.last]);
                    let (first, last) = (shape.node(first), shape.node(last));
                    match group.kind {
                        GroupKind::Collapse => self.add(NodeKind::Collapse, first, last, parent),
                        GroupKind::Projection => {
                            self.add(NodeKind::Projection, first, last, parent);
                            let range = group.first..group.last + 1;
                            list_part(shape, slot, range, Some(node), inner, &mut todo);
                        }
                    }
                }
            }
        }
        self.sizes = vec![1; self.first.len()];
        for index in (0..self.first.len()).rev() {
            if let Some(parent) = self.parents[index] {
                self.sizes[parent.index()] += self.sizes[index];
            }
        }
    }

    fn add(&mut self, kind: NodeKind, first: NodeId, last: NodeId, parent: Option<NodeId>) {
        self.kinds.push(kind);
        self.first.push(first);
        self.last.push(last);
        self.parents.push(parent);
    }
}

impl ExecutionTree for Overlay {
    fn len(&self) -> u32 {
        self.first.len() as u32
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.parents[node.index()]
    }

    fn subtree_size(&self, node: NodeId) -> u32 {
        self.sizes[node.index()]
    }

    fn is_complete(&self, node: NodeId) -> bool {
        self.base.is_complete(self.last[node.index()])
    }

    fn routine(&self, node: NodeId) -> RoutineId {
        match self.kinds[node.index()] {
            NodeKind::Projection => NO_ROUTINE,
            _ => self.base.routine(self.first[node.index()]),
        }
    }

    fn chained_to_next(&self, node: NodeId) -> bool {
        let next = node.index() + self.sizes[node.index()] as usize;
        let last = self.last[node.index()];
        let follows = |&next: &usize| {
            self.parents[next] == self.parents[node.index()]
                && self.first[next].0 == self.base.range(last).end
                && self.base.parent(self.first[next]) == self.base.parent(last)
        };
        let is_next = Some(next).filter(|&next| next < self.first.len());
        is_next.filter(follows).is_some() && self.base.chained_to_next(last)
    }

    fn projections(&self) -> Vec<NodeId> {
        (0..self.len())
            .map(NodeId)
            .filter(|&node| self.kind(node) == NodeKind::Projection)
            .collect()
    }
}

/// What is still to be numbered; the last comes first.
enum Task<'a> {
    Routine {
        index: usize,
        parent: Option<NodeId>,
    },
    /// The first group, with the groups inside it.
    Group {
        slot: usize,
        parent: Option<NodeId>,
        groups: &'a [Group],
    },
}

fn list<'a>(
    shape: &Shape,
    slot: usize,
    parent: Option<NodeId>,
    groups: &'a [Group],
    todo: &mut Vec<Task<'a>>,
) {
    let all = 0..shape.children(slot).len();
    list_part(shape, slot, all, parent, groups, todo);
}

/// Puts some of the children of a node on the list, those in a group as the group.
fn list_part<'a>(
    shape: &Shape,
    slot: usize,
    part: Range<usize>,
    parent: Option<NodeId>,
    groups: &'a [Group],
    todo: &mut Vec<Task<'a>>,
) {
    let before = todo.len();
    let children = shape.children(slot);
    let mut groups = groups;
    let mut child = part.start;
    while child < part.end {
        match groups.first() {
            Some(group) if group.first == child => {
                let inner = groups.partition_point(|other| other.first <= group.last);
                todo.push(Task::Group {
                    slot,
                    parent,
                    groups: &groups[..inner],
                });
                groups = &groups[inner..];
                child = group.last + 1;
            }
            _ => {
                todo.push(Task::Routine {
                    index: children[child],
                    parent,
                });
                child += 1;
            }
        }
    }
    todo[before..].reverse();
}

/// The part of the base tree without what is absorbed. Nodes are counted from the start of the part.
struct Shape {
    start: u32,
    absorbed_count: u32,
    /// Where the children of each node begin in `children`; one slot more for the topmost nodes.
    offsets: Vec<u32>,
    children: Vec<usize>,
}

impl Shape {
    fn of(base: &dyn ExecutionTree, part: Range<u32>, transformations: &Transformations) -> Self {
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

    fn node(&self, index: usize) -> NodeId {
        NodeId(self.start + index as u32)
    }

    /// The slot of the topmost nodes.
    fn top(&self) -> usize {
        self.offsets.len() - 2
    }

    fn children(&self, slot: usize) -> &[usize] {
        &self.children[self.offsets[slot] as usize..self.offsets[slot + 1] as usize]
    }

    /// What becomes of the children of each node, from the leaves upwards. The topmost nodes are
    /// treated as the children of a projected node: a stretch that is known to be wrong is one.
    fn balance(
        &self,
        base: &dyn ExecutionTree,
        transformations: &Transformations,
        weighs: &dyn Fn(NodeId) -> bool,
        opened: &[Target],
    ) -> Groups {
        let mut groups = Groups::default();
        let Some(parameters) = transformations.balancing else {
            return groups;
        };
        groups.starts = vec![(0, 0); self.top() + 1];
        let is_open = |node: NodeId| opened.iter().any(|target| target.contains(base, node));
        let mut weights = vec![0u64; self.top()];
        let mut siblings = Vec::new();
        for slot in (0..self.top()).rev().chain([self.top()]) {
            let children = self.children(slot);
            siblings.clear();
            for (position, &child) in children.iter().enumerate() {
                let node = self.node(child);
                let next = children.get(position + 1).map(|&next| self.node(next));
                let is_leaf = self.children(child).is_empty() && base.is_complete(node);
                siblings.push(Sibling {
                    weight: weights[child],
                    routine: base.routine(node),
                    is_leaf: is_leaf && weights[child] == 1 && !is_open(node),
                    chained: next.is_some_and(|next| {
                        follows(base, node, next)
                            && (parameters.unrestricted || base.chained_to_next(node))
                    }),
                });
            }
            let is_top = slot == self.top();
            if let [] | [_] = siblings[..] {
                if !is_top {
                    let below = siblings.first().map_or(0, |only| only.weight);
                    weights[slot] = below + u64::from(weighs(self.node(slot)));
                }
                continue;
            }
            let own_weight = u64::from(!is_top && weighs(self.node(slot)));
            let layout = parameters.shrink_and_balance(&siblings, own_weight);
            if !is_top {
                weights[slot] = own_weight + layout.weight;
            }
            let start = groups.all.len();
            groups.all.extend(layout.groups);
            groups.starts[slot] = (start, groups.all.len());
        }
        groups
    }
}

/// The groups among the children of each node.
#[derive(Default)]
struct Groups {
    /// Start and end in `all`, by slot; nothing at all if there are no groups.
    starts: Vec<(usize, usize)>,
    all: Vec<Group>,
}

impl Groups {
    fn of(&self, slot: usize) -> &[Group] {
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
