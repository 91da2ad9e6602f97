//! A trace's folder is opened and walked: calls, values, objects, histories, and the indexes that are made for them.
//!
//! An input is the content of the folder's files, one after the other, each behind its length. What is missing at
//! the end is missing in the folder. Of what can be done beside the first walk, an input gets one thing, which its
//! content decides: each of them opens all files again, and most of an input's time goes into that.

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use tempfile::TempDir;
use trace_format::symbol::ACC_STATIC;
use trace_format::{
    EndReason, EventPosition, FieldId, Kind, MethodId, ObjectId, StandardStream, Stream,
    ThreadNumber, TraceTime, Value, files,
};
use trace_store::sketch::Sketch;
use trace_store::{CallId, Growing, ObjectSlot, RunFolder, Trace};

use super::digest;
use crate::recorded;

pub(super) const WORDS: &[&[u8]] = &[
    &[0x43, 0x48, 0x4e, 0x4b, 1],
    &[0x43, 0x48, 0x4e, 0x4b, 2],
    &[0x43, 0x48, 0x4e, 0x4b, 3],
    &files::CHUNKS_SIGNATURE,
    &files::HEAD_SIGNATURE,
    b"\"when_full\":\"ring\"",
    b"(IJLjava/lang/Object;)V",
];

/// In the order of an input. The large ones come last: what changes a length moves what stands behind it.
const FILES: [&str; 9] = [
    files::META,
    files::END,
    files::HEAD,
    files::CLASSES,
    files::SYMBOLS,
    files::OBJECTS,
    files::PRINTED,
    files::CHUNKS,
    files::TAILS,
];

/// How many calls of a thread, objects, and events of a call are looked at.
const MOST_CALLS: u32 = 24;
const MOST_OBJECTS: usize = 10;
const MOST_EVENTS: usize = 500;
/// In how many steps a growing trace is indexed: each opens all files again.
const STEPS: u64 = 3;

pub(super) fn run(bytes: &[u8]) {
    thread_local! {
        static FOLDER: OnceCell<TempDir> = const { OnceCell::new() };
    }
    FOLDER.with(|folder| {
        let folder = folder.get_or_init(new_folder);
        let jvm = folder.path().join(files::jvm_folder(1));
        // A folder that cannot be made or emptied is no finding about the store.
        let written = write(&jvm, bytes);
        assert!(written.is_ok(), "the folder cannot be written: {written:?}");
        match digest(bytes) % 4 {
            0 => follow(&jvm, bytes.len() as u64 / STEPS),
            number => open_and_walk(folder.path(), &jvm, number == 1),
        }
    });
}

/// In memory, where that can be had: an input is some files, and there are many inputs.
fn new_folder() -> TempDir {
    let in_memory = Path::new("/dev/shm");
    let folder = match in_memory.is_dir() {
        true => TempDir::new_in(in_memory),
        false => TempDir::new(),
    };
    match folder {
        Ok(folder) => folder,
        Err(error) => panic!("there is no room for a folder: {error}"),
    }
}

fn write(jvm: &Path, mut bytes: &[u8]) -> std::io::Result<()> {
    if jvm.exists() {
        fs::remove_dir_all(jvm)?;
    }
    fs::create_dir_all(jvm)?;
    for name in FILES {
        let Some((length, rest)) = bytes.split_first_chunk() else {
            break;
        };
        let length = (u32::from_le_bytes(*length) as usize).min(rest.len());
        let (content, behind) = rest.split_at(length);
        // A file that is always there may be empty; one that is not is not there then.
        if !content.is_empty() || ![files::END, files::HEAD, files::OBJECTS].contains(&name) {
            fs::write(jvm.join(name), content)?;
        }
        bytes = behind;
    }
    Ok(())
}

/// `again` is with the indexes that are there by then.
fn open_and_walk(folder: &Path, jvm: &Path, again: bool) {
    if let Ok(trace) = Trace::open(jvm) {
        walk(&trace);
    }
    if again {
        let _ = RunFolder::open(folder).map(|run| run.interesting().is_build_tool());
        if let Ok(trace) = Trace::open(jvm) {
            let _ = trace.info();
            let _ = trace.roots().map(|roots| roots.len());
        }
    }
}

