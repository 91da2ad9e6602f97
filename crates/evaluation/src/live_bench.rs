//! Asking while a large run goes on: the run *ledger*, with its bug in the first quarter, is debugged
//! live, killed in the middle, and when it is complete. The culprit must be the same each time.
//!
//! A program answers in a person's place, through `--oracle-cmd`, and notes the time: so what is
//! measured is what somebody at the keyboard would wait, and a little more.

mod report;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use trace_format::files;

pub use report::{Report, write_into};

use crate::machine::Machine;
use crate::peak_memory::PeakMemory;
use crate::record_bench::{BenchError, scratch_folder};
use crate::size_bench::Times;
use crate::strategy_bench::Recorder;
use test_support::workloads::Large;

/// A person notices when the next question takes longer.
const LATE: Duration = Duration::from_millis(50);

/// The run that is debugged.
const WORKLOAD: &str = "ledger";

#[derive(Debug, Clone)]
pub struct Options {
    pub recorder: Recorder,
    /// The `ledger-oracle` executable.
    pub oracle: PathBuf,
    /// Multiplies the run's scale; 1 for a real measurement, less for a trial.
    pub scale: f64,
}

/// One way of debugging the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub way: &'static str,
    /// Of the whole trace in the end.
    pub trace_bytes: u64,
    /// From the start of the tool, which starts the JVM if the run is live, to the first question.
    pub first_question: Duration,
    /// From an answer to the next question.
    pub next_question: Times,
    /// Questions that took longer than [`LATE`].
    pub late: usize,
    pub questions: usize,
    /// Of the tool, at its peak, without and with mapped pages of files.
    pub own_memory: u64,
    pub resident_memory: u64,
    /// `Class.method`, if one was found.
    pub culprit: Option<String>,
}

/// Measures; `progress` is told what is being done, a line at a time.
pub fn run(options: &Options, mut progress: impl FnMut(&str)) -> Result<Report, BenchError> {
    let large = Large::all()
        .iter()
        .find(|large| large.workload.name == WORKLOAD)
        .ok_or_else(|| BenchError::UnknownWorkload(WORKLOAD.to_owned()))?;
    let days = f64::from(large.workload.bench_scale) * options.scale;
    let days = (days.ceil() as u32).max(large.workload.test_scale);
    let bench = Bench {
        options,
        java: large
            .workload
            .run(&options.recorder.jdk, days)?
            .arg((days / 4).to_string())
            .command_line(),
        day: days / 4,
        folder: scratch_folder()?,
    };
    progress("debugging ledger while it runs");
    let live = bench.live()?;
    progress("debugging it complete");
    let complete = bench.ask("complete", &bench.path("live"))?;
    progress("recording it again, to be killed in the middle");
    bench.record_and_kill(live.trace_bytes / 2)?;
    let killed = bench.ask("killed in the middle", &bench.path("killed"))?;
    Ok(Report {
        rows: vec![live, complete, killed],
        expected: large.culprit.to_owned(),
        machine: Machine::this(&options.recorder.jdk),
    })
}

struct Bench<'options> {
    options: &'options Options,
    /// The command line of the program.
    java: Vec<OsString>,
    day: u32,
    folder: tempfile::TempDir,
}

