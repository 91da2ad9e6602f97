//! From all changes to a smallest set of them that is enough, and if there is a choice to one that is the cause as
//! well.
//!
//! Where everything at once cannot be tried, because the two versions do not fit together, smaller sets are tried in
//! turn.

use std::collections::{HashMap, HashSet};

use classfile::pairing::Pairing;

use crate::change::{CodeChange, CodeChangeKind};
use crate::finding::{ExperimentObserver, ExperimentOutcome};
use crate::hybrid::Direction;
use crate::laboratory::{Laboratory, Over};
use crate::search::{Smallest, needed, smallest, without_each};
use crate::symptom::{Seen, SymptomError};

/// Another set is looked for so many times if one that makes the program right does not break it.
const MOST_ALTERNATIVES: usize = 2;

/// So many runs in turn may bring no smaller set.
const MOST_IN_VAIN: usize = 40;

/// Which of the changes that are enough together are the cause is tried of no more than these.
const MOST_TRIED_FOR_CAUSE: usize = 12;

/// Looks for a smallest set of changes that is enough.
pub(crate) struct Search<'s, 'l> {
    pub(crate) laboratory: &'s mut Laboratory<'l>,
    /// Changes that belong together.
    pub(crate) clusters: &'s [Vec<usize>],
    pub(crate) observer: &'s mut dyn ExperimentObserver,
    pub(crate) pairing: &'s Pairing<'s>,
}

impl Search<'_, '_> {
    /// Searches among the first `count` changes, or among whole classes if those cannot do. The first few are tried
    /// alone before anything else.
    pub(crate) fn outcome(
        &mut self,
        count: usize,
        alone: usize,
    ) -> Result<ExperimentOutcome, Over> {
        let changes = self.laboratory.changes;
        let ran = changes[..count].iter().filter(|change| change.ran).count();
        let far_fetched = changes[..count]
            .iter()
            .filter(|change| change.is_far_fetched());
        let code = count - far_fetched.count();
        let singles: Vec<Vec<usize>> = (0..alone.min(ran)).map(|one| vec![one]).collect();
        self.observer.progress(self.laboratory.runs, ran);
        let suspected = self.laboratory.first(Direction::Mend, &singles)?;
        let mut best = None;
        let mut left: Option<Vec<usize>> = None;
        if let Some(at) = suspected {
            let broken = self.laboratory.seen(Direction::Break, &singles[at])?;
            best = Some((singles[at].clone(), broken));
        }
        if !matches!(best, Some((_, Seen::Wrong))) {
            left = self.enough(ran, code, count)?;
            if left.is_none()
                && best.is_none()
                && !self.is_wrong_with_everything([ran, code, count])
            {
                left = self.enough_in_turn(ran)?;
            }
            if let (Some(left), Some((set, _))) = (&mut left, &best) {
                left.retain(|one| !set.contains(one));
            }
        }
        for _ in 0..=MOST_ALTERNATIVES {
            let Some(set) = left.as_mut() else { break };
            if best.is_some() && !self.is_enough(set) {
                break;
            }
            let found = self.narrowed(set.clone());
            if !found.is_minimal {
                if best.is_none() {
                    return Ok(ExperimentOutcome::Narrowed(self.named(&found.set)));
                }
                break;
            }
            let smallest = self.inside_classes(found.set);
            let broken = self.laboratory.seen(Direction::Break, &smallest);
            let broken = broken.unwrap_or(Seen::Unresolved);
            // It is enough; if it is not the cause, something else may be both.
            let blamed = self.classes_of(&smallest);
            let changes = self.laboratory.changes;
            set.retain(|&one| {
                let is_blamed = smallest.contains(&one)
                    || changes[one].kind == CodeChangeKind::Class
                        && blamed.contains(&changes[one].class);
                !is_blamed
            });
            if best.is_none() || broken == Seen::Wrong {
                best = Some((smallest, broken));
            }
            if broken == Seen::Wrong {
                break;
            }
        }
        let Some((set, broken)) = best else {
            return Ok(match self.is_wrong_with_everything([ran, code, count]) {
                true => ExperimentOutcome::NotCode,
                false => ExperimentOutcome::Unresolved,
            });
        };
        // Whole classes hide much that has nothing to do with it, so no class is named in place of a method.
        let has_class = set
            .iter()
            .any(|&at| self.laboratory.changes[at].kind == CodeChangeKind::Class);
        if has_class {
            return Ok(ExperimentOutcome::Narrowed(self.named(&set)));
        }
        // Once more, alone: another run beside it may have been in its way, or helped.
        match self.laboratory.seen_again(Direction::Mend, &set) {
            Ok(Seen::Right) => {
                let cause = self.cause(&set).unwrap_or_else(|_| set.clone());
                let along: Vec<usize> = set
                    .iter()
                    .copied()
                    .filter(|one| !cause.contains(one))
                    .collect();
                let lines = self.lines(&cause, &along);
                Ok(ExperimentOutcome::Verified {
                    lines,
                    changes: self.named(&cause),
                    broken: match along.is_empty() {
                        true => broken,
                        false => Seen::Wrong,
                    },
                    along: self.named(&along),
                    new_methods: Vec::new(),
                })
            }
            Ok(_) => Ok(ExperimentOutcome::Unclear(SymptomError::Flaky)),
            Err(Over) => Ok(ExperimentOutcome::Narrowed(self.named(&set))),
        }
    }

