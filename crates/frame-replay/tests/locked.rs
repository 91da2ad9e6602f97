//! In programs that lock correctly nothing is written from outside, what a variable held before each write is what
//! the write before it wrote, and each read finds what the variable held then.
//!
//! Programs are generated: a few variables, each counted up under a lock of some kind by several threads of several
//! kinds, and without one by the main thread before they start and after they have ended.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;

use crate::common::{Recorded, calls, record};
use frame_replay::{Access, HeapVariable as HeapPlace, Program, Replay, find_outside_writes};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use test_support::{Fixture, Jdk};
use trace_format::{ObjectId, Value};
use trace_store::{CallId, ObjectSlot, Trace};

/// Generated programs in a run of the tests, unless `ASKANCE_PROGRAMS` says how many.
const PROGRAMS: u32 = 6;

#[derive(Debug, Clone, Copy)]
enum Place {
    Static,
    Field,
    Element,
}

#[derive(Debug, Clone, Copy)]
enum Guard {
    Method,
    Block(usize),
    Explicit(usize),
    /// A volatile number that is never counted down: who counts it up by one has the lock.
    Volatile,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Lambda,
    OwnClass,
    Task,
}

#[derive(Debug, Clone)]
struct Worker {
    kind: Kind,
    rounds: u32,
    /// Which variables it counts up in each round.
    counted: Vec<usize>,
}

#[derive(Debug, Clone)]
struct Locked {
    variables: Vec<(Place, Guard)>,
    workers: Vec<Worker>,
}

fn programs() -> impl Strategy<Value = Locked> {
    let place = prop_oneof![
        Just(Place::Static),
        Just(Place::Field),
        Just(Place::Element)
    ];
    let guard = prop_oneof![
        Just(Guard::Method),
        (0..2usize).prop_map(Guard::Block),
        (0..2usize).prop_map(Guard::Explicit),
        Just(Guard::Volatile),
    ];
    let kind = prop_oneof![Just(Kind::Lambda), Just(Kind::OwnClass), Just(Kind::Task)];
    let worker = (kind, 1..400u32, vec(0..6usize, 1..4));
    let worker = worker.prop_map(|(kind, rounds, counted)| Worker {
        kind,
        rounds,
        counted,
    });
    (vec((place, guard), 1..6), vec(worker, 2..5))
        .prop_map(|(variables, workers)| Locked { variables, workers })
}

impl Locked {
    fn java(&self) -> String {
        let mut text = String::from(FRAME);
        for (number, (place, guard)) in self.variables.iter().enumerate() {
            let count = match place {
                Place::Static => format!("count{number} = count{number} + 1;"),
                Place::Field => format!("boxes[{number}].held = boxes[{number}].held + 1;"),
                Place::Element => format!("numbers[{number}] = numbers[{number}] + 1;"),
            };
            let (modifier, locked) = match guard {
                Guard::Method => ("synchronized ", count.clone()),
                Guard::Block(lock) => {
                    ("", format!("synchronized (MONITORS[{lock}]) {{ {count} }}"))
                }
                Guard::Explicit(lock) => (
                    "",
                    format!(
                        "LOCKS[{lock}].lock(); try {{ {count} }} finally {{ LOCKS[{lock}].unlock(); }}"
                    ),
                ),
                Guard::Volatile => (
                    "",
                    format!(
                        "int turn = TURNS.getAndIncrement(); while (served != turn) Thread.yield(); {count} served = turn + 1;"
                    ),
                ),
            };
            writeln!(text, "    static int count{number};").unwrap();
            writeln!(
                text,
                "    static {modifier}void count{number}() {{ {locked} }}"
            )
            .unwrap();
            writeln!(text, "    static void alone{number}() {{ {count} }}").unwrap();
        }
        text.push_str("    static void all() {\n");
        for number in 0..self.variables.len() {
            writeln!(text, "        alone{number}();").unwrap();
        }
        text.push_str("    }\n");
        for (number, worker) in self.workers.iter().enumerate() {
            write!(
                text,
                "    static void work{number}() {{ for (int i = 0; i < {}; i++) {{",
                worker.rounds
            )
            .unwrap();
            for counted in &worker.counted {
                write!(text, " count{}();", counted % self.variables.len()).unwrap();
            }
            text.push_str(" } }\n");
        }
        text.push_str(
            "    public static void main(String[] args) throws Exception {\n        all();\n",
        );
        let mut ends = String::new();
        for (number, worker) in self.workers.iter().enumerate() {
            let work = format!("Main::work{number}");
            let line = match worker.kind {
                Kind::Lambda => {
                    format!("Thread t{number} = new Thread({work}); t{number}.start();")
                }
                Kind::OwnClass => format!("Own t{number} = new Own({work}); t{number}.start();"),
                Kind::Task => format!("Future<?> t{number} = pool.submit((Runnable) {work});"),
            };
            writeln!(text, "        {line}").unwrap();
            let end = match worker.kind {
                Kind::Lambda | Kind::OwnClass => "join",
                Kind::Task => "get",
            };
            writeln!(ends, "        t{number}.{end}();").unwrap();
        }
        text + &ends + "        all();\n        pool.shutdown();\n    }\n}\n"
    }

