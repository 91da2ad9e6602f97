//! What a reference can tell, and what it must not: output, clocks, hash order, threads, calls that it
//! never made, code that moved.

use std::collections::BTreeSet;

use crate::support::{run, source};
use serde_json::{Value, json};

/// Debugs a program with a version that works; files are given with their names.
fn debug(ours: &[(&str, &str)], theirs: &[(&str, &str)]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    for (version, files) in [("ours", ours), ("theirs", theirs)] {
        for (name, text) in files {
            source(folder.path(), &format!("{version}/{name}"), text);
        }
    }
    // What comparing tells by itself; experiments have tests of their own.
    let words = [
        "debug",
        "--json",
        "--non-interactive",
        "--experiments",
        "off",
    ];
    let reference = [
        "-o",
        "t.askance",
        "--reference",
        "theirs/Main.java",
        "ours/Main.java",
    ];
    let said = run(folder.path(), words.iter().chain(&reference));
    let verdict = said.json();
    assert_eq!(verdict["questions"]["person"], 0, "{}", said.err);
    verdict
}

/// The same for a program of one file, of which the reference has another text in one place.
fn debug_main(ours: &str, wrong: &str, right: &str) -> Value {
    assert_eq!(ours.matches(wrong).count(), 1);
    let theirs = ours.replace(wrong, right);
    debug(&[("Main.java", ours)], &[("Main.java", &theirs)])
}

#[track_caller]
fn is_found(verdict: &Value, method: &str, lines: &[u32]) {
    assert_eq!(verdict["outcome"], "found", "{verdict}");
    assert_eq!(verdict["method"], method, "{verdict}");
    assert_eq!(verdict["lines"], json!(lines), "{verdict}");
}

#[test]
fn what_is_only_printed_is_compared_too() {
    let program = "public class Main {
    static void bill(int price, int pieces) {
        System.out.println(price + \" x \" + pieces);
        System.out.println(price + pieces);
    }
    public static void main(String[] args) {
        bill(2, 2);
        bill(5, 3);
    }
}
";
    let verdict = debug_main(program, "price + pieces", "price * pieces");
    is_found(&verdict, "bill", &[4]);
    assert_eq!(verdict["node"], 2, "2 + 2 is 2 * 2: {verdict}");
}

#[test]
fn a_clock_is_not_to_blame() {
    let program = "public class Main {
    static long started;
    static long[] stamps = new long[3];
    static void stamp(int i) { stamps[i] = System.nanoTime(); }
    static int twice(int n) { return n + 2; }
    public static void main(String[] args) {
        started = System.nanoTime();
        int sum = 0;
        for (int i = 0; i < 3; i++) { stamp(i); sum += twice(i); }
        System.out.println(sum + (started > stamps[2] ? 1 : 0));
    }
}
";
    let verdict = debug_main(program, "n + 2", "n * 2");
    is_found(&verdict, "twice", &[5]);
    assert_eq!(verdict["decided"]["by"], "state", "{verdict}");
}

#[test]
fn the_order_of_a_set_by_identity_is_not_to_blame() {
    // The right version hashes other objects first, so the set has another order.
    let program = "import java.util.*;
public class Main {
    static class Item { final int price; Item(int price) { this.price = price; } }
    static int before() { return 0; }
    static int sum(Set<Item> items) {
        int sum = 0;
        for (Item item : items) { sum = sum + item.price; }
        return sum;
    }
    static int most(Set<Item> items) {
        int most = 0;
        for (Item item : items) { if (item.price < most) most = item.price; }
        return most;
    }
    public static void main(String[] args) {
        int hashed = before();
        Set<Item> items = new HashSet<>();
        for (int i = 0; i < 40; i++) items.add(new Item(i));
        System.out.println(sum(items) + \" \" + most(items) + (hashed == 1 ? \"!\" : \"\"));
    }
}
";
    let right = program
        .replace(
            "return 0; }",
            "for (int i = 0; i < 9; i++) new Object().hashCode(); return 0; }",
        )
        .replace("sum = sum + item.price", "sum += item.price")
        .replace("item.price < most", "item.price > most");
    let verdict = debug(&[("Main.java", program)], &[("Main.java", &right)]);
    is_found(&verdict, "most", &[12]);
}

#[test]
fn a_call_that_the_reference_never_made_is_unknown_and_not_wrong() {
    // Both methods differ. `half` is given what the reference never gives it.
    let ours = "public class Main {
    static int half(int n) { return n >> 1; }
    static int middle(int a, int b) { return half(a - b); }
    public static void main(String[] args) { System.out.println(middle(3, 9)); }
}
";
    let theirs = ours.replace("n >> 1", "n / 2").replace("a - b", "a + b");
    let verdict = debug(&[("Main.java", ours)], &[("Main.java", &theirs)]);
    assert_eq!(verdict["outcome"], "suspects", "{verdict}");
    let suspects: BTreeSet<u64> = serde_json::from_value(verdict["suspects"].clone()).unwrap();
    assert_eq!(suspects, BTreeSet::from([1, 2]), "{verdict}");
}

