//! Askance beside a tracer on the Java Platform Debugger Architecture, as Table 1 of *Debugging with
//! Incomplete and Dynamically Generated Execution Trees* has it: how large the trace is, how long it takes until the
//! whole tree is on disk, and how soon the first question can be asked.
//!
//! The other tracer is ours too (`java/jdi-tracer`): small, but what it does per call is what such
//! a debugger cannot avoid. It is stopped after a while, and then what it got done until then is told;
//! nothing is extrapolated.

mod report;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;
use test_support::{Classes, Fixture, FixtureError, workspace_root};

pub use report::{Report, write_into};

use crate::live_bench::{now, read_log};
use crate::machine::Machine;
use crate::record_bench::{BenchError, check_library, folder_size, scratch_folder};
use crate::strategy_bench::Recorder;
use test_support::workloads::Workload;

/// Those of the paper's programs that Debian has.
const WORKLOADS: [&str; 4] = ["kxml2", "cglib", "javassist", "htmlcleaner"];

#[derive(Debug, Clone)]
pub struct Options {
    pub recorder: Recorder,
    /// A program for `--oracle-cmd` that says yes and notes the time: `ledger-oracle`.
    pub oracle: PathBuf,
    /// When the other tracer is stopped.
    pub limit: Duration,
}

/// What one of the two made of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Traced {
    /// Calls that are in the trace with their end.
    pub calls: u64,
    /// Askance: events; the other: values that were fetched.
    pub events: u64,
    pub trace_bytes: u64,
    /// From the start to the end of the program, its whole tree on disk.
    pub took: Duration,
    /// From the start to the first call that could be asked about.
    pub first_question: Duration,
    /// Whether the program came to its end.
    pub whole: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub workload: &'static str,
    /// Without anything.
    pub plain: Duration,
    pub askance: Traced,
    pub jdi: Traced,
}

/// Measures; `progress` is told what is being done, a line at a time.
pub fn run(options: &Options, mut progress: impl FnMut(&str)) -> Result<Report, BenchError> {
    let tracer = compile_tracer()?;
    let mut rows = Vec::new();
    for name in WORKLOADS {
        let workload =
            Workload::named(name).ok_or_else(|| BenchError::UnknownWorkload(name.to_owned()))?;
        check_library(workload)?;
        progress(&format!("{name} with Askance"));
        let bench = Bench {
            options,
            workload,
            folder: scratch_folder()?,
        };
        let plain = bench.plain()?;
        let askance = bench.askance()?;
        progress(&format!("{name} with JDI"));
        let jdi = bench.jdi(&tracer)?;
        rows.push(Row {
            workload: workload.name,
            plain,
            askance,
            jdi,
        });
    }
    Ok(Report {
        rows,
        limit: options.limit,
        machine: Machine::this(&options.recorder.jdk),
    })
}

fn compile_tracer() -> Result<Classes, FixtureError> {
    Fixture::new()
        .path(workspace_root().join("crates/evaluation/java/jdi-tracer"))
        .release(None)
        .compile()
}

struct Bench<'options> {
    options: &'options Options,
    workload: &'static Workload,
    folder: tempfile::TempDir,
}

/// What the other tracer prints.
#[derive(Debug, Deserialize)]
struct Printed {
    calls: u64,
    values: u64,
    first: i64,
    all: u64,
    whole: bool,
}

