//! Asking while the program runs: the same culprit is found live, in the complete trace, and in the
//! trace of a program that was killed; and neither the tool nor the program harms the other.

use std::path::Path;
use std::process::Stdio;

use crate::support::{askance, run, source, wait_for};

/// Computes something wrong, then waits for a file, at most a minute.
const PROGRAM: &str = r#"
import java.io.*;
import java.nio.file.*;

public class Live {
    static int one(int n) { return two(n) + 1; }
    static int two(int n) { return n * 3; }

    public static void main(String[] args) throws Exception {
        System.out.println(one(4));
        String line = new BufferedReader(new InputStreamReader(System.in)).readLine();
        System.out.println("read " + line);
        if (args[0].startsWith("-")) {
            long self = ProcessHandle.current().pid();
            new ProcessBuilder("kill", args[0], "" + self).start().waitFor();
        }
        for (int n = 0; n < 6000 && !Files.exists(Paths.get(args[0])); n++) {
            Thread.sleep(10);
        }
        Files.createFile(Paths.get("done"));
    }
}
"#;

/// While `main` is open it is not asked about, and `one` is the root, which is asked last: a single
/// answer about `two` is enough.
const LIVE_ANSWER: &str = "n\n";
/// About `one` and `two`.
const ANSWERS: &str = "n\nn\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Live.java", PROGRAM);
    source(folder.path(), "live-answer", LIVE_ANSWER);
    source(folder.path(), "answers", ANSWERS);
    source(folder.path(), "input", "hello\n");
    folder
}

const LIVE: [&str; 9] = [
    "debug",
    "--live",
    "-o",
    "t",
    "--strategy",
    "top-down",
    "--json",
    "--stdin",
    "input",
];

fn check_culprit(verdict: &serde_json::Value) {
    assert_eq!(verdict["outcome"], "found", "{verdict}");
    assert_eq!(verdict["method"], "two", "{verdict}");
}

/// Asks about the trace again, now that nothing is running.
fn check_afterwards(folder: &Path, answers: &str) {
    let arguments = [
        "ask",
        "t",
        "--strategy",
        "top-down",
        "--json",
        "--answers",
        answers,
    ];
    check_culprit(&run(folder, arguments).json());
}

#[test]
fn the_bug_is_found_while_the_program_runs_and_the_program_is_stopped() {
    let folder = folder();
    let rest = [
        "--answers",
        "live-answer",
        "--stop-when-found",
        "Live.java",
        "--",
        "never",
    ];
    let said = run(folder.path(), LIVE.into_iter().chain(rest));
    check_culprit(&said.json());
    assert!(said.err.contains("exit code 143"), "{}", said.err);
    assert!(!folder.path().join("done").exists());
    let output = std::fs::read_to_string(folder.path().join("t/output.txt")).unwrap();
    assert!(output.starts_with("13\n"), "{output}");
    check_afterwards(folder.path(), "live-answer");
    // A trace with the program's output in it is still ours to record over.
    let again = run(folder.path(), LIVE.into_iter().chain(rest));
    check_culprit(&again.json());
}

#[test]
fn a_reference_answers_while_the_program_runs() {
    let folder = folder();
    // It ends by itself, and nothing but the culprit differs; that `main` is open in the program says nothing
    // against `main`.
    let ends = "new Thread(() -> { sleep(); System.exit(0); }).start(); return n * 2; }
    static void sleep() { try { Thread.sleep(300); } catch (InterruptedException e) { }";
    let fixed = PROGRAM.replace("return n * 3;", ends);
    source(folder.path(), "fixed/Live.java", &fixed);
    let rest = [
        "debug",
        "--live",
        "-o",
        "t",
        "--json",
        "--stdin",
        "input",
        "--non-interactive",
        "--stop-when-found",
        "--reference",
        "fixed/Live.java",
        "Live.java",
        "--",
        "never",
    ];
    let said = run(folder.path(), rest);
    let verdict = said.json();
    check_culprit(&verdict);
    assert_eq!(verdict["lines"], serde_json::json!([7]), "{verdict}");
    assert_eq!(verdict["questions"]["person"], 0, "{verdict}");
    assert!(said.err.contains("exit code 143"), "{}", said.err);
}

/// The tree is balanced as far as its calls have ended.
#[test]
fn calls_that_have_ended_are_asked_about_together() {
    let folder = folder();
    let game = r#"
public class Game {
    static int place;

    static void right() { place += 1; }
    static void left() { place -= 2; }

    public static void main(String[] args) throws Exception {
        right();
        right();
        right();
        left();
        left();
        Thread.sleep(60_000);
    }
}
"#;
    source(folder.path(), "Game.java", game);
    let oracle = r#"while read -r question; do
        echo "$question" >> asked
        case "$question" in *left*) answer=no;; *) answer=yes;; esac
        echo "{\"answer\":\"$answer\"}"
    done"#;
    let arguments = [
        "debug",
        "--live",
        "--json",
        "--stop-when-found",
        "--strategy",
        "top-down",
        "--transform",
        "balance",
        "--oracle-cmd",
        oracle,
        "Game.java",
    ];
    let said = run(folder.path(), arguments);
    assert_eq!(said.json()["method"], "left", "{}", said.err);
    let asked = std::fs::read_to_string(folder.path().join("asked")).unwrap();
    assert!(asked.contains(" calls of Game.right"), "{asked}");
    assert!(said.err.contains("exit code 143"), "{}", said.err);
}

