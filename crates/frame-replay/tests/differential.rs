//! Replayed locals are those that the JVM's own debugging interface reports.
//!
//! A program is run twice: recorded, and under a small JDI client that stops wherever a line begins
//! and prints the locals. Calls are matched by their order, stops by their order within the call, objects
//! by a one-to-one mapping that must hold for the whole run.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common;
use crate::generator;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use frame_replay::{Program, Replay, Slot, Tag};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, TestRunner};
use test_support::{Classes, Example, ExampleVersion, Fixture, Jdk, Run};
use trace_store::{CallId, Trace};

/// Generated programs in a run of the tests, unless `ASKANCE_PROGRAMS` says how many.
const PROGRAMS: u32 = 20;
/// Generated programs that are compiled and run together: starting compilers and JVMs takes longer than
/// watching a program.
const AT_A_TIME: usize = 20;
/// More than any program that ends comes to.
const ALL_STOPS: usize = 1_000_000;
/// For a program that does not end by itself, or only where the stack does.
const FIRST_STOPS: usize = 6_000;

/// What the JVM reports of a run.
#[derive(Default)]
struct Watched {
    /// By the names of the threads.
    threads: BTreeMap<String, Vec<WatchedCall>>,
    /// The program had not ended.
    cut: bool,
}

/// A call as the JVM reports it: what was called, and its stops.
struct WatchedCall {
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
    let wanted = std::env::var("ASKANCE_PROGRAMS").map_or(PROGRAMS, |text| text.parse().unwrap());
    let versions = versions();
    let mut versions = versions.iter().cycle();
    let tried = AtomicU32::new(0);
    while tried.load(Ordering::Relaxed) < wanted {
        let (jdk, java) = versions.next().unwrap();
        let config = Config {
            cases: 1,
            failure_persistence: None,
            // Each is a few seconds, and after these the programs are few and small.
            max_shrink_iters: 200,
            ..Config::default()
        };
        let most = (wanted as usize).min(AT_A_TIME);
        let programs = proptest::collection::vec(generator::programs(*java), 1..=most);
        let checked = TestRunner::new(config).run(&programs, |programs| {
            let file = generator::file_of(&programs);
            let fixture = Fixture::new().source("Main.java", &file).jdk(jdk);
            let classes = fixture.release(Some(*java)).compile();
            check("generated", jdk, &classes.unwrap(), ALL_STOPS);
            tried.fetch_add(programs.len() as u32, Ordering::Relaxed);
            Ok(())
        });
        checked.unwrap_or_else(|failure| panic!("{failure}"));
    }
}

/// The Java that programs are generated for, each with a JDK that can compile and watch it.
fn versions() -> Vec<(Jdk, u32)> {
    let mut versions = vec![(Jdk::default(), 11), (Jdk::default(), 17)];
    let newest = Jdk::all().iter().filter(|jdk| jdk.javac().is_some());
    if let Some(newest) = newest.max_by_key(|jdk| jdk.feature())
        && newest.feature() >= 21
    {
        versions.push((newest.clone(), newest.feature()));
    }
    versions
}

/// What programs must be able to contain, by a piece of text that each has in Java.
#[test]
fn generated_programs_have_everything() {
    let mut runner = TestRunner::deterministic();
    let mut all = String::new();
    for _ in 0..60 {
        let program = generator::programs(25).new_tree(&mut runner).unwrap();
        all.push_str(&program.current().0);
    }
    let methods = all.split("static String show").skip(1);
    let methods: String = methods.collect();
    for piece in [
        "Integer.MAX_VALUE",
        "Long.MIN_VALUE",
        "Float.NaN",
        "Double.NaN",
        "-0.0",
        "1e-40f",
        " << ",
        " >> ",
        " >>> ",
        ">>>=",
        "/=",
        "(byte) (",
        "(short) (",
        "(char) (",
        "(long) (",
        "(int) (",
        "(float) (",
        "(double) (",
        " / (",
        " % (",
        "new byte[",
        "new short[",
        "new char[",
        "new long[",
        "new float[",
        "new double[",
        "new boolean[",
        "new String[",
        "long[][]",
        "substring",
        "charAt",
        "StringBuilder",
        "for (int v",
        "while (",
        "do {",
        "break outer",
        "continue outer",
        "case 1000003",
        "case \"BB\"",
        "case RED",
        "try {",
        "catch (RuntimeException",
        "ArithmeticException |",
        "finally {",
        "if (false) return",
        "IntUnaryOperator v",
        "x -> {",
        "new IntUnaryOperator()",
        "new Inner(",
        "new Node(",
        "implements Shape",
        "synchronized",
        "throw new",
        "new Integer[2]",
        "(Integer) v",
        " ? ",
        "List<Map<String, Box<Integer>>>",
        "sum(",
        "join(",
        "Late.get()",
        "synchronized (Main.class)",
        "new Pair<>(",
        "instanceof String v",
        "yield y",
        "case BLUE -> throw",
        "case Square(int side)",
        "case null ->",
        "when number > 3",
    ] {
        assert!(methods.contains(piece), "no program has {piece:?}");
    }
}

