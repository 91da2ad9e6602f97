//! Where the bytes of a trace go: how many events there are of each kind and what they take, the same for descriptions
//! of objects, and what the values take, which nobody can count without replaying.
//! `cargo run -p trace-store --example bytes_by_kind -- TRACE …`

#![expect(clippy::print_stdout, reason = "it is a program that prints a table")]

use std::collections::BTreeMap;

use trace_format::event::{self, Skimmed, skim, tag};
use trace_format::object;
use trace_format::{Kind, OpenFrame, Stream};
use trace_store::Trace;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Of each kind how many there are, and their bytes.
type Histogram = BTreeMap<String, (u64, u64)>;

fn main() -> Outcome {
    for folder in std::env::args().skip(1) {
        let trace = Trace::open(&folder)?;
        println!("{folder}");
        let (mut values, mut stored) = (0, [0; 3]);
        let (mut events, mut objects) = (Histogram::new(), Histogram::new());
        for thread in trace.threads() {
            let view = trace.stream(thread, Stream::Values);
            values += view.length() - view.begin();
            for (stream, bytes) in Stream::ALL.into_iter().zip(&mut stored) {
                *bytes += trace.stream(thread, stream).stored();
            }
            count_events(&trace, thread, &mut events);
            count_objects(&trace, thread, &mut objects);
        }
        println!("{:>12} bytes of values", values);
        println!("{stored:>12?} bytes of events, values and objects in the file");
        print("events", events);
        print("objects", objects);
    }
    Ok(())
}

fn print(what: &str, histogram: Histogram) {
    let mut rows: Vec<_> = histogram.into_iter().collect();
    rows.sort_by_key(|&(_, (_, bytes))| std::cmp::Reverse(bytes));
    let all: u64 = rows.iter().map(|&(_, (_, bytes))| bytes).sum();
    println!("{all:>12} bytes of {what}");
    for (kind, (count, bytes)) in rows {
        println!("{bytes:>16} {count:>10} {kind}");
    }
}

fn add(histogram: &mut Histogram, kind: String, bytes: usize) {
    let row = histogram.entry(kind).or_default();
    row.0 += 1;
    row.1 += bytes as u64;
}

fn count_events(trace: &Trace, thread: trace_format::ThreadNumber, events: &mut Histogram) {
    let mut stack: Vec<OpenFrame> = Vec::new();
    let mut pass = trace.stream(thread, Stream::Events).pass_from(0);
    while let Some(piece) = pass.next() {
        let mut rest = piece.bytes;
        loop {
            let shape = stack.last().map(|frame| frame.shape);
            let Ok(Some((event, length))) = skim(rest, trace.symbols(), shape) else {
                break;
            };
            match event {
                Skimmed::Enter { method, shape, .. } => {
                    let arguments = &rest[event::enter_size(method)..length];
                    stack.push(OpenFrame::entered(shape, arguments));
                }
                Skimmed::Exit { .. } => drop(stack.pop()),
                Skimmed::Throw { depth, .. } if (1..=stack.len()).contains(&(depth as usize)) => {
                    stack.truncate(depth as usize - 1);
                }
                Skimmed::Catch { depth, .. } => stack.truncate(depth as usize),
                _ => {}
            }
            add(events, event_kind(&event, rest), length);
            rest = &rest[length..];
        }
    }
}

fn event_kind(event: &Skimmed, bytes: &[u8]) -> String {
    let Skimmed::Write { tag } = event else {
        let text = format!("{event:?}");
        return text.split([' ', '{']).next().unwrap_or_default().to_owned();
    };
    let by = if tag & tag::BY_LIBRARY == 0 {
        ""
    } else {
        " by library"
    };
    let kind = |code| Kind::from_code(code).map_or("?".to_owned(), |kind| format!("{kind:?}"));
    let what = match tag & !tag::BY_LIBRARY {
        tag::PUT_FIELD => "put field".to_owned(),
        tag::PUT_THIS => "put field of this".to_owned(),
        tag::PUT_STATIC => "put static".to_owned(),
        tag::ARRAY_RANGE => {
            let form = bytes[1];
            let packed = if form & 0x10 == 0 { "" } else { ", packed" };
            format!("range of {}{packed}", kind(form & 0xf))
        }
        near @ tag::ARRAY_STORE_NEAR.. => {
            format!("store near {}", kind(near - tag::ARRAY_STORE_NEAR))
        }
        store => format!("store {}", kind(store - tag::ARRAY_STORE)),
    };
    what + by
}

fn count_objects(trace: &Trace, thread: trace_format::ThreadNumber, objects: &mut Histogram) {
    for piece in trace.stream(thread, Stream::Objects).pieces() {
        let mut rest = piece.bytes;
        while let Ok(Some((entry, length))) = object::decode(rest) {
            let text = format!("{:?}", entry.kind);
            let kind = text.split([' ', '{', '(']).next().unwrap_or_default();
            add(objects, kind.to_owned(), length);
            rest = &rest[length..];
        }
    }
}
