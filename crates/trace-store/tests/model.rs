//! What the indexes answer is what a plain list of everything that happened would answer: random
//! runs are sketched and, beside it, kept as lists that are searched from end to end.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common;

use std::collections::BTreeSet;

use crate::common::{Model, Step, steps};
use proptest::prelude::*;
use trace_format::{EndReason, EventPosition, ObjectId, TraceTime};
use trace_store::{CallId, CallOutcome, Growing, HistoryEntry, ObjectSlot, ThreadCalls, Trace};

fn open(model: &Model) -> (tempfile::TempDir, Trace) {
    let folder = tempfile::tempdir().unwrap();
    let jvm = model.sketch.write_run(folder.path()).unwrap();
    let mut trace = Trace::open(jvm).unwrap();
    trace.set_hierarchy(common::hierarchy);
    (folder, trace)
}

fn check_calls(model: &Model, trace: &Trace) {
    for (thread, expected) in model.calls.iter().enumerate() {
        let thread = trace_format::ThreadNumber(thread as u32);
        let Ok(calls) = trace.calls(thread) else {
            assert!(expected.is_empty());
            continue;
        };
        assert_eq!(calls.len() as usize, expected.len());
        for (index, want) in (0u32..).zip(expected) {
            let id = CallId::new(thread, index);
            assert_eq!(CallId::from_number(id.number()), Some(id));
            let call = trace.call(id).unwrap();
            assert_eq!(call.method, want.method);
            assert_eq!(call.parent.map(|parent| parent.index), want.parent);
            assert_eq!(call.entry.0, want.entry);
            assert_eq!(call.exit.map(|exit| exit.0), want.exit);
            assert_eq!(call.outcome, want.outcome);
            assert_eq!(call.this, want.this);
            assert_eq!(call.arguments, want.arguments);
            let children: Vec<u32> = trace
                .children(id)
                .unwrap()
                .map(|child| child.index)
                .collect();
            let expected_children: Vec<u32> = (0u32..)
                .zip(expected)
                .filter(|(_, call)| call.parent == Some(index))
                .map(|(child, _)| child)
                .collect();
            assert_eq!(children, expected_children);
            assert_eq!(call.subtree as usize, 1 + model.descendants(thread, index));
            let values = trace.values_of(id).unwrap();
            assert_eq!(values.start.0, want.values_start);
            if let Some(end) = want.values_end {
                assert_eq!(values.end.0, end);
            }
            check_own_events(model, trace, id);
        }
        let sizes: Vec<u32> = (0..calls.len()).map(|index| calls.subtree(index)).collect();
        let blocks = sizes.chunks(ThreadCalls::BLOCK as usize);
        let largest: Vec<u32> = blocks
            .flat_map(|block| block.iter().copied().max())
            .collect();
        assert_eq!(calls.largest_subtrees(), largest);
        let graph: BTreeSet<_> = calls.graph().collect();
        let called = |call: &common::ModelCall| {
            let caller = &expected[call.parent? as usize];
            Some((caller.method, call.method))
        };
        assert_eq!(graph, expected.iter().filter_map(called).collect());
        for &(position, inside) in &model.positions[thread.0 as usize] {
            let found = trace.call_of(thread, EventPosition(position)).unwrap();
            assert_eq!(found.map(|call| call.index), inside, "at {position}");
        }
    }
}

fn check_own_events(model: &Model, trace: &Trace, id: CallId) {
    let own: Vec<_> = trace.own_events(id).unwrap().collect();
    let children: Vec<u32> = own.iter().filter_map(|event| event.child).collect();
    let expected: Vec<u32> = trace
        .children(id)
        .unwrap()
        .map(|child| child.index)
        .collect();
    assert_eq!(children, expected);
    let positions: Vec<u64> = own
        .iter()
        .filter(|own| own.event.is_some())
        .map(|own| own.position.0)
        .collect();
    let entry = model.calls[id.thread.0 as usize][id.index as usize].entry;
    let expected: Vec<u64> = model.positions[id.thread.0 as usize]
        .iter()
        .filter(|(position, inside)| *inside == Some(id.index) && *position != entry)
        .map(|(position, _)| *position)
        .collect();
    assert_eq!(positions, expected, "events of {id:?}");
}

fn check_time(model: &Model, trace: &Trace) {
    let mut last = None;
    for &(thread, position) in &model.order {
        let position = EventPosition(position);
        let time = trace.time(thread, position).unwrap();
        assert!(
            last < Some(time),
            "{thread} {position} is at {time}, after {last:?}"
        );
        assert_eq!(trace.position(time).unwrap(), (thread, position));
        assert!(time < trace.end_time().unwrap());
        last = Some(time);
    }
}

