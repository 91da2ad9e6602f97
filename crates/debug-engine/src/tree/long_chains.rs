//! An index of the long chains of siblings, so that "which chain is this node in" needs no walk along
//! a hundred million siblings.
//!
//! Only chains of at least [`LONG`] siblings are listed, which are few however large the tree is: one
//! row for [`LONG`] nodes at most. A node that is in none of them is in a chain that is short, and that
//! is walked. Rows are three numbers, so whoever stores a tree can store them beside it.

use super::{ExecutionTree, NodeId};

/// Shorter chains are not listed.
const LONG: u32 = 256;

/// Parent + 1 (0 for roots), first and last sibling.
type Row = [u32; 3];

/// The long chains of a tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LongChains {
    rows: Vec<Row>,
}

impl LongChains {
    /// Finds the chains in one pass over the tree.
    pub fn build(tree: &dyn ExecutionTree) -> Self {
        let mut rows = Vec::new();
        // For each open node its end, its children so far, and whether the last of them is chained.
        let mut open = vec![(tree.len(), OpenChain::default(), false)];
        for node in (0..tree.len()).map(NodeId) {
            while let Some((_, chain, _)) = open.pop_if(|&mut (end, ..)| end <= node.0) {
                rows.extend(chain.end());
            }
            if let Some((_, siblings, is_chained)) = open.last_mut() {
                rows.extend(siblings.extend(tree.parent(node), node, *is_chained));
                *is_chained = tree.chained_to_next(node);
            }
            let end = node.0 + tree.subtree_size(node);
            open.push((end, OpenChain::default(), false));
        }
        rows.extend(open.iter().filter_map(|(_, chain, _)| chain.end()));
        Self::from_rows(rows)
    }

    /// Takes the rows that [`OpenChain`]s gave, or [`rows`](Self::rows), in any order.
    pub fn from_rows(mut rows: Vec<[u32; 3]>) -> Self {
        rows.sort_unstable();
        LongChains { rows }
    }

    /// The chains as numbers, sorted.
    pub fn rows(&self) -> &[[u32; 3]] {
        &self.rows
    }

    /// The first and the last node of the longest chain that holds `node`.
    pub fn around(&self, tree: &dyn ExecutionTree, node: NodeId) -> (NodeId, NodeId) {
        let parent = tree.parent(node);
        let key = (key(parent), node.0);
        let after = self
            .rows
            .partition_point(|&[p, first, _]| (p, first) <= key);
        let row = after.checked_sub(1).and_then(|index| self.rows.get(index));
        if let Some(&[of, first, last]) = row
            && of == key.0
            && node.0 <= last
        {
            return (NodeId(first), NodeId(last));
        }
        let mut first = node;
        while let Some(previous) = previous_sibling(tree, parent, first)
            && tree.chained_to_next(previous)
        {
            first = previous;
        }
        let mut last = node;
        while tree.chained_to_next(last) {
            let next = NodeId(last.0 + tree.subtree_size(last));
            if next.0 >= tree.len() || tree.parent(next) != parent {
                break;
            }
            last = next;
        }
        (first, last)
    }
}

/// The chain that ends with the last child so far of an open node.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenChain {
    row: Row,
    length: u32,
}

impl OpenChain {
    /// Takes the next child. Gives the chain that ends before it, if that is long.
    pub fn extend(
        &mut self,
        parent: Option<NodeId>,
        node: NodeId,
        is_chained_to_previous: bool,
    ) -> Option<[u32; 3]> {
        if self.length > 0 && is_chained_to_previous {
            self.row[2] = node.0;
            self.length += 1;
            return None;
        }
        let ended = self.end();
        self.row = [key(parent), node.0, node.0];
        self.length = 1;
        ended
    }

    /// The chain, if it is long.
    pub fn end(&self) -> Option<[u32; 3]> {
        (self.length >= LONG).then_some(self.row)
    }
}

fn key(parent: Option<NodeId>) -> u32 {
    parent.map_or(0, |parent| parent.0 + 1)
}

/// The sibling before this one: the ancestor-or-self of the node before it that is a child of the parent.
fn previous_sibling(
    tree: &dyn ExecutionTree,
    parent: Option<NodeId>,
    node: NodeId,
) -> Option<NodeId> {
    let mut at = NodeId(node.0.checked_sub(1)?);
    if Some(at) == parent {
        return None;
    }
    while tree.parent(at) != parent {
        let is_below = |far: &NodeId| Some(*far) != parent && parent.is_none_or(|p| *far > p);
        let far = tree.jump(at).filter(is_below).filter(|&far| far != at);
        at = far.or_else(|| tree.parent(at))?;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tree::SketchTree;

    fn by_walking(tree: &SketchTree, node: NodeId) -> (NodeId, NodeId) {
        let tree: &dyn ExecutionTree = tree;
        let siblings: Vec<NodeId> = match tree.parent(node) {
            Some(parent) => tree.children(parent).collect(),
            None => tree.roots().collect(),
        };
        let chain = siblings
            .chunk_by(|&one, _| tree.chained_to_next(one))
            .find(|chain| chain.contains(&node))
            .unwrap();
        (chain[0], chain[chain.len() - 1])
    }

    #[test]
    fn a_long_chain_is_listed_once() {
        let parents = std::iter::once(None).chain(std::iter::repeat_n(Some(NodeId(0)), 1000));
        let tree = SketchTree::from_parents(parents).unwrap();
        let tree = tree.with_chained((1..1000).filter(|&n| n != 300).map(NodeId));
        let chains = LongChains::build(&tree);
        assert_eq!(chains.rows(), [[1, 1, 300], [1, 301, 1000]]);
        assert_eq!(chains.around(&tree, NodeId(299)), (NodeId(1), NodeId(300)));
        assert_eq!(chains.around(&tree, NodeId(0)), (NodeId(0), NodeId(0)));
    }

    proptest! {
        #[test]
        fn the_index_knows_what_walking_finds(
            back in prop::collection::vec(0usize..4, 0..700),
            chained in prop::collection::vec(prop::bool::weighted(0.99), 700),
            depth in 1usize..4,
        ) {
            let mut path: Vec<NodeId> = vec![NodeId(0)];
            let mut parents = vec![None];
            for (node, back) in (1..).zip(back) {
                path.truncate(path.len().saturating_sub(back).clamp(1, depth));
                parents.push(path.last().copied());
                path.push(NodeId(node));
            }
            let chained = (0..parents.len() as u32).map(NodeId).filter(|n| chained[n.index()]);
            let chained: Vec<NodeId> = chained.collect();
            let tree = SketchTree::from_parents(parents).unwrap().with_chained(chained);
            let chains = LongChains::build(&tree);
            for node in (0..tree.len()).map(NodeId) {
                prop_assert_eq!(chains.around(&tree, node), by_walking(&tree, node));
            }
        }
    }
}
