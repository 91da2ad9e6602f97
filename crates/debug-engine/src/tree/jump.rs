//! Skew-binary ancestor pointers: one extra number per node makes "the lowest ancestor with this
//! property" a matter of O(log depth) steps, for any property that, once true, stays true upwards.
//!
//! How far a node jumps depends on its depth alone, so the column is filled in one pass with nothing
//! but the stack of open ancestors.

use super::{ExecutionTree, NodeId};

/// The `jump` column of a tree: 4 bytes a node. A root points at itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JumpColumn {
    targets: Vec<u32>,
}

impl JumpColumn {
    /// Fills the column in one pass over the tree.
    pub fn build(tree: &dyn ExecutionTree) -> Self {
        let mut targets = Vec::with_capacity(tree.len() as usize);
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut depths = vec![0];
        for node in 0..tree.len() {
            while open.last().is_some_and(|&(_, end)| end <= node) {
                open.pop();
            }
            let depth = open.len();
            extend_jump_depths(&mut depths, depth);
            open.push((node, node + tree.subtree_size(NodeId(node))));
            targets.push(open[depths[depth] as usize].0);
        }
        JumpColumn { targets }
    }

    /// Where `node` jumps to: an ancestor, or itself if it is a root.
    pub fn get(&self, node: NodeId) -> NodeId {
        NodeId(self.targets[node.index()])
    }

    /// The raw column, for whoever wants to store it beside the tree.
    pub fn as_slice(&self) -> &[u32] {
        &self.targets
    }
}

/// For each depth up to `deepest`, the depth that a node there jumps to.
pub fn jump_depths(deepest: usize) -> Vec<u32> {
    let mut depths = vec![0];
    extend_jump_depths(&mut depths, deepest);
    depths
}

/// The same for a list that is not deep enough yet; it begins as `vec![0]`.
pub fn extend_jump_depths(depths: &mut Vec<u32>, deepest: usize) {
    while depths.len() <= deepest {
        let parent = depths.len() as u32 - 1;
        let first = depths[parent as usize];
        let second = depths[first as usize];
        // Two jumps of equal length below us become one of twice the length (plus our own step).
        let same_length = parent - first == first - second;
        depths.push(if same_length { second } else { parent });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::SketchTree;

    #[test]
    fn jumps_along_a_path_double_in_length() {
        assert_eq!(
            jump_depths(15),
            [0, 0, 1, 0, 3, 4, 3, 0, 7, 8, 7, 10, 11, 10, 7, 0]
        );
    }

    #[test]
    fn every_jump_is_an_ancestor() {
        let tree = SketchTree::from_signed_parents(&[-1, 0, 1, 2, 2, 0, 5, 5, -1, 8]).unwrap();
        let column = JumpColumn::build(&tree);
        for node in (0..tree.len()).map(NodeId) {
            assert!((&tree as &dyn ExecutionTree).contains(column.get(node), node));
        }
        assert_eq!(column.get(NodeId(8)), NodeId(8));
    }
}
