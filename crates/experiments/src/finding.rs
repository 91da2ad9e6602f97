//! What experiments come to.

use std::time::Duration;

use launch::settings::SettingChange;

use crate::change::CodeChange;
use crate::program::MethodName;
use crate::symptom::{Seen, SymptomError};

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

/// Lines of a method whose other side is enough: with the right version's code of them and this version's code of the
/// rest of the method, the program is right. As far as could be tried, none of them can be left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvedLines {
    pub method: MethodName,
    pub lines: Vec<u32>,
}

/// See [`ExperimentFinding`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExperimentOutcome {
    /// With the right version's code of these in it, the wrong version is right. Together they are
    /// enough, and none of them can be left out.
    Verified {
        /// Those that are to blame: if not all are needed to make the right version wrong, those that are.
        changes: Vec<CodeChange>,
        /// Those without which the others do not fit into the wrong version.
        along: Vec<CodeChange>,
        /// What the right version does with the wrong one's code of these: whether they are the cause.
        broken: Seen,
        /// Methods that only the wrong version has and that ran because of these changes: a part of them.
        new_methods: Vec<MethodName>,
        /// Lines of the changed methods, as far as they were proved.
        lines: Vec<ProvedLines>,
    },
    /// These changes are enough, but what in them is needed was not found out.
    Narrowed(Vec<CodeChange>),
    /// With all code of the right version that could be put into it, the wrong version is as wrong as before.
    NotCode,
    /// No hybrid showed anything: the right version's code does not fit into the wrong one.
    Unresolved,
    /// With these files of the right version, which are no code, the wrong version is right.
    Resources(Vec<String>),
    /// With what the right version's command gives the program here, the wrong version is right.
    Settings(Vec<SettingChange>),
    /// No code that ran differs.
    NoChange,
    Unclear(SymptomError),
    /// There was no more time for a single answer, or nobody waited for it.
    OutOfTime,
    /// The program could not be run again.
    Failed(String),
}