    /// Of changes that are only together enough to make the wrong version right, those that make the right version
    /// wrong: each that does alone, or else a smallest set. The others only have to come along. All of them if that
    /// cannot be told.
    fn cause(&mut self, set: &[usize]) -> Result<Vec<usize>, Over> {
        if !(2..=MOST_TRIED_FOR_CAUSE).contains(&set.len()) {
            return Ok(set.to_vec());
        }
        let singles: Vec<Vec<usize>> = set.iter().map(|&one| vec![one]).collect();
        let seen = self.laboratory.seen_all(Direction::Break, &singles)?;
        let alone = set
            .iter()
            .zip(seen)
            .filter(|(_, seen)| *seen == Seen::Wrong);
        let alone: Vec<usize> = alone.map(|(&one, _)| one).collect();
        if !alone.is_empty() {
            return Ok(alone);
        }
        if self.laboratory.seen(Direction::Break, set)? != Seen::Wrong {
            return Ok(set.to_vec());
        }
        // Each was tried alone.
        let found = without_each(set.to_vec(), |sets| {
            self.laboratory.first(Direction::Break, sets)
        });
        Ok(found.set)
    }

    /// If the changes inside of classes that are enough as a whole are enough, too, a smallest set of those.
    fn inside_classes(&mut self, set: Vec<usize>) -> Vec<usize> {
        let changes = self.laboratory.changes;
        if set
            .iter()
            .all(|&at| changes[at].kind != CodeChangeKind::Class)
        {
            return set;
        }
        let classes = self.classes_of(&set);
        let is_inside = |at: &usize| {
            let change = &changes[*at];
            change.kind != CodeChangeKind::Class && classes.contains(&change.class)
        };
        for only_what_ran in [true, false] {
            let wanted = |at: &usize| is_inside(at) && (changes[*at].ran || !only_what_ran);
            let inside: Vec<usize> = (0..changes.len()).filter(wanted).collect();
            if self.is_enough(&inside) {
                let found = self.narrowed(inside);
                return if found.is_minimal { found.set } else { set };
            }
        }
        set
    }

    fn classes_of(&self, set: &[usize]) -> HashSet<String> {
        let classes = set
            .iter()
            .map(|&at| self.laboratory.changes[at].class.clone());
        classes.collect()
    }

    /// A set that is enough: what ran, all code, everything, or all classes as a whole.
    fn enough(
        &mut self,
        ran: usize,
        code: usize,
        count: usize,
    ) -> Result<Option<Vec<usize>>, Over> {
        let whole = self.laboratory.changes.len();
        for set in [0..ran, 0..code, 0..count, count..whole] {
            let set: Vec<usize> = set.collect();
            self.observer.progress(self.laboratory.runs, set.len());
            if !set.is_empty() && self.laboratory.seen(Direction::Mend, &set)? == Seen::Right {
                return Ok(Some(set));
            }
        }
        Ok(None)
    }

    /// If everything together does not fit: the first that is enough of all methods without constructors and
    /// declarations, which depend on what a class extends and has; of the changes of one class, with them and without;
    /// of those that belong together; and of single ones.
    fn enough_in_turn(&mut self, ran: usize) -> Result<Option<Vec<usize>>, Over> {
        let changes = self.laboratory.changes;
        let all: Vec<usize> = (0..ran).collect();
        let by_class = self.by_class(&all);
        let clusters = self.clusters.iter().map(|cluster| {
            let ran = cluster.iter().copied().filter(|&at| at < ran);
            ran.collect::<Vec<usize>>()
        });
        let clusters: Vec<Vec<usize>> = clusters.filter(|cluster| cluster.len() > 1).collect();
        let singles = self.by_change(&all);
        let is_method = |at: &usize| {
            let name = changes[*at].method().map(|method| method.name.as_str());
            name.is_some_and(|name| !name.starts_with('<'))
        };
        let methods_of = |set: &Vec<usize>| set.iter().copied().filter(is_method).collect();
        let methods: Vec<Vec<usize>> = vec![(0..ran).filter(is_method).collect()];
        let methods_by_class: Vec<Vec<usize>> = by_class.iter().map(methods_of).collect();
        for mut sets in [methods, by_class, methods_by_class, clusters, singles] {
            sets.retain(|set| !set.is_empty());
            self.observer.progress(self.laboratory.runs, sets.len());
            if let Some(at) = self.laboratory.first(Direction::Mend, &sets)? {
                return Ok(sets.into_iter().nth(at));
            }
        }
        Ok(None)
    }

