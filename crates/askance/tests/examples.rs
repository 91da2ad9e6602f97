//! The road from end to end, over every example program: recorded by the real recorder, found by
//! the reference alone, and found by a dialogue with truthful answers.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::support::{Said, run};
use debug_engine::session::{Answer, AnswerSource, SessionStep};
use debug_engine::{ExecutionTree, NodeId, Session, SessionOptions};
use inquiry::oracle::reference::Reference;
use java_model::run::JavaRun;
use test_support::{Example, ExampleVersion};

/// Records one version of an example.
fn record(example: &Example, version: ExampleVersion, folder: &Path, name: &str) -> PathBuf {
    let trace = folder.join(name);
    let limit = example
        .time_limit()
        .map(|limit| limit.as_secs_f64().to_string());
    let mut arguments: Vec<String> =
        vec!["record".into(), "-o".into(), trace.display().to_string()];
    if let Some(limit) = limit {
        arguments.extend(["--time-limit".into(), limit]);
    }
    arguments.push(example.main_file(version).display().to_string());
    run(folder, arguments).recorded();
    trace
}

#[track_caller]
fn is_culprit(example: &Example, how: &str, said: &Said) {
    let name = &example.name;
    assert_eq!(
        said.code,
        Some(0),
        "{name} {how}: {}\n{}",
        said.out,
        said.err
    );
    let verdict = said.json();
    assert_eq!(verdict["version"], 1, "{name} {how}");
    assert_eq!(verdict["outcome"], "found", "{name} {how}: {verdict}");
    assert_eq!(verdict["class"], example.class, "{name} {how}: {verdict}");
    assert_eq!(verdict["method"], example.method, "{name} {how}: {verdict}");
    assert_eq!(
        verdict["descriptor"], example.descriptor,
        "{name} {how}: {verdict}"
    );
    assert_eq!(verdict["file"], example.file, "{name} {how}: {verdict}");
    let lines = |name: &str| -> Vec<u32> { serde_json::from_value(verdict[name].clone()).unwrap() };
    let (narrowest, executed) = (lines("lines"), lines("executed_lines"));
    let planted = example.lines.iter();
    // A line without code of its own, such as a brace, does not run.
    let mut ran = planted.filter(|line| executed.contains(line)).peekable();
    assert!(ran.peek().is_some(), "{name} {how}: {verdict}");
    assert!(
        ran.all(|line| narrowest.contains(line)),
        "{name} {how}: {verdict}"
    );
}

/// A person who has said "don't know" this often looks closer.
const PATIENCE: usize = 100;

/// The answers that a truthful person gives, question by question: what the reference says; and,
/// in a run that has gone so wrong that the reference knows hardly any of its calls (a stack that
/// overflows in thousands of them), what follows from the planted bug.
fn truthful_answers(example: &Example, ours: &Path, theirs: &Path, strategy: &str) -> String {
    let open = |path: &Path| Arc::new(JavaRun::open(path, None, &mut |_, _| {}).unwrap());
    let ours = open(ours);
    let mut reference = Reference::new(Arc::clone(&ours), open(theirs));
    let options = SessionOptions {
        non_termination: ours.was_stopped(),
        strategy: strategy.to_owned(),
        trusted: ours.compiler_made(),
        ..SessionOptions::default()
    };
    let failed = ours.failed_main();
    let run = Arc::clone(&ours);
    let is_culprit = |node| {
        let names = run.method_names(run.method(node));
        names.class.replace('/', ".") == example.class && names.name == example.method
    };
    let contains_culprit = |node: NodeId| {
        let below = node.0..node.0 + run.subtree_size(node);
        below.map(NodeId).any(is_culprit)
    };
    let mut session = Session::new(ours as Arc<dyn ExecutionTree>, options).unwrap();
    if let Some(main) = failed {
        session.judge(main, Answer::No, AnswerSource::Run).unwrap();
    }
    let mut lines = String::from("# made by a truthful oracle\n");
    let mut unknown = 0;
    while let SessionStep::Ask(question) = session.poll() {
        let node = question.node;
        let answer = match reference.answer(node) {
            Some(answer) => answer,
            None if unknown < PATIENCE => Answer::DontKnow,
            None if contains_culprit(node) => Answer::No,
            None => Answer::Yes,
        };
        unknown += usize::from(answer == Answer::DontKnow);
        let word = match answer {
            Answer::Yes => "yes",
            Answer::No => "n",
            Answer::Inadmissible => "inadmissible",
            _ => "unknown",
        };
        let _ = writeln!(lines, "{word}  # {}", question.node);
        session.answer(answer).unwrap();
    }
    lines
}

#[test]
fn every_example_is_found_by_its_reference_without_a_question() {
    for example in Example::all().unwrap() {
        let folder = tempfile::tempdir().unwrap();
        let limit = example
            .time_limit()
            .map(|limit| limit.as_secs_f64().to_string());
        let mut arguments = vec![
            "debug".to_owned(),
            "--json".into(),
            "--non-interactive".into(),
        ];
        arguments.extend(["-o".to_owned(), "trace".into()]);
        if let Some(limit) = limit {
            arguments.extend(["--time-limit".into(), limit]);
        }
        arguments.extend([
            "--reference".into(),
            example
                .main_file(ExampleVersion::Fixed)
                .display()
                .to_string(),
        ]);
        arguments.push(
            example
                .main_file(ExampleVersion::Buggy)
                .display()
                .to_string(),
        );
        let said = run(folder.path(), arguments);
        is_culprit(&example, "by reference", &said);
        assert_eq!(said.json()["questions"]["person"], 0, "{}", example.name);
    }
}

#[test]
fn every_example_is_found_by_a_dialogue_with_truthful_answers() {
    for example in Example::all().unwrap() {
        let folder = tempfile::tempdir().unwrap();
        let ours = record(&example, ExampleVersion::Buggy, folder.path(), "buggy");
        let theirs = record(&example, ExampleVersion::Fixed, folder.path(), "fixed");
        for strategy in ["top-down", "dq-hirunkitti"] {
            let answers = folder.path().join(format!("{strategy}.txt"));
            std::fs::write(
                &answers,
                truthful_answers(&example, &ours, &theirs, strategy),
            )
            .unwrap();
            let arguments = [
                "ask",
                "buggy",
                "--json",
                "--strategy",
                strategy,
                "--answers",
            ];
            let mut arguments: Vec<String> = arguments.map(str::to_owned).into();
            arguments.push(answers.display().to_string());
            let said = run(folder.path(), arguments);
            is_culprit(&example, strategy, &said);
            assert_eq!(
                said.json()["questions"]["reference"],
                0,
                "{} {strategy}",
                example.name
            );
        }
    }
}
