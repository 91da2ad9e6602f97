//! Strategies that know more than the shape of the tree: where values come from, and what was covered.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use crate::support;

use std::collections::HashMap;
use std::sync::Arc;

use crate::support::{calls, ended_sketches, sketches};
use debug_engine::strategy::{Coverage, CoverageKey, CoverageMetric, ValueOrigin};
use debug_engine::transform::Transformations;
use debug_engine::tree::SketchTree;
use debug_engine::{
    Answer, AnswerSource, Diagnosis, ExecutionTree, NodeId, Session, SessionOptions, SessionStep,
    ValuePath,
};
use proptest::prelude::*;

/// Says for each node which call its wrong value came from.
struct Origins(Vec<Option<NodeId>>);

impl ValueOrigin for Origins {
    fn producer(&self, node: NodeId, _: &ValuePath) -> Option<NodeId> {
        self.0[node.index()]
    }
}

fn known_wrong(strategy: &str) -> SessionOptions {
    SessionOptions {
        root_is_wrong: true,
        strategy: strategy.to_owned(),
        ..SessionOptions::default()
    }
}

/// Questions until this bug is found, by someone who always points at the wrong value.
fn questions(
    tree: &Arc<dyn ExecutionTree>,
    options: SessionOptions,
    origins: &Arc<Origins>,
    bug: NodeId,
) -> usize {
    let mut session = Session::new(Arc::clone(tree), options).unwrap();
    session.set_value_origins(Arc::<Origins>::clone(origins));
    // The first symptom is a value too.
    session.judge(NodeId(0), part(), AnswerSource::Run).unwrap();
    while let SessionStep::Ask(question) = session.poll() {
        let wrong = question.target.contains(&**tree, bug);
        session
            .answer(if wrong { part() } else { Answer::Yes })
            .unwrap();
    }
    assert_eq!(
        session.poll(),
        SessionStep::Done(Diagnosis::Found { node: bug })
    );
    session.log().len() - 1
}

fn part() -> Answer {
    Answer::WrongPart(ValuePath("total".to_owned()))
}

proptest! {
    #![proptest_config(support::config(96))]

    /// Whatever the values say, no bug needs more than one question more than with divide & query.
    #[test]
    fn value_tracking_never_costs_more_than_one_question(
        tree in ended_sketches(40, false),
        origins in prop::collection::vec(any::<Option<prop::sample::Index>>(), 40),
    ) {
        let len = tree.len() as usize;
        let origins = origins.into_iter().map(|index| index.map(|i| NodeId(i.index(len) as u32)));
        let origins = Arc::new(Origins(origins.collect()));
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
        for bug in (0..len as u32).map(NodeId) {
            let plain = questions(&tree, known_wrong("dq-hirunkitti"), &origins, bug);
            let tracked = questions(&tree, known_wrong("value-tracking"), &origins, bug);
            prop_assert!(tracked <= plain + 1, "{} instead of {} for {}", tracked, plain, bug);
            // In a transformed tree it still ends and finds the bug.
            let options = SessionOptions {
                transformations: Transformations::balanced(),
                ..known_wrong("value-tracking")
            };
            questions(&tree, options, &origins, bug);
        }
    }

    /// g(x) = pˣ over what is in play, by definition.
    #[test]
    fn coverage_weights_equal_their_definition(
        tree in sketches(24, false),
        keys in prop::collection::vec(prop::collection::btree_set(0u64..8, 0..5), 24),
        given in prop::collection::vec(any::<bool>(), 0..5),
        edges in any::<bool>(),
    ) {
        let (name, metric, decay) = match edges {
            true => ("block-edge-coverage", CoverageMetric::Edges, 0.5f64),
            false => ("def-use-coverage", CoverageMetric::DefUse, 0.6),
        };
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
        let covered = |node: NodeId| keys[node.index()].iter().copied();
        let table = Table(keys.iter().map(|keys| keys.iter().map(|&k| CoverageKey(k)).collect()).collect());
        let mut session = Session::new(Arc::clone(&tree), SessionOptions {
            strategy: name.to_owned(),
            ..SessionOptions::default()
        }).unwrap();
        session.set_coverage(metric, Arc::new(table), None);
        let mut valid: HashMap<u64, i32> = HashMap::new();
        for yes in given {
            let SessionStep::Ask(question) = session.poll() else { break };
            let space = session.space();
            let weight = |node: NodeId| -> f64 {
                let weights = covered(node).map(|key| decay.powi(valid.get(&key).copied().unwrap_or(0)));
                weights.sum()
            };
            let inside = |node: NodeId| -> f64 {
                let suspects = space.suspects_in_order();
                suspects.filter(|&s| tree.contains(node, s)).map(weight).sum()
            };
            let all: f64 = space.suspects_in_order().map(weight).sum();
            let best = space.askable().map(|node| (2.0 * inside(node) - all).abs());
            if let Some(best) = best.min_by(f64::total_cmp)
                && all > 0.0
            {
                let chosen = (2.0 * inside(question.node) - all).abs();
                prop_assert!((chosen - best).abs() < 1e-9, "{} instead of {}", chosen, best);
            }
            if yes {
                for node in tree.range(question.node).map(NodeId) {
                    covered(node).for_each(|key| *valid.entry(key).or_default() += 1);
                }
            }
            session.answer(if yes { Answer::Yes } else { Answer::No }).unwrap();
        }
    }
}

