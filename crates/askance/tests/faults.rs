//! What happens to the files and to the program while somebody is asked.

use std::path::Path;

use crate::support::{Said, names, run, source};

/// Large enough that not all of its trace is read for the first question.
const PROGRAM: &str = r#"
public class Sums {
    static int[] table = new int[100];

    static int sum(int from, int to) {
        if (to - from == 1) { return term(from); }
        int middle = (from + to) / 2;
        return sum(from, middle) + sum(middle, to);
    }

    static int term(int n) {
        table[n % 100] += n;
        return n == 77 ? n + 1 : n;
    }

    /** With a name, it goes on when there is a file of that name. */
    public static void main(String[] args) throws InterruptedException {
        System.out.println(sum(0, 100_000));
        while (args.length > 0 && !new java.io.File(args[0]).exists()) { Thread.sleep(10); }
    }
}
"#;

/// Answers by the numbers in the question: what contains 77 is wrong. It is sourced by the shell that
/// the tool starts, whose parent is the tool.
const ORACLE: &str = r#"
text() { rest=${question#*\"$1\":\"}; rest=${rest%%\"*}; }
while read -r question; do
  [ -n "$begun" ] || eval "$FAULT"
  begun=yes
  answer=no
  case "$question" in
    *'"method":"term"'*)
      text n; [ "$rest" = 77 ] || answer=yes;;
    *'"method":"sum"'*)
      text from; from=$rest; text to
      [ "$from" -le 77 ] && [ 77 -lt "$rest" ] || answer=yes;;
  esac
  echo "{\"answer\":\"$answer\"}"
done
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Sums.java", PROGRAM);
    source(folder.path(), "oracle.sh", ORACLE);
    folder
}

/// Runs a command with an oracle during whose first question something happens.
fn ask(folder: &Path, arguments: &[&str], fault: &str) -> Said {
    let mut command = crate::support::askance(folder);
    command.args(arguments).env("FAULT", fault);
    command.output().unwrap().into()
}

const ASK: [&str; 7] = [
    "ask",
    "t",
    "--json",
    "--strategy",
    "dq-hirunkitti",
    "--oracle-cmd",
    ". ./oracle.sh",
];

fn check_culprit(said: &Said) {
    let verdict = said.json();
    assert_eq!(verdict["outcome"], "found", "{verdict}\n{}", said.err);
    assert_eq!(verdict["method"], "term", "{verdict}");
}

/// What was unpacked before stays, which can be all that is asked about.
#[test]
fn chunks_that_are_cut_short_under_the_reader_are_one_sentence_or_not_missed() {
    let folder = folder();
    run(folder.path(), ["record", "-o", "t", "Sums.java"]);
    let said = ask(folder.path(), &ASK, "truncate -s 100 t/jvm-*/chunks");
    if said.code == Some(0) {
        check_culprit(&said);
    } else {
        said.refused(3, "got shorter while it was read");
        assert_eq!(said.err.matches("got shorter").count(), 1);
    }
    // Opened anew, the trace is what is left of it.
    let info = run(folder.path(), ["info", "t", "--json"]).json();
    assert_eq!(info["jvms"][0]["complete"], false, "{info}");
}

#[test]
fn chunks_that_are_deleted_under_the_reader_are_there_until_it_ends() {
    let folder = folder();
    run(folder.path(), ["record", "-o", "t", "Sums.java"]);
    check_culprit(&ask(folder.path(), &ASK, "rm t/jvm-*/chunks"));
}

#[test]
fn the_program_is_killed_while_the_tool_asks() {
    let folder = folder();
    let live = [
        "debug",
        "--live",
        "-o",
        "t",
        "--json",
        "--root",
        "sum",
        "--strategy",
        "dq-hirunkitti",
        "--oracle-cmd",
        ". ./oracle.sh",
        "Sums.java",
        "--",
        "never",
    ];
    let kill = r#"while ! grep -q . t/output.txt; do sleep 0.01; done; kill -9 $(ls -d t/jvm-* | sed s/.*jvm-//)"#;
    let said = ask(folder.path(), &live, kill);
    check_culprit(&said);
    assert!(said.err.contains("killed by signal 9"), "{}", said.err);
    check_culprit(&ask(folder.path(), &ASK, "true"));
}

#[test]
fn the_tool_is_killed_while_it_asks_and_the_next_one_clears_up() {
    let folder = folder();
    let live = [
        "debug",
        "--live",
        "-o",
        "t",
        "--oracle-cmd",
        ". ./oracle.sh",
        "Sums.java",
        "--",
        "go",
    ];
    let said = ask(folder.path(), &live, "kill -9 $PPID; sleep 1");
    assert_eq!(said.code, None, "{}", said.err);
    let jvm = crate::support::jvm_folder(&folder.path().join("t"));
    let abandoned = || {
        let mut names = names(&jvm.join("index"));
        names.retain(|name| name.contains('.'));
        names
    };
    assert_ne!(abandoned(), [""; 0]);
    // The program is not harmed: it writes its last word, and the trace is whole.
    source(folder.path(), "go", "");
    while !jvm.join("end.json").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    check_culprit(&ask(folder.path(), &ASK, "true"));
    assert_eq!(abandoned(), [""; 0]);
}