/// The writes of a variable between two times, also from the newest to the oldest.
fn check_between(trace: &Trace, object: ObjectId, slot: ObjectSlot, times: &[TraceTime]) {
    let all: Vec<HistoryEntry> = trace.writes_of(object, slot).unwrap().collect();
    for &from in times.iter().step_by(3) {
        for &to in times.iter().filter(|&&to| from <= to).step_by(4) {
            let expected: Vec<HistoryEntry> = all
                .iter()
                .filter(|entry| (from..to).contains(&entry.written.time))
                .copied()
                .collect();
            let between = || {
                let history = trace.writes_of(object, slot).unwrap();
                history.starting_at(from).ending_before(to)
            };
            assert_eq!(between().collect::<Vec<_>>(), expected);
            let mut backwards: Vec<HistoryEntry> = between().rev().collect();
            backwards.reverse();
            assert_eq!(backwards, expected);
            let elements = match slot {
                ObjectSlot::Element(index) => Some(index..index + 1),
                ObjectSlot::Field(_) => None,
            };
            let last = trace.last_writes_to(object, elements, from..to).unwrap();
            assert!(last.iter().all(|last| (from..to).contains(&last.time)));
            if let Some(newest) = expected.last() {
                assert!(last.contains(&newest.written), "{newest:?} in {last:?}");
            }
        }
    }
}

/// Elements together are unchanged for as long as each of them is.
fn check_stretch(trace: &Trace, array: ObjectId, time: TraceTime) {
    let around = |elements| {
        let times = trace.unchanged_around(array, Some(elements), time).unwrap();
        (*times.start(), *times.end())
    };
    for stretch in [0..4, 2..40] {
        let each = stretch.clone().map(|index| around(index..index + 1));
        let (start, end) = each
            .reduce(|all, one| (all.0.max(one.0), all.1.min(one.1)))
            .unwrap();
        assert_eq!(around(stretch), (start, end));
    }
}

fn check_state(model: &Model, trace: &Trace) {
    let mut times: Vec<TraceTime> = model
        .order
        .iter()
        .map(|(thread, at)| trace.time(*thread, (*at).into()).unwrap())
        .collect();
    times.push(trace.end_time().unwrap());
    for (object, slot) in model.slots() {
        let slot = match slot {
            ObjectSlot::Field(field) => ObjectSlot::Field(trace.resolve_field(field)),
            element => element,
        };
        let history: Vec<_> = trace
            .writes_of(object, slot)
            .unwrap()
            .map(|entry| {
                (
                    (entry.written.thread, entry.written.position.0),
                    entry.value,
                )
            })
            .collect();
        assert_eq!(
            history,
            model.history(object, slot),
            "history of {object:?} {slot:?}"
        );
        check_between(trace, object, slot, &times);
        for (step, &time) in times.iter().enumerate() {
            let found = trace.slot_at(object, slot, time).unwrap();
            let expected = model.value_before(object, slot, step);
            assert_eq!(
                found.map(|found| found.value),
                expected,
                "{object:?} {slot:?} {step}"
            );
            let last = trace.last_write_before(object, slot, time).unwrap();
            let written = found
                .and_then(|found| found.written)
                .map(|written| written.time);
            assert_eq!(last.map(|last| last.written.time), written);
            let elements = match slot {
                ObjectSlot::Element(index) => Some(index..index + 1),
                ObjectSlot::Field(_) => None,
            };
            if let Some(stretch) = &elements {
                let elements = trace.elements_at(object, stretch.start, 1, time).unwrap();
                assert_eq!(elements, [found]);
            }
            let same = trace.unchanged_around(object, elements, time).unwrap();
            assert!(same.contains(&time), "{same:?} {time:?}");
            if slot == ObjectSlot::Element(0) {
                check_stretch(trace, object, time);
            }
            let end = trace.end_time().unwrap();
            for other in [*same.start(), (*same.end()).min(end.max(time))] {
                let then = trace.slot_at(object, slot, other).unwrap();
                assert_eq!(then, found, "{other:?} in {same:?} of {time:?}");
            }
        }
    }
    let statics = model.statics_written();
    assert_eq!(trace.statics_written().unwrap(), statics);
    for field in statics {
        let history = model.history(ObjectId::NULL, ObjectSlot::Field(field));
        let found: Vec<_> = trace
            .writes_of_static(field)
            .unwrap()
            .map(|entry| {
                (
                    (entry.written.thread, entry.written.position.0),
                    entry.value,
                )
            })
            .collect();
        assert_eq!(found, history);
        for (step, &time) in times.iter().enumerate() {
            let found = trace
                .static_at(field, time)
                .unwrap()
                .map(|found| found.value);
            assert_eq!(
                found,
                model.value_before(ObjectId::NULL, ObjectSlot::Field(field), step)
            );
        }
    }
}

