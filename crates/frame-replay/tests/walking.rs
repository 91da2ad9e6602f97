//! Walking a call: any step from any other, coverage, data flow.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common;

use std::collections::BTreeSet;

use crate::common::Recorded;
use classfile::flow::{ControlFlow, DefUse};
use frame_replay::{
    Access, CallEnding, CodeCoverage, DataFlow, Datum, HeapVariable, OperandSource, Program, Replay,
};
use test_support::{Fixture, Jdk};
use trace_format::{EventPosition, Value};
use trace_store::{CallId, Trace};

const SOURCE: &str = "
class Main {
    int field;
    static int loop(int n) {
        int a = 1;
        for (int i = 0; i < n; i++) {
            if (i % 3 == 0) {
                a += i;
            } else {
                a *= 2;
            }
        }
        return a;
    }
    static int flow(int a, int b) {
        int c = a + b;
        int unused = 7;
        int d = c * 2;
        return d;
    }
    int write(int n) {
        for (int i = 0; i < n; i++) {
            field += i;
            System.identityHashCode(this);
        }
        return field;
    }
    public static void main(String[] args) {
        loop(0);
        loop(20000);
        flow(3, 4);
        new Main().write(5);
    }
}";

fn recorded() -> Recorded {
    let classes = Fixture::new()
        .source("Main.java", SOURCE)
        .compile()
        .unwrap();
    common::record(&classes, &Jdk::default(), None)
}

fn calls_of(trace: &Trace, name: &str) -> Vec<CallId> {
    let mut calls = common::calls(trace);
    calls.retain(|call| {
        let method = trace.call(*call).unwrap().method;
        trace.symbols().method(method).unwrap().name == name
    });
    calls
}

#[test]
fn every_step_can_be_reached_from_every_other() {
    let recorded = recorded();
    let program = Program::of(&recorded.trace);
    let call = calls_of(&recorded.trace, "loop")[1];
    let mut replay = Replay::new(&recorded.trace, &program, call).unwrap();
    let mut seen = Vec::new();
    loop {
        let locals: Vec<Datum> = replay.locals().iter().map(|slot| slot.datum()).collect();
        seen.push((replay.instruction(), locals, replay.stack().len()));
        if replay.step().unwrap().is_none() {
            break;
        }
    }
    seen.pop();
    let last = replay.steps();
    assert!(last > 100_000 && last + 1 >= seen.len() as u64);

    let check = |replay: &Replay<'_>| {
        let expected = &seen[usize::try_from(replay.steps()).unwrap()];
        let locals: Vec<Datum> = replay.locals().iter().map(|slot| slot.datum()).collect();
        assert_eq!(
            (replay.instruction(), locals, replay.stack().len()),
            *expected
        );
    };
    let mut random = 12345u64;
    for _ in 0..200 {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let step = (random >> 33) % last;
        assert_eq!(replay.seek(step).unwrap(), step);
        check(&replay);
    }
    for _ in 0..50 {
        let before = replay.steps();
        assert_eq!(replay.back().unwrap(), before > 0);
        check(&replay);
    }
    assert_eq!(replay.seek(u64::MAX).unwrap(), last);
    assert!(matches!(
        replay.ending(),
        Some(CallEnding::Returned(Some(Value::Int(_))))
    ));
    replay.seek(0).unwrap();
    assert!(!replay.back().unwrap());
    assert!(matches!(replay.finish().unwrap(), CallEnding::Returned(_)));
}

#[test]
fn another_replay_goes_on_from_a_checkpoint() {
    let recorded = recorded();
    let program = Program::of(&recorded.trace);
    for name in ["loop", "write"] {
        let call = *calls_of(&recorded.trace, name).last().unwrap();
        let mut walked = Replay::new(&recorded.trace, &program, call).unwrap();
        let mut kept = Vec::new();
        while walked.instruction().is_some() {
            if walked.steps().is_multiple_of(97) {
                kept.push((
                    walked.checkpoint(),
                    walked.position(),
                    walked.locals().to_vec(),
                ));
            }
            walked.step().unwrap();
        }
        let ending = walked.ending();
        for (checkpoint, position, locals) in kept.iter().rev() {
            let mut resumed = Replay::new(&recorded.trace, &program, call).unwrap();
            resumed.resume(checkpoint);
            assert_eq!(resumed.steps(), checkpoint.step());
            assert_eq!(resumed.position(), *position);
            assert_eq!(resumed.locals(), locals);
            // One step back must not need the way from the start, and the way on is the same.
            let step = resumed.steps();
            assert_eq!(resumed.back().unwrap(), step > 0);
            resumed.seek(step).unwrap();
            assert_eq!(resumed.locals(), locals);
            if step.is_multiple_of(19) {
                resumed.finish().unwrap();
                assert_eq!(resumed.ending(), ending);
            }
        }
    }
}