/// Where values lead straight to the bug, following them is worth it.
#[test]
fn value_tracking_is_fast_where_values_lead_to_the_bug() {
    let tree: Arc<dyn ExecutionTree> = Arc::new(calls(500, 0, 3));
    let (mut plain, mut tracked) = (0, 0);
    for bug in (0..tree.len()).step_by(7).map(NodeId) {
        let origins = Arc::new(Origins(vec![Some(bug); tree.len() as usize]));
        plain += questions(&tree, known_wrong("dq-hirunkitti"), &origins, bug);
        tracked += questions(&tree, known_wrong("value-tracking"), &origins, bug);
    }
    assert!(2 * tracked < plain, "{tracked} instead of {plain}");
}

struct Table(Vec<Arc<[CoverageKey]>>);

impl Coverage for Table {
    fn keys(&self, node: NodeId) -> Option<Arc<[CoverageKey]>> {
        self.0.get(node.index()).cloned()
    }
}

/// Coverage that is not there yet: plain divide & query until it is.
#[test]
fn without_coverage_it_is_plain_divide_and_query() {
    let tree: Arc<dyn ExecutionTree> =
        Arc::new(SketchTree::from_signed_parents(&[-1, 0, 1, 1, 0, 4, 4]).unwrap());
    let asked = |session: &mut Session| match session.poll() {
        SessionStep::Ask(question) => question.node,
        SessionStep::Done(diagnosis) => panic!("{diagnosis:?}"),
    };
    let mut plain = Session::new(Arc::clone(&tree), known_wrong("dq-hirunkitti")).unwrap();
    let mut session = Session::new(Arc::clone(&tree), known_wrong("block-edge-coverage")).unwrap();
    assert_eq!(asked(&mut session), asked(&mut plain));
    session.set_coverage(CoverageMetric::Edges, Arc::new(Table(Vec::new())), None);
    assert_eq!(asked(&mut session), asked(&mut plain));
    // Nearly all of the code ran in node 5.
    let mut keys = vec![1, 1, 1, 1, 1, 9, 1];
    let table = |keys: &[u64]| {
        let keys = keys.iter().map(|&n| (0..n).map(CoverageKey).collect());
        Arc::new(Table(keys.collect()))
    };
    session.set_coverage(CoverageMetric::Edges, table(&keys), Some(1.0));
    assert_eq!(asked(&mut session), NodeId(5));
    keys[5] = 1;
    session.set_coverage(CoverageMetric::Edges, table(&keys), None);
    assert_eq!(asked(&mut session), asked(&mut plain));
}