fn check(model: &Model, trace: &Trace) {
    check_calls(model, trace);
    check_time(model, trace);
    check_state(model, trace);
    let info = trace.info().unwrap();
    assert_eq!(
        info.calls,
        model
            .calls
            .iter()
            .map(|calls| calls.len() as u64)
            .sum::<u64>()
    );
    assert_eq!(info.events.total(), model.order.len() as u64);
    assert_eq!(info.completeness.damaged, 0);
    let open = model
        .calls
        .iter()
        .flatten()
        .filter(|call| call.outcome == CallOutcome::Open)
        .count();
    assert_eq!(info.completeness.open_calls, open as u64);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn indexes_answer_as_lists_do(
        threads in 1usize..4, chunk in 1usize..300, ended: bool, steps in steps(60),
    ) {
        let mut model = Model::new(threads, chunk);
        steps.iter().for_each(|step| model.take(step));
        if ended {
            model.sketch.end(EndReason::Exit);
        }
        let (folder, trace) = open(&model);
        check(&model, &trace);
        drop(trace);
        // A second reader finds the indexes that the first one left.
        let mut again = Trace::open(folder.path()).unwrap();
        again.set_hierarchy(common::hierarchy);
        check(&model, &again);
    }

    #[test]
    fn a_growing_trace_is_read_as_it_grows(
        threads in 1usize..4, chunk in 1usize..300,
        parts in prop::collection::vec(steps(20), 2..7),
    ) {
        let mut model = Model::new(threads, chunk);
        // This process lives, so the trace counts as one that may grow.
        model.sketch.meta().pid = std::process::id();
        let folder = tempfile::tempdir().unwrap();
        let jvm = model.sketch.write_run(folder.path()).unwrap();
        let mut growing = Growing::open(&jvm).unwrap();
        growing.advance(EVERYTHING).unwrap();
        let mut snapshots = Vec::new();
        for part in &parts {
            let events = model.order.len();
            part.iter().for_each(|step| model.take(step));
            model.sketch.write_run(folder.path()).unwrap();
            let grown = growing.advance(EVERYTHING).unwrap();
            prop_assert!(grown || model.order.len() == events);
            prop_assert!(!growing.is_complete());
            let trace = snapshot(&growing);
            check(&model, &trace);
            snapshots.push((model.clone(), trace));
        }
        // What was read before is as it was.
        for (model, trace) in &snapshots {
            check(model, trace);
        }
        model.sketch.end(EndReason::Exit);
        model.sketch.write_run(folder.path()).unwrap();
        growing.advance(EVERYTHING).unwrap();
        prop_assert!(growing.is_complete());
        check(&model, &snapshot(&growing));
    }

    #[test]
    fn a_trace_that_is_there_is_read_step_by_step(
        threads in 1usize..4, chunk in 1usize..40, step in 1u64..500, steps in steps(120),
    ) {
        let mut model = Model::new(threads, chunk);
        steps.iter().for_each(|step| model.take(step));
        model.sketch.end(EndReason::Exit);
        let folder = tempfile::tempdir().unwrap();
        let jvm = model.sketch.write_run(folder.path()).unwrap();
        let mut growing = Growing::open(&jvm).unwrap();
        let mut before = 0;
        while !growing.is_complete() {
            growing.advance(step).unwrap();
            let trace = snapshot(&growing);
            let end = trace.end_time().unwrap();
            prop_assert!(before <= end.0);
            before = end.0;
        }
        check(&model, &snapshot(&growing));
    }
}

const EVERYTHING: u64 = u64::MAX / 2;

fn snapshot(growing: &Growing) -> Trace {
    let mut trace = growing.trace().unwrap();
    trace.set_hierarchy(common::hierarchy);
    trace
}

#[test]
fn deep_recursion_crosses_many_windows() {
    let mut model = Model::new(1, 1 << 16);
    let depth = 300_000;
    for _ in 0..depth {
        model.take(&Step::enter(0, 0));
    }
    for _ in 0..depth / 2 {
        model.take(&Step::exit(0));
    }
    let (_folder, trace) = open(&model);
    let calls = trace.calls(trace_format::ThreadNumber(0)).unwrap();
    assert_eq!(calls.len(), depth);
    for index in [0, 1, depth / 2 - 1, depth / 2, depth - 1] {
        assert_eq!(calls.subtree(index), depth - index);
        let want = &model.calls[0][index as usize];
        assert_eq!(calls.exit(index).map(|exit| exit.0), want.exit);
        assert_eq!(calls.parent(index), want.parent);
    }
    assert_eq!(
        trace.info().unwrap().completeness.open_calls,
        u64::from(depth / 2)
    );
}
