//! Where experiments are run: several at once, each once, none longer than it may.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use launch::rerun::Modification;

use crate::change::CodeChange;
use crate::experimenter::Experimenter;
use crate::folder::HybridFolder;
use crate::hybrid::{Breeder, Direction};
use crate::parts::{LineParts, PartOfMethod};
use crate::symptom::{Seen, VisibleSymptom};

/// There is no more time, or nobody wants to wait any longer.
#[derive(Debug)]
pub(crate) struct Over;

/// See the module's header.
pub(crate) struct Laboratory<'l> {
    pub(crate) experimenter: &'l dyn Experimenter,
    pub(crate) symptom: VisibleSymptom,
    pub(crate) changes: &'l [CodeChange],
    /// Parts of changed methods, which are numbered behind the changes.
    pub(crate) parts: Vec<PartOfMethod>,
    pub(crate) mending: Breeder<'l>,
    pub(crate) breaking: Breeder<'l>,
    pub(crate) limit: Duration,
    pub(crate) deadline: Instant,
    pub(crate) most_runs: usize,
    pub(crate) at_once: usize,
    /// Set from outside to end everything.
    pub(crate) interrupted: &'l (dyn Fn() -> bool + Sync),
    pub(crate) runs: usize,
    pub(crate) cache: HashMap<(Direction, Vec<usize>), Seen>,
}

impl Laboratory<'_> {
    /// Which of some sets makes the version what is wanted; the first, if there are several.
    pub(crate) fn first(
        &mut self,
        direction: Direction,
        sets: &[Vec<usize>],
    ) -> Result<Option<usize>, Over> {
        let known = |this: &Self| {
            let is_wanted = |set: &Vec<usize>| {
                this.cache.get(&(direction, set.clone())) == Some(&direction.wanted())
            };
            sets.iter().position(is_wanted)
        };
        if let Some(at) = known(self) {
            return Ok(Some(at));
        }
        self.run_all(direction, sets, true)?;
        Ok(known(self))
    }

    /// How many beginnings of what is left are worth trying at the same time: with one more, fewer rounds are needed
    /// and more runs.
    pub(crate) fn beginnings(&self) -> usize {
        self.at_once.max(2).ilog2() as usize
    }

    /// What each of some sets shows.
    pub(crate) fn seen_all(
        &mut self,
        direction: Direction,
        sets: &[Vec<usize>],
    ) -> Result<Vec<Seen>, Over> {
        self.run_all(direction, sets, false)?;
        sets.iter().map(|set| self.seen(direction, set)).collect()
    }

    /// What one set shows.
    pub(crate) fn seen(&mut self, direction: Direction, set: &[usize]) -> Result<Seen, Over> {
        let key = (direction, set.to_vec());
        if !self.cache.contains_key(&key) {
            self.run_all(direction, &[set.to_vec()], false)?;
        }
        Ok(self.cache.get(&key).copied().unwrap_or(Seen::Unresolved))
    }

    /// Runs a set again, alone.
    pub(crate) fn seen_again(&mut self, direction: Direction, set: &[usize]) -> Result<Seen, Over> {
        self.cache.remove(&(direction, set.to_vec()));
        self.seen(direction, set)
    }

    fn run_all(
        &mut self,
        direction: Direction,
        sets: &[Vec<usize>],
        until_wanted: bool,
    ) -> Result<(), Over> {
        let is_open = |set: &&Vec<usize>| !self.cache.contains_key(&(direction, (*set).clone()));
        let open: Vec<&Vec<usize>> = sets.iter().filter(is_open).collect();
        if open.is_empty() {
            return Ok(());
        }
        let next = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        let is_over = AtomicBool::new(false);
        let runs = AtomicUsize::new(self.runs);
        let results: Mutex<Vec<(usize, Seen)>> = Mutex::new(Vec::new());
        let work = || {
            while !stop.load(Ordering::SeqCst) {
                let at = next.fetch_add(1, Ordering::SeqCst);
                let Some(set) = open.get(at) else { break };
                if self.is_over(runs.load(Ordering::SeqCst)) {
                    is_over.store(true, Ordering::SeqCst);
                    break;
                }
                let Some(seen) = self.experiment(direction, set, &runs, &stop) else {
                    continue;
                };
                if until_wanted && seen == direction.wanted() {
                    stop.store(true, Ordering::SeqCst);
                }
                let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                results.push((at, seen));
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.at_once.min(open.len()) {
                scope.spawn(work);
            }
        });
        let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        let keys = results
            .into_iter()
            .map(|(at, seen)| ((direction, open[at].clone()), seen));
        let keys: Vec<_> = keys.collect();
        self.cache.extend(keys);
        self.runs = runs.into_inner();
        match is_over.into_inner() {
            true => Err(Over),
            false => Ok(()),
        }
    }

    pub(crate) fn is_over(&self, runs: usize) -> bool {
        runs >= self.most_runs || Instant::now() >= self.deadline || (self.interrupted)()
    }

    /// One experiment; `None` if it was stopped because another one has decided.
    fn experiment(
        &self,
        direction: Direction,
        set: &[usize],
        runs: &AtomicUsize,
        stop: &AtomicBool,
    ) -> Option<Seen> {
        let breeder = match direction {
            Direction::Mend => &self.mending,
            Direction::Break => &self.breaking,
        };
        let whole = set.iter().filter_map(|&at| self.changes.get(at));
        let changes: Vec<&CodeChange> = whole.collect();
        let parts = set
            .iter()
            .filter_map(|at| at.checked_sub(self.changes.len()));
        let parts = LineParts::new(parts.filter_map(|at| self.parts.get(at)));
        let hybrid = match breeder.mixture(&changes, &parts.hunks()) {
            Ok(hybrid) => hybrid,
            Err(error) => {
                tracing::debug!(%error, ?direction, "no hybrid");
                return Some(Seen::Unresolved);
            }
        };
        let folder = HybridFolder::new(&hybrid).ok()?;
        runs.fetch_add(1, Ordering::SeqCst);
        let is_right_version = direction == Direction::Break;
        let changed = Modification {
            hybrids: Some(folder.path()),
            ..Modification::default()
        };
        let is_unneeded = || stop.load(Ordering::SeqCst) || (self.interrupted)();
        let run = self
            .experimenter
            .run(is_right_version, changed, self.limit, &is_unneeded);
        let seen = match &run {
            Ok(observed) if folder.was_used() => self.symptom.seen(observed),
            _ => Seen::Unresolved,
        };
        let end = run.as_ref().map(|run| (&run.output, &run.errors));
        tracing::debug!(?direction, size = set.len(), ?seen, ?end, "experiment");
        let was_stopped = is_unneeded() && seen != direction.wanted();
        (!was_stopped).then_some(seen)
    }
}
