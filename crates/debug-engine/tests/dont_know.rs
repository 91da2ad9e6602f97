//! "Don't know" leads to something smaller or somewhere else, never to more; and trust takes effect at once.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use crate::support;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use debug_engine::transform::Transformations;
use debug_engine::tree::SketchTree;
use debug_engine::{
    Answer, AnswerSource, ExecutionTree, NodeId, RoutineId, Session, SessionOptions, SessionStep,
    Target, TrustScope, strategy,
};
use proptest::prelude::*;
use support::{NaiveSpace, sketches};

fn strategies() -> impl Strategy<Value = &'static str> {
    let names: Vec<_> = strategy::ALL.iter().map(|info| info.name).collect();
    prop::sample::select(names)
}

/// Twenty calls one after the other, all in one chain.
fn flat(strategy: &str) -> Session {
    let parents: Vec<i64> = std::iter::once(-1).chain([0; 20]).collect();
    let tree = SketchTree::from_signed_parents(&parents).unwrap();
    let tree = tree.with_chained((1..20).map(NodeId));
    let options = SessionOptions {
        root_is_wrong: true,
        strategy: strategy.to_owned(),
        ..SessionOptions::default()
    };
    Session::new(Arc::new(tree), options).unwrap()
}

fn asked(session: &mut Session) -> Target {
    match session.poll() {
        SessionStep::Ask(question) => question.target,
        SessionStep::Done(diagnosis) => panic!("done: {diagnosis:?}"),
    }
}