    /// How often a variable is counted up.
    fn times(&self, variable: usize) -> u32 {
        let counted = |worker: &Worker| {
            let variables = worker.counted.iter().map(|at| at % self.variables.len());
            worker.rounds * variables.filter(|at| *at == variable).count() as u32
        };
        2 + self.workers.iter().map(counted).sum::<u32>()
    }
}

const FRAME: &str = "
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

public class Main {
    static class Box { int held; }
    static class Own extends Thread {
        final Runnable work;
        Own(Runnable work) { this.work = work; }
        public void run() { work.run(); }
    }
    static final Box[] boxes = { new Box(), new Box(), new Box(), new Box(), new Box(), new Box() };
    static final int[] numbers = new int[6];
    static final Object[] MONITORS = { new Object(), new Object() };
    static final ReentrantLock[] LOCKS = { new ReentrantLock(), new ReentrantLock() };
    static final AtomicInteger TURNS = new AtomicInteger();
    static volatile int served;
    static final ExecutorService pool = Executors.newFixedThreadPool(2);
";

#[test]
fn reads_and_writes_find_what_was_written_last() {
    let cases = std::env::var("ASKANCE_PROGRAMS").map_or(PROGRAMS, |text| text.parse().unwrap());
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 100,
        ..Config::default()
    };
    let jdk = Jdk::default();
    let checked = TestRunner::new(config).run(&programs(), |program| {
        let java = program.java();
        let classes = Fixture::new().source("Main.java", &java).compile().unwrap();
        let recorded = record(&classes, &jdk, None);
        prop_assert!(
            recorded.finished.status.success(),
            "{}",
            recorded.finished.stderr_text()
        );
        check(&program, &recorded)
    });
    checked.unwrap_or_else(|failure| panic!("{failure}"));
}

fn check(program: &Locked, recorded: &Recorded) -> Result<(), TestCaseError> {
    let trace = &recorded.trace;
    let outside = find_outside_writes(trace);
    prop_assert!(
        outside.is_empty(),
        "{} written: {:?}",
        outside.len(),
        outside.first()
    );
    for (number, (place, _)) in program.variables.iter().enumerate() {
        let (object, slot) = variable(trace, number, *place);
        let writes = trace.recorded_writes_of(object, slot).unwrap();
        let written: Vec<Value> = writes.map(|write| write.value).collect();
        let expected = 1..=program.times(number) as i32;
        prop_assert_eq!(written, expected.map(Value::Int).collect::<Vec<_>>());
    }
    let program = Program::of(trace);
    for call in calls(trace) {
        check_reads(trace, &program, call)?;
    }
    Ok(())
}

/// What a call read of the variables is what they held then.
fn check_reads(trace: &Trace, program: &Program, call: CallId) -> Result<(), TestCaseError> {
    let mut replay = Replay::new(trace, program, call).unwrap();
    while let Some(step) = replay.step().unwrap() {
        let Some(Access::Read(place, value @ Value::Int(_))) = step.access else {
            continue;
        };
        let field = |number| replay.code().field(number).unwrap();
        let time = trace.time_before(call.thread, step.position).unwrap();
        let held = match place {
            HeapPlace::Static { field: number } if field(number).name.starts_with("count") => {
                trace.static_at(field(number).id.unwrap(), time).unwrap()
            }
            HeapPlace::Field {
                object,
                field: number,
            } => {
                let slot = ObjectSlot::Field(field(number).id.unwrap());
                trace.slot_at(object, slot, time).unwrap()
            }
            HeapPlace::Element { array, index } => trace
                .slot_at(array, ObjectSlot::Element(index), time)
                .unwrap(),
            HeapPlace::Static { .. } => continue,
        };
        prop_assert_eq!(
            held.map(|held| held.value),
            Some(value),
            "{:?} in {}",
            place,
            call
        );
    }
    Ok(())
}

/// Where a variable of a program is.
fn variable(trace: &Trace, number: usize, place: Place) -> (ObjectId, ObjectSlot) {
    let field = |name: &str| {
        let mut fields = trace.symbols().fields();
        ObjectSlot::Field(fields.find(|field| field.name == name).unwrap().field)
    };
    // What a static held in the end, and never anything else.
    let held = |name: &str| {
        let mut writes = trace
            .recorded_writes_of(ObjectId::NULL, field(name))
            .unwrap();
        writes.next().unwrap().value.object().unwrap()
    };
    match place {
        Place::Static => (ObjectId::NULL, field(&format!("count{number}"))),
        Place::Element => (held("numbers"), ObjectSlot::Element(number as u32)),
        Place::Field => {
            let element = ObjectSlot::Element(number as u32);
            let mut writes = trace.recorded_writes_of(held("boxes"), element).unwrap();
            (
                writes.next().unwrap().value.object().unwrap(),
                field("held"),
            )
        }
    }
}
