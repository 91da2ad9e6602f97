//! Work that a call hands over to other threads hangs below it, in every view and in the search.

use crate::support::recorded::{Recorded, step};
use crate::support::{run, source};
use serde_json::Value;
use test_support::Jdk;

/// The price of the third item is wrong, in a task of a pool; everybody else adds up rightly.
const SHOP: &str = r#"
import java.util.*;
import java.util.concurrent.*;

public class Shop {
    static int price(int item) {
        return item == 3 ? 31 : item * 10;
    }

    static int priced(int item) {
        return price(item);
    }

    static int total(ExecutorService pool, int items) throws Exception {
        List<Future<Integer>> prices = new ArrayList<>();
        for (int i = 1; i <= items; i++) {
            int item = i;
            prices.add(pool.submit(() -> priced(item)));
        }
        int sum = 0;
        for (Future<Integer> price : prices) {
            sum += price.get();
        }
        return sum;
    }

    static int discount(int sum) {
        return CompletableFuture.supplyAsync(() -> halved(sum)).thenApply(Shop::floored).join();
    }

    static int halved(int sum) { return sum / 2; }

    static int floored(int sum) { return sum - sum % 10; }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        int sum = total(pool, 4);
        Thread logger = new Thread(() -> log(sum), "logger");
        logger.start();
        logger.join();
        System.out.println(sum + " " + discount(sum));
        pool.shutdown();
    }

    static void log(int sum) { }
}
"#;

fn recorded(name: &str, text: &str) -> Recorded {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), name, text);
    let said = run(folder.path(), ["record", "-o", "trace", name]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    Recorded { folder }
}

fn tree(recorded: &Recorded) -> Vec<Value> {
    let tree = recorded.say("tree", &["--depth", "20", "--json"]).json();
    tree["nodes"].as_array().unwrap().clone()
}

#[test]
fn what_is_handed_over_is_an_event_and_steps_lead_in_and_out() {
    let recorded = recorded("Shop.java", SHOP);
    let total = recorded.say("show", &["Shop.total", "--json"]).json()["node"].clone();
    let events = recorded
        .say("events", &[&total.to_string(), "--json"])
        .json();
    let events = events["events"].as_array().unwrap();
    let handed: Vec<&Value> = events
        .iter()
        .filter(|event| event["kind"] == "submits")
        .collect();
    assert_eq!(handed.len(), 4, "{events:?}");
    for event in &handed {
        assert_eq!(event["line"], 18, "{event}");
        let view = recorded.say("show", &[&event["node"].to_string(), "--json"]);
        assert_eq!(view.json()["submitted"]["by"], total);
    }
    let text = recorded.shows("events", &[&total.to_string()]);
    let third = &handed[2]["node"];
    assert!(text.contains(&format!("hands over #{third} ")), "{text}");

    // Out of the third task, to where it was handed over, and in again.
    let said = step(&recorded, &third.to_string(), "o\nb\ni\n");
    let lines: Vec<&str> = said.out.lines().collect();
    let at = |line: &str, node: &Value, rest: &str| {
        assert!(
            line.starts_with(&format!("#{node} ")),
            "{line} of {}",
            said.out
        );
        assert!(line.contains(rest), "{line}");
    };
    at(lines[1], &total, &format!("hands over #{third} "));
    at(lines[3], third, "entered");
}

fn parent_of(nodes: &[Value], method: &str) -> String {
    let named = |name: &str| {
        nodes
            .iter()
            .find(|node| node["method"] == name)
            .unwrap()
            .clone()
    };
    let parent = named(method)["parent"].as_u64().unwrap();
    let parent = nodes.iter().find(|node| node["node"] == parent).unwrap();
    parent["method"].as_str().unwrap().to_owned()
}

#[test]
fn submitted_calls_hang_below_their_submitters_and_say_so() {
    let recorded = recorded("Shop.java", SHOP);
    let nodes = tree(&recorded);
    let roots = nodes.iter().filter(|node| node["parent"].is_null());
    assert_eq!(roots.count(), 1, "{nodes:?}");
    assert_eq!(parent_of(&nodes, "lambda$total$0"), "total");
    assert_eq!(parent_of(&nodes, "lambda$discount$1"), "discount");
    assert_eq!(parent_of(&nodes, "floored"), "discount");
    assert_eq!(parent_of(&nodes, "lambda$main$2"), "main");

    let log = recorded.say("show", &["lambda$main$2", "--json"]).json();
    assert_eq!(log["submitted"]["thread"], "logger");
    assert_eq!(log["submitted"]["routine"], "Shop.main");
    assert_eq!(log["callers"].as_array().unwrap().len(), 1);
    let text = recorded.shows("show", &["lambda$main$2"]);
    assert!(
        text.contains("in thread logger, submitted by #0 Shop.main"),
        "{text}"
    );
    let text = recorded.shows("tree", &["--depth", "1"]);
    assert!(
        text.contains("[in thread logger, submitted by #0 Shop.main]"),
        "{text}"
    );
}

