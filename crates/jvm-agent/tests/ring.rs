//! With `when-full=ring` recording goes on to the end of the program and the newest calls are kept: the same
//! ones, with the same values, that a recording without a limit has there.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use crate::common;

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Recorded, assert_whole, java_source, name, record, render, with_agent};
use test_support::{Fixture, Jdk, Run};
use trace_format::{EndReason, Stream, ThreadNumber, Value};
use trace_store::{CallId, CallOutcome, ObjectSlot, SlotValue, StoreError, Trace};

const LARGEST: u64 = 4 << 20;

fn program(arguments: &[&str]) -> Run {
    let folder = java_source("ring").with_extension("");
    let classes = Fixture::new().path(folder).compile().unwrap();
    arguments
        .iter()
        .fold(classes.run(&Jdk::default()), |run, argument| {
            run.arg(*argument)
        })
}

fn options(detail: &str) -> String {
    format!("detail={detail},max-trace={LARGEST},when-full=ring")
}

/// What the streams take on disk, without what is only reserved for the threads.
fn held(folder: &Path) -> u64 {
    let blocks = |name: &str| folder.join(name).metadata().map_or(0, |file| file.blocks());
    512 * (blocks("chunks") + blocks("objects") + blocks("head"))
}

fn assert_small(trace: &Trace) {
    // Files take whole blocks.
    let slack = 3 * 4096;
    let held = held(trace.folder());
    assert!(held <= LARGEST + slack, "{held} bytes are held");
    assert!(held > LARGEST / 2, "only {held} bytes are held");
}

/// A call in words.
fn told(trace: &Trace, id: CallId) -> String {
    let call = trace.call(id).unwrap();
    let arguments: Vec<String> = call
        .arguments
        .iter()
        .map(|&value| render(trace, value))
        .collect();
    let outcome = match call.outcome {
        CallOutcome::Returned(value) => {
            value.map_or_else(String::new, |value| render(trace, value))
        }
        CallOutcome::Threw(exception) => {
            let (_, class) = trace.class_of(exception).unwrap().unwrap();
            format!("throws {class:?}")
        }
        other => format!("{other:?}"),
    };
    let exit = call.exit;
    format!(
        "{}({}) = {outcome} until {exit:?}",
        name(trace, id),
        arguments.join(", ")
    )
}

/// Compares the newest calls, and those that were open before them, with a recording of everything.
fn assert_same_end(rest: &Trace, whole: &Trace, thread: ThreadNumber) {
    let (kept, all) = (rest.calls(thread).unwrap(), whole.calls(thread).unwrap());
    let begin = rest.stream(thread, Stream::Events).kept_from();
    assert!(begin > 0, "nothing was given up");
    let begun_before = rest.calls_begun_before_kept(thread).unwrap();
    let first = (0..all.len())
        .find(|&index| all.entry(index).0 >= begin)
        .unwrap();
    assert_eq!(kept.len() - begun_before, all.len() - first);
    let is_open = |index: &u32| all.exit(*index).is_none_or(|exit| exit.0 >= begin);
    let open: Vec<u32> = (0..first).filter(is_open).collect();
    assert_eq!(open.len(), begun_before as usize);
    let given_up = rest.evicted().unwrap().calls;
    assert_eq!(given_up, u64::from(first) - open.len() as u64);
    for (index, was) in (0..kept.len()).zip(open.into_iter().chain(first..all.len())) {
        let (id, was) = (CallId::new(thread, index), CallId::new(thread, was));
        assert_eq!(told(rest, id), told(whole, was));
        assert_eq!(rest.began_before_kept(id).unwrap(), index < begun_before);
        if index >= begun_before {
            assert_eq!(rest.call(id).unwrap().entry, whole.call(was).unwrap().entry);
            assert_nothing_wrong(rest, whole, id);
        }
    }
}

/// What is said of the objects that a call was given is what a recording of everything says.
fn assert_nothing_wrong(rest: &Trace, whole: &Trace, id: CallId) {
    let call = rest.call(id).unwrap();
    let arguments = call.arguments.iter().filter_map(|value| value.object());
    for object in arguments.chain(call.this) {
        for position in std::iter::once(call.entry).chain(call.exit) {
            let time = rest.time(id.thread, position).unwrap();
            let then = whole.time(id.thread, position).unwrap();
            let state = rest.object_state(object, time).unwrap();
            let was = whole.object_state(object, then).unwrap();
            assert_eq!(state.length, was.length);
            for (field, found) in state.fields {
                let slot = ObjectSlot::Field(field);
                let held = whole.slot_at(object, slot, then).unwrap();
                assert_eq!(Some(found.value), held.map(|held| held.value), "{slot:?}");
            }
            let length = state.length.unwrap_or(0);
            let elements = rest.elements_at(object, 0, length, time).unwrap();
            let held = whole.elements_at(object, 0, length, then).unwrap();
            assert_eq!(elements.len(), held.len());
            for (found, held) in elements.into_iter().zip(held) {
                let value = |slot: Option<SlotValue>| slot.map(|slot| slot.value);
                assert!(found.is_none() || value(found) == value(held), "{object:?}");
            }
        }
    }
}

fn recorded(run: &Run, options: &str) -> Recorded {
    let plain = run.run().unwrap();
    record(run, options).like(&plain)
}

