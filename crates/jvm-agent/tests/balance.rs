//! Every enter has its exit. Test programs print, at many points, their own stack of calls, their
//! arguments and results; the trace must say the same, whatever way calls were left.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use crate::common;

use std::collections::HashMap;

use crate::common::{
    assert_whole, calls_of, java_source, name, newest_compiler, record, record_main, render,
};
use test_support::{Classes, Fixture, Jdk};
use trace_format::event::FIRST_FAR_METHOD;
use trace_format::{EndReason, Value};
use trace_store::{CallId, CallOutcome, Trace};

const BOTH: &[&str] = &["detail=full", "detail=calls"];

fn program(folder: &str) -> Fixture {
    let main = java_source("Log").with_file_name(folder);
    Fixture::new().path(main).path(java_source("Log"))
}

/// The calls that stand for the lines of the log: those in which `Log` was called.
fn subjects(trace: &Trace) -> HashMap<String, CallId> {
    let marks = calls_of(trace, "Log", "mark");
    let subject_of = |mark: CallId| {
        let number = render(trace, trace.call(mark).unwrap().arguments[0]);
        let in_log = |call: &CallId| name(trace, *call).starts_with("Log.");
        let mut callers =
            std::iter::successors(Some(mark), |call| trace.call(*call).unwrap().parent);
        (number, callers.find(|call| !in_log(call)).unwrap())
    };
    marks.into_iter().map(subject_of).collect()
}

fn stack(trace: &Trace, call: CallId) -> String {
    let mut names: Vec<String> =
        std::iter::successors(Some(call), |call| trace.call(*call).unwrap().parent)
            .map(|call| name(trace, call))
            .collect();
    names.reverse();
    names.join(" ")
}

/// Compares the log with the trace, line by line. Returns how many lines there were.
fn compare(log: &str, trace: &Trace) -> usize {
    let subjects = subjects(trace);
    let lines: Vec<&str> = log
        .lines()
        .filter_map(|line| line.strip_prefix('@'))
        .collect();
    for line in &lines {
        let parts: Vec<&str> = line.split('\t').collect();
        let [number, event, callers, values] = parts[..] else {
            panic!("strange line {line}")
        };
        let call = subjects
            .get(number)
            .unwrap_or_else(|| panic!("{line} is not in the trace"));
        assert_eq!(stack(trace, *call), callers, "{line}");
        let call = trace.call(*call).unwrap();
        match event {
            "enter" => {
                let arguments: Vec<String> = call
                    .arguments
                    .iter()
                    .map(|value| render(trace, *value))
                    .collect();
                assert_eq!(arguments.join(", "), values, "{line}");
            }
            "returns" => match call.outcome {
                CallOutcome::Returned(Some(value)) => {
                    // A lambda that returns a box is logged before it is unboxed.
                    assert_eq!(render(trace, value), values, "{line}");
                }
                other => panic!("{line} ended with {other:?}"),
            },
            "throws" => match call.outcome {
                CallOutcome::Threw(exception) => {
                    let exception = render(trace, trace_format::Value::Ref(exception));
                    assert_eq!(exception, values, "{line}");
                }
                other => panic!("{line} ended with {other:?}"),
            },
            _ => {}
        }
    }
    assert_eq!(subjects.len(), lines.len());
    lines.len()
}

fn check(classes: &Classes, jdk: &Jdk, details: &[&str], may_be_lost: impl Fn(&str) -> bool) {
    let run = classes.run(jdk);
    let plain = run.run().unwrap();
    assert_eq!(plain.exit_code(), Some(0), "{}", plain.stderr_text());
    for detail in details {
        let recorded = record(&run, detail).like(&plain);
        let trace = recorded.trace();
        assert_whole(&trace, &may_be_lost);
        let info = trace.info().unwrap();
        assert_eq!(info.completeness.open_calls, 0);
        assert_eq!(info.completeness.reason, Some(EndReason::Exit));
        assert!(compare(&recorded.finished.stdout_text(), &trace) > 5);
    }
}

