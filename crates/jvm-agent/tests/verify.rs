//! Real libraries, every class of them, must still pass the JVM's verifier once they are rewritten:
//! what javac, ecj and code generators of twenty years make of Java is more than our fixtures show.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod common;

use common::{assert_whole, java_source, jdks, record};
use test_support::{Fixture, Jdk, Library, Run};

fn linked(library: &Library, jdk: &Jdk) -> Run {
    let loader = Fixture::new()
        .path(java_source("Linker"))
        .compile()
        .unwrap();
    loader
        .run(jdk)
        .jvm_arg("-Xverify:all")
        .jvm_arg("-XX:-PrintWarnings")
        .class_path(library.class_path())
        .main_class("Linker")
        .arg(library.jar())
}

fn check(library: &Library, jdk: &Jdk, detail: &str) {
    let run = linked(library, jdk);
    let plain = run.run().unwrap();
    assert_eq!(plain.exit_code(), Some(0), "{}", plain.stderr_text());
    let recorded = record(&run, jdk, detail);
    let (before, after) = (plain.stdout_text(), recorded.finished.stdout_text());
    for (before, after) in before.lines().zip(after.lines()) {
        assert_eq!(after, before, "{} on {}", library.name, jdk.full_version());
    }
    assert_eq!(after.lines().count(), before.lines().count());
    assert_eq!(
        recorded.finished.exit_code(),
        Some(0),
        "{}",
        recorded.finished.stderr_text()
    );

    let trace = recorded.trace();
    assert_whole(&trace, |_| false);
    assert_eq!(trace.log(), Vec::<String>::new());
    let well_linked = before.lines().filter(|line| !line.contains(' ')).count();
    assert!(trace.symbols().classes().count() >= well_linked);
    for skipped in trace.symbols().skipped() {
        assert!(
            skipped.reason.contains("too large"),
            "{}.{}: {}",
            skipped.class,
            skipped.method,
            skipped.reason
        );
    }
}

#[test]
fn every_class_of_every_library_in_full() {
    for library in Library::all() {
        check(
            library,
            &Jdk::default(),
            "detail=full,mask=*password*;*token?,texts=java.time.*",
        );
    }
}

#[test]
fn every_class_of_some_libraries_with_calls_only() {
    for name in ["closure-compiler", "rhino", "cglib"] {
        check(
            Library::named(name).unwrap(),
            &Jdk::default(),
            "detail=calls",
        );
    }
}

#[test]
fn some_libraries_on_every_java_version() {
    for jdk in jdks() {
        for name in ["kxml2", "commons-lang3", "javassist"] {
            // Nearly every name is a secret's.
            let options = "detail=full,mask=*a*;*e*;*i*";
            check(Library::named(name).unwrap(), jdk, options);
        }
    }
}