/// Answered "don't know" again and again, groups get smaller or lie elsewhere.
#[test]
fn a_group_that_is_not_known_is_not_asked_about_with_one_call_more() {
    for strategy in ["ranges", "edge-ranges", "def-use-ranges"] {
        let mut session = flat(strategy);
        let tree = Arc::clone(session.tree());
        let mut unknown: Vec<Range<u32>> = Vec::new();
        for _ in 0..12 {
            let target = asked(&mut session);
            let positions = target.positions(&*tree);
            for left in &unknown {
                let is_beside = positions.end <= left.start || left.end <= positions.start;
                let is_half = left.start <= positions.start
                    && positions.end <= left.end
                    && 2 * positions.len() <= left.len();
                assert!(
                    is_beside || is_half,
                    "{strategy}: {positions:?} after {left:?}"
                );
            }
            unknown.push(positions);
            session.answer(Answer::DontKnow).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(support::config(256))]

    /// No group holds what was not known; and a call that does is asked about only if nothing else is left.
    #[test]
    fn nothing_more_is_asked_than_what_was_not_known(
        tree in sketches(30, true),
        answers in prop::collection::vec(0u8..6, 24),
        known_wrong in any::<bool>(),
        name in strategies(),
    ) {
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
        let options = SessionOptions {
            root: known_wrong.then_some(NodeId(0)),
            root_is_wrong: known_wrong,
            strategy: name.to_owned(),
            ..SessionOptions::default()
        };
        let mut session = Session::new(Arc::clone(&tree), options).unwrap();
        for answer in answers {
            let SessionStep::Ask(question) = session.poll() else { break };
            let naive = NaiveSpace::of(&session);
            let holds = |asked: Target, left: Target| {
                let (asked, left) = (asked.positions(&*tree), left.positions(&*tree));
                asked.start <= left.start && left.end <= asked.end
            };
            // Of what was not known and has been ruled out since, nothing is left to know.
            let is_open = |left: &Target| match left.node() {
                Some(node) => naive.suspects.contains(&node),
                None => naive.weight_of(*left) > 0,
            };
            let unknown: Vec<Target> = naive.unknown.iter().copied().filter(is_open).collect();
            let holds_unknown = |asked: Target| unknown.iter().any(|&left| holds(asked, left));
            if holds_unknown(question.target) {
                prop_assert!(question.target.node().is_some(), "{}: {}", name, question.target);
                let others = naive.askable().map(Target::Node).chain(naive.stretches());
                let mut smaller = others
                    .filter(|&other| naive.can_ask(other) && !holds_unknown(other))
                    .filter(|&other| session.space().can_ask(other))
                    .filter(|other| other.node().is_some());
                let smaller = smaller.next();
                prop_assert!(smaller.is_none(), "{}: {} instead of {:?}", name, question.target, smaller);
            }
            let answer = match answer {
                0 => Answer::Yes,
                1 => Answer::No,
                2 => Answer::Inadmissible,
                _ => Answer::DontKnow,
            };
            session.answer(answer).unwrap();
        }
    }

    /// What is trusted is not asked about, alone or as the end of a group; and trust that is taken back leaves
    /// everything as it was.
    #[test]
    fn trust_takes_effect_at_once_and_can_be_taken_back(
        tree in sketches(30, false),
        trusted in prop::collection::btree_set((0u32..6).prop_map(RoutineId), 1..4),
        answers in prop::collection::vec(0u8..3, 12),
        name in strategies(),
    ) {
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
        let options = SessionOptions { strategy: name.to_owned(), ..SessionOptions::default() };
        let mut session = Session::new(Arc::clone(&tree), options).unwrap();
        let before = session.poll();
        session.trust(trusted.clone(), AnswerSource::Person);
        for answer in answers {
            let SessionStep::Ask(question) = session.poll() else { break };
            for end in [question.target.first(), question.target.last()] {
                prop_assert!(!trusted.contains(&tree.routine(end)), "{}: {}", name, question.target);
            }
            let answer = match answer {
                0 => Answer::Yes,
                1 => Answer::No,
                _ => Answer::DontKnow,
            };
            session.answer(answer).unwrap();
        }
        while session.log().len() > 1 {
            session.undo();
        }
        prop_assert!(session.withdraw(0).is_some());
        prop_assert_eq!(session.poll(), before);
    }
}

proptest! {
    #![proptest_config(support::config(128))]

    /// In a balanced tree, too, no group is asked about that is made of trusted calls.
    #[test]
    fn no_group_of_trusted_calls_is_asked_about_in_a_balanced_tree(
        tree in sketches(40, false),
        trusted in prop::collection::btree_set((0u32..6).prop_map(RoutineId), 1..5),
        answers in prop::collection::vec(0u8..3, 16),
        name in strategies(),
    ) {
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
        let options = SessionOptions {
            strategy: name.to_owned(),
            trusted: trusted.clone(),
            transformations: Transformations::balanced(),
            ..SessionOptions::default()
        };
        let mut session = Session::new(Arc::clone(&tree), options).unwrap();
        for answer in answers {
            let SessionStep::Ask(question) = session.poll() else { break };
            let mut members = question.target.members(&*tree);
            let is_own = members.any(|node| !trusted.contains(&tree.routine(node)));
            prop_assert!(is_own, "{}: {}", name, question.target);
            let answer = match answer {
                0 => Answer::Yes,
                1 => Answer::No,
                _ => Answer::DontKnow,
            };
            session.answer(answer).unwrap();
        }
    }
}

/// Trust that was given as the answer to a group is trust in every method of the group.
#[test]
fn trust_in_a_group_is_trust_in_each_of_its_methods() {
    let parents: Vec<i64> = std::iter::once(-1).chain([0; 6]).collect();
    let tree = SketchTree::from_signed_parents(&parents).unwrap();
    let tree = tree.with_routines([0, 1, 2, 1, 2, 3, 3].map(RoutineId));
    let tree = tree.with_chained((1..6).map(NodeId));
    let options = SessionOptions {
        root_is_wrong: true,
        ..SessionOptions::default()
    };
    let mut session = Session::new(Arc::new(tree), options).unwrap();
    session
        .ask_about(Target::between(NodeId(1), NodeId(4)))
        .unwrap();
    session.answer(Answer::Trust(TrustScope::Routine)).unwrap();
    let suspects: BTreeSet<_> = session.space().suspects_in_order().collect();
    assert_eq!(suspects, [0, 5, 6].map(NodeId).into());
}
