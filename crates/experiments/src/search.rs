//! A smallest set of changes that makes the program right.
//!
//! The changes come in an order, the most suspect first. The shortest beginning of them that makes the program right is
//! found by halving, and its last change is needed; so is the last one of the shortest beginning that is enough
//! together with it, and so on, until those that are needed are enough. Where all were needed that were looked at, the
//! next one is only left out alone. That takes a few runs for each change that is
//! needed, where *ddmin*, which tries parts and what is left without them, takes many as soon as there are several. A
//! set that is not right, because the symptom is there or because nothing can be told, is no reason to leave anything
//! out. As a change may have been needed only because others came with it, each is tried alone in the end, and then
//! without each. The result is a set of which no single change can be left out, as far as could be tried.

use crate::laboratory::Over;

/// What ended a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Smallest {
    /// Makes the program right.
    pub(crate) set: Vec<usize>,
    /// Whether nothing of it can be left out; if not, there was no more time.
    pub(crate) is_minimal: bool,
}

/// `first_right` tells which of some sets is right, the first if there are several; sets that can be tried at the same
/// time are given together, so many beginnings too. An error ends the search: there is no more time.
pub(crate) fn smallest<E>(
    whole: Vec<usize>,
    beginnings: usize,
    mut first_right: impl FnMut(&[Vec<usize>]) -> Result<Option<usize>, E>,
) -> Smallest {
    let found = needed(whole, beginnings, &mut first_right);
    if !found.is_minimal || found.set.len() < 2 {
        return found;
    }
    let alone: Vec<Vec<usize>> = found.set.iter().map(|&one| vec![one]).collect();
    match first_right(&alone) {
        Err(_) => unfinished(found.set),
        Ok(Some(at)) => Smallest {
            set: vec![found.set[at]],
            is_minimal: true,
        },
        Ok(None) => without_each(found.set, first_right),
    }
}

/// The first half of [`smallest`]: what is found may have more than is needed if some of it only goes together with
/// other changes.
pub(crate) fn needed<E>(
    whole: Vec<usize>,
    beginnings: usize,
    mut first_right: impl FnMut(&[Vec<usize>]) -> Result<Option<usize>, E>,
) -> Smallest {
    let mut needed: Vec<usize> = Vec::new();
    let mut rest = whole;
    let both = |rest: &[usize], needed: &[usize]| -> Vec<usize> {
        rest.iter().chain(needed).copied().collect()
    };
    // Whether all of the rest was needed so far that was looked at.
    let mut is_tight = false;
    while !rest.is_empty() {
        // The shortest beginning that is enough is longer than `not_enough`, and no longer than `enough`. Nothing at
        // all is not enough: that is the symptom.
        let (mut not_enough, mut enough) = (0, rest.len());
        if is_tight {
            let without_last = both(&rest[..enough - 1], &needed);
            match first_right(&[without_last]) {
                Err(_) => return unfinished(both(&rest, &needed)),
                Ok(Some(_)) => enough -= 1,
                Ok(None) => not_enough = enough - 1,
            }
        }
        if !needed.is_empty() && enough > 0 && not_enough == 0 {
            match first_right(std::slice::from_ref(&needed)) {
                Err(_) => return unfinished(both(&rest[..enough], &needed)),
                Ok(Some(_)) => enough = 0,
                Ok(None) => {}
            }
        }
        while enough - not_enough > 1 {
            let lengths = between(not_enough, enough, beginnings);
            let sets: Vec<Vec<usize>> = lengths
                .iter()
                .map(|&length| both(&rest[..length], &needed))
                .collect();
            match first_right(&sets) {
                Err(_) => return unfinished(both(&rest[..enough], &needed)),
                Ok(Some(at)) => {
                    enough = lengths[at];
                    not_enough = at.checked_sub(1).map_or(not_enough, |at| lengths[at]);
                }
                Ok(None) => not_enough = lengths.last().copied().unwrap_or(not_enough),
            }
        }
        is_tight = enough == rest.len();
        rest.truncate(enough);
        needed.splice(0..0, rest.pop());
    }
    Smallest {
        set: needed,
        is_minimal: true,
    }
}

/// Leaves out single changes of a set that makes the program right as long as it stays right.
pub(crate) fn without_each<E>(
    mut set: Vec<usize>,
    mut first_right: impl FnMut(&[Vec<usize>]) -> Result<Option<usize>, E>,
) -> Smallest {
    let mut from = 0;
    while set.len() > 1 {
        // Those behind the one that was left out have not been tried yet.
        let order: Vec<usize> = (from..set.len()).chain(0..from).collect();
        let without = |&at: &usize| {
            let mut left = set.clone();
            left.remove(at);
            left
        };
        let sets: Vec<Vec<usize>> = order.iter().map(without).collect();
        match first_right(&sets) {
            Err(_) => return unfinished(set),
            Ok(Some(at)) => {
                from = order[at] % sets[at].len();
                set.clone_from(&sets[at]);
            }
            Ok(None) => break,
        }
    }
    Smallest {
        set,
        is_minimal: true,
    }
}

/// So many numbers between two others, at most, that divide what is between them.
fn between(low: usize, high: usize, count: usize) -> Vec<usize> {
    let parts = (count.max(1) + 1).min(high - low);
    (1..parts)
        .map(|part| low + part * (high - low) / parts)
        .collect()
}