/// As a program's run is followed while it goes on.
fn follow(jvm: &Path, step: u64) {
    let Ok(mut growing) = Growing::open(jvm) else {
        return;
    };
    while let Ok(true) = growing.advance(step) {
        if growing.is_up_to_date() {
            break;
        }
    }
    if let Some(trace) = growing.trace() {
        walk(&trace);
    }
}

fn walk_printed(trace: &Trace) {
    let Ok(printed) = trace.printed() else {
        return;
    };
    for index in 0..printed.len().min(MOST_CALLS) {
        if let Some(piece) = printed.piece(index)
            && let Some((thread, position)) = piece.thread.zip(piece.position)
        {
            let number = piece.number as u32;
            assert!(printed.piece_at(thread, position, number).is_some());
        }
    }
    for stream in StandardStream::ALL {
        for index in 0..printed.line_count(stream).min(MOST_CALLS) {
            let line = printed.line(stream, index);
            let parts = line.map(|line| printed.parts(&line).count());
            assert!(parts.is_some_and(|parts| parts > 0));
        }
    }
}

fn walk(trace: &Trace) {
    let _ = trace.info();
    let end = trace.end_time().unwrap_or(TraceTime(0));
    let times = [TraceTime(0), TraceTime(end.0 / 2), end, TraceTime(u64::MAX)];
    let threads: Vec<ThreadNumber> = trace.threads().collect();
    for &thread in &threads {
        walk_calls(trace, thread);
        let mut values = trace.stream(thread, Stream::Values).reader(3);
        while values.next(Kind::Long).is_some() {}
    }
    let described = trace.objects().into_iter().flatten().take(MOST_OBJECTS);
    for object in described.chain((0..4).map(ObjectId)).collect::<Vec<_>>() {
        look_at(trace, object, times);
    }
    for field in trace.statics_written().unwrap_or_default() {
        let _ = trace.static_at(field, end);
        let _ = trace.writes_of_static(field).map(Iterator::count);
    }
    let classes: Vec<_> = trace.symbols().classes().map(|each| each.class).collect();
    for class in classes {
        let _ = trace.class_file(class);
    }
    let _ = trace.submissions();
    walk_printed(trace);
    let _ = trace.class_objects_named("Main");
    let _ = trace.calls_of_method(MethodId(0)).map(Iterator::count);
    for time in times {
        let _ = trace.position(time);
    }
}

fn walk_calls(trace: &Trace, thread: ThreadNumber) {
    let Ok(calls) = trace.calls(thread) else {
        return;
    };
    for index in 0..calls.len().min(MOST_CALLS) {
        let id = CallId::new(thread, index);
        let _ = trace.call(id);
        let _ = trace.outcome(id);
        let _ = trace.values_of(id);
        let _ = trace.children(id).map(Iterator::count);
        let _ = trace
            .own_events(id)
            .map(|events| events.take(MOST_EVENTS).count());
        let _ = trace.chain_around(id, &|method: MethodId, _| method.0.is_multiple_of(2));
        let _ = calls.at(EventPosition(u64::from(index) * 7));
        let _ = trace.segment(thread, calls.entry(index));
        let _ = (calls.extent(index), calls.depth(index));
    }
    let _ = calls.largest_subtrees();
    let _ = calls.graph().count();
}

fn look_at(trace: &Trace, object: ObjectId, times: [TraceTime; 4]) {
    let _ = trace.object(object);
    let _ = (trace.class_of(object), trace.text(object));
    let _ = (trace.array_length(object), trace.object_rank(object));
    let _ = trace.objects_of_class(object).map(Iterator::count);
    for time in times {
        let _ = trace.object_state(object, time);
        let _ = trace.elements_at(object, 0, 50, time);
        for slot in [
            ObjectSlot::Field(FieldId(object.0 % 6)),
            ObjectSlot::Element(object.0 % 9),
        ] {
            let _ = trace.slot_at(object, slot, time);
            let _ = trace.last_write_before(object, slot, time);
        }
        let _ = trace.text_said(object, time);
    }
    for slot in [ObjectSlot::Field(FieldId(1)), ObjectSlot::Element(1)] {
        let _ = trace.writes_of(object, slot).map(Iterator::count);
    }
}

