//! Real libraries, every class of them, must still pass the JVM's verifier once they are rewritten:
//! what javac, ecj and code generators of twenty years make of Java is more than our fixtures show.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::dead_locals::drop_dead_locals;
use crate::common::{assert_whole, jdks, record};
use test_support::{Jdk, Library, Run, link_all};

/// Classes below `before` stand before those of the library.
fn linked(library: &Library, jdk: &Jdk, before: Option<&Path>) -> Run {
    let class_path = before.map(Path::to_path_buf).into_iter();
    link_all(jdk, class_path.chain(library.class_path()), library.jars()).unwrap()
}

fn check(library: &Library, jdk: &Jdk, detail: &str) {
    compare(library, linked(library, jdk, None), jdk, detail);
}

fn compare(library: &Library, run: Run, jdk: &Jdk, detail: &str) {
    let plain = run.run().unwrap();
    assert_eq!(plain.exit_code(), Some(0), "{}", plain.stderr_text());
    let recorded = record(&run, detail);
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
    for library in Library::usual() {
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

/// Probes may read a local only where the frames have it, and tools that shrink class files leave out what nothing
/// reads any more. Nearly every name is a secret's here, and every object is asked for its text: all
/// probes are there.
#[test]
fn frames_without_dead_locals_on_every_java_version() {
    for (jdk, name) in jdks().into_iter().zip(
        ["rhino", "jsoup", "commons-math3", "javassist"]
            .into_iter()
            .cycle(),
    ) {
        let library = Library::named(name).unwrap();
        let shrunk = shrunk(library);
        let run = linked(library, jdk, Some(shrunk.path()));
        let [whole, fewer] = [&linked(library, jdk, None), &run].map(|run| run.run().unwrap());
        assert_eq!(fewer.stdout_text(), whole.stdout_text(), "{name}");
        compare(library, run, jdk, "detail=full,mask=*a*;*e*;*i*,texts=*");
    }
}

/// The library's classes with frames that tell of no dead local.
fn shrunk(library: &Library) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let jar = Jdk::compiler().and_then(|jdk| jdk.tool("jar")).unwrap();
    for archive in library.jars() {
        let mut extracting = Command::new(&jar);
        extracting.current_dir(&folder).arg("xf").arg(archive);
        assert!(extracting.status().unwrap().success());
    }
    let mut dropped = 0;
    let mut open = vec![folder.path().to_path_buf()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(
                fs::read_dir(path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if path
            .extension()
            .is_some_and(|extension| extension == "class")
        {
            let (bytes, here) = drop_dead_locals(&fs::read(&path).unwrap());
            fs::write(&path, bytes).unwrap();
            dropped += here;
        }
    }
    assert!(dropped > 1000, "{} has {dropped} dead locals", library.name);
    folder
}
