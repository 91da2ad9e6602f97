//! Short questions are preferred, and the bug is found all the same.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use crate::support;

use std::sync::Arc;

use crate::support::{ended_sketches, questions_to};
use debug_engine::session::QuestionCost;
use debug_engine::tree::SketchTree;
use debug_engine::{ExecutionTree, NodeId, Session, SessionOptions, Target, strategy};
use proptest::prelude::*;

/// The signs of each node's question.
struct Signs(Vec<u64>);

impl QuestionCost for Signs {
    fn signs(&self, target: Target) -> u64 {
        let nodes = target.first().0..=target.last().0;
        nodes.map(|node| self.0[node as usize % self.0.len()]).sum()
    }
}

/// The questions that lead to a planted bug, with truthful answers.
fn questions(
    tree: &Arc<dyn ExecutionTree>,
    strategy: &str,
    bug: NodeId,
    signs: Option<Vec<u64>>,
) -> Vec<Target> {
    let options = SessionOptions {
        root_is_wrong: true,
        strategy: strategy.to_owned(),
        ..SessionOptions::default()
    };
    let mut session = Session::new(Arc::clone(tree), options).unwrap();
    session.set_question_cost(signs.map(|signs| Arc::new(Signs(signs)) as Arc<dyn QuestionCost>));
    let asked = questions_to(&mut session, bug);
    asked.iter().map(|question| question.target).collect()
}

#[test]
fn of_two_questions_that_tell_the_same_the_shorter_one_is_asked() {
    // Two calls of the root with three calls each.
    let tree = SketchTree::from_signed_parents(&[-1, 0, 1, 1, 1, 0, 5, 5, 5]).unwrap();
    let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
    for (long, short) in [(1, 5), (5, 1)] {
        let mut signs = vec![10; 9];
        signs[long] = 5000;
        let asked = questions(&tree, "dq-hirunkitti", NodeId(short as u32), Some(signs));
        assert_eq!(asked[0], Target::Node(NodeId(short as u32)));
        assert!(!asked.contains(&Target::Node(NodeId(long as u32))));
    }
}

proptest! {
    #![proptest_config(support::config(48))]

    #[test]
    fn whatever_questions_cost_the_bug_is_found(
        tree in ended_sketches(40, false),
        bug in any::<prop::sample::Index>(),
        signs in prop::collection::vec(0..5000u64, 1..20),
        name in prop::sample::select(strategy::ALL.iter().map(|info| info.name).collect::<Vec<_>>()),
    ) {
        let bug = NodeId(bug.index(tree.len() as usize) as u32);
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
        let asked = questions(&tree, name, bug, Some(signs));
        prop_assert!(asked.len() <= tree.len() as usize + 1, "{}", name);
        // Where all questions are equally long, the strategy is left alone.
        let even = questions(&tree, "dq-optimal", bug, Some(vec![7]));
        prop_assert_eq!(even, questions(&tree, "dq-optimal", bug, None));
    }
}
