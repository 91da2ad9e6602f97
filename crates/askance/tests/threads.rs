//! Several threads at once: what they share shows what the program itself prints once they have
//! ended, and who wrote what.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use serde_json::Value;
use support::recorded::Recorded;
use support::{run, source};

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
