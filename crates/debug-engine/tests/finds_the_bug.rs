//! Every strategy ends, and with a truthful oracle it finds the planted bug — or, where questions
//! stay unanswered, names a set that holds it.

#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use crate::support;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::support::{NaiveSpace, all_trees, sketches};
use debug_engine::strategy;
use debug_engine::tree::SketchTree;
use debug_engine::{
    Answer, Diagnosis, ExecutionTree, NodeId, RoutineId, Session, SessionOptions, SessionStep,
    Target, TrustScope,
};
use proptest::prelude::*;

/// A truthful oracle: one buggy node, some questions that it will not answer, some routines that it
/// trusts when it sees them.
struct World {
    tree: Arc<dyn ExecutionTree>,
    bug: Option<NodeId>,
    unanswered: BTreeSet<NodeId>,
    trusts: BTreeSet<RoutineId>,
}

impl World {
    fn answer(&self, target: Target) -> Answer {
        let node = target.first();
        if target == Target::Node(node) && self.trusts.contains(&self.tree.routine(node)) {
            return Answer::Trust(TrustScope::Routine);
        }
        if self.unanswered.contains(&node) {
            return Answer::DontKnow;
        }
        let wrong = self
            .bug
            .is_some_and(|bug| target.contains(&*self.tree, bug));
        if wrong { Answer::No } else { Answer::Yes }
    }

    /// Runs the dialogue and checks each question on the way.
    fn debug(&self, strategy: &str, options: &SessionOptions) -> (Session, Diagnosis, usize) {
        let options = SessionOptions {
            strategy: strategy.to_owned(),
            ..options.clone()
        };
        let mut session = Session::new(Arc::clone(&self.tree), options).unwrap();
        for questions in 0.. {
            assert!(
                questions <= 4 * self.tree.len() as usize,
                "{strategy} does not end"
            );
            let question = match session.poll() {
                SessionStep::Done(diagnosis) => return (session, diagnosis, questions),
                SessionStep::Ask(question) => question,
            };
            let naive = NaiveSpace::of(&session);
            assert!(
                naive.weight_of(question.target) > 0,
                "{strategy} asks what is ruled out"
            );
            assert!(
                !naive.unknown.contains(&question.target),
                "{strategy} repeats a question"
            );
            let both_possible = naive.can_ask(question.target)
                || (naive.focus.is_none() && naive.askable().next().is_none());
            assert!(
                both_possible,
                "{strategy} asks what follows from the answers"
            );
            assert_eq!(question.suspects_left as usize, naive.suspects.len());
            assert_eq!(
                question.suspects_after_no as usize,
                naive.weight_of(question.target)
            );
            session.answer(self.answer(question.target)).unwrap();
        }
        unreachable!()
    }
}

fn check(world: &World, options: &SessionOptions) {
    for info in strategy::ALL {
        let (session, diagnosis, _) = world.debug(info.name, options);
        let suspects: Vec<_> = NaiveSpace::of(&session).suspects.into_iter().collect();
        assert_eq!(diagnosis.nodes(), suspects, "{}", info.name);
        let answered = world.unanswered.is_empty();
        match (world.bug, &diagnosis) {
            (Some(bug), Diagnosis::Found { node }) => assert_eq!(*node, bug, "{}", info.name),
            (Some(bug), Diagnosis::Suspects { nodes }) => {
                assert!(!answered, "{} reports a set without need", info.name);
                assert!(nodes.contains(&bug), "{} loses the bug", info.name);
            }
            (None, Diagnosis::None) => {}
            (None, Diagnosis::Suspects { .. }) if !answered => {}
            (bug, diagnosis) => panic!("{}: bug {bug:?}, {diagnosis:?}", info.name),
        }
    }
}

