//! However a recording ends, the program goes its way and what was recorded can be read: a killed
//! JVM, a full disk, a limit, a folder that cannot be written, options that make no sense.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{agent, agent_option, assert_whole, java_source, name, record, with_agent};
use test_support::{Finished, Fixture, Jdk, Run, run_command};
use trace_format::EndReason;
use trace_store::{CallId, Growing, Trace};

fn program(arguments: &[&str]) -> Run {
    let folder = java_source("ending").with_extension("");
    let classes = Fixture::new().path(folder).compile().unwrap();
    arguments
        .iter()
        .fold(classes.run(&Jdk::default()), |run, argument| {
            run.arg(*argument)
        })
}

fn start(run: &Run) -> Child {
    let words = run.command_line();
    Command::new(&words[0])
        .args(&words[1..])
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// Ends the program when the test ends, whatever way.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until `ready` gives something.
fn eventually<T>(what: &str, mut ready: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = ready() {
            return found;
        }
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "never happened: {what}"
        );
        std::thread::yield_now();
    }
}

fn calls(trace: &Trace) -> u64 {
    trace.info().unwrap().calls
}

fn assert_readable(trace: &Trace) {
    assert_whole(trace, |_| false);
    for calls in trace.all_calls().unwrap() {
        for index in 0..calls.len() {
            let call = trace.call(CallId::new(calls.thread(), index)).unwrap();
            assert!(call.parent.is_none_or(|parent| parent.index < index));
        }
    }
}

/// The open calls of the threads, each as a stack.
fn open_stacks(trace: &Trace) -> Vec<Vec<String>> {
    let mut stacks = Vec::new();
    for calls in trace.all_calls().unwrap() {
        let open = (0..calls.len()).filter(|index| calls.is_open(*index));
        stacks.push(
            open.map(|index| name(trace, CallId::new(calls.thread(), index)))
                .collect(),
        );
    }
    stacks
}

#[test]
fn a_running_and_then_killed_program_can_be_read() {
    let out = tempfile::tempdir().unwrap();
    let run = with_agent(&program(&["endless"]), out.path(), "detail=full");
    let mut program = Killed(start(&run));
    let trace = eventually("two recorded threads", || {
        let trace = Trace::open(out.path()).ok()?;
        (trace.threads().count() == 2 && calls(&trace) > 10_000).then_some(trace)
    });
    assert!(trace.end().is_none());
    assert_readable(&trace);
    let before = calls(&trace);
    let mut growing = Growing::open(trace.folder()).unwrap();
    eventually("more calls", || {
        growing.advance(u64::MAX / 2).unwrap();
        let trace = growing.trace()?;
        (calls(&trace) > before + 1_000).then_some(())
    });
    program.0.kill().unwrap();
    program.0.wait().unwrap();

    let trace = Trace::open(out.path()).unwrap();
    assert!(trace.end().is_none());
    assert!(calls(&trace) >= before);
    assert_readable(&trace);
    let stacks = open_stacks(&trace);
    assert_eq!(stacks.len(), 2);
    assert_eq!(stacks[0][..2], ["Main.main", "Main.endless"]);
    assert_eq!(stacks[1][..1], ["Main.endless"]);
    for stack in stacks {
        for call in stack {
            assert!(
                call.starts_with("Main.") || call.starts_with("java."),
                "{call}"
            );
        }
    }
}

#[test]
fn the_largest_size_is_kept_and_the_program_goes_on() {
    let run = program(&["rounds", "3000"]);
    let plain = run.run().unwrap();
    let recorded = record(&run, "max-trace=1000000").like(&plain);
    let trace = recorded.trace();
    assert_eq!(trace.end().unwrap().reason, EndReason::MaxTrace);
    assert!(trace.folder().join("chunks").metadata().unwrap().len() <= 1_000_000);
    assert!(calls(&trace) > 1000);
    assert_readable(&trace);
}

#[test]
fn a_limit_below_the_first_byte_leaves_a_readable_trace() {
    let run = program(&["rounds", "500"]);
    let recorded = record(&run, "max-trace=1").like(&run.run().unwrap());
    let trace = recorded.trace();
    assert_eq!(trace.end().unwrap().reason, EndReason::MaxTrace);
    assert_readable(&trace);
}

