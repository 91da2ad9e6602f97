//! Every strategy with every transformation finds the planted bug in the example programs, with the
//! chains and the coverage of the real recordings; and `ask` takes transformations by name.

use std::sync::Arc;

use crate::support::recorded::Recorded;
use crate::support::run;
use debug_engine::session::{Answer, Diagnosis, SessionStep};
use debug_engine::strategy::{self, Coverage, CoverageMetric};
use debug_engine::{ExecutionTree, NodeId, Session, SessionOptions};
use inquiry::chosen_transformations::ChosenTransformations;
use java_analysis::recording::Recording;
use java_model::run::JavaRun;
use test_support::{Example, ExampleVersion};

/// Larger trees take some strategies thousands of questions.
const LARGEST: u32 = 150;

/// What the calls of a run covered, in each way.
fn coverage(run: &Arc<JavaRun>) -> Vec<(CoverageMetric, Arc<dyn Coverage>)> {
    CoverageMetric::ALL
        .map(|metric| (metric, Arc::clone(run).coverage(metric, true).unwrap()))
        .into()
}

/// Searches for one buggy call with truthful answers; gives what was found and how many questions
/// it took.
fn search(
    run: &Arc<JavaRun>,
    buggy: NodeId,
    strategy: &str,
    wanted: &ChosenTransformations,
    coverage: &[(CoverageMetric, Arc<dyn Coverage>)],
) -> (Diagnosis, usize) {
    let tree: Arc<dyn ExecutionTree> = Arc::clone(run) as Arc<dyn ExecutionTree>;
    let options = SessionOptions {
        strategy: strategy.to_owned(),
        trusted: run.never_asked(),
        transformations: wanted.transformations(&|glob| run.routines_named(glob)),
        ..SessionOptions::default()
    };
    let mut session = Session::new(Arc::clone(&tree), options).unwrap();
    for (metric, coverage) in coverage {
        session.set_coverage(*metric, Arc::clone(coverage), None);
    }
    let mut questions = 0;
    loop {
        match session.poll() {
            SessionStep::Done(diagnosis) => return (diagnosis, questions),
            SessionStep::Ask(question) => {
                questions += 1;
                let is_wrong = question.target.contains(&*tree, buggy);
                let answer = if is_wrong { Answer::No } else { Answer::Yes };
                session.answer(answer).unwrap();
            }
        }
    }
}

#[test]
fn every_strategy_finds_the_planted_bug_in_every_tree_of_the_same_execution() {
    let lists = [
        "",
        "balance",
        "unrestricted,chain=2..5",
        "compress",
        "balance,compress",
        "loops",
        "balance,loops",
    ];
    let mut tried = 0;
    for example in Example::all().unwrap() {
        let folder = tempfile::tempdir().unwrap();
        let file = example
            .main_file(ExampleVersion::Buggy)
            .display()
            .to_string();
        let arguments = ["record", "-o", "trace", "--time-limit", "2", file.as_str()];
        let said = run(folder.path(), arguments);
        said.recorded();
        let open = JavaRun::open(&folder.path().join("trace"), None, &mut |_, _| {});
        let run = Arc::new(open.unwrap());
        let is_planted = |node: &NodeId| {
            let names = run.method_names(run.method(*node));
            names.class.replace('/', ".") == example.class && names.name == example.method
        };
        let mut planted = (0..run.len()).map(NodeId).filter(is_planted);
        let Some(buggy) = planted.next().filter(|&node| run.is_complete(node)) else {
            continue;
        };
        if run.len() > LARGEST {
            continue;
        }
        let coverage = coverage(&run);
        for info in strategy::ALL {
            for list in lists {
                let wanted = ChosenTransformations::parse(list).unwrap();
                let (diagnosis, _) = search(&run, buggy, info.name, &wanted, &coverage);
                let found = Diagnosis::Found { node: buggy };
                assert_eq!(diagnosis, found, "{}: {} {list:?}", example.name, info.name);
                tried += 1;
            }
        }
    }
    assert!(tried > 300, "only {tried} searches");
}

#[test]
fn a_closed_collapse_ends_with_all_its_calls() {
    let recorded = Recorded::new("castling");
    let open = JavaRun::open(&recorded.folder.path().join("trace"), None, &mut |_, _| {});
    let run = Arc::new(open.unwrap());
    let left = run.find_method("Position.left").unwrap();
    let open = search(
        &run,
        left,
        "dq-hirunkitti",
        &ChosenTransformations::parse("balance").unwrap(),
        &[],
    );
    assert_eq!(open.0, Diagnosis::Found { node: left });
    let closed = ChosenTransformations::parse("balance,closed").unwrap();
    let (diagnosis, questions) = search(&run, left, "dq-hirunkitti", &closed, &[]);
    assert!(diagnosis.nodes().contains(&left) && diagnosis.nodes().len() > 1);
    assert!(questions < open.1);
    let routine = run.routine(left);
    assert!(
        diagnosis
            .nodes()
            .iter()
            .all(|&node| run.routine(node) == routine)
    );
}

