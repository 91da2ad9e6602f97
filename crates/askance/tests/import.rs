//! Call trees from elsewhere: what is taken, what is refused, and that everything works on them.

use std::path::Path;

use crate::support::{Said, names, run};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Imports these lines as `t`.
fn import(folder: &Path, lines: &str) -> Said {
    std::fs::write(folder.join("calls.jsonl"), lines).unwrap();
    run(folder, ["import", "calls.jsonl", "-o", "t"])
}

#[track_caller]
fn refused(lines: &str, words: &str) {
    let folder = folder();
    import(folder.path(), lines).refused(2, words);
    assert_eq!(names(folder.path()), ["calls.jsonl"]);
}

const SHOP: &str = r#"
{"id":10,"parent":null,"name":"Shop.main","before":{},"after":{"total":9},"lines":[3,4]}
{"id":11,"parent":10,"name":"Shop.price","before":{"item":"pear"},"returns":4,"lines":[8]}
{"id":12,"parent":10,"name":"Shop.sum","before":{"a":[4,5],"n":{"x":1}},"after":{"a":[4,5],"n":{"x":2}},"returns":8,"lines":[12,13]}
{"id":13,"parent":12,"name":"lib.add","before":{"x":4,"y":5},"returns":9,"trusted":true}
"#;

