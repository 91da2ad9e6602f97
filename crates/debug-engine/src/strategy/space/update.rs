//! How judgements change the space.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::bits::RankBitmap;
use super::history::History;
use super::unknown::UnknownRuns;
use super::{Evidence, Knowledge, Pruned, SearchSpace};
use crate::judgement::Judgement;
use crate::tree::{ExecutionTree, NodeId, RoutineId, Target};

impl SearchSpace {
    /// The space before any judgement: the whole forest, nothing ruled out.
    pub fn new(tree: Arc<dyn ExecutionTree>) -> Self {
        let mut space = Self::empty(tree);
        space.reset(None, false, &BTreeSet::new(), BTreeSet::new());
        space
    }

    /// The space as it was before any YES or NO, with what cannot be asked left out.
    pub(crate) fn restarted(&self) -> Self {
        let mut space = self.fork_within(0..0);
        space.unknown.clone_from(&self.unknown);
        space.range = self.scope.clone();
        space.focus = None;
        space.answered = 0;
        space.knowledge.valid.clear();
        space.find_pruned();
        if let Some(start) = self.start {
            space.assume_wrong(start);
        }
        space
    }

    /// Takes a target to be wrong from the start.
    pub(crate) fn assume_wrong(&mut self, target: Target) {
        self.judge(target, Judgement::Wrong);
        self.start = Some(target);
        self.answered = 0;
    }

    /// What is left if `target` turns out to be wrong, with what was said inside it.
    pub fn fork_into(&self, target: impl Into<Target>) -> Self {
        let target = target.into();
        let mut space = self.fork_within(target.positions(&*self.tree));
        space.judge(target, Judgement::Wrong);
        space
    }

    /// An independent copy, which shares what was computed about the tree.
    pub fn fork(&self) -> Self {
        let mut space = self.fork_within(0..self.tree.len());
        space.find_pruned();
        space
    }

    fn fork_within(&self, kept: Range<u32>) -> Self {
        let intervals = (kept.start, Reverse(u32::MAX))..(kept.end, Reverse(u32::MAX));
        let nodes = NodeId(kept.start)..NodeId(kept.end);
        SearchSpace {
            tree: Arc::clone(&self.tree),
            scope: self.scope.clone(),
            focus: self.focus,
            range: self.range.clone(),
            weight_before_range: self.weight_before_range,
            ruled_out: self.ruled_out.range(intervals).copied().collect(),
            pruned: Vec::new(),
            unknown: self.unknown.range(nodes).copied().collect(),
            unknown_runs: UnknownRuns::default(),
            unknown_ranges: self.unknown_ranges.clone(),
            unknown_stretches: self.unknown_stretches.clone(),
            holds_back: AtomicBool::new(self.holds_back.load(Ordering::Relaxed)),
            wrong_piece: self.wrong_piece,
            right_pieces: self.right_pieces.clone(),
            evidence: self.evidence.clone(),
            trusted: self.trusted.clone(),
            non_termination: self.non_termination,
            rightly_open: self.rightly_open.clone(),
            weightless: Arc::clone(&self.weightless),
            projections: Arc::clone(&self.projections),
            known_len: self.known_len,
            jumps: Arc::clone(&self.jumps),
            maxima: Arc::clone(&self.maxima),
            by_weight: Default::default(),
            chains: Arc::clone(&self.chains),
            history: History::new(),
            start: self.start,
            answered: self.answered,
            knowledge: self.knowledge.clone(),
        }
    }

    pub(crate) fn empty(tree: Arc<dyn ExecutionTree>) -> Self {
        SearchSpace {
            tree,
            scope: 0..0,
            focus: None,
            range: 0..0,
            weight_before_range: 0,
            ruled_out: BTreeSet::new(),
            pruned: Vec::new(),
            unknown: BTreeSet::new(),
            unknown_runs: UnknownRuns::default(),
            unknown_ranges: BTreeSet::new(),
            unknown_stretches: BTreeSet::new(),
            holds_back: AtomicBool::new(false),
            wrong_piece: None,
            right_pieces: BTreeSet::new(),
            evidence: HashMap::new(),
            trusted: BTreeSet::new(),
            non_termination: false,
            rightly_open: BTreeSet::new(),
            weightless: Arc::default(),
            projections: Arc::default(),
            known_len: 0,
            jumps: Arc::default(),
            maxima: Arc::default(),
            by_weight: Default::default(),
            chains: Arc::default(),
            history: History::new(),
            start: None,
            answered: 0,
            knowledge: Knowledge::default(),
        }
    }