/// Finds the bug while the program runs, then lets something end the program.
fn check_end_after_the_diagnosis(end: impl Fn(&Path), how: &str) -> tempfile::TempDir {
    let folder = folder();
    let talk = std::fs::File::create(folder.path().join("talk")).unwrap();
    let child = askance(folder.path())
        .args(LIVE)
        .args(["--answers", "live-answer", "Live.java", "--", "go"])
        .stdout(Stdio::piped())
        .stderr(talk)
        .spawn()
        .unwrap();
    let talk = || std::fs::read_to_string(folder.path().join("talk")).unwrap();
    wait_for("it should wait for the program", || {
        talk().contains("waiting for its end")
    });
    end(folder.path());
    let said: crate::support::Said = child.wait_with_output().unwrap().into();
    check_culprit(&said.json());
    assert!(talk().contains(how), "{}", talk());
    check_afterwards(folder.path(), "answers");
    folder
}

#[test]
fn a_program_that_is_not_stopped_goes_on_to_its_end() {
    let go = |folder: &Path| drop(source(folder, "go", ""));
    let folder = check_end_after_the_diagnosis(go, "exit code 0");
    let output = std::fs::read_to_string(folder.path().join("t/output.txt")).unwrap();
    assert_eq!(output, "13\nread hello\n");
}

#[test]
fn a_program_that_is_killed_after_the_diagnosis_changes_nothing() {
    let kill = |folder: &Path| crate::support::kill_jvm(&folder.join("t"));
    check_end_after_the_diagnosis(kill, "killed by signal 9");
}

#[test]
fn calls_that_were_open_when_the_program_was_interrupted_are_suspects() {
    let folder = folder();
    let suspects = |trace: &str| {
        let said = run(folder.path(), ["ask", trace, "--json", "--non-interactive"]);
        said.json()["suspects"].as_array().unwrap().len()
    };
    let record = |trace: &str, argument: &str| {
        let arguments = ["record", "-o", trace, "Live.java", "--", argument];
        run(folder.path(), arguments).err
    };
    let talk = record("interrupted", "-2");
    assert!(talk.contains("exit code 130"), "{talk}");
    assert_eq!(suspects("interrupted"), 3);
    let stopped = [
        "debug",
        "--live",
        "-o",
        "stopped",
        "--strategy",
        "ranges",
        "--answers",
        "live-answer",
        "--stop-when-found",
        "Live.java",
        "--",
        "never",
    ];
    run(folder.path(), stopped);
    assert_eq!(suspects("stopped"), 2);
}

#[test]
fn a_tool_that_is_killed_leaves_the_program_unharmed() {
    let folder = folder();
    let mut child = askance(folder.path())
        .args(LIVE)
        .args(["--non-interactive", "Live.java", "--", "go"])
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(folder.path().join("talk")).unwrap())
        .spawn()
        .unwrap();
    wait_for("it should ask", || {
        let talk = std::fs::read_to_string(folder.path().join("talk")).unwrap();
        talk.contains("Is this right?")
    });
    child.kill().unwrap();
    child.wait().unwrap();
    source(folder.path(), "go", "");
    wait_for("the program should end", || {
        let jvm = crate::support::jvm_folder(&folder.path().join("t"));
        jvm.join("end.json").exists()
    });
    assert!(folder.path().join("done").exists());
    check_afterwards(folder.path(), "answers");
}

#[test]
fn a_search_below_one_call_waits_for_that_call() {
    let folder = folder();
    let rest = [
        "--root",
        "two",
        "--answers",
        "live-answer",
        "--stop-when-found",
        "Live.java",
        "--",
        "never",
    ];
    let said = run(folder.path(), LIVE.into_iter().chain(rest));
    check_culprit(&said.json());
    let nowhere = ["--root", "three", "Live.java", "--", "-15"];
    let said = run(folder.path(), LIVE.into_iter().chain(nowhere));
    said.refused(2, "no call of \"three\" was recorded");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = folder();
    let refused = |arguments: &[&str], words: &str| run(folder.path(), arguments).refused(2, words);
    refused(&["debug", "--stop-when-found", "Live.java"], "--live");
    refused(
        &["debug", "--live", "--root", "3", "Live.java"],
        "calls have no numbers before the program runs",
    );
    refused(
        &["debug", "--live", "--reference", "nowhere", "Live.java"],
        "there is no reference at nowhere",
    );
    refused(
        &["debug", "--live", "--stdin", "nowhere", "Live.java"],
        "there is no file nowhere",
    );
}
