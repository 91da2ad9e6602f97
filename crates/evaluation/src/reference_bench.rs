//! Whether a version that works finds the mistake in a broken one, without a person.
//!
//! The examples bring both versions. Of libraries, mutants are made: one instruction replaced, in code
//! that the library's workload runs. A mutant counts if the workload then ends, and prints something else
//! or ends differently. Each is debugged as a user would: `askance debug --experiments on --reference ORIGINAL --
//! java …`, and what that prints at its end is compared with what was changed.

mod example_trial;
mod mutant_trial;
mod table;
mod verdict;

use std::time::Duration;

use crate::record_bench::BenchError;
use crate::strategy_bench::Recorder;
use test_support::workloads::Workload;

pub use table::to_markdown;

/// The command that makes the table.
pub const COMMAND: &str = "cargo xtask bench reference";

/// The libraries, and how many mutants are made of each.
const LIBRARIES: [(&str, usize); 5] = [
    ("jsoup", 9),
    ("commons-lang3", 9),
    ("commons-math3", 9),
    ("htmlcleaner", 9),
    ("antlr4-runtime", 9),
];

/// Debugging one may take this long.
const DEBUG_LIMIT: Duration = Duration::from_secs(300);

/// What came of one program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    pub program: &'static str,
    pub mistakes: Vec<Mistake>,
    pub tried: Tried,
}

/// Mutants that say nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tried {
    /// The workload printed the same.
    pub same: usize,
    /// It did not end.
    pub endless: usize,
}

/// One mistake, and what was said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// `a.b.C.method(I)V`, and the lines that are wrong: any of them will do.
    pub method: String,
    pub lines: Vec<u32>,
    pub what: String,
    pub outcome: String,
    /// The method that was named, and its lines.
    pub named: String,
    pub named_lines: Vec<u32>,
    pub person: u64,
    /// Whether experiments have shown it, and how many times a version was run for that.
    pub verified: bool,
    pub experiments: usize,
}

impl Trial {
    fn new(program: &'static str) -> Trial {
        Trial {
            program,
            mistakes: Vec::new(),
            tried: Tried::default(),
        }
    }
}

impl Mistake {
    fn new(method: String, lines: Vec<u32>, what: String) -> Mistake {
        Mistake {
            method,
            lines,
            what,
            outcome: String::new(),
            named: String::new(),
            named_lines: Vec::new(),
            person: 0,
            verified: false,
            experiments: 0,
        }
    }

    fn is_found(&self) -> bool {
        self.outcome.starts_with("found")
    }

    fn names_method(&self) -> bool {
        self.is_found() && self.named == self.method
    }

    fn names_line(&self) -> bool {
        let is_named = |line: &u32| self.named_lines.contains(line);
        self.names_method() && self.lines.iter().any(is_named)
    }
}

/// Debugs the examples and mutants of the libraries; `progress` is told what came of each, a line at a
/// time.
pub fn run(
    recorder: &Recorder,
    only: &[String],
    mut progress: impl FnMut(&str),
) -> Result<Vec<Trial>, BenchError> {
    let wants = |name: &str| only.is_empty() || only.iter().any(|one| one == name);
    let mut trials = Vec::new();
    if wants(example_trial::NAME) {
        trials.push(example_trial::run(recorder, &mut progress)?);
    }
    for (library, wanted) in LIBRARIES {
        let workload = Workload::named(library).filter(|workload| workload.is_available());
        if let Some(workload) = workload.filter(|_| wants(library)) {
            trials.push(mutant_trial::run(
                recorder,
                workload,
                wanted,
                &mut progress,
            )?);
        }
    }
    Ok(trials)
}
