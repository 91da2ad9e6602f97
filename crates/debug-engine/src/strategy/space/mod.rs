//! What is left of the tree after the answers so far: all that a strategy may look at.
//!
//! The suspects are the nodes of one preorder range (the subtree of the lowest node known to be
//! wrong, or everything) minus the subtrees that were ruled out, minus single nodes that carry no
//! weight (trusted, or still open). They are never listed. With the ruled-out intervals sorted and
//! their weights summed up from the left, "how many suspects lie before this position" takes
//! O(log k) after k answers, and everything else — the weight of a subtree, the suspect of a given
//! rank — is made of that. An answer splices one interval in or moves the range; no column of the
//! tree is ever written, and nothing but a change of trust takes a pass over the tree.

mod bits;
mod by_weight;
mod chains;
mod derive;
mod history;
mod unknown;
mod update;
mod walk;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};

use super::Knowledge;
use crate::tree::{ExecutionTree, JumpColumn, NodeId, RoutineId, SizeMaxima, Target};
use bits::RankBitmap;
use by_weight::ByWeight;
use chains::KnownChains;
use history::History;
use unknown::UnknownRuns;

/// Siblings by weight, by where they begin and end.
type SiblingsByWeight = Mutex<HashMap<(u32, u32), ByWeight>>;

/// The search problem as it stands.
pub struct SearchSpace {
    tree: Arc<dyn ExecutionTree>,
    /// Where the session may look at all.
    scope: Range<u32>,
    /// The narrowest target known to be wrong; the search is inside it.
    focus: Option<Target>,
    /// What the focus covers, or the scope.
    range: Range<u32>,
    /// Nodes with a weight before the range.
    weight_before_range: u64,
    /// Everything judged correct or inadmissible, inside the range or not.
    ruled_out: BTreeSet<Interval>,
    /// The outermost of them inside the range, sorted, disjoint.
    pruned: Vec<Pruned>,
    unknown: BTreeSet<NodeId>,
    unknown_runs: UnknownRuns,
    unknown_ranges: BTreeSet<Target>,
    /// Where they begin and end.
    unknown_stretches: BTreeSet<(u32, u32)>,
    /// Calls are passed over for now in which something is that nobody knew an answer about.
    holds_back: AtomicBool,
    /// The narrowest piece of the focus, a call, that is known to be wrong.
    wrong_piece: Option<Target>,
    /// Pieces of calls that were judged correct or inadmissible.
    right_pieces: BTreeSet<Target>,
    /// What the answers say about routines.
    evidence: HashMap<RoutineId, Evidence>,
    trusted: BTreeSet<RoutineId>,
    non_termination: bool,
    /// Open nodes of which that is right. The bug is not that they went on; it may be in what they called.
    rightly_open: BTreeSet<NodeId>,
    /// Nodes that are in play only as a way to their children.
    weightless: Arc<RankBitmap>,
    /// Nodes without code of their own that can be asked about all the same.
    projections: Arc<[NodeId]>,
    /// Size of the tree for which the next three were made.
    known_len: u32,
    jumps: Arc<OnceLock<JumpColumn>>,
    maxima: Arc<OnceLock<SizeMaxima>>,
    /// Holds for these answers and those that rule more out, so a copy of the space has its own.
    by_weight: SiblingsByWeight,
    chains: Arc<KnownChains>,
    /// The answers that this space has; the same as long as they only rule more out.
    history: History,
    /// What was known to be wrong before any answer.
    start: Option<Target>,
    /// How many answers said YES or NO.
    answered: u64,
    knowledge: Knowledge,
}

/// Start and end of a preorder interval; of those that start together the longest comes first.
type Interval = (u32, Reverse<u32>);

/// How often calls of one routine were judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    /// Judged correct.
    pub correct: u32,
    /// Judged wrong.
    pub wrong: u32,
}

/// A subtree that was ruled out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pruned {
    start: u32,
    end: u32,
    /// Suspects to the left of it.
    suspects_before: u64,
    /// Nodes with a weight before its end, ruled out or not.
    weight_before_end: u64,
}

impl SearchSpace {
    /// The tree under search.
    pub fn tree(&self) -> &dyn ExecutionTree {
        &*self.tree
    }

    /// The tree, to be kept.
    pub fn tree_arc(&self) -> &Arc<dyn ExecutionTree> {
        &self.tree
    }

