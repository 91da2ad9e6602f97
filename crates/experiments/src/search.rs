//! Delta debugging: a smallest set of changes that makes the program right.
//!
//! *ddmin*, for sets of which one is known to be right: halves are tried first, then what is left
//! without one part, in ever smaller parts. A set that is not right, because the symptom is there or
//! because nothing can be told, is no reason to leave anything out. The result is a set of which no
//! single part can be left out, as far as could be tried.

use crate::laboratory::Over;

/// What ended a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Smallest {
    /// Makes the program right.
    pub(crate) set: Vec<usize>,
    /// Whether nothing of it can be left out; if not, there was no more time.
    pub(crate) is_minimal: bool,
}

/// `first_right` tells which of some sets is right, the first if there are several. An error ends the
/// search: there is no more time.
pub(crate) fn smallest<E>(
    whole: Vec<usize>,
    mut first_right: impl FnMut(&[Vec<usize>]) -> Result<Option<usize>, E>,
) -> Smallest {
    let mut set = whole;
    let mut parts = 2;
    while set.len() > 1 {
        let pieces = split(&set, parts);
        let mut candidates = pieces.clone();
        match first_right(&candidates) {
            Err(_) => return unfinished(set),
            Ok(Some(at)) => {
                set = candidates.swap_remove(at);
                parts = 2;
                continue;
            }
            Ok(None) => {}
        }
        if parts > 2 {
            let without = |piece: &Vec<usize>| {
                let left = set.iter().filter(|one| !piece.contains(one));
                left.copied().collect::<Vec<usize>>()
            };
            let mut candidates: Vec<Vec<usize>> = pieces.iter().map(without).collect();
            match first_right(&candidates) {
                Err(_) => return unfinished(set),
                Ok(Some(at)) => {
                    set = candidates.swap_remove(at);
                    parts = (parts - 1).max(2);
                    continue;
                }
                Ok(None) => {}
            }
        }
        if parts >= set.len() {
            break;
        }
        parts = (parts * 2).min(set.len());
    }
    Smallest {
        set,
        is_minimal: true,
    }
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
    let found = smallest(whole, |sets| {
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

/// Into so many parts of about the same size, in order.
fn split(set: &[usize], parts: usize) -> Vec<Vec<usize>> {
    let parts = parts.min(set.len());
    let bounds = |part: usize| part * set.len() / parts;
    (0..parts)
        .map(|part| set[bounds(part)..bounds(part + 1)].to_vec())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches where a set is right if it has all culprits, and tells nothing if it has some of `together`
    /// without the others.
    fn check(count: usize, culprits: &[usize], together: &[usize]) -> (Vec<usize>, usize) {
        let mut runs = 0;
        let found = smallest((0..count).collect(), |sets| {
            let right = sets.iter().position(|set| {
                runs += 1;
                let has = |one: &usize| set.contains(one);
                let some = together.iter().filter(|one| has(one)).count();
                culprits.iter().all(has) && (some == 0 || some == together.len())
            });
            Ok::<_, ()>(right)
        });
        assert!(found.is_minimal);
        (found.set, runs)
    }

    #[test]
    fn one_culprit_among_many_takes_few_runs() {
        for culprit in 0..126 {
            let (set, runs) = check(126, &[culprit], &[]);
            assert_eq!(set, [culprit]);
            assert!(runs <= 14, "{runs}");
        }
    }

    #[test]
    fn culprits_that_are_only_together_to_blame_are_found_together() {
        assert_eq!(check(40, &[3, 31], &[]).0, [3, 31]);
        assert_eq!(check(40, &[3, 4, 39], &[]).0, [3, 4, 39]);
    }

    #[test]
    fn what_must_go_together_is_no_obstacle() {
        let (set, _) = check(30, &[12], &[5, 20]);
        assert_eq!(set, [12]);
    }

    #[test]
    fn a_search_that_runs_out_of_time_says_so() {
        let found = smallest(vec![1, 2, 3], |_| Err(()));
        assert_eq!(found.set, [1, 2, 3]);
        assert!(!found.is_minimal);
    }
}
