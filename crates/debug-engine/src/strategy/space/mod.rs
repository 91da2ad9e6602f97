//! What is left of the tree after the answers so far: all that a strategy may look at.
//!
//! The suspects are the nodes of one preorder range (the subtree of the lowest node known to be
//! wrong, or everything) minus the subtrees that were ruled out, minus single nodes that carry no
//! weight (trusted, or still open). They are never listed. With the ruled-out intervals sorted and
//! their weights summed up from the left, "how many suspects lie before this position" takes
//! O(log k) after k answers, and everything else — the weight of a subtree, the suspect of a given
//! rank — is made of that. An answer splices one interval in or moves the range; no column of the
//! tree is ever written, and nothing takes O(n).

mod bits;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::judgement::Judgement;
use crate::session::SessionOptions;
use crate::tree::{ExecutionTree, JumpColumn, NodeId, RoutineId};
use bits::RankBitmap;

/// A climb longer than this makes an ancestor-pointer column worth its memory.
const LONG_CLIMB: u32 = 4096;

/// Nodes with more children than this have them sorted once and kept.
const MANY_CHILDREN: usize = 256;

/// Sorted children of wide nodes.
type WideNodes = Mutex<HashMap<NodeId, Arc<[NodeId]>>>;

/// The search problem as it stands.
pub struct SearchSpace {
    tree: Arc<dyn ExecutionTree>,
    /// Where the session may look at all.
    scope: Range<u32>,
    /// The lowest node known to be wrong; the search is inside it.
    focus: Option<NodeId>,
    /// The focus's subtree, or the scope.
    range: Range<u32>,
    /// Every node judged correct or inadmissible, inside the range or not.
    ruled_out: BTreeSet<NodeId>,
    /// The outermost of them inside the range, sorted, disjoint.
    pruned: Vec<Pruned>,
    unknown: BTreeSet<NodeId>,
    /// What the answers say about routines.
    evidence: HashMap<RoutineId, Evidence>,
    trusted: BTreeSet<RoutineId>,
    non_termination: bool,
    /// Nodes that are in play only as a way to their children.
    weightless: Arc<RankBitmap>,
    /// Size of the tree for which the next two were made.
    known_len: u32,
    jumps: Arc<OnceLock<JumpColumn>>,
    wide: Arc<WideNodes>,
}

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
    /// Suspects removed by all intervals to the left of this one.
    removed_before: u64,
}

impl SearchSpace {
    /// The space before any judgement: the whole forest, nothing ruled out.
    pub fn new(tree: Arc<dyn ExecutionTree>) -> Self {
        let mut space = Self::empty(tree);
        space.reset(None, false, &BTreeSet::new());
        space
    }

    /// The space in which a session with these options starts.
    pub fn at_start(tree: Arc<dyn ExecutionTree>, options: &SessionOptions) -> Self {
        let mut space = Self::empty(tree);
        space.reset(options.root, options.non_termination, &options.trusted);
        if let Some(root) = options.known_wrong_root(space.tree()) {
            space.judge(root, Judgement::Wrong);
        }
        space
    }

    /// What is left if `node` turns out to be wrong, with what was said inside it.
    pub fn fork_into(&self, node: NodeId) -> Self {
        let mut space = self.fork_within(self.tree.range(node));
        space.judge(node, Judgement::Wrong);
        space
    }

    /// An independent copy, which shares what was computed about the tree.
    pub fn fork(&self) -> Self {
        let mut space = self.fork_within(0..self.tree.len());
        space.find_pruned();
        space
    }

    fn fork_within(&self, kept: Range<u32>) -> Self {
        let kept = NodeId(kept.start)..NodeId(kept.end);
        SearchSpace {
            tree: Arc::clone(&self.tree),
            scope: self.scope.clone(),
            focus: self.focus,
            range: self.range.clone(),
            ruled_out: self.ruled_out.range(kept.clone()).copied().collect(),
            pruned: Vec::new(),
            unknown: self.unknown.range(kept).copied().collect(),
            evidence: self.evidence.clone(),
            trusted: self.trusted.clone(),
            non_termination: self.non_termination,
            weightless: Arc::clone(&self.weightless),
            known_len: self.known_len,
            jumps: Arc::clone(&self.jumps),
            wide: Arc::clone(&self.wide),
        }
    }

