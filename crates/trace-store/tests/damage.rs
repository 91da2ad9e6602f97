//! A trace that is cut off or damaged anywhere is read as far as it goes, or refused with one
//! sentence; it never makes a reader panic, hang or take memory that the files do not justify.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common;

use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Model, steps};
use proptest::prelude::*;
use trace_format::{EndReason, EventPosition, FieldId, ObjectId, Stream, TraceTime, files};
use trace_store::{CallId, CallOutcome, ObjectSlot, RunFolder, StoreError, Trace};

/// Asks everything that can be asked, and gives all answers.
fn exercise(trace: &Trace) -> Vec<String> {
    let mut answers = Vec::new();
    let mut note = |answer: &dyn Debug| answers.push(format!("{answer:?}"));
    note(&trace.info());
    let end = trace.end_time().unwrap_or(TraceTime(0));
    let times = [TraceTime(0), TraceTime(end.0 / 2), end, TraceTime(u64::MAX)];
    for thread in trace.threads().collect::<Vec<_>>() {
        let Ok(calls) = trace.calls(thread) else {
            continue;
        };
        for index in 0..calls.len().min(100) {
            let id = CallId::new(thread, index);
            note(&trace.call(id));
            note(&trace.values_of(id));
            note(&trace.children(id).map(Iterator::collect::<Vec<_>>));
            note(&trace.own_events(id).map(|events| events.take(1000).count()));
            note(&calls.at(EventPosition(u64::from(index) * 7)));
        }
        let mut reader = trace.stream(thread, Stream::Values).reader(3);
        while reader.next(trace_format::Kind::Long).is_some() {}
    }
    for object in (0..20).map(ObjectId) {
        note(&trace.object(object));
        note(
            &trace
                .objects_of_class(object)
                .map(Iterator::collect::<Vec<_>>),
        );
        for time in times {
            note(&trace.object_state(object, time));
            note(&trace.elements_at(object, 0, 50, time));
            note(&trace.slot_at(object, ObjectSlot::Field(FieldId(object.0 % 6)), time));
            note(&trace.slot_at(object, ObjectSlot::Element(object.0), time));
        }
        note(
            &trace
                .writes_of(object, ObjectSlot::Element(1))
                .map(Iterator::count),
        );
    }
    for field in trace.statics_written().unwrap_or_default() {
        note(&trace.static_at(field, end));
    }
    for class in trace.symbols().classes() {
        note(&trace.class_file(class.class));
    }
    note(&trace.class_objects_named("Main"));
    answers
}

fn sample(threads: usize, chunk: usize, steps: &[common::Step], ended: bool) -> Model {
    let mut model = Model::new(threads, chunk);
    steps.iter().for_each(|step| model.take(step));
    if ended {
        model.sketch.end(EndReason::Exit);
    }
    model
}

