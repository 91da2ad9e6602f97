//! A failing test is the way in: found in the trace, judged wrong, asked about.

#![allow(clippy::print_stderr, reason = "a test that cannot be run says so")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Said, askance, run};
use serde_json::{Value, json};
use test_support::{Classes, Fixture, JUnit};

fn sources(of: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/java/tested")
        .join(of)
}

/// The shop with its tests, compiled, and the class path that runs them.
fn compiled(junit: JUnit) -> (Classes, OsString) {
    assert!(
        junit.is_installed(),
        "{} is missing; `cargo xtask setup` installs it",
        junit.package()
    );
    let tests = match junit {
        JUnit::Four => "junit4",
        JUnit::Five => "junit5",
    };
    let classes = Fixture::new()
        .path(sources("main"))
        .path(sources(tests))
        .class_path(junit.class_path())
        .compile()
        .unwrap();
    let mut entries = vec![classes.dir().to_owned()];
    entries.extend(junit.class_path());
    let class_path = std::env::join_paths(entries).unwrap();
    (classes, class_path)
}

/// The shop without its bugs.
fn fixed() -> Classes {
    let text = std::fs::read_to_string(sources("main/shop/Cart.java")).unwrap();
    let fixed = text.replace("int i = 1", "int i = 0").replace(
        "lines.get(lines.size())",
        "java.util.Collections.max(lines)",
    );
    let fixture = Fixture::new().source("shop/Cart.java", &fixed);
    fixture.compile().unwrap()
}

fn debug(folder: &Path, junit: JUnit, test: &str, more: &[&str]) -> Said {
    let (_classes, class_path) = compiled(junit);
    let mut command = askance(folder);
    command.args(["debug", "-o", "t", "--json", "--test", test, "-cp"]);
    command.arg(class_path).args(more);
    command.output().unwrap().into()
}

/// The culprit of a failing test, found with the help of the fixed version.
#[track_caller]
fn check(junit: JUnit, test: &str, culprit: &str) -> Said {
    let folder = tempfile::tempdir().unwrap();
    let fixed = fixed();
    let reference = fixed.dir();
    let reference = reference.to_str().unwrap();
    let said = debug(folder.path(), junit, test, &["--reference", reference]);
    let found = said.json();
    assert_eq!(found["outcome"], "found", "{test}: {found}\n{}", said.err);
    assert_eq!(found["method"], culprit, "{test}: {found}");
    assert_eq!(found["questions"]["person"], 0);
    said
}

#[test]
fn junit_4_tests_fail_by_assertion_and_by_exception() {
    let said = check(JUnit::Four, "CartTest#total", "lineTotal");
    let told =
        "shop.CartTest#total failed: java.lang.AssertionError: total expected:<10> but was:<5>";
    assert!(said.err.contains(told), "{}", said.err);
    let lines = said.json()["lines"].clone();
    assert!(lines.as_array().unwrap().contains(&json!(22)), "{lines}");
    check(JUnit::Four, "shop.DearestTest#dearest", "dearest");
}

#[test]
fn junit_4_runs_tests_with_parameters_and_those_of_junit_3() {
    let said = check(JUnit::Four, "PricesTest", "lineTotal");
    assert!(
        said.err.contains("PricesTest#twoPieces[2] failed"),
        "{}",
        said.err
    );
    check(JUnit::Four, "OldTest#testTotal", "lineTotal");
}

#[test]
fn a_test_that_runs_into_its_time_limit_is_asked_about_though_it_never_ended() {
    let folder = tempfile::tempdir().unwrap();
    let said = debug(folder.path(), JUnit::Four, "CartTest#endless", &[]);
    assert!(
        said.err.contains("CartTest#endless failed: did not end"),
        "{}",
        said.err
    );
    let answers = folder.path().join("answers.txt");
    std::fs::write(&answers, "yes\nyes\n").unwrap();
    let said = run(
        folder.path(),
        [
            "ask",
            "t",
            "--test",
            "CartTest#endless",
            "--strategy",
            "ranges",
            "--answers",
            "answers.txt",
            "--json",
        ],
    );
    assert_eq!(
        said.json()["method"],
        "endless",
        "{}\n{}",
        said.out,
        said.err
    );
}

#[test]
fn only_tests_that_failed_are_listed_and_each_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let said = debug(folder.path(), JUnit::Four, "CartTest", &[]);
    let listed: Vec<&str> = said
        .err
        .lines()
        .map(|line| line.trim_start_matches([' ', '*']))
        .filter(|line| line.starts_with("shop.CartTest#"))
        .collect();
    let mut names: Vec<&str> = listed
        .iter()
        .filter_map(|line| Some(line.split_once(": ")?.0))
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "shop.CartTest#endless",
            "shop.CartTest#none",
            "shop.CartTest#total"
        ],
        "{}",
        said.err
    );
    assert!(
        said.err
            .contains("shop.CartTest#none: did not throw java.lang.IllegalArgumentException")
    );

    let each = run(folder.path(), ["ask", "t", "--all-tests", "--json"]);
    assert_eq!(each.out.lines().count(), 3, "{}", each.out);
    let passed = run(folder.path(), ["ask", "t", "--test", "CartTest#size"]);
    passed.refused(1, "shop.CartTest#size did not fail: it passed");
    let skipped = run(folder.path(), ["ask", "t", "--test", "CartTest#assumed"]);
    skipped.refused(1, "it was skipped");
    run(folder.path(), ["ask", "t", "--test", "CartTest#nothing"])
        .refused(2, "no test CartTest#nothing was recorded");
}