#[test]
fn locals_of_examples() {
    for example in Example::all().unwrap() {
        let ends = example.buggy_exit == Some(0);
        let most = if ends { ALL_STOPS } else { FIRST_STOPS };
        let classes = example.compile(ExampleVersion::Buggy).unwrap();
        check(&example.name, &Jdk::default(), &classes, most);
    }
}

/// Compares all locals at the first so many stops.
fn check(what: &str, jdk: &Jdk, classes: &Classes, most: usize) {
    let watched = watch(jdk, &classes.dir(), most);
    let limit = watched.cut.then_some(Duration::from_secs(8));
    let recorded = common::record(classes, jdk, limit);
    common::replay_all(what, &recorded.trace);
    let program = Program::of(&recorded.trace);
    let mut objects = Objects::default();
    let threads = recorded.trace.info().unwrap().threads;
    for (name, watched_calls) in &watched.threads {
        let mut found = threads.iter().filter(|thread| thread.name == *name);
        let thread = found
            .next()
            .unwrap_or_else(|| panic!("{what}: no thread {name}"))
            .thread;
        assert!(
            found.next().is_none(),
            "{what}: two threads are called {name}"
        );
        let calls = recorded.trace.calls(thread).unwrap();
        assert!(
            calls.len() as usize >= watched_calls.len(),
            "{what}: thread {name}"
        );
        if !watched.cut {
            assert_eq!(
                calls.len() as usize,
                watched_calls.len(),
                "{what}: thread {name}"
            );
        }
        for (index, call) in watched_calls.iter().enumerate() {
            let id = CallId::new(thread, index as u32);
            let replay = Replay::new(&recorded.trace, &program, id).unwrap();
            assert_eq!(replay.code().label(), call.label, "{what}, call {index}");
            compare(
                what,
                &recorded.trace,
                replay,
                call,
                watched.cut,
                &mut objects,
            );
        }
    }
    let all: usize = threads.iter().map(|thread| thread.calls as usize).sum();
    let seen: usize = watched.threads.values().map(Vec::len).sum();
    assert!(
        watched.cut || all == seen,
        "{what}: a thread was not watched"
    );
}

/// If the run was cut short under the JVM's eyes, the call may have gone on afterwards.
fn compare(
    what: &str,
    trace: &Trace,
    mut replay: Replay<'_>,
    call: &WatchedCall,
    cut: bool,
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
            let Some(stop) = stops.next() else {
                assert!(cut, "{place}: no more stops");
                return;
            };
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

fn watch(jdk: &Jdk, classes: &Path, most: usize) -> Watched {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/Watch.java");
    let client = Fixture::new().path(source).release(None).jdk(jdk);
    let client = client.compile().unwrap();
    let finished = Run::new(jdk)
        .class_path([client.dir()])
        .main_class("Watch")
        .arg(classes)
        .arg("Main")
        .arg(most.to_string())
        .time_limit(Duration::from_secs(600))
        .run()
        .unwrap();
    assert_eq!(finished.exit_code(), Some(0), "{}", finished.stderr_text());
    let mut watched = Watched::default();
    for line in finished.stdout_text().lines() {
        let fields: Vec<_> = line.split('\t').collect();
        match fields[..] {
            ["call", thread, label] => {
                let calls = watched.threads.entry(thread.to_owned()).or_default();
                calls.push(WatchedCall {
                    label: label.to_owned(),
                    stops: Vec::new(),
                });
            }
            ["at", thread, call, pc, ref locals @ ..] => {
                let local = |l: &[&str]| (l[0].to_owned(), l[1].to_owned(), l[2].to_owned());
                let calls = watched.threads.get_mut(thread).unwrap();
                calls[call.parse::<usize>().unwrap()].stops.push(Stop {
                    pc: pc.parse().unwrap(),
                    locals: locals.chunks_exact(3).map(local).collect(),
                });
            }
            ["cut"] => watched.cut = true,
            _ => panic!("what is {line:?}?"),
        }
    }
    watched
}