fn compare(arguments: &[&str], detail: &str, thread: ThreadNumber) -> Recorded {
    let run = program(arguments);
    let kept = recorded(&run, &options(detail));
    let all = record(&run, &format!("detail={detail}"));
    let (rest, whole) = (kept.trace(), all.trace());
    assert_eq!(rest.end().unwrap().reason, EndReason::Exit);
    assert_eq!(rest.log(), [""; 0]);
    assert_whole(&rest, |_| false);
    assert_small(&rest);
    assert_same_end(&rest, &whole, thread);
    kept
}

#[test]
fn the_newest_calls_are_those_of_a_whole_recording() {
    compare(&["rounds", "8000"], "full", ThreadNumber(0));
}

#[test]
fn so_they_are_with_detail_calls() {
    compare(&["rounds", "8000"], "calls", ThreadNumber(0));
}

#[test]
fn many_constructors_are_open_where_the_kept_part_begins() {
    let kept = compare(&["nest", "6000"], "full", ThreadNumber(0));
    let trace = kept.trace();
    let nests = common::calls_of(&trace, "Main$Nest", "<init>");
    assert_eq!(nests.len(), 61);
    for nest in nests {
        assert!(trace.began_before_kept(nest).unwrap());
        let made = trace.call(nest).unwrap().this.unwrap();
        let (_, class) = trace.class_of(made).unwrap().unwrap();
        assert_eq!(class.as_deref(), Some("Main$Nest"));
    }
}

#[test]
fn a_hundred_thousand_calls_are_open_where_the_kept_part_begins() {
    let kept = compare(&["deep", "8000"], "calls", ThreadNumber(1));
    let begun = kept.trace().calls_begun_before_kept(ThreadNumber(1));
    assert!(begun.unwrap() > 100_000);
}

#[test]
fn several_threads_each_keep_their_newest_calls() {
    let run = program(&["threads", "8000"]);
    let kept = recorded(&run, &options("full"));
    let trace = kept.trace();
    assert_eq!(trace.end().unwrap().reason, EndReason::Exit);
    assert_whole(&trace, |_| false);
    assert_small(&trace);
    let begun = trace.all_calls().unwrap().map(|calls| {
        let begun = trace.calls_begun_before_kept(calls.thread());
        begun.unwrap()
    });
    assert!(begun.sum::<u32>() > 0);
    for calls in trace.all_calls().unwrap() {
        for index in 0..calls.len() {
            let call = trace.call(CallId::new(calls.thread(), index)).unwrap();
            assert!(call.parent.is_none_or(|parent| parent.index < index));
            assert_ne!(call.outcome, CallOutcome::Open, "{call:?}");
        }
    }
    // Tasks that are kept hang below the call that handed them over.
    assert!(!trace.submissions().unwrap().done.is_empty());
}

#[test]
fn many_more_objects_than_the_ring_has_room_for_are_made() {
    let objects = 600_000;
    assert!(objects > 2 * LARGEST / 26);
    for detail in ["full", "calls"] {
        let kept = compare(&["objects", &objects.to_string()], detail, ThreadNumber(0));
        let trace = kept.trace();
        assert_lost_objects(&trace);
        assert_known(&trace);
    }
}

/// Of most objects nothing is left.
fn assert_lost_objects(trace: &Trace) {
    let first = trace.objects().unwrap().next().unwrap();
    let last = trace.objects().unwrap().last().unwrap();
    let left = trace.objects().unwrap().count() as u64;
    let made = u64::from(last.0 - first.0);
    assert!(left * 2 < made, "{left} of {made}");
}

/// The class of every object that a call was given or gave is known.
fn assert_known(trace: &Trace) {
    for calls in trace.all_calls().unwrap() {
        for index in 0..calls.len() {
            let call = trace.call(CallId::new(calls.thread(), index)).unwrap();
            let result = match call.outcome {
                CallOutcome::Returned(value) => value,
                _ => None,
            };
            let values = call.arguments.iter().copied().chain(result);
            for object in values.filter_map(Value::object).chain(call.this) {
                if object.is_null() {
                    continue;
                }
                let class = trace.class_of(object).unwrap();
                assert!(class.is_some_and(|(_, name)| name.is_some()), "{object:?}");
            }
        }
    }
}

#[test]
fn a_killed_program_leaves_a_readable_ring() {
    let out = tempfile::tempdir().unwrap();
    let run = with_agent(&program(&["endless", "0"]), out.path(), &options("full"));
    let words = run.command_line();
    for pause in [0, 3, 11] {
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let folder = out.path().join(format!("jvm-{}", child.id()));
        let start = Instant::now();
        while !folder.join("head").exists() {
            assert!(start.elapsed() < Duration::from_secs(60));
            std::thread::yield_now();
        }
        let refused = Trace::open(&folder).unwrap_err();
        assert!(matches!(refused, StoreError::Moving(_)), "{refused}");
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        let trace = Trace::open(&folder).unwrap();
        assert!(trace.end().is_none());
        assert_whole(&trace, |_| false);
        assert!(trace.info().unwrap().calls > 1000);
        let first = CallId::new(ThreadNumber(0), 0);
        assert_eq!(name(&trace, first), "Main.main");
        assert!(trace.began_before_kept(first).unwrap());
        assert_small(&trace);
    }
}