#[test]
fn a_method_that_moved_to_another_class_is_recognised() {
    let main = "public class Main {
    public static void main(String[] args) { System.out.println(CLASS.area(3, 4)); }
}
";
    let shape = |class: &str, operator: char| {
        format!(
            "class {class} {{\n    static int area(int a, int b) {{ return a {operator} b; }}\n}}\n"
        )
    };
    let ours = [
        ("Main.java", &*main.replace("CLASS", "Plane")),
        ("Plane.java", &shape("Plane", '+')),
    ];
    let theirs = [
        ("Main.java", &*main.replace("CLASS", "Shapes")),
        ("Shapes.java", &shape("Shapes", '*')),
    ];
    let verdict = debug(&ours, &theirs);
    is_found(&verdict, "area", &[2]);
    assert_eq!(verdict["class"], "Plane");
}

#[test]
fn threads_are_followed_each_by_itself() {
    let program = "import java.util.*;
public class Main {
    static int weigh(int n) { return n % 3 == 0 ? n : n + 1; }
    static class Counter extends Thread {
        final int from; long sum;
        Counter(int from) { super(\"counter-\" + from); this.from = from; }
        @Override public void run() {
            for (int i = from; i < from + 5; i++) sum += weigh(i);
        }
    }
    public static void main(String[] args) throws Exception {
        Counter[] counters = { new Counter(10), new Counter(20), new Counter(30) };
        for (Counter counter : counters) counter.start();
        long sum = 0;
        for (Counter counter : counters) { counter.join(); sum += counter.sum; }
        System.out.println(sum);
    }
}
";
    let verdict = debug_main(program, "n + 1", "n");
    is_found(&verdict, "weigh", &[3]);
}

#[test]
fn a_recursion_that_goes_on_wrongly_is_one_bug() {
    // From the first wrong step on, everything below is what the reference never did.
    let program = "public class Main {
    static int paths(int[][] grid, int row, int column) {
        if (row >= grid.length || column >= grid.length) return 0;
        grid[row][column]++;
        if (row == grid.length - 1 && column == grid.length - 1) return 1;
        return paths(grid, row + 1, column) + paths(grid, row, column + 2);
    }
    public static void main(String[] args) {
        System.out.println(paths(new int[4][4], 0, 0));
    }
}
";
    let verdict = debug_main(program, "column + 2", "column + 1");
    is_found(&verdict, "paths", &[6]);
}

/// The methods of a verdict that did not decide.
fn methods(verdict: &Value) -> BTreeSet<&str> {
    let methods = verdict["methods"].as_array().unwrap();
    methods
        .iter()
        .map(|one| one["method"].as_str().unwrap())
        .collect()
}

/// Two releases: a table with one more row, a field that is new, a lambda more, and one mistake.
const RELEASE: &str = "import java.util.*;
import java.util.function.*;
public class Main {
    static final String[] NAMES = { \"a\", \"b\" };
    static final IntUnaryOperator TWICE = n -> n * 2;
    static class Line {
        final int price;
        Line(int price) { this.price = price; }
    }
    static int sum(List<Line> lines) {
        int sum = 0;
        for (Line line : lines) sum += line.price;
        return sum;
    }
    static int discount(int sum) { return sum > 10 ? sum - 1 : sum; }
    public static void main(String[] args) {
        List<Line> lines = new ArrayList<>();
        for (String name : NAMES) lines.add(new Line(name.length() * 6));
        System.out.println(TWICE.applyAsInt(discount(sum(lines))));
    }
}
";

#[test]
fn an_initialiser_that_differs_without_harm_is_never_named() {
    let ours = RELEASE
        .replace(
            "\"a\", \"b\" };",
            "\"a\", \"b\" };\n    static final int LIMIT = Integer.parseInt(\"7\");",
        )
        .replace(
            "final int price;",
            "final int price; final int count = LIMIT;",
        )
        .replace(
            "static final IntUnaryOperator TWICE",
            "static final IntUnaryOperator ONCE = n -> n;\n    static final IntUnaryOperator TWICE",
        );
    let theirs = RELEASE.replace("sum > 10 ? sum - 1 : sum", "sum > 10 ? sum - 2 : sum");
    let verdict = debug(&[("Main.java", &ours)], &[("Main.java", &theirs)]);
    match verdict["outcome"].as_str().unwrap() {
        "suspects" => {
            let methods = methods(&verdict);
            assert!(methods.contains("discount"), "{verdict}");
            assert!(
                !methods.contains("main") && !methods.contains("sum"),
                "{verdict}"
            );
            let first = &verdict["methods"][0];
            assert_eq!(first["file"], "Main.java", "{verdict}");
        }
        _ => assert_eq!(verdict["method"], "discount", "{verdict}"),
    }
}

#[test]
fn what_was_only_renumbered_is_no_difference() {
    let ours = RELEASE.replace(
        "static int discount",
        "static final Runnable UNUSED = () -> {};\n    static int discount",
    );
    let ours = ours.replace(
        "static final Runnable UNUSED = () -> {};",
        "static Runnable unused() { return () -> {}; }",
    );
    let theirs = RELEASE.replace("sum > 10 ? sum - 1 : sum", "sum > 10 ? sum - 2 : sum");
    let verdict = debug(&[("Main.java", &ours)], &[("Main.java", &theirs)]);
    assert_eq!(verdict["outcome"], "found", "{verdict}");
    assert_eq!(verdict["method"], "discount", "{verdict}");
}

#[test]
fn a_method_that_is_new_belongs_to_its_caller() {
    let theirs = RELEASE.replace(
        "return sum > 10 ? sum - 1 : sum;",
        "return sum > 10 ? sum - 2 : sum;",
    );
    let ours = RELEASE.replace(
        "return sum > 10 ? sum - 1 : sum; }",
        "return lessened(sum); }\n    static int lessened(int sum) { return sum > 10 ? sum - 1 : sum; }",
    );
    let verdict = debug(&[("Main.java", &ours)], &[("Main.java", &theirs)]);
    assert_eq!(verdict["outcome"], "found", "{verdict}");
    assert_eq!(verdict["method"], "discount", "{verdict}");
}

#[test]
fn a_class_that_declares_something_else_is_a_candidate() {
    let program = "public class Main {
    interface Cheap {}
    static class Line implements Cheap { }
    static int price(Object line) { return line instanceof Cheap ? 1 : 2; }
    public static void main(String[] args) { System.out.println(price(new Line())); }
}
";
    let verdict = debug_main(program, " implements Cheap", "");
    assert_eq!(verdict["outcome"], "suspects", "{verdict}");
    let declared = &verdict["declarations"][0];
    assert_eq!(declared["class"], "Main$Line", "{verdict}");
    assert_eq!(declared["what"]["new_ancestor"], "Main$Cheap", "{verdict}");
}

#[test]
fn only_synchronized_is_named() {
    let program = "public class Main {
    static int count;
    static void add() { count++; }
    public static void main(String[] args) throws Exception {
        Runnable all = () -> { for (int i = 0; i < 20; i++) add(); };
        Thread[] threads = { new Thread(all), new Thread(all) };
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        System.out.println(count);
    }
}
";
    let verdict = debug_main(program, "static void add", "static synchronized void add");
    assert_eq!(verdict["method"], "add", "{verdict}");
}

