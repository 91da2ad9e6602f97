//! How a conversation goes: how many questions a person is asked until the method with the mistake is named, how much
//! there is to read, and how good the guesses are before any answer.
//!
//! The corpus has three [parts](CorpusPart): the examples with their known culprits, [mutants] of libraries and of our own
//! programs that tests find out, and real regressions between releases. Each [case](Case) is recorded once and kept;
//! then a model [person] is asked about it, who knows the truth from a run of the working version and reads every
//! question as the terminal shows it. Recording is slow and asking is quick, so that a change of a strategy can be
//! measured again and again.

mod alike;
mod asking;
mod case;
mod evidence;
mod examples;
mod mutants;
mod person;
mod ranking;
mod recordings;
mod regressed;
mod statistics;
mod subjects;
mod table;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{fs, io};

use crate::record_bench::BenchError;
use crate::strategy_bench::Recorder;

pub use asking::{AskedCase, EvidenceKind, Manner, ask_all};
pub use case::{Case, CorpusPart};
pub use evidence::evidence;
pub use table::to_markdown;

/// The command that makes the tables.
pub const COMMAND: &str = "cargo xtask bench conversation";
/// The heading above them.
pub const HEADING: &str = "Measured";
/// Which mutants are made is chance; with the same seed they are the same.
pub const SEED: u64 = 1;

/// The strategies that are compared.
pub const STRATEGIES: &[&str] = &["ranges", "belief"];

/// What is measured.
#[derive(Debug, Clone)]
pub struct Options {
    pub recorder: Recorder,
    /// The program that asks, in a process of its own.
    pub probe: PathBuf,
    /// Parts or programs; all if empty.
    pub only: Vec<String>,
    /// No more cases than this of each program.
    pub limit: Option<usize>,
    pub seed: u64,
    /// Where recordings are kept from one measurement to the next.
    pub keep: PathBuf,
    /// How the person is asked, each in turn.
    pub manners: Vec<Manner>,
}

impl Options {
    fn wants(&self, part: CorpusPart, program: &str) -> bool {
        let is_named = |name: &String| name == part.name() || name == program;
        self.only.is_empty() || self.only.iter().any(is_named)
    }
}

/// Records what is not recorded yet; `progress` is told what is being done, a line at a time.
///
/// # Errors
/// If a program cannot be fetched, compiled or recorded.
pub fn record(
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<PathBuf>, BenchError> {
    options.recorder.check()?;
    let mut cases = examples::record(options, progress)?;
    cases.extend(mutants::record(options, progress)?);
    cases.extend(regressed::record(options, progress)?);
    Ok(cases)
}

/// Asks about recorded cases in every manner. What came of it is also kept, in `results.jsonl` beside the recordings.
///
/// # Errors
/// If the probe cannot be run.
pub fn ask(options: &Options, cases: &[PathBuf]) -> Result<Vec<AskedCase>, BenchError> {
    let mut all = Vec::new();
    let mut lines = String::new();
    for manner in &options.manners {
        let output = Command::new(&options.probe)
            .arg(manner.to_string())
            .args(cases)
            .stderr(Stdio::inherit())
            .output()?;
        if !output.status.success() {
            return Err(BenchError::Failed {
                what: format!("asking by {manner}"),
                status: output.status.to_string(),
                stderr: String::new(),
            });
        }
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            all.push(serde_json::from_str(line).map_err(io::Error::from)?);
            lines += line;
            lines.push('\n');
        }
    }
    fs::write(options.keep.join("results.jsonl"), lines)?;
    Ok(all)
}
