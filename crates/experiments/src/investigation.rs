//! From two versions to the change that is to blame.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use classfile::pairing::Pairing;
use launch::rerun::Observed;

use crate::change::changes;
use crate::clusters::{clusters, new_methods};
use crate::hybrid::{Breeder, Direction};
use crate::laboratory::{Laboratory, Over};
use crate::search::smallest;
use crate::{
    CodeChange, CodeChangeKind, Experimenter, MethodName, ProgramVersion, Seen, SymptomError,
    VisibleSymptom,
};

/// Changes that are suspected from outside are tried alone before anything else: so many.
const TRIED_ALONE: usize = 2;

/// Another set is looked for so many times if one that makes the program right does not break it.
const MOST_ALTERNATIVES: usize = 2;

/// How much may be tried.
#[derive(Debug, Clone)]
pub struct ExperimentSettings {
    /// How long one run may take, as far as nothing better is known.
    pub run_limit: Duration,
    /// How long everything may take.
    pub time: Duration,
    pub most_runs: usize,
    /// How many JVMs may run at once.
    pub at_once: usize,
}

impl Default for ExperimentSettings {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        ExperimentSettings {
            run_limit: Duration::from_secs(60),
            time: Duration::from_secs(300),
            most_runs: 200,
            at_once: cores.min(8),
        }
    }
}

/// Hears how far the experiments are.
pub trait ExperimentObserver {
    /// So many runs were made, and so many changes are left.
    fn progress(&mut self, runs: usize, left: usize);
}

/// What experiments came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExperimentFinding {
    pub outcome: ExperimentOutcome,
    /// How many times a program was run.
    pub runs: usize,
    pub spent: Duration,
    /// The changes that ran, the most suspect first.
    pub changes: Vec<CodeChange>,
}

/// See [`ExperimentFinding`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExperimentOutcome {
    /// With the right version's code of these in it, the wrong version is right. Together they are
    /// enough, and none of them can be left out.
    Verified {
        changes: Vec<CodeChange>,
        /// What the right version does with the wrong one's code of these: whether they are the cause.
        broken: Seen,
        /// Methods that only the wrong version has and that ran because of these changes: a part of them.
        new_methods: Vec<MethodName>,
    },
    /// These changes are enough, but there was no time to find out which of them are needed.
    Narrowed(Vec<CodeChange>),
    /// No set of changes of code makes the wrong version right.
    NotCode,
    /// No code that ran differs.
    NoChange,
    Unclear(SymptomError),
    /// The program could not be run again, or nobody waited.
    Failed(String),
}

/// Two versions, and how they are run.
pub struct Investigation<'i> {
    /// The wrong version.
    pub ours: &'i ProgramVersion,
    /// The right one.
    pub theirs: &'i ProgramVersion,
    pub experimenter: &'i dyn Experimenter,
    pub settings: ExperimentSettings,
    /// Methods of our version, the most suspect first.
    pub suspicion: Vec<MethodName>,
    /// Asked before each run; everything ends when it says so.
    pub interrupted: &'i (dyn Fn() -> bool + Sync),
}