    pub(crate) fn empty(tree: Arc<dyn ExecutionTree>) -> Self {
        SearchSpace {
            tree,
            scope: 0..0,
            focus: None,
            range: 0..0,
            ruled_out: BTreeSet::new(),
            pruned: Vec::new(),
            unknown: BTreeSet::new(),
            evidence: HashMap::new(),
            trusted: BTreeSet::new(),
            non_termination: false,
            weightless: Arc::default(),
            known_len: 0,
            jumps: Arc::default(),
            wide: Arc::default(),
        }
    }

    /// Forgets all judgements and starts over with this root and these trusted routines.
    pub(crate) fn reset(
        &mut self,
        root: Option<NodeId>,
        non_termination: bool,
        trusted: &BTreeSet<RoutineId>,
    ) {
        let whole = 0..self.tree.len();
        let has_grown = self.known_len != whole.end;
        if has_grown {
            self.known_len = whole.end;
            self.jumps = Arc::default();
            self.wide = Arc::default();
        }
        let weighs_differently =
            self.trusted != *trusted || self.non_termination != non_termination;
        if has_grown || weighs_differently {
            self.trusted.clone_from(trusted);
            self.non_termination = non_termination;
            self.find_weightless();
        }
        self.scope = root.map_or(whole, |root| self.tree.range(root));
        self.range = self.scope.clone();
        self.focus = None;
        self.ruled_out.clear();
        self.unknown.clear();
        self.evidence.clear();
        self.find_pruned();
    }

    /// One pass over the tree, or over what its indexes give; only trust and growth call for it.
    fn find_weightless(&mut self) {
        let tree = &self.tree;
        let weightless = RankBitmap::build(self.known_len, |mark| {
            if !self.non_termination {
                tree.incomplete_nodes()
                    .into_iter()
                    .for_each(|node| mark(node.0));
            }
            if !self.trusted.is_empty() {
                let wanted = |routine| self.trusted.contains(&routine);
                tree.visit_nodes_of(&wanted, &mut |node| mark(node.0));
            }
        });
        self.weightless = Arc::new(weightless);
    }

    /// Takes in one judgement. Trust is not taken in here: it changes weights everywhere, so the
    /// session resets the space.
    pub(crate) fn judge(&mut self, node: NodeId, judgement: Judgement) {
        match judgement {
            Judgement::Correct => self.evidence_about(node).correct += 1,
            Judgement::Wrong => self.evidence_about(node).wrong += 1,
            _ => {}
        }
        match judgement {
            Judgement::Correct | Judgement::Inadmissible => self.rule_out(node),
            Judgement::Wrong => self.narrow(node),
            Judgement::Unknown => {
                self.unknown.insert(node);
            }
            Judgement::Trusted | Judgement::Undefined => {}
        }
    }

    /// The tree under search.
    pub fn tree(&self) -> &dyn ExecutionTree {
        &*self.tree
    }

    /// The tree, to be kept.
    pub fn tree_arc(&self) -> &Arc<dyn ExecutionTree> {
        &self.tree
    }

