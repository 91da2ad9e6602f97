//! Every call of every example program replays as it was recorded.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common;

use std::time::Duration;

use test_support::{Example, ExampleVersion, Jdk, if_there};

const NO_JAVA_8: &str =
    "there is no Java 8; `cargo xtask setup` gets it where its archive is reached";

#[test]
fn all_calls_of_all_examples_agree() {
    check(
        &Jdk::default(),
        &[ExampleVersion::Buggy, ExampleVersion::Fixed],
    );
}

/// Its library keeps text, starts processes and hands work over otherwise than all later ones.
#[test]
fn all_calls_of_all_examples_agree_on_java_8() {
    if let Some(jdk) = if_there(Jdk::version(8), NO_JAVA_8) {
        check(jdk, &[ExampleVersion::Buggy]);
    }
}

fn check(jdk: &Jdk, versions: &[ExampleVersion]) {
    let mut calls = 0;
    for example in Example::all().unwrap() {
        for version in versions {
            let classes = example.compile_for(*version, jdk).unwrap();
            let limit = example.time_limit().map(|_| Duration::from_secs(2));
            let recorded = common::record(&classes, jdk, limit);
            calls += common::replay_all(&example.name, &recorded.trace);
        }
    }
    assert!(calls > 10_000, "only {calls} calls in all examples");
}