/// Class folders with a resource each, debugged by their class paths.
#[test]
fn a_resource_that_differs_is_found_and_named_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let program = "import java.io.*;
public class Main {
    static int rate() throws IOException {
        try (InputStream in = Main.class.getResourceAsStream(\"rate.txt\")) { return in.read() - 48; }
    }
    static int twice(int n) { return n * 2; }
    public static void main(String[] args) throws IOException { System.out.println(twice(rate())); }
}
";
    let classes = test_support::Fixture::new()
        .source("Main.java", program)
        .compile()
        .unwrap();
    for (version, rate) in [("ours", "3"), ("theirs", "4")] {
        std::fs::create_dir(folder.path().join(version)).unwrap();
        for entry in std::fs::read_dir(classes.dir()).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(
                entry.path(),
                folder.path().join(version).join(entry.file_name()),
            )
            .unwrap();
        }
        std::fs::write(folder.path().join(version).join("rate.txt"), rate).unwrap();
    }
    let words = [
        "debug",
        "--json",
        "--non-interactive",
        "-o",
        "t.askance",
        "--reference",
        "theirs",
    ];
    let said = run(
        folder.path(),
        words.iter().chain(&["--", "java", "-cp", "ours", "Main"]),
    );
    let verdict = said.json();
    assert_eq!(verdict["outcome"], "found", "{verdict}");
    assert_eq!(verdict["method"], "rate", "{verdict}");
    assert_eq!(verdict["decided"]["by"], "input", "{verdict}");
}

