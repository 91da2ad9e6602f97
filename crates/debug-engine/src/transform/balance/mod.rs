//! Balancing one node: which of its children are collapsed, and which are put under projected nodes
//! (*Balanced Execution Trees*, section 3.2).
//!
//! Algorithms 1 and 2 replace nodes and edges; here they only note a [`Group`] of siblings. Algorithm 4
//! looks at all stretches of all chains for the one that is closest to half of the weight, which is
//! quadratic in the number of children. The same choice is found faster: a chain that weighs no more
//! than half is best taken whole, so of all of those only the heaviest counts, and a heap has it; at
//! most one chain weighs more, and its best stretch is found with two pointers. And it is applied again
//! inside each projected node, whose children are a chain by construction.

mod projecting;

use std::cmp::Reverse;
use std::ops::Range;

use projecting::Projecting;
use serde::{Deserialize, Serialize};

use crate::tree::RoutineId;

/// The parameters of balancing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Balancing {
    /// Collapse chains of leaves of one routine.
    pub collapse: bool,
    /// Put stretches of chains under projected nodes.
    pub project: bool,
    /// No fewer siblings than this make a collapsed or projected node; at least 2.
    pub shortest: usize,
    /// No more siblings than this make one, if given.
    pub longest: Option<usize>,
    /// Take all siblings that follow each other for chained. Saves more questions and makes harder
    /// ones.
    pub unrestricted: bool,
}

impl Default for Balancing {
    fn default() -> Self {
        Balancing {
            collapse: true,
            project: true,
            shortest: 2,
            longest: None,
            unrestricted: false,
        }
    }
}

/// One child of the node that is balanced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sibling {
    /// Suspects in its subtree, as it is after balancing.
    pub weight: u64,
    /// Its routine.
    pub routine: RoutineId,
    /// Whether it may be collapsed: a leaf that has ended.
    pub is_leaf: bool,
    /// Whether it is chained to the next sibling.
    pub chained: bool,
}

/// Siblings that become one node, or get a new parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// Which of the two.
    pub kind: GroupKind,
    /// Index of the first sibling.
    pub first: usize,
    /// Index of the last sibling.
    pub last: usize,
}

/// The two basic transformations, and the pieces of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupKind {
    /// Algorithm 1 of *Balanced Execution Trees*, "Collapse Leaf Chain".
    Collapse,
    /// Algorithm 2 of *Balanced Execution Trees*, "Project Chain".
    Projection,
    /// What was called in a loop.
    Loop,
    /// What was called in one iteration of a loop.
    Iteration,
}

/// What becomes of the children of one node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// In the order of the siblings, outer groups before inner ones.
    pub groups: Vec<Group>,
    /// The weight of all children together.
    pub weight: u64,
}

/// Consecutive siblings that count as one from here on: a sibling, or a collapsed chain.
#[derive(Clone, Copy)]
struct Item {
    first: usize,
    last: usize,
    weight: u64,
    chained: bool,
}

impl Balancing {
    /// Algorithm 4 of *Balanced Execution Trees*, "Shrink & Balance EF", for the children of one node
    /// with this weight of its own (1 for a call, 0 for what has no code).
    pub fn shrink_and_balance(&self, siblings: &[Sibling], own_weight: u64) -> Layout {
        if !siblings.iter().any(|sibling| sibling.chained) {
            return Layout {
                groups: Vec::new(),
                weight: siblings.iter().map(|sibling| sibling.weight).sum(),
            };
        }
        let items = self.shrink(siblings);
        let mut groups: Vec<Group> = items
            .iter()
            .filter(|item| item.first < item.last)
            .map(|item| Group {
                kind: GroupKind::Collapse,
                first: item.first,
                last: item.last,
            })
            .collect();
        if self.project {
            let projected = self.project(&items, own_weight);
            groups.extend(projected.into_iter().map(|(first, last)| Group {
                kind: GroupKind::Projection,
                first: items[first].first,
                last: items[last].last,
            }));
        }
        groups.sort_by_key(|group| (group.first, Reverse(group.last)));
        Layout {
            groups,
            weight: items.iter().map(|item| item.weight).sum(),
        }
    }

