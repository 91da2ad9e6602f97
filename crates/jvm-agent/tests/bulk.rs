//! Library code changes many elements at once, or makes long texts of others: the trace says what each of them holds
//! then, and is not as large as all that was changed or made.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::path::Path;

use crate::common::{calls_of, jdks, record};
use test_support::{Classes, Fixture, Jdk};
use trace_format::Value;
use trace_format::object::java_hash;
use trace_store::{CallOutcome, ObjectSlot, Trace};

fn program(jdk: &Jdk, name: &str) -> Classes {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    Fixture::new()
        .path(folder.join(name))
        .compile_for(jdk)
        .unwrap()
}

/// How often the program looked at an element, and how often the trace knows what that held: the same as was seen.
fn looks(trace: &Trace) -> (usize, usize) {
    let calls = calls_of(trace, "Main", "at");
    let mut known = 0;
    for id in &calls {
        let call = trace.call(*id).unwrap();
        let &[Value::Ref(array), Value::Int(index)] = &*call.arguments else {
            panic!("{call:?}");
        };
        let time = trace.time(id.thread, call.entry).unwrap();
        let slot = ObjectSlot::Element(index.cast_unsigned());
        if let Some(held) = trace.slot_at(array, slot, time).unwrap() {
            let seen = CallOutcome::Returned(Some(held.value));
            assert_eq!(call.outcome, seen, "{call:?}");
            known += 1;
        }
    }
    (calls.len(), known)
}

/// Of all files of the recorded JVM but the indexes.
fn size(run: &Path) -> u64 {
    let inside = |path: &Path| {
        let entries = std::fs::read_dir(path).unwrap();
        entries.map(|entry| entry.unwrap().path())
    };
    let files = inside(run).flat_map(|jvm| inside(&jvm));
    let files = files.filter(|path| path.is_file());
    files.map(|path| path.metadata().unwrap().len()).sum()
}

#[test]
fn elements_that_were_there_are_not_told_again() {
    for jdk in jdks() {
        let run = program(jdk, "bulk").run(jdk).arg("20");
        let recorded = record(&run, "").like(&run.run().unwrap());
        let (looks, known) = looks(&recorded.trace());
        assert!(looks > 20 * 60);
        assert_eq!(looks, known);
        // Twenty rounds change two megabytes each.
        let size = size(recorded.out.path());
        assert!(size < 4 << 20, "{size} bytes with Java {}", jdk.feature());
    }
}

#[test]
fn texts_that_are_parts_of_others_are_not_told_again() {
    for jdk in jdks() {
        let run = program(jdk, "texts").run(jdk);
        let recorded = record(&run, "").like(&run.run().unwrap());
        let trace = recorded.trace();
        let calls = calls_of(&trace, "Main", "look");
        assert_eq!(calls.len(), 6000);
        for id in calls {
            let call = trace.call(id).unwrap();
            let &[Value::Ref(text)] = &*call.arguments else {
                panic!("{call:?}");
            };
            let hash = java_hash(&trace.text(text).unwrap().unwrap());
            let hash = Value::Int(hash.cast_signed());
            assert_eq!(call.outcome, CallOutcome::Returned(Some(hash)));
        }
        // They have 36 million characters, half of them in two bytes each.
        let size = size(recorded.out.path());
        assert!(size < 4 << 20, "{size} bytes with Java {}", jdk.feature());
    }
}

#[test]
fn a_ring_tells_elements_without_what_it_gives_up() {
    let jdk = jdks()[0];
    let run = program(jdk, "bulk").run(jdk).arg("20");
    let options = format!("max-trace={},when-full=ring", 6 << 20);
    let recorded = record(&run, &options).like(&run.run().unwrap());
    let trace = recorded.trace();
    assert!(trace.evicted().is_some());
    let (_, known) = looks(&trace);
    assert!(known > 0);
}
