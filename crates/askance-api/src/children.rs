//! Pages of children: a call may have made millions of calls, and a page of them must not cost a walk
//! over all.
//!
//! Children follow from adding up subtree sizes, so finding the thousandth takes a thousand steps. For
//! each call that is opened, every 256th child is noted once; after that a page costs at most 256 steps.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use debug_engine::{ExecutionTree, NodeId};

const BETWEEN_MARKS: usize = 256;
/// So many calls are remembered at a time.
const MOST_REMEMBERED: usize = 256;

/// The children of one call, or the roots.
pub struct Children {
    marks: Vec<NodeId>,
    count: usize,
    end: u32,
}

impl Children {
    fn of(tree: &dyn ExecutionTree, parent: Option<NodeId>) -> Children {
        let siblings = match parent {
            Some(parent) => tree.children(parent),
            None => tree.roots(),
        };
        let mut marks = Vec::new();
        let mut count = 0;
        for child in siblings {
            if count % BETWEEN_MARKS == 0 {
                marks.push(child);
            }
            count += 1;
        }
        let end = parent.map_or(tree.len(), |parent| tree.range(parent).end);
        Children { marks, count, end }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// At most `most` children from one place on.
    pub fn page(&self, tree: &dyn ExecutionTree, from: usize, most: usize) -> Vec<NodeId> {
        let Some(&mark) = self.marks.get(from / BETWEEN_MARKS) else {
            return Vec::new();
        };
        let siblings = self.from(tree, mark);
        siblings.skip(from % BETWEEN_MARKS).take(most).collect()
    }

    /// The place of a child among its siblings.
    pub fn place(&self, tree: &dyn ExecutionTree, child: NodeId) -> Option<usize> {
        let block = self.marks.partition_point(|&mark| mark <= child);
        let block = block.checked_sub(1)?;
        let mut siblings = self.from(tree, self.marks[block]);
        let inside = siblings.position(|sibling| sibling == child)?;
        Some(block * BETWEEN_MARKS + inside)
    }

    fn from<'tree>(
        &self,
        tree: &'tree dyn ExecutionTree,
        first: NodeId,
    ) -> impl Iterator<Item = NodeId> + use<'tree> {
        let end = self.end;
        std::iter::successors(Some(first), move |&child| {
            let next = child.0 + tree.subtree_size(child).max(1);
            (next < end).then_some(NodeId(next))
        })
    }
}

/// The calls whose children were looked at lately.
#[derive(Default)]
pub struct ChildPages(Mutex<HashMap<Option<NodeId>, Arc<Children>>>);

impl ChildPages {
    pub fn of(&self, tree: &dyn ExecutionTree, parent: Option<NodeId>) -> Arc<Children> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(children) = known().get(&parent) {
            return Arc::clone(children);
        }
        let children = Arc::new(Children::of(tree, parent));
        let mut known = known();
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        known.insert(parent, Arc::clone(&children));
        children
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use debug_engine::tree::SketchTree;

    /// A root whose children have 0, 1, 2, 0, 1, 2, … calls below them.
    fn comb(children: usize) -> SketchTree {
        let mut parents = vec![None];
        for child in 0..children {
            let place = NodeId(u32::try_from(parents.len()).expect("a small tree"));
            parents.push(Some(NodeId(0)));
            parents.extend(std::iter::repeat_n(Some(place), child % 3));
        }
        SketchTree::from_parents(parents).expect("a tree in preorder")
    }

    #[test]
    fn pages_and_places_are_those_of_a_walk() {
        for count in [0, 1, 255, 256, 257, 2000] {
            let sketch = comb(count);
            let tree: &dyn ExecutionTree = &sketch;
            let all: Vec<NodeId> = tree.children(NodeId(0)).collect();
            let pages = ChildPages::default();
            let children = pages.of(tree, Some(NodeId(0)));
            assert_eq!(children.count(), all.len());
            for from in [0, 1, 200, 256, 300, 1999, 5000] {
                let expected: Vec<NodeId> = all.iter().skip(from).take(100).copied().collect();
                assert_eq!(children.page(tree, from, 100), expected, "{count} {from}");
            }
            for (place, &child) in all.iter().enumerate() {
                assert_eq!(children.place(tree, child), Some(place));
            }
        }
    }

    #[test]
    fn roots_are_the_children_of_nothing() {
        let sketch = comb(3);
        let pages = ChildPages::default();
        assert_eq!(pages.of(&sketch, None).page(&sketch, 0, 10), [NodeId(0)]);
    }
}