impl Bench<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn live(&self) -> Result<Row, BenchError> {
        let trace = self.path("live");
        let mut command = Command::new(&self.options.recorder.executable);
        command.args(["debug", "--live", "-o"]).arg(&trace);
        self.measure("live", command, &trace, &self.java)
    }

    fn ask(&self, way: &'static str, trace: &Path) -> Result<Row, BenchError> {
        let mut command = Command::new(&self.options.recorder.executable);
        command.arg("ask").arg(trace);
        self.measure(way, command, trace, &[])
    }

    fn measure(
        &self,
        way: &'static str,
        mut command: Command,
        trace: &Path,
        java: &[OsString],
    ) -> Result<Row, BenchError> {
        let log = self.path(&format!("{way}.log"));
        let oracle = format!(
            "'{}' {} '{}'",
            self.options.oracle.display(),
            self.day,
            log.display()
        );
        command.args(["--json", "--strategy", "dq-hirunkitti", "--oracle-cmd"]);
        command.arg(oracle);
        if !java.is_empty() {
            command.arg("--").args(java);
        }
        let started = now();
        let tool = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let memory = PeakMemory::watch(tool.id());
        let output = tool.wait_with_output()?;
        let asked = read_log(&log)?;
        let first = asked.first().map_or(started, |(asked_at, _)| *asked_at);
        let next = asked.windows(2).map(|pair| since(pair[1].0, pair[0].1));
        let next: Vec<Duration> = next.collect();
        Ok(Row {
            way,
            trace_bytes: chunks_size(trace),
            first_question: since(first, started),
            late: next.iter().filter(|&&taken| taken > LATE).count(),
            next_question: Times::of(next),
            questions: asked.len(),
            own_memory: memory.own(),
            resident_memory: memory.resident(),
            culprit: culprit(way, &output)?,
        })
    }

    /// Records until the trace has grown to so many bytes, then kills the JVM.
    fn record_and_kill(&self, bytes: u64) -> Result<(), BenchError> {
        let trace = self.path("killed");
        let mut recorder = Command::new(&self.options.recorder.executable)
            .args(["record", "-o"])
            .arg(&trace)
            .arg("--")
            .args(&self.java)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        while recorder.try_wait()?.is_none() {
            if chunks_size(&trace) >= bytes {
                for process in jvms(&trace) {
                    Command::new("kill").args(["-9", &process]).status()?;
                }
                recorder.wait()?;
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}

/// The folders of a trace's JVMs are named after their processes.
fn jvms(trace: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(trace).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names
        .filter_map(|name| Some(name.strip_prefix("jvm-")?.to_owned()))
        .collect()
}

fn chunks_size(trace: &Path) -> u64 {
    let jvms = jvms(trace).into_iter();
    let chunks = jvms.map(|process| trace.join(format!("jvm-{process}")).join(files::CHUNKS));
    chunks
        .map(|chunks| chunks.metadata().map_or(0, |chunks| chunks.len()))
        .sum()
}

fn culprit(way: &str, output: &Output) -> Result<Option<String>, BenchError> {
    let text = String::from_utf8_lossy(&output.stdout);
    let verdict = text.lines().last().unwrap_or_default();
    let Ok(verdict) = serde_json::from_str::<Value>(verdict) else {
        return Err(BenchError::Failed {
            what: format!("debugging {WORKLOAD} {way}"),
            status: output.status.to_string(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        });
    };
    let name = |field: &str| verdict[field].as_str().map(str::to_owned);
    let found = verdict["outcome"] == "found";
    Ok(name("class")
        .zip(name("method"))
        .filter(|_| found)
        .map(|(class, method)| format!("{class}.{method}")))
}

/// When questions came and were answered, in nanoseconds.
pub(crate) fn read_log(log: &Path) -> Result<Vec<(u64, u64)>, BenchError> {
    let text = match std::fs::read_to_string(log) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        text => text?,
    };
    let pair = |line: &str| {
        let (asked, answered) = line.split_once(' ')?;
        Some((asked.parse().ok()?, answered.parse().ok()?))
    };
    Ok(text.lines().filter_map(pair).collect())
}

fn since(later: u64, earlier: u64) -> Duration {
    Duration::from_nanos(later.saturating_sub(earlier))
}

/// A clock that two processes share, in nanoseconds.
pub fn now() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    time.map_or(0, |time| time.as_nanos() as u64)
}

/// Whether a call of the run is right, by what `--oracle-cmd` is told: one that makes the large
/// transfer of this day is not, directly or through others; nor is the one that works out its fee.
pub fn is_right(question: &Value, day: u32) -> bool {
    let before = |name: &str| -> Option<i64> { question["before"][name].as_str()?.parse().ok() };
    let day = i64::from(day);
    match question["method"].as_str() {
        Some("main" | "large") => false,
        Some("year" | "month") => !(before("first")..before("end")).contains(&Some(day)),
        Some("day") => before("day") != Some(day),
        Some("transfer") => before("amount") != Some(100_000),
        _ => true,
    }
}
