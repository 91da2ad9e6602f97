//! The workloads do what a comparison relies on: their output depends on the scale alone.

use evaluation::workloads::{Large, Workload};
use test_support::{Finished, Jdk};

/// Those that are run on every JDK of the machine; the others on the default one.
const ON_EVERY_JDK: &[&str] = &["wordcount", "kxml2", "jsoup", "cglib"];

fn run(workload: &Workload, jdk: &Jdk) -> Finished {
    match workload.run(jdk, workload.test_scale).map(|run| run.run()) {
        Ok(Ok(finished)) => finished,
        other => panic!("{}: {other:?}", workload.name),
    }
}

#[test]
fn outputs_are_complete_and_repeatable() {
    let jdk = Jdk::default();
    let large = Large::all().iter().map(|large| &large.workload);
    for workload in Workload::all().iter().chain(large) {
        let first = run(workload, &jdk);
        let stdout = first.stdout_text();
        assert_eq!(
            first.exit_code(),
            Some(0),
            "{}: {}",
            workload.name,
            first.stderr_text()
        );
        assert!(
            stdout.contains("checksum ") && stdout.contains("expected: "),
            "{stdout}"
        );
        assert_eq!(
            run(workload, &jdk).stdout_text(),
            stdout,
            "{}",
            workload.name
        );
    }
}

#[test]
fn outputs_are_the_same_on_every_jdk() {
    for workload in ON_EVERY_JDK.iter().filter_map(|name| Workload::named(name)) {
        let expected = run(workload, &Jdk::default()).stdout_text();
        for jdk in Jdk::all().iter().filter(|jdk| jdk.feature() >= 11) {
            let actual = run(workload, jdk).stdout_text();
            assert_eq!(actual, expected, "{} on {jdk:?}", workload.name);
        }
    }
}
