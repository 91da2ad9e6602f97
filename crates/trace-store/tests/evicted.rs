//! A trace whose oldest chunks were given up says of the rest what the whole trace says of it, wherever the
//! rest begins; and of what came before it says nothing that is wrong.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::common;

use std::fs;
use std::path::Path;

use crate::common::{Model, Step, steps};
use proptest::prelude::*;
use trace_format::chunk::CHUNK_HEADER_SIZE;
use trace_format::elements::ElementsContent;
use trace_format::files::{self, SIGNATURE_SIZE};
use trace_format::secret::MASK;
use trace_format::{
    ChunkHeader, Elements, EndReason, EventPosition, EvictionLog, Head, HeldObjects, Kind,
    ObjectId, ObjectKind, OldObjects, Stream, Symbol, ThreadNumber, TraceTime, WhenFull,
};
use trace_store::{CallId, ObjectSlot, SlotValue, Symbols, Trace};

/// Offsets in `chunks` at which a chunk begins, and the end.
fn boundaries(chunks: &[u8]) -> Vec<usize> {
    let mut at = SIGNATURE_SIZE;
    let mut found = vec![at];
    while let Ok(header) = ChunkHeader::decode(&chunks[at..]) {
        at += header.stride() as usize;
        found.push(at);
    }
    found
}

/// How much of the descriptions in the part that is given up is given up as well.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Objects {
    Kept,
    Half,
    GivenUp,
}

/// Gives up the oldest descriptions of a file `objects`, and says so in the head.
fn give_up_objects(objects: &mut [u8], until: usize, head: &mut Head) {
    let mut held = HeldObjects::of(head, ObjectId(1));
    let mut old = OldObjects::default();
    old.retain(&mut held);
    let mut at = SIGNATURE_SIZE;
    while at < until {
        let header = ChunkHeader::decode(&objects[at..]).unwrap();
        let payload = &objects[at + CHUNK_HEADER_SIZE..][..header.length as usize];
        old.add(&header, payload, &mut held);
        at += header.stride() as usize;
    }
    objects[SIGNATURE_SIZE..at].fill(0);
    head.objects_from = at as u64;
    head.objects = old.heads();
}

/// Does to a trace what the recorder does: everything before an offset is given up.
fn give_up(jvm: &Path, whole: &[u8], until: usize, descriptions: Objects, out: &Path) {
    fs::create_dir_all(out).unwrap();
    for name in [files::META, files::SYMBOLS, files::TAILS, files::END] {
        fs::copy(jvm.join(name), out.join(name)).unwrap();
    }
    let symbols = Symbols::of(&fs::read(jvm.join(files::SYMBOLS)).unwrap());
    let mut chunks = whole.to_vec();
    let mut objects = files::CHUNKS_SIGNATURE.to_vec();
    let mut given_up = EvictionLog::default();
    let mut at = SIGNATURE_SIZE;
    while at < until {
        let header = ChunkHeader::decode(&whole[at..]).unwrap();
        let end = at + header.stride() as usize;
        if header.stream == Stream::Objects {
            objects.extend(&whole[at..end]);
        } else {
            let stored = &whole[at + CHUNK_HEADER_SIZE..][..header.stored() as usize];
            let mut payload = Vec::new();
            header.unpack(stored, &mut payload).unwrap();
            given_up.add(&header, &payload, &symbols).unwrap();
        }
        at = end;
    }
    chunks[SIGNATURE_SIZE..until].fill(0);
    let mut head = given_up.head(until as u64, objects.len() as u64);
    let until = match descriptions {
        Objects::Kept => 0,
        Objects::Half => objects.len() / 2,
        Objects::GivenUp => objects.len(),
    };
    give_up_objects(&mut objects, until, &mut head);
    fs::write(out.join(files::HEAD), head.encode()).unwrap();
    fs::write(out.join(files::OBJECTS), objects).unwrap();
    fs::write(out.join(files::CHUNKS), chunks).unwrap();
}

fn kept_from(trace: &Trace, thread: ThreadNumber) -> u64 {
    trace.stream(thread, Stream::Events).kept_from()
}

