//! What objects say of themselves, where `askance.toml` wants it: asked while the program is recorded, without a
//! trace of the asking, and shown as it was at each time.

use std::path::Path;

use crate::support::{Said, run, source};
use debug_engine::{ExecutionTree as _, NodeId};
use frame_replay::{CodeCoverage, Program};
use java_model::run::JavaRun;

const PROGRAM: &str = "package shop;
import java.time.LocalDate;
import java.util.List;
public class Main {
    static int asked;
    static final class Item {
        final String name; int count;
        Item(String name, int count) { this.name = name; this.count = count; }
        void add(int more) { count += more; }
        Item self() { return this; }
        public String toString() { asked++; return self().count + \" of\\n\" + name; }
    }
    static final class Odd {
        int size;
        void grow() { size++; }
        public String toString() {
            if (size % 2 == 1) throw new IllegalStateException();
            return \"even \" + size;
        }
    }
    static final class Endless { public String toString() { return this + \"!\"; } }
    record Login(String user, String password) {}
    static final class Account {
        final Login login = new Login(\"bob\", \"s3cr3t-field\");
        public String toString() { return \"account of \" + login; }
    }
    static Item twice(Item item) { item.add(item.count); return item; }
    static LocalDate next(LocalDate day) { return day.plusDays(1); }
    static void steal(Item item) { item.count = 0; }
    static int total(List<Item> items) { int sum = 0; for (Item item : items) sum += item.count; return sum; }
    static void look(Object anything) {}
    static int down(Item item, int n) { return n == 0 ? 0 : 1 + down(item, n - 1); }
    public static void main(String[] args) {
        Item item = new Item(\"pen\", 3);
        twice(item);
        next(LocalDate.of(2024, 2, 28));
        item.count = 50;
        total(List.of(item));
        Odd odd = new Odd();
        odd.grow();
        odd.grow();
        look(new Endless());
        look(new Account());
        look(\"x\".repeat(3));
        try { down(item, 10_000_000); } catch (StackOverflowError e) { System.out.println(\"too deep\"); }
        System.out.println(item.count + \" \" + odd.size);
    }
}
";

const SETTINGS: &str = "[[show]]
class = \"shop.Main.*\"
to_string = true
[[show]]
class = \"java.time.LocalDate\"
to_string = true
";

fn record(folder: &Path, settings: &str) -> Said {
    source(folder, "src/shop/Main.java", PROGRAM);
    std::fs::write(folder.join("askance.toml"), settings).unwrap();
    let said = run(folder, ["record", "-o", "t", "src/shop/Main.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    said
}

/// The first line of the tree that holds a text.
fn line(folder: &Path, text: &str) -> String {
    let tree = run(folder, ["tree", "t"]).out;
    let line = tree.lines().find(|line| line.contains(text));
    line.unwrap_or_else(|| panic!("no {text} in\n{tree}"))
        .trim_start()
        .split_once(' ')
        .unwrap()
        .1
        .to_owned()
}

/// Numbers of objects differ from one JDK to another.
fn unnumbered(line: &str) -> String {
    let mut pieces = line.split('#');
    let first = pieces.next().unwrap().to_owned();
    pieces.fold(first, |text, piece| {
        text + piece.trim_start_matches(|c: char| c.is_ascii_digit())
    })
}

#[test]
fn objects_are_shown_by_what_they_said_at_the_time() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let said = record(folder, SETTINGS);
    assert_eq!(said.out, "too deep\n50 2\n");
    let shown = |text: &str| unnumbered(&line(folder, text));
    // What changed is shown with it.
    assert_eq!(
        shown("twice("),
        "Main.twice(item=Item(3 of\\npen){count=3}) → Item(6 of\\npen); item.count: 3 → 6"
    );
    assert_eq!(shown("next("), "Main.next(day=2024-02-28) → 2024-02-29");
    // It was written since it said something.
    assert!(shown("total(").contains("count=50"), "{}", shown("total("));
    // It throws when it is asked.
    assert!(shown("grow(").contains("this.size: 0 → 1"));
    assert!(shown("look(anything=Endless").ends_with("look(anything=Endless) → void"));
    // None of the asking was recorded.
    let tree = run(folder, ["tree", "t", "--width", "1000"]).out;
    assert!(
        !tree.contains("toString") && !tree.contains("self("),
        "{tree}"
    );
    // Whoever does not want it sees fields.
    std::fs::write(folder.join("askance.toml"), "").unwrap();
    assert!(shown("twice(").contains("name=\"pen\""));
}

#[test]
fn what_objects_say_of_secrets_is_masked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    record(folder, SETTINGS);
    for entry in walk(&folder.join("t")) {
        let bytes = std::fs::read(&entry).unwrap();
        let secret = b"s3cr3t-field";
        let holds = bytes.windows(secret.len()).any(|window| window == secret);
        assert!(!holds, "{}", entry.display());
    }
    let shown = line(folder, "look(anything=Account");
    assert!(
        !shown.contains("account of") && shown.contains("(\"bob\", "),
        "{shown}"
    );
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => walk(&path),
            false => vec![path],
        })
        .collect()
}

/// Calls are re-executed from what was recorded of them; what the asking did is not in it.
#[test]
fn calls_replay_as_without_the_asking() {
    let folder = tempfile::tempdir().unwrap();
    let replayed = |settings: &str| {
        let folder = folder.path().join(settings.len().to_string());
        std::fs::create_dir_all(&folder).unwrap();
        record(&folder, settings);
        let run = JavaRun::open(&folder.join("t"), None, &mut |_, _| {}).unwrap();
        let program = Program::of(run.trace());
        // Those of the deep recursion are as many as the stack had room for.
        let nodes = (0..run.len().min(40)).map(NodeId);
        let told: Vec<String> = nodes
            .map(|node| {
                let names = run.method_names(run.method(node));
                let call = run.call_id(node).unwrap();
                let lines =
                    CodeCoverage::of(run.trace(), &program, call).map(|covered| covered.lines);
                format!("{} {lines:?}", names.name)
            })
            .collect();
        told
    };
    let plain = replayed("");
    assert!(plain.len() > 20 && plain.iter().any(|call| call.starts_with("twice Ok(")));
    assert_eq!(replayed(SETTINGS), plain);
}
