//! A transformed tree over a part of the base tree, numbered in preorder like any other.
//!
//! It is made in three passes over the part: which nodes are absorbed by their callers (inlining,
//! compression), then from the leaves upwards what becomes of each node's children
//! ([`Balancing`](super::Balancing), loops), and then the new numbers. A new node stands for the siblings
//! `first ..= last` of the base tree, mostly just one, or for the piece of their caller that made these
//! calls. New numbers ascend with `first`, so the way back from the base tree is a binary search and
//! needs no table.

use std::ops::Range;
use std::sync::Arc;

use super::shape::{Groups, Shape};
use super::{Group, GroupKind, NodeKind, Transformations};
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
    /// Loops and iterations.
    pub pieces: u32,
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
        let first = self.first[target.first().index()];
        let last = self.last[target.last().index()];
        match self.is_piece(target.first().index()) {
            true => Target::Piece { first, last },
            false => Target::between(first, last),
        }
    }

    /// The node of this tree that stands for just this in the base tree.
    pub fn from_base(&self, target: Target) -> Option<NodeId> {
        let start = self.position_of(target.first().0);
        (start..self.first.len())
            .take_while(|&index| self.first[index] == target.first())
            .find(|&index| {
                self.last[index] == target.last() && self.is_piece(index) == target.is_piece()
            })
            .map(|index| NodeId(index as u32))
    }

    /// The node of this tree that a node of the base tree is, or has become a part of.
    pub fn holding(&self, node: NodeId) -> Option<NodeId> {
        let before = self.position_of(node.0 + 1).checked_sub(1)?;
        Some(NodeId(before as u32))
    }

    /// The positions in this tree of a preorder interval of the base tree. Projected nodes that begin
    /// with it but reach further are left out, and so are pieces of their caller.
    pub fn interval_from_base(&self, interval: Range<u32>) -> Range<u32> {
        let mut start = self.position_of(interval.start);
        let end = self.position_of(interval.end);
        while start < end && (self.is_piece(start) || self.base_end(start) > interval.end) {
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

    /// The node, or the stretch of siblings, that stands for a piece of a call.
    pub(crate) fn piece_from_base(&self, piece: Target) -> Option<Target> {
        if let Some(node) = self.from_base(piece) {
            return Some(Target::Node(node));
        }
        let start = self.position_of(piece.first().0);
        let nodes = (start..self.first.len()).take_while(|&at| self.first[at] == piece.first());
        let mut stretches = nodes.filter(|&at| self.is_piece(at)).map(|at| {
            let next = |&at: &usize| {
                let next = at + self.sizes[at] as usize;
                let reaches = self.last[at] >= piece.last();
                let follows = !reaches && self.parents.get(next) == Some(&self.parents[at]);
                follows.then_some(next)
            };
            let last = std::iter::successors(Some(at), next).last().unwrap_or(at);
            Target::between(NodeId(at as u32), NodeId(last as u32))
        });
        stretches.find(|&stretch| self.to_base(stretch) == piece)
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
                NodeKind::Loop | NodeKind::Iteration => counts.pieces += 1,
                NodeKind::Routine | NodeKind::Statement => {}
            }
            let parent = self.parents[index];
            let is_projected = parent.is_some_and(|p| self.kind(p) == NodeKind::Projection);
            let is_call = matches!(kind, NodeKind::Routine | NodeKind::Collapse);
            counts.projected_nodes += u32::from(is_projected && is_call);
        }
        counts.base_nodes = self.len() - counts.projections - counts.collapses - counts.pieces
            + counts.collapsed_nodes
            + counts.absorbed_nodes;
        counts
    }

    /// The first index whose nodes start at or after a position of the base tree.
    fn position_of(&self, position: u32) -> usize {
        self.first.partition_point(|first| first.0 < position)
    }

    /// Whether a node is a piece of a call: a loop, an iteration, or several iterations.
    fn is_piece(&self, index: usize) -> bool {
        matches!(self.kinds[index], NodeKind::Loop) || self.is_iterations(index)
    }

    /// An iteration, or a projected node over some.
    fn is_iterations(&self, index: usize) -> bool {
        let mut below = self.kinds[index..].iter();
        below.find(|&&kind| kind != NodeKind::Projection) == Some(&NodeKind::Iteration)
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
                        GroupKind::Projection | GroupKind::Loop | GroupKind::Iteration => {
                            let kind = match group.kind {
                                GroupKind::Loop => NodeKind::Loop,
                                GroupKind::Iteration => NodeKind::Iteration,
                                _ => NodeKind::Projection,
                            };
                            self.add(kind, first, last, parent);
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
            NodeKind::Loop | NodeKind::Iteration => {
                let caller = self.base.parent(self.first[node.index()]);
                caller.map_or(NO_ROUTINE, |caller| self.base.routine(caller))
            }
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
        let Some(next) = Some(next).filter(|&next| next < self.first.len()) else {
            return false;
        };
        match (self.is_piece(node.index()), self.is_piece(next)) {
            // One iteration ends where the next begins.
            (true, true) => {
                self.parents[next] == self.parents[node.index()]
                    && self.is_iterations(node.index())
                    && self.is_iterations(next)
            }
            (false, false) => follows(&next) && self.base.chained_to_next(last),
            _ => false,
        }
    }

    fn is_loop(&self, node: NodeId) -> bool {
        self.kind(node) == NodeKind::Loop
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
