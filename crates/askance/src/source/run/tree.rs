//! A run as the engine sees it.

use std::sync::{Arc, PoisonError};

use debug_engine::transform::LoopPiece;
use debug_engine::{ExecutionTree, NodeId, RoutineId};

use super::super::inside;
use super::super::sight::MethodSight;
use super::{JavaRun, routine};

impl ExecutionTree for JavaRun {
    fn len(&self) -> u32 {
        self.nodes
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        let (calls, index) = self.column(node)?;
        calls
            .parent(index)
            .map(|parent| NodeId(self.first_node(node) + parent))
    }

    fn subtree_size(&self, node: NodeId) -> u32 {
        self.column(node)
            .map_or(1, |(calls, index)| calls.subtree(index))
    }

    fn is_complete(&self, node: NodeId) -> bool {
        self.column(node)
            .is_some_and(|(calls, index)| !calls.is_open(index))
    }

    fn routine(&self, node: NodeId) -> RoutineId {
        routine(self.method(node))
    }

    fn loops(&self, node: NodeId) -> Arc<[LoopPiece]> {
        let known = || self.loops.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&node) {
            return Arc::clone(found);
        }
        let found = inside::loops(self, self.program(), node);
        known().insert(node, Arc::clone(&found));
        found
    }

    fn chained_to_next(&self, node: NodeId) -> bool {
        self.chain_around(node)
            .is_some_and(|(_, last)| last != node)
    }

    /// The chains below a call are found when one of them is first asked for.
    fn chain_around(&self, node: NodeId) -> Option<(NodeId, NodeId)> {
        let call = self.call_id(node)?;
        let sight = MethodSight::new(self);
        let chain = self.trace.chain_around(call, &sight).ok().flatten();
        let (first, last) = chain.unwrap_or((call.index, call.index));
        let start = self.first_node(node);
        Some((NodeId(start + first), NodeId(start + last)))
    }

    /// Open calls contain the end of their thread, so they are the last call's ancestors.
    fn incomplete_nodes(&self) -> Vec<NodeId> {
        let mut open = Vec::new();
        for &(thread, first) in &self.forest {
            let Ok(calls) = self.trace.calls(thread) else {
                continue;
            };
            let Some(last) = calls.len().checked_sub(1) else {
                continue;
            };
            let path = std::iter::once(last).chain(calls.ancestors(last));
            open.extend(
                path.filter(|&index| calls.is_open(index))
                    .map(|index| NodeId(first + index)),
            );
        }
        open.sort();
        open
    }

    fn visit_nodes_of(&self, wanted: &dyn Fn(RoutineId) -> bool, visit: &mut dyn FnMut(NodeId)) {
        for &(thread, first) in &self.forest {
            let Ok(calls) = self.trace.calls(thread) else {
                continue;
            };
            for (node, method) in (first..).zip(calls.methods()) {
                if wanted(routine(method)) {
                    visit(NodeId(node));
                }
            }
        }
    }
}
