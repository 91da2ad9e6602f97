//! Whether the tree of a run is made as fast as one thread can be recorded: both in turn, several times.
//!
//! On a machine whose memory and disk are shared either may take half as long again as the time before, so neither is
//! measured without the other, and medians are compared.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::cpu_time;
use crate::machine::Machine;
use crate::probe_process;
use crate::record_bench::{
    BenchError, TIME_LIMIT, check_exit, median, record_prefix, scratch_folder,
};
use crate::size_bench::TreeMade;
use crate::size_bench::text::rate;
use crate::strategy_bench::Recorder;
use test_support::workloads::{Large, Workload};

pub const COMMAND: &str = "cargo xtask bench keep-up";
pub const HEADING: &str = "Making the tree as fast as a thread is recorded";

/// By how much the usual scale is multiplied: calls that do nothing come fastest, so there must be many of them for
/// the start of the JVM not to count.
const WORKLOADS: &[(&str, u32)] = &[("fib", 3), ("mergesort", 1), ("kxml2", 1), ("ledger", 1)];

#[derive(Debug, Clone)]
pub struct Options {
    pub recorder: Recorder,
    /// The executable that opens a trace ([`crate::size_bench::make_tree`]).
    pub probe: PathBuf,
    pub rounds: usize,
    /// Multiplies every workload's scale; 1 for a real measurement, less for a trial.
    pub scale: f64,
}

/// By the clock and on all processors; medians over the rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    workload: &'static str,
    calls: u64,
    recorded: [Duration; 2],
    tree: [Duration; 2],
}

/// Measures; `progress` is told what is being done, a line at a time.
pub fn run(options: &Options, mut progress: impl FnMut(&str)) -> Result<Vec<Row>, BenchError> {
    options.recorder.check()?;
    if options.rounds == 0 {
        return Err(BenchError::NoRounds);
    }
    let mut rows = Vec::new();
    for &(name, factor) in WORKLOADS {
        let unknown = || BenchError::UnknownWorkload(name.to_owned());
        let workload = find(name).ok_or_else(unknown)?;
        rows.push(measure(options, workload, factor, &mut progress)?);
    }
    Ok(rows)
}

fn find(name: &str) -> Option<&'static Workload> {
    let large = Large::all().iter().map(|large| &large.workload);
    Workload::named(name).or_else(|| large.into_iter().find(|workload| workload.name == name))
}

fn measure(
    options: &Options,
    workload: &'static Workload,
    factor: u32,
    progress: &mut impl FnMut(&str),
) -> Result<Row, BenchError> {
    let name = workload.name;
    let scale = f64::from(workload.bench_scale * factor) * options.scale;
    let scale = (scale.ceil() as u32).max(workload.test_scale);
    let run = workload.run(&options.recorder.jdk, scale)?;
    let run = run.time_limit(TIME_LIMIT);
    let [mut recorded, mut tree] = [[vec![], vec![]], [vec![], vec![]]];
    let mut calls = 0;
    for round in 1..=options.rounds {
        progress(&format!("{name}, round {round}"));
        let folder = scratch_folder()?;
        let trace = folder.path().join("trace");
        let prefix = record_prefix(&options.recorder.executable, &trace, &[]);
        touch_memory();
        let started = Instant::now();
        let (finished, cpu) = cpu_time::of_children(|| run.clone().prefix(prefix).run())?;
        recorded[0].push(started.elapsed());
        recorded[1].push(cpu);
        check_exit(&format!("recording {name}"), &finished)?;
        // What the one leaves to be written to the disk must not slow the other down.
        nix::unistd::sync();
        let what = format!("opening {}", trace.display());
        let arguments = [OsStr::new(&trace)];
        touch_memory();
        let made: TreeMade = probe_process::run(&options.probe, &arguments, &what)?;
        tree[0].push(made.clock);
        tree[1].push(made.cpu);
        calls = made.calls;
        drop(folder);
        nix::unistd::sync();
    }
    Ok(Row {
        workload: name,
        calls,
        recorded: recorded.map(|times| median(&times)),
        tree: tree.map(|times| median(&times)),
    })
}

/// Has the system find memory, and give it back, before something is measured that will need it. What a virtual machine
/// takes from its host for the first time costs more than all that is done with it, and whatever comes second would pay
/// for it.
fn touch_memory() {
    const BYTES: usize = 8 << 30;
    const PAGE: usize = 4096;
    let mut memory = vec![0u8; BYTES];
    for at in (0..BYTES).step_by(PAGE) {
        memory[at] = 1;
    }
    std::hint::black_box(memory);
}

pub fn to_markdown(rows: &[Row], options: &Options) -> String {
    let mut text = format!(
        "Made by `{COMMAND} --rounds {rounds}` on {}. A run is recorded and then its tree is made, {rounds} times in turn; \
         medians, by the clock and in CPU time (user + system, all processes). Before each, memory is touched and given \
         back, so that neither pays for what a virtual machine gets from its host. Recording begins with the start of the \
         JVM; the tree is complete when every call can be asked about. *fib* does nothing but call itself.\n\n\
         | workload | calls | recorded in | its CPU time | tree made in | its CPU time | calls recorded | calls indexed |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n",
        Machine::this(&options.recorder.jdk).describe(),
        rounds = options.rounds,
    );
    for row in rows {
        let [recorded, recorded_cpu] = row.recorded.map(|time| time.as_secs_f64());
        let [tree, tree_cpu] = row.tree.map(|time| time.as_secs_f64());
        let _ = writeln!(
            text,
            "| {} | {} | {recorded:.2} s | {recorded_cpu:.2} s | {tree:.2} s | {tree_cpu:.2} s | {} | {} |",
            row.workload,
            row.calls,
            rate(row.calls, row.recorded[0]),
            rate(row.calls, row.tree[0]),
        );
    }
    text
}
