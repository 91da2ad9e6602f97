//! Calls that are taken together, as a question shows them, in recorded runs.

use crate::support::{run, source};
use debug_engine::transform::NodeKind;
use debug_engine::view::AskedView;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{ExecutionTree, NodeId, Target};
use java_analysis::recording::Recording as _;
use java_model::run::JavaRun;

const BANK: &str = "import java.util.*;
public class Main {
    static class Ledger {
        final List<String> lines = new ArrayList<>();
        void note(String line) { lines.add(line); }
    }
    static class Bank {
        final Ledger ledger = new Ledger();
        int n;
        void deposit(int amount) { n += amount; }
        void work() {
            deposit(5);
            ledger.note(\"first\");
            deposit(7);
            ledger.note(\"second\");
        }
    }
    public static void main(String[] args) {
        Bank bank = new Bank();
        bank.work();
    }
}
";

fn recorded(text: &str) -> (tempfile::TempDir, JavaRun) {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", text);
    let said = run(folder.path(), ["record", "-o", "t", "Main.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let run = JavaRun::open(&folder.path().join("t"), None, &mut |_, _| {}).unwrap();
    (folder, run)
}

/// The changes that calls of a caller show together.
fn changes(run: &JavaRun, caller: &str, first: usize, last: usize) -> Vec<String> {
    let caller = run.find(caller).unwrap();
    let calls: Vec<NodeId> = <dyn ExecutionTree>::children(run, caller).collect();
    let target = Target::between(calls[first], calls[last]);
    let view = run.call_range(target, NodeKind::Projection, Bounds::default());
    let changes = render::changes_asked(&AskedView::Stretch(view), Bounds::default(), 99);
    let side = |text: Option<String>| text.unwrap_or_default();
    let changes = changes.into_iter();
    changes
        .map(|change| {
            format!(
                "{}: {} → {}",
                change.path,
                side(change.before),
                side(change.after)
            )
        })
        .collect()
}

#[test]
fn an_object_below_another_is_shown_at_the_same_times() {
    let (_folder, run) = recorded(BANK);
    let lines = |changes: Vec<String>| -> String {
        let found = changes.into_iter().find(|change| change.contains("lines"));
        let found = found.unwrap_or_default();
        found.split_once(": ").unwrap_or_default().1.to_owned()
    };
    let all = changes(&run, "Bank.work", 0, 3);
    assert!(
        all.iter().any(|change| change.ends_with(".n: 0 → 12")),
        "{all:?}"
    );
    assert_eq!(lines(all), r#"[] → ["first", "second"]"#);
    let first = changes(&run, "Bank.work", 0, 1);
    assert!(
        first.iter().any(|change| change.ends_with(".n: 0 → 5")),
        "{first:?}"
    );
    assert_eq!(lines(first), r#"[] → ["first"]"#);
    let last = changes(&run, "Bank.work", 2, 3);
    assert_eq!(lines(last), r#"["first"] → ["first", "second"]"#);
}

/// The calls as `askance tree` shows them, each without its number.
fn lines(text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", text);
    let said = run(folder.path(), ["record", "-o", "t", "Main.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let tree = run(folder.path(), ["tree", "t", "--depth", "5"]).out;
    let calls = tree.lines().filter_map(|line| line.trim().split_once(' '));
    calls.map(|(_, call)| call.to_owned()).collect()
}

/// Numbers of objects replaced by letters in the order of their appearance.
fn lettered(line: &str) -> String {
    let mut known: Vec<&str> = Vec::new();
    let mut parts = line.split('#');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|sign: char| !sign.is_ascii_digit());
        let (number, rest) = part.split_at(end.unwrap_or(part.len()));
        let place = known
            .iter()
            .position(|it| *it == number)
            .unwrap_or_else(|| {
                known.push(number);
                known.len() - 1
            });
        text.push('#');
        text.push(char::from(b'a' + u8::try_from(place).unwrap()));
        text.push_str(rest);
    }
    text
}

const ALIKE: &str = "import java.util.*; import java.util.function.*;
public class Main {
    enum Op {
        PLUS(\"+\"), MINUS(\"-\");
        final String symbol; int used;
        Op(String symbol) { this.symbol = symbol; }
        int apply(int a) { used++; return a; }
    }
    enum Plain { A, B }
    static class Employee { int pay = 3; int yearly() { return pay * 12; } int monthly() { return pay; } }
    static class Director extends Employee { int yearly() { return super.yearly() + 10; } }
    static class Box {
        List<String> songs = new ArrayList<>();
        int[] empty = new int[0];
        void take(Box other) { other.songs = songs; songs.add(\"x\"); }
        void keep(Box other) { other.songs.add(\"y\"); }
        Box itself() { return this; }
    }
    static String show(Op op, Plain plain) { return op.symbol + plain; }
    static Op pass(Op op) { return op; }
    static void both(List<String> one, List<String> two) { one.add(\"z\"); }
    public static void main(String[] args) {
        Op.PLUS.apply(1);
        show(Op.PLUS, Plain.B);
        pass(Op.MINUS);
        Director director = new Director();
        director.yearly();
        director.monthly();
        new Box().take(new Box());
        new Box().keep(new Box());
        new Box().itself();
        List<String> list = new ArrayList<>();
        both(list, list);
        both(list, new ArrayList<>());
        List<Integer> numbers = new ArrayList<>(List.of(3, 1));
        numbers.sort((a, b) -> a - b);
        numbers.removeIf(x -> x > 2);
        sum(x -> x + 1, x -> x * 2, 5); nested(4);
    }
    static int sum(IntUnaryOperator one, IntUnaryOperator two, int of) {
        return one.applyAsInt(of) + two.applyAsInt(of);
    }
    static int nested(int x) {
        IntUnaryOperator outer = a -> { IntUnaryOperator inner = b -> b + a; return inner.applyAsInt(x) - a; };
        return outer.applyAsInt(1);
    }
}
";

#[test]
fn what_would_look_the_same_is_told_apart() {
    let lines = lines(ALIKE);
    let line = |start: &str| {
        let found = lines.iter().find(|line| line.contains(start));
        lettered(found.unwrap_or_else(|| panic!("no {start} in {lines:#?}")))
    };
    // The fields of a constant, where they were used.
    assert_eq!(line("PLUS.apply"), "PLUS.apply(a=1) → 1; this.used: 0 → 1");
    assert_eq!(
        line("show("),
        r#"Main.show(op=PLUS{symbol="+", used=1}, plain=B) → "+B""#
    );
    assert_eq!(line("pass("), "Main.pass(op=MINUS) → MINUS");
    // A method and the one that it overrides.
    assert_eq!(
        line("#1.yearly() → 46".trim_start_matches("#1")),
        "Director#a.yearly() → 46"
    );
    assert_eq!(line("yearly() → 36"), "Director#a.Employee.yearly() → 36");
    assert_eq!(line("monthly()"), "Director#a.monthly() → 3");
    // One list in two places, and two lists.
    let taken = "Box#a.take(other=Box#b{songs=[], empty=[]}) → void; \
                 this.songs: ArrayList#c[] → ArrayList#c[\"x\"]; other.songs: [] → ArrayList#c[\"x\"]";
    assert_eq!(line(".take("), taken);
    let kept = "Box#a.keep(other=Box#b{songs=[], empty=[]}) → void; other.songs: [] → [\"y\"]";
    assert_eq!(line(".keep("), kept);
    assert_eq!(
        line(".itself("),
        "Box#a.itself() → Box#a{songs=[], empty=[]}"
    );
    let both = lines.iter().filter(|line| line.contains("both("));
    let both: Vec<String> = both.map(|line| lettered(line)).collect();
    let one = "Main.both(one=ArrayList#a[], two=ArrayList#a[]) → void; \
               one: ArrayList#a[] → ArrayList#a[\"z\"]";
    let two = "Main.both(one=[\"z\"], two=[]) → void; one: [\"z\"] → [\"z\", \"z\"]";
    assert_eq!(both, [one, two]);
    // Two lambdas of a method.
    assert!(line("lambda in main:36(").starts_with("lambda in main:36(a="));
    assert!(line("lambda in main:37(").starts_with("lambda in main:37(x="));
    // In one line, counted as they stand there, whatever order javac writes them in.
    assert_eq!(line("main:38.1("), "lambda in main:38.1(x=5) → 6");
    assert_eq!(line("main:38.2("), "lambda in main:38.2(x=5) → 10");
    assert!(line("nested:44.1(").contains("a=1"), "{lines:#?}");
    assert!(line("nested:44.2(").contains("b=4"), "{lines:#?}");
}

const KEYS: &str = "import java.util.*;
public class Main {
    final Map<Main, Integer> known = new HashMap<>();
    final Map<Object, Object> any = new IdentityHashMap<>();
    void keep() { known.put(this, 1); any.put(any, this); }
    public static void main(String[] args) { new Main().keep(); }
}
";

#[test]
fn a_key_that_holds_its_map_is_shown() {
    let lines = lines(KEYS);
    let kept = lines.iter().find(|line| line.contains(".keep()"));
    let kept = kept.unwrap_or_else(|| panic!("{lines:#?}"));
    assert!(
        kept.contains("this.known[") && kept.contains("absent → 1"),
        "{kept}"
    );
}

const MANY: &str = "public class Main {
    static int sum;
    static void add(int number) { sum += number; }
    public static void main(String[] args) {
        for (int i = 0; i < 24; i++) add(i);
    }
}
";

#[test]
fn more_of_a_group_lists_more_of_its_calls() {
    let (_folder, run) = recorded(MANY);
    let calls: Vec<NodeId> = <dyn ExecutionTree>::children(&run, NodeId(0)).collect();
    let target = Target::between(calls[0], calls[23]);
    let listed = |calls: usize| {
        let bounds = Bounds {
            calls,
            ..Bounds::default()
        };
        let view = run.call_range(target, NodeKind::Projection, bounds);
        (view.calls.len(), view.calls_left_out)
    };
    let usual = Bounds::default().calls;
    assert_eq!(listed(usual), (6, 18));
    // What `m` asks for.
    assert_eq!(listed(4 * usual), (24, 0));
}
