//! The streams of a thread: symbols, then events that are decoded, skimmed and passed over, which must agree; and
//! the other records of a trace, each decoded from the same bytes.

use anyhow::Result;
use java_names::modified_utf8;
use trace_format::event::{self, FrequentEvents};
use trace_format::{
    ChunkHeader, Event, FrameShape, Head, Meta, ObjectId, OpenCalls, OpenFrame, RegionHeader,
    RunFile, Shapes, Signatures, Stream, Symbol, files, object, secret,
};

use crate::recorded;

/// How many bytes at the front tell where the symbols end.
const LENGTH: usize = 4;
/// Numbers of methods and fields above this are not right, as in a trace whose `symbols` file is that small.
const MOST_SYMBOLS: usize = 1 << 16;
/// Elements of an array that are looked up one by one.
const MOST_ELEMENTS: u32 = 64;

pub(super) fn run(bytes: &[u8]) {
    let (symbols, events) = split(bytes);
    let shapes = shapes_of(symbols);
    walk(events, &shapes);
    read_open_calls(events, &shapes);
    decode_others(events);
}

fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    let Some((length, rest)) = bytes.split_first_chunk::<LENGTH>() else {
        return (&[], bytes);
    };
    let length = (u32::from_le_bytes(*length) as usize).min(rest.len());
    rest.split_at(length)
}

fn shapes_of(mut symbols: &[u8]) -> Shapes {
    let mut shapes = Shapes::default();
    while let Ok(Some((symbol, length))) = Symbol::decode(symbols) {
        shapes.add(&symbol, MOST_SYMBOLS);
        if !matches!(symbol, Symbol::Other { .. }) {
            let mut again = Vec::new();
            symbol.encode(&mut again);
            let decoded = Symbol::decode(&again);
            assert!(
                matches!(decoded, Ok(Some((decoded, _))) if decoded == symbol),
                "decoding undoes encoding: {symbol:?}"
            );
        }
        symbols = symbols.get(length..).unwrap_or_default();
    }
    shapes
}

/// Walks the events as a reader does, with the stack of open calls.
fn walk(events: &[u8], shapes: &Shapes) {
    let mut frames: Vec<OpenFrame> = Vec::new();
    let mut at = 0;
    loop {
        let rest = events.get(at..).unwrap_or_default();
        let current = frames.last().copied();
        let decoded = event::decode(rest, shapes, current);
        let skimmed = event::skim(rest, shapes, current.map(|frame| frame.shape));
        match (&decoded, &skimmed) {
            (Ok(Some((_, one))), Ok(Some((_, other)))) => assert_eq!(one, other, "lengths agree"),
            (Ok(None), Ok(None)) | (Err(_), Err(_)) => {}
            (one, other) => panic!("decoding gives {one:?}, skimming {other:?}"),
        }
        let Ok(Some((event, length))) = decoded else {
            return;
        };
        assert!(length > 0, "an event takes room");
        encode_again(&event, current, shapes);
        take(&event, &mut frames, shapes);
        at += length;
    }
}

fn encode_again(event: &Event<'_>, current: Option<OpenFrame>, shapes: &Shapes) {
    let this = current.map_or(ObjectId::NULL, |frame| frame.this);
    let mut again = Vec::new();
    event.encode(this, &mut again);
    let decoded = event::decode(&again, shapes, current);
    assert!(
        matches!(decoded, Ok(Some((decoded, _))) if decoded == *event),
        "decoding undoes encoding: {event:?}, {decoded:?}"
    );
}

fn take(event: &Event<'_>, frames: &mut Vec<OpenFrame>, shapes: &Shapes) {
    match event {
        Event::Enter {
            method, arguments, ..
        } => {
            let shape = shapes.frame(*method).unwrap_or_default();
            frames.push(OpenFrame::entered(shape, arguments));
        }
        Event::Exit { .. } => drop(frames.pop()),
        Event::Throw { depth, .. } => frames.truncate(depth.saturating_sub(1) as usize),
        Event::Catch { depth, .. } => frames.truncate(*depth as usize),
        Event::This { object } => {
            if let Some(frame) = frames.last_mut() {
                frame.this = *object;
            }
        }
        Event::Write(write) => look_at(&write.target),
        _ => {}
    }
}

