//! Programs with known mistakes in them (Table 1 of *JHyde*): how many questions it takes to find the
//! method that was changed.
//!
//! A mutant counts if it compiles, ends, and prints something else than the program that it was made
//! from. Questions are answered by that program's run: the [reference oracle](inquiry::oracle::reference::Reference) compares what
//! calls with the same input did. Where the runs have nothing in common any more, a call is wrong if a
//! call in it is that went wrong by itself: one of the changed method, known to be wrong or, if that
//! is not known either, one that came to the changed line.

use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use debug_engine::strategy::{self, CoverageMetric};
use debug_engine::{ExecutionTree, Session};
use java_analysis::coverage::CallCoverage;
use java_model::run::JavaRun;
use test_support::{Example, ExampleVersion, Finished, Fixture, Run};
use trace_format::MethodId;

use super::guidance::{self, Guided};
use super::mutation::{Mutation, mutations};
use super::truth::{Truth, is_called, search};
use super::{Recorded, Recorder};
use crate::record_bench::BenchError;

/// The command that makes the table.
pub const COMMAND: &str = "cargo xtask bench mutants";

/// The strategies of the table; the first four are the paper's.
pub const STRATEGIES: [&str; 7] = [
    "top-down",
    "dq-hirunkitti",
    "def-use-coverage",
    "edge-coverage",
    "def-use-ranges",
    "edge-ranges",
    "ranges",
];

/// The best average of the paper, by edge coverage.
const PAPER: f64 = 7.66;
/// The paper's average number of calls.
const PAPER_CALLS: f64 = 119.61;

/// A program of ours, the file that is changed, and how many mutants are made of it.
pub(super) const PROGRAMS: &[(&str, &str, usize)] = &[
    ("avl-tree", "AvlTree.java", 10),
    ("binary-tree", "SearchTree.java", 8),
    ("b-tree", "BTree.java", 8),
    ("heap-sort", "HeapSort.java", 8),
    ("hash-table", "HashTable.java", 8),
];

/// A mutant that takes longer does not end.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(5);
/// With more calls than this a mutant has run away.
pub(super) const MOST_CALLS: u32 = 20_000;

/// What was asked about one mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    pub program: &'static str,
    pub line: u32,
    pub calls: u32,
    /// Questions, by strategy.
    pub questions: [usize; STRATEGIES.len()],
    /// How many strategies named a call of the changed method.
    pub found: usize,
    /// The default, told where to look or what is quick to read.
    pub guided: Vec<Guided>,
}

/// Makes and records the mutants; `progress` is told what is being done, a line at a time.
pub fn run(recorder: &Recorder, mut progress: impl FnMut(&str)) -> Result<Vec<Mutant>, BenchError> {
    let mut mutants = Vec::new();
    for &(program, file, wanted) in PROGRAMS {
        let example = Example::named(program)?;
        let source = example.source_dir(ExampleVersion::Fixed);
        let original = example.compile(ExampleVersion::Fixed)?.run(&recorder.jdk);
        let original = original.main_class("Main").time_limit(TIME_LIMIT);
        let expected = original.run()?;
        let reference = recorder.record(program, &original)?;
        let text = fs::read_to_string(source.join(file))?;
        let mut found = 0;
        for mutation in mutations(&text) {
            if found == wanted {
                break;
            }
            let Some(run) = compile(recorder, &example, file, &mutation)? else {
                continue;
            };
            if !is_different(&run.run()?, &expected) {
                continue;
            }
            let recorded = recorder.record(program, &run)?;
            if let Some(mutant) = measure(program, file, &mutation, &recorded, &reference)? {
                progress(&format!(
                    "{program} line {}: {} calls, questions {:?}, {} found it",
                    mutant.line, mutant.calls, mutant.questions, mutant.found
                ));
                mutants.push(mutant);
                found += 1;
            }
        }
    }
    Ok(mutants)
}

fn compile(
    recorder: &Recorder,
    example: &Example,
    file: &str,
    mutation: &Mutation,
) -> Result<Option<Run>, BenchError> {
    let mut fixture = Fixture::new().source(file, &mutation.text);
    for entry in fs::read_dir(example.source_dir(ExampleVersion::Fixed))? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name != file) {
            fixture = fixture.path(path);
        }
    }
    // What does not compile is no mutant.
    let Ok(classes) = fixture.compile() else {
        return Ok(None);
    };
    let run = classes.run(&recorder.jdk).main_class("Main");
    Ok(Some(run.time_limit(TIME_LIMIT)))
}

