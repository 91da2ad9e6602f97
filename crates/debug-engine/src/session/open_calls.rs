//! A run that never ended: the calls that were open when it was stopped.
//!
//! Where such a run went round in circles, an open call that should have ended by then is to blame, or one of those
//! that it made: so open calls are asked about first. The one that goes round has made nearly all of the calls, and
//! those that it was making when the run was stopped may just have begun: so the innermost of those that have made
//! many is asked about, and the others are left to the strategy. That a call was right to be still running says
//! nothing of what it had called by then: a server runs for ever, and what it does for one request should not. So it
//! is looked through from then on, like a trusted one, and those in it are asked about next.

use std::collections::BTreeSet;

use super::Session;
use crate::judgement::Judgement;
use crate::tree::{ExecutionTree, NodeId, Target};

/// A call that has made this part of the calls has made many.
const MANY: u32 = 20;

impl Session {
    /// The innermost open call that has made many of the calls and can be asked about, if that it was open may be the
    /// symptom.
    pub(super) fn open_question(&self) -> Option<Target> {
        if !self.options.non_termination {
            return None;
        }
        let tree = &*self.tree;
        let open = self.open.get_or_init(|| tree.incomplete_nodes());
        let range = self.space.range();
        let place = |position| open.partition_point(|node| node.0 < position);
        let inside = &open[place(range.start)..place(range.end)];
        let is_long = |node: NodeId| tree.subtree_size(node) > 1;
        let inside: Vec<NodeId> = inside.iter().copied().filter(|&it| is_long(it)).collect();
        let can_ask = |node: NodeId| self.space.can_ask(Target::Node(node));
        let may_go_on = self.rightly_open();
        let is_in_such = |node: NodeId| may_go_on.iter().any(|&open| tree.contains(open, node));
        let is_next = |node: NodeId| can_ask(node) && is_in_such(node);
        match inside.iter().any(|&node| is_next(node)) {
            true => innermost_busy(tree, &inside, is_next, is_next),
            false => {
                let is_known_wrong = |node: NodeId| self.space.focus() == Some(node);
                let counts = |node: NodeId| can_ask(node) || is_known_wrong(node);
                innermost_busy(tree, &inside, counts, can_ask)
            }
        }
    }

    /// Whether a judgement says of an open call that it may go on.
    pub(super) fn lets_go_on(&self, target: Target, judgement: Judgement) -> bool {
        let is_open = |node| !self.tree.is_complete(node);
        judgement == Judgement::Correct && target.node().is_some_and(is_open)
    }

    /// The open calls of which that is right.
    pub(super) fn rightly_open(&self) -> BTreeSet<NodeId> {
        let entries = self.log.in_force();
        let targets = entries.filter_map(|entry| Some((entry.target()?, entry.judgement())));
        let may_go_on = targets.filter(|&(target, judgement)| self.lets_go_on(target, judgement));
        may_go_on.filter_map(|(target, _)| target.node()).collect()
    }
}

/// The innermost of these open calls that has made many of the calls, compared with those that count.
fn innermost_busy(
    tree: &dyn ExecutionTree,
    open: &[NodeId],
    counts: impl Fn(NodeId) -> bool,
    is_wanted: impl Fn(NodeId) -> bool,
) -> Option<Target> {
    let counted = open.iter().filter(|&&node| counts(node));
    let most = counted.map(|&node| tree.subtree_size(node)).max()?;
    let is_busy = |node: NodeId| tree.subtree_size(node) >= most.div_ceil(MANY);
    let inwards = open.iter().rev().copied();
    let mut wanted = inwards.filter(|&node| is_busy(node) && is_wanted(node));
    wanted.next().map(Target::Node)
}