/// The annotation of TestNG, and a runner in a few lines.
const EXPECTING: [(&str, &str); 2] = [
    (
        "org/testng/annotations/Test.java",
        "package org.testng.annotations;
        @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
        public @interface Test { Class<? extends Throwable>[] expectedExceptions() default {}; }",
    ),
    (
        "Main.java",
        "import org.testng.annotations.Test;
        public class Main {
            @Test(expectedExceptions = {IllegalStateException.class, IndexOutOfBoundsException.class})
            public void outside() { int[] none = {}; none[one()]++; }
            @Test(expectedExceptions = IllegalStateException.class)
            public void silent() { one(); }
            int one() { return 1; }
            public static void main(String[] args) {
                try { new Main().outside(); } catch (RuntimeException expected) { }
                new Main().silent();
            }
        }",
    ),
];

#[test]
fn exceptions_that_testng_expects_are_no_failures() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = EXPECTING
        .iter()
        .fold(Fixture::new(), |fixture, (file, text)| {
            fixture.source(file, text)
        });
    let classes = fixture.compile().unwrap();
    let class_path = classes.dir();
    let class_path = class_path.to_str().unwrap();
    let folder = folder.path();
    let recorded = run(
        folder,
        ["record", "-o", "t", "--", "java", "-cp", class_path, "Main"],
    );
    assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    let asked = run(folder, ["ask", "t", "--non-interactive"]);
    let told = "Main#silent failed: did not throw java.lang.IllegalStateException";
    assert!(asked.err.contains(told), "{}", asked.err);
    assert!(!asked.err.contains("Main#outside failed"), "{}", asked.err);
}

#[test]
fn a_test_is_run_alone_unless_its_class_is_wanted() {
    for (junit, test) in [(JUnit::Four, "total"), (JUnit::Five, "lines[2]")] {
        let folder = tempfile::tempdir().unwrap();
        let test = format!("CartTest#{test}");
        let said = debug(folder.path(), junit, &test, &[]);
        assert!(said.err.contains(&format!("{test} failed")), "{}", said.err);
        let others = run(folder.path(), ["ask", "t", "--test", "CartTest#size"]);
        others.refused(2, "no test CartTest#size was recorded");
    }
    let folder = tempfile::tempdir().unwrap();
    debug(
        folder.path(),
        JUnit::Four,
        "CartTest#total",
        &["--passing-tests", "on"],
    );
    let others = run(folder.path(), ["ask", "t", "--test", "CartTest#size"]);
    others.refused(1, "shop.CartTest#size did not fail: it passed");
}

#[test]
fn a_reference_that_fails_in_the_same_way_is_told_of_first() {
    let folder = tempfile::tempdir().unwrap();
    let (classes, _) = compiled(JUnit::Four);
    let same = classes.dir().to_str().unwrap().to_owned();
    let said = debug(
        folder.path(),
        JUnit::Four,
        "CartTest#total",
        &["--reference", &same],
    );
    let told = "the reference fails in the same way";
    assert_eq!(said.err.matches(told).count(), 1, "{}", said.err);
}

#[test]
fn junit_5_runs_parameterised_nested_and_unprepared_tests() {
    let said = check(JUnit::Five, "CartTest#lines[2]", "lineTotal");
    assert!(
        said.err.contains("shop.CartTest#lines[2] failed"),
        "{}",
        said.err
    );
    check(JUnit::Five, "shop.CartTest.Discounted#total", "lineTotal");
    let said = check(JUnit::Five, "CartTest$Unprepared#never", "dearest");
    assert!(
        said.err
            .contains("shop.CartTest$Unprepared#prepare failed: java.lang.IndexOutOfBounds"),
        "{}",
        said.err
    );
    check(JUnit::Five, "CartTest#made[2]", "lineTotal");
}

#[test]
fn the_value_that_the_assertion_got_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    debug(folder.path(), JUnit::Five, "CartTest#lines[3]", &[]);
    let said = run(
        folder.path(),
        [
            "ask",
            "t",
            "--test",
            "CartTest#lines[3]",
            "--strategy",
            "value-tracking",
            "--json",
        ],
    );
    let question: Value = said.json()["question"].clone();
    assert_eq!(question["routine"], "Cart.total", "{}", said.out);
}

