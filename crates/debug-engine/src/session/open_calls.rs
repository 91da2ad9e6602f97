//! A run that never ended: the calls that were open when it was stopped.
//!
//! Where such a run went round in circles, the innermost open call that should have ended by then is to blame, or one
//! of those that it made: so open calls are asked about first, from the inside outwards. One that has called nothing
//! may just have begun, and is left to the strategy. That a call was right to be still running says nothing of what
//! it had called by then: a server runs for ever, and what it does for one request should not. So it is looked
//! through from then on, like a trusted one.

use std::collections::BTreeSet;

use super::Session;
use crate::judgement::Judgement;
use crate::tree::{NodeId, Target};

impl Session {
    /// The innermost open call that can be asked about, if that it was open may be the symptom.
    pub(super) fn open_question(&self) -> Option<Target> {
        if !self.options.non_termination {
            return None;
        }
        let open = self.open.get_or_init(|| self.tree.incomplete_nodes());
        let range = self.space.range();
        let inside = open.partition_point(|node| node.0 < range.end);
        let inwards = open[..inside].iter().rev();
        let mut targets = inwards
            .take_while(|node| node.0 >= range.start)
            .filter(|&&node| self.tree.subtree_size(node) > 1)
            .map(|&node| Target::Node(node));
        targets.find(|&target| self.space.can_ask(target))
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
