//! Walking a recorded run back and forth: what people read, over real recordings.

use crate::support::recorded::{Recorded, merge_sort, step, two_threads};
use crate::support::{run, source};
use test_support::{Example, ExampleVersion};

/// Object numbers depend on the JVM: `int[]#21` becomes `int[]#…`.
fn without_numbers(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("]#") {
        shown.push_str(&rest[..at + 2]);
        shown.push('…');
        rest = rest[at + 2..].trim_start_matches(|c: char| c.is_ascii_digit());
    }
    shown + rest
}

/// Every number as 9: which thread comes first is left to the JVM.
fn digits_as_one(text: &str) -> String {
    let mut shown = String::new();
    for sign in text.chars() {
        if !sign.is_ascii_digit() {
            shown.push(sign);
        } else if !shown.ends_with('9') {
            shown.push('9');
        }
    }
    shown
}

// ---- the merge sort session: from the wrong element to the write, and everything there

#[test]
fn the_history_of_the_wrong_element_leads_to_the_faulty_write() {
    let text = merge_sort().shows("history", &["0:sorted[2]"]);
    insta::assert_snapshot!(without_numbers(&text), @r#"
    0:sorted[2] = int[]#…[2]
      at first 0
      1. 0 → 9  in Main.merge (Main.java:46) #16 event 24
    "#);
}

/// A write that is missing has no history to follow; questions find the call that should have made it.
#[test]
fn a_missing_assignment_is_found_by_questions() {
    let examples = Example::all().unwrap();
    let sorts = examples.iter().find(|example| example.name == "merge-sort");
    let right = std::fs::read_to_string(sorts.unwrap().main_file(ExampleVersion::Fixed)).unwrap();
    let rest = "while (i < a.length) {\n            c[k++] = a[i++];";
    assert!(right.contains(rest));
    let wrong = right.replace(
        rest,
        "while (i < a.length) {\n            k++;\n            i++;",
    );
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", &wrong);
    source(folder.path(), "answers", "n\ny\ny\ny\ny\nn\n");
    let said = run(folder.path(), ["record", "-o", "trace", "Main.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let recorded = Recorded { folder };
    let history = recorded.shows("history", &["0:sorted[3]"]);
    assert!(history.contains("no write was recorded"), "{history}");
    let script = ["--strategy", "top-down", "--answers", "answers"];
    let found = recorded.shows("ask", &script);
    assert!(found.contains("The bug is in Main.merge"), "{found}");
}

#[test]
fn the_events_of_the_call_mark_what_changed_the_element() {
    let text = merge_sort().shows("events", &["16", "--changes", "c[2]"]);
    insta::assert_snapshot!(without_numbers(&text), @r#"
    #16 Main.merge (Main.java)
       0         entered merge(a=[4, 9], b=[1, 7], c=[0, 0, 0, 0])
       1    35 | int i = 0;
       2         i = 0
       3    36 | int j = 0;
       4         j = 0
       5    37 | int k = 0;
       6         k = 0
       7    38 | while (i < a.length - 1 && j < b.length) {
       8    39 | if (a[i] <= b[j]) {
       9    42 | c[k++] = b[j++];
      10         k: 0 → 1
      11         j: 0 → 1
      12         c[0]: 0 → 1
      13    38 | while (i < a.length - 1 && j < b.length) {
      14    39 | if (a[i] <= b[j]) {
      15    40 | c[k++] = a[i++];
      16         k: 1 → 2
      17         i: 0 → 1
      18         c[1]: 0 → 4
      19    38 | while (i < a.length - 1 && j < b.length) {
      20    45 | while (i < a.length) {
      21    46 | c[k++] = a[i++];
      22         k: 2 → 3
      23         i: 1 → 2
    * 24         c[2]: 0 → 9
      25    45 | while (i < a.length) {
      26    48 | while (j < b.length) {
      27    49 | c[k++] = b[j++];
      28         k: 3 → 4
      29         j: 1 → 2
      30         c[3]: 0 → 7
      31    48 | while (j < b.length) {
      32    51 | }
      33         returns
    "#);
    let above = merge_sort().shows("events", &["Main.sort", "--changes", "merged[2]"]);
    insta::assert_snapshot!(without_numbers(&above), @r#"
    #1 Main.sort (Main.java)
       0         entered sort(values=[4, 9, 1, 7])
       1    13 | if (values.length < 2) {
       2    16 | int middle = values.length / 2;
       3         middle = 2
       4    17 | int[] left = sort(slice(values, 0, middle));
       5         calls #2 slice(values=[4, 9, 1, 7], from=0, to=2) → [4, 9]
       6         calls #3 sort(values=[4, 9]) → [4, 9]
       7         left = [4, 9]
       8    18 | int[] right = sort(slice(values, middle, values.length));
       9         calls #9 slice(values=[4, 9, 1, 7], from=2, to=4) → [1, 7]
      10         calls #10 sort(values=[1, 7]) → [1, 7]
      11         right = [1, 7]
      12    19 | int[] merged = new int[values.length];
      13         merged = [0, 0, 0, 0]
      14    20 | merge(left, right, merged);
    + 15         calls #16 merge(a=[4, 9], b=[1, 7], c=[0, 0, 0, 0]) → void; c: [0, 0, 0, 0] → [1, 4, 9, 7]
      16    21 | return merged;
      17         returns [1, 4, 9, 7]
    "#);
}

#[test]
fn the_call_at_the_faulty_write() {
    let text = merge_sort().shows("show", &["16", "--at", "24"]);
    insta::assert_snapshot!(without_numbers(&text), @r#"
    #16 Main.merge (Main.java:46)
      event 24: c[2]: 0 → 9
      a = [4, 9]
      b = [1, 7]
      c = [1, 4, 9, 0]
      i = 2
      j = 1
      k = 3
      changed since the call began:
        c: [0, 0, 0, 0] → [1, 4, 9, 0]

      34 |     static void merge(int[] a, int[] b, int[] c) {
      35 |         int i = 0;
      36 |         int j = 0;
      37 |         int k = 0;
      38 |         while (i < a.length - 1 && j < b.length) {
      39 |             if (a[i] <= b[j]) {
      40 |                 c[k++] = a[i++];
      41 |             } else {
      42 |                 c[k++] = b[j++];
      43 |             }
      44 |         }
      45 |         while (i < a.length) {
    > 46 |             c[k++] = a[i++];
      47 |         }
      48 |         while (j < b.length) {
      49 |             c[k++] = b[j++];
      50 |         }
      51 |     }
      52 | }
    "#);
}

#[test]
fn why_the_element_is_what_it_is() {
    let text = merge_sort().shows("why", &["16", "c[2]", "--steps", "8"]);
    insta::assert_snapshot!(without_numbers(&text), @r#"
    16:c[2] = 9
      1. c[2] = 9  in #16 Main.merge (Main.java:46) ← 2, 6
      2. c[1] = 9  in #8 Main.merge (Main.java:49) ← 3
      3. part[0] = 9  in #6 Main.slice (Main.java:28) ← 4
      4. part[1] = 9  in #2 Main.slice (Main.java:28) ← 5
      5. int[]#…[1] = 9  in #0 Main.main (Main.java:6)
      6. argument c of #16 Main.merge = [0, 0, 0, 0]  in #1 Main.sort (Main.java:20) ← 7
      7. merged = [0, 0, 0, 0]  in #1 Main.sort (Main.java:19) ← 8
      8. a new array = [0, 0, 0, 0]  in #1 Main.sort (Main.java:19)
    lines:
      Main.main (Main.java): 6
      Main.merge (Main.java): 46, 49
      Main.slice (Main.java): 28
      Main.sort (Main.java): 19, 20
    (stopped after 8 steps; --steps 32 shows more)
    "#);
    let all = merge_sort().say("why", &["16", "c[2]", "--json"]).json();
    assert_eq!(all["complete"], true);
    let merge = &all["lines"][1];
    assert_eq!(merge["routine"], "Main.merge");
    assert_eq!(
        merge["lines"],
        serde_json::json!([35, 36, 37, 40, 42, 46, 49])
    );
}

#[test]
fn decisions_lead_to_the_wrong_loop_bound() {
    let said = merge_sort().say(
        "why",
        &["16", "c[2]", "--control", "--steps", "500", "--json"],
    );
    let slice = said.json();
    let merge = &slice["lines"][1];
    assert_eq!(merge["routine"], "Main.merge");
    let lines: Vec<u32> = serde_json::from_value(merge["lines"].clone()).unwrap();
    assert!(lines.contains(&38), "{lines:?}");
}

#[test]
fn stepping_back_and_forth() {
    let script = "n\nn\nb\nto write of c[2]\nback to write of k\nl 48\nout\nback to line 17\ni\nwhere\ne 3\nq\n";
    let said = step(merge_sort(), "16", script);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    insta::assert_snapshot!(without_numbers(&said.out), @r#"
    #16 Main.merge (Main.java) event 0: entered merge(a=[4, 9], b=[1, 7], c=[0, 0, 0, 0])
    #16 Main.merge (Main.java:35) event 1: int i = 0;
    #16 Main.merge (Main.java:36) event 3: int j = 0;
    #16 Main.merge (Main.java:35) event 1: int i = 0;
    #16 Main.merge (Main.java:46) event 24: c[2]: 0 → 9
    #16 Main.merge (Main.java:46) event 22: k: 2 → 3
    #16 Main.merge (Main.java:48) event 26: while (j < b.length) {
    #1 Main.sort (Main.java:20) event 15: calls #16 merge(a=[4, 9], b=[1, 7], c=[0, 0, 0, 0]) → void; c: [0, 0, 0, 0] → [1, 4, 9, 7]
    #1 Main.sort (Main.java:17) event 4: int[] left = sort(slice(values, 0, middle));
    #2 Main.slice (Main.java) event 0: entered slice(values=[4, 9, 1, 7], from=0, to=2)
    #2 slice(values=[4, 9, 1, 7], from=0, to=2) → [4, 9]
    #1 sort(values=[4, 9, 1, 7]) → [1, 4, 9, 7]
    #0 main(args=[]) → void
    #2 Main.slice (Main.java:27) event 3: for (int i = 0; i < part.length; i++) {
    "#);
}

#[test]
fn steps_that_cannot_be_made_are_said() {
    let said = step(
        merge_sort(),
        "0",
        "b\no\nl 99\nw zz\ne 9999\nhop\ni\nl 9\nn\nn\n",
    );
    assert_eq!(said.code, Some(0));
    insta::assert_snapshot!(said.err, @r#"
    askance: this is where the call began; `out` goes to its caller
    askance: nothing recorded called this
    askance: the call does not come to line 99 any more
    askance: call 0 has no variable zz; it has args, values, sorted
    askance: the call has no event 9999
    askance: "hop" is no command; help lists them
    askance: no call is made in what is left of this line
    askance: the call has ended; `out` goes on in its caller
    "#);
}

#[test]
fn the_wrong_value_narrows_the_lines() {
    let recorded = merge_sort();
    let folder = recorded.folder.path();
    source(folder, "answers", "yes\nyes\nyes\nyes\nwrong c[2]\n");
    let arguments = [
        "ask",
        "trace",
        "--json",
        "--answers",
        "answers",
        "--strategy",
        "top-down",
        "--root",
        "Main.sort",
        "--fresh",
    ];
    let verdict = run(folder, arguments).json();
    assert_eq!(verdict["method"], "merge", "{verdict}");
    assert_eq!(
        verdict["executed_lines"],
        serde_json::json!([35, 36, 37, 38, 39, 40, 42, 45, 46, 48, 49, 51])
    );
    assert_eq!(verdict["lines"], verdict["slice_lines"]);
    let lines: Vec<u32> = serde_json::from_value(verdict["lines"].clone()).unwrap();
    assert!(lines.contains(&38) && !lines.contains(&51), "{lines:?}");
}

// ---- threads

#[test]
fn a_write_by_another_thread_shows_the_thread() {
    let text = two_threads().shows("history", &["0:high.count"]);
    insta::assert_snapshot!(digits_as_one(&text), @r#"
    9:high.count = Counter#9.count
      at first 9
      9. 9 → 9  in Counter.run (Counter.java:9) #9 event 9, thread high
      9. 9 → 9  in Counter.run (Counter.java:9) #9 event 9, thread high
      9. 9 → 9  in Counter.run (Counter.java:9) #9 event 9, thread high
      9. 9 → 9  in Counter.run (Counter.java:9) #9 event 9, thread high
      9. 9 → 9  in Counter.run (Counter.java:9) #9 event 9, thread high
    "#);
    let json = two_threads()
        .say("history", &["0:high.count", "--json"])
        .json();
    assert_eq!(json["version"], 1);
    let writes = json["writes"].as_array().unwrap();
    assert!(
        writes
            .iter()
            .all(|write| write["thread"] == "high" && write["by"] == "code")
    );
}
