//! The search space with its intervals and ranks equals the one worked out node by node, and every
//! way of getting to the same answers gives the same space.

#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use crate::support;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::support::{NaiveSpace, WithJumps, answers, sketches};
use debug_engine::strategy::{self, SearchSpace};
use debug_engine::tree::{JumpColumn, SketchTree};
use debug_engine::{
    Answer, AnswerSource, ExecutionTree, Judgement, NodeId, RoutineId, Session, SessionOptions,
    Target,
};
use proptest::prelude::*;

/// A session that got random answers about random nodes.
fn sessions() -> impl Strategy<Value = Session> {
    let options = (
        any::<bool>(),
        any::<bool>(),
        any::<Option<prop::sample::Index>>(),
        any::<bool>(),
    );
    let judgements =
        prop::collection::vec((any::<prop::sample::Index>(), 0usize..4, answers()), 0..12);
    (sketches(40, true), options, judgements).prop_map(|(tree, options, judgements)| {
        let (root_is_wrong, non_termination, root, jumps) = options;
        let len = tree.len() as usize;
        let root = root.map(|index| NodeId(index.index(len) as u32));
        let tree: Arc<dyn ExecutionTree> = if jumps {
            let column = JumpColumn::build(&tree);
            Arc::new(WithJumps(tree, column))
        } else {
            Arc::new(tree)
        };
        let options = SessionOptions {
            root,
            root_is_wrong: root_is_wrong && root.is_some(),
            non_termination,
            ..SessionOptions::default()
        };
        let mut session = Session::new(tree, options).unwrap();
        for (node, more, answer) in judgements {
            let target = stretch(&**session.tree(), NodeId(node.index(len) as u32), more);
            // Open nodes refuse to be judged, which is as it should be.
            let _ = session.judge_target(target, answer, AnswerSource::Person);
        }
        session
    })
}

/// A node and as many of its next siblings, as far as there are any.
fn stretch(tree: &dyn ExecutionTree, first: NodeId, more: usize) -> Target {
    let siblings = match tree.parent(first) {
        Some(parent) => tree.children(parent),
        None => tree.roots(),
    };
    let last = siblings.filter(|&node| node >= first).take(1 + more).last();
    Target::between(first, last.unwrap())
}

fn by_definition(naive: &NaiveSpace, key: impl Fn(NodeId) -> u64) -> Option<NodeId> {
    naive
        .askable()
        .min_by_key(|&node| (key(node), Reverse(naive.children_in_play(node)), node))
}

fn choose(name: &str, space: &SearchSpace) -> Option<NodeId> {
    strategy::by_name(name).unwrap().choose(space)
}

