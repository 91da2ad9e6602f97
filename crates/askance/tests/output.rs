//! What the program printed, as a person sees it afterwards.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod support;

use std::path::Path;

use support::{run, source};

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
