//! A recorded program must not notice: same output, same exceptions, same exit code, on programs
//! that keep real libraries busy.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use crate::common::{assert_whole, jdks, record};
use test_support::Jdk;
use test_support::workloads::Workload;

fn check(workload: &Workload, jdk: &Jdk, details: &[&str]) {
    if let Some(library) = workload.missing_library() {
        panic!("{} needs {}", workload.name, library.remedy());
    }
    let run = workload.run(jdk, workload.test_scale).unwrap();
    let plain = run.run().unwrap();
    assert_eq!(plain.exit_code(), Some(0), "{}", plain.stderr_text());
    for detail in details {
        let recorded = record(&run, detail).like(&plain);
        let trace = recorded.trace();
        assert_whole(&trace, |name| name.ends_with(".<init>"));
        assert!(trace.info().unwrap().calls > 0);
    }
}

#[test]
fn every_workload() {
    for workload in Workload::usual() {
        check(workload, &Jdk::default(), &["detail=full", "detail=calls"]);
    }
}

#[test]
fn some_workloads_on_every_java_version() {
    for jdk in jdks() {
        for name in ["kxml2", "jsoup", "cglib"] {
            check(Workload::named(name).unwrap(), jdk, &["detail=full"]);
        }
    }
}

/// What objects say of themselves is asked by calling code of the program. (Not every library stands it:
/// asking a `ToStringBuilder` of commons-lang3 changes it.)
#[test]
fn a_program_whose_objects_are_asked_for_their_text() {
    let options = ["detail=full,texts=*", "detail=calls,texts=*"];
    check(Workload::named("kxml2").unwrap(), &Jdk::default(), &options);
}
