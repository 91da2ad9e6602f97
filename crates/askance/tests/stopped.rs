//! Runs that were stopped, and stacks that overflowed: the calls that were open, or that went too deep, are
//! asked about, and a person is not asked the same again and again.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod support;

use std::path::Path;

use support::{Said, run, source};
use test_support::workspace_root;

/// Records the buggy version of an example.
fn record(folder: &Path, example: &str, options: &[&str]) {
    let main = workspace_root().join(format!("examples/{example}/buggy/Main.java"));
    let main = main.to_string_lossy().into_owned();
    let mut arguments = vec!["record", "-o", "t"];
    arguments.extend(options);
    arguments.push(&main);
    let said = run(folder, arguments);
    assert!(said.err.contains("the trace is in"), "{}", said.err);
}

fn ask(folder: &Path, strategy: &str, answers: &str) -> Said {
    source(folder, "answers", answers);
    let ask = ["ask", "t", "--json", "--strategy", strategy, "--answers"];
    run(folder, ask.into_iter().chain(["answers"]))
}

#[test]
fn a_stack_that_overflows_takes_a_few_answers() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), "stack-overflow", &[]);
    let tree = run(folder.path(), ["tree", "t", "--depth", "6"]).out;
    let folded = tree.lines().find(|line| line.contains('↻')).unwrap();
    assert!(folded.contains(".find("), "{tree}");
    assert!(folded.ends_with(" levels"), "{tree}");
    assert!(tree.lines().count() < 100, "{tree}");

    // Without folding, halving takes sixteen answers.
    let said = ask(folder.path(), "ranges", &"no\n".repeat(16));
    let verdict = said.json();
    assert_eq!(verdict["method"], "middle", "{verdict}\n{}", said.err);
    let asked = verdict["questions"]["person"].as_u64().unwrap();
    assert!(asked <= 9, "{}", said.err);
    assert!(verdict["questions"]["memory"].as_u64() >= Some(5));
    assert!(said.err.contains("↻ level "), "{}", said.err);
    let deep = "Should it have gone this deep?";
    assert!(said.err.contains(deep), "{}", said.err);
}

#[test]
fn a_loop_that_never_ends_takes_a_few_answers() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), "endless-loop", &["--time-limit", "3"]);
    // Eight sheets are right; the ninth is that of the report, and it is the same for ever after.
    let answers = format!("{}no\nno\n", "yes\n".repeat(8));
    let said = ask(folder.path(), "dq-hirunkitti", &answers);
    let verdict = said.json();
    let method = &verdict["method"];
    assert_eq!(method, "pagesOnNextSheet", "{verdict}\n{}", said.err);
    assert_eq!(verdict["questions"]["person"], 10, "{}", said.err);
    // The call that was still running is a question too, for whoever wants it.
    let open = ask(folder.path(), "dq-hirunkitti", "go 0\n");
    let question = "Should this call still have been running?";
    assert!(open.err.contains(question), "{}", open.err);
}
