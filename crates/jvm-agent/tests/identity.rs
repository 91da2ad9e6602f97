//! An object has one number, and no other object has it: with several threads that meet the same
//! objects at once, with locked objects, hashed objects, all collectors, and where headers cannot be used.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use crate::common;

use std::collections::HashMap;

use crate::common::{assert_whole, calls_of, java_source, record};
use test_support::{Classes, Fixture, Jdk, Run, require};
use trace_format::{Identity, ObjectId, Value};
use trace_store::{ObjectContent, Trace};

fn program(jdk: &Jdk) -> Classes {
    let folder = java_source("identity").with_extension("");
    Fixture::new().path(folder).compile_for(jdk).unwrap()
}

fn check(jdk: &Jdk, options: &[&str], objects: u32) -> Trace {
    let mut run = program(jdk).run(jdk).arg(objects.to_string());
    for option in options {
        run = run.jvm_arg(*option);
    }
    let recorded = record(&run, "detail=full");
    let finished = &recorded.finished;
    assert_eq!(
        finished.stdout_text(),
        "done\n",
        "{options:?} {}",
        finished.stderr_text()
    );
    assert_eq!(finished.exit_code(), Some(0), "{}", finished.stderr_text());
    let trace = recorded.trace();
    assert_whole(&trace, |_| false);
    assert_one_to_one(&trace, objects);
    trace
}

fn assert_one_to_one(trace: &Trace, objects: u32) {
    let mut by_serial: HashMap<i32, ObjectId> = HashMap::new();
    let mut by_object: HashMap<ObjectId, i32> = HashMap::new();
    for call in calls_of(trace, "Main", "see") {
        let arguments = trace.call(call).unwrap().arguments;
        let [Value::Int(serial), Value::Ref(object)] = arguments[..] else {
            panic!("{arguments:?}")
        };
        assert_eq!(
            *by_serial.entry(serial).or_insert(object),
            object,
            "object of {serial}"
        );
        assert_eq!(
            *by_object.entry(object).or_insert(serial),
            serial,
            "serial of {object:?}"
        );
    }
    assert!(by_serial.len() as u32 >= 4 * objects);
    for (object, serial) in by_object {
        let description = trace.object(object).unwrap();
        let description = description.unwrap_or_else(|| panic!("{serial} is not described"));
        let is_array = matches!(description.content, ObjectContent::Array { .. });
        let class = description.class_name.unwrap();
        assert_eq!(class, if is_array { "[B" } else { "Main$Item" }, "{serial}");
    }
}

fn identity_of(jdk: &Jdk, options: &[&str]) -> Identity {
    check(jdk, options, 300).meta().identity
}

#[test]
fn header_of_every_java_version() {
    for jdk in common::jdks() {
        let trace = check(jdk, &[], 20_000);
        assert_eq!(
            trace.meta().identity,
            Identity::Header,
            "{}",
            jdk.full_version()
        );
    }
}

#[test]
fn map_where_headers_cannot_be_used() {
    for jdk in common::jdks() {
        let out = tempfile::tempdir().unwrap();
        let run = program(jdk).run(jdk).arg("3000");
        // Hashes that the user wants otherwise are his.
        let random = ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=0"];
        let run = random.into_iter().fold(run, Run::jvm_arg);
        let finished = run
            .jvm_arg(common::agent_option(out.path(), ""))
            .run()
            .unwrap();
        assert_eq!(
            finished.stdout_text(),
            "done\n",
            "{}",
            finished.stderr_text()
        );
        let trace = Trace::open(out.path()).unwrap();
        assert_eq!(trace.meta().identity, Identity::Map);
        assert_whole(&trace, |_| false);
        assert_one_to_one(&trace, 3000);
    }
}

#[test]
fn every_collector() {
    // A collector that a JVM does not have is one that it ignores, for another.
    for jdk in common::jdks() {
        let old = if jdk.feature() < 14 {
            &["ConcMarkSweep"][..]
        } else {
            &[]
        };
        for collector in ["Serial", "Parallel", "G1", "Z", "Shenandoah"]
            .iter()
            .chain(old)
        {
            let collector = format!("-XX:+Use{collector}GC");
            check(
                jdk,
                &[
                    "-Xmx256m",
                    "-XX:+UnlockExperimentalVMOptions",
                    "-XX:+IgnoreUnrecognizedVMOptions",
                    &collector,
                ],
                3000,
            );
        }
    }
}

#[test]
fn compact_headers() {
    if let Some(jdk) = require(Jdk::version(25), "compact headers need Java 25") {
        let options = [
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:+UseCompactObjectHeaders",
        ];
        identity_of(jdk, &options);
    }
}

#[test]
fn old_and_new_ways_of_locking() {
    for jdk in common::jdks() {
        for mode in [
            "-XX:LockingMode=0",
            "-XX:LockingMode=1",
            "-XX:LockingMode=2",
            "-XX:+UseHeavyMonitors",
            "-Xint",
        ] {
            identity_of(
                jdk,
                &[
                    "-XX:+UnlockExperimentalVMOptions",
                    "-XX:+IgnoreUnrecognizedVMOptions",
                    mode,
                ],
            );
        }
    }
}
