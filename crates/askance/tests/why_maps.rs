//! Where a value that went through a map came from.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::sync::OnceLock;

use support::recorded::Recorded;
use support::{run, source};

const STOCK: &str = r#"
import java.util.*;

public class Stock {
    static Map<String, List<String>> groups = new TreeMap<>();

    static class Item {
        final int price;

        Item(int price) {
            this.price = price;
        }
    }

    static Item cheapest(Map<String, Item> items) {
        Item best = null;
        for (Map.Entry<String, Item> entry : items.entrySet()) {
            if (best == null || entry.getValue().price < best.price) {
                best = entry.getValue();
            }
        }
        return best;
    }

    static Item looked(Map<String, Item> items, String name) {
        return items.get(name);
    }

    static List<String> grouped(String key, String value) {
        List<String> group = groups.computeIfAbsent(key, k -> new ArrayList<>());
        group.add(value);
        return group;
    }

    public static void main(String[] args) {
        Map<String, Item> items = new HashMap<>();
        items.put("pen", new Item(3));
        items.put("ink", new Item(9));
        Item found = looked(items, "ink");
        Item best = cheapest(items);
        grouped("a", "apple");
        List<String> group = grouped("a", "ant");
        System.out.println(found.price + best.price + group.size());
    }
}
"#;

fn recorded() -> &'static Recorded {
    static RECORDED: OnceLock<Recorded> = OnceLock::new();
    RECORDED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        source(folder.path(), "Stock.java", STOCK);
        let said = run(folder.path(), ["record", "-o", "trace", "Stock.java"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        Recorded { folder }
    })
}

#[track_caller]
fn why(arguments: &[&str], wanted: &[&str]) {
    let text = recorded().shows("why", arguments);
    for wanted in wanted {
        assert!(text.contains(wanted), "{wanted:?} is not in:\n{text}");
    }
}

#[test]
fn what_was_got_was_put_before() {
    let steps = [
        "Map.get = Item#",
        "kept by Map.put = Item#",
        "new Stock.Item  in",
        "Stock.looked (Stock.java): 26",
        // Where the map was made, where the item was put, and where it was asked for.
        "Stock.main (Stock.java): 36, 38, 39",
    ];
    why(&["Stock.looked", "return"], &steps);
    why(&["Stock.main", "found"], &steps);
}

#[test]
fn what_comes_out_of_an_entry_leads_to_the_map() {
    let steps = [
        "Map.Entry.getValue = Item#",
        "Iterator.next",
        "Map.entrySet",
        "argument items of",
        "new HashMap  in",
        "Stock.cheapest (Stock.java): 17, 19, 22",
    ];
    why(&["Stock.cheapest", "return"], &steps);
}

#[test]
fn decisions_are_followed_if_asked_for() {
    let plain = recorded().shows("why", &["Stock.cheapest", "return"]);
    assert!(!plain.contains("a decision here"), "{plain}");
    let steps = [
        "a decision here  in",
        // The prices that were compared, and where they came from.
        ".price = 3  in",
        ".price = 9  in",
        "Stock.cheapest (Stock.java): 16, 17, 18, 19, 22",
        "Stock.main (Stock.java): 36, 37, 38, 40",
    ];
    why(&["Stock.cheapest", "return", "--control"], &steps);
}

#[test]
fn what_is_computed_if_absent() {
    let steps = [
        "Map.computeIfAbsent = [\"apple\"]",
        "argument key of",
        "new TreeMap  in",
    ];
    why(&["Stock.main", "group"], &steps);
}
