//! Looking back at library code and exceptions, at what was not recorded, and mistakes in asking.

use std::path::Path;
use std::sync::OnceLock;

use crate::support::recorded::{Recorded, merge_sort, step};
use crate::support::{run, source};
use test_support::Fixture;

// ---- objects, library code, exceptions

const SHELF: &str = "
import java.util.*;
public class Shelf {
    static int made;
    final List<String> books = new ArrayList<>();
    boolean closed;
    Shelf() { made++; }
    void add(String book) { if (closed) throw new IllegalStateException(book); books.add(book.trim()); }
    char first() { return books.get(0).charAt(0); }
    public static void main(String[] args) {
        Shelf shelf = new Shelf();
        shelf.add(\" Emma \");
        char first = shelf.first();
        shelf.closed = first == 'E';
        try {
            shelf.add(\"Ulysses\");
        } catch (IllegalStateException e) {
            made = e.getMessage().length();
        }
    }
}
";

fn shelf(options: &[&str]) -> Recorded {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Shelf.java", SHELF);
    let arguments = [&["record", "-o", "trace"], options, &["Shelf.java"]].concat();
    let said = run(folder.path(), arguments);
    assert_eq!(said.code, Some(0), "{}", said.err);
    Recorded { folder }
}

fn full_shelf() -> &'static Recorded {
    static RECORDED: OnceLock<Recorded> = OnceLock::new();
    RECORDED.get_or_init(|| shelf(&[]))
}

/// All object numbers as one: they depend on the JVM.
fn all_numbers_as_one(text: &str) -> String {
    let mut shown = String::new();
    let mut after_sign = false;
    for sign in text.chars() {
        if after_sign && sign.is_ascii_digit() {
            continue;
        }
        after_sign = sign == '#' && shown.ends_with(|c: char| c.is_alphanumeric() || c == ']');
        shown.push(sign);
    }
    shown
}

#[test]
fn events_with_library_code_and_exceptions() {
    let text = full_shelf().shows("events", &["Shelf.main"]);
    insta::assert_snapshot!(all_numbers_as_one(&text), @r#"
    #0 Shelf.main (Shelf.java)
       0         entered main(args=[])
       1    11 | Shelf shelf = new Shelf();
       2         calls #1 new Shelf() → Shelf#{books=[], closed=false}; Shelf.made: 0 → 1
       3         shelf = Shelf#{books=[], closed=false}
       4    12 | shelf.add(" Emma ");
       5         calls #2 Shelf#.add(book=" Emma ") → void; this.books: [] → ["Emma"]
       6    13 | char first = shelf.first();
       7         calls #3 Shelf#.first() → 'E'
       8         first = 'E'
       9    14 | shelf.closed = first == 'E';
      10         shelf.closed: false → true
      11    16 | shelf.add("Ulysses");
      12         calls #4 Shelf#.add(book="Ulysses") → throws java.lang.IllegalStateException("Ulysses")
      13         caught java.lang.IllegalStateException("Ulysses")
      14    17 | } catch (IllegalStateException e) {
      15         e = IllegalStateException#("Ulysses")
      16    18 | made = e.getMessage().length();
      17         calls IllegalStateException.getMessage → "Ulysses"
      18         calls String.length → 7
      19         Shelf.made: 1 → 7
      20    20 | }
      21         returns
    "#);
    let text = full_shelf().shows("events", &["Shelf.add"]);
    insta::assert_snapshot!(all_numbers_as_one(&text), @r#"
    #2 Shelf.add (Shelf.java)
      0         entered Shelf#.add(book=" Emma ")
      1     8 | void add(String book) { if (closed) throw new IllegalStateException(book); books.add(book.trim()); }
      2         calls String.trim → "Emma"
      3         this.books.elementData: [] → [null, null, null, null, null, null, null, null, null, null] (by library code)
      4         Object[]#[0]: null → "Emma" (by library code)
      5         this.books.size: 0 → 1 (by library code)
      6         calls List.add → true
      7         returns
    "#);
}

#[test]
fn histories_of_statics_fields_and_locals() {
    let text = full_shelf().shows("history", &["Shelf.made"]);
    insta::assert_snapshot!(text, @r#"
    Shelf.made
      at first 0
      1. 0 → 1  in new Shelf (Shelf.java:7) #1 event 6
      2. 1 → 7  in Shelf.main (Shelf.java:18) #0 event 19
    "#);
    let by_number = full_shelf().shows("history", &["0:first"]);
    let by_name = full_shelf().shows("history", &["Shelf.main:first"]);
    assert_eq!(by_name, by_number);
    let text = full_shelf().shows("history", &["0:shelf.closed"]);
    insta::assert_snapshot!(all_numbers_as_one(&text), @r#"
    0:shelf.closed = Shelf#.closed
      at first false
      1. false → true  in Shelf.main (Shelf.java:14) #0 event 10
    "#);
    let text = full_shelf().shows("history", &["0:first"]);
    insta::assert_snapshot!(text, @r#"
    0:first
      1. 'E'  in Shelf.main (Shelf.java:13) #0 event 8
    "#);
    let text = full_shelf().shows("history", &["0:shelf.books[0]"]);
    insta::assert_snapshot!(all_numbers_as_one(&text), @r#"
    0:shelf.books[0] = Object[]#[0]
      at first null
      1. null → "Emma"  in Shelf.add (Shelf.java:8) #2 event 4, by library code
    "#);
}

/// Nobody says where the sources of a recorded command are; they are looked for where they mostly lie.
#[test]
fn sources_beside_a_recorded_command() {
    let folder = tempfile::tempdir().unwrap();
    let classes = Fixture::new()
        .source("Shelf.java", SHELF)
        .compile()
        .unwrap();
    let classes = classes.dir().display().to_string();
    let command = [
        "record", "-o", "trace", "--", "java", "-cp", &classes, "Shelf",
    ];
    let said = run(folder.path(), command);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let recorded = Recorded { folder };
    let first = "char first = shelf.first();";
    assert!(!recorded.shows("show", &["Shelf.main"]).contains(first));
    source(
        &recorded.folder.path().join("src/main/java"),
        "Shelf.java",
        SHELF,
    );
    let text = recorded.shows("show", &["Shelf.main"]);
    assert!(text.contains(first), "{text}");
}

#[test]
fn why_through_library_code() {
    let text = full_shelf().shows("why", &["0", "Shelf.made"]);
    insta::assert_snapshot!(all_numbers_as_one(&text), @r#"
    Shelf.made = 7
      1. Shelf.made = 7  in #0 Shelf.main (Shelf.java:18) ← 2
      2. String.length = 7  in #0 Shelf.main (Shelf.java:18) ← 3
      3. IllegalStateException.getMessage = "Ulysses"  in #0 Shelf.main (Shelf.java:18) ← 4, 6
      4. kept by new IllegalStateException = "Ulysses"  in #4 Shelf.add (Shelf.java:8) ← 5
      5. argument book of #4 Shelf.add = "Ulysses"  in #0 Shelf.main (Shelf.java:16)
      6. e = IllegalStateException#("Ulysses")  in #0 Shelf.main (Shelf.java:17) ← 7
      7. returned  in #4 Shelf.add (Shelf.java:8) ← 8
      8. new IllegalStateException  in #4 Shelf.add (Shelf.java:8) ← 5
    lines:
      Shelf.add (Shelf.java): 8
      Shelf.main (Shelf.java): 16, 17, 18
    "#);
    let text = full_shelf().shows("why", &["0", "shelf.closed"]);
    insta::assert_snapshot!(all_numbers_as_one(&text), @r#"
    0:shelf.closed = true
       1. shelf.closed = true  in #0 Shelf.main (Shelf.java:14) ← 2, 10
       2. a decision here  in #0 Shelf.main (Shelf.java:14) ← 3
       3. first = 'E'  in #0 Shelf.main (Shelf.java:13) ← 4
       4. returned = 'E'  in #3 Shelf.first (Shelf.java:9) ← 5
       5. String.charAt = 'E'  in #3 Shelf.first (Shelf.java:9) ← 6
       6. List.get = "Emma"  in #3 Shelf.first (Shelf.java:9) ← 7, 12, 14
       7. kept by List.add = "Emma"  in #2 Shelf.add (Shelf.java:8) ← 8
       8. String.trim = "Emma"  in #2 Shelf.add (Shelf.java:8) ← 9
       9. argument book of #2 Shelf.add = " Emma "  in #0 Shelf.main (Shelf.java:12)
      10. shelf = Shelf#{books=[], closed=false}  in #0 Shelf.main (Shelf.java:11) ← 11
      11. new Shelf  in #0 Shelf.main (Shelf.java:11)
      12. this.books = []  in #1 new Shelf (Shelf.java:5) ← 13
      13. new ArrayList  in #1 new Shelf (Shelf.java:5)
      14. argument this of #3 Shelf.first = Shelf#{books=["Emma"], closed=false}  in #0 Shelf.main (Shelf.java:13) ← 10
    lines:
      Shelf.add (Shelf.java): 8
      Shelf.first (Shelf.java): 9
      Shelf.main (Shelf.java): 11, 12, 13, 14
      new Shelf (Shelf.java): 5
    "#);
}

/// Library code calls a method of the same name, with arguments of its own.
#[test]
fn why_through_a_namesake_in_library_code() {
    let program = "
import java.util.Arrays;
public class Pairs {
    static class Pair {
        @Override public boolean equals(Object other) { return other == this; }
        @Override public int hashCode() { return 1; }
    }
    public static void main(String[] args) {
        int from = args.length;
        Pair[] pairs = {new Pair(), new Pair()};
        boolean same = Arrays.equals(pairs, from, 1, pairs, 1, 2);
    }
}
";
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Pairs.java", program);
    let said = run(folder.path(), ["record", "-o", "trace", "Pairs.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let recorded = Recorded { folder };
    let text = recorded.shows("why", &["Pair.equals", "other"]);
    insta::assert_snapshot!(all_numbers_as_one(&text), @r#"
    3:other = Pair#
      1. argument other of #3 Pairs.Pair.equals = Pair#  in #0 Pairs.main (Pairs.java:11)
    lines:
      Pairs.main (Pairs.java): 11
    (library code gave it)
    "#);
    let text = recorded.shows("why", &["0", "same"]);
    insta::assert_snapshot!(all_numbers_as_one(&text), @r#"
    0:same = false
      1. same = false  in #0 Pairs.main (Pairs.java:11) ← 2
      2. Arrays.equals = false  in #0 Pairs.main (Pairs.java:11) ← 3, 4
      3. pairs = [Pair#, Pair#]  in #0 Pairs.main (Pairs.java:10) ← 5
      4. from = 0  in #0 Pairs.main (Pairs.java:9) ← 6
      5. a new array = [null, null]  in #0 Pairs.main (Pairs.java:10)
      6. args, given from outside = []  in #0 Pairs.main (Pairs.java:9)
    lines:
      Pairs.main (Pairs.java): 9, 10, 11
    "#);
}

// ---- mistakes, and what was not recorded

#[track_caller]
fn refused(folder: &Path, arguments: &[&str], sentence: &str, hint: &str) {
    let said = run(folder, arguments);
    said.refused(2, sentence);
    said.refused(2, hint);
}

#[test]
fn mistakes_are_told_with_what_there_is() {
    let folder = merge_sort().folder.path();
    let nodes = "nodes are numbered from 0 to 16";
    let has = "it has return, values, middle, left, right, merged";
    for (arguments, sentence, hint) in [
        (&["events", "trace", "99"][..], "there is no node 99", nodes),
        (
            &["events", "trace", "16", "--from", "99"],
            "has no event 99",
            "from 0 to 33",
        ),
        (
            &["events", "trace", "1", "--changes", "q"],
            "call 1 has no variable q",
            has,
        ),
        (
            &["show", "trace", "16", "--at", "34"],
            "call 16 has no event 34",
            "from 0 to 33",
        ),
        (&["history", "trace", "99:i"], "there is no node 99", nodes),
        (
            &["history", "trace", "1:q"],
            "call 1 has no variable q",
            has,
        ),
        (
            &["history", "trace", "Main.total"],
            "there is no variable Main.total",
            "is written #12.size",
        ),
        (
            &["history", "trace", "#999999.size"],
            "there is no object #999999",
            "is written #12.size",
        ),
        (&["history", "trace", "1:merged"], "", ""),
        (
            &["history", "trace", "1:merged[4]"],
            "1:merged has no element 4",
            "from 0 to 3",
        ),
        (
            &["history", "trace", "1:middle.x"],
            "1:middle is not an object",
            "before it",
        ),
        (
            &["history", "trace", "c["],
            "is not a path",
            "is written #12.size",
        ),
        (&["why", "trace", "1", "q"], "call 1 has no variable q", has),
        (
            &["why", "trace", "16", "return"],
            "call 16 gives nothing back",
            "it has a, b, c, i, j, k",
        ),
        (&["step", "trace", "99"], "there is no node 99", nodes),
    ] {
        if sentence.is_empty() {
            assert_eq!(run(folder, arguments).code, Some(0), "{arguments:?}");
        } else {
            refused(folder, arguments, sentence, hint);
        }
    }
}

#[test]
fn without_values_the_calls_are_shown_and_nothing_is_guessed() {
    let recorded = shelf(&["--detail", "calls"]);
    insta::assert_snapshot!(recorded.shows("events", &["Shelf.main"]), @r#"
    #0 Shelf.main (Shelf.java)
      (only calls were recorded: lines and local variables are not known)
      0         entered main(args=[])
      1         calls #1 new Shelf() → Shelf#11
      2         calls #2 Shelf#11.add(book=" Emma ") → void
      3         calls #3 Shelf#11.first() → 'E'
      4         calls #4 Shelf#11.add(book="Ulysses") → throws java.lang.IllegalStateException("Ulysses")
      5         caught java.lang.IllegalStateException("Ulysses")
      6         returns
    "#);
    let note = "only calls were recorded";
    assert!(recorded.shows("show", &["0", "--at", "1"]).contains(note));
    recorded.say("history", &["Shelf.made"]).refused(2, note);
    assert!(
        recorded
            .shows("why", &["Shelf.first", "return"])
            .contains(note)
    );
    let said = step(&recorded, "0", "n\n");
    assert!(said.err.contains(note), "{}", said.err);
}

// ---- what is shown of large values

const LEDGER: &str = "
public class Ledger {
    static class Owner { String name = \"Ada\"; String street = \"Analytical Road\"; int age = 36; }
    static class Terms { double rate = 0.5; String text = \"as agreed between the parties\"; }
    String label = \"north\";
    Owner owner = new Owner();
    Terms terms = new Terms();
    int[] amounts = {3, 4, 5};
    int count;
    int total() { int sum = 0; for (int amount : amounts) sum += amount; count++; return sum; }
    double due() { return total() * terms.rate; }
    public static void main(String[] args) { new Ledger().due(); }
}
";

#[test]
fn a_short_view_holds_what_the_call_used() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Ledger.java", LEDGER);
    let said = run(folder.path(), ["record", "-o", "trace", "Ledger.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let ledger = Recorded { folder };
    let this = |arguments: &[&str]| {
        let text = ledger.shows("show", arguments);
        let line = text.lines().find(|line| line.trim().starts_with("this ="));
        all_numbers_as_one(line.unwrap().trim())
    };
    // Its own fields, and of the terms what the call itself read.
    insta::assert_snapshot!(this(&["Ledger.due", "--length", "90"]), @r#"this = Ledger#{label="north", terms=Terms#{rate=0.5, …+1}, amounts=[3, 4, 5], count=0, …+1}"#);
    insta::assert_snapshot!(this(&["Ledger.total", "--length", "90"]), @r#"this = Ledger#{label="north", owner=Owner#{…}, amounts=[3, 4, 5], count=0, …+1}"#);
    // With room for all of it, nothing is left out.
    insta::assert_snapshot!(this(&["Ledger.total"]), @r#"this = Ledger#{label="north", owner=Owner#{name="Ada", street="Analytical Road", age=36}, terms=Terms#{rate=0.5, text="as agreed between the parties"}, amounts=[3, 4, 5], count=0}"#);
}
