//! The search inside a call: loops, iterations and statements of recorded calls are trees in which
//! every piece can be found, and `ask` goes on in them down to a line.

use std::path::Path;
use std::sync::Arc;

use crate::support::{run, source};
use askance::dialogue::Calls as _;
use askance::dialogue::Inside as _;
use debug_engine::session::{Answer, Diagnosis, SessionStep};
use debug_engine::transform::NodeKind;
use debug_engine::view::AskedView;
use debug_engine::view::render::Bounds;
use debug_engine::{ExecutionTree, NodeId, Session, SessionOptions, Target};
use inquiry::chosen_transformations::ChosenTransformations;
use java_analysis::inside::InsideCall;
use java_model::run::JavaRun;
use test_support::{Example, ExampleVersion};

const PROGRAM: &str = "\
public class Mean {
    static double mean(int[] values) {
        int sum = 0;
        int count = 0;
        for (int value : values) {
            if (value > 50) {
                sum += 50;
            } else {
                sum += value;
            }
            count++;
        }
        double result = sum / count;
        return result;
    }
    public static void main(String[] args) {
        System.out.println(mean(new int[] {10, 20, 60, 5, 7, 9}));
    }
}
";

fn record(folder: &Path) -> Arc<JavaRun> {
    source(folder, "Mean.java", PROGRAM);
    let said = run(folder, ["record", "-o", "trace", "Mean.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    open(folder)
}

fn open(folder: &Path) -> Arc<JavaRun> {
    let run = JavaRun::open(&folder.join("trace"), None, &mut |_, _| {});
    Arc::new(run.unwrap())
}

fn title(inside: &InsideCall, target: Target) -> String {
    match inside.view(target, NodeKind::Statement, Bounds::default()) {
        AskedView::Stretch(view) => view.title,
        AskedView::Call(_) => panic!("a piece is no call"),
    }
}

/// Searches for one buggy piece with truthful answers.
fn search(inside: &InsideCall, buggy: NodeId, strategy: &str) -> Diagnosis {
    let options = SessionOptions {
        root_is_wrong: true,
        strategy: strategy.to_owned(),
        ..SessionOptions::default()
    };
    let tree = inside.tree();
    let mut session = Session::new(Arc::clone(&tree), options).unwrap();
    loop {
        match session.poll() {
            SessionStep::Done(diagnosis) => return diagnosis,
            SessionStep::Ask(question) => {
                let is_wrong = question.target.contains(&*tree, buggy);
                let answer = if is_wrong { Answer::No } else { Answer::Yes };
                session.answer(answer).unwrap();
            }
        }
    }
}

#[test]
fn a_call_is_cut_into_its_loops_iterations_and_statements() {
    let folder = tempfile::tempdir().unwrap();
    let run = record(folder.path());
    let mean = run.find_method("mean").unwrap();
    let inside = InsideCall::of(Arc::clone(&run), mean, true).unwrap();
    let tree = inside.tree();
    let titles = |parent: NodeId| -> Vec<String> {
        let children = tree.children(parent);
        children.map(|node| title(&inside, node.into())).collect()
    };
    let root = NodeId(0);
    assert_eq!(title(&inside, root.into()), "the whole call");
    let top = titles(root);
    assert_eq!(top[..2], ["line 3", "line 4"]);
    assert_eq!(top[top.len() - 2..], ["line 13", "line 14"]);
    let is_loop = |node: &NodeId| title(&inside, (*node).into()) == "the loop in lines 5–11";
    let found = tree.children(root).find(is_loop).unwrap();
    let iterations: Vec<NodeId> = tree
        .children(found)
        .filter(|&node| title(&inside, node.into()).starts_with("iteration "))
        .collect();
    assert_eq!(iterations.len(), 6);
    // The loop goes on to the next value in its first line.
    let third = ["line 5", "line 6", "line 7", "line 11", "line 5"];
    assert_eq!(titles(iterations[2]), third);
    let fourth = ["line 5", "line 6", "line 9", "line 11", "line 5"];
    assert_eq!(titles(iterations[3]), fourth);
    let several = Target::between(iterations[0], iterations[3]);
    assert_eq!(
        title(&inside, several),
        "iterations 1–4 of the loop in lines 5–11"
    );
    assert_eq!(inside.blamed(iterations[2]).lines, [5, 6, 7, 11]);
}

#[test]
fn every_piece_can_be_found() {
    let folder = tempfile::tempdir().unwrap();
    let run = record(folder.path());
    let mean = run.find_method("mean").unwrap();
    for statements in [false, true] {
        let inside = InsideCall::of(Arc::clone(&run), mean, statements).unwrap();
        for buggy in (0..inside.tree().len()).map(NodeId) {
            for strategy in ["ranges", "top-down", "dq-hirunkitti"] {
                let found = search(&inside, buggy, strategy);
                assert_eq!(found, Diagnosis::Found { node: buggy }, "{strategy}");
            }
        }
    }
}

/// Whatever a recorded call did, its pieces fit into each other, and together they are what ran.
#[test]
fn the_calls_of_all_examples_can_be_cut() {
    const MOST: u32 = 60;
    let mut cut = 0;
    for example in Example::all().unwrap() {
        let folder = tempfile::tempdir().unwrap();
        let file = example
            .main_file(ExampleVersion::Buggy)
            .display()
            .to_string();
        let arguments = ["record", "-o", "trace", "--time-limit", "2", file.as_str()];
        let said = self::run(folder.path(), arguments);
        said.recorded();
        let run = open(folder.path());
        let step = (run.len() / MOST).max(1);
        for node in (0..run.len()).step_by(step as usize).map(NodeId) {
            let Some(inside) = InsideCall::of(Arc::clone(&run), node, true) else {
                continue;
            };
            cut += 1;
            let tree = inside.tree();
            assert_eq!(tree.roots().count(), 1, "{} #{node}", example.name);
            let all = inside.blamed(NodeId(0)).lines.len();
            assert!(all <= tree.len() as usize);
        }
    }
    assert!(cut > 200, "only {cut} calls were cut");
}

#[test]
fn ask_goes_on_inside_the_buggy_call() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    record(folder);
    let answers = |lines: &str| std::fs::write(folder.join("answers"), lines).unwrap();
    let ask = |list: &str| {
        run(
            folder,
            [
                "ask",
                "trace",
                "--answers",
                "answers",
                "--json",
                "--transform",
                list,
            ],
        )
    };
    // mean is wrong; iterations 1–4 are; 1–2 are not; the third is.
    answers("n\nn\ny\nn\n");
    let said = ask("loops");
    let verdict = said.json();
    assert_eq!(
        verdict["piece"], "iteration 3 of the loop in lines 5–11",
        "{}",
        said.err
    );
    assert_eq!(verdict["lines"], serde_json::json!([5, 6, 7, 11]));
    assert_eq!(verdict["outcome"], "found");
    // … lines 5–7 are wrong, line 5 is not, line 6 is not.
    answers("n\nn\ny\nn\nn\ny\ny\n");
    let said = ask("statements");
    assert_eq!(said.json()["piece"], "line 7", "{}", said.err);
    assert_eq!(said.json()["lines"], serde_json::json!([7]));
    // Without the transformation, the search ends with the call; z goes on.
    answers("n\nz\nn\ny\nn\nn\ny\ny\n");
    let said = ask("none");
    assert_eq!(said.json()["lines"], serde_json::json!([7]), "{}", said.err);
    answers("n\n");
    assert_eq!(ask("none").json()["piece"], serde_json::Value::Null);
}

const INVOICE: &str = "\
public class Invoice {
    static int rate = 1;
    static int price(int item) {
        return item == 37 ? item : item * rate;
    }
    static int total(int items) {
        int total = 0;
        for (int item = 0; item < items; item++) {
            rate = 1 + item % 3;
            total += price(item);
        }
        return total;
    }
    public static void main(String[] args) {
        System.out.println(total(64));
    }
}
";

