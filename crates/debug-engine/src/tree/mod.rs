//! The execution tree (Definition 8 of *A Generalized Model*, Definition 3 of *Balanced Execution
//! Trees*) as the engine sees it: numbers in preorder.
//!
//! A node is its preorder number, so the subtree of `v` is the range `v .. v + size(v)`, and
//! "inside", "pruned" and "how many are left" are arithmetic on ranges. That is what makes trees of
//! 10⁸ calls searchable: the implementer keeps three columns in a mapped file, and the engine never
//! copies them nor walks them for a question. A run with several threads is a forest: several nodes
//! without a parent, one after the other.

mod jump;
mod long_chains;
mod node;
mod size_maxima;
mod sketch;
mod target;

use std::ops::Range;
use std::sync::Arc;

pub use jump::{JumpColumn, extend_jump_depths, jump_depths};
pub use long_chains::{LongChains, OpenChain};
pub use node::{NodeId, RoutineId};
pub use size_maxima::SizeMaxima;
pub use sketch::{SketchError, SketchTree};
pub use target::Target;

/// A loop or an iteration of a call, with the calls that were made in it. An iteration without any is
/// a part of its loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopPiece {
    /// Whether it is a whole loop and not one of its iterations.
    pub is_loop: bool,
    /// The first call that was made in it.
    pub first: NodeId,
    /// The last call that was made in it.
    pub last: NodeId,
}

/// The shape of a recorded execution. All methods are cheap lookups unless they say otherwise.
///
/// Implementations may be shared between threads; they must answer consistently for as long as a
/// session uses them. If the recorded program is still running, the tree may grow at its end;
/// call [`Session::refresh`](crate::Session::refresh) to let a session see the new nodes.
pub trait ExecutionTree: Send + Sync {
    /// Number of nodes; node ids are `0..len`.
    fn len(&self) -> u32;

    /// The caller, or `None` for a root.
    fn parent(&self, node: NodeId) -> Option<NodeId>;

    /// Number of nodes in the subtree of `node`, itself included.
    fn subtree_size(&self, node: NodeId) -> u32;

    /// `false` while the call is open: still running, or cut off when the run was stopped.
    fn is_complete(&self, node: NodeId) -> bool;

    /// The routine (method) that the node executed; trust is given to routines.
    fn routine(&self, node: NodeId) -> RoutineId;

    /// The first of the largest subtrees that begin in a range, and its size, if the implementer keeps
    /// [`SizeMaxima`]. Otherwise the engine makes them when it comes to a call that made very many.
    fn first_largest(&self, _range: Range<u32>) -> Option<(u32, NodeId)> {
        None
    }

    /// Whether there is nothing to ask about.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A precomputed ancestor pointer as [`JumpColumn`] makes it, if the implementer stores one.
    /// Without it the engine climbs by parents, and builds a column for itself when climbs get long.
    fn jump(&self, _node: NodeId) -> Option<NodeId> {
        None
    }

    /// The loops and iterations in which a call made its calls, each before what is inside it. May take
    /// as long as executing the call again; implementations keep what they found.
    fn loops(&self, _node: NodeId) -> Arc<[LoopPiece]> {
        Arc::new([])
    }

    /// Whether the node is a loop, with its iterations as children.
    fn is_loop(&self, _node: NodeId) -> bool {
        false
    }

    /// Whether the node is *chained* with its next sibling (Definition 7 of *Balanced Execution
    /// Trees*): nothing that the later one can see changed between the end of the one and the start of
    /// the other. Without a next sibling the answer does not matter.
    fn chained_to_next(&self, _node: NodeId) -> bool {
        false
    }

    /// The first and the last node of the longest chain that holds `node`, if the implementer knows
    /// without walking along it. Otherwise the engine walks once and remembers.
    fn chain_around(&self, _node: NodeId) -> Option<(NodeId, NodeId)> {
        None
    }

    /// The nodes that have no code of their own, in preorder: projected nodes. They can be asked about,
    /// and the bug cannot be in them.
    fn projections(&self) -> Vec<NodeId> {
        Vec::new()
    }

    /// All open nodes in preorder. The provided version scans the tree once; a store that knows
    /// which calls were open at the end should say so directly.
    fn incomplete_nodes(&self) -> Vec<NodeId> {
        (0..self.len())
            .map(NodeId)
            .filter(|&node| !self.is_complete(node))
            .collect()
    }

    /// Visits every node of the routines that `wanted` accepts, in preorder. The provided version
    /// scans the routine column once; a store with an index by routine should override it.
    fn visit_nodes_of(&self, wanted: &dyn Fn(RoutineId) -> bool, visit: &mut dyn FnMut(NodeId)) {
        for node in (0..self.len()).map(NodeId) {
            if wanted(self.routine(node)) {
                visit(node);
            }
        }
    }
}

/// Range arithmetic over any tree, also over `dyn ExecutionTree`.
impl dyn ExecutionTree + '_ {
    /// The preorder numbers of the subtree of `node`.
    pub fn range(&self, node: NodeId) -> Range<u32> {
        node.0..node.0 + self.subtree_size(node)
    }

    /// Whether `inner` lies in the subtree of `outer` (a node lies in its own subtree).
    pub fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        self.range(outer).contains(&inner.0)
    }

    /// The children of `node` in the order of execution.
    pub fn children(&self, node: NodeId) -> Siblings<'_> {
        let range = self.range(node);
        Siblings {
            tree: self,
            next: range.start + 1,
            end: range.end,
        }
    }

    /// The nodes without a parent.
    pub fn roots(&self) -> Siblings<'_> {
        Siblings {
            tree: self,
            next: 0,
            end: self.len(),
        }
    }
}

/// Siblings, found by adding up subtree sizes.
#[derive(Clone)]
pub struct Siblings<'tree> {
    tree: &'tree dyn ExecutionTree,
    next: u32,
    end: u32,
}

impl Iterator for Siblings<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let node = NodeId(self.next);
        // A size of zero would be a damaged tree; never stand still on one.
        self.next += self.tree.subtree_size(node).max(1);
        Some(node)
    }
}
