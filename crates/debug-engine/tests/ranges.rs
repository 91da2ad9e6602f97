//! What asking about several siblings at once is worth, be it on the spot or in a balanced tree.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use crate::support;

use std::sync::Arc;

use crate::support::{calls, sketches};
use debug_engine::evaluate::evaluate;
use debug_engine::transform::{Overlay, Transformations};
use debug_engine::tree::SketchTree;
use debug_engine::{
    Answer, AnswerSource, Diagnosis, ExecutionTree, NodeId, RoutineId, Session, SessionOptions,
    SessionStep, Target, strategy,
};
use proptest::prelude::*;

fn known_wrong(strategy: &str) -> SessionOptions {
    SessionOptions {
        root_is_wrong: true,
        strategy: strategy.to_owned(),
        ..SessionOptions::default()
    }
}

fn average(tree: &Arc<dyn ExecutionTree>, name: &str) -> f64 {
    let mut strategy = strategy::by_name(name).unwrap();
    evaluate(Arc::clone(tree), &known_wrong(name), &mut *strategy).average()
}

fn star(leaves: usize) -> SketchTree {
    let parents: Vec<i64> = [vec![-1], vec![0; leaves]].concat();
    SketchTree::from_signed_parents(&parents)
        .unwrap()
        .with_chained((1..=leaves as u32).map(NodeId))
}

/// A loop with 127 calls: halving instead of one by one.
#[test]
fn a_chained_star_is_halved() {
    let tree: Arc<dyn ExecutionTree> = Arc::new(star(127));
    let mut strategy = strategy::by_name("ranges").unwrap();
    let evaluation = evaluate(tree, &known_wrong("ranges"), &mut *strategy);
    assert_eq!((evaluation.total, evaluation.worst), (7 * 128, 7));
}

/// So many siblings that they are not walked along, with a break in the chain.
#[test]
fn a_huge_chain_is_cut_without_a_walk() {
    let leaves = 40_000;
    let whole = (1..=leaves as u32).map(NodeId);
    let parents: Vec<i64> = [vec![-1], vec![0; leaves]].concat();
    for gap in [0, 13_000, 39_999] {
        let chained = whole.clone().filter(|node| node.0 != gap);
        let tree = SketchTree::from_signed_parents(&parents)
            .unwrap()
            .with_chained(chained);
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
        for bug in [0, 12_999, 40_000].map(NodeId) {
            let mut session = Session::new(Arc::clone(&tree), known_wrong("ranges")).unwrap();
            let mut questions = 0;
            let found = loop {
                match session.poll() {
                    SessionStep::Done(diagnosis) => break diagnosis,
                    SessionStep::Ask(question) => {
                        let wrong = question.target.contains(&*tree, bug);
                        session.answer(if wrong { Answer::No } else { Answer::Yes })
                    }
                }
                .unwrap();
                questions += 1;
            };
            assert_eq!(found, Diagnosis::Found { node: bug });
            assert!(
                questions <= 19,
                "{questions} questions for {bug}, gap at {gap}"
            );
        }
    }
}

/// Call trees with loops: close to the information limit, where single nodes are far from it.
#[test]
fn ranges_come_close_to_the_limit() {
    let (mut ranges, mut nodes) = (0.0, 0.0);
    for seed in 1..=3 {
        let tree: Arc<dyn ExecutionTree> = Arc::new(calls(400, 90, seed));
        ranges += average(&tree, "ranges") / 3.0;
        nodes += average(&tree, "dq-hirunkitti") / 3.0;
    }
    let limit = 400f64.log2();
    assert!(ranges < limit * 1.05, "{ranges} against a limit of {limit}");
    assert!(nodes > limit * 1.3, "{nodes} against a limit of {limit}");
}

#[test]
fn siblings_are_judged_together() {
    let tree: Arc<dyn ExecutionTree> = Arc::new(star(8));
    let mut session = Session::new(tree, known_wrong("ranges")).unwrap();
    let SessionStep::Ask(question) = session.poll() else {
        panic!("nothing asked");
    };
    assert_eq!(question.target.to_string(), "1..=4");
    assert_eq!((question.node, question.suspects_after_no), (NodeId(1), 4));
    session.answer(Answer::No).unwrap();
    assert_eq!(session.space().wrong_target(), Some(question.target));
    assert_eq!(session.space().focus(), None);
    // Two are left, and what is wrong is one of them: the last needs no question.
    session.answer(Answer::Yes).unwrap();
    session.answer(Answer::Yes).unwrap();
    assert_eq!(
        session.poll(),
        SessionStep::Done(Diagnosis::Found { node: NodeId(4) })
    );
    let json = serde_json::to_string(&session.save()).unwrap();
    insta::assert_snapshot!(
        json,
        @r#"{"options":{"root":null,"root_is_wrong":true,"non_termination":false,"strategy":"ranges","trusted":[]},"answers":[{"node":1,"last":4,"answer":"no","source":"person"},{"node":1,"last":2,"answer":"yes","source":"person"},{"node":3,"answer":"yes","source":"person"}]}"#
    );
    let saved = serde_json::from_str(&json).unwrap();
    let mut again = Session::resume(Arc::clone(session.tree()), saved).unwrap();
    assert_eq!(again.poll(), session.poll());
    let cousins = Target::between(NodeId(0), NodeId(1));
    let refused = session.judge_target(cousins, Answer::Yes, AnswerSource::Person);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "nodes 0 and 1 are not the ends of a stretch of siblings"
    );
}

