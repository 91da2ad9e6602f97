//! Whether every call of real programs replays as it was recorded, and how fast.
//!
//! Each workload is recorded as a user would, then all its calls are re-executed one after the
//! other in a process of its own that was built with optimisations ([`probe`]).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use frame_replay::{Program, ReplayObstacle, Runner};
use serde::{Deserialize, Serialize};
use trace_format::Stream;
use trace_store::{CallId, Trace};

use crate::cpu_time;
use crate::document;
use crate::machine::Machine;
use crate::probe_process;
use crate::record_bench::{
    BenchError, MAX_TRACE, TIME_LIMIT, check_exit, record_prefix, scratch_folder, selected,
};
use crate::strategy_bench::Recorder;
use test_support::workloads::Workload;

const COMMAND: &str = "cargo xtask bench replay";
/// Of the work of a recording benchmark: enough for a steady figure, and all is done in minutes.
const SHARE: f64 = 0.1;
/// Calls of each kind of trouble that are told.
const TOLD: usize = 3;

#[derive(Debug, Clone)]
pub struct Options {
    pub recorder: Recorder,
    /// The executable that runs [`probe`] and prints what it gives.
    pub probe: PathBuf,
    /// Names of workloads; all if empty.
    pub only: Vec<String>,
}

/// What [`probe`] found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Replayed {
    pub calls: u64,
    /// Calls of which everything was recorded, so that they must replay.
    pub in_full: u64,
    pub agreed: u64,
    pub bytecodes: u64,
    /// CPU time of replaying, without opening the trace.
    pub time: Duration,
    /// What the trace holds: calls, exits, handlers, writes, descriptions of objects, and values. Most of it are bare
    /// values, which nobody can count without re-executing the code that consumed them. What a call took that cannot be
    /// replayed is not counted.
    pub events: u64,
    /// What they take in the trace, where full chunks are packed.
    pub bytes: u64,
    pub troubles: Vec<Trouble>,
}

/// Calls that cannot be replayed for the same kind of reason.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Trouble {
    pub reason: String,
    pub calls: u64,
    /// The first few, each at another place.
    pub told: Vec<String>,
}

impl Replayed {
    /// Of the calls that were recorded in full.
    pub fn agreed_percent(&self) -> f64 {
        100.0 * self.agreed as f64 / self.in_full.max(1) as f64
    }

    /// Calls that must replay and do not.
    pub fn disagreeing(&self) -> u64 {
        self.in_full - self.agreed
    }

    /// Unknown of what is no trace.
    pub fn bytes_per_event(&self) -> Option<f64> {
        (self.events > 0).then(|| self.bytes as f64 / self.events as f64)
    }

    pub fn millions_a_second(&self) -> f64 {
        self.bytecodes as f64 / self.time.as_secs_f64().max(f64::MIN_POSITIVE) / 1e6
    }

    /// What could not be replayed of a workload, a paragraph for each kind of reason.
    pub(crate) fn troubles_of(&self, workload: &str) -> String {
        let mut text = String::new();
        for trouble in &self.troubles {
            let (calls, reason) = (trouble.calls, &trouble.reason);
            let told = trouble.told.join("; ");
            let _ = writeln!(text, "\n{workload}, {calls} × {reason}: {told}");
        }
        text
    }

    /// For a person who asked about one trace.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{} calls, {} recorded in full, {} agree ({:.4} %)\n\
             {} bytecodes in {:.2} s of CPU time: {:.1} million a second\n",
            self.calls,
            self.in_full,
            self.agreed,
            self.agreed_percent(),
            self.bytecodes,
            self.time.as_secs_f64(),
            self.millions_a_second(),
        );
        for trouble in &self.troubles {
            let _ = writeln!(text, "{} × {}", trouble.calls, trouble.reason);
            for told in &trouble.told {
                let _ = writeln!(text, "    {told}");
            }
        }
        text
    }
}

