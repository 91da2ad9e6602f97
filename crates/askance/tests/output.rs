//! What the program printed, as a person sees it afterwards.

use std::path::Path;

use crate::support::{run, source};

const RECEIPT: &str = "public class Receipt {
    static int total(int... prices) {
        int sum = 0;
        for (int price : prices) sum += price;
        return sum + 1;
    }
    static void row(String name, int price) {
        System.out.print(name + \": \");
        System.out.println(price);
    }
    public static void main(String[] args) {
        row(\"tea\", 3);
        row(\"cake\", 5);
        System.err.println(\"warning\");
        System.out.println(\"total \" + total(3, 5));
        System.out.write(new byte[] {0, 1, 2}, 0, 3);
        System.out.flush();
    }
}
";

fn record(folder: &Path, options: &[&str]) {
    source(folder, "Receipt.java", RECEIPT);
    let mut arguments = vec!["record", "-o", "t"];
    arguments.extend(options);
    arguments.push("Receipt.java");
    let said = run(folder, arguments);
    assert_eq!(said.code, Some(0), "{}", said.err);
}

#[test]
fn each_line_says_where_it_came_from() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), &[]);
    let said = run(folder.path(), ["output", "t"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    insta::assert_snapshot!(said.out, @r"
          1  tea: 3                      ← #1 Receipt.row (Receipt.java:8), #1 Receipt.row (Receipt.java:9)
          2  cake: 5                     ← #2 Receipt.row (Receipt.java:8), #2 Receipt.row (Receipt.java:9)
    error 1  warning                     ← #0 Receipt.main (Receipt.java:14)
          3  total 9                     ← #0 Receipt.main (Receipt.java:15)
             (3 bytes that are no text)  ← #0 Receipt.main (Receipt.java:16)
    ");
    let page = run(
        folder.path(),
        ["output", "t", "--from", "2", "--limit", "1"],
    );
    insta::assert_snapshot!(page.out, @r"
    error 1  warning  ← #0 Receipt.main (Receipt.java:14)
    (go on with --from 3)
    ");
    let told = run(folder.path(), ["output", "t", "--json", "--limit", "1"]).json();
    assert_eq!(told["version"], 1);
    assert_eq!(told["output_bytes"], "tea: 3\ncake: 5\ntotal 9\n".len() + 3);
    assert_eq!(told["next"], 1);
    let row = &told["rows"][0];
    assert_eq!(row["text"], "tea: 3");
    assert_eq!(row["from"][1]["line"], 9);
    assert_eq!(row["from"][1]["thread"], "main");
}

#[test]
fn with_calls_alone_the_call_is_known_and_the_line_is_not() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), &["--detail", "calls"]);
    let said = run(folder.path(), ["output", "t", "--limit", "1"]);
    insta::assert_snapshot!(said.out, @r"
    1  tea: 3  ← #1 Receipt.row (Receipt.java)
    (go on with --from 1)
    ");
}

#[test]
fn a_program_that_prints_nothing_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let quiet = "public class Quiet { public static void main(String[] args) {} }";
    source(folder.path(), "Quiet.java", quiet);
    run(folder.path(), ["record", "-o", "t", "Quiet.java"]);
    let said = run(folder.path(), ["output", "t"]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), ""));
    assert!(said.err.contains("printed nothing"), "{}", said.err);
}

/// Asks about the recorded receipt, with nobody there.
fn ask(folder: &Path, options: &[&str]) -> crate::support::Said {
    let mut arguments = vec!["ask", "t", "--non-interactive", "--json"];
    arguments.extend(options);
    run(folder, arguments)
}

#[test]
fn the_first_line_that_is_another_is_the_symptom() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), &[]);
    let expect = |text: &str| {
        std::fs::write(folder.path().join("expected"), text).unwrap();
        ask(folder.path(), &["--expect-output", "expected"])
    };
    let said = expect("tea: 3\ncake: 5\ntotal 8\n");
    let sentence = "line 3 of the output is \"total 9\", expected \"total 8\"";
    assert!(said.err.contains(sentence), "{}", said.err);
    // Who goes on without it would begin with another question.
    let to_go_on = "To go on, answer in a terminal: askance ask t --expect-output expected\n";
    assert!(said.err.contains(to_go_on), "{}", said.err);
    // `main` is known to be wrong, so it is not asked about, and stays a suspect.
    assert_eq!(said.json()["outcome"], "suspects", "{}", said.out);
    assert_eq!(said.json()["questions"]["person"], 0);

    let said = expect("tea: 3\r\ncake: 5\r\ntotal 9\r\nthanks\r\n");
    let sentence = "line 4 of the output is missing: expected \"thanks\"";
    assert!(said.err.contains(sentence), "{}", said.err);

    let said = expect("tea: 3\nsugar: 1\ncake: 5\ntotal 9\n");
    let sentence = "line 2 of the output is missing: expected \"sugar: 1\"";
    assert!(said.err.contains(sentence), "{}", said.err);

    let said = expect("cake: 5\ntotal 9\n");
    let sentence = "line 1 of the output, \"tea: 3\", should not be there: expected \"cake: 5\"";
    assert!(said.err.contains(sentence), "{}", said.err);

    let said = expect("tea: 3");
    let sentence = "the output should have ended before line 2, which is \"cake: 5\"";
    assert!(said.err.contains(sentence), "{}", said.err);

    expect("tea: 3\ncake: 5\ntotal 9\n").refused(1, "printed exactly what was expected");
    let absent = ask(folder.path(), &["--expect-output", "absent"]);
    absent.refused(2, "absent cannot be read");
}

#[test]
fn a_text_that_is_wrong_is_the_symptom() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), &[]);
    let said = ask(folder.path(), &["--wrong-output", "9"]);
    let sentence = "\"9\" in line 3 of the output is wrong\n";
    assert!(said.err.contains(sentence), "{}", said.err);
    let said = ask(folder.path(), &["--wrong-output", ": "]);
    assert!(
        said.err.contains(" ask t --wrong-output ': '\n"),
        "{}",
        said.err
    );
    let sentence = "in line 2 of the output is wrong (the last of 2 lines that have it)";
    assert!(said.err.contains(sentence), "{}", said.err);
    let absent = ask(folder.path(), &["--wrong-output", "coffee"]);
    absent.refused(2, "\"coffee\" is not in what the program printed");
}

#[test]
fn a_line_is_called_wrong_in_the_dialogue() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), &[]);
    let answer = |lines: &str| {
        std::fs::write(folder.path().join("answers"), lines).unwrap();
        run(
            folder.path(),
            ["ask", "t", "--json", "--answers", "answers"],
        )
    };
    let said = answer("w output:3:9\n");
    let sentence = "\"9\" in line 3 of the output is wrong.";
    assert!(said.err.contains(sentence), "{}", said.err);
    assert_eq!(said.json()["questions"]["person"], 1, "{}", said.out);
    answer("w output:9\n").refused(2, "the output has 3 lines, there is no line 9");
    answer("w output:3:tea\n").refused(2, "\"tea\" is not in line 3 of the output");
}
