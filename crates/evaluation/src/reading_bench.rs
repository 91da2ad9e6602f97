//! How much there is to read in a question.
//!
//! Questions are measured as a terminal of 100 columns shows them, without what stands around them. Of each example
//! the questions of a session are taken whose answers are true, of every program calls that are spread evenly over
//! its run: what a strategy prefers must not decide how long a question may be.

use std::collections::BTreeSet;
use std::sync::Arc;

use debug_engine::session::{Answer, AnswerSource, Session, SessionOptions, SessionStep};
use debug_engine::transform::{NodeKind, kind_of};
use debug_engine::view::render::{self, Bounds};
use debug_engine::{ExecutionTree, NodeId, RoutineId, Target};
use java_analysis::calls::Calls as _;
use java_analysis::questions::Questions;
use java_model::run::JavaRun;
use test_support::workloads::Workload;
use test_support::{Example, ExampleVersion};

use crate::record_bench::{BenchError, TIME_LIMIT};
use crate::strategy_bench::Recorder;

pub const COMMAND: &str = "cargo xtask bench reading";
pub const HEADING: &str = "What there is to read in a question";

/// Programs beside the examples, with values of many sorts.
const WORKLOADS: [&str; 7] = [
    "mergesort",
    "wordcount",
    "commons-lang3",
    "guava",
    "jackson",
    "jgrapht",
    "jsoup",
];
/// Calls of each run that are measured.
const CALLS: usize = 60;
/// No session of an example is as long.
const MOST_QUESTIONS: usize = 100;
/// What a screen has.
const COLUMNS: usize = 100;
const LINES: usize = 24;

/// The names of the workloads that are measured if nobody chooses others.
pub fn usual() -> impl Iterator<Item = &'static str> {
    WORKLOADS.into_iter()
}

/// What one question has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Length {
    pub characters: usize,
    pub lines: usize,
    pub text: String,
}

impl Length {
    fn of(text: String) -> Length {
        let rows = |line: &str| line.chars().count().div_ceil(COLUMNS).max(1);
        Length {
            characters: text.chars().count(),
            lines: text.lines().map(rows).sum(),
            text,
        }
    }
}

/// The questions of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub what: String,
    pub questions: Vec<Length>,
}

/// Measures; `progress` is told what is being done, a line at a time.
pub fn run(
    recorder: &Recorder,
    only: &[String],
    mut progress: impl FnMut(&str),
) -> Result<Vec<Row>, BenchError> {
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|only| only == name);
    let mut asked = Vec::new();
    let mut spread = Vec::new();
    for example in Example::all().map_err(std::io::Error::other)? {
        if example.time_limit().is_some() || !is_wanted(&example.name) {
            continue;
        }
        progress(&example.name);
        let classes = example.compile(ExampleVersion::Buggy)?;
        let run = classes.run(&recorder.jdk).main_class("Main");
        let recorded = recorder.record(&example.name, &run.time_limit(TIME_LIMIT))?;
        let culprit = format!("{}.{}", example.class, example.method);
        asked.extend(session(&recorded.run, &recorded.trusted, &culprit)?);
        spread.extend(calls(&recorded.run, &recorded.trusted));
    }
    let mut rows = vec![
        row("questions about the examples", asked),
        row("calls of the examples", spread),
    ];
    for name in usual().filter(|name| is_wanted(name)) {
        let Some(workload) = Workload::named(name).filter(|workload| workload.is_available())
        else {
            continue;
        };
        progress(name);
        let run = workload.run(&recorder.jdk, workload.test_scale)?;
        let recorded = recorder.record(name, &run.time_limit(TIME_LIMIT))?;
        let found = calls(&recorded.run, &recorded.trusted);
        rows.push(row(&format!("calls of {name}"), found));
    }
    rows.retain(|row| !row.questions.is_empty());
    let all = rows.iter().flat_map(|row| row.questions.clone()).collect();
    rows.push(row("all", all));
    Ok(rows)
}