#[test]
fn every_bug_in_every_small_tree_is_found() {
    for n in 1..=6 {
        for tree in all_trees(n) {
            let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
            for bug in (0..n as u32).map(NodeId).map(Some).chain([None]) {
                for root_is_wrong in [false, true] {
                    if root_is_wrong && bug.is_none() {
                        continue;
                    }
                    let world = World {
                        tree: Arc::clone(&tree),
                        bug,
                        unanswered: BTreeSet::new(),
                        trusts: BTreeSet::new(),
                    };
                    check(
                        &world,
                        &SessionOptions {
                            root_is_wrong,
                            ..SessionOptions::default()
                        },
                    );
                }
            }
        }
    }
}

fn worlds() -> impl Strategy<
    Value = (
        SketchTree,
        SessionOptions,
        Option<NodeId>,
        BTreeSet<NodeId>,
        BTreeSet<RoutineId>,
    ),
> {
    let routines = || prop::collection::btree_set((0u32..6).prop_map(RoutineId), 0..3);
    (
        any::<bool>().prop_flat_map(|forest| sketches(30, forest)),
        any::<Option<prop::sample::Index>>(),
        prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        (routines(), routines()),
        (any::<bool>(), any::<bool>()),
    )
        .prop_map(
            |(tree, bug, unanswered, (trusted, trusts), (known, endless))| {
                let suspicious: Vec<NodeId> = (0..tree.len())
                    .map(NodeId)
                    .filter(|&node| endless || tree.is_complete(node))
                    .filter(|&node| !trusted.contains(&tree.routine(node)))
                    .filter(|&node| !trusts.contains(&tree.routine(node)))
                    .collect();
                let bug = bug
                    .filter(|_| !suspicious.is_empty())
                    .map(|bug| *bug.get(&suspicious));
                let unanswered = unanswered
                    .iter()
                    .map(|index| NodeId(index.index(tree.len() as usize) as u32))
                    .collect();
                // The root that is known to be wrong must hold the bug.
                let root = bug.filter(|_| known).map(|mut node| {
                    while let Some(parent) = tree.parent(node) {
                        node = parent;
                    }
                    node
                });
                let options = SessionOptions {
                    root,
                    root_is_wrong: root.is_some(),
                    non_termination: endless,
                    trusted,
                    ..SessionOptions::default()
                };
                (tree, options, bug, unanswered, trusts)
            },
        )
}

proptest! {
    #![proptest_config(support::config(80))]

    #[test]
    fn trust_unknowns_and_open_nodes_do_not_hide_the_bug(
        (tree, options, bug, unanswered, trusts) in worlds()
    ) {
        let world = World { tree: Arc::new(tree), bug, unanswered, trusts };
        check(&world, &options);
    }

    /// Theorem 1 of *A Generalized Model* (correctness), with the buggy nodes of Definition 5 of *Balanced
    /// Execution Trees*: with any judgements at all, also several bugs and
    /// bugs that do not show in the root, what is found is wrong and has correct children.
    #[test]
    fn what_is_found_is_a_buggy_node(tree in sketches(30, false), wrong in any::<u64>()) {
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree.with_incomplete([]));
        let is_wrong = |node: NodeId| node.0 == 0 || wrong >> node.0 & 1 == 1;
        prop_assume!((0..tree.len()).all(|node| tree.is_complete(NodeId(node))));
        // Siblings that are all correct are correct together (the rule of transitivity); that some of
        // them are wrong may not show in the end.
        let is_wrong = |target: Target| target.members(&*tree).any(is_wrong);
        for info in strategy::ALL {
            let options = SessionOptions {
                root_is_wrong: true,
                strategy: info.name.to_owned(),
                ..SessionOptions::default()
            };
            let mut session = Session::new(Arc::clone(&tree), options).unwrap();
            let found = loop {
                match session.poll() {
                    SessionStep::Ask(question) if is_wrong(question.target) => session.answer(Answer::No),
                    SessionStep::Ask(_) => session.answer(Answer::Yes),
                    SessionStep::Done(Diagnosis::Found { node }) => break node,
                    SessionStep::Done(other) => panic!("{}: {other:?}", info.name),
                }
                .unwrap();
            };
            prop_assert!(is_wrong(found.into()));
            prop_assert!(tree.children(found).all(|child| !is_wrong(child.into())));
        }
    }
}
