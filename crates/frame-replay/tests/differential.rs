//! Replayed locals are those that the JVM's own debugging interface reports.
//!
//! A program is run twice: recorded, and under a small JDI client that stops wherever a line begins
//! and prints the locals. Calls are matched by their order, stops by their order within the call, objects
//! by a one-to-one mapping that must hold for the whole run.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;
mod generator;

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use frame_replay::{Program, Replay, Slot, Tag};
use test_support::{Classes, Example, Fixture, Jdk, Run, Version};
use trace_format::ThreadNumber;
use trace_store::{CallId, Trace};

/// A call as the JVM reports it: what was called, and its stops.
struct Watched {
    label: String,
    stops: Vec<Stop>,
}

struct Stop {
    pc: u32,
    /// Name, descriptor, value.
    locals: Vec<(String, String, String)>,
}

#[test]
fn locals_of_generated_programs() {
    let seeds = match std::env::var("ASKANCE_SEEDS") {
        Ok(range) => {
            let (from, to) = range.split_once("..").unwrap();
            from.parse::<u64>().unwrap()..to.parse().unwrap()
        }
        Err(_) => 1..5,
    };
    for seed in seeds {
        let source = generator::Generator::program(seed);
        let classes = Fixture::new().source("Main.java", &source).compile();
        let classes = classes.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        let stops = check(&format!("seed {seed}"), &classes);
        assert!(stops > 100, "seed {seed} has only {stops} stops");
    }
}

#[test]
fn locals_of_examples() {
    for name in [
        "merge-sort",
        "bank",
        "hash-table",
        "lru-cache",
        "text-wrap",
        "payroll",
    ] {
        let example = Example::named(name).unwrap();
        check(name, &example.compile(Version::Buggy).unwrap());
    }
}

/// Returns how many stops were compared.
fn check(what: &str, classes: &Classes) -> usize {
    let jdk = Jdk::default();
    let watched = watch(&jdk, &classes.dir());
    let recorded = common::record(classes, &jdk, None);
    common::replay_all(what, &recorded.trace);
    let calls = recorded.trace.calls(ThreadNumber(0)).unwrap();
    let program = Program::of(&recorded.trace);
    let mut objects = Objects::default();
    let mut stops = 0;
    for (index, call) in watched.iter().enumerate() {
        assert!(
            calls.contains(index as u32),
            "{what}: {} is not recorded",
            call.label
        );
        let id = CallId::new(ThreadNumber(0), index as u32);
        let replay = Replay::new(&recorded.trace, &program, id).unwrap();
        assert_eq!(replay.code().label(), call.label, "{what}, call {index}");
        compare(what, &recorded.trace, replay, call, &mut objects);
        stops += call.stops.len();
    }
    assert_eq!(watched.len(), calls.len() as usize, "{what}");
    stops
}

fn compare(
    what: &str,
    trace: &Trace,
    mut replay: Replay<'_>,
    call: &Watched,
    objects: &mut Objects,
) {
    let mut stops = call.stops.iter();
    while let Some(at) = replay.instruction() {
        let code = replay.code();
        if code.starts_line(at) {
            let pc = code.instructions()[at].pc;
            let place = format!(
                "{what}: {} at offset {pc}, step {}",
                call.label,
                replay.steps()
            );
            let stop = stops
                .next()
                .unwrap_or_else(|| panic!("{place}: no more stops"));
            assert_eq!(stop.pc, pc, "{place}");
            let mut found: Vec<_> = replay.named_locals();
            // JDI keeps these to itself.
            found.retain(|local| local.name != "this" && !local.name.starts_with("this$"));
            let mut expected: Vec<_> = stop.locals.iter().collect();
            found.sort_by_key(|local| local.name);
            expected.sort();
            let names: Vec<_> = found.iter().map(|local| local.name).collect();
            let wanted: Vec<_> = expected.iter().map(|local| local.0.as_str()).collect();
            assert_eq!(names, wanted, "{place}");
            for (local, (_, descriptor, value)) in found.iter().zip(expected) {
                let text = replay.constant_text(local.value);
                if !is_same(trace, descriptor, local.value, text, value, objects) {
                    let name = local.name;
                    panic!(
                        "{place}: {name} is {:?} ({text:?}), not {value}",
                        local.value
                    );
                }
            }
        }
        replay.step().unwrap();
    }
    assert_eq!(stops.count(), 0, "{what}: {} has more stops", call.label);
}