#[test]
fn questions_show_what_the_file_says() {
    let folder = folder();
    let said = import(folder.path(), SHOP);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(
        said.err.contains("4 calls of 4 routines in t"),
        "{}",
        said.err
    );
    std::fs::write(folder.path().join("answers"), "yes\nno\n").unwrap();
    let said = run(
        folder.path(),
        [
            "ask",
            "t",
            "--strategy",
            "top-down",
            "--answers",
            "answers",
            "--json",
        ],
    );
    assert_eq!(said.code, Some(0), "{}", said.err);
    insta::assert_snapshot!(said.err.trim(), @r#"
    #1 Shop.price(item="pear") → 4
    Is this right? (3 suspects)

    #2 Shop.sum(a=[4, 5], n={x=1}) → 8; n: {x=1} → {x=2}
    Is this right? (2 suspects)
    "#);
    insta::assert_json_snapshot!(said.json(), @r#"
    {
      "class": "Shop",
      "descriptor": "",
      "executed_lines": [
        12,
        13
      ],
      "file": null,
      "id": 12,
      "lines": [
        12,
        13
      ],
      "method": "sum",
      "node": 2,
      "outcome": "found",
      "questions": {
        "command": 0,
        "memory": 0,
        "person": 2,
        "reference": 0,
        "trusted": 0
      },
      "slice_lines": [],
      "suspects": [
        2
      ],
      "suspects_left": 1,
      "version": 1
    }
    "#);
}

/// An answer that was taken back was asked for all the same; lines that are left when the bug is found are
/// not needed.
#[test]
fn a_script_may_take_back_answers_and_have_more_than_are_needed() {
    let folder = folder();
    import(folder.path(), SHOP);
    let lines = "yes\nu 1\nyes\nno\nyes\nno\n";
    std::fs::write(folder.path().join("answers"), lines).unwrap();
    let arguments = ["ask", "t", "--strategy", "top-down", "--json", "--answers"];
    let said = run(folder.path(), arguments.into_iter().chain(["answers"]));
    assert_eq!(said.code, Some(0), "{}", said.err);
    let found = said.json();
    assert_eq!(found["outcome"], "found");
    assert_eq!(found["method"], "sum");
    assert_eq!(found["questions"]["person"], 3);
    assert_eq!(
        said.err.matches("Is this right?").count(),
        4,
        "{}",
        said.err
    );
}

#[test]
fn the_outline_and_single_calls() {
    let folder = folder();
    import(folder.path(), SHOP);
    insta::assert_snapshot!(run(folder.path(), ["tree", "t"]).out, @r#"
    #0 Shop.main() → void; total: nothing → 9
      #1 Shop.price(item="pear") → 4
      #2 Shop.sum(a=[4, 5], n={x=1}) → 8; n: {x=1} → {x=2}
        #3 lib.add(x=4, y=5) → 9
    "#);
    insta::assert_snapshot!(run(folder.path(), ["show", "t", "Shop.sum"]).out, @r#"
    #2 Shop.sum
      a = [4, 5]
      n = {x=1}
      → 8
      n: {x=1} → {x=2}
      called by #0 Shop.main
      made 1 call, 1 in all below it
    "#);
    insta::assert_json_snapshot!(run(folder.path(), ["show", "t", "1", "--json"]).json(), @r#"
    {
      "arguments": [
        {
          "after": null,
          "before": {
            "kind": "string",
            "text": "\"pear\""
          },
          "name": "item"
        }
      ],
      "callers": [
        0
      ],
      "children": [],
      "class": "Shop",
      "descriptor": "",
      "file": null,
      "has_names": true,
      "id": 11,
      "judged_by": null,
      "judgement": "undefined",
      "line": 8,
      "lines": [
        8
      ],
      "method": "price",
      "node": 1,
      "outcome": {
        "returned": {
          "kind": "primitive",
          "text": "4"
        }
      },
      "routine": "Shop.price",
      "source": null,
      "statics": [],
      "this": null,
      "version": 1
    }
    "#);
    let said = run(folder.path(), ["info", "t"]);
    assert!(
        said.out.contains("calls     4, 1 of them trusted"),
        "{}",
        said.out
    );
    assert_eq!(
        run(folder.path(), ["info", "t", "--json"]).json()["roots"],
        1
    );
}

#[test]
fn what_was_not_recorded_is_not_there() {
    let folder = folder();
    import(folder.path(), SHOP);
    for arguments in [
        &["events", "t", "1"][..],
        &["why", "t", "1", "return"],
        &["show", "t", "1", "--at", "3"],
    ] {
        let said = run(folder.path(), arguments);
        said.refused(2, "t is an imported call tree");
        let hint = "hint: ask, tree, show, info and eval work on imported trees";
        assert!(said.err.contains(hint), "{}", said.err);
    }
    run(folder.path(), ["ask", "t", "--reference", "calls.jsonl"])
        .refused(2, "--reference has nothing to compare with");
}

#[test]
fn lines_that_are_no_calls() {
    let main = r#"{"id":1,"parent":null,"name":"main"}"#;
    refused("", "calls.jsonl holds no call");
    refused("\n  \n", "calls.jsonl holds no call");
    refused(
        &format!("{main}\nhello"),
        "line 2 of calls.jsonl is not JSON: expected value at column 1",
    );
    refused("{\"id\":1", "line 1 of calls.jsonl is not JSON: EOF");
    refused(
        "{\"id\":1,\"parent\":null}",
        "is not a call: missing field `name`",
    );
    refused(
        "{\"id\":\"a\",\"parent\":null,\"name\":\"f\"}",
        "is not a call: invalid type",
    );
    refused("[1]", "line 1 of calls.jsonl is not a call");
    refused(
        &format!("{main}\n\n{main} {main}"),
        "line 3 of calls.jsonl is not JSON: trailing characters",
    );
    refused("\u{1}\u{2}", "line 1 of calls.jsonl is not JSON");
}

#[test]
fn lines_that_are_no_tree() {
    let call =
        |id: u32, parent: &str| format!("{{\"id\":{id},\"parent\":{parent},\"name\":\"f\"}}\n");
    let tree = |calls: &[(u32, &str)]| -> String {
        calls.iter().map(|(id, parent)| call(*id, parent)).collect()
    };
    refused(
        &tree(&[(1, "null"), (2, "7")]),
        "line 2 of calls.jsonl names call 7 as its parent, which does not come before it",
    );
    refused(&tree(&[(1, "1")]), "names call 1 as its parent");
    refused(
        &tree(&[(1, "null"), (2, "1"), (3, "1"), (4, "2")]),
        "line 4 of calls.jsonl is not in preorder: its parent, call 2,",
    );
    refused(
        &tree(&[(5, "null"), (2, "5"), (9, "5"), (2, "5")]),
        "line 4 of calls.jsonl has the number 2 again, which line 2 has",
    );
    refused(
        &tree(&[(1, "null"), (1, "null")]),
        "line 2 of calls.jsonl has the number 1 again",
    );
}

#[test]
fn numbers_may_come_in_any_order() {
    let folder = folder();
    let lines = "{\"id\":7,\"parent\":null,\"name\":\"f\"}\n{\"id\":3,\"parent\":7,\"name\":\"g\"}\n{\"id\":5,\"parent\":null,\"name\":\"h\"}\n";
    assert_eq!(import(folder.path(), lines).code, Some(0));
    insta::assert_snapshot!(run(folder.path(), ["tree", "t"]).out, @r#"
    #0 f() → void
      #1 g() → void
    #2 h() → void
    "#);
}

#[test]
fn places_that_cannot_be_written() {
    let folder = folder();
    std::fs::write(folder.path().join("calls.jsonl"), SHOP).unwrap();
    std::fs::create_dir(folder.path().join("mine")).unwrap();
    std::fs::write(folder.path().join("mine/diary.txt"), "dear").unwrap();
    run(folder.path(), ["import", "calls.jsonl", "-o", "mine"]).refused(2, "is not overwritten");
    run(folder.path(), ["import", "calls.jsonl", "-o", "no/where"]).refused(2, "cannot be written");
    run(folder.path(), ["import", "nope.jsonl", "-o", "t"])
        .refused(2, "there is no file nope.jsonl");
    assert_eq!(names(folder.path()), ["calls.jsonl", "mine"]);
}

#[test]
fn a_mistake_leaves_the_tree_that_was_there() {
    let folder = folder();
    import(folder.path(), SHOP);
    import(folder.path(), "nonsense").refused(2, "is not JSON");
    assert_eq!(
        run(folder.path(), ["info", "t", "--json"]).json()["calls"],
        4
    );
    import(
        folder.path(),
        "{\"id\":1,\"parent\":null,\"name\":\"main\"}",
    );
    assert_eq!(
        run(folder.path(), ["info", "t", "--json"]).json()["calls"],
        1
    );
}

/// Nobody can tell which of three calls is wrong, but all of them are of one method, and their caller is trusted.
#[test]
fn a_method_is_named_if_all_suspects_are_calls_of_it() {
    let folder = folder();
    let lines = r#"
{"id":1,"parent":null,"name":"Shop.main","returns":7,"trusted":true}
{"id":2,"parent":1,"name":"Key.hashCode","before":{"n":1},"returns":1,"lines":[4,5]}
{"id":3,"parent":1,"name":"Key.hashCode","before":{"n":2},"returns":2,"lines":[4,5]}
{"id":4,"parent":1,"name":"Key.hashCode","before":{"n":3},"returns":3,"lines":[4,5]}
"#;
    assert_eq!(import(folder.path(), lines).code, Some(0));
    let ask = |answers: &str, more: &[&str]| {
        std::fs::write(folder.path().join("answers"), answers).unwrap();
        let ask = ["ask", "t", "--strategy", "top-down", "--answers", "answers"];
        run(folder.path(), ask.iter().chain(more))
    };
    let said = ask("g 0\nno\nd\nd\nd\n", &["--json"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let found = said.json();
    assert_eq!(found["outcome"], "found_method", "{found}");
    assert_eq!(found["class"], "Key", "{found}");
    assert_eq!(found["method"], "hashCode", "{found}");
    assert_eq!(found["suspects"], serde_json::json!([1, 2, 3]), "{found}");
    assert!(found.get("node").is_none(), "{found}");
    let told = ask("g 0\nno\nd\nd\nd\n", &[]).out;
    assert!(
        told.contains("all 3 suspects are calls of Key.hashCode"),
        "{told}"
    );
    // Without anything known to be wrong there may be no bug at all.
    let unsure = ask("d\nd\nd\n", &["--json"]).json();
    assert_eq!(unsure["outcome"], "suspects", "{unsure}");
}

/// Trust in the package of several calls is trust in that of each of them, and can be taken back.
#[test]
fn trust_in_a_group_takes_effect_at_once() {
    let folder = folder();
    let lines = r#"
{"id":1,"parent":null,"name":"a.A.f","returns":7}
{"id":2,"parent":1,"name":"b.C.g","returns":1}
{"id":3,"parent":1,"name":"c.D.h","returns":2}
{"id":4,"parent":1,"name":"c.E.i","returns":3}
"#;
    assert_eq!(import(folder.path(), lines).code, Some(0));
    let suspects = |answers: &str| {
        std::fs::write(folder.path().join("answers"), answers).unwrap();
        let ask = [
            "ask",
            "t",
            "--strategy",
            "top-down",
            "--answers",
            "answers",
            "--json",
        ];
        run(folder.path(), ask).json()["suspects"].clone()
    };
    assert_eq!(suspects("g 1-2\nt package\n"), serde_json::json!([0]));
    assert_eq!(suspects("g 1-2\nt class\n"), serde_json::json!([0, 3]));
    assert_eq!(suspects("g 1-2\nt\n"), serde_json::json!([0, 3]));
    let all = serde_json::json!([0, 1, 2, 3]);
    assert_eq!(suspects("g 1-2\nt package\nt back 3\n"), all);
    assert_eq!(suspects("g 1-2\nt package\nt back\n"), all);
    assert_eq!(suspects("g 1-2\nt package\nu 1\n"), all);
}
