//! What recording costs: CPU time of the workloads plain, recorded in full detail, and recorded
//! with calls only.
//!
//! The three are run in turn, round by round, so that a slow minute of the machine hits all of
//! them; medians over the rounds are compared. A trace is deleted as soon as it is measured.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use test_support::{CompileError, Finished, Fixture, Run, target_dir};

use crate::cpu_time;
use crate::machine::Machine;
use crate::strategy_bench::Recorder;
use crate::workloads::Workload;

mod density;
mod report;

pub use density::Density;
pub use report::{Report, write_into};

/// A recorded run may take this many times longer than anybody would wait for.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(600);

/// Start-up is short and noisy: it takes more runs than a workload to get a steady median.
const HELLO_RUNS_PER_ROUND: usize = 5;

#[derive(Debug, Clone)]
pub struct Options {
    pub recorder: Recorder,
    pub rounds: usize,
    /// Names of workloads; all if empty.
    pub only: Vec<String>,
    /// Multiplies every workload's scale; 1 for a real measurement, less for a trial.
    pub scale: f64,
}

/// One line of the table; times are medians over the rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub workload: String,
    pub plain: Duration,
    pub full: Measured,
    pub calls: Measured,
    /// Of a short run in full detail; absent if what the recorder makes is no trace.
    pub density: Option<Density>,
}

/// A recorded workload.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    pub time: Duration,
    /// What it takes on disk.
    pub bytes: u64,
}

