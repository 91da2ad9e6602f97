//! The answers given so far: the only thing a session has to remember.
//!
//! Everything else — where the search stands, what is pruned, which nodes carry no weight — follows
//! from this list. So undo drops the last entry and works the rest out again, and a saved session is
//! the list. A later answer about the same node overrules the earlier one, which stays in the list.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Answer, AnswerSource, LogEntry, TrustScope};
use crate::judgement::Judgement;
use crate::tree::{ExecutionTree, RoutineId, Target};

/// Answers in the order in which they were given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Log {
    entries: Vec<LogEntry>,
    /// Position of the entry that counts for a target.
    latest: HashMap<Target, usize>,
}

impl Log {
    pub(super) fn entries(&self) -> &[LogEntry] {
        &self.entries
    }

    /// Adds an answer and says whether it overrules an earlier one.
    pub(super) fn push(&mut self, entry: LogEntry) -> bool {
        let position = self.entries.len();
        let overrules = entry
            .target()
            .is_some_and(|target| self.latest.insert(target, position).is_some());
        self.entries.push(entry);
        overrules
    }

    pub(super) fn pop(&mut self) -> Option<LogEntry> {
        let entry = self.entries.pop()?;
        if let Some(target) = entry.target() {
            match self
                .entries
                .iter()
                .rposition(|earlier| earlier.target() == Some(target))
            {
                Some(position) => self.latest.insert(target, position),
                None => self.latest.remove(&target),
            };
        }
        Some(entry)
    }

    /// Drops the entry at this position, unless it is about a target.
    pub(super) fn remove_unaddressed(&mut self, position: usize) -> Option<LogEntry> {
        let entry = self.entries.get(position)?;
        if entry.target().is_some() {
            return None;
        }
        for latest in self.latest.values_mut() {
            *latest -= usize::from(*latest > position);
        }
        Some(self.entries.remove(position))
    }

    /// The entry that counts for this target.
    pub(super) fn latest(&self, target: Target) -> Option<&LogEntry> {
        self.latest
            .get(&target)
            .map(|&position| &self.entries[position])
    }

    /// The entries that no later one overrules, in order.
    pub(super) fn in_force(&self) -> impl Iterator<Item = &LogEntry> {
        self.entries
            .iter()
            .enumerate()
            .filter_map(|(position, entry)| {
                let counts = entry
                    .target()
                    .is_none_or(|target| self.latest[&target] == position);
                counts.then_some(entry)
            })
    }

    pub(super) fn is_in_force(&self, position: usize) -> bool {
        self.entries.get(position).is_some_and(|entry| {
            let latest = entry.target().and_then(|target| self.latest.get(&target));
            entry.answer != Answer::TakenBack && latest.is_none_or(|&latest| latest == position)
        })
    }

    /// Whether this source has said anything.
    pub(super) fn has_any_from(&self, source: AnswerSource) -> bool {
        self.entries.iter().any(|entry| entry.source == source)
    }

    /// All routines that are trusted now.
    pub(super) fn trusted_routines(&self, tree: &dyn ExecutionTree) -> BTreeSet<RoutineId> {
        self.in_force()
            .flat_map(|entry| entry.trusted_routines(tree))
            .collect()
    }

    pub(super) fn counts(&self) -> BTreeMap<AnswerSource, usize> {
        let mut counts = BTreeMap::new();
        let is_answer =
            |entry: &&LogEntry| entry.answer != Answer::TakenBack && !entry.in_one_breath;
        for entry in self.entries.iter().filter(is_answer) {
            *counts.entry(entry.source).or_default() += 1;
        }
        counts
    }
}

impl LogEntry {
    /// The judgement it gives to its node.
    pub fn judgement(&self) -> Judgement {
        self.answer.judgement()
    }

    /// The routines that this entry trusts; empty unless it is a trust answer.
    pub fn trusted_routines(&self, tree: &dyn ExecutionTree) -> Vec<RoutineId> {
        match (&self.answer, self.target()) {
            (Answer::Trust(TrustScope::Routine), Some(target)) => {
                let routines = target.members(tree).map(|node| tree.routine(node));
                routines.collect::<BTreeSet<_>>().into_iter().collect()
            }
            (Answer::Trust(TrustScope::Routines(routines)), _) => {
                routines.iter().copied().collect()
            }
            _ => Vec::new(),
        }
    }
}
