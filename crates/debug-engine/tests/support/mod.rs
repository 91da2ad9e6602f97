//! Random trees, and the search space worked out again the slow and obvious way.
#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]
#![expect(unreachable_pub, reason = "shared by several test binaries")]
#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod brute_force;

use std::collections::BTreeSet;
use std::sync::Arc;

use debug_engine::session::Question;
use debug_engine::tree::LoopPiece;
use debug_engine::tree::{JumpColumn, SketchTree};
use debug_engine::{
    Answer, Diagnosis, ExecutionTree, Judgement, NodeId, RoutineId, Session, SessionOptions,
    SessionStep, Target, TrustScope,
};
use proptest::prelude::*;

/// Plays a session to a planted bug with truthful answers, and gives its questions.
#[track_caller]
pub fn questions_to(session: &mut Session, bug: NodeId) -> Vec<Question> {
    let tree = Arc::clone(session.tree());
    let mut asked = Vec::new();
    loop {
        match session.poll() {
            SessionStep::Ask(question) => {
                let is_wrong = question.target.contains(&*tree, bug);
                asked.push(question);
                let answer = if is_wrong { Answer::No } else { Answer::Yes };
                session.answer(answer).unwrap();
            }
            SessionStep::Done(diagnosis) => {
                let strategy = session.strategy_name();
                assert_eq!(diagnosis, Diagnosis::Found { node: bug }, "{strategy}");
                return asked;
            }
        }
    }
}

/// A sketch that also has a jump column, as a stored trace would.
pub struct WithJumps(pub SketchTree, pub JumpColumn);

impl ExecutionTree for WithJumps {
    fn len(&self) -> u32 {
        self.0.len()
    }
    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.0.parent(node)
    }
    fn subtree_size(&self, node: NodeId) -> u32 {
        self.0.subtree_size(node)
    }
    fn is_complete(&self, node: NodeId) -> bool {
        self.0.is_complete(node)
    }
    fn routine(&self, node: NodeId) -> RoutineId {
        self.0.routine(node)
    }
    fn jump(&self, node: NodeId) -> Option<NodeId> {
        Some(self.1.get(node))
    }
    fn chained_to_next(&self, node: NodeId) -> bool {
        self.0.chained_to_next(node)
    }
}

/// Parents in preorder from a list of choices: each node picks an ancestor of the one before it.
pub fn parents_from_choices(choices: &[u8], forest: bool) -> Vec<Option<NodeId>> {
    let mut path: Vec<u32> = Vec::new();
    let mut parents = Vec::new();
    for (node, &choice) in (0u32..).zip(choices) {
        let lowest = usize::from(!forest).min(path.len());
        let keep = lowest + usize::from(choice) % (path.len() + 1 - lowest);
        path.truncate(keep);
        parents.push(path.last().copied().map(NodeId));
        path.push(node);
    }
    parents
}

/// Trees (or forests) with `1..=max` nodes, a few routines, chains, and perhaps an open rightmost path.
pub fn sketches(max: usize, forest: bool) -> impl Strategy<Value = SketchTree> {
    sketches_with(max, forest, 4)
}

/// The same without open nodes.
pub fn ended_sketches(max: usize, forest: bool) -> impl Strategy<Value = SketchTree> {
    sketches_with(max, forest, 1)
}

fn sketches_with(max: usize, forest: bool, open: usize) -> impl Strategy<Value = SketchTree> {
    (
        // Deep shapes come from 255, which keeps the whole path in most cases.
        prop::collection::vec(prop_oneof![any::<u8>(), Just(255u8), 0u8..3], 1..=max),
        prop::collection::vec(0u32..6, max),
        0..open,
        prop::collection::vec(any::<bool>(), max),
    )
        .prop_map(move |(choices, routines, open, chained)| {
            let tree = SketchTree::from_parents(parents_from_choices(&choices, forest)).unwrap();
            let incomplete: Vec<_> = rightmost_path(&tree)
                .into_iter()
                .take(open.saturating_sub(1))
                .collect();
            let chained: Vec<_> = (0..tree.len())
                .map(NodeId)
                .filter(|node| chained[node.index()])
                .collect();
            tree.with_routines(routines.into_iter().map(RoutineId))
                .with_incomplete(incomplete)
                .with_chained(chained)
        })
}

