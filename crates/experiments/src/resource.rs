//! Resources that differ: files on the class path that are no code.
//!
//! They are given to the wrong version in a folder that stands before everything else on its class path. What only the
//! wrong version has cannot be taken away like that.

use std::io;
use std::time::Duration;

use launch::class_path::{ClassPath, Resource};
use launch::rerun::Modification;
use tempfile::TempDir;

use crate::experimenter::{BothPrograms, Experimenter};
use crate::laboratory::Over;
use crate::search::smallest;
use crate::symptom::{Seen, VisibleSymptom};

/// With more of them than this none is tried.
const MOST: usize = 20_000;

/// A file of the right version that the wrong one lacks or has otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceChange {
    pub path: String,
    theirs: Resource,
}

/// The resources of the right version that the wrong one lacks or has otherwise.
#[must_use]
pub fn differing_resources(programs: &BothPrograms) -> Vec<ResourceChange> {
    let both = programs.ours.class_path().zip(programs.theirs.class_path());
    both.map(|(ours, theirs)| differing(&ours, &theirs))
        .unwrap_or_default()
}

fn differing(ours: &ClassPath, theirs: &ClassPath) -> Vec<ResourceChange> {
    let ours = ours.resources();
    let other = theirs.resources().into_iter();
    let differing =
        other.filter(|(path, resource)| ours.get(path).is_none_or(|mine| !mine.is_like(resource)));
    let all: Vec<ResourceChange> = differing
        .map(|(path, theirs)| ResourceChange { path, theirs })
        .collect();
    if all.len() > MOST { Vec::new() } else { all }
}

/// Looks for the resources that make the wrong version right.
pub(crate) struct ResourceSearch<'s> {
    pub(crate) experimenter: &'s dyn Experimenter,
    pub(crate) symptom: &'s VisibleSymptom,
    pub(crate) all: &'s [ResourceChange],
    pub(crate) limit: Duration,
    /// Asked before each run, with how many there were.
    pub(crate) is_over: &'s dyn Fn(usize) -> bool,
    pub(crate) interrupted: &'s (dyn Fn() -> bool + Sync),
    pub(crate) runs: usize,
}

impl ResourceSearch<'_> {
    /// A smallest set of them that is enough, by their paths; `None` if there is none, or no time to find it.
    pub(crate) fn smallest(&mut self) -> Result<Option<Vec<String>>, Over> {
        let whole: Vec<usize> = (0..self.all.len()).collect();
        if whole.is_empty() || !self.is_right(&whole)? {
            return Ok(None);
        }
        let found = smallest(whole, |sets| {
            for (at, set) in sets.iter().enumerate() {
                if self.is_right(set)? {
                    return Ok::<_, Over>(Some(at));
                }
            }
            Ok(None)
        });
        if !found.is_minimal || !self.is_right(&found.set)? {
            return Err(Over);
        }
        let paths = found.set.iter().map(|&at| self.all[at].path.clone());
        Ok(Some(paths.collect()))
    }

    fn is_right(&mut self, set: &[usize]) -> Result<bool, Over> {
        if (self.is_over)(self.runs) {
            return Err(Over);
        }
        let Ok(folder) = self.folder(set) else {
            return Ok(false);
        };
        self.runs += 1;
        let changed = Modification {
            hybrids: None,
            resources: Some(folder.path()),
        };
        let stop = self.interrupted;
        let run = self
            .experimenter
            .run(false, changed, self.limit, &|| stop());
        Ok(run.is_ok_and(|run| self.symptom.seen(&run) == Seen::Right))
    }

    fn folder(&self, set: &[usize]) -> io::Result<TempDir> {
        let folder = launch::scratch::folder()?;
        for &at in set {
            let change = &self.all[at];
            let place = folder.path().join(&change.path);
            // An archive may name places that are none of ours.
            let is_inside = !change.path.split('/').any(|part| part == "..")
                && place.starts_with(folder.path());
            let bytes = change.theirs.bytes().filter(|_| is_inside);
            if let (Some(bytes), Some(parent)) = (bytes, place.parent()) {
                std::fs::create_dir_all(parent)?;
                std::fs::write(&place, bytes)?;
            }
        }
        Ok(folder)
    }
}