    /// Algorithm 3 of *Balanced Execution Trees*, "Shrink EF": the maximal chains of leaves of one
    /// routine are collapsed.
    fn shrink(&self, siblings: &[Sibling]) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::with_capacity(siblings.len());
        let joins = |one: &Sibling, next: &Sibling| {
            let same = one.routine == next.routine && one.is_leaf && next.is_leaf;
            self.collapse && same && one.chained
        };
        let mut start = 0;
        for run in siblings.chunk_by(joins) {
            let longest = self.longest.unwrap_or(usize::MAX).max(1);
            for part in run.chunks(longest) {
                let collapses = part.len() >= self.shortest.max(2);
                let step = if collapses { part.len() } else { 1 };
                for piece in part.chunks(step) {
                    items.push(Item {
                        first: start,
                        last: start + piece.len() - 1,
                        weight: piece[0].weight,
                        chained: piece[piece.len() - 1].chained,
                    });
                    start += piece.len();
                }
            }
        }
        items
    }

    /// Lines 2 to 24 of Algorithm 4, also inside the projected nodes. Gives stretches of items.
    fn project(&self, items: &[Item], own_weight: u64) -> Vec<(usize, usize)> {
        let mut projected = Vec::new();
        if items.len() < self.shortest.max(2) {
            return projected;
        }
        let mut open = vec![(0, items.len(), own_weight)];
        while let Some((start, end, own_weight)) = open.pop() {
            let found = Projecting::new(self, items, start, end, own_weight).run();
            // Inside, a projected node has no code of its own.
            let larger = found.iter().filter(|&&(first, last)| last - first >= 2);
            open.extend(larger.map(|&(first, last)| (first, last + 1, 0)));
            projected.extend(found);
        }
        projected.sort_by_key(|&(first, last)| (first, Reverse(last)));
        let all = 0..items.len();
        let after = top_down(items, all.clone(), &projected, own_weight);
        if after > top_down(items, all, &[], own_weight) {
            projected.clear();
        }
        projected
    }
}

/// How many questions a top-down search asks among these children, over all places where the bug can be
/// below them or in their parent. Halving is not all: where two of three children hold nearly everything,
/// as in a recursion, a new parent over the others only adds a question on the way to one of the two.
/// Algorithm 4 does not ask; here such a node is left as it is.
fn top_down(
    items: &[Item],
    part: Range<usize>,
    projected: &[(usize, usize)],
    own_weight: u64,
) -> u64 {
    let mut total = 0;
    let mut asked = 0;
    let mut last_weight = 0;
    let mut projected = projected;
    let mut at = part.start;
    while at < part.end {
        asked += 1;
        last_weight = match projected.first() {
            Some(&(first, last)) if first == at => {
                let inner = projected.partition_point(|&(other, _)| other <= last);
                total += top_down(items, first..last + 1, &projected[1..inner], 0);
                projected = &projected[inner..];
                at = last + 1;
                items[first..=last].iter().map(|item| item.weight).sum()
            }
            _ => {
                at += 1;
                items[at - 1].weight
            }
        };
        total += asked * last_weight;
    }
    if own_weight == 0 {
        // If all others are right, it must be the last one.
        total - last_weight
    } else {
        total + asked * own_weight
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(super) fn siblings(weights: &[u64], chained: &[bool]) -> Vec<Sibling> {
        let siblings = weights.iter().zip(chained);
        siblings
            .map(|(&weight, &chained)| Sibling {
                weight,
                routine: RoutineId(weight as u32 % 3),
                is_leaf: weight == 1,
                chained,
            })
            .collect()
    }

    /// Two halves and what puts them together: nothing is won by a parent over the second half.
    #[test]
    fn a_recursion_is_left_as_it_is() {
        let layout = |weights: &[u64]| {
            Balancing::default().shrink_and_balance(&siblings(weights, &[true; 8]), 1)
        };
        assert_eq!(layout(&[100, 100, 2]).groups, []);
        assert!(!layout(&[100; 8]).groups.is_empty());
    }

    proptest! {
        #[test]
        fn groups_are_nested_and_within_chains(
            weights in prop::collection::vec(1u64..5, 1..40),
            chained in prop::collection::vec(any::<bool>(), 40),
        ) {
            let siblings = siblings(&weights, &chained);
            let layout = Balancing::default().shrink_and_balance(&siblings, 1);
            for group in &layout.groups {
                prop_assert!(group.first < group.last);
                prop_assert!((group.first..group.last).all(|index| siblings[index].chained));
                let leaves = &siblings[group.first..=group.last];
                if group.kind == GroupKind::Collapse {
                    prop_assert!(leaves.iter().all(|leaf| leaf.is_leaf && leaf.routine == leaves[0].routine));
                }
                for other in &layout.groups {
                    let apart = group.last < other.first || other.last < group.first;
                    let inside = other.first <= group.first && group.last <= other.last;
                    let around = group.first <= other.first && other.last <= group.last;
                    prop_assert!(apart || inside || around);
                }
            }
        }
    }
}
