//! How two versions of a method's code go together: what both have, and the hunks in which they differ.
//!
//! A variable that one version has more moves the locals behind it, so locals are paired first, by the
//! instructions that are alike but for them. A jump that goes elsewhere is a hunk of its own; where it goes is
//! told by what both have, so code that only moved is the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use crate::normal_form::{NormalCode, NormalInstruction};

/// Versions that differ in more places than this are not aligned in detail.
const MOST_PAIRS: usize = 4_000_000;

/// A stretch in which two versions differ, by the numbers of their instructions. Either side may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    pub ours: Range<usize>,
    pub theirs: Range<usize>,
}

/// See the module's header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alignment {
    /// In the order of the code; two never touch.
    pub hunks: Vec<Hunk>,
    /// The other version's locals, by what kind of value they hold, in our numbers.
    locals: HashMap<(char, u16), u16>,
}

impl Alignment {
    /// Without regard to where jumps go.
    #[must_use]
    pub fn of(ours: &NormalCode, theirs: &NormalCode) -> Alignment {
        let text = |word: &NormalInstruction| word.text.clone();
        let words = |code: &NormalCode| code.words.iter().map(text).collect::<Vec<_>>();
        let alike = differing(&words(ours), &words(theirs));
        let mut votes: BTreeMap<(char, u16), BTreeMap<u16, usize>> = BTreeMap::new();
        for (one, other) in common(&alike, ours.words.len()) {
            let (one, other) = (&ours.words[one], &theirs.words[other]);
            if let (Some(mine), Some(key)) = (one.local, key(other)) {
                *votes.entry(key).or_default().entry(mine).or_default() += 1;
            }
        }
        let most_voted = |(key, votes): ((char, u16), BTreeMap<u16, usize>)| {
            let best = votes
                .into_iter()
                .max_by_key(|&(local, count)| (count, local == key.1));
            best.map(|(local, _)| (key, local))
        };
        let locals: HashMap<(char, u16), u16> = votes.into_iter().filter_map(most_voted).collect();
        let mine = ours
            .words
            .iter()
            .map(|word| (&word.text, word.local.map(Some)));
        let others = theirs.words.iter().map(|word| {
            let local = key(word).map(|key| locals.get(&key).copied());
            (&word.text, local)
        });
        let [mine, others] = [mine.collect::<Vec<_>>(), others.collect()];
        Alignment {
            hunks: differing(&mine, &others),
            locals,
        }
    }

    /// With jumps that go elsewhere among the hunks.
    #[must_use]
    pub fn with_jumps(mut self, ours: &NormalCode, theirs: &NormalCode) -> Alignment {
        loop {
            let other_way = |&(one, other): &(usize, usize)| {
                let (one, other) = (&ours.words[one].jumps, &theirs.words[other].jumps);
                let mut targets = one.iter().zip(other);
                one.len() != other.len()
                    || targets.any(|(&one, &other)| !self.is_same_place(one, other))
            };
            let found: Vec<(usize, usize)> = common(&self.hunks, ours.words.len())
                .filter(other_way)
                .collect();
            if found.is_empty() {
                return self;
            }
            let more = found.into_iter().map(|(one, other)| Hunk {
                ours: one..one + 1,
                theirs: other..other + 1,
            });
            self.hunks.extend(more);
            self.hunks
                .sort_by_key(|hunk| (hunk.ours.start, hunk.theirs.start));
            self.hunks = joined(std::mem::take(&mut self.hunks));
        }
    }

    /// Whether two places are one: both versions have it, or it is in or beside the same hunk.
    fn is_same_place(&self, ours: usize, theirs: usize) -> bool {
        self.their_place(ours) == Some(theirs) || self.hunk_around(ours, theirs).is_some()
    }

    /// The other version's number of an instruction that both have.
    fn their_place(&self, ours: usize) -> Option<usize> {
        let before = self.hunks.partition_point(|hunk| hunk.ours.end <= ours);
        if self
            .hunks
            .get(before)
            .is_some_and(|hunk| hunk.ours.contains(&ours))
        {
            return None;
        }
        let last = before.checked_sub(1).map(|at| &self.hunks[at]);
        Some(last.map_or(ours, |hunk| hunk.theirs.end + (ours - hunk.ours.end)))
    }