/// Replays every call of a trace.
pub fn probe(folder: &Path) -> Result<Replayed, Box<dyn std::error::Error>> {
    let trace = Trace::open(folder)?;
    trace.build_call_index(&mut |_, _| {})?;
    let program = Program::of(&trace);
    let mut replayed = Replayed::default();
    let mut troubles: BTreeMap<ReplayObstacle, Trouble> = BTreeMap::new();
    let mut runner = Runner::new(&trace, &program);
    let before = cpu_time::of_this_thread()?;
    for thread in trace.all_calls()? {
        for index in 0..thread.len() {
            let id = CallId::new(thread.thread(), index);
            replayed.calls += 1;
            match runner.run(id) {
                Ok((_, bytecodes)) => {
                    replayed.agreed += 1;
                    replayed.bytecodes += bytecodes;
                }
                Err(error) => {
                    let trouble = troubles.entry(error.reason()).or_default();
                    trouble.calls += 1;
                    let text = error.to_string();
                    let place = text.split(" (").next().unwrap_or_default();
                    let is_new = !trouble.told.iter().any(|told| told.contains(place));
                    if trouble.told.len() < TOLD && is_new {
                        trouble.told.push(format!("call {id}: {text}"));
                    }
                }
            }
        }
    }
    replayed.time = cpu_time::of_this_thread()?.saturating_sub(before);
    let info = trace.info()?;
    replayed.bytes = stored_bytes(&trace);
    replayed.events = info.events.total() + info.objects + runner.values();
    // What was masked was not recorded, by the user's wish.
    let partly =
        [ReplayObstacle::NotInFull, ReplayObstacle::Masked].map(|reason| troubles.get(&reason));
    let partly: u64 = partly.iter().flatten().map(|trouble| trouble.calls).sum();
    replayed.in_full = replayed.calls - partly;
    replayed.troubles = troubles
        .into_iter()
        .map(|(reason, trouble)| Trouble {
            reason: format!("{reason:?}"),
            ..trouble
        })
        .collect();
    Ok(replayed)
}

fn stored_bytes(trace: &Trace) -> u64 {
    let of_thread = |thread| -> u64 {
        Stream::ALL
            .map(|stream| trace.stream(thread, stream).stored())
            .iter()
            .sum()
    };
    trace.threads().map(of_thread).sum()
}

/// Replays a trace in a process of its own.
pub fn run_probe(probe: &Path, trace: &Path) -> Result<Replayed, BenchError> {
    let what = format!("replaying {}", trace.display());
    probe_process::run(probe, &[trace.as_os_str()], &what)
}

#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    pub rows: Vec<(String, Replayed)>,
    pub machine: Machine,
}

/// Measures; `progress` is told what is being done, a line at a time.
pub fn run(options: &Options, mut progress: impl FnMut(&str)) -> Result<Report, BenchError> {
    options.recorder.check()?;
    let mut rows = Vec::new();
    for workload in selected(&options.only)? {
        progress(workload.name);
        let replayed = measure(&options.recorder, &options.probe, workload)?;
        rows.push((workload.name.to_owned(), replayed));
    }
    Ok(Report {
        rows,
        machine: Machine::this(&options.recorder.jdk),
    })
}

/// Records a part of a workload's work and replays it.
pub(crate) fn measure(
    recorder: &Recorder,
    probe: &Path,
    workload: &Workload,
) -> Result<Replayed, BenchError> {
    let scale = (f64::from(workload.bench_scale) * SHARE).ceil() as u32;
    let folder = scratch_folder()?;
    let trace = folder.path().join("trace");
    let wanted = ["--detail", "full", "--max-trace", MAX_TRACE];
    let prefix = record_prefix(&recorder.executable, &trace, &wanted);
    let run = workload.run(&recorder.jdk, scale)?;
    let finished = run.time_limit(TIME_LIMIT).prefix(prefix).run()?;
    check_exit(&format!("recording {}", workload.name), &finished)?;
    run_probe(probe, &trace)
}

impl Report {
    pub fn to_markdown(&self) -> String {
        let mut text = format!(
            "Made by `{COMMAND}` on {}. Every call of each run is re-executed from what was recorded \
             of it, on one core; *agree* are those whose writes, calls, exceptions and results came \
             out as recorded, of the calls that were recorded in full. Speed is per second of CPU \
             time.\n\n",
            self.machine.describe()
        );
        text += "| workload | calls | recorded in full | agree | bytecodes | a second |\n";
        text += "|---|--:|--:|--:|--:|--:|\n";
        for (workload, replayed) in &self.rows {
            let _ = writeln!(
                text,
                "| {workload} | {} | {} | {:.4} % | {} | {:.1} M |",
                replayed.calls,
                replayed.in_full,
                replayed.agreed_percent(),
                replayed.bytecodes,
                replayed.millions_a_second(),
            );
        }
        for (workload, replayed) in &self.rows {
            text += &replayed.troubles_of(workload);
        }
        text
    }
}

pub fn write_into(path: &Path, report: &Report) -> io::Result<()> {
    document::write_table(path, COMMAND, "Replaying", &report.to_markdown())
}
