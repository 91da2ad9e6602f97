//! The planned strategies against trying everything, and the evaluation against real sessions.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use crate::support;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::support::brute_force::BruteForce;
use crate::support::{all_trees, calls, parents_from_choices, sketches};
use debug_engine::evaluate::{Evaluation, evaluate};
use debug_engine::strategy::{self, SearchSpace, optimum, worst_case_optimum};
use debug_engine::tree::SketchTree;
use debug_engine::{
    Answer, Diagnosis, ExecutionTree, NodeId, Session, SessionOptions, SessionStep,
};
use proptest::prelude::*;

fn known_root() -> SessionOptions {
    SessionOptions {
        root_is_wrong: true,
        ..SessionOptions::default()
    }
}

fn run(tree: &SketchTree, options: &SessionOptions, name: &str) -> Evaluation {
    let mut strategy = strategy::by_name(name).unwrap();
    evaluate(Arc::new(tree.clone()), options, &mut *strategy)
}

fn check_optima(tree: &SketchTree) {
    let space = SearchSpace::at_start(Arc::new(tree.clone()), &known_root());
    let brute_force = BruteForce::new(tree);
    let best = brute_force.optimum();
    let found = optimum(&space);
    assert_eq!(
        (found.total, found.lower_bound, found.proven),
        (best, best, true)
    );
    assert_eq!(run(tree, &known_root(), "dbq").total, best);
    let worst = brute_force.worst_case();
    assert_eq!(worst_case_optimum(&space), worst);
    assert_eq!(run(tree, &known_root(), "worst-case").worst, worst);
    let balanced = run(tree, &known_root(), "dq-hirunkitti").total;
    assert!(2 * balanced <= 3 * best);
    assert!((best..=balanced).contains(&run(tree, &known_root(), "rollout").total));
    // Nothing is chained here.
    assert_eq!(run(tree, &known_root(), strategy::DEFAULT).total, best);
    check_ties(tree, &brute_force);
}

/// The weights closest to half of all: divide & query of Hirunkitti and Hogger, and the optimal one, which
/// is the same with a known root.
fn closest_to_half(all: u32, weights: &[u32]) -> Vec<usize> {
    let distance = |&weight: &u32| (2 * weight).abs_diff(all);
    let best = weights.iter().map(distance).min();
    let indices = (0..weights.len()).filter(|&index| Some(distance(&weights[index])) == best);
    indices.collect()
}

/// The largest weight up to half of all, and where there is none, the smallest: Shapiro's.
fn largest_up_to_half(all: u32, weights: &[u32]) -> Vec<usize> {
    let light = weights.iter().copied().filter(|weight| 2 * weight <= all);
    let best = light.max().or_else(|| weights.iter().copied().min());
    let indices = (0..weights.len()).filter(|&index| Some(weights[index]) == best);
    indices.collect()
}

/// Whatever their tie-breaks do, the variants of divide & query are what they are called.
fn check_ties(tree: &SketchTree, brute_force: &BruteForce) {
    let (least, most) = brute_force.within_ties(&closest_to_half);
    for name in ["dq-hirunkitti", "dq-optimal"] {
        let total = run(tree, &known_root(), name).total;
        assert!(
            (least..=most).contains(&total),
            "{name}: {total} is not in {least}..={most}"
        );
    }
    let (least, most) = brute_force.within_ties(&largest_up_to_half);
    let total = run(tree, &known_root(), "dq-shapiro").total;
    assert!(
        (least..=most).contains(&total),
        "dq-shapiro: {total} is not in {least}..={most}"
    );
}

#[test]
fn the_plans_are_optimal_for_every_small_tree() {
    for n in 1..=9 {
        all_trees(n).iter().for_each(check_optima);
    }
}

/// Example 2.6 of *Hacia una estrategia óptima*: 1772, now with a proof.
#[test]
fn the_optimum_of_a_path_beside_a_star() {
    let mut parents: Vec<i64> = (-1..63).collect();
    parents.push(0);
    parents.extend([64; 49]);
    let tree = SketchTree::from_signed_parents(&parents).unwrap();
    let space = SearchSpace::at_start(Arc::new(tree.clone()), &known_root());
    let found = optimum(&space);
    assert_eq!(
        (found.total, found.lower_bound, found.proven),
        (1772, 1772, true)
    );
    assert_eq!(run(&tree, &known_root(), "dbq").total, 1772);
}

