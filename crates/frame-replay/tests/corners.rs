//! Calls that begin, end, throw or call back in unusual ways replay as they were recorded, on
//! every supported Java that this machine has.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common;

use std::path::{Path, PathBuf};

use test_support::{Fixture, Jdk};

fn source(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    folder.join(name)
}

#[test]
fn unusual_calls() {
    check("Corners.java");
}

fn check(name: &str) {
    let program = Fixture::new().path(source(name));
    for jdk in Jdk::supported() {
        let classes = program.compile_for(jdk).unwrap();
        let recorded = common::record(&classes, jdk, None);
        let output = recorded.finished.stdout_text();
        assert_eq!(output, "done\n", "{}", recorded.finished.stderr_text());
        common::replay_all(&format!("Java {}", jdk.feature()), &recorded.trace);
    }
}

/// The JVM calls a class's loader wherever the class is first named.
#[test]
fn class_loaders_that_are_recorded() {
    check("Loaders.java");
}

/// What such calls read last may be zeros, which cannot be told from what was not written.
#[test]
fn calls_that_wait_when_the_program_ends() {
    check("Waiting.java");
}

#[test]
fn modern_java() {
    let compiler = [25, 21].into_iter().filter_map(Jdk::version);
    let Some(jdk) = compiler.into_iter().find(|jdk| jdk.javac().is_some()) else {
        test_support::skip("modern Java needs a JDK 21 or later; `cargo xtask setup` installs one");
        return;
    };
    let fixture = Fixture::new().path(source("Modern.java"));
    let classes = fixture.release(None).jdk(jdk).compile().unwrap();
    let recorded = common::record(&classes, jdk, None);
    assert_eq!(recorded.finished.exit_code(), Some(0));
    common::replay_all("modern", &recorded.trace);
}