/// Which object of the one run is which of the other.
#[derive(Default)]
struct Objects {
    to_ours: HashMap<u64, u32>,
    to_theirs: HashMap<u32, u64>,
}

fn is_same(
    trace: &Trace,
    descriptor: &str,
    slot: Slot,
    constant: Option<&str>,
    value: &str,
    objects: &mut Objects,
) -> bool {
    if descriptor.starts_with(['L', '[']) {
        let Some((number, text)) = value.strip_prefix('#').and_then(|v| v.split_once(' ')) else {
            return slot.tag() == Tag::Reference && slot.object().is_none() && value == "null";
        };
        if let Some(constant) = constant {
            return plain(constant) == text;
        }
        let Some(object) = slot.object() else {
            return false;
        };
        let number: u64 = number.parse().unwrap();
        let ours = *objects.to_ours.entry(number).or_insert(object.0);
        let theirs = *objects.to_theirs.entry(object.0).or_insert(number);
        let content = trace.text(object).unwrap().unwrap_or_default();
        let is_text = descriptor == "Ljava/lang/String;";
        return ours == object.0 && theirs == number && (!is_text || plain(&content) == text);
    }
    let number = match slot.datum() {
        frame_replay::Datum::Value(value) => value,
        _ => return false,
    };
    use trace_format::Value;
    match number {
        Value::Int(number) => value == number.to_string(),
        Value::Long(number) => value == number.to_string(),
        Value::Float(number) => {
            let theirs = f32::from_bits(value.parse().unwrap());
            number.to_bits() == theirs.to_bits() || number.is_nan() && theirs.is_nan()
        }
        Value::Double(number) => {
            let theirs = f64::from_bits(value.parse().unwrap());
            number.to_bits() == theirs.to_bits() || number.is_nan() && theirs.is_nan()
        }
        _ => false,
    }
}

/// As the client prints text: one `?` for each UTF-16 unit beyond ASCII.
fn plain(text: &str) -> String {
    let units = text.encode_utf16();
    let shown = |unit: u16| match u8::try_from(unit) {
        Ok(byte @ b' '..=b'~') => char::from(byte),
        _ => '?',
    };
    units.map(shown).collect()
}

fn watch(jdk: &Jdk, classes: &Path) -> Vec<Watched> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Watch.java");
    let client = Fixture::new().path(source).release(None).jdk(jdk);
    let client = client.compile().unwrap();
    let finished = Run::new(jdk)
        .class_path([client.dir()])
        .main_class("Watch")
        .arg(classes)
        .arg("Main")
        .time_limit(Duration::from_secs(100))
        .run()
        .unwrap();
    assert_eq!(finished.exit_code(), Some(0), "{}", finished.stderr_text());
    let mut calls: Vec<Watched> = Vec::new();
    for line in finished.stdout_text().lines() {
        let fields: Vec<_> = line.split('\t').collect();
        match fields[..] {
            ["call", label] => calls.push(Watched {
                label: label.to_owned(),
                stops: Vec::new(),
            }),
            ["at", call, pc, ref locals @ ..] => {
                let local = |l: &[&str]| (l[0].to_owned(), l[1].to_owned(), l[2].to_owned());
                calls[call.parse::<usize>().unwrap()].stops.push(Stop {
                    pc: pc.parse().unwrap(),
                    locals: locals.chunks_exact(3).map(local).collect(),
                });
            }
            _ => panic!("what is {line:?}?"),
        }
    }
    calls
}
