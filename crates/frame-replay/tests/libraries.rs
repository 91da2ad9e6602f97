//! Every call of real libraries at work replays as it was recorded.

#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common;

use std::time::Duration;

use test_support::{Fixture, Jdk, Library};

/// Those whose workload is short enough for a test; `examples/replay_all` takes the others.
const LIBRARIES: &[&str] = &[
    "kxml2",
    "htmlcleaner",
    "rhino",
    "javassist",
    "commons-lang3",
    "antlr4-runtime",
    "cglib",
];

#[test]
fn all_calls_of_libraries_agree() {
    let jdk = Jdk::default();
    let installed = LIBRARIES.iter().filter_map(|name| Library::named(name));
    for library in installed {
        if !library.is_installed() {
            test_support::skip(library.remedy());
            continue;
        }
        let workloads = test_support::workspace_root().join("crates/test-support/workloads");
        let classes = Fixture::new()
            .path(workloads.join(library.name))
            .class_path(library.class_path())
            .compile()
            .unwrap();
        let run = classes
            .run(&jdk)
            .class_path(library.class_path())
            .main_class("Workload")
            .arg("1")
            .time_limit(Duration::from_secs(60));
        let recorded = common::record_run(run);
        let calls = common::replay_all(library.name, &recorded.trace);
        assert!(calls > 1000, "{} made only {calls} calls", library.name);
    }
}
