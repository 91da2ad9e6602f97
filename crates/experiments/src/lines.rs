//! Which lines of a changed method are to blame: the search goes on among the hunks of its difference.
//!
//! A part is what differs on the same lines. The method then has the right version's code of some parts and the wrong
//! one's of the others. Parts that do not go together are unresolved, as changes are, and if that is all that came of
//! it, nothing is said of lines.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::ProvedLines;
use crate::hybrid::Direction;
use crate::laboratory::Over;
use crate::narrowing::Search;
use crate::parts::parts_of;
use crate::program::MethodName;
use crate::search::smallest;
use crate::symptom::Seen;

/// So many runs may be spent on lines.
const MOST_RUNS: usize = 16;

/// So many runs in turn that show neither the symptom nor what is right end the search: the parts do not go together.
const MOST_UNRESOLVED: usize = 5;

/// More parts than these are not taken apart.
const MOST_PARTS: usize = 64;

impl Search<'_, '_> {
    /// The lines of changes that are to blame, if experiments tell: `along` are those that have to come along.
    pub(crate) fn lines(&mut self, cause: &[usize], along: &[usize]) -> Vec<ProvedLines> {
        let changes = self.laboratory.changes;
        let mut whole = along.to_vec();
        let mut parts = Vec::new();
        let mut methods = 0;
        for &at in cause {
            match parts_of(&changes[at], self.pairing) {
                Some(found) if !found.is_empty() => {
                    methods += 1;
                    parts.extend(found);
                }
                _ => whole.push(at),
            }
        }
        let count = parts.len();
        self.laboratory.parts = parts;
        // What is on the same lines was tried as a whole.
        let needed = if count == methods {
            Some((0..count).collect())
        } else if count <= MOST_PARTS {
            self.needed_parts(count, &whole)
        } else {
            None
        };
        let parts = needed.into_iter().flatten();
        let mut proved: BTreeMap<MethodName, BTreeSet<u32>> = BTreeMap::new();
        for part in parts.map(|at| &self.laboratory.parts[at]) {
            let lines = proved.entry(part.method().clone()).or_default();
            lines.extend(&part.lines);
        }
        let proved = proved.into_iter().map(|(method, lines)| ProvedLines {
            method,
            lines: lines.into_iter().collect(),
        });
        proved.collect()
    }

    /// A smallest set of the parts that is enough, with some changes as a whole. `None` if nothing was left out and
    /// that may be because it could not be tried.
    fn needed_parts(&mut self, count: usize, whole: &[usize]) -> Option<Vec<usize>> {
        let first = self.laboratory.changes.len();
        let numbered = |set: &[usize]| {
            let parts = set.iter().map(|part| first + part);
            let mut numbered: Vec<usize> = whole.iter().copied().chain(parts).collect();
            numbered.sort_unstable();
            numbered
        };
        let since = self.laboratory.runs;
        let mut is_resolved = true;
        let mut unresolved = 0;
        let beginnings = self.laboratory.beginnings();
        let found = smallest((0..count).collect(), beginnings, |sets| {
            let sets: Vec<Vec<usize>> = sets.iter().map(|set| numbered(set)).collect();
            if self.laboratory.runs > since + MOST_RUNS || unresolved >= MOST_UNRESOLVED {
                return Err(Over);
            }
            let right = self.laboratory.first(Direction::Mend, &sets)?;
            if right.is_none() {
                let is_wrong = |set: &&Vec<usize>| {
                    self.laboratory
                        .cache
                        .get(&(Direction::Mend, (*set).clone()))
                        == Some(&Seen::Wrong)
                };
                let wrong = sets.iter().filter(is_wrong).count();
                is_resolved &= wrong == sets.len();
                unresolved = match wrong {
                    0 => unresolved + sets.len(),
                    _ => 0,
                };
            } else {
                unresolved = 0;
            }
            Ok(right)
        });
        let all = numbered(&found.set);
        if found.set.len() == count {
            // The symptom is there without each: all are needed.
            return (found.is_minimal && is_resolved).then_some(found.set);
        }
        // Once more, alone.
        let again = self.laboratory.seen_again(Direction::Mend, &all);
        matches!(again, Ok(Seen::Right)).then_some(found.set)
    }
}
