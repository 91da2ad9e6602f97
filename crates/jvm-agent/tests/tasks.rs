//! Work that is handed over to other threads: who handed it over is known, whatever way the JDK took.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use crate::common;

use std::collections::BTreeSet;

use crate::common::{assert_whole, calls_of, jdks, name, record};
use test_support::Fixture;

fn folder(name: &str) -> std::path::PathBuf {
    common::java_source("Log").with_file_name(name)
}

#[test]
fn every_way_to_hand_work_over_is_known() {
    let program = Fixture::new().path(folder("tasks"));
    for jdk in jdks() {
        let classes = program.compile_for(jdk).unwrap();
        let run = classes
            .run(jdk)
            .jvm_arg("-Xverify:all")
            .jvm_arg("-XX:-PrintWarnings");
        let plain = run.run().unwrap();
        let recorded = record(&run, "detail=full").like(&plain);
        let trace = recorded.trace();
        assert_whole(&trace, |_| false);
        assert_eq!(trace.log(), Vec::<String>::new());

        let submissions = trace.submissions().unwrap();
        let main = calls_of(&trace, "Main", "main")[0];
        for calls in trace.all_calls().unwrap() {
            for root in calls.roots() {
                let root = trace_store::CallId::new(calls.thread(), root);
                let is_known = submissions.done.iter().any(|done| done.call == root);
                assert!(
                    is_known || root == main,
                    "{} on {}",
                    name(&trace, root),
                    jdk.full_version()
                );
            }
        }
        // Nothing but what these calls handed over: work of the JDK's own is not taken for ours.
        let ways = [
            "pooled",
            "futures",
            "plain",
            "streams",
            "scheduled",
            "fib",
            "timer",
            "compute",
        ];
        let seen: BTreeSet<String> = submissions
            .done
            .iter()
            .map(|done| name(&trace, done.by))
            .collect();
        for by in &seen {
            let way = by.rsplit('.').next().unwrap();
            assert!(ways.contains(&way), "{by} on {}", jdk.full_version());
        }
        for way in &ways[..7] {
            assert!(
                seen.contains(&format!("Main.{way}")),
                "{way} on {}",
                jdk.full_version()
            );
        }
    }
}
