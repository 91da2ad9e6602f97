//! A run with very many threads that each do little: its indexes are a few files, and answer as those of few threads
//! do.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;

use trace_format::symbol::ACC_STATIC;
use trace_format::{EndReason, ThreadNumber, Value};
use trace_store::sketch::Sketch;
use trace_store::{CallId, CallOutcome, Trace};

/// More than a process may have files open.
const THREADS: u32 = 30_000;
/// The most files that indexes take, however many threads there are.
const MOST_FILES: usize = 50;

fn files(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap();
    let below = entries.map(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path) } else { 1 }
    });
    below.sum()
}

fn check(trace: &Trace) {
    let info = trace.info().unwrap();
    assert_eq!(info.calls, u64::from(2 * THREADS));
    assert_eq!(info.completeness.damaged, 0);
    let mut before = None;
    for number in 0..THREADS {
        let thread = ThreadNumber(number);
        let outer = trace.call(CallId::new(thread, 0)).unwrap();
        let inner = trace.call(CallId::new(thread, 1)).unwrap();
        assert_eq!(inner.parent, Some(outer.id));
        assert_eq!(inner.arguments, [Value::Int(number.cast_signed())]);
        let result = Some(Value::Int(number.cast_signed() + 1));
        assert_eq!(outer.outcome, CallOutcome::Returned(result));
        // They ran one after the other.
        let time = trace.time(thread, outer.entry).unwrap();
        assert!(before < Some(time), "{time:?} after {before:?}");
        assert_eq!(trace.position(time).unwrap(), (thread, outer.entry));
        before = Some(time);
    }
}

#[test]
fn threads_that_do_little_share_files() {
    let mut sketch = Sketch::new();
    let class = sketch.class("Main");
    let method = sketch.method(class, ACC_STATIC, "next", "(I)I");
    for number in 0..THREADS {
        let thread = sketch.thread("worker");
        let value = |value: u32| Value::Int(value.cast_signed());
        sketch.sync(thread);
        sketch.enter(thread, method, &[value(number)]);
        sketch.enter(thread, method, &[value(number)]);
        sketch.exit(thread, Some(value(number)));
        sketch.exit(thread, Some(value(number + 1)));
    }
    sketch.end(EndReason::Exit);
    let folder = tempfile::tempdir().unwrap();
    let jvm = sketch.write_run(folder.path()).unwrap();
    check(&Trace::open(&jvm).unwrap());
    let made = files(&jvm.join("index"));
    assert!((1..MOST_FILES).contains(&made), "{made} files");
    // As they were left.
    check(&Trace::open(&jvm).unwrap());
}
