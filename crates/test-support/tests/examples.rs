//! Every example is what its model says: both versions compile and print what is expected, and
//! they differ in nothing but the lines of the method that is to blame.

#![expect(clippy::unwrap_used, reason = "a helper of a test may panic, too")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use test_support::{Example, ExampleVersion, Jdk};

fn for_each_example(check: impl Fn(&Example)) {
    let examples = Example::all().unwrap();
    assert!(examples.len() >= 14, "only {} examples", examples.len());
    for example in &examples {
        check(example);
    }
}

#[test]
fn outputs_and_exits_are_as_modelled() {
    let jdk = Jdk::default();
    for_each_example(|example| {
        let name = &example.name;
        let mut run = example.compile(ExampleVersion::Buggy).unwrap().run(&jdk);
        if let Some(limit) = example.time_limit() {
            run = run.time_limit(limit);
        }
        let buggy = run.run().unwrap();
        assert_eq!(buggy.stdout_text(), example.buggy_output, "{name}, buggy");
        assert_eq!(buggy.exit_code(), example.buggy_exit, "{name}, buggy");
        assert_eq!(
            buggy.timed_out,
            example.time_limit().is_some(),
            "{name}, buggy"
        );
        match &example.buggy_stderr_contains {
            Some(part) => assert!(buggy.stderr_text().contains(part), "{name}, buggy"),
            None => assert_eq!(buggy.stderr_text(), "", "{name}, buggy"),
        }

        let fixed = example
            .compile(ExampleVersion::Fixed)
            .unwrap()
            .run(&jdk)
            .run()
            .unwrap();
        assert_eq!(fixed.stdout_text(), example.fixed_output, "{name}, fixed");
        assert_eq!(fixed.exit_code(), Some(example.fixed_exit), "{name}, fixed");
        assert_eq!(fixed.stderr_text(), "", "{name}, fixed");
    });
}

#[test]
fn the_bug_can_be_seen() {
    for_each_example(|example| {
        let buggy = (&example.buggy_output, example.buggy_exit);
        let fixed = (&example.fixed_output, Some(example.fixed_exit));
        assert_ne!(buggy, fixed, "{}", example.name);
    });
}

#[test]
fn versions_differ_in_the_planted_lines_only() {
    for_each_example(|example| {
        let name = &example.name;
        let buggy_dir = example.source_dir(ExampleVersion::Buggy);
        let fixed_dir = example.source_dir(ExampleVersion::Fixed);
        let files = file_names(&buggy_dir);
        assert_eq!(files, file_names(&fixed_dir), "{name}");
        for file in files {
            let buggy = fs::read_to_string(buggy_dir.join(&file)).unwrap();
            let fixed = fs::read_to_string(fixed_dir.join(&file)).unwrap();
            let expected = if file == example.file {
                example.lines.clone()
            } else {
                Vec::new()
            };
            assert_eq!(differing_lines(&buggy, &fixed), expected, "{name}/{file}");
        }
    });
}

#[test]
fn planted_lines_lie_in_the_blamed_method() {
    let javap = Jdk::default().tool("javap").unwrap();
    for_each_example(|example| {
        for version in [ExampleVersion::Buggy, ExampleVersion::Fixed] {
            let classes = example.compile(version).unwrap();
            let output = Command::new(&javap)
                .args(["-p", "-s", "-l", "-cp"])
                .arg(classes.dir())
                .arg(&example.class)
                .output()
                .unwrap();
            let listing = String::from_utf8(output.stdout).unwrap();
            let lines = method_lines(&listing, &example.method, &example.descriptor);
            let (first, last) = (lines.first().unwrap(), lines.last().unwrap());
            assert!(
                example
                    .lines
                    .iter()
                    .all(|line| first <= line && line <= last),
                "{}: {:?} is not within {first} to {last}",
                example.name,
                example.lines
            );
        }
    });
}

#[test]
fn every_runtime_runs_the_showcase() {
    let example = Example::named("merge-sort").unwrap();
    for jdk in Jdk::all().iter().filter(|jdk| jdk.feature() >= 8) {
        let classes = example.compile_for(ExampleVersion::Buggy, jdk).unwrap();
        let finished = classes.run(jdk).run().unwrap();
        assert_eq!(finished.stdout_text(), example.buggy_output, "{jdk:?}");
    }
}

fn file_names(dir: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(dir).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// The numbers of the lines that differ; the versions must have equally many.
fn differing_lines(buggy: &str, fixed: &str) -> Vec<u32> {
    assert_eq!(buggy.lines().count(), fixed.lines().count());
    (1..)
        .zip(buggy.lines().zip(fixed.lines()))
        .filter(|(_, (buggy, fixed))| buggy != fixed)
        .map(|(number, _)| number)
        .collect()
}

/// The source lines of one method, from what `javap -p -s -l` prints: a declaration, then
/// `descriptor: …`, then `line 12: 0` for each entry of the line table.
fn method_lines(listing: &str, method: &str, descriptor: &str) -> BTreeSet<u32> {
    let rows: Vec<&str> = listing.lines().map(str::trim).collect();
    let wanted = format!("descriptor: {descriptor}");
    let declares = |row: &str| row.contains(&format!(" {method}("));
    let start = rows
        .windows(2)
        .position(|pair| declares(&format!(" {}", pair[0])) && pair[1] == wanted)
        .unwrap_or_else(|| panic!("no method {method}{descriptor} in\n{listing}"));
    rows[start + 2..]
        .iter()
        .take_while(|row| !row.starts_with("descriptor:"))
        .filter_map(|row| row.strip_prefix("line ")?.split(':').next()?.parse().ok())
        .collect()
}
