//! Loops and iterations as nodes: what they save, and that the answers about them are kept.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use std::sync::Arc;

use debug_engine::transform::{NodeKind, Overlay, Transformations};
use debug_engine::tree::LoopPiece;
use debug_engine::tree::SketchTree;
use debug_engine::{
    Answer, Diagnosis, ExecutionTree, NodeId, Session, SessionOptions, SessionStep, Target,
    strategy,
};

/// `main` calls something in each of so many iterations of a loop; nothing is chained, because the loop
/// writes in between.
fn looped(iterations: u32) -> Arc<SketchTree> {
    let parents = std::iter::once(-1).chain((0..iterations).map(|_| 0));
    let tree = SketchTree::from_signed_parents(&parents.collect::<Vec<_>>()).unwrap();
    let whole = LoopPiece {
        is_loop: true,
        first: NodeId(1),
        last: NodeId(iterations),
    };
    let iterations = (1..=iterations).map(NodeId).map(|call| LoopPiece {
        is_loop: false,
        first: call,
        last: call,
    });
    Arc::new(tree.with_loops(NodeId(0), std::iter::once(whole).chain(iterations)))
}

/// Expanding loops, and nothing else.
fn loops() -> Transformations {
    Transformations {
        loops: true,
        ..Transformations::default()
    }
}

fn session(tree: &Arc<SketchTree>, strategy: &str, transformations: Transformations) -> Session {
    let options = SessionOptions {
        root_is_wrong: true,
        strategy: strategy.to_owned(),
        transformations,
        ..SessionOptions::default()
    };
    Session::new(Arc::<SketchTree>::clone(tree), options).unwrap()
}

/// The call that is found if this one is to blame, and the number of questions.
fn search(mut session: Session, bug: NodeId) -> (Diagnosis, usize) {
    for questions in 0..10_000 {
        match session.poll() {
            SessionStep::Done(diagnosis) => return (diagnosis, questions),
            SessionStep::Ask(question) => {
                let tree = Arc::clone(session.tree());
                let answer = match question.target.contains(&*tree, bug) {
                    true => Answer::No,
                    false => Answer::Yes,
                };
                session.answer(answer).unwrap();
            }
        }
    }
    panic!("the search does not end");
}

#[test]
fn a_loop_of_a_thousand_iterations_is_halved() {
    let tree = looped(1000);
    // Two thousand suspects: the calls, and the code around each of them.
    for (name, most) in [("ranges", 12), ("dq-hirunkitti", 12), ("top-down", 24)] {
        for bug in [1, 500, 617, 1000].map(NodeId) {
            let (found, questions) = search(session(&tree, name, loops()), bug);
            assert_eq!(found, Diagnosis::Found { node: bug }, "{name}");
            assert!(
                questions <= most,
                "{name}: {questions} questions for #{bug}"
            );
        }
    }
}

#[test]
fn it_never_takes_more_questions_than_without_over_all_calls() {
    let tree = looped(24);
    for info in strategy::ALL
        .iter()
        .filter(|info| info.name != "single-stepping")
    {
        let total = |transformations: &Transformations| -> usize {
            let bugs = (0..tree.len()).map(NodeId);
            bugs.map(|bug| {
                let (found, questions) =
                    search(session(&tree, info.name, transformations.clone()), bug);
                assert_eq!(found, Diagnosis::Found { node: bug }, "{}", info.name);
                questions
            })
            .sum()
        };
        let (with, without) = (total(&loops()), total(&Transformations::default()));
        assert!(with < without, "{}: {with} and {without}", info.name);
    }
}

#[test]
fn a_wrong_iteration_with_right_calls_is_its_callers_fault() {
    let tree = looped(16);
    let mut session = session(&tree, "ranges", loops());
    let spot = NodeId(11);
    let found = loop {
        match session.poll() {
            SessionStep::Done(diagnosis) => break diagnosis,
            SessionStep::Ask(question) => {
                let is_wrong = question.target.is_piece() && question.target.contains(&*tree, spot);
                let answer = if is_wrong { Answer::No } else { Answer::Yes };
                session.answer(answer).unwrap();
            }
        }
    };
    assert_eq!(found, Diagnosis::Found { node: NodeId(0) });
    let piece = Target::Piece {
        first: spot,
        last: spot,
    };
    assert_eq!(session.space().wrong_piece(), Some(piece));
}

#[test]
fn loops_are_switched_off_and_on_without_losing_an_answer() {
    let tree = looped(32);
    let mut session = session(&tree, "dq-hirunkitti", loops());
    let SessionStep::Ask(question) = session.poll() else {
        panic!("there is something to ask");
    };
    assert!(question.target.is_piece(), "{question:?}");
    session.answer(Answer::No).unwrap();
    let narrowed = session.space().suspects();
    let next = session.poll();
    session.set_transformations(Transformations::default());
    assert_eq!(session.space().suspects(), narrowed);
    let SessionStep::Ask(question) = session.poll() else {
        panic!("there is something to ask");
    };
    assert_eq!(question.kind, NodeKind::Routine);
    session.set_transformations(loops());
    assert_eq!(session.poll(), next);
    let saved = serde_json::to_string(&session.save()).unwrap();
    let saved = serde_json::from_str(&saved).unwrap();
    let mut resumed = Session::resume(Arc::clone(session.tree()), saved).unwrap();
    assert_eq!(resumed.poll(), next);
}

#[test]
fn loops_inside_iterations_are_nodes_inside_them() {
    let tree = SketchTree::from_signed_parents(&[-1, 0, 0, 0, 0, 0]).unwrap();
    let piece = |is_loop, first, last| LoopPiece {
        is_loop,
        first: NodeId(first),
        last: NodeId(last),
    };
    // Iteration 1 calls 1 and then 2 and 3 in a loop of its own; iteration 2 calls 4; 5 comes later.
    let pieces = [
        piece(true, 1, 4),
        piece(false, 1, 3),
        piece(true, 2, 3),
        piece(false, 2, 2),
        piece(false, 3, 3),
        piece(false, 4, 4),
    ];
    let tree: Arc<dyn ExecutionTree> = Arc::new(tree.with_loops(NodeId(0), pieces));
    let overlay = Overlay::of_tree(&tree, &loops());
    let nodes = (0..overlay.len()).map(NodeId).map(|node| {
        let target = overlay.to_base(Target::Node(node));
        let depth = std::iter::successors(overlay.parent(node), |&up| overlay.parent(up)).count();
        format!("{}{:?} {target}", "  ".repeat(depth), overlay.kind(node))
    });
    let expected = "\
Routine 0
  Loop piece 1..=4
    Iteration piece 1..=3
      Routine 1
      Loop piece 2..=3
        Iteration piece 2..=2
          Routine 2
        Iteration piece 3..=3
          Routine 3
    Iteration piece 4..=4
      Routine 4
  Routine 5";
    assert_eq!(nodes.collect::<Vec<_>>().join("\n"), expected);
}
