//! The workloads do what a comparison relies on: their output depends on the scale alone.

use test_support::workloads::{Large, Workload};
use test_support::{Finished, Jdk};

/// Those that are run on every JDK of the machine; the others on the default one.
const ON_EVERY_JDK: &[&str] = &["wordcount", "kxml2", "jsoup", "cglib", "h2", "jackson"];

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
    for workload in Workload::usual().chain(large) {
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
fn outputs_do_not_depend_on_the_number_of_threads() {
    let jdk = Jdk::default();
    for workload in Workload::usual().filter(|workload| workload.is_threaded) {
        let outputs = ["1", "3"].map(|threads| {
            let run = workload.run(&jdk, workload.test_scale).unwrap();
            run.arg(threads).run().unwrap().stdout_text()
        });
        assert_eq!(outputs[0], outputs[1], "{}", workload.name);
        assert_eq!(run(workload, &jdk).stdout_text(), outputs[0]);
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