impl Bench<'_> {
    fn command_line(&self) -> Result<Vec<std::ffi::OsString>, BenchError> {
        let run = self
            .workload
            .run(&self.options.recorder.jdk, self.workload.test_scale)?;
        Ok(run.command_line())
    }

    fn plain(&self) -> Result<Duration, BenchError> {
        let started = Instant::now();
        let java = self.command_line()?;
        self.output(Command::new(&java[0]).args(&java[1..]))?;
        Ok(started.elapsed())
    }

    fn askance(&self) -> Result<Traced, BenchError> {
        let trace = self.folder.path().join("trace");
        let started = Instant::now();
        let mut record = Command::new(&self.options.recorder.executable);
        record.args(["record", "--record-libraries", "-o"]);
        record.arg(&trace).arg("--");
        self.output(record.args(self.command_line()?))?;
        let trace_bytes = folder_size(&trace)?;
        // Makes the tree.
        let mut info = Command::new(&self.options.recorder.executable);
        let info = self.output(info.arg("info").arg(&trace).arg("--json"))?;
        let took = started.elapsed();
        let info: Value = serde_json::from_slice(&info).map_err(std::io::Error::from)?;
        let jvm = &info["jvms"][0];
        let number = |field: &str| jvm[field].as_u64().unwrap_or(0);
        Ok(Traced {
            calls: number("calls") - number("open_calls"),
            events: number("events"),
            trace_bytes,
            took,
            first_question: self.first_question()?,
            whole: jvm["complete"] == true,
        })
    }

    /// In a live session.
    fn first_question(&self) -> Result<Duration, BenchError> {
        let log = self.folder.path().join("log");
        let oracle = format!("'{}' 0 '{}'", self.options.oracle.display(), log.display());
        let started = now();
        let mut live = Command::new(&self.options.recorder.executable);
        live.args(["debug", "--live", "--json", "--stop-when-found", "-o"])
            .arg(self.folder.path().join("live"))
            .arg("--oracle-cmd")
            .arg(oracle)
            .arg("--")
            .args(self.command_line()?);
        // It finds nothing wrong, which is not what is looked at.
        live.stdin(Stdio::null()).output()?;
        let first = read_log(&log)?.first().map_or(started, |(asked, _)| *asked);
        Ok(Duration::from_nanos(first.saturating_sub(started)))
    }

    fn jdi(&self, tracer: &Classes) -> Result<Traced, BenchError> {
        let file = self.folder.path().join("jdi");
        let java = self.command_line()?;
        let words: Vec<String> = java[1..]
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let main = words.iter().position(|word| word == "Workload");
        let (jvm, program) = words.split_at(main.unwrap_or(words.len()));
        let mut command = Command::new(self.options.recorder.jdk.java());
        command.arg("-cp").arg(tracer.dir()).arg("JdiTracer");
        command
            .arg(&file)
            .arg(self.options.limit.as_secs().to_string());
        command.arg(jvm.join(" ")).arg(program.join(" "));
        let output = self.output(&mut command)?;
        let printed: Printed = serde_json::from_slice(&output).map_err(std::io::Error::from)?;
        Ok(Traced {
            calls: printed.calls,
            events: printed.values,
            trace_bytes: file.metadata()?.len(),
            took: Duration::from_millis(printed.all),
            first_question: Duration::from_millis(printed.first.try_into().unwrap_or(printed.all)),
            whole: printed.whole,
        })
    }

    fn output(&self, command: &mut Command) -> Result<Vec<u8>, BenchError> {
        let output = command.stdin(Stdio::null()).output()?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(BenchError::Failed {
            what: self.workload.name.to_owned(),
            status: output.status.to_string(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use test_support::Jdk;

    use super::*;

    /// The other tracer sees every call of a small program, with its arguments and its result.
    #[test]
    fn the_other_tracer_sees_every_call() {
        let jdk = Jdk::compiler().unwrap();
        let tracer = compile_tracer().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let source = "public class Small { static int twice(int n) { return 2 * n; } public static void main(String[] a) { for (int n = 0; n < 5; n++) twice(n); } }";
        let program = Fixture::new()
            .source("Small.java", source)
            .compile()
            .unwrap();
        let trace = folder.path().join("trace");
        let output = Command::new(jdk.java())
            .arg("-cp")
            .arg(tracer.dir())
            .arg("JdiTracer")
            .arg(&trace)
            .arg("60")
            .arg(format!("-cp {}", program.dir().display()))
            .arg("Small")
            .output()
            .unwrap();
        let printed: Printed = serde_json::from_slice(&output.stdout).unwrap();
        assert!(printed.whole && printed.calls == 6, "{printed:?}");
        let text = std::fs::read_to_string(trace).unwrap();
        assert!(
            text.contains("enter 4 0 Small.twice(I)I 3\nexit 4 6\n"),
            "{text}"
        );
    }
}