fn check_everywhere(folder: &str, may_be_lost: impl Fn(&str) -> bool) {
    for jdk in common::jdks() {
        let classes = program(folder).compile_for(jdk).unwrap();
        check(&classes, jdk, BOTH, &may_be_lost);
    }
}

/// A constructor that fails before its object exists cannot say so.
fn is_constructor(name: &str) -> bool {
    name.ends_with(".<init>")
}

#[test]
fn exceptions() {
    check_everywhere("exceptions", is_constructor);
}

#[test]
fn class_initialisers() {
    check_everywhere("initialisers", |_| false);
}

#[test]
fn callbacks() {
    check_everywhere("callbacks", |_| false);
}

#[test]
fn records_and_patterns() {
    let Some(jdk) = newest_compiler().filter(|jdk| jdk.feature() >= 21) else {
        test_support::skip("patterns need a JDK 21 or later; `cargo xtask setup` installs one");
        return;
    };
    let classes = program("modern")
        .jdk(jdk)
        .release(Some(21))
        .compile()
        .unwrap();
    check(&classes, jdk, BOTH, is_constructor);
}

#[test]
fn stack_overflows() {
    for jdk in common::jdks() {
        let classes = program("overflow").compile_for(jdk).unwrap();
        check(&classes, jdk, BOTH, |_| true);
    }
}

/// A handler that releases a lock covers itself, so that the JVM tries until the lock is free: a probe that
/// overflows in there once kept it trying for ever, and then left the lock locked.
#[test]
fn locks_are_released_when_the_stack_overflows() {
    let source = "public class Main {
        static final Object LOCK = new Object();
        static int deepest;
        static void descend(int level) {
            deepest = level;
            synchronized (LOCK) { descend(level + 1); }
        }
        public static void main(String[] args) {
            try { descend(0); } catch (StackOverflowError e) {
                System.out.println((deepest > 100) + \" \" + Thread.holdsLock(LOCK));
            }
        }
    }";
    let program = Fixture::new().source("Main.java", source);
    for jdk in common::jdks() {
        let classes = program.compile_for(jdk).unwrap();
        for detail in BOTH {
            let recorded = record(&classes.run(jdk), detail);
            assert_eq!(recorded.finished.stdout_text(), "true false\n");
        }
    }
}

/// Buffers are looked after at certain points only; between two of them nothing may outgrow one.
fn check_buffers(source: &str, lines: &str) {
    let program = Fixture::new().source("Main.java", source);
    for jdk in common::jdks() {
        let classes = program.compile_for(jdk).unwrap();
        let run = classes.run(jdk).jvm_arg("-Xss256m");
        for detail in BOTH {
            let recorded = record(&run, detail);
            let finished = &recorded.finished;
            assert_eq!(finished.stdout_text(), lines, "{}", finished.stderr_text());
            let trace = recorded.trace();
            assert_whole(&trace, |_| false);
            assert_eq!(trace.info().unwrap().completeness.open_calls, 0);
        }
    }
}

#[test]
fn a_hundred_thousand_returns_in_a_row() {
    let source = "class Main {
        static long deep(int n, long x) { return n == 0 ? x : deep(n - 1, x + 1) + 1; }
        static void fall(int n) { if (n == 0) throw new IllegalStateException(); fall(n - 1); }
        public static void main(String[] arguments) {
            System.out.println(deep(100_000, 1) + deep(100_000, 2));
            try { fall(100_000); } catch (IllegalStateException e) { System.out.println(\"fell\"); }
        }
    }";
    check_buffers(source, "400003\nfell\n");
}

#[test]
fn initialisers_within_initialisers() {
    let numbers: Vec<String> = (0..95).map(|number| format!("{number}L")).collect();
    let mut source = "class Main {
        public static void main(String[] arguments) { System.out.println(Main0.x); }
    }"
    .to_owned();
    for number in 0..60 {
        let next = if number < 59 {
            format!("Main{}.x + 1", number + 1)
        } else {
            "1".to_owned()
        };
        let table = numbers.join(", ");
        source += &format!(
            "class Main{number} {{ static long x = {next}; static long[] table = {{{table}}}; }}\n"
        );
    }
    check_buffers(&source, "60\n");
}