#[test]
fn covered_edges_and_chains_are_among_all() {
    let recorded = recorded();
    let program = Program::of(&recorded.trace);
    let calls = calls_of(&recorded.trace, "loop");
    let few = CodeCoverage::of(&recorded.trace, &program, calls[0]).unwrap();
    let many = CodeCoverage::of(&recorded.trace, &program, calls[1]).unwrap();
    let code = program.code(
        &recorded.trace,
        recorded.trace.call(calls[0]).unwrap().method,
    );
    let code = code.unwrap();
    let graph = ControlFlow::of(code.code(), code.instructions()).unwrap();
    let pairs: BTreeSet<_> = DefUse::of(code.instructions(), &graph).pairs().collect();
    let edges: BTreeSet<_> = graph
        .blocks()
        .iter()
        .enumerate()
        .flat_map(|(block, b)| (0..b.successors.len()).map(move |edge| (block, edge)))
        .collect();

    assert!(many.chains.is_subset(&pairs) && few.chains.is_subset(&pairs));
    assert_eq!(many.edges, edges, "every edge is gone along");
    assert!(few.edges.len() < many.edges.len());
    assert_eq!(few.lines, BTreeSet::from([5, 6, 13]));
    assert_eq!(many.lines, BTreeSet::from([5, 6, 7, 8, 10, 13]));
    assert_eq!(many.instructions.len(), code.instructions().len());

    let lines = CodeCoverage::executed_lines(&recorded.trace, &program, calls[1], 8).unwrap();
    let lines: Vec<u16> = lines.iter().map(|each| each.line).collect();
    assert_eq!(lines, [5, 6, 7, 8, 6, 7, 10, 6]);
}

#[test]
fn operands_know_where_they_came_from() {
    let recorded = recorded();
    let program = Program::of(&recorded.trace);
    let call = calls_of(&recorded.trace, "flow")[0];
    let flow = DataFlow::of(&recorded.trace, &program, call, 1000).unwrap();
    assert_eq!(
        flow.ending,
        Some(CallEnding::Returned(Some(Value::Int(14))))
    );
    let code = program.code(&recorded.trace, recorded.trace.call(call).unwrap().method);
    let code = code.unwrap();

    let (mut open, mut steps, mut locals) =
        (vec![flow.len() - 1], BTreeSet::new(), BTreeSet::new());
    while let Some(step) = open.pop() {
        steps.insert(step);
        for source in flow.sources(step) {
            match source {
                OperandSource::Step(step) => open.push(step),
                OperandSource::Local(local) => {
                    locals.insert(local);
                }
            }
        }
    }
    let line = |step: &u64| code.line(flow.instruction(*step).unwrap()).unwrap();
    let lines: BTreeSet<u16> = steps.iter().map(line).collect();
    assert_eq!(
        lines,
        BTreeSet::from([16, 18, 19]),
        "the unused line is not in the slice"
    );
    assert_eq!(locals, BTreeSet::from([0, 1]));
}

#[test]
fn steps_and_positions_lead_to_each_other() {
    let recorded = recorded();
    let program = Program::of(&recorded.trace);
    let call = calls_of(&recorded.trace, "write")[0];
    let mut replay = Replay::new(&recorded.trace, &program, call).unwrap();
    let this = recorded.trace.call(call).unwrap().this.unwrap();
    let mut writes = Vec::new();
    let mut last = EventPosition(0);
    while let Some(step) = replay.step().unwrap() {
        assert!(step.position >= last, "time goes on");
        last = step.position;
        if let Some(Access::Write(HeapVariable::Field { object, field }, value)) = step.access {
            assert_eq!(object, this);
            assert_eq!(replay.code().field(field).unwrap().name, "field");
            writes.push((step.index, replay.position(), value));
        }
    }
    let values: Vec<_> = writes.iter().map(|write| write.2).collect();
    assert_eq!(values, [0, 1, 3, 6, 10].map(Value::Int));
    for (index, position, _) in writes {
        assert_eq!(replay.seek_position(position).unwrap(), index + 1);
    }
}

#[test]
fn subroutines_of_old_class_files() {
    let source = "class Main {
        static int sub(int x) { return x; }
        public static void main(String[] args) { if (sub(3) != 16) throw new Error(); }
    }";
    let modern = Fixture::new()
        .source("Main.java", source)
        .compile()
        .unwrap();
    let bytes = std::fs::read(modern.dir().join("Main.class")).unwrap();
    let mut class = classfile::ClassFile::parse(&bytes).unwrap();
    class.major = 48;
    for index in 0..class.methods.len() {
        let method = class.methods[index].clone();
        let mut code = class.code(&method).unwrap().unwrap();
        code.attributes.clear();
        if class.method_name(&method).unwrap() == "sub" {
            // acc = 0; twice: acc = x + (acc + 5); by a subroutine at 10.
            code.bytes = vec![
                0x03, 0x3d, 0xa8, 0, 8, 0xa8, 0, 5, 0x1c, 0xac, 0x4c, 0x84, 2, 5, 0x1a, 0x1c, 0x60,
                0x3d, 0xa9, 1,
            ];
            (code.max_locals, code.max_stack) = (3, 2);
        }
        class.set_code(index, &code).unwrap();
    }
    let old = tempfile::tempdir().unwrap();
    std::fs::write(old.path().join("Main.class"), class.write()).unwrap();
    let run = test_support::Run::new(&Jdk::default()).class_path([old.path()]);
    let recorded = common::record_run(run);
    assert_eq!(
        recorded.finished.exit_code(),
        Some(0),
        "{}",
        recorded.finished.stderr_text()
    );
    assert_eq!(common::replay_all("subroutines", &recorded.trace), 2);
}
