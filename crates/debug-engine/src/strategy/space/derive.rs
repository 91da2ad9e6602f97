//! The same answers over a transformed tree.
//!
//! Answers are kept in terms of the base tree. Everything that was ruled out there is an interval of
//! the base tree's preorder, and intervals can be carried over to an overlay, whose order is the same.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::SearchSpace;
use crate::transform::Overlay;
use crate::tree::{ExecutionTree, NodeId, RoutineId, Target};

impl SearchSpace {
    /// What the answers in `base` leave of an overlay over its range, and whether the value that was called wrong may
    /// be followed in it.
    pub(crate) fn over(overlay: &Arc<Overlay>, base: &SearchSpace, follows_value: bool) -> Self {
        let tree: Arc<dyn ExecutionTree> = Arc::<Overlay>::clone(overlay);
        let mut space = SearchSpace::empty(tree);
        let rightly_open = base.rightly_open.iter();
        let rightly_open = rightly_open.filter_map(|&node| overlay.from_base(Target::Node(node)));
        space.reset(
            None,
            base.non_termination,
            &base.trusted,
            rightly_open.collect(),
        );
        if base.is_known_wrong() {
            let mut roots = space.tree.roots();
            let first = roots.next();
            let last = roots.last().or(first);
            let whole = first.zip(last);
            space.focus = whole.map(|(first, last)| Target::between(first, last));
        }
        for pruned in &base.pruned {
            let interval = overlay.interval_from_base(pruned.start..pruned.end);
            if !interval.is_empty() {
                space
                    .ruled_out
                    .insert((interval.start, Reverse(interval.end)));
            }
        }
        for &piece in &base.right_pieces {
            if let Some(stretch) = overlay.piece_from_base(piece) {
                let Range { start, end } = stretch.positions(&*space.tree);
                space.ruled_out.insert((start, Reverse(end)));
            }
        }
        space.carry_over_unknown(overlay, base);
        space.evidence.clone_from(&base.evidence);
        space.start = space.focus;
        let wrong_piece = base.wrong_piece();
        if let Some(stretch) = wrong_piece.and_then(|piece| overlay.piece_from_base(piece)) {
            space.focus = Some(stretch);
            space.range = stretch.positions(&*space.tree);
        }
        space.knowledge = base.knowledge.over(overlay, follows_value);
        space.find_pruned();
        space
    }

    /// The space before any answer over a tree with the nodes of `base`'s, of which others weigh.
    pub(crate) fn weighed_by(tree: Arc<dyn ExecutionTree>, base: &SearchSpace) -> Self {
        let mut space = SearchSpace::empty(tree);
        space.reset(
            None,
            base.non_termination,
            &base.trusted,
            base.rightly_open.clone(),
        );
        space
    }

    /// What the answers leave of a space that [`SearchSpace::weighed_by`] has made of this one.
    pub(crate) fn weighed_like(&self, other: &SearchSpace) -> Self {
        let mut space = self.fork();
        space.tree = Arc::clone(&other.tree);
        space.weightless = Arc::clone(&other.weightless);
        space.projections = Arc::clone(&other.projections);
        space.maxima = Arc::clone(&other.maxima);
        space.find_pruned();
        space
    }

    pub(crate) fn trusted_routines(&self) -> &BTreeSet<RoutineId> {
        &self.trusted
    }

    /// Takes over what the answers say about routines and their code, which is kept in terms of the
    /// base tree. What they rule out was told to both.
    pub(crate) fn learn_from(&mut self, base: &SearchSpace) {
        self.evidence.clone_from(&base.evidence);
        self.knowledge.valid.clone_from(&base.knowledge.valid);
    }

    /// Whether the bug can be in this node's own code, ruled out or not.
    pub(crate) fn weighs(&self, node: NodeId) -> bool {
        !self.weightless.contains(node.0)
    }

    /// Where what was ruled out, or left unanswered, begins and ends.
    pub(crate) fn answered_bounds(&self) -> impl Iterator<Item = u32> + '_ {
        let pruned = self.pruned.iter();
        let pruned = pruned.map(|pruned| (pruned.start, pruned.end));
        let unanswered = self.unknown_stretches.iter().copied();
        pruned
            .chain(unanswered)
            .flat_map(|(start, end)| [start, end])
    }

    fn carry_over_unknown(&mut self, overlay: &Overlay, base: &SearchSpace) {
        for &node in &base.unknown {
            self.unknown.extend(overlay.from_base(Target::Node(node)));
        }
        for &(start, end) in &base.unknown_stretches {
            let interval = overlay.interval_from_base(start..end);
            if !interval.is_empty() {
                self.unknown_stretches
                    .insert((interval.start, interval.end));
            }
        }
        for &target in &base.unknown_ranges {
            if let Some(node) = overlay.from_base(target) {
                self.unknown.insert(node);
                continue;
            }
            self.unknown_ranges
                .extend(stretch_from_base(overlay, target));
        }
    }
}

/// The stretch of siblings in the overlay that stands for a stretch of the base tree, if one does.
fn stretch_from_base(overlay: &Overlay, target: Target) -> Option<Target> {
    if target.is_piece() {
        return overlay.piece_from_base(target);
    }
    let interval = overlay.interval_from_base(target.positions(&**overlay.base()));
    let first = NodeId(interval.start);
    let is_inside = |next: &NodeId| next.0 < interval.end;
    let next = |&node: &NodeId| {
        let next = NodeId(node.0 + overlay.subtree_size(node));
        Some(next).filter(is_inside)
    };
    let last = std::iter::successors(Some(first).filter(is_inside), next).last()?;
    let stretch = Target::between(first, last);
    (overlay.to_base(stretch) == target).then_some(stretch)
}
