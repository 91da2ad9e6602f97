//! Every strategy finds the planted bug in every transformed tree, and no transformation costs an
//! answer or hides a bug.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use crate::support;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::support::{answers, ended_sketches, sketches, with_loops};
use debug_engine::transform::{Balancing, NodeKind, Overlay, Transformations};
use debug_engine::tree::SketchTree;
use debug_engine::{
    Answer, AnswerSource, Diagnosis, ExecutionTree, NodeId, RoutineId, Session, SessionOptions,
    SessionStep, Target, TrustScope, strategy,
};
use proptest::prelude::*;

fn transformations() -> impl Strategy<Value = Transformations> {
    let balancing = (any::<bool>(), any::<bool>(), any::<bool>(), 2usize..4).prop_map(
        |(collapse, project, unrestricted, shortest)| Balancing {
            collapse,
            project,
            unrestricted,
            shortest,
            longest: None,
        },
    );
    let inlined = prop::collection::btree_set((0u32..6).prop_map(RoutineId), 0..2);
    let balancing = prop::option::weighted(0.8, balancing);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (balancing, flags, inlined).prop_map(
        |(balancing, (open_again, compression, loops), inlined)| Transformations {
            balancing,
            open_again,
            compression,
            loops,
            inlined,
            simplification: false,
        },
    )
}

/// Trees of calls with loops.
fn looped(max: usize, forest: bool) -> impl Strategy<Value = SketchTree> {
    (
        sketches(max, forest),
        prop::collection::vec(any::<u64>(), max),
    )
        .prop_map(|(tree, seeds)| with_loops(tree, &seeds))
}

/// A truthful oracle with one bug.
#[derive(Debug)]
struct World {
    tree: Arc<SketchTree>,
    bug: Option<NodeId>,
    /// Between which calls the code of the buggy one goes wrong, if that is in a loop.
    spot: Option<NodeId>,
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
        let is_wrong = |bug| {
            let spot = self.spot.filter(|_| target.is_piece());
            let goes_wrong_inside = |spot: NodeId| {
                self.tree.parent(spot) == Some(bug) && target.contains(&*self.tree, spot)
            };
            target.contains(&*self.tree, bug) || spot.is_some_and(goes_wrong_inside)
        };
        if self.bug.is_some_and(is_wrong) {
            Answer::No
        } else {
            Answer::Yes
        }
    }

    fn debug(&self, strategy: &str, options: &SessionOptions) -> (Diagnosis, usize) {
        let options = SessionOptions {
            strategy: strategy.to_owned(),
            ..options.clone()
        };
        let tree: Arc<dyn ExecutionTree> = Arc::<SketchTree>::clone(&self.tree);
        let mut session = Session::new(tree, options).unwrap();
        for questions in 0..=4 * self.tree.len() as usize {
            match session.poll() {
                SessionStep::Done(diagnosis) => return (diagnosis, questions),
                SessionStep::Ask(question) => {
                    assert!(question.suspects_left > 0);
                    assert!(question.suspects_after_no > 0);
                    session.answer(self.answer(question.target)).unwrap();
                }
            }
        }
        panic!("{strategy} does not end");
    }
}

fn worlds() -> impl Strategy<Value = (World, SessionOptions)> {
    let routines = || prop::collection::btree_set((0u32..6).prop_map(RoutineId), 0..2);
    (
        any::<bool>().prop_flat_map(|forest| looped(30, forest)),
        any::<Option<prop::sample::Index>>(),
        prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        (routines(), routines()),
        (any::<bool>(), any::<bool>()),
        transformations(),
    )
        .prop_map(
            |(tree, bug, unanswered, (trusted, trusts), (known, endless), transformations)| {
                let possible: Vec<NodeId> = (0..tree.len())
                    .map(NodeId)
                    .filter(|&node| endless || tree.is_complete(node))
                    .filter(|&node| {
                        let routine = tree.routine(node);
                        let sets = [&trusted, &trusts, &transformations.inlined];
                        !sets.iter().any(|set| set.contains(&routine))
                    })
                    .collect();
                let bug = bug
                    .filter(|_| !possible.is_empty())
                    .map(|bug| *bug.get(&possible));
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
                    transformations,
                    ..SessionOptions::default()
                };
                let unanswered = unanswered
                    .iter()
                    .map(|index| NodeId(index.index(tree.len() as usize) as u32))
                    .collect();
                let spot = bug.and_then(|bug| {
                    let dynamic: &dyn ExecutionTree = &tree;
                    let mut calls = dynamic.children(bug);
                    calls.nth(tree.len() as usize % 5)
                });
                let world = World {
                    tree: Arc::new(tree),
                    bug,
                    spot,
                    unanswered,
                    trusts,
                };
                (world, options)
            },
        )
}

