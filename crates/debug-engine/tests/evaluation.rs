//! Counting questions without running sessions gives what sessions ask.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::support::config;
use debug_engine::evaluate::{Evaluation, Experiment, evaluate};
use debug_engine::transform::{Balancing, Transformations};
use debug_engine::tree::SketchTree;
use debug_engine::{
    Answer, ExecutionTree, NodeId, RoutineId, Session, SessionOptions, SessionStep, strategy,
};
use proptest::prelude::*;

/// One session for each bug position, answered truthfully.
fn by_sessions(
    tree: &Arc<dyn ExecutionTree>,
    options: &SessionOptions,
    positions: impl Iterator<Item = u32>,
) -> Evaluation {
    let mut evaluation = Evaluation::default();
    let trusted = |node| options.trusted.contains(&tree.routine(node));
    for bug in positions.map(NodeId).filter(|&node| !trusted(node)) {
        let mut session = Session::new(Arc::clone(tree), options.clone()).unwrap();
        let mut questions = 0;
        let diagnosis = loop {
            match session.poll() {
                SessionStep::Ask(question) => {
                    questions += 1;
                    let wrong = question.target.contains(&**tree, bug);
                    let answer = if wrong { Answer::No } else { Answer::Yes };
                    session.answer(answer).unwrap();
                }
                SessionStep::Done(diagnosis) => break diagnosis,
            }
        };
        assert!(diagnosis.nodes().contains(&bug));
        evaluation.candidates += 1;
        evaluation.total += questions;
        evaluation.worst = evaluation.worst.max(questions);
    }
    evaluation
}

fn trees() -> impl Strategy<Value = SketchTree> {
    let nodes = prop::collection::vec((0usize..4, 0u32..4, prop::bool::weighted(0.7)), 1..24);
    nodes.prop_map(|nodes| {
        let mut path: Vec<NodeId> = Vec::new();
        let mut parents = Vec::new();
        for (number, &(back, ..)) in (0..).zip(&nodes) {
            path.truncate(path.len().saturating_sub(back).max(1));
            parents.push(path.last().copied());
            path.push(NodeId(number));
        }
        let chained = (0..).zip(&nodes).filter(|(_, node)| node.2);
        let chained: Vec<NodeId> = chained.map(|(number, _)| NodeId(number)).collect();
        SketchTree::from_parents(parents)
            .unwrap()
            .with_routines(nodes.iter().map(|node| RoutineId(node.1)))
            .with_chained(chained)
    })
}

fn transformations() -> impl Strategy<Value = Transformations> {
    (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(balance, open_again, compression, collapse)| Transformations {
            balancing: balance.then(|| Balancing {
                collapse,
                ..Balancing::default()
            }),
            open_again,
            compression,
            ..Transformations::default()
        },
    )
}

/// Strategies that keep a plan may follow another one, just as good, when they come back to a place from
/// elsewhere. In a transformed tree, where some positions count for several, that shows.
fn without_plans(name: &str, transformations: Transformations) -> Transformations {
    if ["dbq", "worst-case"].contains(&name) {
        Transformations::default()
    } else {
        transformations
    }
}

fn same_counts(one: Evaluation, other: Evaluation) {
    assert_eq!(
        (one.candidates, one.total, one.worst),
        (other.candidates, other.total, other.worst)
    );
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn one_walk_counts_what_all_sessions_ask(
        tree in trees(),
        transformations in transformations(),
        root_is_wrong in any::<bool>(),
        trust in any::<bool>(),
        number in 0..strategy::ALL.len(),
    ) {
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
        let name = strategy::ALL[number].name;
        let options = SessionOptions {
            root_is_wrong: root_is_wrong && tree.roots().count() == 1,
            strategy: name.to_owned(),
            trusted: if trust { BTreeSet::from([RoutineId(3)]) } else { BTreeSet::new() },
            transformations: without_plans(name, transformations),
            ..SessionOptions::default()
        };
        let walked = evaluate(Arc::clone(&tree), &options, &mut *strategy::by_name(name).unwrap());
        same_counts(walked, by_sessions(&tree, &options, 0..tree.len()));
    }

    #[test]
    fn a_sample_counts_what_its_sessions_ask(
        tree in trees(),
        transformations in transformations(),
        size in 1u64..6,
        number in 0..strategy::ALL.len(),
    ) {
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
        let name = strategy::ALL[number].name;
        let options = SessionOptions {
            strategy: name.to_owned(),
            transformations: without_plans(name, transformations),
            ..SessionOptions::default()
        };
        let mut experiment = Experiment::new(Arc::clone(&tree), &options);
        experiment.sample(size);
        let all = u64::from(tree.len());
        let sampled: Vec<u32> = if size < all {
            (0..size).map(|k| ((2 * k + 1) * all / (2 * size)) as u32).collect()
        } else {
            (0..tree.len()).collect()
        };
        let walked = experiment.run(&mut *strategy::by_name(name).unwrap());
        same_counts(walked, by_sessions(&tree, &options, sampled.into_iter()));
    }
}
