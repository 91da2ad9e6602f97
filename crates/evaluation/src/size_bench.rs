//! What large runs cost: recording them, indexing them, looking something up, and asking to the
//! planted bug.
//!
//! Each trace is opened in a process of its own ([`probe`]), so that the memory that is measured
//! is what a person's tool would take.

mod probe;
mod report;
pub(crate) mod text;

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

pub use probe::{Probed, Times, TreeMade, make_tree, probe};
pub use report::{Report, write_into};

use crate::cpu_time;
use crate::machine::Machine;
use crate::probe_process;
use crate::record_bench::{
    BenchError, TIME_LIMIT, check_exit, folder_size, record_prefix, scratch_folder,
};
use crate::strategy_bench::Recorder;
use test_support::workloads::Large;

#[derive(Debug, Clone)]
pub struct Options {
    pub recorder: Recorder,
    /// The executable that runs [`probe`] and prints what it gives.
    pub probe: PathBuf,
    /// Names of workloads; all if empty.
    pub only: Vec<String>,
    /// Multiplies every workload's scale; 1 for a real measurement, less for a trial.
    pub scale: f64,
}

/// One large run.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub workload: String,
    pub culprit: String,
    /// From the start of the recorder to the end of the program.
    pub recorded_in: Duration,
    /// The same on all processors.
    pub recorded_cpu: Duration,
    pub trace_bytes: u64,
    pub index_bytes: u64,
    pub probed: Probed,
}

/// Measures; `progress` is told what is being done, a line at a time.
pub fn run(options: &Options, mut progress: impl FnMut(&str)) -> Result<Report, BenchError> {
    options.recorder.check()?;
    let mut rows = Vec::new();
    for large in selected(&options.only)? {
        progress(&format!("recording {}", large.workload.name));
        rows.push(measure(options, large, &mut progress)?);
    }
    Ok(Report {
        rows,
        machine: Machine::this(&options.recorder.jdk),
    })
}

fn selected(only: &[String]) -> Result<Vec<&'static Large>, BenchError> {
    if only.is_empty() {
        return Ok(Large::all().iter().collect());
    }
    let find = |name: &String| {
        let found = Large::all()
            .iter()
            .find(|large| large.workload.name == name);
        found.ok_or_else(|| BenchError::UnknownWorkload(name.clone()))
    };
    only.iter().map(find).collect()
}

fn measure(
    options: &Options,
    large: &Large,
    progress: &mut impl FnMut(&str),
) -> Result<Row, BenchError> {
    let name = large.workload.name;
    let scale = f64::from(large.workload.bench_scale) * options.scale;
    let scale = (scale.ceil() as u32).max(large.workload.test_scale);
    let folder = scratch_folder()?;
    let trace = folder.path().join("trace");
    let run = large
        .workload
        .run(&options.recorder.jdk, scale)?
        .time_limit(TIME_LIMIT)
        .prefix(record_prefix(&options.recorder.executable, &trace, &[]));
    let started = Instant::now();
    let (finished, recorded_cpu) = cpu_time::of_children(|| run.run())?;
    let recorded_in = started.elapsed();
    check_exit(&format!("recording {name}"), &finished)?;
    let trace_bytes = folder_size(&trace)?;
    progress(&format!("opening {name}"));
    let arguments = [trace.as_os_str(), OsStr::new(large.culprit)];
    let what = format!("opening {}", trace.display());
    let probed = probe_process::run(&options.probe, &arguments, &what)?;
    Ok(Row {
        workload: name.to_owned(),
        culprit: large.culprit.to_owned(),
        recorded_in,
        recorded_cpu,
        trace_bytes,
        index_bytes: folder_size(&trace)?.saturating_sub(trace_bytes),
        probed,
    })
}