/// Wall-clock time of a program that only says hello.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hello {
    pub plain: Duration,
    pub recorded: Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error("there is no recorder at {0}; `cargo build --release` makes it")]
    NoRecorder(PathBuf),
    #[error("no workload is named {0}")]
    UnknownWorkload(String),
    #[error("{workload} needs the Debian package {package}; `cargo xtask setup` installs it")]
    MissingLibrary {
        workload: &'static str,
        package: &'static str,
    },
    #[error("at least one round is needed")]
    NoRounds,
    #[error(transparent)]
    Compile(#[from] CompileError),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Open(#[from] askance::source::run::OpenError),
    #[error(transparent)]
    Example(#[from] test_support::ExampleError),
    #[error("{what} failed: {status}\n{stderr}")]
    Failed {
        what: String,
        status: String,
        stderr: String,
    },
    #[error("{0} prints something else when it is recorded")]
    OutputDiffers(String),
}

/// Measures; `progress` is told what is being done, a line at a time.
pub fn run(options: &Options, mut progress: impl FnMut(&str)) -> Result<Report, BenchError> {
    options.recorder.check()?;
    if options.rounds == 0 {
        return Err(BenchError::NoRounds);
    }
    let mut rows = Vec::new();
    for workload in selected(&options.only)? {
        let row = measure(options, workload, &mut progress)?;
        progress(&format!(
            "{}: {:.1}× in full, {:.1}× calls only",
            row.workload,
            row.full_ratio(),
            row.calls_ratio()
        ));
        rows.push(row);
    }
    let hello = measure_hello(options, &mut progress)?;
    Ok(Report {
        rows,
        hello,
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
}

impl Hello {
    /// What recording adds, in milliseconds.
    pub fn added_milliseconds(&self) -> f64 {
        (self.recorded.as_secs_f64() - self.plain.as_secs_f64()) * 1000.0
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

pub(crate) fn selected(only: &[String]) -> Result<Vec<&'static Workload>, BenchError> {
    let workloads: Vec<&Workload> = if only.is_empty() {
        Workload::all().iter().collect()
    } else {
        let find = |name: &String| {
            Workload::named(name).ok_or_else(|| BenchError::UnknownWorkload(name.clone()))
        };
        only.iter().map(find).collect::<Result<_, _>>()?
    };
    for workload in &workloads {
        if let (false, Some(package)) = (workload.is_available(), workload.package()) {
            return Err(BenchError::MissingLibrary {
                workload: workload.name,
                package,
            });
        }
    }
    Ok(workloads)
}

fn measure(
    options: &Options,
    workload: &Workload,
    progress: &mut impl FnMut(&str),
) -> Result<Row, BenchError> {
    let scale = (f64::from(workload.bench_scale) * options.scale)
        .ceil()
        .max(1.0) as u32;
    let run = workload
        .run(&options.recorder.jdk, scale)?
        .time_limit(TIME_LIMIT);
    let (mut plain, mut full, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    for round in 1..=options.rounds {
        progress(&format!(
            "{} {scale}, round {round} of {}",
            workload.name, options.rounds
        ));
        let (finished, time) = cpu_time::of_children(|| run.run())?;
        check_exit(workload.name, &finished)?;
        plain.push(time);
        full.push(measure_recorded(
            options,
            workload.name,
            &run,
            "full",
            &finished,
        )?);
        calls.push(measure_recorded(
            options,
            workload.name,
            &run,
            "calls",
            &finished,
        )?);
    }
    Ok(Row {
        workload: workload.name.to_owned(),
        plain: median(&plain),
        full: middle(full),
        calls: middle(calls),
        density: measure_density(options, workload)?,
    })
}

fn measure_recorded(
    options: &Options,
    name: &str,
    run: &Run,
    detail: &str,
    plain: &Finished,
) -> Result<Measured, BenchError> {
    let folder = scratch_folder()?;
    let trace = folder.path().join("trace");
    let run = run.clone().prefix(record_prefix(
        &options.recorder.executable,
        &trace,
        Some(detail),
    ));
    let (finished, time) = cpu_time::of_children(|| run.run())?;
    check_exit(
        &format!("recording {name} with --detail {detail}"),
        &finished,
    )?;
    if finished.stdout != plain.stdout {
        return Err(BenchError::OutputDiffers(name.to_owned()));
    }
    Ok(Measured {
        time,
        bytes: folder_size(&trace)?,
    })
}

fn measure_density(options: &Options, workload: &Workload) -> Result<Option<Density>, BenchError> {
    let folder = scratch_folder()?;
    let trace = folder.path().join("trace");
    let run = workload.run(&options.recorder.jdk, workload.test_scale)?;
    let prefix = record_prefix(&options.recorder.executable, &trace, Some("full"));
    let finished = run.time_limit(TIME_LIMIT).prefix(prefix).run()?;
    check_exit(workload.name, &finished)?;
    Ok(Density::of(&trace).ok())
}

fn measure_hello(options: &Options, progress: &mut impl FnMut(&str)) -> Result<Hello, BenchError> {
    const SOURCE: &str = "public class Main {
    public static void main(String[] args) {
        System.out.println(\"hello\");
    }
}
";
    progress("hello world");
    let run = Fixture::new()
        .source("Main.java", SOURCE)
        .compile()?
        .run(&options.recorder.jdk);
    let (mut plain, mut recorded) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds * HELLO_RUNS_PER_ROUND {
        let finished = run.run()?;
        check_exit("hello world", &finished)?;
        plain.push(finished.elapsed);

        let folder = scratch_folder()?;
        let prefix = record_prefix(
            &options.recorder.executable,
            &folder.path().join("trace"),
            None,
        );
        let finished = run.clone().prefix(prefix).run()?;
        check_exit("recording hello world", &finished)?;
        recorded.push(finished.elapsed);
    }
    Ok(Hello {
        plain: median(&plain),
        recorded: median(&recorded),
    })
}

pub(crate) fn record_prefix(recorder: &Path, trace: &Path, detail: Option<&str>) -> Vec<OsString> {
    let mut words: Vec<OsString> =
        vec![recorder.into(), "record".into(), "-o".into(), trace.into()];
    if let Some(detail) = detail {
        words.extend(["--detail".into(), detail.into()]);
    }
    words.push("--".into());
    words
}

pub(crate) fn check_exit(what: &str, finished: &Finished) -> Result<(), BenchError> {
    if finished.status.success() {
        return Ok(());
    }
    let status = if finished.timed_out {
        format!("it did not end within {} s", TIME_LIMIT.as_secs())
    } else {
        finished.status.to_string()
    };
    Err(BenchError::Failed {
        what: what.to_owned(),
        status,
        stderr: finished.stderr_text(),
    })
}

pub(crate) fn folder_size(path: &Path) -> io::Result<u64> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_dir() {
        return Ok(metadata.len());
    }
    let mut size = 0;
    for entry in fs::read_dir(path)? {
        size += folder_size(&entry?.path())?;
    }
    Ok(size)
}

/// A folder that vanishes with what is in it. On the disk of the build, because traces are large
/// and the system's own temporary folder may be in memory.
pub(crate) fn scratch_folder() -> io::Result<tempfile::TempDir> {
    let parent = target_dir().join("bench-traces");
    fs::create_dir_all(&parent)?;
    tempfile::tempdir_in(parent)
}

/// The measurement with the median time. (Bytes hardly vary.)
fn middle(mut measured: Vec<Measured>) -> Measured {
    let time = median(&measured.iter().map(|one| one.time).collect::<Vec<_>>());
    measured.sort_by_key(|one| one.time);
    let middle = measured.swap_remove(measured.len() / 2);
    Measured { time, ..middle }
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