/// Gives the calls loops, as the numbers say: which of a call's children are in one, where its
/// iterations begin, and whether the longer ones have a loop inside.
pub fn with_loops(mut tree: SketchTree, seeds: &[u64]) -> SketchTree {
    for (call, &seed) in (0..tree.len()).map(NodeId).zip(seeds) {
        let children: Vec<NodeId> = (&tree as &dyn ExecutionTree).children(call).collect();
        let mut pieces = Vec::new();
        if !children.is_empty() && tree.is_complete(call) && seed % 3 > 0 {
            let skipped = (seed >> 2) as usize % children.len();
            add_loop(&children[skipped..], seed >> 8, &mut pieces);
        }
        tree = tree.with_loops(call, pieces);
    }
    tree
}

fn add_loop(calls: &[NodeId], seed: u64, pieces: &mut Vec<LoopPiece>) {
    let piece = |is_loop, calls: &[NodeId]| LoopPiece {
        is_loop,
        first: calls[0],
        last: calls[calls.len() - 1],
    };
    pieces.push(piece(true, calls));
    let mut starts: Vec<usize> = (1..calls.len())
        .filter(|&at| seed >> (at % 60) & 1 == 1)
        .collect();
    starts.insert(0, 0);
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(calls.len());
        let iteration = &calls[start..end];
        pieces.push(piece(false, iteration));
        if iteration.len() > 2 {
            add_loop(&iteration[1..], seed >> 3, pieces);
        }
    }
}

/// A synthetic call tree: a few levels of calls, some nodes with many children (loops), and as many
/// percent of the siblings chained.
pub fn calls(n: u32, chained: u64, seed: u64) -> SketchTree {
    let mut state = seed;
    let mut roll = |sides: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % sides
    };
    // How many children each open node still wants.
    let mut open: Vec<(u32, u64)> = vec![(0, 12)];
    let mut parents = vec![None];
    let mut chain = Vec::new();
    for node in 1..n {
        while open.len() > 1 && open.last().is_some_and(|&(_, wanted)| wanted == 0) {
            open.pop();
        }
        let (parent, wanted) = open.last_mut().unwrap();
        *wanted = wanted.saturating_sub(1);
        parents.push(Some(NodeId(*parent)));
        let children = match roll(20) {
            0..16 => 0,
            16..19 => 1 + roll(3),
            _ => 30 + roll(100),
        };
        open.push((node, children));
        if roll(100) < chained {
            chain.push(NodeId(node));
        }
    }
    SketchTree::from_parents(parents)
        .unwrap()
        .with_chained(chain)
}

fn rightmost_path(tree: &SketchTree) -> Vec<NodeId> {
    let mut path = Vec::new();
    let mut node = Some(NodeId(tree.len() - 1));
    while let Some(here) = node {
        path.push(here);
        node = tree.parent(here);
    }
    path.reverse();
    path
}

/// Every tree with exactly `n` nodes.
pub fn all_trees(n: usize) -> Vec<SketchTree> {
    fn extend(parents: &mut Vec<i64>, n: usize, found: &mut Vec<SketchTree>) {
        if parents.len() == n {
            found.push(SketchTree::from_signed_parents(parents).unwrap());
            return;
        }
        let mut ancestor = parents.len() as i64 - 1;
        while ancestor >= 0 {
            parents.push(ancestor);
            extend(parents, n, found);
            parents.pop();
            ancestor = parents[ancestor as usize];
        }
    }
    let mut found = Vec::new();
    extend(&mut vec![-1], n, &mut found);
    found
}

