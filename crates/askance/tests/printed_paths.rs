//! Whatever path a question prints can be said to be the wrong one.

use std::path::Path;
use std::sync::Arc;

use crate::support::{run, source};
use debug_engine::transform::kind_of;
use debug_engine::view::render::{Bounds, Sheet, changes_asked};
use debug_engine::view::{AskedView, Label, ValueView};
use debug_engine::{ExecutionTree, NodeId, Target};
use java_analysis::calls::Calls as _;
use java_analysis::questions::Questions;
use java_analysis::recording::Recording;
use java_model::run::JavaRun;
use test_support::{Example, ExampleVersion};

/// So many calls of each run are asked about, and as many groups.
const ASKED: u32 = 40;

/// The paths of everything in a value.
fn inner(path: &str, value: &ValueView, depth: usize, found: &mut Vec<String>) {
    found.push(path.to_owned());
    if depth == 0 {
        return;
    }
    for child in value.children.iter().take(Bounds::default().width) {
        let path = match &child.label {
            Label::Field(name) => format!("{path}.{name}"),
            Label::Index(index) => format!("{path}[{index}]"),
            Label::Key(key) => format!("{path}[{key}]"),
        };
        inner(&path, &child.value, depth - 1, found);
    }
}

fn printed(asked: &AskedView) -> Vec<String> {
    let mut found = Vec::new();
    let changes = changes_asked(asked, Bounds::default(), 99);
    found.extend(changes.into_iter().map(|change| change.path));
    let given = Sheet::of(asked, Bounds::default()).given;
    found.extend(given.into_iter().map(|given| given.name));
    let states: Vec<_> = match asked {
        AskedView::Call(view) => {
            let this = view.this.iter().map(|this| ("this", this));
            let named = view.arguments.iter().chain(&view.statics);
            this.chain(named.map(|named| (&*named.name, &named.state)))
                .collect()
        }
        AskedView::Stretch(view) => {
            let named = view.state.iter();
            named.map(|named| (&*named.name, &named.state)).collect()
        }
    };
    for (name, state) in states {
        inner(name, &state.before, 2, &mut found);
    }
    found
}

/// Checks every path; how many there were.
fn check(folder: &Path) -> usize {
    let recorded = JavaRun::open(folder, None, &mut |_, _| {}).unwrap();
    let recorded: Arc<JavaRun> = Arc::new(recorded);
    let questions = Questions::new(Arc::clone(&recorded) as Arc<dyn Recording>);
    let tree: &dyn ExecutionTree = &*recorded;
    let nodes = (0..tree.len().min(ASKED)).map(NodeId);
    let single = nodes.clone().map(Target::Node);
    let groups = nodes.filter_map(|node| {
        let calls: Vec<NodeId> = tree.children(node).take(12).collect();
        (calls.len() > 1).then(|| Target::between(calls[0], calls[calls.len() - 1]))
    });
    let mut count = 0;
    for target in single.chain(groups) {
        let asked = questions.view(target, kind_of(target), Bounds::default());
        for path in printed(&asked) {
            let checked = questions.check_path(target, &path);
            assert_eq!(
                checked,
                Ok(()),
                "{path} of {target:?} in {}",
                folder.display()
            );
            count += 1;
        }
        for wrong in ["this.no_such_field", "nothing", "c[", "Main.no[\"a\"]"] {
            assert!(
                questions.check_path(target, wrong).is_err(),
                "{wrong} of {target:?}"
            );
        }
    }
    count
}

#[test]
fn every_path_that_a_question_prints_is_accepted() {
    let mut count = 0;
    for example in Example::all().unwrap() {
        // These two are stopped from outside.
        if ["endless-loop", "stack-overflow"].contains(&&*example.name) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let file = example
            .main_file(ExampleVersion::Buggy)
            .display()
            .to_string();
        let said = run(folder.path(), ["record", "-o", "t", file.as_str()]);
        assert!(folder.path().join("t").exists(), "{}", said.err);
        count += check(&folder.path().join("t"));
    }
    assert!(count > 1_000, "{count}");
}

const MAPS: &str = "import java.util.*;
public class Main {
    record Point(int x, int y) {}
    enum Day { MON, TUE }
    static class Bank {
        Map<String, Integer> balance = new HashMap<>();
        Map<Point, List<Integer>> at = new LinkedHashMap<>();
        Map<Day, String> days = new EnumMap<>(Day.class);
        Map<Integer, int[]> rows = new TreeMap<>();
        Map<Character, Integer> letters = new HashMap<>();
        Deque<String> queue = new ArrayDeque<>();
        List<String> linked = new LinkedList<>();
        void put(String name) {
            balance.put(name, 3);
            at.computeIfAbsent(new Point(1, 2), key -> new ArrayList<>()).add(7);
            days.put(Day.TUE, name);
            rows.put(5, new int[] {1, 2});
            letters.put(']', 1);
            queue.add(name);
            linked.add(name);
        }
        void remove(String name) { balance.remove(name); rows.clear(); linked.set(0, \"z\"); }
    }
    public static void main(String[] args) {
        Bank bank = new Bank();
        bank.put(\"ann\");
        bank.put(\"a.b]#1\\\"[\");
        bank.remove(\"ann\");
    }
}
";

#[test]
fn keys_and_elements_of_collections_are_paths() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", MAPS);
    let said = run(folder.path(), ["record", "-o", "t", "Main.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let trace = folder.path().join("t");
    assert!(check(&trace) > 50);
    // They are found in the heap as well, so that it can be told where their values came from.
    let recorded = JavaRun::open(&trace, None, &mut |_, _| {}).unwrap();
    let put = recorded.find("Bank.put").unwrap();
    for path in [
        "this.balance[\"ann\"]",
        "this.days[TUE]",
        "this.rows[5]",
        "this.rows[5][1]",
        "this.letters[']']",
        "this.queue[0]",
        "this.linked[0]",
    ] {
        assert_eq!(recorded.check_path(put, path), Ok(()), "{path}");
    }
}