proptest! {
    #![proptest_config(support::config(64))]

    /// Among calls that were ruled out or are trusted, too, no other stretch and no node is more even.
    #[test]
    fn the_most_even_stretch_is_found(
        sizes in prop::collection::vec(1u32..5, 150..250),
        gaps in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
        trusted in prop::collection::btree_set(0u32..40, 0..12),
        correct in prop::collection::vec((any::<prop::sample::Index>(), 0usize..20), 0..6),
    ) {
        let children: Vec<NodeId> = sizes
            .iter()
            .scan(1, |next, size| {
                let child = NodeId(*next);
                *next += size;
                Some(child)
            })
            .collect();
        let mut parents = vec![-1];
        for (child, &size) in children.iter().zip(&sizes) {
            parents.push(0);
            parents.extend((1..size).map(|_| i64::from(child.0)));
        }
        let gaps: Vec<usize> = gaps.iter().map(|gap| gap.index(children.len())).collect();
        let chained = children.iter().enumerate().filter(|(index, _)| !gaps.contains(index));
        let tree = SketchTree::from_signed_parents(&parents).unwrap()
            .with_routines((0..parents.len() as u32).map(|node| RoutineId(node % 40)))
            .with_chained(chained.map(|(_, &node)| node));
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
        let options = SessionOptions {
            trusted: trusted.into_iter().map(RoutineId).collect(),
            ..known_wrong("ranges")
        };
        let mut session = Session::new(Arc::clone(&tree), options).unwrap();
        for (first, more) in correct {
            let first = first.index(children.len());
            let last = (first + more).min(children.len() - 1);
            let stretch = Target::between(children[first], children[last]);
            let _ = session.judge_target(stretch, Answer::Yes, AnswerSource::Person);
        }
        let space = session.space();
        // With fewer suspects questions are planned ahead, and need not be the most even ones.
        prop_assume!(space.suspects() > 200);
        let distance = |target| (2 * space.weight_of(target)).abs_diff(space.suspects());
        let nodes = (0..tree.len()).map(|node| Target::Node(NodeId(node)));
        let stretches = children.iter().enumerate().flat_map(|(index, &first)| {
            children[index + 1..].iter().map(move |&last| Target::between(first, last))
        });
        // Siblings without suspects at the ends only make a stretch harder to judge.
        let is_trimmed = |target: &Target| {
            space.weight(target.first()) > 0 && space.weight(target.last()) > 0
        };
        let askable = nodes.chain(stretches).filter(is_trimmed).filter(|&target| space.can_ask(target));
        let best = askable.map(distance).min();
        let chosen = strategy::by_name("ranges").unwrap().choose_target(space);
        prop_assert_eq!(chosen.map(distance), best);
    }

    /// Without chains a stretch is never asked about, and with them it never hurts much.
    #[test]
    fn ranges_need_no_more_questions(tree in sketches(40, false)) {
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
        prop_assert!(average(&tree, "ranges") <= average(&tree, "dq-hirunkitti") + 0.2);
    }
}

/// Trees with loops: what the paper's Table 1 measures.
#[test]
fn balancing_saves_questions() {
    let known_wrong = SessionOptions {
        root_is_wrong: true,
        ..SessionOptions::default()
    };
    for name in ["top-down", "heaviest-first", "dq-hirunkitti"] {
        let (mut plain, mut balanced) = (0.0, 0.0);
        for seed in 1..=3 {
            let base: Arc<dyn ExecutionTree> = Arc::new(calls(300, 50, seed));
            let overlay = Overlay::of_tree(&base, &Transformations::balanced());
            let mut strategy = strategy::by_name(name).unwrap();
            plain += evaluate(Arc::clone(&base), &known_wrong, &mut *strategy).average();
            balanced += evaluate(Arc::new(overlay), &known_wrong, &mut *strategy).average();
        }
        assert!(balanced < plain * 0.85, "{name}: {plain} to {balanced}");
    }
}
