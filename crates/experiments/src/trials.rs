//! Runs of the wrong version with something in it of the right one that is no code.

use std::time::Duration;

use launch::rerun::Modification;
use launch::settings::SettingChange;

use crate::experimenter::Experimenter;
use crate::laboratory::Over;
use crate::search::smallest_right;
use crate::symptom::{Seen, VisibleSymptom};

/// See the module's header.
pub(crate) struct Trials<'t> {
    pub(crate) experimenter: &'t dyn Experimenter,
    pub(crate) symptom: &'t VisibleSymptom,
    pub(crate) limit: Duration,
    /// Asked before each run, with how many there were.
    pub(crate) is_over: &'t dyn Fn(usize) -> bool,
    pub(crate) interrupted: &'t (dyn Fn() -> bool + Sync),
    pub(crate) runs: usize,
}

impl Trials<'_> {
    /// Whether the wrong version is right with that in it.
    pub(crate) fn is_right(&mut self, changed: Modification<'_>) -> Result<bool, Over> {
        if (self.is_over)(self.runs) {
            return Err(Over);
        }
        self.runs += 1;
        let stop = self.interrupted;
        let run = self
            .experimenter
            .run(false, changed, self.limit, &|| stop());
        Ok(run.is_ok_and(|run| self.symptom.seen(&run) == Seen::Right))
    }
}

/// A smallest set of the right version's settings that makes the wrong version right; `None` if there is none.
pub(crate) fn smallest_settings(
    trials: &mut Trials<'_>,
    all: &[SettingChange],
) -> Result<Option<Vec<SettingChange>>, Over> {
    let found = smallest_right(all.len(), |set| {
        let settings: Vec<&SettingChange> = set.iter().map(|&at| &all[at]).collect();
        trials.is_right(Modification {
            settings: &settings,
            ..Modification::default()
        })
    })?;
    Ok(found.map(|set| set.iter().map(|&at| all[at].clone()).collect()))
}