/// JUnit 4 takes the `int` as a `long`, and the test keeps it in a variable first.
#[test]
fn what_an_assertion_expected_stands_beside_the_result() {
    let folder = tempfile::tempdir().unwrap();
    debug(folder.path(), JUnit::Four, "CartTest#total", &[]);
    let calls = run(folder.path(), ["tree", "t", "--depth", "4"]).out;
    assert!(calls.contains("total() → 5 (expected 10)"), "{calls}");
}

/// Of what is added up nobody has said what it should have been.
#[test]
fn an_assertion_expects_nothing_of_what_it_computes_with() {
    let folder = tempfile::tempdir().unwrap();
    let program = "class Main {
            static int half(int number) { return number / 2 + 1; }
            static int third(int number) { return number / 3; }
            public static void main(String[] arguments) {
                if (arguments.length == 0) { assert half(10) == 5; }
                assert half(10) + third(9) == 8;
            }
        }";
    let classes = Fixture::new().source("Main.java", program);
    let classes = classes.compile().unwrap();
    let jdk = test_support::Jdk::compiler().unwrap();
    for (argument, expected) in [(None, true), (Some("sum"), false)] {
        let trace = argument.unwrap_or("alone");
        let mut command = askance(folder.path());
        command.args(["record", "-o", trace, "--"]).arg(jdk.java());
        command.args(["-ea", "-cp"]).arg(classes.dir()).arg("Main");
        command.args(argument);
        command.output().unwrap();
        let calls = run(folder.path(), ["tree", trace]).out;
        assert!(calls.contains("half(number=10) → 6"), "{calls}");
        assert_eq!(calls.contains("(expected 5)"), expected, "{calls}");
    }
}

#[test]
fn what_cannot_be_run_is_told_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let (classes, class_path) = compiled(JUnit::Five);
    let only_classes = classes.dir();
    let only_classes = only_classes.to_str().unwrap();
    let class_path = class_path.to_str().unwrap();
    let refused = |test: &str, path: &str, words: &str| {
        run(folder.path(), ["debug", "--test", test, "-cp", path]).refused(2, words);
    };
    refused(
        "NoSuchTest",
        class_path,
        "there is no class NoSuchTest on the class path",
    );
    refused(
        "CartTest#total",
        only_classes,
        "no test framework is on the class path",
    );
    let api = test_support::JUnit::Five.class_path()[0]
        .display()
        .to_string();
    refused(
        "CartTest#total",
        &format!("{only_classes}:{api}"),
        "no runner for it is on the class path",
    );
}

/// Finds fault with whatever depends on the total of a line.
const JUDGE: &str = r#"while read -r question; do
  case "$question" in
    *'"method":"lines"'*|*'"method":"add"'*|*'"method":"lineTotal"'*) echo '{"answer":"no"}';;
    *) echo '{"answer":"yes"}';;
  esac
done"#;

/// A copy of the project, and whether Maven can build it here.
fn maven_project(folder: &Path) -> bool {
    let copied = Command::new("cp")
        .arg("-r")
        .arg(sources("."))
        .arg(folder.join("shop"))
        .status();
    assert!(copied.unwrap().success());
    let mut build = Command::new("mvn");
    build.args(["-q", "-B", "test", "-Dmaven.test.failure.ignore=true"]);
    let built = build.current_dir(folder.join("shop")).output();
    let can = built.as_ref().is_ok_and(|output| output.status.success());
    if !can {
        test_support::skip(format!(
            "Maven is not here or cannot get its plugins; `cargo xtask setup` tries to: {built:?}"
        ));
    }
    can
}

#[test]
fn maven_forks_a_jvm_for_the_tests_and_that_one_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    if !maven_project(folder.path()) {
        return;
    }
    let project = folder.path().join("shop");
    let test = "-Dtest=CartTest#lines";
    let said = run(
        &project,
        [
            "debug",
            "-o",
            "../t",
            "--json",
            "--test",
            "CartTest#lines[3]",
            "--",
            "mvn",
            "-q",
            "-B",
            "-o",
            "test",
            test,
        ],
    );
    assert!(
        said.err.contains("shop.CartTest#lines[3] failed"),
        "{}",
        said.err
    );
    let said = run(
        &project,
        [
            "ask",
            "../t",
            "--test",
            "CartTest#lines[3]",
            "--strategy",
            "top-down",
            "--oracle-cmd",
            JUDGE,
            "--json",
        ],
    );
    let found = said.json();
    assert_eq!(
        (&found["outcome"], &found["method"]),
        (&json!("found"), &json!("lineTotal")),
        "{}",
        said.err
    );

    let test_file = project.join("junit5/shop/CartTest.java");
    let text = std::fs::read_to_string(&test_file).unwrap();
    std::fs::write(&test_file, text.replace("cart.total()", "cart.sum()")).unwrap();
    let said = run(&project, ["debug", "--", "mvn", "-q", "-B", "-o", "test"]);
    said.refused(
        3,
        "no test ran: the build ended with exit code 1 before any test",
    );
    assert!(
        format!("{}{}", said.out, said.err).contains("cannot find symbol"),
        "the build's own message"
    );
}