#[test]
fn a_bug_in_a_task_is_found_by_answers_that_begin_at_main() {
    let recorded = recorded("Shop.java", SHOP);
    // total, which main called, then the tasks in the order in which they were submitted.
    let answers = "n\ny\ny\nn\nn\nn\n";
    std::fs::write(recorded.folder.path().join("answers"), answers).unwrap();
    let arguments = [
        "--strategy",
        "top-down",
        "--transform",
        "none",
        "--answers",
        "answers",
        "--json",
    ];
    let found = recorded.say("ask", &arguments).json();
    assert_eq!(found["outcome"], "found", "{found}");
    assert_eq!(found["method"], "price");
}

/// Right is what does not contain the wrong price, or could not have seen it.
const ORACLE: &str = r#"
while read -r question; do
    case "$question" in
    *'"method":"main"'* | *'"method":"total"'* | *'"return":"31"'*) echo '{"answer":"no"}' ;;
    *) echo '{"answer":"yes"}' ;;
    esac
done
"#;

#[test]
fn every_strategy_finds_a_bug_in_a_task() {
    let recorded = recorded("Shop.java", SHOP);
    source(recorded.folder.path(), "oracle.sh", ORACLE);
    for strategy in [
        "single-stepping",
        "dq-shapiro",
        "dq-optimal",
        "ranges",
        "heaviest-first",
    ] {
        let oracle = [
            "--oracle-cmd",
            "sh oracle.sh",
            "--json",
            "--non-interactive",
        ];
        let arguments = [&["--strategy", strategy], &oracle[..]].concat();
        let found = recorded.say("ask", &arguments).json();
        assert_eq!(found["outcome"], "found", "{strategy}: {found}");
        assert_eq!(found["method"], "price", "{strategy}");
    }
}

/// The call that starts the thread has ended long before the thread writes.
const LATE: &str = r#"
public class Late {
    int value;

    static Thread start(Late late) {
        Thread thread = new Thread(() -> late.set(5), "late");
        thread.start();
        return thread;
    }

    void set(int value) {
        try {
            Thread.sleep(50);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        this.value = value;
    }

    public static void main(String[] args) throws Exception {
        Late late = new Late();
        start(late).join();
    }
}
"#;

#[test]
fn a_call_is_judged_by_what_it_submitted_too() {
    let recorded = recorded("Late.java", LATE);
    let view = recorded.say("show", &["Late.start", "--json"]).json();
    assert_eq!(view["outlived"], true);
    let text = recorded.shows("show", &["Late.start"]);
    assert!(text.contains("late.value: 0 → 5"), "{text}");
    assert!(
        text.contains("tasks that it submitted ended after it"),
        "{text}"
    );
}

const VIRTUAL: &str = r#"
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Virtual {
    static final AtomicInteger SUM = new AtomicInteger();

    static int work(int n) throws Exception {
        int first = half(n);
        Thread.sleep(1);
        return first + half(n);
    }

    static int half(int n) { return n / 2; }

    static void one(int n) {
        try {
            SUM.addAndGet(work(n));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    static void all(int count) throws Exception {
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                int n = i;
                pool.submit(() -> one(n));
            }
        }
    }

    public static void main(String[] args) throws Exception {
        all(Integer.parseInt(args[0]));
        System.out.println(SUM.get());
    }
}
"#;

#[test]
fn ten_thousand_virtual_threads_are_a_tree_each_below_their_submitter() {
    let Some(jdk) = Jdk::all()
        .iter()
        .find(|jdk| jdk.feature() >= 21 && jdk.javac().is_some())
    else {
        test_support::skip(
            "virtual threads need a JDK 21 or later; `cargo xtask setup` installs one",
        );
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Virtual.java", VIRTUAL);
    let javac = std::process::Command::new(jdk.javac().unwrap())
        .args(["-g", "-d", "out", "Virtual.java"])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(javac.success());
    let java = jdk.home().join("bin/java").display().to_string();
    let count = 10_000u64;
    let arguments = [
        "record", "-o", "trace", "--", &java, "-cp", "out", "Virtual", "10000",
    ];
    let said = run(folder.path(), arguments);
    let sum: u64 = (0..count).map(|n| 2 * (n / 2)).sum();
    assert_eq!(said.out.trim(), sum.to_string(), "{}", said.err);

    let recorded = Recorded { folder };
    let info = recorded.say("info", &["--json"]).json();
    let jvm = &info["jvms"][0];
    assert_eq!(jvm["complete"], true);
    // main, all, Main's initialiser; a lambda, one, work and two halves for each.
    assert_eq!(jvm["calls"], 3 + 5 * count);
    assert_eq!(jvm["threads"].as_array().unwrap().len() as u64, 1 + count);

    let all = recorded.say("show", &["Virtual.all", "--json"]).json();
    let node = all["node"].as_u64().unwrap().to_string();
    let tree = recorded.say(
        "tree",
        &["--node", &node, "--depth", "1", "--width", "1", "--json"],
    );
    assert_eq!(tree.json()["nodes"][0]["subtree"], 1 + 5 * count);
    let last = recorded.say(
        "tree",
        &["--node", &node, "--depth", "4", "--skip", "9999", "--json"],
    );
    let last = last.json();
    let methods: Vec<&str> = last["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["method"].as_str().unwrap())
        .collect();
    assert_eq!(
        methods,
        ["all", "lambda$all$0", "one", "work", "half", "half"]
    );
}
