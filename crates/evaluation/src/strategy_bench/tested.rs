//! What `--spectrum` saves: the [mutants](super::mutants) again, run by tests of which some fail.
//!
//! The search is about the first test that failed, as `askance ask` would have it, and is answered by a run of the
//! same tests on the program that works. What passing tests let presume is left out.

use std::fmt::Write as _;
use std::fs;

use debug_engine::session::AnswerSource;
use debug_engine::{ExecutionTree as _, RoutineId, Session, strategy};
use java_analysis::recording::Recording as _;
use java_model::run::routine;
use java_model::testing::TestRole;
use test_support::{Example, ExampleVersion, Fixture, JUnit, Run, workspace_root};

use super::mutants::{MOST_CALLS, PROGRAMS, TIME_LIMIT, changed_method};
use super::mutation::mutations;
use super::truth::{Truth, search};
use super::{Recorded, Recorder};
use crate::record_bench::BenchError;

/// What was asked about one mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tested {
    pub failed: usize,
    pub passed: usize,
    pub calls: u32,
    /// Questions without the spectrum.
    pub plain: usize,
    /// Questions with it.
    pub guided: usize,
    /// How many of the two searches named a call of the changed method.
    pub found: usize,
}

/// Makes, tests and records the mutants; `progress` is told what is being done, a line at a time.
pub fn run(recorder: &Recorder, mut progress: impl FnMut(&str)) -> Result<Vec<Tested>, BenchError> {
    let mut all = Vec::new();
    for &(program, file, wanted) in PROGRAMS {
        let example = Example::named(program)?;
        let text = fs::read_to_string(example.source_dir(ExampleVersion::Fixed).join(file))?;
        let Some(original) = tests(recorder, &example, file, &text)? else {
            continue;
        };
        let reference = recorder.record(program, &original)?;
        let mut found = 0;
        for mutation in mutations(&text) {
            if found == wanted {
                break;
            }
            let Some(run) = tests(recorder, &example, file, &mutation.text)? else {
                continue;
            };
            let finished = run.run()?;
            if finished.timed_out || finished.exit_code() == Some(0) {
                continue;
            }
            let recorded = recorder.record(program, &run)?;
            if let Some(tested) = measure(file, mutation.line, &recorded, &reference) {
                progress(&format!("{program} line {}: {tested:?}", mutation.line));
                all.push(tested);
                found += 1;
            }
        }
    }
    Ok(all)
}

/// The tests of a program with this text in a file of it; `None` if that does not compile.
fn tests(
    recorder: &Recorder,
    example: &Example,
    file: &str,
    text: &str,
) -> Result<Option<Run>, BenchError> {
    let test = file.replace(".java", "Test");
    let sources = workspace_root().join("crates/evaluation/java/mutant-tests");
    let mut fixture = Fixture::new()
        .source(file, text)
        .path(sources.join(format!("{test}.java")))
        .class_path(JUnit::Four.class_path());
    for entry in fs::read_dir(example.source_dir(ExampleVersion::Fixed))? {
        let path = entry?.path();
        let is_taken = |name: &std::ffi::OsStr| name != file && name != "Main.java";
        if path.file_name().is_some_and(is_taken) {
            fixture = fixture.path(path);
        }
    }
    let Ok(classes) = fixture.compile() else {
        return Ok(None);
    };
    let run = classes
        .run(&recorder.jdk)
        .class_path(JUnit::Four.class_path());
    let run = run.main_class("org.junit.runner.JUnitCore").arg(test);
    Ok(Some(run.time_limit(TIME_LIMIT)))
}

/// `None` if the run came to nothing that could be blamed, or if no test passed: then all that was run is equally
/// suspicious.
fn measure(file: &str, line: u32, recorded: &Recorded, reference: &Recorded) -> Option<Tested> {
    let run = &recorded.run;
    let changed = changed_method(run, file, line).filter(|_| run.len() <= MOST_CALLS)?;
    let symptom = run.wrong_by_itself(None)?;
    let tests = || {
        run.tests()
            .iter()
            .filter(|test| test.role == TestRole::Test)
    };
    let failed = tests().filter(|test| test.verdict.is_failure()).count();
    let passed = tests().count() - failed;
    let mut truth = Truth::new(recorded, reference, changed, line);
    let inside = symptom.target.positions(&*recorded.tree);
    let is_inside = truth.infected.iter().any(|node| inside.contains(&node.0));
    if !is_inside || passed == 0 {
        return None;
    }
    let scores: Vec<(RoutineId, f64)> = run
        .methods()
        .filter_map(|method| {
            let suspicion = run.spectrum().suspicion(method)?;
            Some((routine(method), suspicion.score))
        })
        .collect();
    let mut tested = Tested {
        failed,
        passed,
        calls: run.len(),
        plain: 0,
        guided: 0,
        found: 0,
    };
    for (scores, questions) in [(&[][..], &mut tested.plain), (&scores, &mut tested.guided)] {
        let prepare = |session: &mut Session| {
            // The tree is the one that the symptom is about, so the session takes it.
            let _ = session.judge_target(symptom.target, symptom.answer.clone(), AnswerSource::Run);
            session.set_suspicion(scores);
        };
        let (asked, blamed) = search(recorded, strategy::DEFAULT, &mut truth, prepare);
        *questions = asked.len();
        tested.found += usize::from(blamed.is_some_and(|node| run.method(node) == changed));
    }
    Some(tested)
}

/// The table, which stands below those of the mutants.
pub fn to_markdown(all: &[Tested]) -> String {
    let mean =
        |of: &dyn Fn(&Tested) -> f64| all.iter().map(of).sum::<f64>() / all.len().max(1) as f64;
    let count =
        |is_counted: &dyn Fn(&Tested) -> bool| all.iter().filter(|one| is_counted(one)).count();
    let mut text = format!(
        "\nMutants of the same programs with tests (`crates/evaluation/java/mutant-tests`), of which {:.1} fail and {:.1} pass on average; the \
         search is about the first that fails, {:.1} calls were recorded.\n\n\
         | told | mutants | questions | fewer | as many | more |\n|---|--:|--:|--:|--:|--:|\n",
        mean(&|one| one.failed as f64),
        mean(&|one| one.passed as f64),
        mean(&|one| f64::from(one.calls)),
    );
    let _ = writeln!(
        text,
        "| nothing | {} | {:.2} | | | |\n| `--spectrum` | {} | {:.2} | {} | {} | {} |",
        all.len(),
        mean(&|one| one.plain as f64),
        all.len(),
        mean(&|one| one.guided as f64),
        count(&|one| one.guided < one.plain),
        count(&|one| one.guided == one.plain),
        count(&|one| one.guided > one.plain),
    );
    let found: usize = all.iter().map(|one| one.found).sum();
    let _ = writeln!(
        text,
        "\nOf these {} searches {found} ended with a call of the changed method.",
        2 * all.len()
    );
    text
}
