//! Whether the working version of a library finds the mistake in a broken one, without a person.
//!
//! A mutant is a library with one instruction exchanged, in code that the library's workload runs. It
//! counts if the workload then ends and prints something else, or ends differently. It is debugged as a
//! user would: `askance debug --reference ORIGINAL -- java …`, and what that prints at its end is
//! compared with what was changed.

mod bytecode_mutation;

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use askance::source::run::JavaRun;
use bytecode_mutation::{Exchange, exchanged, exchanges};
use classfile::{ClassFile, opcode};
use debug_engine::{ExecutionTree as _, NodeId};
use frame_replay::{Coverage, Program};
use serde::Deserialize;
use test_support::{Finished, Run};
use trace_format::MethodId;

use crate::record_bench::{BenchError, check_exit, record_prefix, scratch_folder};
use crate::strategy_bench::Recorder;
use crate::workloads::Workload;

/// The command that makes the table.
pub const COMMAND: &str = "cargo xtask bench reference";

/// The libraries, and how many mutants are made of each.
const LIBRARIES: [(&str, usize); 5] = [
    ("kxml2", 9),
    ("jsoup", 9),
    ("commons-lang3", 9),
    ("commons-math3", 9),
    ("htmlcleaner", 9),
];

/// A mutant that takes longer does not end.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// Debugging one may take this long.
const DEBUG_LIMIT: Duration = Duration::from_secs(300);
/// No more mutants than this are tried for each that counts.
const TRIES: usize = 12;

/// What came of one mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    pub library: &'static str,
    /// `a.b.C.method`, and the line that was changed.
    pub method: String,
    pub line: u32,
    pub change: String,
    pub calls: u32,
    pub outcome: String,
    /// The method that was named.
    pub named: String,
    pub lines: Vec<u32>,
    pub person: u64,
}

impl Mutant {
    fn is_found(&self) -> bool {
        self.outcome == "found"
    }

    fn names_method(&self) -> bool {
        self.is_found() && self.named == self.method
    }

    fn names_line(&self) -> bool {
        self.names_method() && self.lines.contains(&self.line)
    }
}

/// What `askance debug --json` ends with, as far as it is looked at.
#[derive(Debug, Deserialize)]
struct Verdict {
    outcome: String,
    #[serde(default)]
    class: String,
    #[serde(default)]
    method: String,
    #[serde(default)]
    descriptor: String,
    #[serde(default)]
    lines: Vec<u32>,
    questions: Questions,
}

#[derive(Debug, Deserialize)]
struct Questions {
    person: u64,
}

/// Makes the mutants and debugs them; `progress` is told what came of each, a line at a time.
pub fn run(
    recorder: &Recorder,
    only: &[String],
    mut progress: impl FnMut(&str),
) -> Result<Vec<Mutant>, BenchError> {
    let mut mutants = Vec::new();
    for (library, wanted) in LIBRARIES {
        let workload = Workload::named(library);
        let Some(workload) =
            workload.filter(|_| only.is_empty() || only.iter().any(|name| name == library))
        else {
            continue;
        };
        let original = Original::new(recorder, workload)?;
        let mut found = 0;
        for candidate in original.candidates().into_iter().take(wanted * TRIES) {
            if found == wanted {
                break;
            }
            if let Some(mutant) = original.debug(library, &candidate)? {
                progress(&format!("{mutant:?}"));
                mutants.push(mutant);
                found += 1;
            }
        }
    }
    Ok(mutants)
}

/// A library's workload as it should be.
struct Original<'a> {
    recorder: &'a Recorder,
    workload: &'static Workload,
    run: JavaRun,
    expected: Finished,
    _folder: tempfile::TempDir,
}

/// A change that could be made.
struct Candidate {
    method: MethodId,
    exchange: Exchange,
}