fn run_limited(run: &Run, kilobytes: u32) -> Finished {
    let mut command = Command::new("sh");
    // In units of 512 bytes.
    let script = format!("ulimit -f {} && exec \"$@\"", kilobytes * 2);
    command.args(["-c", &script, "sh"]).args(run.command_line());
    run_command(&mut command, b"", Duration::from_secs(60)).unwrap()
}

#[test]
fn a_disk_that_takes_no_more_does_not_stop_the_program() {
    let run = program(&["rounds", "3000"]).jvm_arg("-XX:-UsePerfData");
    let plain = run.run().unwrap();
    // From no room at all to room for most of it; the trace itself needs some to begin with.
    for kilobytes in [0, 1, 20, 100, 200, 1000] {
        let out = tempfile::tempdir().unwrap();
        let finished = run_limited(&with_agent(&run, out.path(), "detail=full"), kilobytes);
        assert_eq!(
            finished.stdout_text(),
            plain.stdout_text(),
            "{kilobytes} {finished:?}"
        );
        assert_eq!(finished.exit_code(), Some(0), "{}", finished.stderr_text());
        if kilobytes >= 100 {
            let trace = Trace::open(out.path()).unwrap();
            assert_eq!(trace.end().unwrap().reason, EndReason::Disk);
            assert_readable(&trace);
        } else {
            assert!(
                finished.stderr_text().lines().count() <= 1,
                "{}",
                finished.stderr_text()
            );
        }
    }
}

fn assert_one_sentence(run: &Run, contains: &str) {
    let plain = program(&["rounds", "5"]).run().unwrap();
    let finished = run.run().unwrap();
    assert_eq!(finished.stdout_text(), plain.stdout_text());
    assert_eq!(finished.exit_code(), Some(0));
    let said = finished.stderr_text();
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("askance: nothing is recorded: "), "{said}");
    assert!(said.contains(contains), "{said}");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let out = file.path().join("in-a-file");
    let run = with_agent(&program(&["rounds", "5"]), &out, "");
    assert_one_sentence(&run, &out.display().to_string());
}

#[test]
fn bad_options_are_named() {
    let out = tempfile::tempdir().unwrap();
    let check = |option: &str, contains: &str| {
        let run = program(&["rounds", "5"]).jvm_arg(option);
        assert_one_sentence(&run, contains);
    };
    check(&agent_option(out.path(), "detail=most"), "detail");
    check(&agent_option(out.path(), "max-trace=lots"), "max-trace");
    check(&agent_option(out.path(), "colour=red"), "colour");
    check(
        &format!("-agentpath:{}=detail=full", agent().display()),
        "out",
    );
    check(&format!("-agentpath:{}", agent().display()), "out");
    assert!(out.path().read_dir().unwrap().next().is_none());
}

#[test]
fn loaded_twice_it_records_once() {
    let out = tempfile::tempdir().unwrap();
    let run = program(&["rounds", "5"]);
    let once = with_agent(&run, out.path(), "detail=full");
    let finished = once
        .jvm_arg(agent_option(out.path(), "detail=calls"))
        .run()
        .unwrap();
    assert_eq!(finished.stdout_text(), run.run().unwrap().stdout_text());
    assert_eq!(finished.stderr_text(), "");
    assert_eq!(
        trace_store::RunFolder::open(out.path()).unwrap().jvms.len(),
        1
    );
    assert_eq!(out.path().read_dir().unwrap().count(), 1);
}

#[test]
fn each_jvm_has_a_folder_of_its_own() {
    let out = tempfile::tempdir().unwrap();
    let finished = program(&["parent"])
        .env("JAVA_TOOL_OPTIONS", agent_option(out.path(), ""))
        .run()
        .unwrap();
    assert_eq!(finished.stdout_text(), "rounds 3\nchild 0\n");
    let run = trace_store::RunFolder::open(out.path()).unwrap();
    let commands: Vec<&str> = run
        .jvms
        .iter()
        .map(|jvm| jvm.meta.java_command.as_str())
        .collect();
    assert_eq!(commands.len(), 2);
    for command in ["Main parent", "Main rounds 3"] {
        assert!(commands.contains(&command), "{commands:?}");
    }
    for jvm in &run.jvms {
        let trace = Trace::open(Path::new(&jvm.folder)).unwrap();
        assert_eq!(trace.end().unwrap().reason, EndReason::Exit);
        assert_readable(&trace);
    }
}
