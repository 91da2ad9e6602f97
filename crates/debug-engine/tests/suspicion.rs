//! Suspicion decides in which order questions come, and nothing else.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use crate::support;

use std::sync::Arc;

use crate::support::{ended_sketches, questions_to};
use debug_engine::session::Question;
use debug_engine::tree::SketchTree;
use debug_engine::{ExecutionTree, NodeId, RoutineId, Session, SessionOptions, Target, strategy};
use proptest::prelude::*;

/// The questions that lead to a planted bug, with truthful answers.
fn questions(
    tree: &Arc<dyn ExecutionTree>,
    strategy: &str,
    bug: NodeId,
    scores: &[(RoutineId, f64)],
) -> Vec<Target> {
    let options = SessionOptions {
        root_is_wrong: true,
        strategy: strategy.to_owned(),
        ..SessionOptions::default()
    };
    let mut session = Session::new(Arc::clone(tree), options).unwrap();
    session.set_suspicion(scores);
    let asked = questions_to(&mut session, bug);
    let tells = |question: &Question| {
        question.suspects_after_no < question.suspects_left
            && question.suspects_after_yes < question.suspects_left
    };
    assert!(asked.iter().all(tells), "{strategy} asks what is known");
    asked.iter().map(|question| question.target).collect()
}

#[test]
fn one_suspicious_call_among_many_is_asked_about_at_once() {
    // A root with 16 calls, each with one call of its own.
    let parents: Vec<i64> = (0..33)
        .map(|node| match node {
            0 => -1,
            odd if odd % 2 == 1 => 0,
            even => even - 1,
        })
        .collect();
    let tree = SketchTree::from_signed_parents(&parents).unwrap();
    let tree: Arc<dyn ExecutionTree> = Arc::new(tree.with_routines((0..33).map(RoutineId)));
    let bug = NodeId(22);
    for name in ["top-down", "dq-hirunkitti", "ranges", "heaviest-first"] {
        let plain = questions(&tree, name, bug, &[]).len();
        let scores = [(RoutineId(22), 0.9), (RoutineId(3), 0.2)];
        let weighed = questions(&tree, name, bug, &scores);
        assert_eq!(weighed, [Target::Node(bug)], "{name}");
        assert!(plain > 3, "{name}: {plain}");
        // Suspicion that is wrong costs a question, not the diagnosis.
        let misled = questions(&tree, name, bug, &[(RoutineId(4), 1.0)]).len();
        assert!(misled <= plain + 1, "{name}: {misled} instead of {plain}");
    }
}

proptest! {
    #![proptest_config(support::config(48))]

    #[test]
    fn whatever_is_suspected_the_bug_is_found(
        tree in ended_sketches(40, false),
        bug in any::<prop::sample::Index>(),
        scores in prop::collection::vec(0.0..1.0f64, 8),
        name in prop::sample::select(strategy::ALL.iter().map(|info| info.name).collect::<Vec<_>>()),
    ) {
        let tree = tree.with_routines((0..40).map(|node| RoutineId(node % 8)));
        let bug = NodeId(bug.index(tree.len() as usize) as u32);
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
        let scores: Vec<_> = (0..).map(RoutineId).zip(scores).collect();
        let asked = questions(&tree, name, bug, &scores);
        prop_assert!(asked.len() <= tree.len() as usize + 1, "{}", name);
    }
}