proptest! {
    #![proptest_config(support::config(160))]

    #[test]
    fn every_strategy_finds_the_bug_in_every_transformed_tree((world, options) in worlds()) {
        for info in strategy::ALL {
            let (diagnosis, _) = world.debug(info.name, &options);
            let all_answered = world.unanswered.is_empty();
            let open_again = options.transformations.open_again;
            match (world.bug, &diagnosis) {
                (Some(bug), Diagnosis::Found { node }) => prop_assert_eq!(*node, bug, "{}", info.name),
                (Some(bug), Diagnosis::Suspects { nodes }) => {
                    prop_assert!(nodes.contains(&bug), "{} loses the bug", info.name);
                    prop_assert!(!open_again || !all_answered, "{}: a set without need", info.name);
                    if all_answered {
                        // What stays together is one routine.
                        let routine = |node: NodeId| world.tree.routine(node);
                        prop_assert!(nodes.iter().all(|&node| routine(node) == routine(bug)));
                    }
                }
                (None, Diagnosis::None) => {}
                (None, Diagnosis::Suspects { .. }) if !all_answered => {}
                (bug, diagnosis) => panic!("{}: bug {bug:?}, {diagnosis:?}", info.name),
            }
        }
    }

    /// Theorems 2 and 3 of *Balanced Execution Trees*, with any number of bugs: in the transformed tree
    /// a buggy node is found, and it is one in the sense of Definition 5.
    #[test]
    fn what_is_found_is_buggy(
        tree in ended_sketches(30, false),
        seeds in prop::collection::vec(any::<u64>(), 30),
        wrong in any::<u64>(),
        transformations in transformations(),
    ) {
        let transformations = Transformations {
            inlined: BTreeSet::new(),
            open_again: true,
            ..transformations
        };
        let tree: Arc<dyn ExecutionTree> = Arc::new(with_loops(tree, &seeds));
        let is_wrong = |node: NodeId| node.0 == 0 || wrong >> node.0 & 1 == 1;
        let is_wrong = |target: Target| target.members(&*tree).any(is_wrong);
        for info in strategy::ALL {
            let options = SessionOptions {
                root_is_wrong: true,
                strategy: info.name.to_owned(),
                transformations: transformations.clone(),
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

    /// Answers, undo and switching transformations on and off give what the answers alone give.
    #[test]
    fn undo_is_exact_and_transformations_are_reversible(
        tree in looped(24, false),
        transformations in transformations(),
        given in prop::collection::vec(answers(), 0..8),
        last in answers(),
        name in prop::sample::select(strategy::ALL.iter().map(|info| info.name).collect::<Vec<_>>()),
    ) {
        let options = SessionOptions {
            transformations: transformations.clone(),
            strategy: name.to_owned(),
            ..SessionOptions::default()
        };
        let mut session = Session::new(Arc::new(tree), options).unwrap();
        for answer in given {
            if matches!(session.poll(), SessionStep::Ask(_)) {
                session.answer(answer).unwrap();
            }
        }
        let before = session.poll();
        let mut resumed = Session::resume(Arc::clone(session.tree()), session.save()).unwrap();
        // A plan that is made later may be another one that is just as good.
        let plans_ahead = ["dbq", "worst-case"].contains(&name);
        if !plans_ahead {
            prop_assert_eq!(resumed.poll(), before.clone());
        }
        if matches!(before, SessionStep::Ask(_)) {
            session.answer(last).unwrap();
            session.poll();
            session.undo();
            prop_assert_eq!(session.poll(), before.clone());
        }
        session.set_transformations(Transformations::default());
        session.poll();
        session.set_transformations(transformations);
        if !plans_ahead {
            prop_assert_eq!(session.poll(), before);
        }
        prop_assert_eq!(session.space(), resumed.space());
    }

    /// The overlay is a tree in preorder whose nodes stand for the base tree's, each just once.
    #[test]
    fn an_overlay_is_a_tree(tree in looped(40, true), transformations in transformations()) {
        let base: Arc<dyn ExecutionTree> = Arc::new(tree);
        let overlay = Overlay::of_tree(&base, &transformations);
        let parents = (0..overlay.len()).map(|node| overlay.parent(NodeId(node)));
        let again = SketchTree::from_parents(parents).unwrap();
        let mut represented = 0;
        for node in (0..overlay.len()).map(NodeId) {
            prop_assert_eq!(again.subtree_size(node), overlay.subtree_size(node));
            let target = overlay.to_base(Target::Node(node));
            prop_assert_eq!(overlay.from_base(target), Some(node));
            if matches!(overlay.kind(node), NodeKind::Routine | NodeKind::Collapse) {
                represented += target.members(&*base).count() as u32;
            }
            if let Some(parent) = overlay.parent(node) {
                let outer = overlay.to_base(Target::Node(parent)).positions(&*base);
                let inner = target.positions(&*base);
                prop_assert!(outer.start <= inner.start && inner.end <= outer.end);
            }
        }
        let counts = overlay.counts();
        prop_assert_eq!(represented + counts.absorbed_nodes, base.len());
        prop_assert_eq!(counts.base_nodes, base.len());
    }

    /// Balancing follows a run node by node: what is below a call that has ended stays as it is, however
    /// the run goes on.
    #[test]
    fn a_growing_tree_is_balanced_like_a_grown_one(
        tree in ended_sketches(40, false),
        calls_so_far in 1usize..40,
    ) {
        let calls_so_far = (calls_so_far as u32).min(tree.len());
        let grown: Arc<dyn ExecutionTree> = Arc::new(tree);
        let growing: Arc<dyn ExecutionTree> = Arc::new(beginning_of(&*grown, calls_so_far));
        let balanced = Transformations::balanced();
        let after = Overlay::of_tree(&grown, &balanced);
        let before = Overlay::of_tree(&growing, &balanced);
        for node in (0..calls_so_far).map(NodeId).filter(|&node| growing.is_complete(node)) {
            // It may have become a part of a collapsed chain since.
            if let (Some(below_before), Some(below_after)) = (below(&before, node), below(&after, node)) {
                prop_assert_eq!(below_before, below_after);
            }
        }
    }
}

/// A run when it has made so many calls.
fn beginning_of(tree: &dyn ExecutionTree, calls: u32) -> SketchTree {
    let nodes = || (0..calls).map(NodeId);
    let parents: Vec<i64> = nodes()
        .map(|node| tree.parent(node).map_or(-1, |parent| i64::from(parent.0)))
        .collect();
    let has_ended = |node: &NodeId| tree.range(*node).end < calls;
    SketchTree::from_signed_parents(&parents)
        .unwrap()
        .with_routines(nodes().map(|node| tree.routine(node)))
        .with_chained(
            nodes()
                .filter(has_ended)
                .filter(|&node| tree.chained_to_next(node)),
        )
        .with_incomplete(nodes().filter(|node| !has_ended(node)))
}

/// What a call is in a transformed tree, with all that is below it.
fn below(overlay: &Overlay, node: NodeId) -> Option<Vec<(NodeKind, Target)>> {
    let start = overlay.from_base(Target::Node(node))?;
    let described = |node| (overlay.kind(node), overlay.to_base(Target::Node(node)));
    let nodes = (start.0..start.0 + overlay.subtree_size(start)).map(NodeId);
    Some(nodes.map(described).collect())
}

/// Figure 2 of *Balanced Execution Trees*: `castling` calls `right` three times and `left` twice, and
/// nothing happens in between.
fn castling() -> Arc<SketchTree> {
    let tree = SketchTree::from_signed_parents(&[-1, 0, 0, 0, 0, 0]).unwrap();
    let routines = [0, 1, 1, 1, 2, 2].map(RoutineId);
    let chained = [1, 2, 4].map(NodeId);
    Arc::new(tree.with_routines(routines).with_chained(chained))
}

/// Examples 2 and 3: six questions with the tree as it is, three when it is balanced, be it by
/// projection or by collapse.
#[test]
fn castling_takes_three_questions_instead_of_six() {
    let world = World {
        tree: castling(),
        bug: Some(NodeId(0)),
        spot: None,
        unanswered: BTreeSet::new(),
        trusts: BTreeSet::new(),
    };
    let options = SessionOptions::default();
    let found = Diagnosis::Found { node: NodeId(0) };
    assert_eq!(world.debug("dq-hirunkitti", &options), (found.clone(), 6));
    for collapse in [true, false] {
        let balancing = Balancing {
            collapse,
            ..Balancing::default()
        };
        let options = SessionOptions {
            transformations: Transformations {
                balancing: Some(balancing),
                ..Transformations::default()
            },
            ..SessionOptions::default()
        };
        for strategy in ["dq-hirunkitti", "top-down", "heaviest-first", "rollout"] {
            let (diagnosis, questions) = world.debug(strategy, &options);
            assert_eq!(
                (&diagnosis, questions),
                (&found, 3),
                "{strategy}, {collapse}"
            );
        }
    }
}

/// Example 4: with collapsed nodes that stay closed, three questions find any bug; opened again they
/// lead to the very call.
#[test]
fn a_collapsed_node_is_opened_again_if_wanted() {
    for (open_again, most) in [(false, 3), (true, 4)] {
        let options = SessionOptions {
            transformations: Transformations {
                open_again,
                ..Transformations::balanced()
            },
            ..SessionOptions::default()
        };
        for bug in (0..6).map(NodeId) {
            let world = World {
                tree: castling(),
                bug: Some(bug),
                spot: None,
                unanswered: BTreeSet::new(),
                trusts: BTreeSet::new(),
            };
            let (diagnosis, questions) = world.debug("dq-hirunkitti", &options);
            assert!(questions <= most, "{questions} for {bug}");
            let expected: Vec<NodeId> = match bug.0 {
                _ if open_again => vec![bug],
                0 => vec![bug],
                1..=3 => [1, 2, 3].map(NodeId).to_vec(),
                _ => [4, 5].map(NodeId).to_vec(),
            };
            assert_eq!(diagnosis.nodes(), expected);
        }
    }
}

/// fact(3) calls fact(2) calls fact(1): one node, opened again in the end.
#[test]
fn recursion_is_compressed() {
    let tree = SketchTree::from_signed_parents(&[-1, 0, 1, 2, 3, 0]).unwrap();
    let routines = [0, 1, 1, 1, 2, 3].map(RoutineId);
    let base: Arc<dyn ExecutionTree> = Arc::new(tree.with_routines(routines));
    let compression = Transformations {
        compression: true,
        ..Transformations::default()
    };
    let overlay = Overlay::of_tree(&base, &compression);
    let parents: Vec<_> = (0..overlay.len())
        .map(|n| overlay.parent(NodeId(n)))
        .collect();
    assert_eq!(
        parents,
        [None, Some(NodeId(0)), Some(NodeId(1)), Some(NodeId(0))]
    );
    assert_eq!(overlay.counts().absorbed_nodes, 2);
    assert_eq!(
        overlay.to_base(Target::Node(NodeId(2))),
        Target::Node(NodeId(4))
    );
}

/// A bug in an inlined routine is a bug of its caller.
#[test]
fn inlined_calls_belong_to_their_callers() {
    let tree = SketchTree::from_signed_parents(&[-1, 0, 1, 2, 0]).unwrap();
    let tree = tree.with_routines([0, 1, 2, 3, 4].map(RoutineId));
    let mut world = World {
        tree: Arc::new(tree),
        bug: Some(NodeId(2)),
        spot: None,
        unanswered: BTreeSet::new(),
        trusts: BTreeSet::new(),
    };
    let options = SessionOptions {
        transformations: Transformations {
            inlined: BTreeSet::from([RoutineId(2)]),
            ..Transformations::default()
        },
        ..SessionOptions::default()
    };
    for info in strategy::ALL {
        world.bug = Some(NodeId(2));
        let (diagnosis, _) = world.debug(info.name, &options);
        assert_eq!(diagnosis, Diagnosis::Found { node: NodeId(1) });
        world.bug = Some(NodeId(3));
        let (diagnosis, _) = world.debug(info.name, &options);
        assert_eq!(diagnosis, Diagnosis::Found { node: NodeId(3) });
    }
}

/// Example 6: projecting can show a bug that two others hide from the root.
#[test]
fn a_projected_node_that_is_wrong_by_itself_is_left_to_its_children() {
    let tree = SketchTree::from_signed_parents(&[-1, 0, 0, 0, 0])
        .unwrap()
        .with_chained([1, 2, 3].map(NodeId));
    let mut session = Session::new(
        Arc::new(tree),
        SessionOptions {
            root_is_wrong: true,
            transformations: Transformations::balanced(),
            ..SessionOptions::default()
        },
    )
    .unwrap();
    let SessionStep::Ask(question) = session.poll() else {
        panic!("nothing asked");
    };
    assert_eq!(question.kind, NodeKind::Projection);
    // "Don't know" about a projected node leaves its children to be asked one by one.
    session.answer(Answer::DontKnow).unwrap();
    let members: Vec<_> = question.target.members(&**session.tree()).collect();
    for _ in 0..4 {
        session.answer(Answer::Yes).unwrap_or_default();
    }
    assert!(
        members
            .iter()
            .all(|&node| !session.space().is_suspect(node))
    );
    assert_eq!(
        session.poll(),
        SessionStep::Done(Diagnosis::Found { node: NodeId(0) })
    );
    session.undo();
    session
        .judge(NodeId(1), Answer::No, AnswerSource::Person)
        .unwrap();
    assert_eq!(
        session.poll(),
        SessionStep::Done(Diagnosis::Found { node: NodeId(1) })
    );
}
