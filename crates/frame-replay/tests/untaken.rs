//! Branches that a call came to and never took are those that its source shows, and they account for all code that
//! did not run although control could have come to it.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::path::Path;

use classfile::flow::{ControlFlow, EdgeKind};
use frame_replay::{CallEnding, CodeCoverage, MethodCode, Program};
use test_support::{Example, ExampleVersion, Fixture, Jdk};
use trace_store::Trace;

use crate::common;

/// The branches that the first call of a method did not take: each line with the lines that did not run.
fn untaken(trace: &Trace, program: &Program, method: &str) -> Vec<(u16, Vec<u16>)> {
    for call in common::calls(trace) {
        let code = program.code(trace, trace.call(call).unwrap().method);
        let code = code.unwrap();
        if code.label().starts_with(&format!("Main.{method}(")) {
            let coverage = CodeCoverage::of(trace, program, call).unwrap();
            let branches = coverage.untaken(code).into_iter();
            return branches
                .map(|branch| (branch.line, branch.lines.into_iter().collect()))
                .collect();
        }
    }
    let calls = common::calls(trace).len();
    panic!("no call of {method} among {calls}");
}

#[test]
fn the_branches_of_a_program() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Branches.java");
    let classes = Fixture::new().path(source).compile().unwrap();
    let recorded = common::record(&classes, &Jdk::default(), None);
    assert_eq!(recorded.finished.stdout_text(), "done\n");
    let program = Program::of(&recorded.trace);
    let untaken = |method| untaken(&recorded.trace, &program, method);
    assert_eq!(untaken("first"), [(14, vec![15])]);
    // The loop is left by the `return`, so its condition never ended it.
    assert_eq!(untaken("loop"), [(21, vec![26])]);
    assert_eq!(untaken("chosen"), [(30, vec![32, 36])]);
    assert_eq!(untaken("oneLine"), [(41, vec![41])]);
    assert_eq!(untaken("asserted"), []);
    assert_eq!(untaken("both"), [(51, vec![52])]);
    assert_eq!(untaken("main"), []);
}

/// The lines of blocks that did not run and that control can come to from the entry without an exception.
fn not_run(code: &MethodCode, coverage: &CodeCoverage) -> BTreeSet<u16> {
    let flow = ControlFlow::of(code.code(), code.instructions()).unwrap();
    let (mut open, mut seen) = (vec![0], BTreeSet::new());
    let mut lines = BTreeSet::new();
    while let Some(block) = open.pop() {
        if !seen.insert(block) {
            continue;
        }
        let block = &flow.blocks()[block];
        if !coverage.instructions.contains(&block.instructions.start) {
            lines.extend(block.instructions.clone().filter_map(|at| code.line(at)));
        }
        let ways = block.successors.iter();
        let ways = ways.filter(|edge| !matches!(edge.kind, EdgeKind::Exception(_)));
        open.extend(ways.map(|edge| edge.to));
    }
    lines
}

#[test]
fn untaken_branches_account_for_all_that_did_not_run() {
    let mut compared = 0;
    for name in ["merge-sort", "bank", "text-wrap"] {
        let all = Example::all().unwrap();
        let example = all
            .into_iter()
            .find(|example| example.name == name)
            .unwrap();
        let classes = example.compile(ExampleVersion::Buggy).unwrap();
        let recorded = common::record(&classes, &Jdk::default(), None);
        let (trace, program) = (&recorded.trace, Program::of(&recorded.trace));
        for call in common::calls(trace) {
            let code = program
                .code(trace, trace.call(call).unwrap().method)
                .unwrap();
            let coverage = CodeCoverage::of(trace, &program, call).unwrap();
            // What an exception cut short is no decision.
            let whole = matches!(coverage.ending, CallEnding::Returned(_));
            let handlers = !code.code().exceptions.is_empty();
            if !whole || handlers {
                continue;
            }
            let branches = coverage.untaken(code);
            let told: BTreeSet<u16> = branches.iter().flat_map(|it| it.lines.clone()).collect();
            assert_eq!(told, not_run(code, &coverage), "{name} {}", code.label());
            assert!(branches.iter().all(|it| coverage.lines.contains(&it.line)));
            compared += 1;
        }
    }
    assert!(compared > 40, "only {compared} calls");
}
