//! What a question says beside the values: what the author says of the method, and whether the call failed by what it
//! was given.

use debug_engine::tree::{ExecutionTree as _, NodeId};
use debug_engine::view::NodeView;
use debug_engine::view::render::{Bounds, multi_line};
use java_model::node_view::node_view;
use java_model::run::JavaRun;
use test_support::{Fixture, Jdk};

use crate::support::{askance, run, source};

const SHOP: &str = r#"import java.util.*;

public class Main {
    record Order(String name, int[] counts) {}
    static class Cart {
        private Order last;
        private final List<Integer> prices = new ArrayList<>();

        /**
         * Adds a {@code price}, rounded down. Others stay.
         *
         * @param price what it costs
         */
        @Deprecated
        void add(double price) {
            prices.add((int) price);
        }

        String lastName() { return last.name(); }
    }

    static int length(Order order) { return order.name().length(); }
    static int passed(String ignored, Order order) { return 1 + length(order); }
    static int mended(Order order) {
        if (order == null) order = new Order(null, null);
        return order.name().length();
    }
    static String checked(long before, String text) { return Objects.requireNonNull(text).trim(); }
    static int at(int[] counts, int index) { return counts[index]; }
    static int beyond(int[] counts) { int i = counts.length; return counts[i]; }
    static void refuses(long before, int amount) {
        if (amount < 0) throw new IllegalArgumentException("negative: " + amount);
    }
    static boolean closed = true;
    static void closed(int amount) {
        if (closed) throw new IllegalArgumentException("closed");
    }
    static int found(Map<String, Order> orders, String key) { return orders.get(key).counts().length; }
    static int thrower(int n) { throw new IllegalStateException("no " + n); }

    static void attempt(Runnable work) {
        try { work.run(); } catch (RuntimeException expected) { }
    }

    public static void main(String[] args) {
        Cart cart = new Cart();
        cart.add(2.5);
        attempt(() -> passed("x", null));
        attempt(() -> mended(null));
        attempt(() -> checked(1L, null));
        attempt(() -> at(new int[2], 5));
        attempt(() -> beyond(new int[2]));
        attempt(() -> refuses(7L, -3));
        attempt(() -> closed(4));
        attempt(() -> found(new HashMap<>(), "none"));
        attempt(() -> thrower(1));
        attempt(cart::lastName);
    }
}
"#;

/// The calls of a method, as questions show them.
fn calls(run: &JavaRun, method: &str) -> Vec<NodeView> {
    let nodes = (0..run.len()).map(NodeId);
    let meant = nodes.filter(|&node| run.method_names(run.method(node)).name == method);
    let views = meant.map(|node| node_view(run, node, Bounds::default()));
    let views: Vec<NodeView> = views.collect();
    assert!(!views.is_empty(), "{method} was not called");
    views
}

fn check(java: u32) {
    let Some(jdk) = Jdk::version(java) else {
        assert_ne!(java, 17, "there is no Java 17");
        return test_support::skip(format!(
            "there is no Java {java}; `cargo xtask setup` gets it"
        ));
    };
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", SHOP);
    let classes = Fixture::new().source("Main.java", SHOP);
    let classes = classes.release(Some(17)).compile().unwrap();
    let mut command = askance(folder.path());
    command
        .args(["record", "-o", "trace", "--"])
        .arg(jdk.java());
    let output = command
        .arg("-cp")
        .arg(classes.dir())
        .arg("Main")
        .output()
        .unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{talk}");
    let trace = folder.path().join("trace");
    let mut run = JavaRun::open(&trace, None, &mut |_, _| {}).unwrap();
    run.add_source_path(&[folder.path().to_path_buf()]);

    let add = &calls(&run, "add")[0];
    assert_eq!(add.doc.as_deref(), Some("Adds a price, rounded down."));
    let text = multi_line(add, Bounds::default());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "  Adds a price, rounded down.", "{text}");

    let guidance = |method: &str| calls(&run, method)[0].guidance.clone();
    for (method, because) in [
        ("length", "because of order = null,"),
        ("passed", "because of order = null,"),
        ("checked", "because of text = null,"),
        ("at", "because of index = 5,"),
        ("refuses", "because of amount = -3,"),
    ] {
        let said = guidance(method).unwrap_or_else(|| panic!("{method} is not guided"));
        assert!(
            said.contains(because) && said.contains("Should it have been called"),
            "{said}"
        );
    }
    for method in [
        "mended", "beyond", "closed", "found", "thrower", "lastName", "add", "main",
    ] {
        assert_eq!(guidance(method), None, "{method}");
    }
}

#[test]
fn questions_say_what_the_author_says_and_what_came_in_on_java_17() {
    check(17);
}

#[test]
fn questions_say_what_the_author_says_and_what_came_in_on_java_25() {
    check(25);
}

/// That constants of an enum are there after the call that was the first to need them tells nothing of it.
#[test]
fn constants_that_come_to_be_in_a_call_are_not_told_as_its_changes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let program = "
public class Main {
    enum Kind { BOOK, FILM }
    static Object last;
    static void note(int kind) { last = Kind.values()[kind]; }
    public static void main(String[] args) {
        note(1);
        System.out.println(last);
    }
}
";
    source(folder, "Main.java", program);
    let recorded = run(folder, ["record", "-o", "t", "Main.java"]);
    assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    let options = ["ask", "t", "--strategy", "top-down", "--non-interactive"];
    let asked = run(folder, options).err;
    assert!(asked.contains("Main.last: null → FILM"), "{asked}");
    assert!(!asked.contains("Kind.FILM"), "{asked}");
}

/// A static that its class's initialiser set in a call, and that other code of the call set to what every static
/// begins with, was changed by it.
#[test]
fn a_static_that_holds_zero_again_after_its_initialiser_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let program = "
public class Main {
    static class Counter {
        static int next = 1;
        static int untouched = 7;
        static int take() { return next++; }
        static void reset() { next = 0; }
    }
    static int plain;
    static void work() { Counter.take(); Counter.reset(); plain++; plain--; }
    public static void main(String[] args) {
        work();
        System.out.println(Counter.next);
    }
}
";
    source(folder, "Main.java", program);
    let recorded = run(folder, ["record", "-o", "t", "Main.java"]);
    assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    let shown = run(folder, ["show", "t", "1"]).out;
    assert!(
        shown.contains("Counter.next: not initialised → 0"),
        "{shown}"
    );
    assert!(shown.contains("Counter.untouched: 0 → 7"), "{shown}");
    assert!(!shown.contains("Main.plain:"), "{shown}");
}

const GIVEN: &str = "
import java.util.function.*;
public class Main {
    static void given(Function<String, Integer> f, Predicate<String> p, Supplier<Main> s, IntUnaryOperator u) {}
    public static void main(String[] arguments) {
        Predicate<String> empty = String::isEmpty;
        int one = arguments.length + 1;
        given(
            String::length,
            empty.negate(),
            Main::new,
            number -> number + one);
    }
}
";

#[test]
fn lambdas_are_told_by_what_they_run() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", GIVEN);
    run(folder.path(), ["record", "-o", "t", "Main.java"]).recorded();
    let run = JavaRun::open(&folder.path().join("t"), None, &mut |_, _| {}).unwrap();
    let told: Vec<String> = calls(&run, "given")[0]
        .arguments
        .iter()
        .map(|argument| argument.state.before.text.clone())
        .collect();
    let expected = [
        "String::length",
        "from Predicate.negate",
        "Main::new",
        "in main:12",
    ];
    assert_eq!(told, expected);
}