fn is_different(finished: &Finished, expected: &Finished) -> bool {
    !finished.timed_out
        && (finished.stdout != expected.stdout || finished.exit_code() != expected.exit_code())
}

/// `None` if the run came to nothing that could be blamed.
fn measure(
    program: &'static str,
    file: &str,
    mutation: &Mutation,
    recorded: &Recorded,
    reference: &Recorded,
) -> Result<Option<Mutant>, BenchError> {
    let run = &recorded.run;
    let changed = changed_method(run, file, mutation.line);
    let Some(changed) = changed.filter(|_| run.len() <= MOST_CALLS) else {
        return Ok(None);
    };
    let mut truth = Truth::new(recorded, reference, changed, mutation.line);
    if truth.infected.is_empty() {
        return Ok(None);
    }
    let mut mutant = Mutant {
        program,
        line: mutation.line,
        calls: run.len(),
        questions: [0; STRATEGIES.len()],
        found: 0,
        guided: Vec::new(),
    };
    for (number, strategy) in STRATEGIES.into_iter().enumerate() {
        let cover = |session: &mut Session| {
            for metric in CoverageMetric::ALL {
                let coverage = CallCoverage::new(Arc::clone(run), metric);
                session.set_coverage(metric, Arc::new(coverage), None);
            }
        };
        let (asked, blamed) = search(recorded, strategy, &mut truth, cover);
        let questions = asked.len();
        mutant.questions[number] = questions;
        mutant.found += usize::from(blamed.is_some_and(|node| run.method(node) == changed));
    }
    mutant.guided = guidance::measure(recorded, changed, mutation.line, &mut truth);
    Ok(Some(mutant))
}

/// The method with a line of a file in it, if it was called.
pub(super) fn changed_method(run: &JavaRun, file: &str, line: u32) -> Option<MethodId> {
    run.methods().find(|&method| {
        is_in(run, method, file) && run.code(method).lines.contains(&line) && is_called(run, method)
    })
}

fn is_in(run: &JavaRun, method: MethodId, file: &str) -> bool {
    let class = run.classes().get(run.method_names(method).class);
    class.is_some_and(|class| class.source_file.as_deref() == Some(file))
}

/// The table for `docs/strategies.md`.
pub fn to_markdown(mutants: &[Mutant]) -> String {
    let mut text = format!(
        "Made by `{COMMAND}`: {} mutants, each with one changed line, of five programs in `examples`. \
         Questions on average until the changed method is found; the answers are those of the \
         unchanged program's run.\n\n| program | mutants | calls |",
        mutants.len()
    );
    for strategy in STRATEGIES {
        let mark = if strategy == strategy::DEFAULT {
            " (default)"
        } else {
            ""
        };
        let _ = write!(text, " {strategy}{mark} |");
    }
    let _ = writeln!(text, "\n|---|--:|--:|{}", "--:|".repeat(STRATEGIES.len()));
    for (program, ..) in PROGRAMS {
        let of_program: Vec<&Mutant> = mutants
            .iter()
            .filter(|mutant| mutant.program == *program)
            .collect();
        text += &line(program, &of_program);
    }
    text += &line("**all**", &mutants.iter().collect::<Vec<_>>());
    let found: usize = mutants.iter().map(|mutant| mutant.found).sum();
    let searches = mutants.len() * STRATEGIES.len();
    let _ = writeln!(
        text,
        "\nOf {searches} searches {found} ended with a call of the changed method. (JHyde: 32 test cases of \
         {PAPER_CALLS} calls on average; 12.84 questions top-down, 10.00 by divide & query, 8.25 by \
         def-use coverage, {PAPER} by edge coverage.)"
    );
    text + &guidance::to_markdown(mutants.iter().map(|mutant| &mutant.guided[..]))
}

fn line(name: &str, mutants: &[&Mutant]) -> String {
    let mean = |sum: f64| sum / mutants.len().max(1) as f64;
    let calls = mean(mutants.iter().map(|mutant| f64::from(mutant.calls)).sum());
    let mut text = format!("| {name} | {} | {calls:.1} |", mutants.len());
    for strategy in 0..STRATEGIES.len() {
        let questions = mutants
            .iter()
            .map(|mutant| mutant.questions[strategy] as f64);
        let _ = write!(text, " {:.2} |", mean(questions.sum()));
    }
    text + "\n"
}
