//! Calls that made very many calls: what is skipped there must not change the choice.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

mod support;

use std::sync::Arc;

use debug_engine::tree::SketchTree;
use debug_engine::{Answer, ExecutionTree, NodeId, Session, SessionOptions, Step};
use proptest::prelude::*;
use support::config;

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
            let Step::Ask(question) = session.poll() else {
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
                    session.judge(elsewhere, Answer::No, debug_engine::Source::Person).unwrap();
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
    while let Step::Ask(_) = session.poll() {
        session.answer(Answer::DontKnow).unwrap();
        questions += 1;
    }
    assert_eq!(questions, nodes);
}
