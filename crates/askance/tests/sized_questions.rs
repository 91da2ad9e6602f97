//! Questions sized for people: short ones first, and of objects only what a project wants to see.

use std::path::Path;

use crate::support::{run, source};

const SHORT_AND_LONG: &str = "public class Main {
    static int leaf(int n) { return n + 1; }
    static int[] many(int[] values) { values[0] = leaf(1) + leaf(2) + leaf(3); return values; }
    static int few(int n) { return leaf(n) + leaf(n) + leaf(n); }
    public static void main(String[] args) {
        int[] values = new int[30];
        for (int i = 0; i < values.length; i++) values[i] = 100000 + i;
        many(values);
        few(1);
    }
}
";

/// The method that is asked about first.
fn first_question(folder: &Path, more: &[&str]) -> String {
    let words = [
        "ask",
        "t",
        "--json",
        "--fresh",
        "--strategy",
        "dq-hirunkitti",
    ];
    let said = run(folder, words.iter().chain(more));
    let question = said.json()["question"].clone();
    question["method"]
        .as_str()
        .unwrap_or_else(|| panic!("{}", said.err))
        .to_owned()
}

#[test]
fn of_questions_that_tell_the_same_the_shorter_one_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", SHORT_AND_LONG);
    let said = run(folder.path(), ["record", "-o", "t", "Main.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(first_question(folder.path(), &[]), "many");
    assert_eq!(first_question(folder.path(), &["--weigh", "cost"]), "few");
    let said = run(folder.path(), ["ask", "t", "--weigh", "colour"]);
    said.refused(2, "cost");
}

const ITEMS: &str = "package shop;
public class Main {
    static class Item {
        String name = \"pen\"; int count = 3; int[] cache = {1, 2, 3}; long stamp = 77;
        Item next;
    }
    static int look(Item item) { return item.count; }
    static void sell(Item item) { item.count--; item.stamp++; }
    public static void main(String[] args) {
        Item item = new Item();
        look(item);
        sell(item);
    }
}
";

#[test]
fn a_project_chooses_what_is_shown_of_its_objects() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    source(folder, "src/shop/Main.java", ITEMS);
    let said = run(folder, ["record", "-o", "t", "src/shop/Main.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let shown = |method: &str| {
        let tree = run(folder, ["tree", "t"]).out;
        let line = tree.lines().find(|line| line.contains(method)).unwrap();
        let number: String = line
            .chars()
            .skip_while(|c| !c.is_ascii_digit())
            .take_while(char::is_ascii_digit)
            .collect();
        run(folder, ["show", "t", &number]).out
    };
    assert!(shown("look(").contains("cache"), "{}", shown("look("));

    let settings = "[[show]]\nclass = \"shop.Main$Item\"\nfields = [\"name\"]\n";
    std::fs::write(folder.join("askance.toml"), settings).unwrap();
    let look = shown("look(");
    assert!(
        look.contains("pen") && !look.contains("cache") && !look.contains("77"),
        "{look}"
    );
    // What changed is shown whatever the project wants.
    let sell = shown("sell(");
    assert!(
        sell.contains("count") && sell.contains("stamp") && !sell.contains("cache"),
        "{sell}"
    );

    std::fs::write(folder.join("askance.toml"), "[[show]]\nclas = \"x\"\n").unwrap();
    run(folder, ["tree", "t"]).refused(2, "askance.toml, line 2");
    run(folder, ["ask", "t"]).refused(2, "askance.toml, line 2");
}