#[test]
fn a_loop_that_never_ends_is_decided_if_the_reference_ended() {
    let program = "public class Main {
    static int steps(int n) { int steps = 0; while (n != 1) { n = half(n); steps++; } return steps; }
    static int half(int n) { return n / 2; }
    public static void main(String[] args) { System.out.println(steps(8)); }
}
";
    let folder = tempfile::tempdir().unwrap();
    source(
        folder.path(),
        "ours/Main.java",
        &program.replace("n / 2", "n / 2 == 1 ? 2 : n / 2"),
    );
    source(folder.path(), "theirs/Main.java", program);
    let words = [
        "debug",
        "--json",
        "--non-interactive",
        "-o",
        "t.askance",
        "--time-limit",
        "2",
        "--max-trace",
        "50M",
    ];
    let reference = ["--reference", "theirs/Main.java", "ours/Main.java"];
    let verdict = run(folder.path(), words.iter().chain(&reference)).json();
    assert_eq!(verdict["method"], "half", "{verdict}");
}

#[test]
fn a_reference_that_was_recorded_before_is_not_recorded_again() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "ours/Main.java", RELEASE);
    source(
        folder.path(),
        "theirs/Main.java",
        &RELEASE.replace("sum - 1", "sum - 2"),
    );
    let ask = || {
        let words = [
            "ask",
            "t.askance",
            "--json",
            "--non-interactive",
            "--reference",
        ];
        run(folder.path(), words.iter().chain(&["theirs/Main.java"]))
    };
    let recorded = run(
        folder.path(),
        ["record", "-o", "t.askance", "ours/Main.java"],
    );
    assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    let first = ask();
    assert!(
        first.err.contains("recording the reference"),
        "{}",
        first.err
    );
    let second = ask();
    assert!(second.err.contains("was recorded before"), "{}", second.err);
    assert!(
        !second.err.contains("recording the reference"),
        "{}",
        second.err
    );
    assert_eq!(first.json()["method"], second.json()["method"]);
    source(
        folder.path(),
        "theirs/Main.java",
        &RELEASE.replace("sum - 1", "sum - 3 + 1"),
    );
    assert!(ask().err.contains("recording the reference"));
}