    /// Whether all changes together, which were tried, left the symptom as it was.
    fn is_wrong_with_everything(&self, ends: [usize; 3]) -> bool {
        ends.into_iter().any(|end| {
            let all = (Direction::Mend, (0..end).collect());
            self.laboratory.cache.get(&all) == Some(&Seen::Wrong)
        })
    }

    fn is_enough(&mut self, set: &[usize]) -> bool {
        !set.is_empty() && matches!(self.laboratory.seen(Direction::Mend, set), Ok(Seen::Right))
    }

    /// A smallest set among these that is enough: classes are looked for first, then what belongs together in them,
    /// then single changes.
    fn narrowed(&mut self, set: Vec<usize>) -> Smallest {
        let mut found = Smallest {
            set,
            is_minimal: true,
        };
        for grouping in [Search::by_class, Search::by_cluster, Search::by_change] {
            let groups = grouping(self, &found.set);
            if groups.len() > 1 {
                let is_single = groups.iter().all(|group| group.len() == 1);
                found = self.smallest_of(&groups, is_single);
            }
            if !found.is_minimal {
                break;
            }
        }
        found
    }

    fn by_change(&self, set: &[usize]) -> Vec<Vec<usize>> {
        set.iter().map(|&one| vec![one]).collect()
    }

    fn by_class(&self, set: &[usize]) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for &one in set {
            let class = &self.laboratory.changes[one].class;
            let place = *places.entry(class).or_insert(groups.len());
            match groups.get_mut(place) {
                Some(group) => group.push(one),
                None => groups.push(vec![one]),
            }
        }
        groups
    }

    /// Whole classes, which are in no cluster, stay alone.
    fn by_cluster(&self, set: &[usize]) -> Vec<Vec<usize>> {
        let wanted: HashSet<usize> = set.iter().copied().collect();
        let inside = self.clusters.iter().map(|cluster| {
            let inside = cluster.iter().copied();
            inside
                .filter(|one| wanted.contains(one))
                .collect::<Vec<usize>>()
        });
        let mut groups: Vec<Vec<usize>> = inside.filter(|group| !group.is_empty()).collect();
        let met: HashSet<usize> = groups.iter().flatten().copied().collect();
        let others = set.iter().copied().filter(|one| !met.contains(one));
        groups.extend(others.map(|one| vec![one]));
        groups
    }

    /// The smallest set of some groups that is enough. Whether any of it can be left out is only worth a run if nothing
    /// smaller will be tried: if the groups are single changes.
    fn smallest_of(&mut self, groups: &[Vec<usize>], are_single: bool) -> Smallest {
        let flat = |set: &[usize]| {
            let mut flat: Vec<usize> = set.iter().flat_map(|&at| groups[at].clone()).collect();
            flat.sort_unstable();
            flat
        };
        let mut since = self.laboratory.runs;
        let mut left: usize = groups.iter().map(Vec::len).sum();
        let beginnings = self.laboratory.beginnings();
        let first_right = |sets: &[Vec<usize>]| {
            let sets: Vec<Vec<usize>> = sets.iter().map(|set| flat(set)).collect();
            self.observer.progress(self.laboratory.runs, left);
            // Code that only runs as a whole, as generated code does, would be tried in all its parts.
            if self.laboratory.runs > since + MOST_IN_VAIN {
                return Err(Over);
            }
            let right = self.laboratory.first(Direction::Mend, &sets)?;
            if let Some(at) = right {
                since = self.laboratory.runs;
                left = sets[at].len();
            }
            Ok(right)
        };
        let all = (0..groups.len()).collect();
        let found = match are_single {
            true => smallest(all, beginnings, first_right),
            false => needed(all, beginnings, first_right),
        };
        Smallest {
            set: flat(&found.set),
            ..found
        }
    }

    fn named(&self, set: &[usize]) -> Vec<CodeChange> {
        let changes = set.iter().map(|&at| self.laboratory.changes[at].clone());
        changes.collect()
    }
}