/// The loop writes what its calls read, so that nothing chains them; its iterations follow each other
/// all the same.
#[test]
fn iterations_are_asked_about_on_the_way_to_a_call() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    source(folder, "Invoice.java", INVOICE);
    let said = run(folder, ["record", "-o", "trace", "Invoice.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let java = open(folder);
    let total = java.find_method("total").unwrap();
    // One loop, and an iteration for each call.
    assert_eq!(java.loops(total).len(), 65);
    let questions = |list: &str, bug: NodeId| {
        let wanted = ChosenTransformations::parse(list).unwrap();
        let options = SessionOptions {
            transformations: wanted.transformations(&|_| Default::default()),
            ..SessionOptions::default()
        };
        let tree: Arc<dyn ExecutionTree> = Arc::<JavaRun>::clone(&java);
        let mut session = Session::new(tree, options).unwrap();
        let mut about_iterations = 0;
        for asked in 0.. {
            match session.poll() {
                SessionStep::Done(diagnosis) => {
                    assert_eq!(diagnosis, Diagnosis::Found { node: bug }, "{list}");
                    return (asked, about_iterations);
                }
                SessionStep::Ask(question) => {
                    about_iterations += u32::from(question.target.is_piece());
                    let is_wrong = question.target.contains(&*java, bug);
                    let answer = if is_wrong { Answer::No } else { Answer::Yes };
                    session.answer(answer).unwrap();
                }
            }
        }
        unreachable!("the search ends")
    };
    let bug = java.loops(total)[38].first;
    let (without, none) = questions("none", bug);
    let (with, some) = questions("loops", bug);
    assert!(without > 30 && none == 0, "{without}");
    assert!(
        with <= 8 && some >= 5,
        "{with} questions, {some} of them about iterations"
    );
}

#[test]
fn loops_are_switched_on_in_the_middle_of_a_dialogue() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    source(folder, "Invoice.java", INVOICE);
    run(folder, ["record", "-o", "trace", "Invoice.java"]);
    // The 38th iteration is wrong, and so is the call that it makes.
    let lines = "x loops\ny\nn\nn\ny\nn\ny\nn\n";
    std::fs::write(folder.join("answers"), lines).unwrap();
    let said = run(
        folder,
        [
            "ask",
            "trace",
            "--strategy",
            "ranges",
            "--answers",
            "answers",
            "--json",
        ],
    );
    for title in [
        "iterations 1–32 of the loop in lines 8–10",
        "iterations 33–48 of the loop in lines 8–10",
        "iterations 37–38 of the loop in lines 8–10",
    ] {
        assert!(said.err.contains(title), "{title}: {}", said.err);
    }
    assert_eq!(said.json()["method"], "price", "{}", said.err);
    // The same iteration, but what it called is right: the loop is to blame, and nothing is asked twice.
    let lines = "x loops\ny\nn\nn\ny\nn\ny\ny\n";
    std::fs::write(folder.join("answers"), lines).unwrap();
    let said = run(
        folder,
        [
            "ask",
            "trace",
            "--strategy",
            "ranges",
            "--answers",
            "answers",
            "--json",
        ],
    );
    let verdict = said.json();
    assert_eq!(verdict["method"], "total", "{}", said.err);
    assert_eq!(verdict["piece"], "iteration 38 of the loop in lines 8–10");
}