/// A smallest set of some things that makes the program right, if all of them do.
///
/// # Errors
/// If `is_right` fails, or there was no more time to leave out what is not needed.
pub(crate) fn smallest_right(
    count: usize,
    mut is_right: impl FnMut(&[usize]) -> Result<bool, Over>,
) -> Result<Option<Vec<usize>>, Over> {
    let whole: Vec<usize> = (0..count).collect();
    if whole.is_empty() || !is_right(&whole)? {
        return Ok(None);
    }
    let found = smallest(whole, 1, |sets| {
        for (at, set) in sets.iter().enumerate() {
            if is_right(set)? {
                return Ok::<_, Over>(Some(at));
            }
        }
        Ok(None)
    });
    // Once more: what was seen once may have been chance.
    if !found.is_minimal || !is_right(&found.set)? {
        return Err(Over);
    }
    Ok(Some(found.set))
}

fn unfinished(set: Vec<usize>) -> Smallest {
    Smallest {
        set,
        is_minimal: false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Searches where a set is right if it has all culprits, and tells nothing if it has the first of a pair without
    /// the second; `beginnings` are tried at once.
    fn check(
        count: usize,
        culprits: &[usize],
        needs: &[(usize, usize)],
        beginnings: usize,
    ) -> (Vec<usize>, usize) {
        let mut runs = 0;
        let mut known = std::collections::HashMap::new();
        let is_right = |set: &Vec<usize>| {
            let has = |one: &usize| set.contains(one);
            let goes = needs.iter().all(|(one, other)| !has(one) || has(other));
            culprits.iter().all(has) && goes
        };
        let found = smallest((0..count).collect(), beginnings, |sets| {
            let right = sets.iter().position(|set| {
                let mut sorted = set.clone();
                sorted.sort_unstable();
                *known.entry(sorted).or_insert_with(|| {
                    runs += 1;
                    is_right(set)
                })
            });
            Ok::<_, ()>(right)
        });
        assert!(found.is_minimal);
        assert!(is_right(&found.set), "{found:?}");
        (found.set, runs)
    }

    #[test]
    fn one_culprit_among_many_takes_few_runs() {
        for culprit in 0..126 {
            let (set, runs) = check(126, &[culprit], &[], 1);
            assert_eq!(set, [culprit]);
            assert!(runs <= 9, "{runs}");
        }
    }

    #[test]
    fn several_culprits_take_few_runs_each() {
        for first in 0..40 {
            for second in first + 1..40 {
                let (set, runs) = check(40, &[first, second], &[], 1);
                assert_eq!(set, [first, second]);
                assert!(runs <= 16, "{runs}");
            }
        }
        let culprits = [1, 3, 7, 8, 15, 20];
        let (set, runs) = check(24, &culprits, &[], 1);
        assert_eq!(set, culprits);
        assert!(runs <= 40, "{runs}");
        let all: Vec<usize> = (0..12).collect();
        let (set, runs) = check(12, &all, &[], 1);
        assert_eq!(set, all);
        // Each is tried alone, and left out once.
        assert!(runs <= 28, "{runs}");
    }

    #[test]
    fn what_must_go_together_is_no_obstacle() {
        let (set, _) = check(30, &[12], &[(5, 20), (20, 5)], 1);
        assert_eq!(set, [12]);
    }

    #[test]
    fn a_search_that_runs_out_of_time_says_so() {
        let found = smallest(vec![1, 2, 3], 1, |_| Err(()));
        assert_eq!(found.set, [1, 2, 3]);
        assert!(!found.is_minimal);
        // Two runs are allowed: the first half of four is not enough, the first three are.
        let mut runs = 0;
        let found = smallest(vec![1, 2, 3, 4], 1, |sets| {
            runs += 1;
            if runs > 2 {
                return Err(());
            }
            Ok(sets.iter().position(|set| set.contains(&3)))
        });
        assert_eq!(found.set, [1, 2, 3]);
        assert!(!found.is_minimal);
    }

    proptest! {
        /// Whatever goes together: what is found is right, and nothing of it can be left out.
        #[test]
        fn nothing_of_what_is_found_can_be_left_out(
            count in 1usize..40,
            culprits in proptest::collection::btree_set(0usize..40, 1..5),
            needs in proptest::collection::vec((0usize..40, 0usize..40), 0..12),
            beginnings in 1usize..4,
        ) {
            let culprits: Vec<usize> = culprits.into_iter().map(|one| one % count).collect();
            let needs: Vec<(usize, usize)> =
                needs.into_iter().map(|(one, other)| (one % count, other % count)).collect();
            let (set, _) = check(count, &culprits, &needs, beginnings);
            let is_right = |set: &[usize]| {
                let has = |one: &usize| set.contains(one);
                culprits.iter().all(has)
                    && needs.iter().all(|(one, other)| !has(one) || has(other))
            };
            for left_out in &set {
                let left: Vec<usize> =
                    set.iter().copied().filter(|one| one != left_out).collect();
                prop_assert!(left.is_empty() || !is_right(&left), "{set:?} without {left_out}");
            }
            for one in &set {
                prop_assert!(set.len() == 1 || !is_right(&[*one]));
            }
        }
    }
}
