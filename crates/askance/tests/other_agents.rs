//! A program that is run with another agent: what that one brings along is not recorded as the program's.

#![allow(clippy::print_stderr, reason = "a test that cannot be run says so")]

use crate::support::{Said, askance, run};
use test_support::{Fixture, JaCoCo, Jdk};

const MAIN: &str = "public class Main {
    interface Shape { default int area() { return sides() * 2; } int sides(); }

    static int twice(int n) { return n > 2 ? 2 * n : n + n; }

    public static void main(String[] arguments) {
        int total = 0;
        for (int i = 0; i < 5; i++) {
            total += twice(i);
        }
        Shape square = () -> 4;
        System.out.println(total + square.area());
    }
}
";

#[test]
fn the_probes_of_a_coverage_tool_are_not_the_programs_calls() {
    let Some(jacoco) = JaCoCo::jar() else {
        test_support::skip("`cargo xtask setup` gets JaCoCo");
        return;
    };
    for release in [8, 11] {
        let fixture = Fixture::new().source("Main.java", MAIN);
        let classes = fixture.release(Some(release)).compile().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let record = |trace: &str, agents: &[String]| {
            let mut command = askance(folder.path());
            command.args(["record", "-o", trace, "--max-trace", "1G", "--"]);
            command.arg(Jdk::default().java()).args(agents);
            let said: Said = command
                .arg("-cp")
                .arg(classes.dir())
                .arg("Main")
                .output()
                .unwrap()
                .into();
            assert_eq!(said.out, "28\n", "{}", said.err);
            let tree = run(folder.path(), ["tree", trace, "--depth", "20"]).out;
            // The tool's own array is written to in the middle of the program's code, and is shown where it changed.
            let calls = tree.lines().filter_map(|line| line.split(" → ").next());
            // Objects have other numbers.
            let calls = calls.map(|call| call.replace(|c: char| c.is_ascii_digit(), ""));
            calls.collect::<Vec<String>>()
        };
        let alone = record("alone", &[]);
        let covered = folder.path().join("jacoco.exec").display().to_string();
        let agent = format!("-javaagent:{}=destfile={covered}", jacoco.display());
        let together = record("together", &[agent]);
        assert!(folder.path().join("jacoco.exec").is_file());
        assert_eq!(together, alone, "classes of release {release}");
    }
}