    /// Forgets all judgements and starts over with this root, these trusted routines and these open nodes that were
    /// right to go on.
    pub(crate) fn reset(
        &mut self,
        root: Option<NodeId>,
        non_termination: bool,
        trusted: &BTreeSet<RoutineId>,
        rightly_open: BTreeSet<NodeId>,
    ) {
        let whole = 0..self.tree.len();
        let has_grown = self.known_len != whole.end;
        if has_grown {
            self.known_len = whole.end;
            self.jumps = Arc::default();
            self.maxima = Arc::default();
            self.chains = Arc::default();
        }
        let weighs_differently = self.trusted != *trusted
            || self.non_termination != non_termination
            || self.rightly_open != rightly_open;
        if has_grown || weighs_differently {
            self.trusted.clone_from(trusted);
            self.non_termination = non_termination;
            self.rightly_open = rightly_open;
            self.find_weightless();
        }
        self.scope = root.map_or(whole, |root| self.tree.range(root));
        self.range = self.scope.clone();
        self.focus = None;
        self.ruled_out.clear();
        self.unknown.clear();
        self.forget_by_weight();
        self.unknown_ranges.clear();
        self.unknown_stretches.clear();
        self.wrong_piece = None;
        self.right_pieces.clear();
        self.evidence.clear();
        self.history = History::new();
        self.start = None;
        self.answered = 0;
        self.knowledge.valid.clear();
        self.find_pruned();
    }

    /// One pass over the tree, or over what its indexes give; only trust, growth and open nodes that may go on call
    /// for it.
    fn find_weightless(&mut self) {
        let tree = &self.tree;
        let projections = tree.projections();
        let weightless = RankBitmap::build(self.known_len, |mark| {
            projections.iter().for_each(|node| mark(node.0));
            if !self.non_termination {
                tree.incomplete_nodes()
                    .into_iter()
                    .for_each(|node| mark(node.0));
            }
            self.rightly_open.iter().for_each(|node| mark(node.0));
            if !self.trusted.is_empty() {
                let wanted = |routine| self.trusted.contains(&routine);
                tree.visit_nodes_of(&wanted, &mut |node| mark(node.0));
            }
        });
        self.weightless = Arc::new(weightless);
        self.projections = projections.into();
    }

    /// Takes in one judgement. Trust is not taken in here: it changes weights everywhere, so the
    /// session resets the space. What is said about siblings together says nothing about a routine.
    pub(crate) fn judge(&mut self, target: impl Into<Target>, judgement: Judgement) {
        let target = target.into();
        match (target, judgement) {
            (Target::Node(node), Judgement::Correct) => self.evidence_about(node).correct += 1,
            (Target::Node(node), Judgement::Wrong) => self.evidence_about(node).wrong += 1,
            _ => {}
        }
        let positions = target.positions(&*self.tree);
        let is_all = positions.start <= self.scope.start && self.scope.end <= positions.end;
        if judgement == Judgement::Wrong && is_all {
            self.start = Some(target);
        } else if judgement == Judgement::Wrong || judgement.prunes_subtree() {
            self.answered += 1;
        }
        if judgement == Judgement::Correct {
            self.knowledge.valid.push(positions.clone());
        }
        match judgement {
            Judgement::Correct | Judgement::Inadmissible => {
                if target.is_piece() {
                    self.right_pieces.insert(target);
                }
                self.rule_out(positions);
            }
            Judgement::Wrong if target.is_piece() => self.narrow_to_piece(target),
            Judgement::Wrong => self.narrow(target),
            Judgement::Unknown => match target {
                Target::Node(node) => self.leave_unknown(node),
                Target::Range { .. } | Target::Piece { .. } => {
                    self.unknown_ranges.insert(target);
                    self.unknown_stretches
                        .insert((positions.start, positions.end));
                }
            },
            Judgement::Trusted | Judgement::Undefined => {}
        }
    }

    fn evidence_about(&mut self, node: NodeId) -> &mut Evidence {
        self.evidence.entry(self.tree.routine(node)).or_default()
    }

