//! A small tree in memory: for tests, for imports, for evaluating strategies on synthetic shapes.

use std::collections::HashMap;
use std::sync::Arc;

use super::{ExecutionTree, LoopPiece, NodeId, RoutineId};

/// An execution tree built from the list of its nodes' parents.
///
/// ```
/// use debug_engine::tree::{ExecutionTree, NodeId, SketchTree};
/// let tree = SketchTree::from_signed_parents(&[-1, 0, 1, 0]).unwrap();
/// assert_eq!(tree.subtree_size(NodeId(1)), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SketchTree {
    parents: Vec<Option<NodeId>>,
    sizes: Vec<u32>,
    routines: Vec<RoutineId>,
    open: Vec<bool>,
    chained: Vec<bool>,
    loops: HashMap<NodeId, Arc<[LoopPiece]>>,
}

/// Why a list of parents is not a tree in preorder.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SketchError {
    /// The parent comes later than the child, or does not exist.
    #[error("node {node} names {parent} as its parent, which does not come before it")]
    ParentNotBefore {
        /// The offending node.
        node: u32,
        /// What it named.
        parent: u32,
    },
    /// The parent's subtree was already over when the child came.
    #[error(
        "node {node} is not in preorder: the subtree of its parent {parent} has ended before it"
    )]
    NotPreorder {
        /// The offending node.
        node: u32,
        /// What it named.
        parent: u32,
    },
    /// More nodes than a node id can number.
    #[error("a tree cannot have more than {} nodes", u32::MAX)]
    TooLarge,
}

impl SketchTree {
    /// Builds a tree (or forest) from each node's parent, given in preorder.
    pub fn from_parents(
        parents: impl IntoIterator<Item = Option<NodeId>>,
    ) -> Result<Self, SketchError> {
        let parents: Vec<_> = parents.into_iter().collect();
        if parents.len() > u32::MAX as usize {
            return Err(SketchError::TooLarge);
        }
        check_preorder(&parents)?;
        let mut sizes = vec![1u32; parents.len()];
        for node in (0..parents.len()).rev() {
            if let Some(parent) = parents[node] {
                sizes[parent.index()] += sizes[node];
            }
        }
        let routines = (0..parents.len() as u32).map(RoutineId).collect();
        let open = vec![false; parents.len()];
        let chained = open.clone();
        Ok(SketchTree {
            parents,
            sizes,
            routines,
            open,
            chained,
            loops: HashMap::new(),
        })
    }

    /// The same from the notation of the literature, in which −1 means "no parent".
    pub fn from_signed_parents(parents: &[i64]) -> Result<Self, SketchError> {
        Self::from_parents(
            parents
                .iter()
                .map(|&parent| u32::try_from(parent).ok().map(NodeId)),
        )
    }

    /// Gives the nodes their routines; by default each node is its own routine.
    pub fn with_routines(mut self, routines: impl IntoIterator<Item = RoutineId>) -> Self {
        for (slot, routine) in self.routines.iter_mut().zip(routines) {
            *slot = routine;
        }
        self
    }

    /// Marks nodes as incomplete; by default all are complete.
    pub fn with_incomplete(mut self, nodes: impl IntoIterator<Item = NodeId>) -> Self {
        for node in nodes {
            self.open[node.index()] = true;
        }
        self
    }

    /// Marks nodes as chained to their next siblings; by default none is.
    pub fn with_chained(mut self, nodes: impl IntoIterator<Item = NodeId>) -> Self {
        for node in nodes {
            self.chained[node.index()] = true;
        }
        self
    }

    /// Gives a call loops and iterations, each before what is inside it; by default it has none.
    pub fn with_loops(mut self, call: NodeId, pieces: impl IntoIterator<Item = LoopPiece>) -> Self {
        self.loops.insert(call, pieces.into_iter().collect());
        self
    }
}

impl ExecutionTree for SketchTree {
    fn len(&self) -> u32 {
        self.parents.len() as u32
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.parents[node.index()]
    }

    fn subtree_size(&self, node: NodeId) -> u32 {
        self.sizes[node.index()]
    }

    fn is_complete(&self, node: NodeId) -> bool {
        !self.open[node.index()]
    }

    fn routine(&self, node: NodeId) -> RoutineId {
        self.routines[node.index()]
    }

    fn loops(&self, node: NodeId) -> Arc<[LoopPiece]> {
        self.loops.get(&node).cloned().unwrap_or_default()
    }

    fn chained_to_next(&self, node: NodeId) -> bool {
        let next = node.index() + self.sizes[node.index()] as usize;
        let has_next = self
            .parents
            .get(next)
            .is_some_and(|&parent| parent == self.parents[node.index()]);
        has_next && self.chained[node.index()]
    }
}

fn check_preorder(parents: &[Option<NodeId>]) -> Result<(), SketchError> {
    let mut open: Vec<u32> = Vec::new();
    for (node, parent) in (0u32..).zip(parents) {
        match *parent {
            None => open.clear(),
            Some(NodeId(parent)) if parent >= node => {
                return Err(SketchError::ParentNotBefore { node, parent });
            }
            Some(NodeId(parent)) => {
                while open.last().is_some_and(|&last| last > parent) {
                    open.pop();
                }
                if open.last() != Some(&parent) {
                    return Err(SketchError::NotPreorder { node, parent });
                }
            }
        }
        open.push(node);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_children_follow_from_parents() {
        let tree = SketchTree::from_signed_parents(&[-1, 0, 1, 2, 2, 0, 5, 5]).unwrap();
        let tree: &dyn ExecutionTree = &tree;
        assert_eq!(tree.range(NodeId(1)), 1..5);
        assert_eq!(
            tree.children(NodeId(0)).collect::<Vec<_>>(),
            [NodeId(1), NodeId(5)]
        );
        assert_eq!(tree.roots().count(), 1);
    }

    #[test]
    fn refuses_what_is_not_preorder() {
        let refused = |parents: &[i64]| SketchTree::from_signed_parents(parents).unwrap_err();
        assert_eq!(
            refused(&[-1, 2]),
            SketchError::ParentNotBefore { node: 1, parent: 2 }
        );
        assert_eq!(
            refused(&[-1, 0, 0, 1]),
            SketchError::NotPreorder { node: 3, parent: 1 }
        );
        assert_eq!(
            refused(&[-1, -1, 0]),
            SketchError::NotPreorder { node: 2, parent: 0 }
        );
    }
}
