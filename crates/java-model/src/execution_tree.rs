//! A run as the engine sees it.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use debug_engine::tree::LoopPiece;
use debug_engine::tree::SizeMaxima;
use debug_engine::{ExecutionTree, NodeId, RoutineId};
use trace_format::MethodId;
use trace_store::ThreadCalls;

use super::loops;
use super::observability::MethodObservability;
use super::run::{JavaRun, routine};
use trace_store::CallId;

impl JavaRun {
    /// Whether the beginning of a call was given up to keep the trace's size.
    #[must_use]
    pub fn began_before_kept(&self, node: NodeId) -> bool {
        let call = self.call_id(node);
        call.is_some_and(|call| self.trace().began_before_kept(call).unwrap_or(false))
    }
}

/// The loops of calls that were looked into.
#[derive(Default)]
struct KnownLoops(Mutex<HashMap<NodeId, Arc<[LoopPiece]>>>);

impl ExecutionTree for JavaRun {
    fn len(&self) -> u32 {
        self.forest().len()
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        let call = self.call_id(node)?;
        let by = self.forest().handed_over_by(call);
        let caller = by.or_else(|| {
            let parent = self
                .read(self.trace().calls(call.thread))?
                .parent(call.index)?;
            Some(CallId::new(call.thread, parent))
        });
        self.node(caller?)
    }

    fn subtree_size(&self, node: NodeId) -> u32 {
        let own = self.own_subtree(node);
        own.map_or(1, |(call, own)| self.forest().size(call, own))
    }

    fn is_complete(&self, node: NodeId) -> bool {
        let has_ended = self
            .column(node)
            .is_some_and(|(calls, index)| !calls.is_open(index));
        let own = self.own_subtree(node);
        let is_done = || own.is_none_or(|(call, own)| self.forest().is_done(call, own));
        let is_over = (has_ended && is_done()) || self.ended_by_itself();
        is_over && !self.began_before_kept(node)
    }

    fn routine(&self, node: NodeId) -> RoutineId {
        routine(self.method(node))
    }

    /// Where threads are laid into each other, the engine looks for itself.
    fn first_largest(&self, range: Range<u32>) -> Option<(u32, NodeId)> {
        let mut threads = self.forest().threads();
        let calls = self.read(self.trace().calls(threads.next()?))?;
        if threads.next().is_some() || range.end > calls.len() {
            return None;
        }
        let make = || SizeMaxima::from_blocks(calls.largest_subtrees());
        let maxima = self.facts().get_or_make(make);
        maxima.first_largest(range, |index| calls.subtree(index))
    }

    fn loops(&self, node: NodeId) -> Arc<[LoopPiece]> {
        let loops = self.facts().get_or_make(KnownLoops::default);
        let known = || loops.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&node) {
            return Arc::clone(found);
        }
        let found = loops::loops(self, self.program(), node);
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
        let sight = MethodObservability::new(self);
        let chain = self.read(self.trace().chain_around(call, &sight)).flatten();
        let chain = chain.unwrap_or((call.index, call.index));
        let calls = self.read(self.trace().calls(call.thread))?;
        let (first, last) = self.forest().unbroken(calls, chain, call.index);
        let node = |index| self.node(CallId::new(call.thread, index));
        Some((node(first)?, node(last)?))
    }

    /// Of a run that ended of itself, only calls whose beginning was given up are not complete.
    fn incomplete_nodes(&self) -> Vec<NodeId> {
        let mut open = self.open_nodes();
        if !open.is_empty() && self.ended_by_itself() {
            open.retain(|&node| self.began_before_kept(node));
        }
        open
    }

    fn visit_nodes_of(&self, wanted: &dyn Fn(RoutineId) -> bool, visit: &mut dyn FnMut(NodeId)) {
        // Whether a method is wanted is asked once, and not for each of its calls.
        let mut is_wanted = Vec::new();
        for method in self.methods() {
            let number = method.0 as usize;
            if is_wanted.len() <= number {
                is_wanted.resize(number + 1, false);
            }
            is_wanted[number] = wanted(routine(method));
        }
        let is_wanted = |method: MethodId| match is_wanted.get(method.0 as usize) {
            Some(known) => *known,
            None => wanted(routine(method)),
        };
        for (node, call, count) in self.stretches() {
            let Some(calls) = self.read(self.trace().calls(call.thread)) else {
                continue;
            };
            let methods = calls.methods().skip(call.index as usize);
            for (node, method) in (node.0..).zip(methods.take(count as usize)) {
                if is_wanted(method) {
                    visit(NodeId(node));
                }
            }
        }
    }
}

impl JavaRun {
    /// Open calls contain the end of their thread, so they are the last call's ancestors; calls whose beginning
    /// was given up are the first ones. What handed over something that has not ended is open as well.
    fn open_nodes(&self) -> Vec<NodeId> {
        let mut open = BTreeSet::new();
        for thread in self.forest().threads() {
            let Some(calls) = self.read(self.trace().calls(thread)) else {
                continue;
            };
            let Some(last) = calls.len().checked_sub(1) else {
                continue;
            };
            let begun_before = self.trace().calls_begun_before_kept(thread).unwrap_or(0);
            let path = std::iter::once(last).chain(calls.ancestors(last));
            open.extend(
                path.filter(|&index| calls.is_open(index))
                    .chain(0..begun_before)
                    .filter_map(|index| self.node(CallId::new(thread, index))),
            );
        }
        let mut above = BTreeSet::new();
        for call in self.forest().handed_over_open() {
            let path = std::iter::successors(self.node(call), |&node| self.parent(node));
            for node in path {
                if !above.insert(node) {
                    break;
                }
            }
        }
        open.extend(above);
        open.into_iter().collect()
    }
}

// The store and the engine sum up alike.
const _: () = assert!(ThreadCalls::BLOCK == SizeMaxima::BLOCK);
