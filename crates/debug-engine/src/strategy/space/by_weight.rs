//! Siblings from the heaviest to the lightest, as far as somebody looks.
//!
//! Few siblings are sorted. Of many only those are put in order that are looked at: the largest
//! subtree in a stretch of siblings is that of one of them (see [`SizeMaxima`]), and leaves two stretches
//! beside it. Weights are sizes without what is trusted or open, so a stretch holds nothing heavier than
//! its largest subtree; siblings that were found wait until no stretch can hold a heavier one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::PoisonError;

use super::SearchSpace;
use crate::tree::{NodeId, SizeMaxima};

/// Up to this many siblings are listed anew each time.
const FEW: usize = 256;

/// Up to this many siblings are sorted, and kept.
pub(super) const MANY: usize = 1 << 12;

/// So many stretches may be opened before the heaviest sibling found so far is taken for the next one: if
/// each of ten million iterations made one trusted call, none weighs what its size promises.
const LOOK_AHEAD: usize = 1 << 12;

/// And so many more for each sibling that was listed.
const LOOK_FURTHER: usize = 4;

/// A sibling with the weight that it would have if nothing were ruled out.
type Weighed = (NodeId, u32);

/// Siblings in the order of falling weights, and of execution where these are equal.
#[derive(Default)]
pub(super) struct ByWeight {
    listed: Vec<Weighed>,
    /// How many of them, from the first on, no question can be about any more.
    exhausted: usize,
    /// Siblings that were found and are not listed yet.
    found: BinaryHeap<(u32, Reverse<NodeId>)>,
    open: BinaryHeap<Stretch>,
    opened: usize,
    is_wide: bool,
}

/// Consecutive siblings: the largest of them first, then where they begin and end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Stretch {
    size: u32,
    largest: Reverse<NodeId>,
    start: u32,
    end: u32,
}

impl SearchSpace {
    /// The children of a node, each with a bound on its weight, in the order of falling bounds (and
    /// of execution, where bounds are equal). A search for a heavy child can stop as soon as the
    /// bounds get too small. Of very many children, all of which weigh less than their size, those that
    /// come later may be a little heavier.
    pub fn children_by_weight(&self, node: NodeId) -> impl Iterator<Item = (NodeId, u64)> + '_ {
        self.siblings_by_weight(self.below(node))
    }

    /// The same for the topmost nodes of the range.
    pub fn top_by_weight(&self) -> impl Iterator<Item = (NodeId, u64)> + '_ {
        self.siblings_by_weight(self.range.clone())
    }

    /// Whether a node has so many children that walking along them takes too long.
    pub(crate) fn has_many_children(&self, node: NodeId) -> bool {
        self.has_many_siblings(self.below(node))
    }

    /// The same for the topmost nodes of the range.
    pub(crate) fn has_many_at_top(&self) -> bool {
        self.has_many_siblings(self.range.clone())
    }

    /// Forgets the order of siblings: what is searched has changed.
    pub(super) fn forget_by_weight(&mut self) {
        self.by_weight = Default::default();
    }

    fn below(&self, node: NodeId) -> Range<u32> {
        let Range { start, end } = self.tree.range(node);
        start + 1..end.min(self.known_len).max(start + 1)
    }

    fn has_many_siblings(&self, siblings: Range<u32>) -> bool {
        !self.are_few(&siblings) && self.with_kept(&siblings, |kept| kept.is_wide)
    }

    fn siblings_by_weight(&self, siblings: Range<u32>) -> impl Iterator<Item = (NodeId, u64)> + '_ {
        let few = self
            .are_few(&siblings)
            .then(|| ByWeight::sorted(self, &siblings));
        let mut next = match few {
            Some(_) => 0,
            None => self.with_kept(&siblings, |kept| kept.skip_exhausted(self)),
        };
        std::iter::from_fn(move || {
            let sibling = match &few {
                Some(few) => few.listed.get(next).copied(),
                None => self.with_kept(&siblings, |kept| kept.get(self, next)),
            };
            next += 1;
            sibling.map(|(node, bound)| (node, u64::from(bound)))
        })
    }

    fn are_few(&self, siblings: &Range<u32>) -> bool {
        siblings.len() <= FEW || self.starts_of(siblings.clone()).nth(FEW).is_none()
    }

    /// Siblings one after the other.
    fn starts_of(&self, siblings: Range<u32>) -> impl Iterator<Item = NodeId> + '_ {
        let mut next = siblings.start;
        std::iter::from_fn(move || {
            let node = (next < siblings.end).then_some(NodeId(next))?;
            next += self.tree.subtree_size(node).max(1);
            Some(node)
        })
    }

    fn with_kept<T>(&self, siblings: &Range<u32>, look: impl FnOnce(&mut ByWeight) -> T) -> T {
        let kept = self.by_weight.lock();
        let mut kept = kept.unwrap_or_else(PoisonError::into_inner);
        let siblings = (siblings.start, siblings.end);
        let order = kept.entry(siblings).or_insert_with(|| {
            let siblings = siblings.0..siblings.1;
            if self.starts_of(siblings.clone()).nth(MANY).is_none() {
                ByWeight::sorted(self, &siblings)
            } else {
                ByWeight::unsorted(self, siblings)
            }
        });
        look(order)
    }

    /// The weight that the subtree of a node would have if nothing in it were ruled out.
    fn bound(&self, node: NodeId) -> u32 {
        let Range { start, end } = self.tree.range(node);
        self.weight_between(start, end.min(self.known_len).max(start)) as u32
    }

    fn stretch(&self, siblings: Range<u32>) -> Option<Stretch> {
        let Range { start, end } = siblings;
        let (size, largest) = self.tree.first_largest(start..end).or_else(|| {
            let maxima = self.maxima.get_or_init(|| SizeMaxima::build(&*self.tree));
            let size = |position| self.tree.subtree_size(NodeId(position));
            maxima.first_largest(start..end, size)
        })?;
        Some(Stretch {
            size,
            largest: Reverse(largest),
            start,
            end,
        })
    }

    /// The sibling, one of those that begin at `first`, that holds the first node with a weight from
    /// `position` on.
    fn next_weighted_sibling(&self, first: u32, position: u32, end: u32) -> Option<u32> {
        let weight = self.weight_between(position, end);
        if weight == 0 {
            return None;
        }
        let (mut low, mut high) = (position, end);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.weight_between(position, middle + 1) > 0 {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let is_sibling = |node| {
            let parent = self.tree.parent(node);
            parent.is_none_or(|parent| parent.0 < first)
        };
        self.climb(NodeId(low), is_sibling).map(|node| node.0)
    }
}

