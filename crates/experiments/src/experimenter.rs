//! Running either version again.

use std::io;
use std::time::Duration;

use launch::process::ShouldStop;
use launch::rerun::{Modification, Observed, Rerun};

/// Runs a program again.
pub trait Experimenter: Sync {
    /// Runs the wrong version, or the right one, with what is changed in it.
    ///
    /// # Errors
    /// If it cannot be run.
    fn run(
        &self,
        is_right_version: bool,
        changed: Modification<'_>,
        limit: Duration,
        should_stop: ShouldStop<'_>,
    ) -> io::Result<Observed>;

    /// Whether two runs of the same version can go on at once.
    fn runs_beside_itself(&self) -> bool {
        true
    }
}

/// The commands of both versions.
pub struct BothPrograms {
    /// The wrong version.
    pub ours: Rerun,
    /// The right one.
    pub theirs: Rerun,
}

impl Experimenter for BothPrograms {
    fn run(
        &self,
        is_right_version: bool,
        changed: Modification<'_>,
        limit: Duration,
        should_stop: ShouldStop<'_>,
    ) -> io::Result<Observed> {
        let program = if is_right_version {
            &self.theirs
        } else {
            &self.ours
        };
        program.run(changed, limit, should_stop)
    }

    fn runs_beside_itself(&self) -> bool {
        self.ours.may_run_beside_itself() && self.theirs.may_run_beside_itself()
    }
}
