//! All strategies side by side, as `askance eval` counts their questions: on the examples, on recorded
//! libraries, and on trees that were made up.

mod made_up;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use debug_engine::ExecutionTree as _;
use java_model::run::JavaRun;
use serde::Deserialize;
use test_support::{Example, ExampleVersion, Run};

use super::Recorder;
use crate::record_bench::{BenchError, check_exit, record_prefix, scratch_folder};
use test_support::workloads::Workload;

pub use table::to_markdown;

/// The command that makes the table.
pub const COMMAND: &str = "cargo xtask bench strategies";

/// The recorded libraries of the table.
const LIBRARIES: [&str; 6] = [
    "kxml2",
    "cglib",
    "javassist",
    "htmlcleaner",
    "commons-lang3",
    "antlr4-runtime",
];

/// With large trees, the strategies whose next question comes fast enough to be tried on so many places.
const FAST: [&str; 9] = [
    "top-down",
    "top-down-zooming",
    "heaviest-first",
    "hat-delta-wrong",
    "dq-shapiro",
    "dq-hirunkitti",
    "dq-optimal",
    "value-tracking",
    "ranges",
];

/// How many places of a large tree the bug is put in.
const PLACES: u32 = 200;
/// Examples with more calls than this are left out: not all strategies are made for them.
const LARGEST: u32 = 1_000;

/// One column of the table: a program, or several of which the mean is taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    /// Questions on average, by strategy.
    pub averages: BTreeMap<String, f64>,
    /// The best order of questions about single calls, where it is proven.
    pub optimum: Option<f64>,
}

/// What `askance eval --json` prints for a trace, as far as it is looked at.
#[derive(Debug, Deserialize)]
struct Evaluated {
    candidates: u64,
    strategies: Vec<Counted>,
    optimum: Option<Optimum>,
}

#[derive(Debug, Deserialize)]
struct Counted {
    name: String,
    average: f64,
}

#[derive(Debug, Deserialize)]
struct Optimum {
    total: Option<u64>,
    proven: bool,
}

/// Records the programs and counts; `progress` is told what is being done, a line at a time.
pub fn run(recorder: &Recorder, mut progress: impl FnMut(&str)) -> Result<Vec<Column>, BenchError> {
    let folder = scratch_folder()?;
    let bench = Bench {
        recorder,
        folder: folder.path(),
    };
    let mut columns = vec![bench.examples(&mut progress)?];
    for (name, lines) in made_up::all() {
        progress(name);
        let trace = bench.import(name, &lines)?;
        columns.push(Column::of(name, bench.evaluate(&trace, Strategies::All)?));
    }
    for workload in LIBRARIES.iter().filter_map(|name| Workload::named(name)) {
        progress(workload.name);
        let run = workload.run(&recorder.jdk, workload.test_scale)?;
        let trace = bench.record(workload.name, &run)?;
        let evaluated = bench.evaluate(&trace, Strategies::Fast)?;
        columns.push(Column::of(workload.name, evaluated));
    }
    Ok(columns)
}

#[derive(Debug, Clone, Copy)]
enum Strategies {
    All,
    Fast,
}

struct Bench<'a> {
    recorder: &'a Recorder,
    folder: &'a Path,
}

impl Bench<'_> {
    /// The mean over the small examples that end by themselves.
    fn examples(&self, progress: &mut dyn FnMut(&str)) -> Result<Column, BenchError> {
        let mut all = Vec::new();
        for example in Example::all()? {
            if example.fixed_exit != 0 {
                continue;
            }
            progress(&example.name);
            let classes = example.compile(ExampleVersion::Fixed)?;
            let run = classes.run(&self.recorder.jdk).main_class("Main");
            let trace = self.record(&example.name, &run)?;
            if JavaRun::open(&trace, None, &mut |_, _| {})?.len() > LARGEST {
                continue;
            }
            let evaluated = self.evaluate(&trace, Strategies::All)?;
            all.push(Column::of(&example.name, evaluated));
        }
        Ok(Column::mean(&format!("{} examples", all.len()), &all))
    }

    fn record(&self, name: &str, run: &Run) -> Result<PathBuf, BenchError> {
        let trace = self.folder.join(name);
        let prefix = record_prefix(&self.recorder.executable, &trace, &["--detail", "full"]);
        let finished = run.clone().prefix(prefix).run()?;
        check_exit(&format!("recording {name}"), &finished)?;
        Ok(trace)
    }

    fn import(&self, name: &str, lines: &str) -> Result<PathBuf, BenchError> {
        let file = self.folder.join(format!("{name}.jsonl"));
        let trace = self.folder.join(name);
        std::fs::write(&file, lines)?;
        let mut command = Command::new(&self.recorder.executable);
        command.arg("import").arg(&file).arg("-o").arg(&trace);
        output_of(&format!("importing {name}"), command)?;
        Ok(trace)
    }

    fn evaluate(&self, trace: &Path, strategies: Strategies) -> Result<Evaluated, BenchError> {
        let mut command = Command::new(&self.recorder.executable);
        command.arg("eval").arg(trace).arg("--json");
        if let Strategies::Fast = strategies {
            command.args(["--sample", &PLACES.to_string()]);
            command.args(["--strategies", &FAST.join(",")]);
        }
        let what = format!("askance eval {}", trace.display());
        let json = output_of(&what, command)?;
        serde_json::from_slice(&json).map_err(|error| BenchError::Failed {
            what,
            status: error.to_string(),
            stderr: String::from_utf8_lossy(&json).into_owned(),
        })
    }
}

impl Column {
    fn of(name: &str, evaluated: Evaluated) -> Self {
        let places = evaluated.candidates as f64;
        let counted = evaluated.strategies.into_iter();
        Column {
            name: name.to_owned(),
            averages: counted.map(|one| (one.name, one.average)).collect(),
            optimum: evaluated
                .optimum
                .filter(|optimum| optimum.proven)
                .and_then(|optimum| Some(optimum.total? as f64 / places)),
        }
    }

    /// Of strategies that were tried on all of them.
    fn mean(name: &str, all: &[Column]) -> Self {
        let mean = |of: &dyn Fn(&Column) -> Option<f64>| -> Option<f64> {
            let sum: Option<f64> = all.iter().map(of).sum();
            sum.map(|sum| sum / all.len() as f64)
        };
        let names = all.first().into_iter().flat_map(|one| one.averages.keys());
        let averages = names.filter_map(|name| {
            let average = mean(&|column| column.averages.get(name).copied())?;
            Some((name.clone(), average))
        });
        Column {
            name: name.to_owned(),
            averages: averages.collect(),
            optimum: mean(&|column| column.optimum),
        }
    }
}

fn output_of(what: &str, mut command: Command) -> Result<Vec<u8>, BenchError> {
    let output = command.stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(BenchError::Failed {
        what: what.to_owned(),
        status: output.status.to_string(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}