impl<'a> Original<'a> {
    fn new(recorder: &'a Recorder, workload: &'static Workload) -> Result<Self, BenchError> {
        let run = workload.run(&recorder.jdk, workload.test_scale)?;
        let expected = run.run()?;
        let folder = scratch_folder()?;
        let trace = folder.path().join("trace");
        let prefix = record_prefix(&recorder.executable, &trace, Some("full"));
        check_exit("recording", &run.prefix(prefix).run()?)?;
        Ok(Original {
            recorder,
            workload,
            run: JavaRun::open(&trace, None, &mut |_, _| {})?,
            expected,
            _folder: folder,
        })
    }

    /// Changes on lines that the workload came to, those of different methods first, in an order that
    /// never changes.
    fn candidates(&self) -> Vec<Candidate> {
        let program = Program::of(self.run.trace());
        let mut first_calls: Vec<(MethodId, NodeId)> = Vec::new();
        let mut seen = HashSet::new();
        for node in (0..self.run.len()).map(NodeId) {
            let method = self.run.method(node);
            if seen.insert(method) {
                first_calls.push((method, node));
            }
        }
        let mut all: Vec<(u64, Candidate)> = Vec::new();
        for (method, node) in first_calls {
            let names = self.run.method_names(method);
            if names.class.starts_with("Workload") || names.class.starts_with("PathGrammar") {
                continue;
            }
            let covered = self.run.call_id(node);
            let covered = covered.and_then(|id| Coverage::of(self.run.trace(), &program, id).ok());
            let Some(covered) = covered else { continue };
            let ran = |line: u32| covered.lines.iter().any(|&one| u32::from(one) == line);
            let Some((class, index)) = self.class_of(method) else {
                continue;
            };
            for exchange in exchanges(&class, index, &ran) {
                let mut hash = DefaultHasher::new();
                (names.class, names.name, names.descriptor, exchange.pc).hash(&mut hash);
                all.push((hash.finish(), Candidate { method, exchange }));
            }
        }
        all.sort_by_key(|(order, _)| *order);
        let mut seen = HashSet::new();
        let (first, rest): (Vec<_>, Vec<_>) = all
            .into_iter()
            .map(|(_, candidate)| candidate)
            .partition(|candidate| seen.insert(candidate.method));
        first.into_iter().chain(rest).collect()
    }

    fn class_of(&self, method: MethodId) -> Option<(ClassFile, usize)> {
        let symbol = self.run.trace().symbols().method(method)?;
        let bytes = self.run.trace().class_file(symbol.symbol.class).ok()??;
        Some((ClassFile::parse(&bytes).ok()?, symbol.symbol.index.into()))
    }

    /// Makes a mutant and debugs it; `None` if it is none.
    fn debug(
        &self,
        library: &'static str,
        candidate: &Candidate,
    ) -> Result<Option<Mutant>, BenchError> {
        let names = self.run.method_names(candidate.method);
        let changed = self
            .class_of(candidate.method)
            .and_then(|(class, index)| exchanged(&class, index, &candidate.exchange));
        let Some(changed) = changed else {
            return Ok(None);
        };
        let folder = scratch_folder()?;
        let classes = folder.path().join("classes");
        let file = classes.join(format!("{}.class", names.class));
        fs::create_dir_all(file.parent().unwrap_or(&classes))?;
        fs::write(&file, changed)?;
        let mutant = self.command(&[classes])?;
        let finished = mutant.clone().time_limit(TIME_LIMIT).run()?;
        let is_same = finished.stdout == self.expected.stdout
            && finished.exit_code() == self.expected.exit_code();
        if finished.timed_out || is_same {
            return Ok(None);
        }
        let trace = folder.path().join("trace");
        let prefix = self.debug_prefix(&trace)?;
        let said = mutant.prefix(prefix).time_limit(DEBUG_LIMIT).run()?;
        let text = said.stdout_text();
        let verdict = text.lines().last().map(serde_json::from_str::<Verdict>);
        let exchange = &candidate.exchange;
        let name = |class: &str, method: &str, descriptor: &str| {
            format!("{}.{method}{descriptor}", class.replace('/', "."))
        };
        let mut row = Mutant {
            library,
            method: name(names.class, names.name, names.descriptor),
            line: exchange.line,
            change: format!(
                "{} → {}",
                opcode::name(exchange.from),
                opcode::name(exchange.to)
            ),
            calls: self.run.len(),
            outcome: "no verdict".to_owned(),
            named: String::new(),
            lines: Vec::new(),
            person: 0,
        };
        if let Some(Ok(verdict)) = verdict {
            row.named = name(&verdict.class, &verdict.method, &verdict.descriptor);
            row.outcome = verdict.outcome;
            row.lines = verdict.lines;
            row.person = verdict.questions.person;
        }
        Ok(Some(row))
    }

