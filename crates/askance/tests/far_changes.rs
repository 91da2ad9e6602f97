//! No change is hidden: what a call changed is told, however far it lies from what the call was given.

use std::path::Path;

use crate::support::{run, source};

const FAR: &str = "import java.util.*;
public class Main {
    static class Box { int value; int[] inside = new int[30]; Box next; }
    static class Store {
        Box[] boxes = new Box[3000];
        int[] numbers = new int[20000];
        List<Box> list = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        Map<String, Integer> counts = new HashMap<>();
        Box first = new Box();
    }
    static void inArray(Store store, int at) { store.boxes[at].value = 7; }
    static void number(Store store, int at) { store.numbers[at] = 8; }
    static void inList(Store store, int at) { store.list.get(at).value = 9; }
    static void text(Store store, int at) { store.texts.set(at, \"new\"); }
    static void count(Store store, String key) { store.counts.put(key, 11); }
    static void deep(Store store) {
        Box box = store.first;
        while (box.next != null) box = box.next;
        box.value = 12;
    }
    static int nothing(Store store) { return store.boxes.length; }
    static Store made() {
        Store store = new Store();
        for (int i = 0; i < store.boxes.length; i++) {
            store.boxes[i] = new Box();
            store.list.add(new Box());
            store.texts.add(\"old\");
            store.counts.put(\"k\" + i, i);
        }
        Box box = store.first;
        for (int i = 0; i < 100; i++) {
            box.next = new Box();
            box = box.next;
        }
        return store;
    }
    public static void main(String[] args) {
        Store store = made();
        inArray(store, 2900);
        number(store, 19000);
        inList(store, 2901);
        text(store, 2902);
        count(store, \"k2903\");
        deep(store);
        nothing(store);
    }
}
";

/// What is said to have changed in the only call of a method.
fn changes(folder: &Path, method: &str) -> Vec<String> {
    let tree = run(folder, ["tree", "t", "--depth", "2"]).out;
    let line = tree.lines().find(|line| line.contains(method));
    let line = line.unwrap_or_else(|| panic!("no {method} in {tree}"));
    let number = line.trim_start().trim_start_matches('#');
    let number = number.split(' ').next().unwrap();
    let shown = run(folder, ["show", "t", number]).out;
    let lines = shown.lines().map(str::trim);
    let is_change = |line: &&str| line.contains(": ") && line.contains(" → ");
    lines.filter(is_change).map(str::to_owned).collect()
}

#[test]
fn what_lies_far_away_is_told_like_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    source(folder, "Main.java", FAR);
    let said = run(folder, ["record", "-o", "t", "Main.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    for (method, change) in [
        ("inArray(", "store.boxes[2900].value: 0 → 7"),
        ("number(", "store.numbers[19000]: 0 → 8"),
        ("inList(", "store.list[2901].value: 0 → 9"),
        ("text(", "store.texts[2902]: \"old\" → \"new\""),
        ("count(", "store.counts[\"k2903\"]: 2903 → 11"),
    ] {
        assert_eq!(changes(folder, method), [change], "{method}");
    }
    // Deeper than values are followed: under its own name.
    let deep = changes(folder, "deep(");
    let [change] = &deep[..] else {
        panic!("{deep:?}");
    };
    assert!(
        change.starts_with("Box#") && change.ends_with(".value: 0 → 12"),
        "{change}"
    );
    assert!(changes(folder, "nothing(").is_empty());
}
