//! Where a value that went through a map came from.

use std::sync::OnceLock;

use crate::support::recorded::Recorded;
use crate::support::{run, source};

const STOCK: &str = r#"
import java.util.*;
import java.util.function.IntBinaryOperator;

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

    static Item last(Map<String, Item> items) {
        Item last = null;
        for (Item item : items.values()) {
            last = item;
        }
        return last;
    }

    static int counted(String... words) {
        Map<String, Integer> counts = new HashMap<>();
        for (String word : words) {
            counts.merge(word, 1, (one, other) -> one + other);
        }
        return counts.get("b");
    }

    static int summed(String... words) {
        Map<String, Integer> counts = new HashMap<>();
        for (String word : words) {
            counts.merge(word, 1, Integer::sum);
        }
        return counts.get("b");
    }

    static Item sorted(List<Item> items) {
        List<Item> copy = new ArrayList<>();
        copy.addAll(items);
        copy.sort((one, other) -> one.price - other.price);
        return copy.get(0);
    }

    static Item orElse(Map<String, Item> items, Item other) {
        return items.getOrDefault("none", other);
    }

    static int mapped(Item item, int more) {
        return Optional.of(item).map(it -> it.price + more).get();
    }

    static int direct(int a, int b) {
        IntBinaryOperator operator = (x, y) -> x * b + y;
        return operator.applyAsInt(a, 7);
    }

    static Item absent(Map<String, Item> items) {
        items.putIfAbsent("cap", new Item(2));
        items.compute("cap", (key, old) -> new Item(old.price + 1));
        return items.get("cap");
    }

    static int total(List<Item> items) {
        int[] sum = new int[1];
        items.forEach(item -> sum[0] += item.price);
        return sum[0];
    }

    static Item streamed(List<Item> items) {
        return items.stream().map(item -> new Item(item.price * 2)).filter(item -> item.price > 6).findFirst().get();
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
        Item last = last(items);
        int count = counted("a", "b", "b");
        int sum = summed("c", "c", "b", "b");
        Item other = orElse(items, new Item(5));
        int mapped = mapped(found, 4);
        int direct = direct(3, 5);
        Item cap = absent(items);
        List<Item> list = new ArrayList<>(List.of(found, best));
        Item first = sorted(list);
        int total = total(list);
        Item doubled = streamed(list);
        System.out.println(last.price + count + sum + other.price + mapped + direct + cap.price + first.price);
        System.out.println(total + doubled.price);
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
        "Stock.looked (Stock.java): 27",
        // Where the map was made, where the item was put, and where it was asked for.
        "Stock.main (Stock.java): 97, 99, 100",
    ];
    why(&["Stock.looked", "return"], &steps);
    why(&["Stock.main", "found"], &steps);
}

#[test]
fn what_comes_out_of_an_entry_was_put_into_the_map() {
    let steps = [
        "Map.Entry.getValue = Item#",
        "kept by Map.put = Item#",
        "new Stock.Item  in",
        "Iterator.next",
        "Map.entrySet",
        "argument items of",
        "new HashMap  in",
        "Stock.cheapest (Stock.java): 18, 20, 23",
    ];
    why(&["Stock.cheapest", "return"], &steps);
    why(
        &["Stock.last", "return"],
        &["Iterator.next = Item#", "kept by Map.put = Item#"],
    );
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
        "Stock.cheapest (Stock.java): 17, 18, 19, 20, 23",
        "Stock.main (Stock.java): 97, 98, 99, 101",
    ];
    why(&["Stock.cheapest", "return", "--control"], &steps);
}

#[test]
fn what_is_computed_if_absent() {
    let steps = [
        "Map.computeIfAbsent = [\"apple\"]",
        // By the call before, which found nothing.
        "kept by Map.computeIfAbsent = []",
        "Stock: lambda in grouped (Stock.java:",
        "new ArrayList  in",
        "argument key of",
        "new TreeMap  in",
    ];
    why(&["Stock.main", "group"], &steps);
}

#[test]
fn what_is_computed_from_what_was_kept() {
    let steps = [
        "kept by Map.compute = Item#",
        "new Stock.Item  in",
        "argument old of",
        "kept by Map.putIfAbsent = Item#",
    ];
    why(&["Stock.absent", "return"], &steps);
    let steps = [
        "Map.get = 2",
        "kept by Map.merge = 2",
        "returned = 2",
        "argument one of",
        "Integer.valueOf = 1",
    ];
    why(&["Stock.counted", "return"], &steps);
    let steps = ["Map.get = 2", "kept by Map.merge = 2", "word = \"b\""];
    why(&["Stock.summed", "return"], &steps);
    // The same box under another key has nothing to do with it.
    let text = recorded().shows("why", &["Stock.summed", "return"]);
    assert!(!text.contains("word = \"c\""), "{text}");
}

#[test]
fn what_was_given_for_want_of_another() {
    let steps = [
        "Map.getOrDefault = Item#",
        "argument other of",
        "new Stock.Item",
    ];
    why(&["Stock.main", "other"], &steps);
}

#[test]
fn what_a_lambda_gives_is_made_of_what_it_got_and_captured() {
    let steps = [
        "Optional.get = 13",
        "returned = 13",
        "argument more of #",
        "argument it of #",
        "kept by Optional.of = Item#",
    ];
    why(&["Stock.mapped", "return"], &steps);
    let steps = [
        "IntBinaryOperator.applyAsInt = 22",
        "returned = 22",
        "argument x of #",
        "argument y of #",
        "argument b of #",
        "Stock.direct (Stock.java): ",
    ];
    let text = recorded().shows("why", &["Stock.direct", "return"]);
    assert!(!text.contains("library code gave it"), "{text}");
    why(&["Stock.direct", "return"], &steps);
}

#[test]
fn what_went_from_one_collection_to_another() {
    let steps = [
        "List.get = Item#",
        "kept by List.sort = Item#",
        "kept by List.addAll = Item#",
        "kept by List.of = Item#",
        "kept by Map.put = Item#",
    ];
    why(&["Stock.main", "first"], &steps);
    let steps = ["argument item of #", "kept by List.of = Item#"];
    why(&["Stock.main", "total"], &steps);
    why(&["Stock.main", "doubled"], &steps);
}