/// A root that nobody has judged, or that is no suspect, changes the sums by what the session asks.
#[test]
fn the_optimum_counts_what_a_session_asks() {
    for n in 2..=7 {
        for tree in all_trees(n) {
            let unknown = SessionOptions::default();
            let space = SearchSpace::at_start(Arc::new(tree.clone()), &unknown);
            assert_eq!(optimum(&space).total, BruteForce::new(&tree).optimum() + 1);
            assert_eq!(
                run(&tree, &unknown, "dbq").total,
                BruteForce::new(&tree).optimum() + 1
            );
            let trusted = BTreeSet::from([debug_engine::RoutineId(0)]);
            for root_is_wrong in [false, true] {
                let options = SessionOptions {
                    root_is_wrong,
                    trusted: trusted.clone(),
                    ..unknown.clone()
                };
                let space = SearchSpace::at_start(Arc::new(tree.clone()), &options);
                let found = optimum(&space);
                let total = run(&tree, &options, "dbq").total;
                assert!(found.lower_bound <= total && found.total == total);
            }
        }
    }
}

/// On trees of call shapes without any chain, whenever the optimum can be proven.
#[test]
fn the_default_is_within_one_percent_of_the_proven_optimum() {
    let mut beyond = Vec::new();
    for seed in 0..40u64 {
        let tree = calls(10 + 4 * seed as u32, 0, seed);
        let space = SearchSpace::at_start(Arc::new(tree.clone()), &known_root());
        let best = optimum(&space);
        if best.proven {
            let total = run(&tree, &known_root(), strategy::DEFAULT).total;
            beyond.push(total as f64 / best.total as f64 - 1.0);
        }
    }
    assert!(beyond.len() > 10, "{beyond:?}");
    let within = |share: &f64| (0.0..0.01).contains(share);
    assert!(beyond.iter().all(within), "{beyond:?}");
}

fn trees(max: usize) -> impl Strategy<Value = SketchTree> {
    prop::collection::vec(prop_oneof![any::<u8>(), Just(255u8), 0u8..3], 1..=max).prop_map(
        |choices| SketchTree::from_parents(parents_from_choices(&choices, false)).unwrap(),
    )
}

proptest! {
    #![proptest_config(support::config(48))]

    #[test]
    fn the_plans_are_optimal_for_random_trees(tree in trees(16)) {
        check_optima(&tree);
    }

    /// One walk over the decision tree gives the same numbers as a session for every bug.
    #[test]
    fn evaluation_equals_real_sessions(tree in sketches(16, true), is_known in any::<bool>()) {
        let mut roots = (0..tree.len()).filter(|&node| tree.parent(NodeId(node)).is_none());
        let options = SessionOptions {
            root_is_wrong: is_known && roots.nth(1).is_none(),
            ..SessionOptions::default()
        };
        for info in strategy::ALL {
            let expected = by_sessions(&tree, &options, info.name);
            let found = run(&tree, &options, info.name);
            prop_assert_eq!(
                (found.candidates, found.total, found.worst),
                (expected.candidates, expected.total, expected.worst),
                "{}",
                info.name
            );
        }
    }
}

fn by_sessions(tree: &SketchTree, options: &SessionOptions, name: &str) -> Evaluation {
    let tree: Arc<dyn ExecutionTree> = Arc::new(tree.clone());
    let mut evaluation = Evaluation::default();
    for bug in SearchSpace::at_start(Arc::clone(&tree), options).suspects_in_order() {
        let options = SessionOptions {
            strategy: name.to_owned(),
            ..options.clone()
        };
        let mut session = Session::new(Arc::clone(&tree), options).unwrap();
        while let SessionStep::Ask(question) = session.poll() {
            let is_wrong = question.target.contains(&*tree, bug);
            session
                .answer(if is_wrong { Answer::No } else { Answer::Yes })
                .unwrap();
        }
        assert_eq!(
            session.poll(),
            SessionStep::Done(Diagnosis::Found { node: bug })
        );
        let questions = session.log().len() as u64;
        evaluation.candidates += 1;
        evaluation.total += questions;
        evaluation.worst = evaluation.worst.max(questions);
    }
    evaluation
}