fn look_at(target: &event::WriteTarget<'_>) {
    let event::WriteTarget::Range(range) = target else {
        return;
    };
    let values = range.elements.values(|_| None);
    for number in 0..range.elements.count.min(MOST_ELEMENTS) {
        let found = range.elements.value(number, |_| None);
        let listed = values.get(number as usize).copied();
        assert!(
            found == listed || listed.is_none(),
            "an element is the same alone and in the list"
        );
    }
    let _ = range.indices();
}

/// Reads the events in two chunks, as a recorder does that gives up the oldest part of a run.
fn read_open_calls(events: &[u8], shapes: &Shapes) {
    let mut calls = OpenCalls::default();
    let middle = events.len() / 2;
    let (one, other) = events.split_at(middle);
    if calls.read(one, 1, shapes).is_ok() {
        let _ = calls.read(other, 2, shapes);
    }
    let head = calls.head();
    assert!(
        head.len() <= events.len(),
        "what stands for events is not longer than they are"
    );
    let mut counted = Counted {
        shapes,
        open: Vec::new(),
    };
    let end = event::pass_frequent(events, 0, shapes, u32::MAX, &mut counted);
    assert!(end <= events.len(), "a pass ends within the bytes");
}

/// Keeps the stack that a pass over frequent events asks for.
struct Counted<'a> {
    shapes: &'a Shapes,
    open: Vec<FrameShape>,
}

impl FrequentEvents for Counted<'_> {
    fn enter(&mut self, _at: usize, entered: event::Entered) -> bool {
        self.open
            .push(self.shapes.frame(entered.method).unwrap_or_default());
        true
    }

    fn exit(&mut self, _at: usize, _values: u8) -> u32 {
        self.open.pop();
        let current = self.open.last();
        current.map_or(u32::MAX, |shape| shape.lengths().exit)
    }

    fn other(&mut self, _tag: u8) -> bool {
        true
    }
}

fn decode_others(bytes: &[u8]) {
    let _ = ChunkHeader::decode(bytes);
    let _ = RegionHeader::decode(bytes).map(|header| (header.readable(), header.stride()));
    let _ = Head::decode(bytes).map(|head| head.encode());
    let _ = (Meta::parse(bytes), RunFile::parse(bytes));
    let _ = modified_utf8::decode(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = secret::NamePattern::new(text);
        let _ = trace_format::descriptor::method_kinds(text);
        let _ = trace_format::descriptor::field_kind(text);
    }
    let mut objects = bytes;
    while let Ok(Some((entry, length))) = object::decode(objects) {
        assert!(length > 0, "an entry takes room");
        let _ = (entry.kind.text(|_| Some(bytes)), entry.kind.masked());
        objects = objects.get(length..).unwrap_or_default();
    }
}

/// The symbols of recorded programs, each followed by the events of one of their threads, and their objects.
pub(super) fn seeds() -> Result<Vec<Vec<u8>>> {
    let mut seeds = Vec::new();
    for folder in recorded::traces()? {
        let trace = trace_store::Trace::open(&folder)?;
        let symbols = std::fs::read(trace.folder().join(files::SYMBOLS))?;
        let symbols = symbols.get(files::SIGNATURE_SIZE..).unwrap_or_default();
        let Ok(length) = u32::try_from(symbols.len()) else {
            continue;
        };
        for thread in trace.threads() {
            for stream in [Stream::Events, Stream::Objects] {
                let mut seed = length.to_le_bytes().to_vec();
                seed.extend_from_slice(symbols);
                let view = trace.stream(thread, stream);
                for piece in view.pieces() {
                    seed.extend_from_slice(piece.bytes);
                }
                seeds.push(seed);
            }
        }
    }
    Ok(seeds)
}