    /// The workload, with these folders before the library.
    fn command(&self, before: &[PathBuf]) -> Result<Run, BenchError> {
        let workload = self.workload;
        let mut run = workload
            .compile()?
            .run(&self.recorder.jdk)
            .class_path(before)
            .class_path(workload.library_class_path());
        for arg in workload.jvm_args {
            run = run.jvm_arg(*arg);
        }
        Ok(run
            .main_class("Workload")
            .arg(workload.test_scale.to_string()))
    }

    fn debug_prefix(&self, trace: &Path) -> Result<Vec<OsString>, BenchError> {
        let mut reference = vec![self.workload.compile()?.dir()];
        reference.extend(self.workload.library_class_path());
        let reference = std::env::join_paths(reference).unwrap_or_default();
        let mut words: Vec<OsString> = vec![self.recorder.executable.clone().into()];
        words.extend(["debug", "--json", "--non-interactive", "-o"].map(OsString::from));
        words.extend([trace.into(), "--reference".into(), reference, "--".into()]);
        Ok(words)
    }
}

/// The table for `docs/benchmarks.md`.
pub fn to_markdown(mutants: &[Mutant]) -> String {
    let mut text = format!(
        "Made by `{COMMAND}`: {} mutants, each a library with one instruction exchanged, debugged with \
         `--reference` and nobody to ask.\n\n\
         | library | mutants | found | the changed method | the changed line in `lines` | `lines` (median) | questions to a person |\n\
         |---|--:|--:|--:|--:|--:|--:|\n",
        mutants.len()
    );
    for (library, _) in LIBRARIES {
        let of_library: Vec<&Mutant> = mutants
            .iter()
            .filter(|mutant| mutant.library == library)
            .collect();
        text += &line(library, &of_library);
    }
    text += &line("**all**", &mutants.iter().collect::<Vec<_>>());
    let missed: Vec<&Mutant> = mutants.iter().filter(|one| !one.names_line()).collect();
    if !missed.is_empty() {
        text += "\nMissed:\n\n";
    }
    for mutant in missed {
        let _ = writeln!(
            text,
            "- {}: `{}` line {} ({}): {}{}",
            mutant.library,
            mutant.method,
            mutant.line,
            mutant.change,
            mutant.outcome,
            if mutant.is_found() {
                format!(", `{}` lines {:?}", mutant.named, mutant.lines)
            } else {
                String::new()
            }
        );
    }
    text
}

fn line(name: &str, mutants: &[&Mutant]) -> String {
    let count = |is: &dyn Fn(&Mutant) -> bool| mutants.iter().filter(|one| is(one)).count();
    let mut lengths: Vec<usize> = mutants
        .iter()
        .filter(|one| one.is_found())
        .map(|one| one.lines.len())
        .collect();
    lengths.sort_unstable();
    let median = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
    let person: u64 = mutants.iter().map(|one| one.person).sum();
    format!(
        "| {name} | {} | {} | {} | {} | {median} | {person} |\n",
        mutants.len(),
        count(&Mutant::is_found),
        count(&Mutant::names_method),
        count(&Mutant::names_line),
    )
}