fn check_calls(whole: &Trace, rest: &Trace) {
    let mut lost = 0;
    for all in whole.all_calls().unwrap() {
        let thread = all.thread();
        let begin = kept_from(rest, thread);
        let is_open = |index: &u32| all.exit(*index).is_none_or(|exit| exit.0 >= begin);
        let (before, after): (Vec<u32>, Vec<u32>) =
            (0..all.len()).partition(|&index| all.entry(index).0 < begin);
        let open: Vec<u32> = before.iter().copied().filter(is_open).collect();
        lost += before.len() - open.len();
        let kept = [&open[..], &after[..]].concat();
        let Ok(calls) = rest.calls(thread) else {
            assert!(kept.is_empty());
            continue;
        };
        assert_eq!(calls.len() as usize, kept.len());
        let begun_before = rest.calls_begun_before_kept(thread).unwrap();
        assert_eq!(begun_before as usize, open.len());
        for (index, &was) in (0u32..).zip(&kept) {
            let (id, was) = (CallId::new(thread, index), CallId::new(thread, was));
            let (call, expected) = (rest.call(id).unwrap(), whole.call(was).unwrap());
            assert_eq!(call.method, expected.method);
            assert_eq!(call.arguments, expected.arguments);
            assert_eq!(call.this, expected.this);
            assert_eq!(call.outcome, expected.outcome);
            assert_eq!(call.exit, expected.exit);
            let parent = call.parent.map(|parent| kept[parent.index as usize]);
            assert_eq!(parent, expected.parent.map(|parent| parent.index));
            let is_cut = rest.began_before_kept(id).unwrap();
            assert_eq!(is_cut, index < begun_before);
            if !is_cut {
                assert_eq!(call.entry, expected.entry);
                assert_eq!(call.subtree, expected.subtree);
                let values = whole.values_of(was).unwrap();
                assert_eq!(rest.values_of(id).unwrap(), values);
                let own = |trace: &Trace, id| {
                    let events = trace.own_events(id).unwrap();
                    events
                        .map(|own| format!("{:?}", (own.position, own.event)))
                        .collect::<Vec<_>>()
                };
                assert_eq!(own(rest, id), own(whole, was));
            }
        }
    }
    assert_eq!(rest.evicted().unwrap().calls, lost as u64);
}

/// What is said is right, and what was written since everything is known is said.
fn check_slot(
    found: Option<SlotValue>,
    expected: Option<SlotValue>,
    rest: &Trace,
    time: TraceTime,
) {
    if let Some(found) = found {
        assert_eq!(Some(found.value), expected.map(|expected| expected.value));
    }
    let since = rest.known_since().unwrap();
    let written = expected.and_then(|expected| expected.written);
    let is_late = written.is_some_and(|written| {
        written.position.0 >= kept_from(rest, written.thread)
            && rest.time(written.thread, written.position).unwrap() >= since
    });
    assert!(found.is_some() || !is_late, "{expected:?} at {time}");
}

fn check_state(model: &Model, whole: &Trace, rest: &Trace) {
    for &(thread, position) in &model.order {
        if position < kept_from(rest, thread) {
            continue;
        }
        let position = EventPosition(position);
        let then = whole.time(thread, position).unwrap();
        let time = rest.time(thread, position).unwrap();
        assert_eq!(rest.position(time).unwrap(), (thread, position));
        for (object, slot) in model.slots() {
            let slot = match slot {
                ObjectSlot::Field(field) => ObjectSlot::Field(rest.resolve_field(field)),
                element => element,
            };
            let found = rest.slot_at(object, slot, time).unwrap();
            check_slot(
                found,
                whole.slot_at(object, slot, then).unwrap(),
                rest,
                time,
            );
            let is_described = rest.object(object).unwrap().is_some();
            if let ObjectSlot::Element(index) = slot
                && is_described
            {
                assert_eq!(rest.elements_at(object, index, 1, time).unwrap(), [found]);
            }
        }
        for field in model.statics_written() {
            let found = rest.static_at(field, time).unwrap();
            check_slot(found, whole.static_at(field, then).unwrap(), rest, time);
        }
    }
}

