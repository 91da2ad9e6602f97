//! Stretches of suspects about which nobody knows an answer, so that thousands of them are passed over in
//! one step.

use std::collections::BTreeMap;
use std::ops::Range;

use super::SearchSpace;
use crate::tree::NodeId;

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
