//! The lines on which two versions of a method differ, told from their code.
//!
//! If a call is wrong, all calls below it are right, and the other version did right from the same
//! state, then what differs between the two versions of its own code is to blame. Instructions are
//! compared with their constants spelled out and without the places that jumps go to, so that code
//! which only moved is the same.

use std::collections::BTreeSet;

use classfile::normal_form::NormalCode;

/// Versions that differ in more places than this are not aligned in detail.
const MOST_PAIRS: usize = 4_000_000;

/// The lines of our version of a method that differ from the other; where ours lacks something, the
/// lines around the gap.
#[must_use]
pub(super) fn changed_lines(mine: &NormalCode, others: &NormalCode) -> BTreeSet<u32> {
    let texts = |code: &'_ NormalCode| -> Vec<String> {
        code.words.iter().map(|word| word.text.clone()).collect()
    };
    let changed = differing(&texts(mine), &texts(others));
    let lines = changed
        .into_iter()
        .filter_map(|at| mine.words.get(at)?.line);
    lines.collect()
}

/// The places in `a` that are in no longest common subsequence with `b`, and those beside something
/// that only `b` has.
fn differing<T: PartialEq>(a: &[T], b: &[T]) -> BTreeSet<usize> {
    let same_start = a.iter().zip(b).take_while(|(one, other)| one == other);
    let start = same_start.count();
    let ends = a[start..].iter().rev().zip(b[start..].iter().rev());
    let end = ends.take_while(|(one, other)| one == other).count();
    let (middle, others) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    let mut changed = BTreeSet::new();
    if middle.is_empty() && others.is_empty() {
        return changed;
    }
    if middle.len().saturating_mul(others.len()) > MOST_PAIRS {
        return (start..a.len() - end).collect();
    }
    // Length of the longest common subsequence of what is left from (i, j) on.
    let width = others.len() + 1;
    let mut longest = vec![0u32; (middle.len() + 1) * width];
    for i in (0..middle.len()).rev() {
        for j in (0..others.len()).rev() {
            longest[i * width + j] = if middle[i] == others[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < middle.len() || j < others.len() {
        let both = i < middle.len() && j < others.len();
        if both && middle[i] == others[j] {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        // A stretch in which the two differ: all of ours in it, or what stands around it.
        let from = i;
        while i < middle.len() || j < others.len() {
            let both = i < middle.len() && j < others.len();
            if both && middle[i] == others[j] {
                break;
            }
            let skips_mine = j == others.len()
                || (i < middle.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1]);
            if skips_mine {
                i += 1;
            } else {
                j += 1;
            }
        }
        if from < i {
            changed.extend(start + from..start + i);
        } else {
            let at = start + from;
            changed.extend(at.checked_sub(1));
            changed.extend((at < a.len()).then_some(at));
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &[u64], b: &[u64], expected: &[usize]) {
        let found: Vec<usize> = differing(a, b).into_iter().collect();
        assert_eq!(found, expected, "{a:?} {b:?}");
    }

    #[test]
    fn changed_added_and_missing_code() {
        check(&[1, 2, 3], &[1, 2, 3], &[]);
        check(&[1, 9, 3], &[1, 2, 3], &[1]);
        check(&[1, 2, 7, 8, 3], &[1, 2, 3], &[2, 3]);
        check(&[1, 3], &[1, 2, 3], &[0, 1]);
        check(&[1, 9, 3, 4, 8], &[1, 2, 3, 4, 5], &[1, 4]);
        check(&[], &[1], &[]);
        check(&[1], &[], &[0]);
    }
}