fn open(folder: &Path) -> Trace {
    let mut trace = Trace::open(folder).unwrap();
    trace.set_hierarchy(common::hierarchy);
    trace
}

fn check_everywhere(model: &mut Model) {
    model.sketch.end(EndReason::Exit);
    let folder = tempfile::tempdir().unwrap();
    let jvm = model.sketch.write_run(folder.path()).unwrap();
    let whole = open(&jvm);
    let chunks = fs::read(jvm.join(files::CHUNKS)).unwrap();
    for until in boundaries(&chunks) {
        for descriptions in [Objects::Half, Objects::GivenUp] {
            let out = folder.path().join(format!("from-{until}-{descriptions:?}"));
            give_up(&jvm, &chunks, until, descriptions, &out);
            let rest = open(&out);
            assert_eq!(rest.info().unwrap().completeness.damaged, 0);
            check_calls(&whole, &rest);
            check_state(model, &whole, &rest);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn the_rest_reads_as_in_the_whole(
        threads in 1usize..4, chunk in 20usize..300, steps in steps(60),
    ) {
        let mut model = Model::new(threads, chunk);
        model.sketch.meta().when_full = WhenFull::Ring;
        steps.iter().for_each(|step| model.take(step));
        check_everywhere(&mut model);
    }
}

#[test]
fn many_calls_are_open_where_the_rest_begins() {
    let mut model = Model::new(1, 1 << 17);
    for step in 0..100_000 {
        model.take(&Step::enter(0, step % 5));
    }
    for _ in 0..100_000 {
        model.take(&Step::exit(0));
    }
    model.sketch.end(EndReason::Exit);
    let folder = tempfile::tempdir().unwrap();
    let jvm = model.sketch.write_run(folder.path()).unwrap();
    let whole = open(&jvm);
    let chunks = fs::read(jvm.join(files::CHUNKS)).unwrap();
    let boundaries = boundaries(&chunks);
    for &until in [boundaries.len() / 3, boundaries.len() - 2].map(|at| &boundaries[at]) {
        let out = folder.path().join(format!("from-{until}"));
        give_up(&jvm, &chunks, until, Objects::Kept, &out);
        check_calls(&whole, &open(&out));
    }
}

#[test]
fn secrets_are_overwritten_in_what_stands_for_descriptions() {
    let mut model = Model::new(1, 64);
    let thread = ThreadNumber(0);
    let secret = ObjectKind::String {
        length: 7,
        content: Elements {
            kind: Kind::Byte,
            count: 7,
            content: ElementsContent::Plain(b"s3cr3t!"),
        },
        hash: 0,
        is_constant: true,
    };
    let object = model.sketch.described(thread, "java.lang.String", secret);
    for step in 0..40 {
        model.take(&Step::enter(0, step % 5));
    }
    model.sketch.end(EndReason::Exit);
    let folder = tempfile::tempdir().unwrap();
    let jvm = model.sketch.write_run(folder.path()).unwrap();
    let chunks = fs::read(jvm.join(files::CHUNKS)).unwrap();
    let until = *boundaries(&chunks).last().unwrap();
    let out = folder.path().join("rest");
    give_up(&jvm, &chunks, until, Objects::GivenUp, &out);
    let has_secret = || {
        let head = fs::read(out.join(files::HEAD)).unwrap();
        head.windows(7).any(|bytes| bytes == b"s3cr3t!")
    };
    assert!(has_secret(), "code names it, so it is kept");
    let mut symbols = fs::read(out.join(files::SYMBOLS)).unwrap();
    Symbol::Masked { object }.encode(&mut symbols);
    fs::write(out.join(files::SYMBOLS), symbols).unwrap();
    assert_eq!(trace_store::scrub(&out).unwrap(), ["s3cr3t!"]);
    assert!(!has_secret());
    let trace = open(&out);
    assert_eq!(trace.text(object).unwrap().as_deref(), Some(MASK));
}
