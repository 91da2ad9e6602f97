//! Whether experiments name the change that is to blame for real regressions between releases.
//!
//! Each program is debugged as a user would, with the broken release: `askance debug --experiments on --reference
//! OTHER -- java … Main`, once with the release before it and once with the release after it as the reference, and
//! nobody to ask. What that says at its end is compared with what is known of the regression.

mod kept;
mod table;
mod verdict;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use test_support::run_command;

use crate::cpu_time;
use crate::record_bench::{BenchError, scratch_folder};
use crate::regressions::{Regression, RegressionError, Release, fetch};
use crate::strategy_bench::Recorder;

pub use table::to_markdown;
pub use verdict::RegressionVerdict;

/// The command that makes the table.
pub const COMMAND: &str = "cargo xtask bench regressions";

/// Debugging one may take this long.
const DEBUG_LIMIT: Duration = Duration::from_secs(600);
/// No program of the corpus needs more; one that never ends is stopped by it, too.
const MOST_TRACE: &str = "4G";

/// What was said of one regression with one reference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegressionTrial {
    pub id: String,
    pub library: String,
    pub reference: Release,
    pub verdict: RegressionVerdict,
    /// What is said to be to blame, if anything.
    pub named: Vec<String>,
    /// How many methods that are new and run because of it are named beside it.
    pub new_methods: usize,
    /// How much is said to have been changed together with it.
    pub together: usize,
    /// How many times a version of the program was run.
    pub runs: usize,
    /// Everything, with recording both versions and comparing them.
    pub spent: Duration,
    /// The CPU time of the same, which says more on a machine that has other things to do.
    pub cpu: Duration,
}

impl RegressionTrial {
    /// Whether one thing is named, and that is to blame.
    fn is_exact(&self) -> bool {
        self.verdict == RegressionVerdict::RightVerified && self.named.len() == 1
    }
}

/// Debugs the regressions with both references; `progress` is told what came of each, a line at a time. What this
/// executable was tried with before is not tried again, so all of it can be done in parts.
pub fn run(
    recorder: &Recorder,
    regressions: &[Regression],
    references: &[Release],
    mut progress: impl FnMut(&str),
) -> Result<Vec<RegressionTrial>, BenchError> {
    fetch(regressions).map_err(RegressionError::from)?;
    let mut trials = Vec::new();
    for regression in regressions {
        for &reference in references {
            let place = kept::place(recorder, regression, reference)?;
            let trial = match kept::read(&place) {
                Some(trial) => trial,
                None => {
                    let trial = debug(recorder, regression, reference)?;
                    kept::write(&place, &trial)?;
                    trial
                }
            };
            progress(&format!(
                "{} {:?}: {:?} {:?}, {} runs, {:.1} s, {:.1} s of CPU",
                trial.id,
                trial.reference,
                trial.verdict,
                trial.named,
                trial.runs,
                trial.spent.as_secs_f64(),
                trial.cpu.as_secs_f64()
            ));
            trials.push(trial);
        }
    }
    Ok(trials)
}

fn debug(
    recorder: &Recorder,
    regression: &Regression,
    reference: Release,
) -> Result<RegressionTrial, BenchError> {
    let folder = scratch_folder()?;
    let classes = regression.compile()?;
    let class_path = |release: Release| -> Result<OsString, BenchError> {
        let own: PathBuf = classes.dir();
        let all = std::iter::once(own).chain(regression.library_class_path(release));
        Ok(std::env::join_paths(all).map_err(std::io::Error::other)?)
    };
    let mut words: Vec<OsString> = ["debug", "--json", "--non-interactive"]
        .into_iter()
        .chain(["--experiments", "on", "--max-trace", MOST_TRACE, "-o"])
        .map(OsString::from)
        .collect();
    words.push(folder.path().join("trace").into());
    if let Some(limit) = regression.time_limit() {
        words.extend(["--time-limit".into(), limit.as_secs().to_string().into()]);
    }
    if let Some(glob) = &regression.include {
        words.extend(["--include".into(), glob.into()]);
    }
    words.extend(["--reference".into(), class_path(reference)?]);
    words.extend(["--".into(), recorder.jdk.java().into(), "-cp".into()]);
    words.extend([class_path(Release::Broken)?, "Main".into()]);
    let started = Instant::now();
    let mut command = Command::new(&recorder.executable);
    let (said, cpu) = cpu_time::of_children(|| run_command(command.args(words), &[], DEBUG_LIMIT))?;
    let spent = started.elapsed();
    let (verdict, heard) = verdict::heard(regression, &said);
    Ok(RegressionTrial {
        id: regression.id.clone(),
        library: regression.library.clone(),
        reference,
        verdict,
        named: heard.named,
        new_methods: heard.new_methods,
        together: heard.together,
        runs: heard.runs,
        spent,
        cpu,
    })
}
