//! What recording costs and what it is good for: CPU time of the workloads plain, recorded in full
//! detail, and recorded with calls only; whether the program did the same; how soon the run can be
//! asked about; whether its calls replay as they were recorded.
//!
//! The three are run in turn, round by round, so that a slow minute of the machine hits all of
//! them; medians over the rounds are compared. A trace is deleted as soon as it is measured. A
//! workload that fails is told and does not keep the others from being measured.

use std::path::PathBuf;
use std::time::Duration;

use crate::machine::Machine;
use crate::replay_bench::Replayed;
use crate::strategy_bench::Recorder;

mod first_question;
mod hello;
mod measure;
mod report;

pub use crate::recording::BenchError;
pub(crate) use crate::recording::{
    MAX_TRACE, TIME_LIMIT, check_exit, check_library, default_prefix, folder_size, record_prefix,
    scratch_folder, selected,
};
pub use first_question::FirstQuestion;
pub use hello::Hello;
pub use report::{Report, write_into};

#[derive(Debug, Clone)]
pub struct Options {
    pub recorder: Recorder,
    pub probes: Probes,
    pub rounds: usize,
    /// Names of workloads; all if empty.
    pub only: Vec<String>,
    /// Multiplies every workload's scale; 1 for a real measurement, less for a trial.
    pub scale: f64,
}

/// The executables that measure in processes of their own.
#[derive(Debug, Clone)]
pub struct Probes {
    /// `replay-probe`.
    pub replay: PathBuf,
    /// `size-probe`.
    pub size: PathBuf,
}

/// One line of the table; times are medians over the rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub workload: String,
    pub plain: Duration,
    pub full: Measured,
    pub calls: Measured,
    /// With what is recorded by default, the program's own code; of a workload that keeps a library busy.
    pub own: Option<Measured>,
    /// Of a workload that several threads share.
    pub threads: Option<Threads>,
    /// About the run in full detail.
    pub first_question: Option<FirstQuestion>,
    /// Of a shorter run in full detail.
    pub replayed: Replayed,
}

/// How many times more CPU time a run in full detail takes than a plain one, with the same work for
/// one thread and for several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threads {
    pub one: f64,
    pub several: f64,
}

/// A recorded workload.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    pub time: Duration,
    /// What it takes on disk.
    pub bytes: u64,
}

/// A workload that could not be measured, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedWorkload {
    pub workload: String,
    pub reason: String,
}

/// Measures; `progress` is told what is being done, a line at a time.
pub fn run(options: &Options, mut progress: impl FnMut(&str)) -> Result<Report, BenchError> {
    options.recorder.check()?;
    if options.rounds == 0 {
        return Err(BenchError::NoRounds);
    }
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for workload in selected(&options.only)? {
        match measure::measure(options, workload, &mut progress) {
            Ok(row) => {
                progress(&row.in_short());
                rows.push(row);
            }
            Err(error) => {
                progress(&format!("{} failed: {error}", workload.name));
                failures.push(FailedWorkload {
                    workload: workload.name.to_owned(),
                    reason: error.to_string(),
                });
            }
        }
    }
    progress("hello world");
    Ok(Report {
        rows,
        failures,
        hello: hello::measure(options)?,
        rounds: options.rounds,
        machine: Machine::this(&options.recorder.jdk),
    })
}

impl Row {
    pub fn full_ratio(&self) -> f64 {
        self.full.time.as_secs_f64() / self.plain.as_secs_f64()
    }

    pub fn calls_ratio(&self) -> f64 {
        self.calls.time.as_secs_f64() / self.plain.as_secs_f64()
    }

    pub fn own_ratio(&self) -> Option<f64> {
        let own = self.own.as_ref()?;
        Some(own.time.as_secs_f64() / self.plain.as_secs_f64())
    }

    fn in_short(&self) -> String {
        format!(
            "{}: {:.1}× in full, {:.1}× calls only{}, {} of {} calls disagree",
            self.workload,
            self.full_ratio(),
            self.calls_ratio(),
            self.own_ratio()
                .map(|own| format!(", {own:.2}× own code"))
                .unwrap_or_default(),
            self.replayed.disagreeing(),
            self.replayed.in_full
        )
    }
}

impl Threads {
    /// What several threads add: 1 if they are recorded at the cost of one.
    pub fn relative(self) -> f64 {
        self.several / self.one
    }
}

/// The middle value; of two in the middle, their mean.
pub fn median(values: &[Duration]) -> Duration {
    let mut sorted = values.to_vec();
    sorted.sort();
    match (sorted.len(), sorted.len() / 2) {
        (0, _) => Duration::ZERO,
        (count, middle) if count % 2 == 0 => (sorted[middle - 1] + sorted[middle]) / 2,
        (_, middle) => sorted[middle],
    }
}

/// The mean that is right for ratios; 1 if there are none.
pub fn geometric_mean(ratios: impl IntoIterator<Item = f64>) -> f64 {
    let logarithms: Vec<f64> = ratios.into_iter().map(f64::ln).collect();
    let count = logarithms.len().max(1) as f64;
    (logarithms.iter().sum::<f64>() / count).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_median(milliseconds: &[u64], expected: u64) {
        let values: Vec<Duration> = milliseconds
            .iter()
            .map(|value| Duration::from_millis(*value))
            .collect();
        assert_eq!(median(&values), Duration::from_millis(expected));
    }

    #[test]
    fn medians() {
        check_median(&[], 0);
        check_median(&[7], 7);
        check_median(&[9, 1, 5], 5);
        check_median(&[1, 9, 3, 5], 4);
    }

    #[test]
    fn geometric_means() {
        assert_eq!(geometric_mean([]), 1.0);
        assert!((geometric_mean([2.0, 8.0]) - 4.0).abs() < 1e-9);
    }

    #[test]
    fn unknown_workloads_are_named() {
        let error = selected(&["kxml2".into(), "nothing".into()]).unwrap_err();
        assert_eq!(error.to_string(), "no workload is named nothing");
    }
}