fn row(what: &str, questions: Vec<Length>) -> Row {
    Row {
        what: what.to_owned(),
        questions,
    }
}

fn length(questions: &Questions, target: Target, kind: NodeKind) -> Length {
    let bounds = Bounds::default();
    Length::of(render::asked(&questions.view(target, kind, bounds), bounds))
}

/// The questions of a session whose answers are true: what has the culprit below it is wrong.
fn session(
    run: &Arc<JavaRun>,
    trusted: &BTreeSet<RoutineId>,
    culprit: &str,
) -> Result<Vec<Length>, BenchError> {
    let Some(culprit) = run.find_method(culprit) else {
        return Ok(Vec::new());
    };
    let options = SessionOptions {
        trusted: trusted.clone(),
        ..SessionOptions::default()
    };
    let tree: Arc<dyn ExecutionTree> = Arc::clone(run) as _;
    let mut session = Session::new(Arc::clone(&tree), options).map_err(std::io::Error::other)?;
    let questions = Questions::new(Arc::clone(run) as _);
    let mut found = Vec::new();
    while let SessionStep::Ask(question) = session.poll() {
        if found.len() >= MOST_QUESTIONS {
            break;
        }
        found.push(length(&questions, question.target, question.kind));
        let calls = question.target.first().0..tree.range(question.target.last()).end;
        let answer = match calls.contains(&culprit.0) {
            true => Answer::No,
            false => Answer::Yes,
        };
        let answered = session.answer_from(AnswerSource::Person, answer);
        answered.map_err(std::io::Error::other)?;
    }
    Ok(found)
}

/// Calls spread over the run.
fn calls(run: &Arc<JavaRun>, trusted: &BTreeSet<RoutineId>) -> Vec<Length> {
    let questions = Questions::new(Arc::clone(run) as _);
    let count = run.len() as usize;
    let chosen =
        (0..CALLS.min(count)).map(|place| NodeId((place * count / CALLS.min(count)) as u32));
    let suspects = chosen.filter(|&node| !trusted.contains(&run.routine(node)));
    suspects
        .map(|node| length(&questions, Target::Node(node), kind_of(Target::Node(node))))
        .collect()
}

/// A part of sorted numbers: half of them are not larger than `quantile(…, 50)`.
fn quantile(sorted: &[usize], percent: usize) -> usize {
    let last = sorted.len().saturating_sub(1);
    sorted.get(last * percent / 100).copied().unwrap_or(0)
}

pub fn to_markdown(rows: &[Row]) -> String {
    let mut text = format!(
        "Made by `{COMMAND}`: characters and lines (of {COLUMNS} columns) of questions as a terminal shows them; the \
         last column counts those of more than {LINES} lines.\n\n\
         | what | questions | characters: median | 90 % | most | lines: median | 90 % | most | too long |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    for Row { what, questions } in rows {
        let sorted = |of: fn(&Length) -> usize| {
            let mut all: Vec<usize> = questions.iter().map(of).collect();
            all.sort_unstable();
            all
        };
        let characters = sorted(|length| length.characters);
        let lines = sorted(|length| length.lines);
        let too_long = lines.iter().filter(|&&lines| lines > LINES).count();
        text += &format!("| {what} | {} |", questions.len());
        for (all, percent) in [&characters, &lines]
            .into_iter()
            .flat_map(|all| [50, 90, 100].map(|percent| (all, percent)))
        {
            text += &format!(" {} |", quantile(all, percent));
        }
        text += &format!(" {too_long} |\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_as_many_as_a_screen_makes_of_them() {
        let length = Length::of(format!("ab\n{}\n\n", "x".repeat(201)));
        assert_eq!((length.characters, length.lines), (206, 5));
    }

    #[test]
    fn quantiles_are_elements() {
        let sorted: Vec<usize> = (0..=10).collect();
        assert_eq!(
            [0, 50, 90, 100].map(|it| quantile(&sorted, it)),
            [0, 5, 9, 10]
        );
        assert_eq!(quantile(&[], 50), 0);
    }
}