/// The castling of *Balanced Execution Trees*, examples 2 and 3: a call that makes five moves is
/// blamed after six questions in the recorded tree and after three in the balanced one.
#[test]
fn castling_takes_six_questions_and_balanced_three() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
        public class Castling {
            int x;
            void right() { x++; }
            void left() { x--; }
            static void castle(Castling rook, Castling king) {
                for (int i = 0; i < 3; i++) rook.right();
                for (int i = 0; i < 2; i++) king.left();
            }
            public static void main(String[] args) { castle(new Castling(), new Castling()); }
        }";
    crate::support::source(folder.path(), "Castling.java", program);
    let said = run(folder.path(), ["record", "-o", "trace", "Castling.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let open = JavaRun::open(&folder.path().join("trace"), None, &mut |_, _| {});
    let run = Arc::new(open.unwrap());
    let castle = run.find_method("castle").unwrap();
    let questions = |list: &str| {
        let tree: Arc<dyn ExecutionTree> = Arc::clone(&run) as Arc<dyn ExecutionTree>;
        let wanted = ChosenTransformations::parse(list).unwrap();
        let options = SessionOptions {
            root: Some(castle),
            strategy: "dq-hirunkitti".to_owned(),
            transformations: wanted.transformations(&|glob| run.routines_named(glob)),
            ..SessionOptions::default()
        };
        let mut session = Session::new(tree, options).unwrap();
        while let SessionStep::Ask(question) = session.poll() {
            let is_wrong = question.node == castle;
            let answer = if is_wrong { Answer::No } else { Answer::Yes };
            session.answer(answer).unwrap();
        }
        assert_eq!(
            session.poll(),
            SessionStep::Done(Diagnosis::Found { node: castle })
        );
        session.log().len()
    };
    assert_eq!(questions(""), 6);
    let balanced = questions("balance");
    assert!(balanced <= 3, "{balanced} questions");
}

#[test]
fn inlined_methods_are_a_part_of_their_callers() {
    let recorded = Recorded::new("castling");
    let open = JavaRun::open(&recorded.folder.path().join("trace"), None, &mut |_, _| {});
    let run = Arc::new(open.unwrap());
    let castle = run.find_method("Chess.castleLong").unwrap();
    let wanted = ChosenTransformations::parse("inline=Position.*").unwrap();
    let (diagnosis, few) = search(&run, castle, "top-down", &wanted, &[]);
    assert_eq!(diagnosis, Diagnosis::Found { node: castle });
    let (_, many) = search(
        &run,
        castle,
        "top-down",
        &ChosenTransformations::default(),
        &[],
    );
    assert!(few < many, "{few} and {many} questions");
}

#[test]
fn transformations_are_named_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    for (option, words) in [
        (
            "--transform",
            "balance          put chains of calls together",
        ),
        ("--strategy", "* ranges"),
    ] {
        let said = run(folder.path(), ["ask", option, "help"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert!(said.out.contains(words), "{}", said.out);
        assert!(!said.out.contains("error"), "{}", said.out);
    }
    let said = run(folder.path(), ["ask", "trace", "--transform", "balanse"]);
    said.refused(2, "there is no transformation \"balanse\"");
    let said = run(folder.path(), ["ask", "trace", "--coverage-p", "2"]);
    said.refused(2, "a number from 0 to 1 is wanted");
    let both = [
        "ask",
        "trace",
        "--transform",
        "ranges",
        "--strategy",
        "top-down",
    ];
    run(folder.path(), both).refused(2, "leave out one of them");
}

#[test]
fn a_question_about_several_calls_is_told_to_programs_too() {
    let recorded = Recorded::new("castling");
    let said = recorded.say(
        "ask",
        &[
            "--transform",
            "balance",
            "--root",
            "Chess.castleLong",
            "--json",
        ],
    );
    assert_eq!(said.code, Some(1), "{}", said.err);
    let question = &said.json()["question"];
    assert_eq!(question["kind"], "projection", "{question}");
    let title = "4 calls (Position.right ×3, Position.left ×1)";
    assert_eq!(question["title"], title, "{question}");
    assert_eq!(question["calls"].as_array().unwrap().len(), 4);
    let rook = &question["state"][0];
    let x = |side: &str| rook[side]["children"][0]["value"]["text"].clone();
    assert_eq!((x("before"), x("after")), ("1".into(), "4".into()));
}
