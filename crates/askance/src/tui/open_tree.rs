//! The tree of calls as far as it is open on the screen.
//!
//! Rows are found from one to the next by the tree's own numbers, so what a screen costs does not
//! depend on how many calls there are beside the ones in sight.

use std::collections::BTreeSet;
use std::sync::Arc;

use debug_engine::{ExecutionTree, NodeId};

/// See the module's header.
pub(super) struct OpenTree {
    tree: Arc<dyn ExecutionTree>,
    open: BTreeSet<NodeId>,
}

/// A row on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) node: NodeId,
    pub(super) depth: usize,
    pub(super) is_open: bool,
    pub(super) has_children: bool,
}

impl OpenTree {
    pub(super) fn new(tree: Arc<dyn ExecutionTree>) -> OpenTree {
        OpenTree {
            tree,
            open: BTreeSet::new(),
        }
    }

    /// Opens everything above a node.
    pub(super) fn reveal(&mut self, node: NodeId) {
        let mut above = self.tree.parent(node);
        while let Some(node) = above {
            // Whatever is above an open row that is in sight is open.
            self.open.insert(node);
            above = self.tree.parent(node);
        }
    }

    pub(super) fn has_children(&self, node: NodeId) -> bool {
        self.tree.subtree_size(node) > 1
    }

    pub(super) fn is_open(&self, node: NodeId) -> bool {
        self.open.contains(&node)
    }

    pub(super) fn open(&mut self, node: NodeId) {
        if self.has_children(node) {
            self.open.insert(node);
        }
    }

    pub(super) fn close(&mut self, node: NodeId) {
        self.open.remove(&node);
    }

    pub(super) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.tree.parent(node)
    }

    /// The row below.
    pub(super) fn next(&self, node: NodeId) -> Option<NodeId> {
        let next = if self.is_open(node) {
            node.0 + 1
        } else {
            node.0 + self.tree.subtree_size(node).max(1)
        };
        // After the last row of an open call comes the call after it: the numbers say so by themselves.
        (next < self.tree.len()).then_some(NodeId(next))
    }

    /// The row above.
    pub(super) fn previous(&self, node: NodeId) -> Option<NodeId> {
        let before = NodeId(node.0.checked_sub(1)?);
        // The topmost closed call above it hides the rest.
        let above = std::iter::successors(Some(before), |&above| self.tree.parent(above));
        let parent = self.tree.parent(node);
        let inside = above.take_while(|&above| Some(above) != parent);
        let hidden_by = inside.filter(|&above| !self.is_open(above)).last();
        Some(hidden_by.unwrap_or(before))
    }

    /// The rows of a screen of this height that has the node in sight, starting as near as possible
    /// to where the last screen started.
    pub(super) fn rows(&self, node: NodeId, top: NodeId, height: usize) -> Vec<Row> {
        let from_top = self.walk(top).take(height);
        let start = if from_top.into_iter().any(|row| row == node) {
            top
        } else {
            let above = std::iter::successors(Some(node), |&row| self.previous(row));
            above.take(height.div_ceil(2)).last().unwrap_or(node)
        };
        let rows = self.walk(start).take(height);
        rows.map(|node| Row {
            node,
            depth: std::iter::successors(self.parent(node), |&above| self.parent(above)).count(),
            is_open: self.is_open(node),
            has_children: self.has_children(node),
        })
        .collect()
    }

    fn walk(&self, from: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(from), |&row| self.next(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use debug_engine::tree::SketchTree;

    #[test]
    fn rows_follow_each_other_both_ways() {
        let parents = [-1, 0, 1, 1, 0, 4, 5, 0, -1, 8];
        let tree = SketchTree::from_signed_parents(&parents).expect("a tree in preorder");
        let mut open = OpenTree::new(Arc::new(tree));
        for opened in [
            vec![],
            vec![0],
            vec![0, 4],
            vec![0, 4, 5],
            vec![0, 1, 4, 5, 8],
        ] {
            for node in opened {
                open.open(NodeId(node));
            }
            let down: Vec<NodeId> = open.walk(NodeId(0)).collect();
            let last = *down.last().expect("a root");
            let mut up: Vec<NodeId> =
                std::iter::successors(Some(last), |&row| open.previous(row)).collect();
            up.reverse();
            assert_eq!(down, up);
        }
        assert_eq!(open.walk(NodeId(0)).count(), 10);
        open.close(NodeId(4));
        assert_eq!(open.next(NodeId(4)), Some(NodeId(7)));
        assert_eq!(open.previous(NodeId(7)), Some(NodeId(4)));
    }

    #[test]
    fn the_chosen_row_is_in_sight() {
        let parents = std::iter::once(-1).chain((0..100).map(|_| 0));
        let parents: Vec<i64> = parents.collect();
        let tree = SketchTree::from_signed_parents(&parents).expect("a tree in preorder");
        let mut open = OpenTree::new(Arc::new(tree));
        open.reveal(NodeId(70));
        let rows = open.rows(NodeId(70), NodeId(0), 10);
        assert!(rows.iter().any(|row| row.node == NodeId(70)));
        assert_eq!(rows.len(), 10);
        let again = open.rows(NodeId(71), rows[0].node, 10);
        assert_eq!(again[0], rows[0]);
    }
}