proptest! {
    #![proptest_config(support::config(192))]

    #[test]
    fn weights_equal_a_naive_count(session in sessions()) {
        let space = session.space();
        let naive = NaiveSpace::of(&session);
        prop_assert_eq!(space.wrong_target(), naive.focus);
        prop_assert_eq!(space.suspects() as usize, naive.suspects.len());
        prop_assert!(space.suspects_in_order().eq(naive.suspects.iter().copied()));
        prop_assert!(space.askable().eq(naive.askable()));
        for (rank, &suspect) in naive.suspects.iter().enumerate() {
            prop_assert_eq!(space.select(rank as u64), Some(suspect));
        }
        for node in (0..session.tree().len()).map(NodeId) {
            prop_assert_eq!(space.weight(node) as usize, naive.weight(node));
            prop_assert_eq!(space.is_suspect(node), naive.suspects.contains(&node));
        }
    }

    #[test]
    fn answering_one_by_one_equals_replaying(session in sessions()) {
        let saved = session.save();
        let again = Session::resume(Arc::clone(session.tree()), saved).unwrap();
        prop_assert_eq!(session.space(), again.space());
        prop_assert_eq!(session.log(), again.log());
    }

    #[test]
    fn undo_is_the_inverse_of_answer(
        session in sessions(),
        node in any::<prop::sample::Index>(),
        answer in answers(),
    ) {
        let mut session = session;
        let before = Session::resume(Arc::clone(session.tree()), session.save()).unwrap();
        let step = session.poll();
        let node = NodeId(node.index(session.tree().len() as usize) as u32);
        if session.judge(node, answer, AnswerSource::Person).is_ok() {
            session.undo();
        }
        prop_assert_eq!(session.space(), before.space());
        prop_assert_eq!(session.log(), before.log());
        prop_assert_eq!(session.poll(), step);
        for node in (0..session.tree().len()).map(NodeId) {
            prop_assert_eq!(session.judgement(node), before.judgement(node));
        }
    }

    #[test]
    fn every_strategy_chooses_an_askable_node_if_there_is_one(session in sessions()) {
        for info in strategy::ALL {
            match choose(info.name, session.space()) {
                Some(node) => prop_assert!(session.space().is_askable(node), "{}", info.name),
                None => prop_assert!(session.space().askable().next().is_none(), "{}", info.name),
            }
        }
    }

    #[test]
    fn the_divide_and_query_variants_equal_their_definitions(session in sessions()) {
        let space = session.space();
        let naive = NaiveSpace::of(&session);
        let all = naive.suspects.len() as u64;
        let weight = |node| naive.weight(node) as u64;
        let nearest = |target: u64| by_definition(&naive, |node| (2 * weight(node)).abs_diff(target));
        prop_assert_eq!(choose("dq-hirunkitti", space), nearest(all));
        let unasked_root = u64::from(naive.focus.is_none());
        prop_assert_eq!(choose("dq-optimal", space), nearest(all + unasked_root));
        let shapiro = naive
            .askable()
            .filter(|&node| 2 * weight(node) <= all)
            .min_by_key(|&node| (Reverse(weight(node)), node))
            .or_else(|| naive.askable().min_by_key(|&node| (weight(node), node)));
        prop_assert_eq!(choose("dq-shapiro", space), shapiro);
    }

    /// The most even split over all nodes and all stretches of chained siblings, tried one by one.
    #[test]
    fn ranges_equal_their_definition(session in sessions()) {
        let space = session.space();
        let naive = NaiveSpace::of(&session);
        let all = naive.suspects.len();
        let distance = |target: Target| (2 * naive.weight_of(target)).abs_diff(all);
        let open = |target: Target| target.members(&*naive.tree).any(|node| {
            !session.options().non_termination && !naive.tree.is_complete(node)
        });
        let stretches: Vec<_> = naive.stretches().into_iter().filter(|&target| !open(target)).collect();
        for &target in &stretches {
            prop_assert_eq!(space.weight_of(target) as usize, naive.weight_of(target));
            let within = session.options().root.is_none_or(|root| naive.tree.contains(root, target.first()))
                || naive.focus.is_some();
            prop_assert_eq!(space.can_ask(target), naive.can_ask(target) && within, "{}", target);
        }
        let targets = stretches.into_iter().chain(naive.askable().map(Target::Node));
        // Siblings without suspects at the ends of a stretch only make it harder to judge.
        let is_trimmed = |target: &Target| {
            naive.weight(target.first()) > 0 && naive.weight(target.last()) > 0
        };
        let targets: Vec<_> = targets
            .filter(|&target| space.can_ask(target))
            .filter(is_trimmed)
            .collect();
        // With few suspects left, `ranges` itself may ask what splits less evenly and needs fewer questions in all.
        let asked = strategy::by_name("ranges").unwrap().choose_target(space);
        prop_assert_eq!(asked.is_some(), !targets.is_empty());
        prop_assert!(asked.is_none_or(|asked| targets.contains(&asked)));
        let chosen = strategy::most_balanced(space);
        // Stretches that were left unanswered may hide others that are as good.
        if naive.unknown.iter().all(|target| target.node().is_some()) {
            prop_assert_eq!(
                chosen.map(distance),
                targets.iter().copied().map(distance).min(),
                "{:?} of {:?}", chosen, targets
            );
        } else if let Some(chosen) = chosen {
            prop_assert!(targets.contains(&chosen));
        }
        let chainless = naive.stretches().is_empty();
        if chainless {
            prop_assert_eq!(chosen, choose("dq-hirunkitti", space).map(Target::Node));
        }
    }

    #[test]
    fn the_strategies_that_learn_equal_their_definitions(session in sessions()) {
        let space = session.space();
        let tree = session.tree();
        let naive = NaiveSpace::of(&session);
        let stands_above = |above: NodeId, node: NodeId| above != node && tree.contains(above, node);
        let topmost = || {
            naive.askable().filter(|&node| !naive.askable().any(|above| stands_above(above, node)))
        };
        let judged = |node: NodeId, wanted: Judgement| {
            naive
                .judged
                .iter()
                .filter(|(other, _)| tree.routine(*other) == tree.routine(node))
                .filter(|(_, judgement)| *judgement == wanted)
                .count()
        };
        let right = |node| judged(node, Judgement::Correct);
        let wrong = |node| judged(node, Judgement::Wrong);
        let routines = |node: NodeId| -> BTreeSet<_> {
            let inside = naive.suspects.iter().filter(|&&suspect| tree.contains(node, suspect));
            inside.map(|&suspect| tree.routine(suspect)).collect()
        };

        let same = |&node: &NodeId| {
            let focus = naive.focus.and_then(Target::node);
            focus.is_some_and(|focus| tree.routine(focus) == tree.routine(node))
        };
        let zoomed = topmost().find(same).or_else(|| topmost().next());
        prop_assert_eq!(choose("top-down-zooming", space), zoomed);

        let heavier = |node| Reverse(naive.weight(node));
        let most_wrong = topmost().min_by_key(|&node| (Reverse(wrong(node)), heavier(node), node));
        prop_assert_eq!(choose("hat-delta-wrong", space), most_wrong);
        let least_right = topmost().min_by_key(|&node| (right(node), heavier(node), node));
        prop_assert_eq!(choose("hat-delta-right", space), least_right);

        let different: BTreeSet<_> = naive.suspects.iter().map(|&node| tree.routine(node)).collect();
        let by_rules = naive.askable().min_by_key(|&node| {
            let distance = (2 * routines(node).len()).abs_diff(different.len());
            (distance, (2 * naive.weight(node)).abs_diff(naive.suspects.len()), node)
        });
        prop_assert_eq!(choose("divide-by-rules", space), by_rules);

        let suspicion = |node| (5040 * (1 + wrong(node)) / (1 + right(node))).max(1);
        let inside = |node: NodeId| -> usize {
            let inside = naive.suspects.iter().filter(|&&suspect| tree.contains(node, suspect));
            inside.map(|&suspect| suspicion(suspect)).sum()
        };
        let all: usize = naive.suspects.iter().map(|&suspect| suspicion(suspect)).sum();
        let biased = naive.askable().min_by_key(|&node| ((2 * inside(node)).abs_diff(all), node));
        prop_assert_eq!(choose("biased-weighting", space), biased);

        let unclear = |node: NodeId| -> f64 {
            let mut seen = BTreeSet::new();
            let inside = naive.suspects.iter().filter(|&&suspect| tree.contains(node, suspect));
            let inside = inside.filter(|&&suspect| seen.insert(tree.routine(suspect)));
            inside.map(|&suspect| 1.0 / (1 + right(suspect)) as f64).sum()
        };
        let mut least_clear: Option<NodeId> = None;
        for node in topmost() {
            if least_clear.is_none_or(|best| unclear(node) > unclear(best)) {
                least_clear = Some(node);
            }
        }
        prop_assert_eq!(choose("less-yes-first", space), least_clear);
    }

    #[test]
    fn the_step_by_step_strategies_equal_their_definitions(session in sessions()) {
        let space = session.space();
        let tree = session.tree();
        let naive = NaiveSpace::of(&session);
        let stands_above = |above: NodeId, node: NodeId| above != node && tree.contains(above, node);
        let topmost = || {
            naive.askable().filter(|&node| !naive.askable().any(|above| stands_above(above, node)))
        };
        prop_assert_eq!(choose("top-down", space), topmost().next());
        prop_assert_eq!(
            choose("heaviest-first", space),
            topmost().min_by_key(|&node| (Reverse(naive.weight(node)), node))
        );
        let innermost = naive
            .askable()
            .find(|&node| !naive.askable().any(|below| stands_above(node, below)));
        prop_assert_eq!(choose("single-stepping", space), innermost);
    }
}

