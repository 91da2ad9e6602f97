//! Which siblings are chained, so that they can be asked about together.
//!
//! A chain is found by walking along the siblings. Those of a node with many children are walked once
//! and kept as a list of runs; a tree that knows its chains is asked instead.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::SearchSpace;
use crate::tree::NodeId;

/// Nodes with more children than this have their chains found once and kept.
const MANY_CHILDREN: usize = 256;

/// First and last node of each chain of at least two, in order.
type Runs = Arc<[(NodeId, NodeId)]>;

/// The chains below nodes with many children, by parent.
pub(super) type KnownChains = Mutex<HashMap<Option<NodeId>, Runs>>;

impl SearchSpace {
    /// The longest chain that holds this node, first and last; the node alone if it is in none. Not
    /// cut to the range of the search.
    pub fn chain_around(&self, node: NodeId) -> (NodeId, NodeId) {
        if let Some(chain) = self.tree.chain_around(node) {
            return chain;
        }
        let runs = self.chains_below(self.tree.parent(node));
        let index = runs.partition_point(|&(_, last)| last < node);
        match runs.get(index) {
            Some(&(first, last)) if first <= node => (first, last),
            _ => (node, node),
        }
    }

    /// Whether two siblings lie in one chain.
    pub(super) fn is_chain(&self, first: NodeId, last: NodeId) -> bool {
        first <= last
            && self.tree.parent(first) == self.tree.parent(last)
            && self.chain_around(first).1 >= last
    }

    fn chains_below(&self, parent: Option<NodeId>) -> Runs {
        let siblings = || match parent {
            Some(parent) => self.tree.children(parent),
            None => self.tree.roots(),
        };
        if siblings().nth(MANY_CHILDREN).is_none() {
            return self.find_runs(siblings());
        }
        let mut known = self.chains.lock().unwrap_or_else(PoisonError::into_inner);
        let runs = known
            .entry(parent)
            .or_insert_with(|| self.find_runs(siblings()));
        Arc::clone(runs)
    }

    fn find_runs(&self, siblings: impl Iterator<Item = NodeId>) -> Runs {
        let mut runs = Vec::new();
        let mut open: Option<(NodeId, NodeId)> = None;
        for node in siblings {
            let run = match open {
                Some((first, last)) if self.tree.chained_to_next(last) => (first, node),
                _ => {
                    runs.extend(open.filter(|(first, last)| first != last));
                    (node, node)
                }
            };
            open = Some(run);
        }
        runs.extend(open.filter(|(first, last)| first != last));
        runs.into()
    }
}