impl Investigation<'_> {
    /// Finds out which change is to blame.
    pub fn conclude(&self, observer: &mut dyn ExperimentObserver) -> ExperimentFinding {
        let started = Instant::now();
        let pairing = Pairing::new(self.ours.files(), self.theirs.files());
        let mut all = changes(self.ours, self.theirs, &pairing);
        self.order(&mut all);
        let mut runs = 0;
        let clusters = clusters(&all, self.ours, self.theirs, &pairing);
        let mut outcome = self.outcome(&all, &clusters, observer, started, &mut runs);
        if let ExperimentOutcome::Verified {
            changes,
            new_methods: new,
            ..
        } = &mut outcome
        {
            let met = changes.iter();
            *new = met
                .flat_map(|change| new_methods(change, self.ours, &pairing))
                .collect();
            new.sort();
            new.dedup();
        }
        let mut changes = all;
        changes.retain(|change| change.ran);
        ExperimentFinding {
            outcome,
            runs,
            spent: started.elapsed(),
            changes,
        }
    }

    fn outcome(
        &self,
        all: &[CodeChange],
        clusters: &[Vec<usize>],
        observer: &mut dyn ExperimentObserver,
        started: Instant,
        runs: &mut usize,
    ) -> ExperimentOutcome {
        if all.is_empty() {
            return ExperimentOutcome::NoChange;
        }
        let (symptom, limit) = match self.symptom(runs) {
            Ok(Ok(found)) => found,
            Ok(Err(unclear)) => return ExperimentOutcome::Unclear(unclear),
            Err(error) => return ExperimentOutcome::Failed(error.to_string()),
        };
        let classes = whole_classes(all);
        let everything: Vec<CodeChange> = all.iter().chain(&classes).cloned().collect();
        let mut laboratory = Laboratory {
            experimenter: self.experimenter,
            symptom,
            changes: &everything,
            mending: Breeder::new(self.ours, self.theirs, Direction::Mend),
            breaking: Breeder::new(self.ours, self.theirs, Direction::Break),
            limit,
            deadline: started + self.settings.time,
            most_runs: self.settings.most_runs,
            at_once: self.settings.at_once.max(1),
            interrupted: self.interrupted,
            runs: *runs,
            cache: HashMap::new(),
        };
        let alone = TRIED_ALONE.min(self.suspicion.len());
        let outcome = Search {
            laboratory: &mut laboratory,
            clusters,
            observer,
        }
        .outcome(all.len(), alone);
        *runs = laboratory.runs;
        outcome
            .unwrap_or_else(|Over| ExperimentOutcome::Failed("there was no more time".to_owned()))
    }

    /// Runs each version twice, both at once, and tells how long a run may take from now on.
    fn symptom(
        &self,
        runs: &mut usize,
    ) -> io::Result<Result<(VisibleSymptom, Duration), SymptomError>> {
        let both = |limit: Duration| -> io::Result<(Observed, Observed)> {
            let stop = AtomicBool::new(false);
            let run = |is_right: bool| self.experimenter.run(is_right, None, limit, &stop);
            let (right, wrong) = if self.settings.at_once > 1 {
                std::thread::scope(|scope| {
                    let wrong = scope.spawn(|| run(false));
                    let right = run(true);
                    let lost = |_| Err(io::Error::other("a run was lost"));
                    (right, wrong.join().unwrap_or_else(lost))
                })
            } else {
                (run(true), run(false))
            };
            Ok((right?, wrong?))
        };
        let (right, wrong) = both(self.settings.run_limit)?;
        *runs += 2;
        let usual = match wrong.end.timed_out {
            true => right.spent,
            false => right.spent.max(wrong.spent),
        };
        let limit = (usual * 5)
            .max(Duration::from_secs(5))
            .min(self.settings.run_limit);
        let (right_again, wrong_again) = both(limit)?;
        *runs += 2;
        let symptom = VisibleSymptom::of([&right, &right_again], [&wrong, &wrong_again]);
        Ok(symptom.map(|symptom| (symptom, limit)))
    }

    /// The suspected ones first, then the others that ran; those of one class side by side.
    fn order(&self, all: &mut [CodeChange]) {
        let mut rank: HashMap<&MethodName, usize> = HashMap::new();
        for (at, method) in self.suspicion.iter().enumerate() {
            rank.entry(method).or_insert(at);
        }
        let rank_of = |change: &CodeChange| {
            let method = change.ours.as_ref();
            method
                .and_then(|method| rank.get(method))
                .copied()
                .unwrap_or(usize::MAX)
        };
        all.sort_by_cached_key(|change| (!change.ran, rank_of(change), change.clone()));
    }
}

/// A change for each class that has one: everything in it at once.
fn whole_classes(all: &[CodeChange]) -> Vec<CodeChange> {
    let mut met = HashSet::new();
    let classes = all.iter().filter(|change| met.insert(&change.class));
    classes
        .map(|change| CodeChange {
            kind: CodeChangeKind::Class,
            class: change.class.clone(),
            ours: None,
            theirs: None,
            ran: true,
        })
        .collect()
}

/// Looks for a smallest set of changes that is enough.
struct Search<'s, 'l> {
    laboratory: &'s mut Laboratory<'l>,
    /// Changes that belong together.
    clusters: &'s [Vec<usize>],
    observer: &'s mut dyn ExperimentObserver,
}