    /// The lowest node known to be wrong; `None` also if what is known to be wrong is a stretch of
    /// siblings (see [`wrong_target`](Self::wrong_target)).
    pub fn focus(&self) -> Option<NodeId> {
        self.focus.and_then(Target::node)
    }

    /// The narrowest target known to be wrong.
    pub fn wrong_target(&self) -> Option<Target> {
        self.focus
    }

    /// The piece of the focus that is known to be wrong, if one is.
    pub fn wrong_piece(&self) -> Option<Target> {
        let caller = |piece: &Target| self.tree.parent(piece.first());
        self.wrong_piece
            .filter(|piece| caller(piece).is_some_and(|call| self.focus() == Some(call)))
    }

    /// The preorder range in which all suspects lie.
    pub fn range(&self) -> Range<u32> {
        self.range.clone()
    }

    /// Whether some node is known to be wrong, so that there is a bug in the range.
    pub fn is_known_wrong(&self) -> bool {
        self.focus.is_some()
    }

    /// The number of suspects: `W` in the literature.
    pub fn suspects(&self) -> u64 {
        self.suspects_before(self.range.end)
    }

    /// The number of suspects in the subtree of a node: `w(v)`. A node above the focus has them all.
    pub fn weight(&self, node: NodeId) -> u64 {
        let Range { start, end } = self.tree.range(node);
        self.suspects_before(end) - self.suspects_before(start)
    }

    /// The same for any target.
    pub fn weight_of(&self, target: Target) -> u64 {
        let Range { start, end } = target.positions(&*self.tree);
        self.suspects_before(end) - self.suspects_before(start)
    }

    /// Whether this node itself may still be the buggy one.
    pub fn is_suspect(&self, node: NodeId) -> bool {
        self.range.contains(&node.0)
            && !self.weightless.contains(node.0)
            && self.pruned_around(node.0).is_none()
    }

    /// Whether asking about this node makes sense now: it can be judged, nobody has said "don't
    /// know" about it, and both answers are possible.
    pub fn is_askable(&self, node: NodeId) -> bool {
        self.may_be_asked(node) && self.weight(node) < self.suspects() && !self.is_held_back(node)
    }

    /// The same for any target. Siblings can be asked about together if they lie in one chain, have
    /// ended, are in the range, do not begin or end with a trusted one, and are not more than what nobody knew
    /// an answer about. A piece is a node of a transformed tree, and asked about there.
    pub fn can_ask(&self, target: Target) -> bool {
        let (first, last) = match target {
            Target::Node(node) => return self.is_askable(node),
            Target::Range { first, last } => (first, last),
            Target::Piece { .. } => return false,
        };
        let weight = self.weight_of(target);
        (1..self.suspects()).contains(&weight)
            && self.range.contains(&first.0)
            && self.range.contains(&last.0)
            && !self.is_trusted(first)
            && !self.is_trusted(last)
            && self.is_less_than_unknown(target)
            && self.has_result(last)
            && self.is_chain(first, last)
            && !self.is_all_of_its_parent(first, last)
    }

    /// All children of a projected node together are the projected node, and all iterations of a loop
    /// are the loop.
    fn is_all_of_its_parent(&self, first: NodeId, last: NodeId) -> bool {
        let parent = self.tree.parent(first);
        parent.is_some_and(|parent| {
            let all = parent.0 + 1..self.tree.range(parent).end;
            (self.is_projection(parent) || self.tree.is_loop(parent))
                && (first.0..self.tree.range(last).end) == all
        })
    }

    /// Whether "don't know" was said about this node.
    pub fn is_unknown(&self, node: NodeId) -> bool {
        self.unknown.contains(&node)
    }

    /// Whether a suspect is left about which, alone or with its siblings, "don't know" was said.
    pub fn has_unknown_suspects(&self) -> bool {
        let range = NodeId(self.range.start)..NodeId(self.range.end);
        let mut unknown = self.unknown.range(range);
        unknown.any(|&node| self.is_suspect(node)) || self.has_unknown_stretches()
    }

    /// Whether the node's routine is trusted.
    pub fn is_trusted(&self, node: NodeId) -> bool {
        !self.trusted.is_empty() && self.trusted.contains(&self.tree.routine(node))
    }

    /// How often calls of a node's routine were judged.
    pub fn evidence(&self, node: NodeId) -> Evidence {
        self.evidence
            .get(&self.tree.routine(node))
            .copied()
            .unwrap_or_default()
    }

