//! Searching first where suspicion is, with any strategy.
//!
//! A strategy sees the same tree, in which only calls of suspicious routines weigh: the others can be asked
//! about, as projected nodes can, but are not looked for. So it splits what is suspicious. Nothing is
//! ruled out by this; when no question can tell the suspicious calls apart any more, the search goes on among
//! all suspects.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::SearchSpace;
use crate::tree::{ExecutionTree, LoopPiece, NodeId, RoutineId};

/// Trees with more nodes are searched as they are: every node that does not weigh is kept in a list.
const LARGEST: u32 = 5_000_000;

/// The space over `base`'s tree in which only these routines weigh, before any answer; `None` if the tree is
/// too large.
pub(crate) fn emphasised(
    base: &SearchSpace,
    routines: &BTreeSet<RoutineId>,
) -> Option<SearchSpace> {
    let tree = Arc::clone(base.tree_arc());
    if tree.len() > LARGEST {
        return None;
    }
    let emphasised = Emphasised {
        tree,
        weigh: routines - base.trusted_routines(),
        never_asked: base.trusted_routines().clone(),
    };
    Some(SearchSpace::weighed_by(Arc::new(emphasised), base))
}

/// A tree in which most nodes have no code of their own, as it were.
struct Emphasised {
    tree: Arc<dyn ExecutionTree>,
    weigh: BTreeSet<RoutineId>,
    never_asked: BTreeSet<RoutineId>,
}

impl ExecutionTree for Emphasised {
    fn len(&self) -> u32 {
        self.tree.len()
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.tree.parent(node)
    }

    fn subtree_size(&self, node: NodeId) -> u32 {
        self.tree.subtree_size(node)
    }

    fn routine(&self, node: NodeId) -> RoutineId {
        self.tree.routine(node)
    }

    fn is_complete(&self, node: NodeId) -> bool {
        self.tree.is_complete(node)
    }

    fn first_largest(&self, range: Range<u32>) -> Option<(u32, NodeId)> {
        self.tree.first_largest(range)
    }

    fn jump(&self, node: NodeId) -> Option<NodeId> {
        self.tree.jump(node)
    }

    fn loops(&self, node: NodeId) -> Arc<[LoopPiece]> {
        self.tree.loops(node)
    }

    fn is_loop(&self, node: NodeId) -> bool {
        self.tree.is_loop(node)
    }

    fn chained_to_next(&self, node: NodeId) -> bool {
        self.tree.chained_to_next(node)
    }

    fn chain_around(&self, node: NodeId) -> Option<(NodeId, NodeId)> {
        self.tree.chain_around(node)
    }

    fn projections(&self) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        let is_other = |routine: RoutineId| {
            !self.weigh.contains(&routine) && !self.never_asked.contains(&routine)
        };
        self.tree.visit_nodes_of(&is_other, &mut |node| {
            if self.tree.is_complete(node) {
                nodes.push(node);
            }
        });
        nodes
    }

    fn incomplete_nodes(&self) -> Vec<NodeId> {
        self.tree.incomplete_nodes()
    }

    fn visit_nodes_of(&self, wanted: &dyn Fn(RoutineId) -> bool, visit: &mut dyn FnMut(NodeId)) {
        self.tree.visit_nodes_of(wanted, visit);
    }
}
