//! One workload: its runs, plain and recorded in turn, and what can be done with what was recorded.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use test_support::{Finished, Run};
use trace_format::EndReason;
use trace_store::Trace;

use super::{
    BenchError, MAX_TRACE, Measured, Options, Row, TIME_LIMIT, Threads, check_exit, default_prefix,
    first_question, folder_size, median, record_prefix, scratch_folder,
};
use crate::cpu_time;
use crate::replay_bench;
use test_support::workloads::Workload;

pub(super) fn measure(
    options: &Options,
    workload: &'static Workload,
    progress: &mut impl FnMut(&str),
) -> Result<Row, BenchError> {
    let bench = Bench::new(options, workload);
    let run = bench.run(None)?;
    let alone = workload
        .is_threaded
        .then(|| bench.run(Some(1)))
        .transpose()?;
    let (mut compared, mut compared_alone) = (Compared::default(), Compared::default());
    let (mut calls, mut own) = (Vec::new(), Vec::new());
    let mut first_question = None;
    for round in 1..=options.rounds {
        progress(&format!(
            "{} {}, round {round} of {}",
            workload.name, bench.scale, options.rounds
        ));
        let (plain, recorded) = bench.compare(&run, &mut compared)?;
        if first_question.is_none() {
            first_question = Some(first_question::measure(options, &recorded.trace)?);
        }
        drop(recorded);
        calls.push(bench.record(&run, What::Calls, &plain)?.measured);
        if workload.library().is_some() {
            own.push(bench.record(&run, What::OwnCode, &plain)?.measured);
        }
        if let Some(alone) = &alone {
            bench.compare(alone, &mut compared_alone)?;
        }
    }
    let threads = alone.is_some().then(|| Threads {
        one: compared_alone.ratio(),
        several: compared.ratio(),
    });
    progress(&format!("{}, replaying", workload.name));
    Ok(Row {
        workload: workload.name.to_owned(),
        plain: median(&compared.plain),
        full: middle(compared.full),
        calls: middle(calls),
        own: (!own.is_empty()).then(|| middle(own)),
        threads,
        first_question,
        replayed: replay_bench::measure(&options.recorder, &options.probes.replay, workload)?,
    })
}

struct Bench<'a> {
    options: &'a Options,
    workload: &'static Workload,
    scale: u32,
}

/// What is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    /// Everything, libraries included, in full detail.
    Full,
    /// The calls of everything.
    Calls,
    /// What is recorded by default.
    OwnCode,
}

impl What {
    fn prefix(self, recorder: &Path, trace: &Path) -> Vec<OsString> {
        let limit = ["--max-trace", MAX_TRACE];
        let with = |detail| [&limit[..], &["--detail", detail]].concat();
        match self {
            What::Full => record_prefix(recorder, trace, &with("full")),
            What::Calls => record_prefix(recorder, trace, &with("calls")),
            What::OwnCode => default_prefix(recorder, trace, &limit),
        }
    }
}

/// Plain runs and runs in full detail, in turn.
#[derive(Default)]
struct Compared {
    plain: Vec<Duration>,
    full: Vec<Measured>,
}

/// A trace, which goes when this goes.
struct Recorded {
    measured: Measured,
    trace: PathBuf,
    _folder: TempDir,
}

impl Compared {
    fn ratio(&self) -> f64 {
        let full: Vec<Duration> = self.full.iter().map(|one| one.time).collect();
        median(&full).as_secs_f64() / median(&self.plain).as_secs_f64()
    }
}

impl<'a> Bench<'a> {
    fn new(options: &'a Options, workload: &'static Workload) -> Self {
        let scale = f64::from(workload.bench_scale) * options.scale;
        Bench {
            options,
            workload,
            scale: scale.ceil().max(1.0) as u32,
        }
    }

    /// With as many threads as it likes, unless their number is given.
    fn run(&self, threads: Option<u32>) -> Result<Run, BenchError> {
        let run = self.workload.run(&self.options.recorder.jdk, self.scale)?;
        let threads = threads.map(|number| number.to_string());
        Ok(run.time_limit(TIME_LIMIT).args(threads))
    }

    fn compare(
        &self,
        run: &Run,
        compared: &mut Compared,
    ) -> Result<(Finished, Recorded), BenchError> {
        let (plain, time) = cpu_time::of_children(|| run.run())?;
        check_exit(self.workload.name, &plain)?;
        compared.plain.push(time);
        let recorded = self.record(run, What::Full, &plain)?;
        compared.full.push(recorded.measured.clone());
        Ok((plain, recorded))
    }

    fn record(&self, run: &Run, what: What, plain: &Finished) -> Result<Recorded, BenchError> {
        let folder = scratch_folder()?;
        let trace = folder.path().join("trace");
        let recorder = &self.options.recorder.executable;
        let run = run.clone().prefix(what.prefix(recorder, &trace));
        let (finished, time) = cpu_time::of_children(|| run.run())?;
        let what = format!("recording {} ({what:?})", self.workload.name);
        check_exit(&what, &finished)?;
        if finished.stdout != plain.stdout {
            return Err(BenchError::OutputDiffers(self.workload.name.to_owned()));
        }
        let bytes = folder_size(&trace)?;
        // What the time of a run was in which recording stopped, nobody wants to know.
        let end = Trace::open(&trace)
            .ok()
            .and_then(|trace| trace.end().cloned());
        if end.is_some_and(|end| end.reason != EndReason::Exit) {
            return Err(BenchError::TooLarge(self.workload.name.to_owned()));
        }
        Ok(Recorded {
            measured: Measured { time, bytes },
            trace,
            _folder: folder,
        })
    }
}

/// The measurement with the median time. (Bytes hardly vary.)
fn middle(mut measured: Vec<Measured>) -> Measured {
    let time = median(&measured.iter().map(|one| one.time).collect::<Vec<_>>());
    measured.sort_by_key(|one| one.time);
    let middle = measured.swap_remove(measured.len() / 2);
    Measured { time, ..middle }
}
