//! `--experiments`: what is to blame is verified by running the program again, and nothing is run unasked or left
//! behind.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod support;

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use support::{Said, askance, names, run, source};
use test_support::Fixture;

/// Prints a bill: prices are looked up, discounted, and added.
const RIGHT: &str = r#"
import java.util.ArrayList;
import java.util.List;

public class Main {
    static final List<String> LOG = new ArrayList<>();

    static int price(String name) {
        LOG.add(name);
        return name.length() * 10;
    }

    static int discount(int price, int pieces) {
        return pieces >= 3 ? price * 9 / 10 : price;
    }

    static int line(String name, int pieces) {
        int price = price(name);
        return discount(price, pieces) * pieces;
    }

    public static void main(String[] arguments) {
        START;
        System.out.println(line("tea", 3) + line("bread", 2));
        System.out.println(line("salt", 1));
    }
}
"#;

/// Two differences that leave another state behind and do no harm, and one that is the mistake.
fn wrong() -> String {
    let harmless = RIGHT
        .replace("new ArrayList<>()", "new ArrayList<>(List.of(\"log\"))")
        .replace("LOG.add(name);", "LOG.add(name + '!');");
    harmless.replace("pieces >= 3", "pieces > 3")
}

fn without_start(source: &str) -> String {
    source.replace("START;", "")
}

fn debug(folder: &Path, more: &[&str]) -> Said {
    source(folder, "right/Main.java", &without_start(RIGHT));
    source(folder, "wrong/Main.java", &without_start(&wrong()));
    let words = ["debug", "--non-interactive", "--reference"].iter();
    let words = words.chain(&["right/Main.java"]).chain(more);
    run(folder, words.chain(&["wrong/Main.java"]))
}

#[test]
fn the_culprit_among_harmless_differences_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let said = debug(folder.path(), &["--json"]);
    let verdict = said.json();
    assert_eq!(verdict["verified"], true, "{verdict} {}", said.err);
    assert_eq!(verdict["method"], "discount", "{verdict}");
    assert_eq!(verdict["file"], "Main.java");
    let line = 1 + without_start(&wrong())
        .lines()
        .position(|line| line.contains("pieces > 3"))
        .unwrap();
    assert_eq!(verdict["lines"], serde_json::json!([line]));
    assert_eq!(verdict["changes"].as_array().unwrap().len(), 1);
    assert!(verdict["experiments"].as_u64().unwrap() >= 6, "{verdict}");
    assert_eq!(said.code, Some(0));
    assert!(said.err.contains("askance: experiment "), "{}", said.err);

    let said = debug(folder.path(), &[]);
    assert!(
        said.out.contains("The bug is in Main.discount (Main.java:"),
        "{}",
        said.out
    );
    let proof =
        "With the reference's code of it, the program does what the reference does: verified by ";
    assert!(said.out.contains(proof), "{}", said.out);
}

#[test]
fn without_experiments_suspects_are_listed_and_nothing_is_said_to_be_to_blame() {
    let folder = tempfile::tempdir().unwrap();
    let said = debug(folder.path(), &["--json", "--experiments", "off"]);
    let verdict = said.json();
    assert_eq!(verdict["verified"], false, "{verdict}");
    assert_eq!(verdict["experiments"], 0);
    assert_eq!(verdict["outcome"], "suspects", "{verdict}");
    let methods = verdict["methods"].as_array().unwrap();
    let named: Vec<&str> = methods
        .iter()
        .map(|one| one["method"].as_str().unwrap())
        .collect();
    assert!(named.contains(&"discount"), "{named:?}");
    let said = debug(folder.path(), &["--experiments", "off"]);
    assert!(!said.out.contains("The bug is in"), "{}", said.out);
}

#[test]
fn changes_that_are_only_together_to_blame_are_named_together() {
    const PAIR: &str = "public class Main {
    static int left() { return 1; }
    static int right() { return 1; }
    static int other(int number) { return number + 0; }
    public static void main(String[] arguments) {
        System.out.println(left() + right() > 2 ? \"wrong\" : \"right\");
        System.out.println(other(7));
    }
}
";
    let folder = tempfile::tempdir().unwrap();
    // With one of them as it was, the sum is still too large.
    source(folder.path(), "right/Main.java", PAIR);
    let wrong = PAIR
        .replace("return 1;", "return 2;")
        .replace("number + 0", "number");
    source(folder.path(), "wrong/Main.java", &wrong);
    let words = ["debug", "--json", "--non-interactive", "--reference"];
    let files = ["right/Main.java", "wrong/Main.java"];
    let said = run(folder.path(), words.iter().chain(&files));
    let verdict = said.json();
    assert_eq!(verdict["verified"], true, "{verdict} {}", said.err);
    let changes = verdict["changes"].as_array().unwrap();
    let mut named: Vec<&str> = changes
        .iter()
        .map(|one| one["method"].as_str().unwrap())
        .collect();
    named.sort_unstable();
    assert_eq!(named, ["left", "right"], "{verdict}");
}