    /// The lowest node known to be wrong.
    pub fn focus(&self) -> Option<NodeId> {
        self.focus
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

    /// Whether this node itself may still be the buggy one.
    pub fn is_suspect(&self, node: NodeId) -> bool {
        self.range.contains(&node.0)
            && !self.weightless.contains(node.0)
            && self.pruned_around(node.0).is_none()
    }

    /// Whether asking about this node makes sense now: it can be judged, nobody has said "don't
    /// know" about it, and both answers are possible.
    pub fn is_askable(&self, node: NodeId) -> bool {
        self.may_be_asked(node) && self.weight(node) < self.suspects()
    }

    /// Whether "don't know" was said about this node.
    pub fn is_unknown(&self, node: NodeId) -> bool {
        self.unknown.contains(&node)
    }

    /// Whether a suspect is left about which "don't know" was said.
    pub fn has_unknown_suspects(&self) -> bool {
        self.unknown.iter().any(|&node| self.is_suspect(node))
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
        let all = self.weight_between(self.range.start, position);
        let index = self
            .pruned
            .partition_point(|pruned| pruned.start < position);
        let Some(last) = index.checked_sub(1).map(|index| self.pruned[index]) else {
            return all;
        };
        all - last.removed_before - self.weight_between(last.start, last.end.min(position))
    }

    /// The suspect with this rank in preorder, counted from 0.
    pub fn select(&self, rank: u64) -> Option<NodeId> {
        if rank >= self.suspects() {
            return None;
        }
        let (mut low, mut high) = (self.range.start, self.range.end);
        // The first position with more than `rank` suspects up to and including it.
        while low < high {
            let middle = low + (high - low) / 2;
            if self.suspects_before(middle + 1) > rank {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Some(NodeId(low))
    }

    /// The suspects in preorder.
    pub fn suspects_in_order(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut last: Option<NodeId> = None;
        (0..self.suspects()).map_while(move |rank| {
            // Mostly the next suspect is the next node; otherwise whole intervals are skipped.
            let neighbour = last
                .map(|node| NodeId(node.0 + 1))
                .filter(|&n| self.is_suspect(n));
            last = neighbour.or_else(|| self.select(rank));
            last
        })
    }

    /// The nodes that may be asked about, in preorder.
    pub fn askable(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.suspects_in_order()
            .filter(|&node| self.is_askable(node))
    }

    /// The children of a node that have suspects in their subtree.
    pub fn children_in_play(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.tree
            .children(node)
            .filter(|&child| self.weight(child) > 0)
    }

    /// The children of a node, the largest subtrees first (equals in order of execution). A search
    /// for a heavy child can stop as soon as the sizes get too small.
    pub fn children_by_size(&self, node: NodeId) -> Arc<[NodeId]> {
        let sorted = |mut children: Vec<NodeId>| -> Arc<[NodeId]> {
            children.sort_by_key(|&child| Reverse(self.tree.subtree_size(child)));
            children.into()
        };
        let first: Vec<_> = self.tree.children(node).take(MANY_CHILDREN + 1).collect();
        if first.len() <= MANY_CHILDREN {
            return sorted(first);
        }
        let mut wide = self.wide.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = wide.entry(node);
        Arc::clone(entry.or_insert_with(|| sorted(self.tree.children(node).collect())))
    }

    /// The askable nodes that no askable node stands above, in preorder: where a top-down strategy
    /// can go from here.
    pub fn topmost_askable(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut rank = 0;
        std::iter::from_fn(move || {
            loop {
                let node = self.select(rank)?;
                if self.is_askable(node) {
                    rank += self.weight(node);
                    return Some(node);
                }
                rank += 1;
            }
        })
    }

    /// The topmost nodes of the range: the focus alone, or the roots in scope.
    pub fn top(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut next = self.range.start;
        std::iter::from_fn(move || {
            let node = (next < self.range.end).then_some(NodeId(next))?;
            next += self.tree.subtree_size(node).max(1);
            Some(node)
        })
    }

    /// The lowest ancestor-or-self of `node` inside the range that satisfies `holds`, a property
    /// that once true stays true upwards.
    pub fn climb(&self, node: NodeId, holds: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let mut node = node;
        for step in 0u32.. {
            if !self.range.contains(&node.0) {
                return None;
            }
            if holds(node) {
                return Some(node);
            }
            let far = self.jump(node, step);
            let far = far.filter(|&far| self.range.contains(&far.0) && !holds(far));
            node = match far.filter(|&far| far != node) {
                Some(far) => far,
                None => self.tree.parent(node)?,
            };
        }
        None
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

    /// The node and its ancestors, up to the top of the range.
    pub(crate) fn ancestors_in_range(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |&node| self.tree.parent(node))
            .take_while(|node| self.range.contains(&node.0))
    }

    fn evidence_about(&mut self, node: NodeId) -> &mut Evidence {
        self.evidence.entry(self.tree.routine(node)).or_default()
    }

    fn may_be_asked(&self, node: NodeId) -> bool {
        self.is_suspect(node) && !self.is_unknown(node)
    }

    fn jump(&self, node: NodeId, step: u32) -> Option<NodeId> {
        if let Some(target) = self.tree.jump(node) {
            return Some(target);
        }
        if step >= LONG_CLIMB {
            self.jumps.get_or_init(|| JumpColumn::build(&*self.tree));
        }
        self.jumps.get().map(|jumps| jumps.get(node))
    }

    /// Nodes with weight in a range, whether ruled out or not.
    fn weight_between(&self, start: u32, end: u32) -> u64 {
        let weightless = self.weightless.count_before(end) - self.weightless.count_before(start);
        u64::from(end - start - weightless)
    }

    /// The ruled-out interval that holds this position.
    fn pruned_around(&self, position: u32) -> Option<usize> {
        let index = self
            .pruned
            .partition_point(|pruned| pruned.start <= position)
            .checked_sub(1)?;
        (position < self.pruned[index].end).then_some(index)
    }

    fn narrow(&mut self, node: NodeId) {
        let inside = self.tree.range(node);
        let holds_all = inside.start <= self.range.start && self.range.end <= inside.end;
        let above = match self.focus {
            // An ancestor of what is known to be wrong adds nothing.
            Some(_) => holds_all,
            None => holds_all && inside != self.range,
        };
        if above {
            return;
        }
        // Inside the range this narrows the search; outside it, the person has chosen to look
        // there, and a wrong node has a buggy one in its subtree wherever it is.
        self.focus = Some(node);
        self.range = inside;
        self.find_pruned();
    }

    fn rule_out(&mut self, node: NodeId) {
        self.ruled_out.insert(node);
        let Range { start, end } = self.tree.range(node);
        let strictly_inside = self.range.start < start && end <= self.range.end;
        if !strictly_inside {
            self.find_pruned();
            return;
        }
        if self.pruned_around(start).is_some() {
            return;
        }
        let from = self.pruned.partition_point(|pruned| pruned.start < start);
        let to = self.pruned.partition_point(|pruned| pruned.start < end);
        self.pruned.splice(
            from..to,
            [Pruned {
                start,
                end,
                removed_before: 0,
            }],
        );
        self.sum_up(from);
    }

    /// Finds the outermost ruled-out subtrees inside the range.
    fn find_pruned(&mut self) {
        self.pruned.clear();
        if self.focus.is_none() && self.is_ruled_out_from_above() {
            let Range { start, end } = self.range;
            self.pruned.push(Pruned {
                start,
                end,
                removed_before: 0,
            });
            return;
        }
        let mut covered = self.range.start;
        for &node in self
            .ruled_out
            .range(NodeId(self.range.start)..NodeId(self.range.end))
        {
            let Range { start, end } = self.tree.range(node);
            if start >= covered && Some(node) != self.focus {
                self.pruned.push(Pruned {
                    start,
                    end,
                    removed_before: 0,
                });
                covered = end;
            }
        }
        self.sum_up(0);
    }

    /// Whether the root of the scope, or an ancestor of it, was ruled out.
    fn is_ruled_out_from_above(&self) -> bool {
        let covers = |node: &&NodeId| self.tree.range(**node).end >= self.range.end;
        self.ruled_out
            .range(..=NodeId(self.range.start))
            .rev()
            .any(|node| covers(&node))
    }

    fn sum_up(&mut self, from: usize) {
        for index in from..self.pruned.len() {
            self.pruned[index].removed_before = match index.checked_sub(1) {
                None => 0,
                Some(left) => {
                    let Pruned {
                        start,
                        end,
                        removed_before,
                    } = self.pruned[left];
                    removed_before + self.weight_between(start, end)
                }
            };
        }
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
