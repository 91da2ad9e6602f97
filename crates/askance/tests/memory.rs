//! Answers that last: used again for the same behaviour of the same code, and not for other code.

use std::path::Path;

use crate::support::{Said, run, source};

const PROGRAM: &str = "public class Main {
    static int twice(int n) { return 2 * n; }
    static int thrice(int n) { return 2 * n; }
    static int both(int n) { return twice(n) + thrice(n); }
    public static void main(String[] args) { System.out.println(both(5)); }
}
";

/// Records the program and asks, with a memory of its own.
fn ask(folder: &Path, text: &str, more: &[&str]) -> Said {
    source(folder, "Main.java", text);
    let said = run(folder, ["record", "-o", "t.askance", "Main.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let words = [
        "ask",
        "t.askance",
        "--json",
        "--memory",
        "answers.redb",
        "--strategy",
        "top-down",
    ];
    run(folder, words.iter().chain(more))
}

/// Top-down, what a person would say: `both` is wrong, `twice` is right, `thrice` is wrong.
fn answer(folder: &Path) -> Said {
    std::fs::write(folder.join("answers.txt"), "no\nyes\nno\n").unwrap();
    ask(folder, PROGRAM, &["--answers", "answers.txt"])
}

#[test]
fn what_was_said_once_is_not_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let first = answer(folder.path()).json();
    assert_eq!(
        (&first["outcome"], &first["method"]),
        (&"found".into(), &"thrice".into()),
        "{first}"
    );
    assert_eq!(
        (&first["questions"]["person"], &first["questions"]["memory"]),
        (&3.into(), &0.into())
    );

    let again = ask(folder.path(), PROGRAM, &[]);
    let found = again.json();
    assert_eq!(
        (&found["outcome"], &found["method"]),
        (&"found".into(), &"thrice".into()),
        "{}",
        again.err
    );
    assert_eq!(
        (&found["questions"]["person"], &found["questions"]["memory"]),
        (&0.into(), &3.into())
    );
    assert!(
        again.err.contains("wrong (remembered): thrice(n=5) → 10"),
        "{}",
        again.err
    );
}

#[test]
fn an_answer_about_other_code_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    answer(folder.path());
    // `twice` gives the same by other means: it is asked about again, and so is what calls it.
    let changed = PROGRAM.replace("twice(int n) { return 2 * n", "twice(int n) { return n + n");
    let said = ask(folder.path(), &changed, &["--answers", "/dev/null"]);
    let left = said.json();
    assert_eq!(left["outcome"], "suspects", "{}", said.err);
    assert_eq!(left["questions"]["memory"], 0, "{left}");
    assert_eq!(left["question"]["routine"], "Main.both", "{left}");
}

#[test]
fn answers_are_listed_exported_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    answer(folder.path());
    let answers = |words: &[&str]| {
        let place = ["--memory", "answers.redb"];
        run(folder.path(), ["answers"].iter().chain(words).chain(&place))
    };
    let list = answers(&["list"]);
    assert_eq!(list.out.lines().count(), 6, "{}", list.out);
    assert!(
        list.out
            .contains("no           Main.thrice: thrice(n=5) → 10"),
        "{}",
        list.out
    );
    let exported = answers(&["export"]);
    let lines: Vec<serde_json::Value> = exported
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        (&lines[1]["answer"], &lines[1]["version"]),
        (&"no".into(), &1.into()),
        "{lines:?}"
    );

    let removed = answers(&["remove", "--method", "Main.t*"]);
    assert!(removed.err.contains("2 answers removed"), "{}", removed.err);
    assert_eq!(answers(&[]).out.lines().count(), 2);
    assert!(
        answers(&["remove", "--all"])
            .err
            .contains("1 answer removed")
    );
    answers(&["list"]).refused(1, "nothing is remembered for this project");
    answers(&["remove"]).refused(2, "--method");
}

#[test]
fn memory_can_be_left_out_and_must_be_one() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "diary.txt", "dear");
    source(folder.path(), "Main.java", PROGRAM);
    let words = ["debug", "Main.java", "--memory", "diary.txt"];
    run(folder.path(), words).refused(2, "the remembered answers in diary.txt cannot be used");
    let words = ["debug", "Main.java", "--memory", "diary.txt", "--no-memory"];
    run(folder.path(), words).refused(2, "cannot be used with");
}

#[test]
fn what_is_said_while_the_program_runs_is_remembered_too() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", PROGRAM);
    std::fs::write(folder.path().join("answers.txt"), "no\nyes\nno\n").unwrap();
    let words = [
        "debug",
        "--live",
        "--json",
        "--memory",
        "answers.redb",
        "--strategy",
        "top-down",
        "--answers",
        "answers.txt",
        "Main.java",
    ];
    let live = run(folder.path(), words).json();
    assert_eq!(live["method"], "thrice", "{live}");

    let words = [
        "debug",
        "--live",
        "--json",
        "--memory",
        "answers.redb",
        "Main.java",
    ];
    let again = run(folder.path(), words);
    let found = again.json();
    assert_eq!(found["method"], "thrice", "{}", again.err);
    assert_eq!(found["questions"]["person"], 0, "{found}");
    assert!(found["questions"]["memory"].as_u64() >= Some(1), "{found}");
}
