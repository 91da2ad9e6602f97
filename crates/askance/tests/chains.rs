//! Chains in recorded programs: whatever the index calls a chain is one by Definition 7 of *Balanced
//! Execution Trees*, checked on the state itself — what the calls of a chain can reach is the same
//! at the end of one of them and at the beginning of the next.

use std::collections::BTreeSet;

use crate::support::run;
use debug_engine::view::ValueView;
use debug_engine::view::render::{Bounds, Purpose};
use debug_engine::{ExecutionTree, NodeId, Target};
use java_model::run::JavaRun;
use java_model::statics::own;
use java_model::values::Viewer;
use test_support::{Example, ExampleVersion, Fixture, Jdk};
use trace_format::{TraceTime, Value};

const BOUNDS: Bounds = Bounds {
    width: 200,
    depth: 8,
    string: 80,
    length: usize::MAX,
    changes: 100,
    calls: 3,
    rows: usize::MAX,
    purpose: Purpose::Question,
};

/// Everything that the calls can see of the state at a time.
fn state(run: &JavaRun, calls: &[NodeId], at: TraceTime) -> Vec<ValueView> {
    let mut roots = BTreeSet::new();
    let mut statics = BTreeSet::new();
    for &node in calls {
        let call = run.call(node).unwrap();
        let is_constructor = run.method_names(call.method).name == "<init>";
        let this = call.this.filter(|_| !is_constructor);
        let arguments = call.arguments.iter().copied();
        roots.extend(
            arguments
                .chain(this.map(Value::Ref))
                .filter_map(|value| match value {
                    Value::Ref(object) => Some(object),
                    _ => None,
                }),
        );
        let reach = run.statics_below().reach(run, call.method);
        statics.extend(reach.statics.iter().cloned());
    }
    let view = |value| Viewer::new(run, at, BOUNDS).view(value);
    let values = statics.iter().filter_map(|name| run.static_value(name, at));
    let roots = roots.into_iter().map(Value::Ref);
    roots.chain(values).map(view).collect()
}

/// All chains of a run, each as the list of its calls.
fn chains(run: &JavaRun) -> Vec<Vec<NodeId>> {
    let mut found = Vec::new();
    for node in (0..run.len()).map(NodeId) {
        let (first, last) = run.chain_around(node).unwrap();
        assert!(first <= node && node <= last);
        assert_eq!(run.parent(first), run.parent(node));
        assert_eq!(run.chained_to_next(node), node != last);
        if node == first && node != last {
            found.push(Target::between(first, last).members(run).collect());
        }
    }
    found
}

fn open(folder: &std::path::Path) -> JavaRun {
    JavaRun::open(&folder.join("trace"), None, &mut |_, _| {}).unwrap()
}

/// What methods reach is told by numbers of fields; here by the names that the code of each method below has.
fn check_reach(run: &JavaRun) {
    for method in run.methods() {
        let reach = run.statics_below().reach(run, method);
        let codes: Vec<_> = reach.methods.iter().map(|&below| run.code(below)).collect();
        let named = codes.iter().flat_map(|code| &code.statics);
        let named: BTreeSet<_> = named.filter_map(|name| own(run, name)).collect();
        let statics: BTreeSet<_> = reach.statics.iter().map(|name| (**name).clone()).collect();
        assert_eq!(statics, named, "{:?}", run.method_names(method));
        assert_eq!(reach.has_output, codes.iter().any(|code| code.has_output));
        assert_eq!(reach.has_input, codes.iter().any(|code| code.has_input));
        assert_eq!(reach.has_chance, codes.iter().any(|code| code.has_chance));
        let gives = codes.iter().any(|code| code.gives_outside);
        assert_eq!(reach.gives_outside, gives);
    }
}

#[test]
fn what_the_calls_of_a_chain_can_reach_does_not_change_between_them() {
    /// Longer chains, and more of them, are not looked at: views take their time.
    const MOST: usize = 20;
    let mut all = 0;
    for example in Example::all().unwrap() {
        let folder = tempfile::tempdir().unwrap();
        let file = example
            .main_file(ExampleVersion::Buggy)
            .display()
            .to_string();
        let arguments = ["record", "-o", "trace", "--time-limit", "3", file.as_str()];
        let said = run(folder.path(), arguments);
        said.recorded();
        let run = open(folder.path());
        check_reach(&run);
        for chain in chains(&run).iter().take(MOST) {
            all += 1;
            let chain = &chain[..chain.len().min(MOST)];
            for pair in chain.windows(2) {
                let end = run.call(pair[0]).unwrap().exit_time;
                let start = run.call(pair[1]).unwrap().entry_time;
                assert_eq!(
                    state(&run, chain, end),
                    state(&run, chain, start),
                    "{}: between {} and {}",
                    example.name,
                    pair[0],
                    pair[1]
                );
            }
        }
    }
    assert!(all > 100, "only {all} chains in all examples");
}

/// Records a program and names the calls of each chain under `main`.
fn chains_in(source: &str) -> Vec<Vec<String>> {
    let jdk = Jdk::compiler().unwrap();
    let fixture = Fixture::new().source("Main.java", source).jdk(jdk);
    let classes = fixture.compile().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let java = jdk.java().display().to_string();
    let class_path = classes.dir().display().to_string();
    let command = [
        "record",
        "-o",
        "trace",
        "--",
        &java,
        "-cp",
        &class_path,
        "Main",
    ];
    let said = self::run(folder.path(), command);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let run = open(folder.path());
    let main = run.find_method("main").unwrap();
    let name = |node: &NodeId| {
        let names = run.method_names(run.method(*node));
        names.name.to_owned()
    };
    chains(&run)
        .iter()
        .filter(|chain| run.parent(chain[0]) == Some(main))
        .map(|chain| chain.iter().map(name).collect())
        .collect()
}

#[test]
fn a_write_breaks_a_chain_if_one_of_its_calls_can_see_it() {
    let source = r#"
        class Item { int price; Item(int price) { this.price = price; } int cost() { return price; } }
        class Main {
            static int total;
            static int twice(int n) { return 2 * n; }
            static int addTotal(int n) { return total + n; }
            public static void main(String[] args) {
                Item item = new Item(3);
                int sum = item.cost() + item.cost();
                item.price = 4;                          // seen by cost
                sum += item.cost();
                total = item.cost();                     // not seen by cost
                sum += item.cost();
                sum += addTotal(1);                      // sees what was written before
                total = addTotal(2);
                sum += addTotal(3);
                int[] numbers = new int[3];
                numbers[0] = twice(1);                   // twice sees nothing at all
                numbers[1] = twice(2);
                numbers[2] = twice(3);
                System.out.println(sum + numbers[1]);
            }
        }
    "#;
    let expected = [
        vec!["<init>", "cost", "cost"],
        vec!["cost", "cost", "cost"],
        vec!["addTotal", "addTotal"],
        vec!["addTotal", "twice", "twice", "twice"],
    ];
    assert_eq!(chains_in(source), expected);
}