fn check_ending(way: &str, code: i32, open: &[&str]) -> (String, Trace, common::Recorded) {
    let jdk = Jdk::default();
    let run = program("endings").compile().unwrap().run(&jdk).arg(way);
    let plain = run.run().unwrap();
    assert_eq!(plain.exit_code(), Some(code));
    let recorded = record(&run, "detail=full").like(&plain);
    let trace = recorded.trace();
    assert_whole(&trace, |_| false);
    assert_eq!(trace.end().map(|end| end.reason), Some(EndReason::Exit));
    let log = recorded.finished.stdout_text();
    compare(&log, &trace);
    let mut found = Vec::new();
    for calls in trace.all_calls().unwrap() {
        for index in 0..calls.len() {
            if calls.is_open(index) {
                found.push(name(&trace, CallId::new(calls.thread(), index)));
            }
        }
    }
    assert_eq!(found, open, "{way}");
    (log, trace, recorded)
}

#[test]
fn calls_that_exit_the_program_stay_open() {
    let deep = [
        "Main.main",
        "Main.deep",
        "Main.deep",
        "Main.deep",
        "Main.deep",
    ];
    let end = |name| [deep.as_slice(), &[name]].concat();
    check_ending("exit", 3, &end("Main.lambda$main$0"));
    check_ending("halt", 4, &end("Main.lambda$main$1"));
}

#[test]
fn shutdown_hooks_are_recorded() {
    let open = [
        "Main.main",
        "Main.deep",
        "Main.deep",
        "Main.deep",
        "Main.lambda$main$3",
    ];
    let (log, ..) = check_ending("hook", 5, &open);
    assert!(
        log.contains("Main.lambda$main$2 Main.deep Main.deep"),
        "{log}"
    );
}

#[test]
fn uncaught_exceptions_end_all_calls() {
    check_ending("uncaught", 1, &[]);
    check_ending("thread", 0, &[]);
}

#[test]
fn daemon_threads_are_open_at_the_end() {
    let one = ["Main.lambda$main$5", "Main.wait"];
    check_ending("daemon", 0, &[one, one, one].concat());
}

/// Methods with large numbers are entered by a longer event.
#[test]
fn more_methods_than_a_short_event_can_name() {
    let methods: String = (0..33_000)
        .map(|number| format!("static long m{number}(int a, long b) {{ return a + b; }}\n"))
        .collect();
    let classes = Fixture::new()
        .source(
            "Main.java",
            &format!(
                "public class Main {{
    public static void main(String[] args) {{ System.out.println(Late.sum(Many.m7(1, 2), \"x\")); }}
}}
class Many {{ {methods} }}
class Late {{
    long total;
    static long sum(long a, String text) {{ Late late = new Late(); late.add(a); return late.total; }}
    void add(long a) {{ total += a; }}
}}"
            ),
        )
        .compile()
        .unwrap();
    let recorded = record_main(&classes, &Jdk::default(), "detail=full");
    let trace = recorded.trace();
    assert_whole(&trace, |_| false);
    let call = |class, method| trace.call(calls_of(&trace, class, method)[0]).unwrap();
    let sum = call("Late", "sum");
    assert!(sum.method >= FIRST_FAR_METHOD, "{:?}", sum.method);
    assert_eq!(sum.arguments[0], Value::Long(3));
    assert_eq!(render(&trace, sum.arguments[1]), "\"x\"");
    assert_eq!(sum.outcome, CallOutcome::Returned(Some(Value::Long(3))));
    assert_eq!(call("Late", "add").arguments, [Value::Long(3)]);
    assert_eq!(
        call("Many", "m7").arguments,
        [Value::Int(1), Value::Long(2)]
    );
}
