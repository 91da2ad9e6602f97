//! Divide by rules & query (Silva): divide & query that counts different routines instead of nodes. A
//! bug is in a routine; a thousand calls of the same one are not a thousand places to look.

use std::collections::{HashMap, HashSet};

use super::{SearchSpace, Strategy, StrategyInfo, balance};
use crate::tree::{NodeId, RoutineId};

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "divide-by-rules",
    explanation: "divide & query that counts different methods instead of calls",
    create: || Box::new(DivideByRules),
};

/// With more suspects than this, calls are counted: counting routines anew for each question takes longer
/// than other strategies take to look at every suspect.
const LARGEST: u64 = 4_000;

struct DivideByRules;

impl Strategy for DivideByRules {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        if space.suspects() > LARGEST {
            return balance::most_balanced(space, space.suspects());
        }
        let routines: Vec<RoutineId> = space
            .suspects_in_order()
            .map(|suspect| space.tree().routine(suspect))
            .collect();
        let askable: Vec<NodeId> = space.askable().collect();
        let stretches = askable.iter().map(|&node| {
            let rank = space.suspects_before(node.0) as usize;
            (rank, rank + space.weight(node) as usize)
        });
        let different = different_routines(&routines, &stretches.collect::<Vec<_>>());
        let all = routines.iter().collect::<HashSet<_>>().len();
        let suspects_left = space.suspects();
        (0..askable.len())
            .min_by_key(|&index| {
                let by_weight = (2 * space.weight(askable[index])).abs_diff(suspects_left);
                ((2 * different[index]).abs_diff(all), by_weight, index)
            })
            .map(|index| askable[index])
    }
}

/// How many different routines there are in each stretch of ranks. Stretches come in the order of
/// their starts.
///
/// From right to left, each routine is marked where it occurs next; the marks inside a stretch that
/// starts here are the different routines in it.
fn different_routines(routines: &[RoutineId], stretches: &[(usize, usize)]) -> Vec<usize> {
    let mut marks = PrefixCounts::new(routines.len());
    let mut next: HashMap<RoutineId, usize> = HashMap::new();
    let mut different = vec![0; stretches.len()];
    let mut open = (0..stretches.len()).rev().peekable();
    for rank in (0..routines.len()).rev() {
        if let Some(later) = next.insert(routines[rank], rank) {
            marks.add(later, -1);
        }
        marks.add(rank, 1);
        while let Some(index) = open.next_if(|&index| stretches[index].0 == rank) {
            let (start, end) = stretches[index];
            different[index] = marks.before(end) - marks.before(start);
        }
    }
    different
}

/// Counts that change, summed up from the left (a Fenwick tree).
struct PrefixCounts(Vec<isize>);

impl PrefixCounts {
    fn new(len: usize) -> Self {
        PrefixCounts(vec![0; len + 1])
    }

    fn add(&mut self, position: usize, count: isize) {
        let mut index = position + 1;
        while index < self.0.len() {
            self.0[index] += count;
            index += index & index.wrapping_neg();
        }
    }

    fn before(&self, position: usize) -> usize {
        let mut index = position;
        let mut sum = 0;
        while index > 0 {
            sum += self.0[index];
            index -= index & index.wrapping_neg();
        }
        sum.unsigned_abs()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_routine_counts_once() {
        let routines = [0, 1, 0, 2, 1, 1, 0].map(RoutineId);
        let stretches = [(0, 7), (0, 3), (1, 4), (3, 6), (3, 4), (6, 7)];
        let naive: Vec<usize> = stretches
            .iter()
            .map(|&(start, end)| routines[start..end].iter().collect::<BTreeSet<_>>().len())
            .collect();
        assert_eq!(different_routines(&routines, &stretches), naive);
    }
}