    /// How many suspects lie before `position` in preorder. O(log k) after k answers.
    pub fn suspects_before(&self, position: u32) -> u64 {
        let position = position.clamp(self.range.start, self.range.end);
        let left = self
            .pruned
            .partition_point(|pruned| pruned.start < position)
            .checked_sub(1);
        match left.map(|left| self.pruned[left]) {
            None => self.weight_before(position) - self.weight_before_range,
            Some(around) if position <= around.end => around.suspects_before,
            Some(left) => {
                left.suspects_before + self.weight_before(position) - left.weight_before_end
            }
        }
    }

    /// The call that produced the value that was last called wrong.
    pub fn hint(&self) -> Option<NodeId> {
        self.knowledge.hint
    }

    /// Whether something is believed of the calls.
    pub fn has_belief(&self) -> bool {
        self.knowledge.belief.is_some()
    }

    /// How many answers said YES or NO, or that a call is inadmissible; that all of it is wrong does not
    /// count.
    pub fn answered(&self) -> u64 {
        self.answered
    }

    pub(crate) fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    pub(crate) fn knowledge_mut(&mut self) -> &mut Knowledge {
        &mut self.knowledge
    }

    /// With nothing left that splits the suspects, and nobody having said that there is a bug: the
    /// lowest node that holds all suspects and can be asked.
    pub(crate) fn confirmation(&self) -> Option<NodeId> {
        if self.is_known_wrong() {
            return None;
        }
        let all = self.suspects();
        let lowest = self.climb(self.select(0)?, |node| self.weight(node) == all)?;
        self.ancestors_in_range(lowest)
            .find(|&node| self.may_be_asked(node))
    }

    /// Whether there is something to judge, be it that the node never ended.
    pub(crate) fn has_result(&self, node: NodeId) -> bool {
        self.non_termination || self.tree.is_complete(node)
    }

    /// Whether the node is a projected one: no code of its own, but a question.
    pub fn is_projection(&self, node: NodeId) -> bool {
        self.projections.binary_search(&node).is_ok()
    }

    /// Whether there are projected nodes at all.
    pub fn has_projections(&self) -> bool {
        !self.projections.is_empty()
    }

    fn may_be_asked(&self, node: NodeId) -> bool {
        let in_play = self.is_suspect(node) || self.is_projection_in_play(node);
        in_play && !self.is_unknown(node)
    }

    fn is_projection_in_play(&self, node: NodeId) -> bool {
        self.has_projections()
            && self.range.contains(&node.0)
            && self.is_projection(node)
            && self.weight(node) > 0
    }

    /// Nodes with a weight in a range, whether ruled out or not.
    fn weight_between(&self, start: u32, end: u32) -> u64 {
        self.weight_before(end) - self.weight_before(start)
    }

    /// Nodes with a weight before a position, whether ruled out or not.
    fn weight_before(&self, position: u32) -> u64 {
        u64::from(position - self.weightless.count_before(position))
    }

    /// The ruled-out interval that holds this position.
    fn pruned_around(&self, position: u32) -> Option<usize> {
        let index = self
            .pruned
            .partition_point(|pruned| pruned.start <= position)
            .checked_sub(1)?;
        (position < self.pruned[index].end).then_some(index)
    }
}

impl PartialEq for SearchSpace {
    /// Equal judgements over the same tree; what was cached on the way does not count.
    fn eq(&self, other: &Self) -> bool {
        self.scope == other.scope
            && self.focus == other.focus
            && self.range == other.range
            && self.ruled_out == other.ruled_out
            && self.pruned == other.pruned
            && self.unknown == other.unknown
            && self.unknown_ranges == other.unknown_ranges
            && self.unknown_stretches == other.unknown_stretches
            && self.wrong_piece == other.wrong_piece
            && self.right_pieces == other.right_pieces
            && self.evidence == other.evidence
            && self.trusted == other.trusted
            && self.non_termination == other.non_termination
            && self.weightless == other.weightless
    }
}

impl fmt::Debug for SearchSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parents: Vec<_> = (0..self.tree.len().min(64))
            .map(|node| self.tree.parent(NodeId(node)))
            .collect();
        f.debug_struct("SearchSpace")
            .field("parents", &parents)
            .field("range", &self.range)
            .field("focus", &self.focus)
            .field("pruned", &self.pruned)
            .field("unknown", &self.unknown)
            .field("trusted", &self.trusted)
            .field("suspects", &self.suspects())
            .finish_non_exhaustive()
    }
}
