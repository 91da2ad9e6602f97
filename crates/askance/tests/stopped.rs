//! Runs that were stopped, and stacks that overflowed: the calls that were open, or that went too deep, are
//! asked about, and a person is not asked the same again and again.

use std::path::Path;

use crate::support::{Said, run, source};
use test_support::workspace_root;

const RUNNING: &str = "Should this call still have been running?";

/// Goes round in circles from 5 on: the three should be added to, not taken from.
const COLLATZ: &str = "
public class Collatz {
    static long next(long n) {
        return n % 2 == 0 ? n / 2 : 3 * n - 1;
    }

    static int steps(long n) throws InterruptedException {
        int steps = 0;
        for (; n != 1; n = next(n)) {
            steps++;
            Thread.sleep(5);
        }
        return steps;
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println(steps(5));
    }
}
";

/// Records the buggy version of an example.
fn record(folder: &Path, example: &str, options: &[&str]) {
    let main = workspace_root().join(format!("examples/{example}/buggy/Main.java"));
    let main = main.to_string_lossy().into_owned();
    let mut arguments = vec!["record", "-o", "t"];
    arguments.extend(options);
    arguments.push(&main);
    run(folder, arguments).recorded();
}

fn ask(folder: &Path, strategy: &str, answers: &str) -> Said {
    source(folder, "answers", answers);
    let ask = ["ask", "t", "--json", "--strategy", strategy, "--answers"];
    run(folder, ask.into_iter().chain(["answers"]))
}

#[test]
fn a_stack_that_overflows_takes_a_few_answers() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), "stack-overflow", &[]);
    let tree = run(folder.path(), ["tree", "t", "--depth", "6"]).out;
    let folded = tree.lines().find(|line| line.contains('↻')).unwrap();
    assert!(folded.contains(".find("), "{tree}");
    assert!(folded.ends_with(" levels"), "{tree}");
    assert!(tree.lines().count() < 100, "{tree}");

    // Without folding, halving takes sixteen answers.
    let said = ask(folder.path(), "ranges", &"no\n".repeat(16));
    let verdict = said.json();
    assert_eq!(verdict["method"], "middle", "{verdict}\n{}", said.err);
    let asked = verdict["questions"]["person"].as_u64().unwrap();
    assert!(asked <= 9, "{}", said.err);
    assert!(verdict["questions"]["memory"].as_u64() >= Some(5));
    assert!(said.err.contains("↻ level "), "{}", said.err);
    let deep = "Should it have gone this deep?";
    assert!(said.err.contains(deep), "{}", said.err);
}

#[test]
fn a_loop_that_never_ends_takes_a_few_answers() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), "endless-loop", &["--time-limit", "3"]);
    // It may have been stopped in the middle of a sheet, which is asked about first.
    let within = u64::from(
        ask(folder.path(), "dq-hirunkitti", "")
            .err
            .contains(RUNNING),
    );
    // Eight sheets are right; the ninth is that of the report, and it is the same for ever after.
    let answers = format!("{}no\nno\n", "yes\n".repeat(8 + within as usize));
    let said = ask(folder.path(), "dq-hirunkitti", &answers);
    let verdict = said.json();
    let method = &verdict["method"];
    assert_eq!(method, "pagesOnNextSheet", "{verdict}\n{}", said.err);
    let asked = verdict["questions"]["person"].as_u64();
    assert_eq!(asked, Some(10 + within), "{}", said.err);
    // The call that was still running is a question too, for whoever wants it.
    let open = ask(folder.path(), "dq-hirunkitti", "go 0\n");
    assert!(open.err.contains(RUNNING), "{}", open.err);
}

#[test]
fn a_call_that_never_ended_is_asked_about_first() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Collatz.java", COLLATZ);
    let record = ["record", "-o", "t", "--time-limit", "2", "Collatz.java"];
    run(folder.path(), record);
    let said = ask(folder.path(), "top-down", "no\nno\n");
    let first = said.err.find(RUNNING).unwrap();
    assert!(said.err[..first].contains("Collatz.steps"), "{}", said.err);
    assert!(
        said.err[..first].contains(" calls in it so far"),
        "{}",
        said.err
    );
    assert_eq!(
        said.err.matches("Is this right?").count(),
        1,
        "{}",
        said.err
    );
    assert_eq!(said.json()["method"], "next", "{}", said.err);
}

/// `next` does not go on behind a sign that it does not know; that it has only begun says nothing.
const STUCK: &str = "
public class Stuck {
    static class Tokens {
        final String text; int place;
        Tokens(String text) { this.text = text; }
        boolean more() { skip(); return place < text.length(); }
        void skip() { while (place < text.length() && text.charAt(place) == ' ') place++; }
        String next() {
            skip();
            int start = place;
            while (place < text.length() && Character.isLetter(text.charAt(place))) place++;
            return text.substring(start, place);
        }
    }
    static int read(Tokens tokens) {
        int words = 0;
        while (tokens.more()) if (!tokens.next().isEmpty()) words++;
        return words;
    }
    public static void main(String[] arguments) { System.out.println(read(new Tokens(\"a b; c\"))); }
}
";

#[test]
fn the_call_that_goes_round_is_asked_about_before_what_it_just_called() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Stuck.java", STUCK);
    let record = [
        "record",
        "-o",
        "t",
        "--time-limit",
        "2",
        "--max-trace",
        "500M",
        "Stuck.java",
    ];
    run(folder.path(), record);
    let suspects = run(folder.path(), ["suspects", "t", "--json", "-n", "3"]).json();
    let suspects = suspects["suspects"].as_array().unwrap();
    assert!(
        suspects.iter().any(|suspect| suspect["method"] == "next"),
        "{suspects:?}"
    );
    source(folder.path(), "answers", "no\n");
    let ask = ["ask", "t", "--strategy", "belief", "--answers", "answers"];
    let said = run(folder.path(), ask);
    let first = said.err.find(RUNNING).unwrap();
    assert!(said.err[..first].contains("Stuck.read"), "{}", said.err);
    let second = &said.err[first..];
    assert!(second.contains(".next() → \"\""), "{}", said.err);
}
