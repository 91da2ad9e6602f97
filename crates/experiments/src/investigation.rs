//! From two versions to the change that is to blame.

use std::collections::{HashMap, HashSet};
use std::io;
use std::time::{Duration, Instant};

use classfile::pairing::Pairing;
use launch::rerun::{Modification, Observed};
use launch::settings::SettingChange;

use crate::change::{CodeChange, CodeChangeKind, changes};
use crate::clusters::{clusters, new_methods};
use crate::experimenter::Experimenter;
use crate::finding::{ExperimentFinding, ExperimentObserver, ExperimentOutcome};
use crate::hybrid::{Breeder, Direction};
use crate::laboratory::{Laboratory, Over};
use crate::narrowing::Search;
use crate::program::{MethodName, ProgramVersion};
use crate::resource::{ResourceChange, smallest_resources};
use crate::symptom::{SymptomError, VisibleSymptom};
use crate::trials::{Trials, smallest_settings};

/// Changes that are suspected from outside are tried alone before anything else: so many.
const TRIED_ALONE: usize = 2;

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

/// Two versions, and how they are run.
pub struct Investigation<'i> {
    /// The wrong version.
    pub ours: &'i ProgramVersion,
    /// The right one.
    pub theirs: &'i ProgramVersion,
    pub experimenter: &'i dyn Experimenter,
    pub settings: ExperimentSettings,
    /// Files of the right version that are no code and that the wrong one lacks or has otherwise; looked for if code
    /// is not to blame.
    pub resources: &'i (dyn Fn() -> Vec<ResourceChange> + Sync),
    /// What the right version's command gives the program otherwise; tried before the files.
    pub settings_changed: Vec<SettingChange>,
    /// Whether the wrong version did not end when it was recorded: its runs are then stopped as soon as the right
    /// version would have ended many times over.
    pub is_endless: bool,
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
        let mut outcome = self.outcome(&all, &clusters, &pairing, observer, started, &mut runs);
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
        pairing: &Pairing<'_>,
        observer: &mut dyn ExperimentObserver,
        started: Instant,
        runs: &mut usize,
    ) -> ExperimentOutcome {
        let mut resources = None;
        if all.is_empty() && self.settings_changed.is_empty() {
            let found = (self.resources)();
            if found.is_empty() {
                return ExperimentOutcome::NoChange;
            }
            resources = Some(found);
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
            symptom: symptom.clone(),
            changes: &everything,
            parts: Vec::new(),
            mending: Breeder::new(self.ours, self.theirs, Direction::Mend),
            breaking: Breeder::new(self.ours, self.theirs, Direction::Break),
            limit,
            deadline: started + self.settings.time,
            most_runs: self.settings.most_runs,
            at_once: match self.experimenter.runs_beside_itself() {
                true => self.settings.at_once.max(1),
                false => 1,
            },
            interrupted: self.interrupted,
            runs: *runs,
            cache: HashMap::new(),
        };
        let alone = TRIED_ALONE.min(self.suspicion.len());
        let outcome = Search {
            laboratory: &mut laboratory,
            clusters,
            observer,
            pairing,
        }
        .outcome(all.len(), alone);
        *runs = laboratory.runs;
        let outcome = outcome.unwrap_or(ExperimentOutcome::OutOfTime);
        if !matches!(
            outcome,
            ExperimentOutcome::NotCode | ExperimentOutcome::Unresolved
        ) {
            return outcome;
        }
        let mut trials = Trials {
            experimenter: self.experimenter,
            symptom: &symptom,
            limit,
            is_over: &|runs| laboratory.is_over(runs),
            interrupted: self.interrupted,
            runs: *runs,
        };
        let outside = self.outside(&mut trials, resources);
        *runs = trials.runs;
        match outside {
            Ok(Some(found)) => found,
            Ok(None) if all.is_empty() => ExperimentOutcome::NoChange,
            Ok(None) => outcome,
            Err(Over) => ExperimentOutcome::OutOfTime,
        }
    }

    /// What is to blame and is no code: what the command gives the program, or files.
    fn outside(
        &self,
        trials: &mut Trials<'_>,
        resources: Option<Vec<ResourceChange>>,
    ) -> Result<Option<ExperimentOutcome>, Over> {
        if let Some(settings) = smallest_settings(trials, &self.settings_changed)? {
            return Ok(Some(ExperimentOutcome::Settings(settings)));
        }
        let resources = resources.unwrap_or_else(self.resources);
        let found = smallest_resources(trials, &resources)?;
        Ok(found.map(ExperimentOutcome::Resources))
    }

    /// Runs each version twice, both at once, and tells how long a run may take from now on.
    fn symptom(
        &self,
        runs: &mut usize,
    ) -> io::Result<Result<(VisibleSymptom, Duration), SymptomError>> {
        let first = if self.is_endless {
            let right = self.as_it_is(true, self.settings.run_limit)?;
            let wrong = self.as_it_is(false, self.limit(right.spent))?;
            (right, wrong)
        } else {
            self.both_as_they_are(self.settings.run_limit)?
        };
        *runs += 2;
        let usual = match first.1.end.timed_out {
            true => first.0.spent,
            false => first.0.spent.max(first.1.spent),
        };
        let limit = self.limit(usual);
        let mut seen = [first, self.both_as_they_are(limit)?];
        *runs += 2;
        let symptom_of = |seen: &[(Observed, Observed); 2]| {
            let [one, again] = seen;
            VisibleSymptom::of([&one.0, &again.0], [&one.1, &again.1])
        };
        let mut symptom = symptom_of(&seen);
        // The first run of a build tool compiles what the later ones find compiled.
        if !symptom.as_ref().is_ok_and(VisibleSymptom::is_exact)
            && !self.experimenter.runs_beside_itself()
        {
            seen.rotate_left(1);
            seen[1] = self.both_as_they_are(limit)?;
            *runs += 2;
            symptom = symptom_of(&seen);
        }
        Ok(symptom.map(|symptom| (symptom, limit)))
    }

    /// How long a run may take if others took this long. Several that run at once are in each other's way.
    fn limit(&self, usual: Duration) -> Duration {
        (usual * 6 + Duration::from_secs(1)).min(self.settings.run_limit)
    }

    fn as_it_is(&self, is_right: bool, limit: Duration) -> io::Result<Observed> {
        let stop = self.interrupted;
        let as_it_is = Modification::default();
        self.experimenter.run(is_right, as_it_is, limit, &|| stop())
    }

    /// A run of the right version and one of the wrong one.
    fn both_as_they_are(&self, limit: Duration) -> io::Result<(Observed, Observed)> {
        let run = |is_right| self.as_it_is(is_right, limit);
        if self.settings.at_once <= 1 {
            return Ok((run(true)?, run(false)?));
        }
        std::thread::scope(|scope| {
            let wrong = scope.spawn(|| run(false));
            let right = run(true);
            let lost = |_| Err(io::Error::other("a run was lost"));
            Ok((right?, wrong.join().unwrap_or_else(lost)?))
        })
    }

    /// The suspected ones first, then the others that ran, and last what is far-fetched; those of one class side by
    /// side.
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
        all.sort_by_cached_key(|change| {
            let is_late = (change.is_far_fetched(), !change.ran);
            (is_late, rank_of(change), change.clone())
        });
    }
}

/// A change for each class that has one: everything in it at once.
fn whole_classes(all: &[CodeChange]) -> Vec<CodeChange> {
    let mut met = HashSet::new();
    let all = all.iter().filter(|change| !change.is_far_fetched());
    let classes = all.filter(|change| met.insert(&change.class));
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
