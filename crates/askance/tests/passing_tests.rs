//! What passing tests of the same run say: behaviours that are presumed right, and methods that are suspicious.

use std::path::Path;
use std::process::Command;

use crate::support::{Said, askance, run};
use serde_json::{Value, json};
use test_support::{Classes, Fixture, JUnit};

fn source(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/suite");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// Records the suite with a JUnit, as trace `t`.
fn record(folder: &Path, junit: JUnit, bank: &str) -> Classes {
    let mut test = source("BankTest.java");
    if junit == JUnit::Five {
        test = test
            .replace("org.junit.Assert.", "org.junit.jupiter.api.Assertions.")
            .replace("org.junit.Test", "org.junit.jupiter.api.Test");
    }
    let fixture = Fixture::new()
        .source("Bank.java", bank)
        .source("BankTest.java", &test)
        .class_path(junit.class_path());
    let classes = fixture.compile().unwrap();
    let mut entries = vec![classes.dir().to_owned()];
    entries.extend(junit.class_path());
    let mut command = askance(folder);
    command.args(["debug", "-o", "t", "--test", "BankTest", "-cp"]);
    command.arg(std::env::join_paths(entries).unwrap());
    let said: Said = command.output().unwrap().into();
    assert!(said.err.contains("2 tests failed"), "{}", said.err);
    classes
}

/// Asks about `both`, from the top down, with these answers.
fn ask(folder: &Path, answers: &str, more: &[&str]) -> Said {
    std::fs::write(folder.join("answers.txt"), answers).unwrap();
    let words = ["ask", "t", "--json", "--test", "BankTest#both"];
    let scripted = ["--strategy", "top-down", "--answers", "answers.txt"];
    run(folder, words.iter().chain(&scripted).chain(more))
}

/// Node numbers by the beginning of their line in the tree.
fn node(folder: &Path, inside: &str, method: &str) -> Value {
    let tree = run(folder, ["tree", "t", "--node", inside, "--json"]).json();
    let nodes = tree["nodes"].as_array().unwrap().iter();
    let mut named = nodes.filter(|node| node["method"] == method);
    named
        .next()
        .unwrap_or_else(|| panic!("no {method} in {tree}"))
        .clone()
}

fn check_presumptions(junit: JUnit) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    record(folder, junit, &source("Bank.java"));
    let deposit = node(folder, "BankTest.both", "deposit")["node"].clone();

    // Only withdraw and surcharge are asked about: the rest was seen in passing tests.
    let said = ask(folder, "no\nno\n", &["--passing-tests", "on"]);
    let found = said.json();
    assert_eq!(found["outcome"], "found", "{found}\n{}", said.err);
    assert_eq!(found["method"], "surcharge", "{found}");
    assert_eq!(found["questions"]["person"], 2, "{found}\n{}", said.err);
    let presumed = json!({"node": deposit, "test": "BankTest#deposits"});
    assert!(
        found["presumed"].as_array().unwrap().contains(&presumed),
        "{found}"
    );
    let told = "right (presumed: seen in passing test BankTest#fees): fee(amount=20) → 1";
    assert!(said.err.contains(told), "{}", said.err);

    // A script that does not ask for it gets none of it.
    let alone = ask(folder, "yes\nyes\nno\nyes\nno\n", &[]).json();
    assert_eq!(alone["method"], "surcharge", "{alone}");
    assert_eq!(alone["questions"]["tests"], Value::Null, "{alone}");
    assert_eq!(alone["presumed"], Value::Null, "{alone}");
}

#[test]
fn what_passing_tests_of_junit_4_showed_is_presumed_right() {
    check_presumptions(JUnit::Four);
}

#[test]
fn what_passing_tests_of_junit_5_showed_is_presumed_right() {
    check_presumptions(JUnit::Five);
}

/// `again` calls surcharge(30) as `careless` does, which passes.
#[test]
fn a_presumption_that_is_wrong_is_asked_about_after_all() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    record(folder, JUnit::Four, &source("Bank.java"));
    // That withdraw is wrong does not make it the culprit as long as what it called is only presumed right.
    let words = [
        "ask",
        "t",
        "--json",
        "--test",
        "BankTest#again",
        "--passing-tests",
        "on",
    ];
    let more = ["--strategy", "single-stepping", "--answers", "answers.txt"];
    std::fs::write(folder.join("answers.txt"), "yes\nno\nno\n").unwrap();
    let said = run(folder, words.iter().chain(&more));
    let found = said.json();
    assert_eq!(found["method"], "surcharge", "{found}\n{}", said.err);
    assert!(said.err.contains("asked after all"), "{}", said.err);
    let contradicted = &found["contradicted"][0];
    assert_eq!(
        contradicted["source"], "presumed: seen in a passing test",
        "{found}"
    );
    assert_eq!(contradicted["now"], "wrong", "{found}");
}

