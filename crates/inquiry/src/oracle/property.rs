//! Properties in the place of answers: a query says what should never be found, and a call inside which it finds
//! something is wrong. Of other calls a property says nothing: they may be wrong in another way.

use std::sync::Arc;

use debug_engine::oracle::Oracle;
use debug_engine::session::{Answer, AnswerSource};
use debug_engine::{ExecutionTree, NodeId};

/// The calls in which something was found that should not be there.
#[derive(Clone)]
pub struct Property {
    tree: Arc<dyn ExecutionTree>,
    /// In their order.
    found: Arc<[NodeId]>,
}

impl Property {
    #[must_use]
    pub fn violated_in(tree: Arc<dyn ExecutionTree>, found: Vec<NodeId>) -> Property {
        let mut found = found;
        found.sort_unstable();
        found.dedup();
        Property {
            tree,
            found: found.into(),
        }
    }

    /// Where to begin inside a call, or in the whole run: of two calls, one inside the other, in the inner one, and of
    /// two that follow each other in the earlier one.
    #[must_use]
    pub fn first_violation(&self, within: Option<NodeId>) -> Option<NodeId> {
        let inside = match within {
            Some(within) => self.between(within, within),
            None => &self.found,
        };
        let mut innermost = *inside.first()?;
        for &node in inside {
            match node.0 < self.after(innermost) {
                true => innermost = node,
                false => break,
            }
        }
        Some(innermost)
    }

    /// What was found from the beginning of one call to the end of another.
    fn between(&self, first: NodeId, last: NodeId) -> &[NodeId] {
        let from = self.found.partition_point(|&node| node < first);
        let until = self
            .found
            .partition_point(|&node| node.0 < self.after(last));
        self.found.get(from..until).unwrap_or_default()
    }

    /// The number after the last call inside a call.
    fn after(&self, node: NodeId) -> u32 {
        node.0 + self.tree.subtree_size(node)
    }

    fn judge_between(&self, first: NodeId, last: NodeId) -> Option<Answer> {
        (!self.between(first, last).is_empty()).then_some(Answer::No)
    }
}

impl Oracle for Property {
    fn source(&self) -> AnswerSource {
        AnswerSource::Run
    }

    fn judge(&mut self, node: NodeId) -> Option<Answer> {
        self.judge_between(node, node)
    }

    fn judge_range(&mut self, first: NodeId, last: NodeId) -> Option<Answer> {
        self.judge_between(first, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use debug_engine::tree::SketchTree;
    use proptest::prelude::*;

    fn property(parents: &[i64], found: &[u32]) -> Property {
        let tree = SketchTree::from_signed_parents(parents).unwrap();
        let found = found.iter().copied().map(NodeId).collect();
        Property::violated_in(Arc::new(tree), found)
    }

    #[test]
    fn the_innermost_call_comes_first_and_of_neighbours_the_earlier_one() {
        let parents = [-1, 0, 1, 1, 0, 4];
        let first = |found: &[u32], within: Option<u32>| {
            let first = property(&parents, found).first_violation(within.map(NodeId));
            first.map(|node| node.0)
        };
        assert_eq!(first(&[0, 1, 3, 5], None), Some(3));
        assert_eq!(first(&[2, 3], Some(0)), Some(2));
        assert_eq!(first(&[0, 5], Some(4)), Some(5));
        assert_eq!(first(&[0, 5], Some(1)), None);
        assert_eq!(first(&[], None), None);
    }

    proptest! {
        #[test]
        fn a_call_is_wrong_where_something_was_found_inside_it(
            jumps in proptest::collection::vec(0..4usize, 0..30),
            found in proptest::collection::vec(0..30u32, 0..6),
        ) {
            // Each call is made by the one before it or by one of the callers of that.
            let mut parents = vec![-1i64];
            for jump in jumps {
                let mut parent = parents.len() as i64 - 1;
                for _ in 0..jump {
                    parent = parents[parent as usize].max(0);
                }
                parents.push(parent);
            }
            let is_inside = |mut node: i64, outer: i64| {
                while node > outer {
                    node = parents[node as usize];
                }
                node == outer
            };
            let found: Vec<u32> = found.into_iter().filter(|&it| (it as usize) < parents.len()).collect();
            let mut property = property(&parents, &found);
            for node in 0..parents.len() {
                let expected = found.iter().any(|&it| is_inside(it.into(), node as i64));
                let judged = property.judge(NodeId(node as u32));
                prop_assert_eq!(judged, expected.then_some(Answer::No));
            }
        }
    }
}