/// Sketched runs of every kind, and recorded ones.
pub(super) fn seeds() -> Result<Vec<Vec<u8>>> {
    let mut seeds = Vec::new();
    let folder = TempDir::new()?;
    for (number, ended) in [(0u32, true), (1, false), (2, true), (3, false)] {
        let mut sketch = sketch(1 + number as usize % 3, 40 << number);
        if ended {
            sketch.end(EndReason::Exit);
        }
        let jvm: PathBuf = folder.path().join(number.to_string());
        sketch.write(&jvm)?;
        seeds.push(pack(&jvm));
    }
    for folder in recorded::traces()? {
        let trace = Trace::open(&folder)?;
        seeds.push(pack(trace.folder()));
    }
    Ok(seeds)
}

fn pack(jvm: &Path) -> Vec<u8> {
    let mut packed = Vec::new();
    for name in FILES {
        let content = fs::read(jvm.join(name)).unwrap_or_default();
        let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
        packed.extend(length.to_le_bytes());
        packed.extend(content);
    }
    packed
}

/// A run with objects of every kind, writes of every kind, exceptions, and several threads.
fn sketch(threads: usize, chunk: usize) -> Sketch {
    let mut sketch = Sketch::new();
    sketch.chunk_size(chunk);
    let threads: Vec<ThreadNumber> = (0..threads)
        .map(|number| sketch.thread(&format!("t{number}")))
        .collect();
    let class = sketch.class("Main");
    let twice = sketch.method(class, ACC_STATIC, "twice", "(I)I");
    let note = sketch.method(class, 0, "note", "(JLjava/lang/Object;)V");
    let make = sketch.method(class, 0, "<init>", "([I)V");
    let sum = sketch.field("Main", "sum", "J", false);
    let last = sketch.field("Main", "last", "Ljava/lang/Object;", false);
    let count = sketch.field("Main", "count", "I", true);
    for (round, &thread) in (0..).zip(threads.iter().cycle().take(threads.len() * 3)) {
        let object = sketch.object(thread, "Main");
        let text = sketch.string(thread, "a text");
        let numbers = [Value::Int(round), Value::Int(7), Value::Int(7)];
        let array = sketch.array(thread, "[I", &numbers);
        let packed = sketch.packed_array(thread, "[I", &[Value::Int(3); 20]);
        let boxed = sketch.boxed(thread, "java.lang.Integer", Value::Int(round));
        sketch.enter(thread, make, &[Value::Ref(array)]);
        sketch.this(thread, object);
        sketch.put_field(thread, object, sum, Value::Long(1));
        sketch.exit(thread, None).sync(thread);
        sketch.enter(
            thread,
            note,
            &[Value::Ref(object), Value::Long(9), Value::Ref(text)],
        );
        sketch.put_field(thread, object, last, Value::Ref(boxed));
        sketch.put_static(thread, count, Value::Int(round));
        sketch.store(thread, array, 1, Value::Int(5));
        sketch.store_range(thread, array, 0, &[Value::Int(4); 3]);
        sketch.store_packed(thread, packed, 2, &[Value::Int(8); 12]);
        sketch.value(thread, Value::Long(77));
        for argument in 0..3 {
            sketch.enter(thread, twice, &[Value::Int(argument)]);
            sketch.exit(thread, Some(Value::Int(argument * 2)));
        }
        sketch.enter(thread, twice, &[Value::Int(-1)]);
        let thrown = sketch.object(thread, "java.lang.Error");
        sketch.throw(thread, thrown);
        if round != 4 {
            sketch.exit(thread, None);
        }
    }
    sketch
}