#[test]
fn methods_that_only_failing_tests_ran_are_suspicious() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    record(folder, JUnit::Four, &source("Bank.java"));
    let score = |method: &str| {
        let node = node(folder, "BankTest.both", method);
        let suspicion = &node["suspicion"];
        let counts = (
            suspicion["failed"].as_u64().unwrap(),
            suspicion["passed"].as_u64().unwrap(),
        );
        (counts, suspicion["score"].as_f64().unwrap())
    };
    let (counts, withdraw) = score("withdraw");
    assert_eq!(counts, (2, 0));
    assert!((withdraw - 1.0).abs() < 1e-9);
    let (counts, deposit) = score("deposit");
    assert_eq!(counts, (1, 1));
    assert!((deposit - 0.5).abs() < 1e-9);
    let tree = run(folder, ["tree", "t"]).out;
    assert!(
        tree.contains("[suspicion 1.00]") && tree.contains("[suspicion 0.50]"),
        "{tree}"
    );

    // Top-down begins with the first call of the test; suspicion with the one that no passing test made.
    let first = |more: &[&str]| {
        let said = ask(folder, "", more);
        said.json()["question"]["method"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(first(&[]), "new Bank");
    assert_eq!(first(&["--spectrum"]), "withdraw");
    // It says where to look, not what is wrong.
    let misled = ask(folder, "yes\nyes\nno\nno\n", &["--spectrum"]);
    assert_ne!(misled.json()["method"], "withdraw", "{}", misled.err);
}

const TILL: &str = "
public class Till {
    int sum;
    void add(int amount) { sum += amount; }
    int total() { return sum + 1; }
}
";

const TILL_TEST: &str = "
import static org.junit.Assert.assertEquals;
public class TillTest {
    Till till;
    @org.junit.Before public void fill() { till = new Till(); till.add(2); }
    @org.junit.Test public void whole() { assertEquals(2, till.total()); }
    @org.junit.Test public void sum() { assertEquals(2, till.sum); }
}
";

/// A method that runs before each test was run by those that passed as well.
#[test]
fn what_prepared_a_test_is_a_part_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let junit = JUnit::Four;
    let fixture = Fixture::new()
        .source("Till.java", TILL)
        .source("TillTest.java", TILL_TEST)
        .class_path(junit.class_path());
    let classes = fixture.compile().unwrap();
    let mut entries = vec![classes.dir().to_owned()];
    entries.extend(junit.class_path());
    let mut command = askance(folder);
    command.args(["debug", "-o", "t", "--test", "TillTest", "-cp"]);
    command.arg(std::env::join_paths(entries).unwrap());
    let said: Said = command.output().unwrap().into();
    assert!(said.err.contains("TillTest#whole"), "{}", said.err);

    let add = node(folder, "TillTest.fill", "add");
    let counts = (&add["suspicion"]["failed"], &add["suspicion"]["passed"]);
    assert_eq!(counts, (&json!(1), &json!(1)), "{add}");
    let total = node(folder, "TillTest.whole", "total");
    let counts = (&total["suspicion"]["failed"], &total["suspicion"]["passed"]);
    assert_eq!(counts, (&json!(1), &json!(0)), "{total}");
}

fn git(folder: &Path, words: &[&str]) {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
    let done = command.args(words).output().unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

#[test]
fn methods_that_changed_since_a_revision_are_asked_about_first() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bank = source("Bank.java");
    std::fs::create_dir(folder.join("src")).unwrap();
    std::fs::write(
        folder.join("src/Bank.java"),
        bank.replace("amount > 10 ?", "amount > 100 ?"),
    )
    .unwrap();
    git(folder, &["init", "-q"]);
    git(folder, &["add", "src"]);
    git(folder, &["commit", "-qm", "right"]);
    std::fs::write(folder.join("src/Bank.java"), &bank).unwrap();
    record(folder, JUnit::Four, &bank);

    let said = ask(folder, "no\n", &["--changed-since", "HEAD"]);
    let found = said.json();
    assert_eq!(found["method"], "surcharge", "{found}\n{}", said.err);
    assert_eq!(found["questions"]["person"], 1, "{found}");

    git(folder, &["commit", "-qam", "wrong"]);
    let unchanged = ask(folder, "", &["--changed-since", "HEAD"]);
    assert!(
        unchanged
            .err
            .contains("no recorded method has changed since HEAD"),
        "{}",
        unchanged.err
    );
    ask(folder, "", &["--changed-since", "no-such"]).refused(2, "git knows no revision no-such");
    let elsewhere = tempfile::tempdir().unwrap();
    let elsewhere = elsewhere.path();
    record(elsewhere, JUnit::Four, &bank);
    ask(elsewhere, "", &["--changed-since", "HEAD"]).refused(2, "is not in a git repository");
}
