//! Divide by rules & query (Silva): divide & query that counts different routines instead of nodes. A
//! bug is in a routine; a thousand calls of the same one are not a thousand places to look.

use std::collections::{HashMap, HashSet};

use super::{LISTABLE, SearchSpace, Strategy, StrategyInfo, balance};
use crate::tree::{NodeId, RoutineId};

pub(super) const INFO: StrategyInfo = StrategyInfo {
    name: "divide-by-rules",
    explanation: "divide & query that counts different methods instead of calls",
    create: || Box::new(DivideByRules),
};

struct DivideByRules;

impl Strategy for DivideByRules {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn choose(&mut self, space: &SearchSpace) -> Option<NodeId> {
        if space.suspects() > LISTABLE {
            return balance::most_balanced(space, space.suspects());
        }
        let suspects: Vec<NodeId> = space.suspects_in_order().collect();
        let routines: Vec<RoutineId> = suspects
            .iter()
            .map(|&suspect| space.tree().routine(suspect))
            .collect();
        let different = different_routines(&routines, |rank| space.weight(suspects[rank]) as usize);
        let all = routines.iter().collect::<HashSet<_>>().len();
        let suspects_left = space.suspects();
        (0..suspects.len())
            .filter(|&rank| space.is_askable(suspects[rank]))
            .min_by_key(|&rank| {
                let by_weight = (2 * space.weight(suspects[rank])).abs_diff(suspects_left);
                ((2 * different[rank]).abs_diff(all), by_weight, rank)
            })
            .map(|rank| suspects[rank])
    }
}

/// For each rank, how many different routines there are in the `weight(rank)` suspects from there on.
///
/// From right to left, each routine is marked where it occurs next; the marks inside a stretch that
/// starts here are the different routines in it.
fn different_routines(routines: &[RoutineId], weight: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut marks = PrefixCounts::new(routines.len());
    let mut next: HashMap<RoutineId, usize> = HashMap::new();
    let mut different = vec![0; routines.len()];
    for rank in (0..routines.len()).rev() {
        if let Some(later) = next.insert(routines[rank], rank) {
            marks.add(later, -1);
        }
        marks.add(rank, 1);
        let end = rank + weight(rank);
        different[rank] = marks.before(end) - marks.before(rank);
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
        let weight = |rank: usize| (routines.len() - rank).min(3);
        let naive: Vec<usize> = (0..routines.len())
            .map(|rank| {
                routines[rank..rank + weight(rank)]
                    .iter()
                    .collect::<BTreeSet<_>>()
                    .len()
            })
            .collect();
        assert_eq!(different_routines(&routines, weight), naive);
    }
}