/// The search space as the documentation defines it, one node at a time.
pub struct NaiveSpace {
    pub tree: Arc<dyn ExecutionTree>,
    pub focus: Option<Target>,
    pub suspects: BTreeSet<NodeId>,
    pub unknown: BTreeSet<Target>,
    pub trusted: BTreeSet<RoutineId>,
    /// Every judgement about a node in force, what the run says about its root included.
    pub judged: Vec<(NodeId, Judgement)>,
}

impl NaiveSpace {
    pub fn of(session: &Session) -> Self {
        let tree = Arc::clone(session.tree());
        let options: &SessionOptions = session.options();
        let nodes = || (0..tree.len()).map(NodeId);
        let inside = |outer: Target, inner: NodeId| outer.contains(&*tree, inner);
        let covers = |outer: Target, inner: Target| {
            let (outer, inner) = (outer.positions(&*tree), inner.positions(&*tree));
            outer.start <= inner.start && inner.end <= outer.end
        };

        let mut in_force = Vec::new();
        for (position, entry) in session.log().iter().enumerate() {
            let overruled = entry.node.is_some()
                && session.log()[position + 1..]
                    .iter()
                    .any(|later| later.target() == entry.target());
            if !overruled {
                in_force.push(entry);
            }
        }
        let mut trusted = options.trusted.clone();
        for entry in &in_force {
            match (&entry.answer, entry.node) {
                (Answer::Trust(TrustScope::Routine), Some(_)) => {
                    let target = entry.target().unwrap();
                    trusted.extend(target.members(&*tree).map(|node| tree.routine(node)));
                }
                (Answer::Trust(TrustScope::Routines(more)), _) => trusted.extend(more),
                _ => {}
            }
        }
        let judged = |wanted: &[Judgement]| -> Vec<Target> {
            in_force
                .iter()
                .filter(|entry| wanted.contains(&entry.judgement()))
                .filter_map(|entry| entry.target())
                .collect()
        };

        let mut wrong = judged(&[Judgement::Wrong]);
        if options.root_is_wrong
            && let Some(root) = options.root
            && !in_force
                .iter()
                .any(|entry| entry.target() == Some(Target::Node(root)))
        {
            wrong.insert(0, Target::Node(root));
        }
        let is_open = |target: &Target| target.node().is_some_and(|node| !tree.is_complete(node));
        let correct = judged(&[Judgement::Correct]).into_iter();
        // That an open node may go on says nothing of its code, nor of what it called.
        let (may_go_on, mut ruled_out): (Vec<_>, Vec<_>) = correct.partition(is_open);
        let nodes_only = |targets: &[Target]| -> Vec<NodeId> {
            targets.iter().filter_map(|target| target.node()).collect()
        };
        let all = nodes_only(&wrong)
            .into_iter()
            .map(|node| (node, Judgement::Wrong));
        let correct = nodes_only(&ruled_out).into_iter();
        let all = all
            .chain(correct.map(|node| (node, Judgement::Correct)))
            .collect();
        let mut focus = None;
        for target in wrong {
            let above_scope = options
                .root
                .is_some_and(|root| target != Target::Node(root) && covers(target, root.into()));
            focus = match focus {
                None if above_scope => None,
                Some(focus) if covers(target, focus) => Some(focus),
                _ => Some(target),
            };
        }
        ruled_out.extend(judged(&[Judgement::Inadmissible]));
        let top = focus.or(options.root.map(Target::Node));
        let suspects = nodes()
            .filter(|&node| top.is_none_or(|top| inside(top, node)))
            .filter(|&node| !trusted.contains(&tree.routine(node)))
            .filter(|&node| options.non_termination || tree.is_complete(node))
            .filter(|&node| !may_go_on.contains(&Target::Node(node)))
            .filter(|&node| {
                // What was said above a node known to be wrong does not matter inside it.
                !ruled_out
                    .iter()
                    .any(|&out| inside(out, node) && focus.is_none_or(|focus| !covers(out, focus)))
            })
            .collect();
        let unknown = judged(&[Judgement::Unknown]).into_iter().collect();
        NaiveSpace {
            tree: Arc::clone(session.tree()),
            focus,
            suspects,
            unknown,
            trusted,
            judged: all,
        }
    }