/// Nodes with so many children that they are sorted and kept: subtrees of different sizes, some of
/// them ruled out, some with trusted nodes in them.
#[test]
fn wide_nodes_are_searched_like_narrow_ones() {
    let mut parents = vec![-1];
    for child in 0..600i64 {
        let top = parents.len() as i64;
        parents.push(0);
        parents.extend(std::iter::repeat_n(top, (child * 37 % 600) as usize / 40));
    }
    let routines = (0..parents.len() as u32).map(|node| RoutineId(node % 7));
    let tree = SketchTree::from_signed_parents(&parents)
        .unwrap()
        .with_routines(routines);
    let options = SessionOptions {
        root_is_wrong: true,
        ..SessionOptions::default()
    };
    let mut session = Session::new(Arc::new(tree), options).unwrap();
    for round in 0..20 {
        if round == 8 {
            session.trust(
                BTreeSet::from([RoutineId(3), RoutineId(5)]),
                AnswerSource::Person,
            );
        }
        let naive = NaiveSpace::of(&session);
        let heaviest = naive
            .askable()
            .min_by_key(|&node| (Reverse(naive.weight(node)), node));
        assert_eq!(choose("heaviest-first", session.space()), heaviest);
        assert_eq!(choose("dq-shapiro", session.space()), heaviest);
        assert_eq!(choose("dq-hirunkitti", session.space()), heaviest);
        session.answer(Answer::Yes).unwrap();
    }
}

/// So many children that they are put in order only as far as somebody looks.
#[test]
fn children_beyond_the_list_are_found_too() {
    let tree = SketchTree::from_signed_parents(&[vec![-1], vec![0; 140_000]].concat()).unwrap();
    let options = SessionOptions {
        root_is_wrong: true,
        ..SessionOptions::default()
    };
    let session = Session::new(Arc::new(tree), options).unwrap();
    let mut children: Vec<_> = session
        .space()
        .children_by_weight(NodeId(0))
        .map(|(node, _)| node)
        .collect();
    children.sort_unstable();
    children.dedup();
    assert_eq!(children.len(), 140_000);
}

#[test]
fn answers_to_open_nodes_are_refused_unless_the_run_never_ended() {
    let tree = SketchTree::from_signed_parents(&[-1, 0, 0])
        .unwrap()
        .with_incomplete([NodeId(0)]);
    let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
    let mut session = Session::new(Arc::clone(&tree), SessionOptions::default()).unwrap();
    let refused = session
        .judge(NodeId(0), Answer::No, AnswerSource::Person)
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "node 0 has not ended: there is no result to judge yet"
    );
    let options = SessionOptions {
        non_termination: true,
        ..SessionOptions::default()
    };
    let mut session = Session::new(tree, options).unwrap();
    session
        .judge(NodeId(0), Answer::No, AnswerSource::Person)
        .unwrap();
}