impl Search<'_, '_> {
    /// Searches among the first `count` changes, or among whole classes if those cannot do. The first few are tried
    /// alone before anything else.
    fn outcome(&mut self, count: usize, alone: usize) -> Result<ExperimentOutcome, Over> {
        let changes = self.laboratory.changes;
        let ran = changes[..count].iter().filter(|change| change.ran).count();
        let singles: Vec<Vec<usize>> = (0..alone.min(ran)).map(|one| vec![one]).collect();
        self.observer.progress(self.laboratory.runs, ran);
        let suspected = self.laboratory.first_right(&singles)?;
        let mut best = None;
        let mut left: Option<Vec<usize>> = None;
        if let Some(at) = suspected {
            let broken = self.laboratory.seen(Direction::Break, &singles[at])?;
            best = Some((singles[at].clone(), broken));
        }
        if !matches!(best, Some((_, Seen::Wrong))) {
            left = self.enough(ran, count)?;
            if let (Some(left), Some((set, _))) = (&mut left, &best) {
                left.retain(|one| !set.contains(one));
            }
        }
        for _ in 0..=MOST_ALTERNATIVES {
            let Some(set) = left.as_mut() else { break };
            if best.is_some() && !self.is_enough(set) {
                break;
            }
            let Some(smallest) = self.narrowed(set.clone()) else {
                if best.is_none() {
                    return Ok(ExperimentOutcome::Narrowed(self.named(set)));
                }
                break;
            };
            let smallest = self.inside_classes(smallest);
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
            return Ok(ExperimentOutcome::NotCode);
        };
        // Once more, alone: another run beside it may have been in its way, or helped.
        match self.laboratory.seen_again(Direction::Mend, &set) {
            Ok(Seen::Right) => Ok(ExperimentOutcome::Verified {
                changes: self.named(&set),
                broken,
                new_methods: Vec::new(),
            }),
            Ok(_) => Ok(ExperimentOutcome::Unclear(SymptomError::Flaky)),
            Err(Over) => Ok(ExperimentOutcome::Narrowed(self.named(&set))),
        }
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
                return self.narrowed(inside).unwrap_or(set);
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

    /// A set that is enough: what ran, everything, or all classes as a whole.
    fn enough(&mut self, ran: usize, count: usize) -> Result<Option<Vec<usize>>, Over> {
        let whole = self.laboratory.changes.len();
        for set in [0..ran, 0..count, count..whole] {
            let set: Vec<usize> = set.collect();
            self.observer.progress(self.laboratory.runs, set.len());
            if !set.is_empty() && self.laboratory.seen(Direction::Mend, &set)? == Seen::Right {
                return Ok(Some(set));
            }
        }
        Ok(None)
    }

    fn is_enough(&mut self, set: &[usize]) -> bool {
        !set.is_empty() && matches!(self.laboratory.seen(Direction::Mend, set), Ok(Seen::Right))
    }

    /// A smallest set among these that is enough; `None` if there is no more time. Clusters are looked for first,
    /// then changes inside them.
    fn narrowed(&mut self, set: Vec<usize>) -> Option<Vec<usize>> {
        let mut is_left = vec![false; self.laboratory.changes.len()];
        for &one in &set {
            is_left[one] = true;
        }
        let inside = |cluster: &Vec<usize>| -> Vec<usize> {
            cluster
                .iter()
                .copied()
                .filter(|&one| is_left[one])
                .collect()
        };
        let mut clusters: Vec<Vec<usize>> = self.clusters.iter().map(inside).collect();
        clusters.retain(|cluster| !cluster.is_empty());
        let clustered: usize = clusters.iter().map(Vec::len).sum();
        if clustered < set.len() {
            // Whole classes are in no cluster.
            clusters = set.iter().map(|&one| vec![one]).collect();
        }
        let found = self.smallest_of(&clusters)?;
        let singles: Vec<Vec<usize>> = found.iter().map(|&one| vec![one]).collect();
        match singles.len() {
            1 => Some(found),
            _ => self.smallest_of(&singles),
        }
    }

    fn smallest_of(&mut self, groups: &[Vec<usize>]) -> Option<Vec<usize>> {
        let flat = |set: &[usize]| {
            let mut flat: Vec<usize> = set.iter().flat_map(|&at| groups[at].clone()).collect();
            flat.sort_unstable();
            flat
        };
        let found = smallest((0..groups.len()).collect(), |sets| {
            let sets: Vec<Vec<usize>> = sets.iter().map(|set| flat(set)).collect();
            let left = sets.iter().map(Vec::len).max().unwrap_or(0);
            self.observer.progress(self.laboratory.runs, left);
            self.laboratory.first_right(&sets)
        });
        found.is_minimal.then(|| flat(&found.set))
    }

    fn named(&self, set: &[usize]) -> Vec<CodeChange> {
        let changes = set.iter().map(|&at| self.laboratory.changes[at].clone());
        changes.collect()
    }
}