    /// The hunk that both places are in or beside.
    pub(crate) fn hunk_around(&self, ours: usize, theirs: usize) -> Option<usize> {
        let is_near = |range: &Range<usize>, at: usize| (range.start..=range.end).contains(&at);
        let is_around = |hunk: &Hunk| is_near(&hunk.ours, ours) && is_near(&hunk.theirs, theirs);
        self.hunks.iter().position(is_around)
    }

    pub(crate) fn is_common(&self, ours: usize, theirs: usize) -> bool {
        self.their_place(ours) == Some(theirs)
    }

    /// Our number of a local of the other version that holds such a value; `None` if we have no such variable.
    pub(crate) fn our_local(&self, kind: char, theirs: u16) -> Option<u16> {
        self.locals.get(&(kind, theirs)).copied()
    }

    /// The lines of our version that a hunk is on; where ours lacks something, the lines around the gap.
    #[must_use]
    pub fn our_lines(&self, hunk: &Hunk, ours: &NormalCode) -> BTreeSet<u32> {
        let line = |at: usize| ours.words.get(at)?.line;
        if !hunk.ours.is_empty() {
            return hunk.ours.clone().filter_map(line).collect();
        }
        let at = hunk.ours.start;
        at.checked_sub(1)
            .into_iter()
            .chain([at])
            .filter_map(line)
            .collect()
    }

    /// The hunks that are on the same lines, of either version, in one list each.
    #[must_use]
    pub fn by_line(&self, ours: &NormalCode, theirs: &NormalCode) -> Vec<Vec<usize>> {
        let lines_of = |code: &NormalCode, range: &Range<usize>| -> BTreeSet<u32> {
            let words = code.words.get(range.clone()).unwrap_or_default();
            words.iter().filter_map(|word| word.line).collect()
        };
        let mut groups: Vec<(BTreeSet<u32>, BTreeSet<u32>, Vec<usize>)> = Vec::new();
        for (at, hunk) in self.hunks.iter().enumerate() {
            let mut new = (
                lines_of(ours, &hunk.ours),
                lines_of(theirs, &hunk.theirs),
                vec![at],
            );
            let (same, others): (Vec<_>, Vec<_>) = groups
                .into_iter()
                .partition(|group| !group.0.is_disjoint(&new.0) || !group.1.is_disjoint(&new.1));
            groups = others;
            for group in same {
                new.0.extend(group.0);
                new.1.extend(group.1);
                new.2.extend(group.2);
            }
            new.2.sort_unstable();
            groups.push(new);
        }
        groups.sort_by_key(|group| group.2.first().copied());
        groups.into_iter().map(|group| group.2).collect()
    }
}

fn key(word: &NormalInstruction) -> Option<(char, u16)> {
    Some((word.text.chars().next()?, word.local?))
}

/// What lies between hunks, in pairs.
fn common(hunks: &[Hunk], count: usize) -> impl Iterator<Item = (usize, usize)> {
    let starts =
        std::iter::once((0, 0)).chain(hunks.iter().map(|hunk| (hunk.ours.end, hunk.theirs.end)));
    let ends = hunks.iter().map(|hunk| hunk.ours.start).chain([count]);
    starts
        .zip(ends)
        .flat_map(|((one, other), end)| (one..end).zip(other..))
}

/// Those that touch are one.
fn joined(hunks: Vec<Hunk>) -> Vec<Hunk> {
    let mut joined: Vec<Hunk> = Vec::with_capacity(hunks.len());
    for hunk in hunks {
        match joined.last_mut() {
            Some(last)
                if last.ours.end == hunk.ours.start && last.theirs.end == hunk.theirs.start =>
            {
                last.ours.end = hunk.ours.end;
                last.theirs.end = hunk.theirs.end;
            }
            _ => joined.push(hunk),
        }
    }
    joined
}

