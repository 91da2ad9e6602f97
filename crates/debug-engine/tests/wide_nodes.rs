//! Calls that made very many calls: what is skipped there must not change the choice, and little is
//! looked at for a question.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::support::config;
use debug_engine::tree::{SizeMaxima, SketchTree};
use debug_engine::{
    Answer, ExecutionTree, NodeId, RoutineId, Session, SessionOptions, SessionStep,
};
use proptest::prelude::*;

/// A root with this many children, of which every third made a call itself, and every tenth four.
fn wide(children: u32) -> SketchTree {
    let mut parents = vec![None];
    for child in 0..children {
        let node = NodeId(parents.len() as u32);
        parents.push(Some(NodeId(0)));
        let below = match child {
            child if child % 10 == 0 => 4,
            child if child % 3 == 0 => 1,
            _ => 0,
        };
        parents.extend(std::iter::repeat_n(Some(node), below));
    }
    SketchTree::from_parents(parents).unwrap()
}

/// How unevenly the question splits the suspects, and how evenly the best one would.
fn splits(session: &Session, asked: NodeId) -> (u64, u64) {
    let space = session.space();
    let all = space.suspects();
    let distance = |node| (2 * space.weight(node)).abs_diff(all);
    let best = space.askable().map(distance).min().unwrap();
    (distance(asked), best)
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn the_most_even_split_is_found_whatever_was_answered(
        answers in prop::collection::vec(0u32..12, 1..400),
        children in 300u32..600,
    ) {
        let tree: Arc<dyn ExecutionTree> = Arc::new(wide(children));
        let options = SessionOptions {
            root_is_wrong: true,
            strategy: "dq-hirunkitti".to_owned(),
            ..SessionOptions::default()
        };
        let mut session = Session::new(tree, options).unwrap();
        for answer in answers {
            let SessionStep::Ask(question) = session.poll() else {
                break;
            };
            let (distance, best) = splits(&session, question.node);
            prop_assert_eq!(distance, best);
            match answer {
                0..6 => session.answer(Answer::DontKnow).unwrap(),
                6..10 => session.answer(Answer::Yes).unwrap(),
                10 => drop(session.undo()),
                _ => {
                    // Somebody looks elsewhere for a moment, in what was ruled out perhaps.
                    let elsewhere = NodeId(1);
                    session.judge(elsewhere, Answer::No, debug_engine::AnswerSource::Person).unwrap();
                    session.poll();
                    session.undo();
                }
            }
        }
    }
}

/// Thousands of calls that nobody can judge: each is passed over once, not once for each question.
#[test]
fn many_unanswered_questions_end_in_an_honest_set() {
    let children = 2_000;
    let tree: Arc<dyn ExecutionTree> = Arc::new(wide(children));
    let nodes = tree.len() as usize;
    let options = SessionOptions {
        strategy: "dq-hirunkitti".to_owned(),
        ..SessionOptions::default()
    };
    let mut session = Session::new(tree, options).unwrap();
    let mut questions = 0;
    while let SessionStep::Ask(_) = session.poll() {
        session.answer(Answer::DontKnow).unwrap();
        questions += 1;
    }
    assert_eq!(questions, nodes);
}

/// A tree that counts how often it is asked for something.
struct Counting {
    tree: SketchTree,
    maxima: SizeMaxima,
    looks: AtomicU64,
}

impl Counting {
    fn new(tree: SketchTree) -> Self {
        let maxima = SizeMaxima::build(&tree);
        let looks = AtomicU64::new(0);
        Counting {
            tree,
            maxima,
            looks,
        }
    }

    fn look(&self) -> &SketchTree {
        self.looks.fetch_add(1, Ordering::Relaxed);
        &self.tree
    }
}

impl ExecutionTree for Counting {
    fn len(&self) -> u32 {
        self.tree.len()
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.look().parent(node)
    }

    fn subtree_size(&self, node: NodeId) -> u32 {
        self.look().subtree_size(node)
    }

    fn is_complete(&self, node: NodeId) -> bool {
        self.look().is_complete(node)
    }

    fn routine(&self, node: NodeId) -> RoutineId {
        self.look().routine(node)
    }

    fn first_largest(&self, range: Range<u32>) -> Option<(u32, NodeId)> {
        let size = |position| self.subtree_size(NodeId(position));
        self.maxima.first_largest(range, size)
    }
}

/// How many looks at the tree so many questions take, all answered alike.
fn looks(tree: SketchTree, strategy: &str, answer: &Answer, questions: u64) -> u64 {
    let counting = Arc::new(Counting::new(tree));
    let tree: Arc<dyn ExecutionTree> = Arc::clone(&counting) as _;
    let options = SessionOptions {
        root_is_wrong: true,
        strategy: strategy.to_owned(),
        ..SessionOptions::default()
    };
    let mut session = Session::new(tree, options).unwrap();
    counting.looks.store(0, Ordering::Relaxed);
    for _ in 0..questions {
        let SessionStep::Ask(_) = session.poll() else {
            panic!("{strategy}: nothing to ask");
        };
        session.answer(answer.clone()).unwrap();
    }
    counting.looks.load(Ordering::Relaxed)
}

/// The strategies that are meant for trees of any size.
const FOR_ANY_SIZE: [&str; 7] = [
    "top-down",
    "top-down-zooming",
    "heaviest-first",
    "dq-shapiro",
    "dq-hirunkitti",
    "dq-optimal",
    "ranges",
];

#[test]
fn a_question_below_a_wide_call_looks_at_few_of_its_children() {
    let children = 100_000;
    for strategy in FOR_ANY_SIZE {
        let looks = looks(wide(children), strategy, &Answer::Yes, 200);
        assert!(looks < 200 * 16_000, "{strategy}: {looks}");
    }
}

#[test]
fn what_nobody_knows_is_passed_over_and_not_walked_along() {
    let check = |tree: fn() -> SketchTree, strategy: &str| {
        let few = looks(tree(), strategy, &Answer::DontKnow, 300);
        let many = looks(tree(), strategy, &Answer::DontKnow, 3_000);
        assert!(many < 12 * few, "{strategy}: {few}, {many}");
    };
    let star = || SketchTree::from_signed_parents(&[vec![-1], vec![0; 20_000]].concat()).unwrap();
    for strategy in FOR_ANY_SIZE {
        check(star, strategy);
    }
    for strategy in ["top-down", "top-down-zooming"] {
        check(|| wide(20_000), strategy);
    }
}
