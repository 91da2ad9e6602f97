//! `--reference git:REV`, methods that were renamed since, and `askance diff`.

use std::path::Path;
use std::process::Command;

use crate::support::{Said, run, source};
use serde_json::json;

const MAIN: &str = "public class Main {
    public static void main(String[] args) {
        Till till = new Till();
        till.add(5, 2);
        System.out.println(till.sum);
    }
}
";

const RIGHT: &str = "public class Till {
    int sum;
    void add(int price, int pieces) {
        sum += times(price, pieces);
    }
    static int times(int price, int pieces) {
        int all = 0;
        for (int i = 0; i < pieces; i++) {
            all += price;
        }
        return all;
    }
}
";

const BUILD: &str = "mkdir -p out && javac -g -d out src/*.java";

fn git(folder: &Path, words: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=n"]);
    command.args(["-c", "user.email=n@example.org"]).args(words);
    assert!(command.output().unwrap().status.success(), "{words:?}");
}

/// A repository with the right version and, as it is now, this one; built.
fn repository(now: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    git(path, &["init", "-q"]);
    source(path, ".gitignore", "out\n*.askance\n");
    source(path, "src/Main.java", MAIN);
    source(path, "src/Till.java", RIGHT);
    git(path, &["add", "-A"]);
    git(path, &["commit", "-qm", "right"]);
    source(path, "src/Till.java", now);
    git(path, &["commit", "-qam", "wrong"]);
    let built = Command::new("sh")
        .args(["-c", BUILD])
        .current_dir(path)
        .status();
    assert!(built.unwrap().success());
    folder
}

fn debug(folder: &Path, more: &[&str], program: &[&str]) -> Said {
    let words = ["debug", "--json", "-o", "t.askance"].iter();
    run(folder, words.chain(more).chain(program))
}

fn wrong() -> String {
    RIGHT.replace("int i = 0", "int i = 1")
}

#[test]
fn a_revision_is_built_beside_the_working_tree_and_answers() {
    let folder = repository(&wrong());
    let reference = ["--reference", "git:HEAD~1", "--build", BUILD];
    let said = debug(
        folder.path(),
        &reference,
        &["--", "java", "-cp", "out", "Main"],
    );
    let found = said.json();
    assert_eq!(found["outcome"], "found", "{}", said.err);
    assert_eq!(found["method"], "times");
    assert_eq!(found["lines"], json!([8]), "the line that changed");
    assert_eq!(found["questions"]["person"], 0);
    let trees = Command::new("git")
        .args(["worktree", "list"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let trees = String::from_utf8_lossy(&trees.stdout).lines().count();
    assert_eq!(trees, 1, "the revision is gone again");
}

#[test]
fn a_source_file_needs_no_build() {
    let folder = repository(&wrong());
    let said = debug(
        folder.path(),
        &["--reference", "git:HEAD~1"],
        &["src/Main.java"],
    );
    assert_eq!(said.json()["method"], "times", "{}", said.err);
}

#[test]
fn a_renamed_method_is_recognised_if_only_one_can_be_meant() {
    let folder = repository(&wrong().replace("times", "multiplied"));
    let said = debug(
        folder.path(),
        &["--reference", "git:HEAD~1"],
        &["src/Main.java"],
    );
    assert_eq!(said.json()["method"], "multiplied", "{}", said.err);
}

#[test]
fn what_git_or_the_build_refuse_is_told() {
    let folder = repository(&wrong());
    let refused = |reference: &[&str], words: &str| {
        debug(folder.path(), reference, &["src/Main.java"]).refused(2, words);
    };
    refused(
        &["--reference", "git:nothing"],
        "git cannot check out nothing",
    );
    let failing = ["--reference", "git:HEAD~1", "--build", "echo no; exit 1"];
    refused(&failing, "the build of HEAD~1 failed: echo no; exit 1\nno");
    refused(
        &["--reference", "src", "--build", "true"],
        "--build is for --reference git:REV",
    );
    let outside = tempfile::tempdir().unwrap();
    source(outside.path(), "Hello.java", crate::support::HELLO);
    let said = debug(
        outside.path(),
        &["--reference", "git:HEAD"],
        &["Hello.java"],
    );
    said.refused(2, "is not in a git repository");
}

#[test]
fn two_runs_are_compared_without_a_bug_in_mind() {
    let folder = repository(&wrong());
    let path = folder.path();
    let record = |trace: &str| {
        let said = run(path, ["record", "-o", trace, "src/Main.java"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
    };
    record("wrong.askance");
    source(path, "src/Till.java", RIGHT);
    record("right.askance");
    let same = run(path, ["diff", "right.askance", "right.askance"]);
    assert_eq!(
        (same.code, same.out.as_str()),
        (Some(1), "Both runs did the same.\n")
    );
    let said = run(path, ["diff", "wrong.askance", "right.askance"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    insta::assert_snapshot!(said.out, @r"
    The runs first differ in #3 Till.times.
    Calls that began in the same state and ended differently:
      #3 Till.times
        one:   times(price=5, pieces=2) → 5
        other: times(price=5, pieces=2) → 10  (#3)
    ");
    let json = run(path, ["diff", "wrong.askance", "right.askance", "--json"]).json();
    assert_eq!(json["same"], false);
    assert_eq!(json["divergences"][0]["other_node"], 3);
}
