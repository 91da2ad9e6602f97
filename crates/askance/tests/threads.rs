//! Several threads at once: what they share shows what the program itself prints once they have
//! ended, and who wrote what.

use crate::support::recorded::Recorded;
use crate::support::{run, source};
use serde_json::Value;

const MAIN: &str = r#"
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Main {
    int last;

    static void look(Map<Integer, Integer> map, AtomicInteger count, AtomicLong sum, List<Integer> list) {
        System.out.println(new TreeMap<>(map) + " " + count + " " + sum + " " + list);
    }

    void work(int number, Map<Integer, Integer> map, AtomicInteger count, AtomicLong sum, List<Integer> list) {
        for (int round = 0; round < 50; round++) {
            map.merge(round % 5, 1, Integer::sum);
            count.incrementAndGet();
            sum.addAndGet(round);
            if (round == number) {
                list.add(number * 100 + round);
            }
        }
        synchronized (this) {
            last = number;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Main main = new Main();
        Map<Integer, Integer> map = new ConcurrentHashMap<>();
        AtomicInteger count = new AtomicInteger();
        AtomicLong sum = new AtomicLong();
        List<Integer> list = Collections.synchronizedList(new ArrayList<>());
        for (int phase = 0; phase < 3; phase++) {
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                int number = i;
                threads[i] = new Thread(() -> main.work(number, map, count, sum, list), "worker-" + phase + "-" + i);
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            look(map, count, sum, list);
        }
    }
}
"#;

#[test]
fn shared_objects_hold_what_the_program_prints() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", MAIN);
    let said = run(folder.path(), ["record", "-o", "trace", "Main.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let printed: Vec<&str> = said.out.lines().collect();
    let recorded = Recorded { folder };

    let tree = recorded.say("tree", &["--depth", "1", "--json"]).json();
    let nodes = tree["nodes"].as_array().unwrap().iter();
    let looks = nodes.filter(|node| node["method"] == "look");
    let mut shown = Vec::new();
    for look in looks {
        let number = look["node"].to_string();
        let view = recorded.say("show", &[&number, "--json"]).json();
        assert_eq!(view["routine"], "Main.look");
        let arguments = view["arguments"].as_array().unwrap().iter();
        let texts: Vec<String> = arguments
            .map(|argument| text(&argument["before"]))
            .collect();
        shown.push(texts.join(" "));
    }
    assert_eq!(shown, printed);

    let main = node(&recorded, "Main.main");
    let history = recorded.say("history", &[&format!("{main}:main.last"), "--json"]);
    let history = history.json();
    let writes = history["writes"].as_array().unwrap();
    assert_eq!(writes.len(), 12);
    for (number, write) in writes.iter().enumerate() {
        let thread = write["thread"].as_str().unwrap();
        let written = text(&write["after"]);
        assert_eq!(thread, format!("worker-{}-{written}", number / 4));
    }
}

/// While `slow` runs in one thread, `other` runs in another from its beginning to its end.
const SHARED: &str = r#"
import java.util.*;
import java.util.concurrent.*;

public class Main {
    static int total;
    int theirs;
    int lost;
    int mine;
    int[] numbers = new int[3];
    List<String> names = new ArrayList<>();
    Map<String, Integer> prices = new HashMap<>();
    List<String> quiet = new ArrayList<>();

    void slow(CountDownLatch begun, CountDownLatch done) throws InterruptedException {
        int read = lost;
        begun.countDown();
        done.await();
        lost = read + 1;
        mine = total - 6;
        quiet.add("mine");
    }

    void other() {
        total = 7;
        theirs = 2;
        lost = lost + 10;
        numbers[1] = 3;
        names.add("theirs");
        prices.put("apple", 4);
    }

    public static void main(String[] args) throws Exception {
        Main main = new Main();
        CountDownLatch begun = new CountDownLatch(1), done = new CountDownLatch(1);
        Thread worker = new Thread(() -> {
            try {
                begun.await();
                main.other();
                done.countDown();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, "worker");
        worker.start();
        main.slow(begun, done);
        worker.join();
        System.out.println(main.lost + total);
    }
}
"#;

#[test]
fn what_another_thread_wrote_during_a_call_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", SHARED);
    let said = run(folder.path(), ["record", "-o", "trace", "Main.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let recorded = Recorded { folder };
    let other = node(&recorded, "Main.other");
    let mark = format!(" (thread worker wrote it meanwhile, in #{other} Main.other)");

    let shown = recorded.say("show", &["Main.slow"]).out;
    let changed = |path: &str, mark: &str| {
        let line = shown.lines().find(|line| line.trim().starts_with(path));
        let line = line.unwrap_or_else(|| panic!("{path} in {shown}"));
        assert_eq!(line.contains("meanwhile"), !mark.is_empty(), "{line}");
        assert!(line.ends_with(mark), "{line}");
    };
    for theirs in [
        "this.theirs: 0 → 2",
        "this.numbers: [0, 0, 0] → [0, 3, 0]",
        "this.names: [] → [\"theirs\"]",
        "this.prices[\"apple\"]: absent → 4",
        "Main.total: 0 → 7",
        // Written last by the call itself: the other one's update is lost.
        "this.lost: 0 → 1",
    ] {
        changed(theirs, &mark);
    }
    changed("this.mine: 0 → 1", "");
    changed("this.quiet: [] → [\"mine\"]", "");

    let view = recorded.say("show", &["Main.slow", "--json"]).json();
    let fields = view["this"]["after"]["children"].as_array().unwrap();
    let field = |name: &str| {
        let found = fields.iter().find(|field| field["label"]["field"] == name);
        found.unwrap()["value"]["meanwhile"].clone()
    };
    let expected = serde_json::json!({"thread": "worker", "node": other, "routine": "Main.other"});
    assert_eq!(field("theirs"), expected);
    assert_eq!(field("names"), expected);
    assert_eq!(field("mine"), Value::Null);

    // What a call handed over is its own doing, and during this call nobody else wrote.
    let main = recorded.say("show", &["Main.main"]).out;
    assert!(!main.contains("meanwhile"), "{main}");
    let others = recorded.say("show", &["Main.other"]).out;
    assert!(!others.contains("meanwhile"), "{others}");
}

fn node(recorded: &Recorded, method: &str) -> u64 {
    let view = recorded.say("show", &[method, "--json"]).json();
    view["node"].as_u64().unwrap()
}

/// A value as Java prints it.
fn text(view: &Value) -> String {
    let Some(children) = view["children"].as_array() else {
        return view["text"].as_str().unwrap().to_owned();
    };
    assert!(view.get("truncated").is_none(), "{view}");
    let is_map = view["kind"] == "map";
    let child = |child: &Value| match child["label"]["key"].as_str() {
        Some(key) => format!("{key}={}", text(&child["value"])),
        None => text(&child["value"]),
    };
    let inner: Vec<String> = children.iter().map(child).collect();
    let inner = inner.join(", ");
    if is_map {
        format!("{{{inner}}}")
    } else {
        format!("[{inner}]")
    }
}