    pub fn weight(&self, node: NodeId) -> usize {
        let range = self.tree.range(node);
        self.suspects
            .range(NodeId(range.start)..NodeId(range.end))
            .count()
    }

    pub fn weight_of(&self, target: Target) -> usize {
        let range = target.positions(&*self.tree);
        self.suspects
            .range(NodeId(range.start)..NodeId(range.end))
            .count()
    }

    /// Whether siblings can be asked about together, by definition.
    pub fn can_ask(&self, target: Target) -> bool {
        let Target::Range { first, last } = target else {
            return self.is_askable(target.first());
        };
        let weight = self.weight_of(target);
        let whole = self.focus.map(|focus| focus.positions(&*self.tree));
        let within = whole
            .is_none_or(|whole| whole.contains(&first.0) && self.tree.range(last).end <= whole.end);
        let mut members: Vec<_> = target.members(&*self.tree).collect();
        let is_last = members.pop() == Some(last);
        let chained = members.iter().all(|&node| self.tree.chained_to_next(node));
        let is_trusted = |node: NodeId| self.trusted.contains(&self.tree.routine(node));
        within
            && is_last
            && chained
            && weight > 0
            && weight < self.suspects.len()
            && !is_trusted(first)
            && !is_trusted(last)
            && self
                .unknown
                .iter()
                .all(|&unknown| self.is_less(target, unknown))
    }

    /// Whether siblings taken together lie beside what was not known, or are at most half of it.
    pub fn is_less(&self, target: Target, unknown: Target) -> bool {
        let (asked, left) = (
            target.positions(&*self.tree),
            unknown.positions(&*self.tree),
        );
        let is_beside = asked.end <= left.start || left.end <= asked.start;
        let is_part = left.start <= asked.start
            && asked.end <= left.end
            && 2 * self.weight_of(target) <= self.weight_of(unknown);
        is_beside
            || (is_part && unknown.node().is_none())
            || (unknown.node().is_some() && left.start < asked.start && asked.end <= left.end)
    }

    /// Every stretch of two or more chained siblings.
    pub fn stretches(&self) -> Vec<Target> {
        let mut found = Vec::new();
        for first in (0..self.tree.len()).map(NodeId) {
            let mut last = first;
            while self.tree.chained_to_next(last) {
                last = NodeId(self.tree.range(last).end);
                found.push(Target::between(first, last));
            }
        }
        found
    }

    pub fn is_askable(&self, node: NodeId) -> bool {
        self.suspects.contains(&node)
            && !self.unknown.contains(&Target::Node(node))
            && self.weight(node) < self.suspects.len()
    }

    pub fn askable(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.tree.len())
            .map(NodeId)
            .filter(|&node| self.is_askable(node))
    }

    pub fn children_in_play(&self, node: NodeId) -> usize {
        self.tree
            .children(node)
            .filter(|&child| self.weight(child) > 0)
            .take(8)
            .count()
    }
}

/// An answer of any kind; trust is rare.
pub fn answers() -> impl Strategy<Value = Answer> {
    prop_oneof![
        4 => Just(Answer::Yes),
        3 => Just(Answer::No),
        2 => Just(Answer::DontKnow),
        1 => Just(Answer::Inadmissible),
        1 => Just(Answer::Trust(TrustScope::Routine)),
        1 => prop::collection::btree_set((0u32..6).prop_map(RoutineId), 0..2)
            .prop_map(|routines| Answer::Trust(TrustScope::Routines(routines))),
    ]
}

/// This many cases, and no files left behind when one fails.
pub fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        cases,
        ..ProptestConfig::default()
    }
}
