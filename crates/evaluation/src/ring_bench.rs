//! What a ring of the newest calls costs: CPU time of recording everything, and of recording within a size that is
//! much smaller, in turn.

use std::time::Duration;

use test_support::Run;

use crate::cpu_time;
use crate::machine::Machine;
use crate::record_bench::{
    BenchError, TIME_LIMIT, check_exit, geometric_mean, median, record_prefix, scratch_folder,
    selected,
};
use crate::strategy_bench::Recorder;
use test_support::workloads::Workload;

pub const COMMAND: &str = "cargo xtask bench ring";
pub const HEADING: &str = "A ring of the newest calls";

/// Nothing but tiny calls, many objects, and two libraries.
const USUAL: &[&str] = &["fib", "mergesort", "kxml2", "jsoup"];

#[derive(Debug, Clone)]
pub struct Options {
    pub recorder: Recorder,
    pub rounds: usize,
    /// Names of workloads; [`USUAL`] if empty.
    pub only: Vec<String>,
    /// As `--max-trace` takes it.
    pub size: String,
}

/// Medians over the rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    workload: String,
    whole: Duration,
    ring: Duration,
}

impl Row {
    pub fn ratio(&self) -> f64 {
        self.ring.as_secs_f64() / self.whole.as_secs_f64()
    }
}

/// Measures; `progress` is told what is being done, a line at a time.
pub fn run(options: &Options, mut progress: impl FnMut(&str)) -> Result<Vec<Row>, BenchError> {
    if options.rounds == 0 {
        return Err(BenchError::NoRounds);
    }
    let names = match options.only.is_empty() {
        true => USUAL.iter().map(|&name| name.to_owned()).collect(),
        false => options.only.clone(),
    };
    let mut rows = Vec::new();
    for workload in selected(&names)? {
        let run = workload.run(&options.recorder.jdk, workload.bench_scale)?;
        let run = run.time_limit(TIME_LIMIT);
        let ring = ["--max-trace", &options.size, "--when-full", "ring"];
        let (mut whole, mut within) = (Vec::new(), Vec::new());
        for round in 1..=options.rounds {
            progress(&format!("{}, round {round}", workload.name));
            whole.push(recorded(options, workload, &run, &[])?);
            within.push(recorded(options, workload, &run, &ring)?);
        }
        let row = Row {
            workload: workload.name.to_owned(),
            whole: median(&whole),
            ring: median(&within),
        };
        progress(&format!("{}: {:.2}", row.workload, row.ratio()));
        rows.push(row);
    }
    Ok(rows)
}

fn recorded(
    options: &Options,
    workload: &Workload,
    run: &Run,
    more: &[&str],
) -> Result<Duration, BenchError> {
    let folder = scratch_folder()?;
    let trace = folder.path().join("trace");
    let prefix = record_prefix(&options.recorder.executable, &trace, more);
    let run = run.clone().prefix(prefix);
    let (finished, time) = cpu_time::of_children(|| run.run())?;
    check_exit(&format!("recording {}", workload.name), &finished)?;
    Ok(time)
}

pub fn to_markdown(rows: &[Row], options: &Options) -> String {
    let mut text = format!(
        "Made by `{COMMAND} --rounds {}` on {}. CPU time (user + system, all processes) of recording in full detail, \
         medians of {} interleaved rounds: everything, and with `--max-trace {} --when-full ring`.\n\n\
         | workload | everything | ring | ring ÷ everything |\n|---|--:|--:|--:|\n",
        options.rounds,
        Machine::this(&options.recorder.jdk).describe(),
        options.rounds,
        options.size,
    );
    for row in rows {
        text += &format!(
            "| {} | {:.2} s | {:.2} s | {:.2} |\n",
            row.workload,
            row.whole.as_secs_f64(),
            row.ring.as_secs_f64(),
            row.ratio()
        );
    }
    let mean = geometric_mean(rows.iter().map(Row::ratio));
    text + &format!("| **mean** | | | **{mean:.2}** |\n")
}