/// The stretches that are in no longest common subsequence of both.
fn differing<T: PartialEq>(a: &[T], b: &[T]) -> Vec<Hunk> {
    let same_start = a.iter().zip(b).take_while(|(one, other)| one == other);
    let start = same_start.count();
    let ends = a[start..].iter().rev().zip(b[start..].iter().rev());
    let end = ends.take_while(|(one, other)| one == other).count();
    let (middle, others) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    if middle.is_empty() && others.is_empty() {
        return Vec::new();
    }
    if middle.len().saturating_mul(others.len()) > MOST_PAIRS {
        return vec![Hunk {
            ours: start..a.len() - end,
            theirs: start..b.len() - end,
        }];
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
    let mut hunks = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < middle.len() || j < others.len() {
        let from = (i, j);
        while (i < middle.len() || j < others.len()) && middle.get(i) != others.get(j) {
            let skips_mine = j == others.len()
                || (i < middle.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1]);
            if skips_mine {
                i += 1;
            } else {
                j += 1;
            }
        }
        if from != (i, j) {
            hunks.push(Hunk {
                ours: start + from.0..start + i,
                theirs: start + from.1..start + j,
            });
        }
        (i, j) = (i + 1, j + 1);
    }
    hunks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, local: Option<u16>, jumps: &[usize], line: u32) -> NormalInstruction {
        NormalInstruction {
            text: text.to_owned(),
            local,
            jumps: jumps.to_vec(),
            line: Some(line),
        }
    }

    fn code(words: Vec<NormalInstruction>) -> NormalCode {
        NormalCode {
            words,
            handlers: Vec::new(),
        }
    }

    fn check(a: &[u64], b: &[u64], expected: &[(Range<usize>, Range<usize>)]) {
        let found = differing(a, b).into_iter();
        let found: Vec<_> = found.map(|hunk| (hunk.ours, hunk.theirs)).collect();
        assert_eq!(found, expected, "{a:?} {b:?}");
    }

    #[test]
    fn changed_added_and_missing_code() {
        check(&[1, 2, 3], &[1, 2, 3], &[]);
        check(&[1, 9, 3], &[1, 2, 3], &[(1..2, 1..2)]);
        check(&[1, 2, 7, 8, 3], &[1, 2, 3], &[(2..4, 2..2)]);
        check(&[1, 3], &[1, 2, 3], &[(1..1, 1..2)]);
        check(
            &[1, 9, 3, 4, 8],
            &[1, 2, 3, 4, 5],
            &[(1..2, 1..2), (4..5, 4..5)],
        );
        check(&[], &[1], &[(0..0, 0..1)]);
        check(&[1], &[], &[(0..1, 0..0)]);
    }

    #[test]
    fn locals_that_only_moved_are_the_same() {
        let mine = code(vec![
            word("iconst_0", None, &[], 1),
            word("istore", Some(1), &[], 1),
            word("iload", Some(1), &[], 2),
            word("ireturn", None, &[], 2),
        ]);
        let other = code(vec![
            word("aconst_null", None, &[], 1),
            word("astore", Some(1), &[], 1),
            word("iconst_0", None, &[], 2),
            word("istore", Some(2), &[], 2),
            word("iload", Some(2), &[], 3),
            word("ireturn", None, &[], 3),
        ]);
        let alignment = Alignment::of(&mine, &other);
        let added = Hunk {
            ours: 0..0,
            theirs: 0..2,
        };
        assert_eq!(alignment.hunks, [added]);
        assert_eq!(alignment.our_local('i', 2), Some(1));
        assert_eq!(alignment.our_local('a', 1), None);
    }

    #[test]
    fn a_jump_that_goes_elsewhere_is_a_hunk_and_one_over_new_code_is_not() {
        let jumping = |target| {
            code(vec![
                word("iload", Some(0), &[], 1),
                word("ifeq", None, &[target], 1),
                word("nop", None, &[], 2),
                word("nop", None, &[], 3),
                word("return", None, &[], 4),
            ])
        };
        let (mine, other) = (jumping(3), jumping(4));
        let alignment = Alignment::of(&mine, &other);
        assert_eq!(alignment.hunks, []);
        assert_eq!(alignment.with_jumps(&mine, &other).hunks[0].ours, 1..2);
        let mut longer = jumping(5);
        longer.words.insert(3, word("pop", None, &[], 9));
        let alignment = Alignment::of(&jumping(4), &longer).with_jumps(&jumping(4), &longer);
        assert_eq!(alignment.hunks.len(), 1);
        assert_eq!(alignment.by_line(&jumping(4), &longer), [[0]]);
    }
}