    fn narrow(&mut self, target: Target) {
        self.forget_by_weight();
        let inside = target.positions(&*self.tree);
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
        if inside.start < self.range.start || self.range.end < inside.end {
            self.history = History::new();
        }
        self.focus = Some(target);
        self.range = inside;
        self.find_pruned();
    }

    /// A wrong piece leaves the call that it is a piece of, and what was called in it.
    fn narrow_to_piece(&mut self, piece: Target) {
        let Some(call) = self.tree.parent(piece.first()) else {
            return;
        };
        self.narrow(Target::Node(call));
        let inside = piece.positions(&*self.tree);
        let whole = self.tree.range(call);
        for outside in [whole.start + 1..inside.start, inside.end..whole.end] {
            if !outside.is_empty() {
                self.rule_out(outside);
            }
        }
        let is_inside = |known: Target| {
            let known = known.positions(&*self.tree);
            inside.start <= known.start && known.end <= inside.end && known != inside
        };
        if !self.wrong_piece().is_some_and(is_inside) {
            self.wrong_piece = Some(piece);
        }
    }

    fn rule_out(&mut self, Range { start, end }: Range<u32>) {
        self.ruled_out.insert((start, Reverse(end)));
        let inside = self.range.start <= start && end <= self.range.end;
        if !inside || (start..end) == self.range {
            self.find_pruned();
            return;
        }
        if let Some(around) = self.pruned_around(start) {
            if self.pruned[around].end < end {
                self.find_pruned();
            }
            return;
        }
        let from = self.pruned.partition_point(|pruned| pruned.start < start);
        let to = self.pruned.partition_point(|pruned| pruned.start < end);
        if to > from && self.pruned[to - 1].end > end {
            // Stretches of siblings may overlap.
            self.find_pruned();
            return;
        }
        self.pruned
            .splice(from..to, [Pruned::unweighed(start, end)]);
        self.sum_up(from);
        self.join_unknown_around(start..end);
    }

    /// Finds the outermost ruled-out intervals inside the range. What was said about something that
    /// holds all of the focus does not matter inside it.
    pub(super) fn find_pruned(&mut self) {
        self.pruned.clear();
        self.weight_before_range = self.weight_before(self.range.start);
        if self.focus.is_none() && self.is_ruled_out_from_above() {
            let Range { start, end } = self.range;
            self.pruned.push(Pruned::unweighed(start, end));
            self.sum_up(0);
            self.find_unknown_runs();
            return;
        }
        let mut covered = self.range.start;
        // A stretch of siblings may have been ruled out that reaches into the range from the left.
        let crossing = (0, Reverse(u32::MAX))..(self.range.end, Reverse(u32::MAX));
        for &(start, Reverse(end)) in self.ruled_out.range(crossing) {
            let holds_all = start <= self.range.start && self.range.end <= end;
            let (start, end) = (start.max(covered), end.min(self.range.end));
            if start < end && !holds_all {
                self.pruned.push(Pruned::unweighed(start, end));
                covered = end;
            }
        }
        self.sum_up(0);
        self.find_unknown_runs();
    }

    /// Whether the root of the scope, or an ancestor of it, was ruled out.
    fn is_ruled_out_from_above(&self) -> bool {
        self.ruled_out
            .range(..=(self.range.start, Reverse(0)))
            .any(|&(_, Reverse(end))| end >= self.range.end)
    }

    /// Counts what lies to the left of the intervals from this one on.
    fn sum_up(&mut self, from: usize) {
        let left = from.checked_sub(1).map(|left| self.pruned[left]);
        let (mut suspects, mut weight) = match left {
            Some(left) => (left.suspects_before, left.weight_before_end),
            None => (0, self.weight_before_range),
        };
        for index in from..self.pruned.len() {
            let Pruned { start, end, .. } = self.pruned[index];
            suspects += self.weight_before(start) - weight;
            weight = self.weight_before(end);
            self.pruned[index].suspects_before = suspects;
            self.pruned[index].weight_before_end = weight;
        }
    }
}

impl Pruned {
    /// An interval before its surroundings are counted.
    fn unweighed(start: u32, end: u32) -> Self {
        Pruned {
            start,
            end,
            suspects_before: 0,
            weight_before_end: 0,
        }
    }
}
