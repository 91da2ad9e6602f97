//! The suspects alone as a small tree: weightless and pruned nodes are gone, and each suspect hangs
//! below the nearest suspect above it.

use super::SearchSpace;
use crate::tree::NodeId;

/// Indices are in preorder, so children come after their parents.
pub(super) struct SuspectTree {
    /// `None` for the root that holds everything together and is no suspect itself, if one is needed.
    pub(super) nodes: Vec<Option<NodeId>>,
    pub(super) children: Vec<Vec<usize>>,
}

impl SuspectTree {
    pub(super) fn of(space: &SearchSpace) -> Self {
        let all = space.suspects();
        let mut tree = SuspectTree {
            nodes: Vec::new(),
            children: Vec::new(),
        };
        let mut open: Vec<(usize, u32)> = Vec::new();
        let first = space.select(0);
        if first.is_none_or(|first| space.weight(first) < all) {
            tree.nodes.push(None);
            tree.children.push(Vec::new());
            open.push((0, u32::MAX));
        }
        for node in space.suspects_in_order() {
            while open.last().is_some_and(|&(_, end)| end <= node.0) {
                open.pop();
            }
            let index = tree.nodes.len();
            if let Some(&(parent, _)) = open.last() {
                tree.children[parent].push(index);
            }
            tree.nodes.push(Some(node));
            tree.children.push(Vec::new());
            open.push((index, space.tree().range(node).end));
        }
        tree
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn is_leaf(&self, index: usize) -> bool {
        self.children[index].is_empty()
    }

    pub(super) fn suspects(&self) -> u64 {
        self.nodes.iter().flatten().count() as u64
    }

    /// The children that have children, and the number of those that have none.
    pub(super) fn inner_and_leaves(&self, index: usize) -> (Vec<usize>, u64) {
        let children = self.children[index].iter().copied();
        let (leaves, inner): (Vec<_>, Vec<_>) = children.partition(|&child| self.is_leaf(child));
        (inner, leaves.len() as u64)
    }
}