impl ByWeight {
    fn sorted(space: &SearchSpace, siblings: &Range<u32>) -> Self {
        let nodes = space.starts_of(siblings.clone());
        let weighed = nodes.map(|node| (node, space.bound(node)));
        let mut listed: Vec<Weighed> = weighed.filter(|&(_, bound)| bound > 0).collect();
        listed.sort_unstable_by_key(|&(node, bound)| (Reverse(bound), node));
        ByWeight {
            listed,
            ..ByWeight::default()
        }
    }

    fn unsorted(space: &SearchSpace, siblings: Range<u32>) -> Self {
        ByWeight {
            open: space.stretch(siblings).into_iter().collect(),
            is_wide: true,
            ..ByWeight::default()
        }
    }

    fn get(&mut self, space: &SearchSpace, index: usize) -> Option<Weighed> {
        while self.listed.len() <= index {
            let next = self.next(space)?;
            self.listed.push(next);
        }
        self.listed.get(index).copied()
    }

    /// Where the siblings begin about which a question is still possible, or about something in them.
    /// Answers come in the order of the list, more or less, so thousands of siblings that were ruled out
    /// or left unanswered stand at its beginning; they are passed over only once.
    fn skip_exhausted(&mut self, space: &SearchSpace) -> usize {
        while let Some((node, _)) = self.get(space, self.exhausted)
            && space.is_exhausted(node)
        {
            self.exhausted += 1;
        }
        self.exhausted
    }

    fn next(&mut self, space: &SearchSpace) -> Option<Weighed> {
        loop {
            let stretch = self.open.peek().map(|open| (open.size, open.largest));
            let allowed = LOOK_AHEAD + LOOK_FURTHER * self.listed.len();
            let is_next = |found: &(u32, Reverse<NodeId>)| {
                self.opened > allowed || stretch.is_none_or(|stretch| *found >= stretch)
            };
            if let Some(&(bound, Reverse(node))) = self.found.peek().filter(|&found| is_next(found))
            {
                self.found.pop();
                return Some((node, bound));
            }
            let stretch = self.open.pop()?;
            self.open(space, stretch);
        }
    }

    /// Takes the largest sibling out of a stretch, and keeps what is left on either side; or leaves out
    /// what was ruled out meanwhile.
    fn open(&mut self, space: &SearchSpace, stretch: Stretch) {
        self.opened += 1;
        let Stretch { start, end, .. } = stretch;
        let Reverse(node) = stretch.largest;
        let Range { end: after, .. } = space.tree.range(node);
        let without = match space.pruned_around(node.0) {
            Some(index) if space.pruned[index].end >= after => {
                let pruned = space.pruned[index];
                pruned.start.max(start)..pruned.end.min(end)
            }
            _ => {
                let bound = space.bound(node);
                if bound > 0 {
                    self.found.push((bound, Reverse(node)));
                    node.0..after
                } else {
                    let next = space.next_weighted_sibling(start, after, end);
                    node.0..next.unwrap_or(end)
                }
            }
        };
        for rest in [start..without.start, without.end..end] {
            if !rest.is_empty() {
                self.open.extend(space.stretch(rest));
            }
        }
    }
}