#[test]
fn a_file_that_is_no_code_is_named_if_it_is_to_blame() {
    const READS: &str = "import java.io.InputStream;
public class Main {
    public static void main(String[] arguments) throws Exception {
        for (String name : new String[] {\"other.txt\", \"prices.txt\"}) {
            try (InputStream prices = Main.class.getResourceAsStream(name)) {
                System.out.println(prices.readAllBytes().length / 3);
            }
        }
    }
}
";
    let folder = tempfile::tempdir().unwrap();
    let classes = Fixture::new().source("Main.java", READS).compile().unwrap();
    for (version, prices, other) in [("right", "123456", "1234"), ("wrong", "12", "12345")] {
        let place = folder.path().join(version);
        std::fs::create_dir(&place).unwrap();
        std::fs::copy(classes.dir().join("Main.class"), place.join("Main.class")).unwrap();
        source(&place, "prices.txt", prices);
        source(&place, "other.txt", other);
    }
    let words = [
        "debug",
        "--json",
        "--non-interactive",
        "--experiments",
        "on",
    ]
    .iter();
    let words = words.chain(&["--reference", "right", "--", "java", "-cp", "wrong", "Main"]);
    let said = run(folder.path(), words);
    let verdict = said.json();
    assert_eq!(verdict["verified"], true, "{verdict} {}", said.err);
    assert_eq!(verdict["resources"], serde_json::json!(["prices.txt"]));
}

/// Classes of both versions that do something when they start.
fn compiled(start: &str) -> [PathBuf; 2] {
    [RIGHT.to_owned(), wrong()].map(|text| {
        let text = text.replace("START", start);
        let classes = Fixture::new().source("Main.java", &text).compile();
        classes.unwrap().dir()
    })
}

#[test]
fn a_command_is_not_run_again_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let [right, wrong] = compiled(
        "try { java.nio.file.Files.writeString(java.nio.file.Path.of(arguments[0]), \"ran\\n\", \
         java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND); } \
         catch (java.io.IOException error) { throw new IllegalStateException(error); }",
    );
    let debug = |more: &[&str]| {
        let mut command = askance(folder.path());
        command.args(["debug", "--json", "--non-interactive"]);
        command.args(more).arg("--reference").arg(&right);
        command.args(["--", "java", "-cp"]).arg(&wrong);
        Said::from(command.args(["Main", "ran"]).output().unwrap())
    };
    let ran = || {
        let file = folder.path().join("ran");
        std::fs::read_to_string(file).unwrap().lines().count()
    };
    let said = debug(&[]);
    assert_eq!(ran(), 2, "recorded, and recorded with the reference");
    assert_eq!(said.json()["verified"], false);
    assert!(
        said.err.contains("--experiments on allows it"),
        "{}",
        said.err
    );
    let said = debug(&["--experiments", "on"]);
    let verdict = said.json();
    assert_eq!(verdict["verified"], true, "{verdict} {}", said.err);
    let experiments = usize::try_from(verdict["experiments"].as_u64().unwrap()).unwrap();
    assert_eq!(ran(), 2 + 2 + experiments, "every run is counted");
}

#[test]
fn a_killed_experiment_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let temporary = folder.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    // Slow when it is not recorded: experiments are what is interrupted.
    let [right, wrong] = compiled(
        "if (!System.getProperty(\"java.io.tmpdir\").equals(\"/tmp\")) { \
         try { Thread.sleep(60_000); } catch (InterruptedException stopped) { } }",
    );
    let mut command = askance(folder.path());
    command.args(["debug", "--json", "--non-interactive", "-o", "t.askance"]);
    command
        .args(["--experiments", "on", "--reference"])
        .arg(&right);
    command.args(["--", "java", "-cp"]).arg(&wrong).arg("Main");
    command.env("TMPDIR", &temporary);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let started = Instant::now();
    let scratch = || {
        let all = names(&temporary).into_iter();
        all.filter(|name| name.contains("scratch")).count()
    };
    while scratch() < 2 {
        assert!(
            started.elapsed() < Duration::from_secs(120),
            "no experiment"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
    let told = BufReader::new(child.stderr.take().unwrap());
    let told: Vec<String> = told.lines().map(Result::unwrap).collect();
    let end = child.wait().unwrap();
    assert_eq!(end.code(), Some(130), "{told:?}");
    assert_eq!(scratch(), 0, "{:?}", names(&temporary));
    let mark = wrong.to_string_lossy().into_owned();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let left = processes.filter(|process| {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(&mark)
    });
    assert_eq!(left.count(), 0, "a JVM is left");
}
