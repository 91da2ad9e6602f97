//! Every call of every example program replays as it was recorded.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common;

use std::time::Duration;

use test_support::{Example, ExampleVersion, Jdk};

#[test]
fn all_calls_of_all_examples_agree() {
    let jdk = Jdk::default();
    let mut calls = 0;
    for example in Example::all().unwrap() {
        for version in [ExampleVersion::Buggy, ExampleVersion::Fixed] {
            let classes = example.compile(version).unwrap();
            let limit = example.time_limit().map(|_| Duration::from_secs(2));
            let recorded = common::record(&classes, &jdk, limit);
            calls += common::replay_all(&example.name, &recorded.trace);
        }
    }
    assert!(calls > 10_000, "only {calls} calls in all examples");
}