fn damage(path: &Path, places: &[(prop::sample::Index, u8)], cut: Option<prop::sample::Index>) {
    let mut bytes = fs::read(path).unwrap();
    if bytes.is_empty() {
        return;
    }
    for (place, flip) in places {
        let at = place.index(bytes.len());
        bytes[at] ^= flip;
    }
    if let Some(cut) = cut {
        bytes.truncate(cut.index(bytes.len()));
    }
    fs::write(path, bytes).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn damage_anywhere_is_survived(
        threads in 1usize..4, chunk in 20usize..300, ended: bool, steps in steps(60),
        file in 0usize..6, indexed: bool,
        places in prop::collection::vec((any::<prop::sample::Index>(), 1u8..), 0..5),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let jvm = sample(threads, chunk, &steps, ended).sketch.write_run(folder.path()).unwrap();
        let names = [files::META, files::SYMBOLS, files::CHUNKS, files::TAILS, files::CLASSES];
        if indexed {
            exercise(&Trace::open(&jvm).unwrap());
        }
        match names.get(file) {
            Some(name) => damage(&jvm.join(name), &places, cut),
            None => damage(&folder.path().join(files::RUN), &places, cut),
        }
        if let Ok(trace) = Trace::open(folder.path()) {
            exercise(&trace);
        }
    }

    #[test]
    fn damaged_indexes_are_made_again(
        threads in 1usize..3, steps in steps(40), which in any::<prop::sample::Index>(),
        places in prop::collection::vec((any::<prop::sample::Index>(), 1u8..), 0..5),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let jvm = sample(threads, 100, &steps, true).sketch.write_run(folder.path()).unwrap();
        let before = exercise(&Trace::open(&jvm).unwrap());
        let indexes = files_in(&jvm.join(files::INDEX));
        damage(&indexes[which.index(indexes.len())], &places, cut);
        prop_assert_eq!(exercise(&Trace::open(&jvm).unwrap()), before);
    }

    /// What a killed JVM leaves: chunks up to some byte, and tails that no longer join.
    #[test]
    fn a_cut_trace_is_read_up_to_its_last_whole_chunk(
        chunk in 20usize..200, steps in steps(60), cut in any::<prop::sample::Index>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let model = sample(1, chunk, &steps, true);
        let jvm = model.sketch.write_run(folder.path()).unwrap();
        damage(&jvm.join(files::CHUNKS), &[], Some(cut));
        let Ok(trace) = Trace::open(&jvm) else { return Ok(()) };
        let Ok(calls) = trace.calls(trace_format::ThreadNumber(0)) else { return Ok(()) };
        let end = trace.end_time().unwrap();
        let whole = model.calls[0].iter().filter(|call| call.entry + 1 < end.0).count();
        prop_assert_eq!(calls.len() as usize, whole);
        for (index, want) in (0u32..).zip(&model.calls[0][..whole]) {
            let call = trace.call(CallId::new(trace_format::ThreadNumber(0), index)).unwrap();
            prop_assert_eq!(call.entry.0, want.entry);
            let ended = want.exit.is_some_and(|exit| exit + 1 < end.0);
            prop_assert_eq!(call.outcome, if ended { want.outcome } else { CallOutcome::Open });
        }
    }

    /// A JVM that was killed while it wrote an event: its tag is not there yet.
    #[test]
    fn a_tail_is_read_up_to_its_last_whole_event(
        steps in steps(60), lost in any::<prop::sample::Index>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let steps: Vec<_> = steps
            .into_iter()
            .filter(|step| !matches!(step.action, common::Action::Flush))
            .collect();
        let model = sample(1, 1 << 20, &steps, false);
        prop_assume!(!model.order.is_empty());
        let jvm = model.sketch.write_run(folder.path()).unwrap();
        let lost = lost.index(model.order.len());
        let position = model.order[lost].1;
        let mut tails = fs::read(jvm.join(files::TAILS)).unwrap();
        tails[trace_format::chunk::REGION_HEADER_SIZE + position as usize] = 0;
        fs::write(jvm.join(files::TAILS), tails).unwrap();
        let trace = Trace::open(&jvm).unwrap();
        let info = trace.info().unwrap();
        prop_assert_eq!(info.events.total(), lost as u64);
        prop_assert_eq!(info.completeness.damaged, 0);
        prop_assert_eq!(info.completeness.reason, None);
    }
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_in(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn message(path: &Path) -> String {
    Trace::open(path)
        .unwrap_err()
        .to_string()
        .replace(&path.display().to_string(), "T")
}

#[test]
fn each_mistake_has_its_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert_eq!(message(&path.join("none")), "there is no trace at T");
    assert_eq!(
        message(path),
        "the trace at T is empty: no JVM was recorded"
    );
    fs::write(path.join("file"), "x").unwrap();
    assert_eq!(
        message(&path.join("file")),
        "T is not a trace: it is a file, not a folder"
    );
    assert_eq!(
        message(path),
        "T is not a trace: it has neither run.json nor a folder of a recorded JVM"
    );
    let jvm = Model::new(1, 100).sketch.write_run(path).unwrap();
    fs::write(jvm.join(files::META), r#"{"format":{"major":9,"minor":1}}"#).unwrap();
    assert_eq!(
        message(&jvm),
        "cannot read the trace at T: the trace has format version 9.1, which is too new for this \
         program (it reads 6.x)"
    );
    assert!(matches!(Trace::open(path), Err(StoreError::Version { .. })));
    let jvm = Model::new(1, 100).sketch.write_run(path).unwrap();
    fs::write(jvm.join(files::CHUNKS), "something else").unwrap();
    assert_eq!(
        message(&jvm),
        "the trace at T is damaged: a file does not begin with its signature"
    );
    fs::remove_dir_all(&jvm).unwrap();
    assert_eq!(
        message(path),
        "the trace at T is empty: no JVM was recorded"
    );
}

#[test]
fn the_jvm_that_ran_the_program_is_picked() {
    let folder = tempfile::tempdir().unwrap();
    let write = |pid: u32, command: &str, calls: usize| {
        let mut model = Model::new(1, 100);
        model.sketch.meta().pid = pid;
        model.sketch.meta().java_command = command.into();
        (0..calls).for_each(|_| model.take(&common::Step::enter(0, 0)));
        model.sketch.end(EndReason::Exit);
        model.sketch.write_run(folder.path()).unwrap();
    };
    let picked = || {
        RunFolder::open(folder.path())
            .unwrap()
            .interesting()
            .meta
            .pid
    };
    write(
        10,
        "org.codehaus.plexus.classworlds.launcher.Launcher test",
        50,
    );
    assert_eq!(picked(), 10);
    write(11, "Empty", 0);
    assert_eq!(picked(), 10);
    write(12, "Main a b", 5);
    assert_eq!(picked(), 12);
    write(13, "Other", 9);
    assert_eq!(picked(), 13);
    assert_eq!(RunFolder::open(folder.path()).unwrap().jvms.len(), 4);
}

#[test]
fn a_folder_that_cannot_be_written_is_indexed_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut model = Model::new(2, 100);
    (0..5).for_each(|_| model.take(&common::Step::enter(0, 0)));
    let jvm = model.sketch.write_run(folder.path()).unwrap();
    // A file in the way stands for missing rights, which root does not lack.
    fs::write(jvm.join(files::INDEX), "in the way").unwrap();
    let trace = Trace::open(&jvm).unwrap();
    assert_eq!(trace.info().unwrap().calls, 5);
    drop(trace);
    assert!(jvm.join(files::INDEX).is_file());
}
