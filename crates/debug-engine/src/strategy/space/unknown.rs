//! Stretches of suspects about which nobody knows an answer, so that thousands of them are passed over in
//! one step.

//!
//! Whoever does not know whether several calls are right is not asked about these and one more, nor about them
//! shifted by one: of several calls taken together, only what lies beside those, or at most half of them, can
//! still be a question. A call in which something lies that was not known is another matter: its result may be
//! known. But it is more, so it comes when nothing else is left to ask.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::Ordering;

use super::SearchSpace;
use crate::tree::{NodeId, Target};

/// Disjoint preorder intervals in which every suspect was left unanswered, by their starts.
#[derive(Clone, Debug, Default)]
pub(super) struct UnknownRuns(BTreeMap<u32, u32>);

impl UnknownRuns {
    /// Where the run ends that holds a position.
    fn end_around(&self, position: u32) -> Option<u32> {
        let (_, &end) = self.0.range(..=position).next_back()?;
        (position < end).then_some(end)
    }

    /// Adds an interval, and joins it with its neighbours if nothing is `empty_between` them.
    fn add(&mut self, added: Range<u32>, empty_between: impl Fn(u32, u32) -> bool) {
        let Range { mut start, mut end } = added;
        if let Some((&left, &left_end)) = self.0.range(..=start).next_back()
            && (left_end >= start || empty_between(left_end, start))
        {
            start = left;
            end = end.max(left_end);
        }
        while let Some((&right, &right_end)) = self.0.range(start + 1..).next()
            && (right <= end || empty_between(end, right))
        {
            self.0.remove(&right);
            end = end.max(right_end);
        }
        self.0.insert(start, end);
    }
}

impl SearchSpace {
    /// Notes that "don't know" was said about a node.
    pub(super) fn leave_unknown(&mut self, node: NodeId) {
        self.unknown.insert(node);
        if self.is_suspect(node) {
            self.join_unknown(node.0..node.0 + 1);
        }
    }

    /// Joins the runs on both sides of what was ruled out.
    pub(super) fn join_unknown_around(&mut self, ruled_out: Range<u32>) {
        if !self.unknown_runs.0.is_empty() {
            self.join_unknown(ruled_out);
        }
    }

    /// Finds the runs again: suspects may have come back into the search.
    pub(super) fn find_unknown_runs(&mut self) {
        self.unknown_runs = UnknownRuns::default();
        let range = NodeId(self.range.start)..NodeId(self.range.end);
        let unknown: Vec<NodeId> = self.unknown.range(range).copied().collect();
        for node in unknown {
            if self.is_suspect(node) {
                self.join_unknown(node.0..node.0 + 1);
            }
        }
    }

    /// The first position from this one on that is not in the middle of such a run.
    pub(super) fn skip_unknown(&self, position: u32) -> u32 {
        self.unknown_runs.end_around(position).unwrap_or(position)
    }

    /// Whether "don't know" was said about several calls together in which suspects are.
    pub(super) fn has_unknown_stretches(&self) -> bool {
        let mut stretches = self.unknown_stretches.iter();
        stretches.any(|&(start, end)| self.suspects_before(start) < self.suspects_before(end))
    }

    /// Does something while calls are held back in which something is that was not known.
    pub(crate) fn holding_back<T>(&self, choose: impl FnOnce() -> T) -> T {
        let before = self.holds_back.swap(true, Ordering::Relaxed);
        let chosen = choose();
        self.holds_back.store(before, Ordering::Relaxed);
        chosen
    }

    /// Whether a call is left for later because something in it was not known.
    pub(super) fn is_held_back(&self, node: NodeId) -> bool {
        self.holds_back.load(Ordering::Relaxed) && self.holds_unknown(self.tree.range(node))
    }

    /// Whether something was not known that lies in these positions and begins behind the first.
    fn holds_unknown(&self, Range { start, end }: Range<u32>) -> bool {
        let nodes = NodeId(start + 1)..NodeId(end.max(start + 1));
        let stretches = (start + 1, 0)..(end.max(start + 1), 0);
        self.unknown.range(nodes).next().is_some()
            || self.unknown_stretches.range(stretches).next().is_some()
    }

    /// Whether siblings taken together are no more than what was not known: beside it, or at most half of it.
    pub(super) fn is_less_than_unknown(&self, target: Target) -> bool {
        let Range { start, end } = target.positions(&*self.tree);
        if self
            .unknown
            .range(NodeId(start)..NodeId(end))
            .next()
            .is_some()
        {
            return false;
        }
        let weight = self.weight_of(target);
        let begun_before_end = self.unknown_stretches.range(..(end, 0));
        let mut overlapping = begun_before_end.filter(|stretch| stretch.1 > start);
        overlapping.all(|&(from, until)| {
            let unknown = self.suspects_before(until) - self.suspects_before(from);
            from <= start && end <= until && 2 * weight <= unknown
        })
    }

    /// Where groups begin and end that were not known: no other group reaches over these positions.
    pub(crate) fn unknown_bounds(&self) -> BTreeSet<u32> {
        let stretches = self.unknown_stretches.iter();
        stretches.flat_map(|&(start, end)| [start, end]).collect()
    }

    /// The nearest positions around a subtree at which something that was not known ends before it, and begins
    /// behind it.
    pub(crate) fn unanswered_around(&self, inner: Range<u32>) -> (Option<u32>, Option<u32>) {
        let node_before = self.unknown.range(..NodeId(inner.start)).next_back();
        let node_before = node_before.map(|node| node.0 + 1);
        let node_behind = self.unknown.range(NodeId(inner.end)..).next();
        let node_behind = node_behind.map(|node| node.0);
        let bounds = self.unknown_bounds();
        let before = bounds.range(..=inner.start).next_back().copied();
        let behind = bounds.range(inner.end..).next().copied();
        let nearest = |one: Option<u32>, other: Option<u32>| one.into_iter().chain(other);
        (
            nearest(node_before, before).max(),
            nearest(node_behind, behind).min(),
        )
    }

    /// Whether these positions lie in a group that was not known.
    pub(crate) fn is_in_unknown(&self, inner: Range<u32>) -> bool {
        let mut begun = self.unknown_stretches.range(..=(inner.start, u32::MAX));
        begun.any(|&(_, end)| inner.end <= end)
    }

    /// Whether a sibling cannot be in a group, because it or something in it was not known.
    pub(crate) fn stands_alone(&self, node: NodeId) -> bool {
        let Range { start, end } = self.tree.range(node);
        let mut unknown = self.unknown.range(NodeId(start)..NodeId(end));
        unknown.next().is_some()
    }

    fn join_unknown(&mut self, added: Range<u32>) {
        let mut runs = std::mem::take(&mut self.unknown_runs);
        runs.add(added, |start, end| {
            self.suspects_before(start) == self.suspects_before(end)
        });
        self.unknown_runs = runs;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn runs_hold_what_was_added_and_what_is_empty(
            added in prop::collection::vec(0u32..60, 0..40),
            empty in prop::collection::btree_set(0u32..60, 0..40),
        ) {
            let mut runs = UnknownRuns::default();
            let is_empty = |start: u32, end: u32| (start..end).all(|at| empty.contains(&at));
            for &at in &added {
                runs.add(at..at + 1, is_empty);
            }
            for at in 0..60 {
                let run = runs.end_around(at);
                prop_assert!(!added.contains(&at) || run.is_some());
                prop_assert!(run.is_none() || added.contains(&at) || empty.contains(&at));
                let end = run.unwrap_or(at);
                prop_assert!(run.is_none() || !added.contains(&end));
            }
        }
    }
}
