//! A long run of which only the newest calls are kept: a bug late in it is found, and what is not known any more is
//! said to be unknown.

use std::path::Path;

use crate::support::{Said, run, source};

/// Makes three million calls before the one that is wrong.
const PROGRAM: &str = r#"
public class Shop {
    static class Cart {
        int items, total;
        String owner;

        void add(int price) { items++; total += price; }
        int discount(int percent) { return total * percent / 10; }
        int due(int percent) { return total - discount(percent); }
    }

    static Cart old = new Cart();

    static int mix(int a, int b) { return a * 31 + b; }

    static int warm(int rounds) {
        int sum = 0;
        for (int n = 0; n < rounds; n++) { sum = mix(sum, n); }
        return sum;
    }

    static int late() {
        Cart cart = new Cart();
        cart.add(100);
        old.add(7);
        return cart.due(10);
    }

    public static void main(String[] args) {
        old.add(3);
        old.owner = "somebody";
        int sum = 0;
        for (int n = 0; n < 30000; n++) { sum += warm(100); }
        System.out.println(sum + " " + late());
    }
}
"#;

/// Knows what each method should do.
const ORACLE: &str = r#"
while read -r line; do
    case "$line" in
        *'"method":"discount"'* | *'"method":"due"'* | *'"method":"late"'*) echo '{"answer":"no"}' ;;
        *) echo '{"answer":"yes"}' ;;
    esac
done
"#;

fn recorded(folder: &Path) -> Said {
    recorded_program(folder, PROGRAM)
}

fn recorded_program(folder: &Path, program: &str) -> Said {
    source(folder, "Shop.java", program);
    let limit = ["--max-trace", "4M", "--when-full", "ring"];
    let arguments = ["record", "-o", "t"].iter().chain(&limit);
    run(folder, arguments.chain(&["Shop.java"]).copied())
}

#[test]
fn a_late_bug_is_found_among_the_newest_calls() {
    let folder = tempfile::tempdir().unwrap();
    let said = recorded(folder.path());
    assert_eq!(said.out.trim(), "-1742625952 0", "{}", said.err);
    let given_up = "the oldest part was given up to stay within --max-trace";
    assert!(said.err.contains(given_up), "{}", said.err);

    let info = run(folder.path(), ["info", "t", "--json"]).json();
    let jvm = &info["jvms"][0];
    assert_eq!(jvm["ended"], "exit", "{jvm}");
    assert_eq!(jvm["complete"], false, "{jvm}");
    let calls = jvm["calls"].as_u64().unwrap();
    let lost = jvm["given_up"]["calls"].as_u64().unwrap();
    // main, the class's initialiser, `new` and `add` of the old cart, 30000 times `warm`, `late` with five calls.
    assert_eq!(calls + lost, 4 + 30_000 * 101 + 6);

    assert_found(folder.path());
}

fn assert_found(folder: &Path) {
    source(folder, "oracle.sh", ORACLE);
    // One call a question, which is what the oracle can judge.
    let strategy = ["--strategy", "dq-hirunkitti"];
    let ask = ["ask", "t", "--json", "--oracle-cmd", ". ./oracle.sh"];
    let verdict = run(folder, ask.into_iter().chain(strategy)).json();
    assert_eq!(verdict["outcome"], "found", "{verdict}");
    assert_eq!(verdict["method"], "discount", "{verdict}");
}

/// Their descriptions alone would take ten times what the trace may.
#[test]
fn a_bug_is_found_behind_three_million_objects() {
    let folder = tempfile::tempdir().unwrap();
    let program = PROGRAM.replace(
        "sum = mix(sum, n);",
        "Cart cart = new Cart(); cart.add(n); sum = mix(sum, cart.total);",
    );
    let said = recorded_program(folder.path(), &program);
    assert!(said.err.contains("was given up"), "{}", said.err);
    let info = run(folder.path(), ["info", "t", "--json"]).json();
    let jvm = &info["jvms"][0];
    assert_eq!(jvm["ended"], "exit", "{jvm}");
    assert_found(folder.path());
    // The old cart was made long ago, and is used once more.
    let late = run(folder.path(), ["show", "t", "late"]).out;
    assert!(late.contains("Shop.old.total: 3 → 10"), "{late}");
}

#[test]
fn what_was_given_up_is_not_guessed() {
    let folder = tempfile::tempdir().unwrap();
    recorded(folder.path());
    let said = |arguments: &[&str]| {
        let said = run(folder.path(), arguments.iter().copied());
        format!("{}{}", said.out, said.err)
    };
    // Read again after the beginning was given up: its total; never again: its owner.
    let late = said(&["show", "t", "late"]);
    assert!(late.contains("Shop.old.total: 3 → 10"), "{late}");
    assert!(late.contains("Shop.old.items: 1 → 2"), "{late}");
    let json = run(folder.path(), ["show", "t", "late", "--json"]).json();
    let second_add = json["children"][2].to_string();
    let add = said(&["show", "t", &second_add]);
    assert!(add.contains("items=1, total=3, owner=?"), "{add}");
    assert!(!add.contains("somebody"), "{add}");
    let json = run(folder.path(), ["show", "t", &second_add, "--json"]).json();
    let owner = &json["this"]["before"]["children"][2];
    assert_eq!(owner["label"]["field"], "owner", "{json}");
    assert_eq!(owner["value"]["kind"], "unknown", "{json}");

    // What a ring cannot be compared with is not offered.
    let stuck = said(&["ask", "t", "--non-interactive"]);
    assert!(stuck.contains("--answers FILE"), "{stuck}");
    assert!(!stuck.contains("--reference"), "{stuck}");

    let main = said(&["show", "t", "main"]);
    assert!(main.contains("it began before the oldest part"), "{main}");
    let tree = said(&["tree", "t", "--depth", "1", "--width", "1"]);
    assert!(tree.contains("(began before what is kept)"), "{tree}");
    let events = said(&["events", "t", "main"]);
    assert!(
        events.contains("the beginning of this call was given up"),
        "{events}"
    );
    run(folder.path(), ["diff", "t", "t"]).refused(2, "its oldest calls were given up");
}

#[test]
fn elements_that_are_not_known_are_shown_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let program = PROGRAM
        .replace(
            "static Cart old",
            "static int[] slots = {1, 2, 3};\n    static Cart old",
        )
        .replace("old.add(7);", "slots[1] += 40;");
    recorded_program(folder.path(), &program);
    let late = run(folder.path(), ["show", "t", "late"]).out;
    assert!(
        late.contains("Shop.slots: [?, 2, ?] → [?, 42, ?]"),
        "{late}"
    );
}

#[test]
fn a_collection_of_which_too_little_is_known_is_not_taken_apart() {
    let folder = tempfile::tempdir().unwrap();
    let map = "static java.util.Map<String, Integer> names = new java.util.HashMap<>();";
    let program = PROGRAM
        .replace("static Cart old", &format!("{map}\n    static Cart old"))
        .replace("old.add(3);", "names.put(\"a\", 1);")
        .replace("old.add(7);", "cart.add(count(names));")
        .replace(
            "static int late()",
            "static int count(java.util.Map<String, Integer> map) { return map.size(); }\n    static int late()",
        );
    recorded_program(folder.path(), &program);
    let count = run(folder.path(), ["show", "t", "count"]).out;
    assert!(count.contains("→ 1"), "{count}");
    assert!(count.contains("map = HashMap#"), "{count}");
    assert!(count.contains("(?)"), "{count}");
}
