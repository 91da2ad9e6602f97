//! The loops and iterations in which a call made its calls: nodes that can stand between the call and them.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

use debug_engine::NodeId;
use debug_engine::transform::NodeKind;
use debug_engine::tree::LoopPiece;
use frame_replay::Program;
use trace_store::CallId;

use crate::pieces;
use crate::run::JavaRun;

/// Each before what is inside it.
#[must_use]
pub fn loops(run: &JavaRun, program: &Program, node: NodeId) -> Arc<[LoopPiece]> {
    let Some(cut) = pieces::cut(run, program, node, false) else {
        return Arc::new([]);
    };
    let calls = numbered(run, &cut.calls);
    let mut found = cut.found;
    found.sort_by_key(|(kind, steps)| (steps.start, Reverse(steps.end), *kind != NodeKind::Loop));
    let pieces = found.iter().filter_map(|(kind, steps)| {
        let (first, last) = made_in(&calls, steps)?;
        Some(LoopPiece {
            is_loop: *kind == NodeKind::Loop,
            first,
            last,
        })
    });
    pieces.collect()
}

/// Calls as nodes.
#[must_use]
pub fn numbered(run: &JavaRun, calls: &[(u64, CallId)]) -> Vec<(u64, NodeId)> {
    let numbered = calls
        .iter()
        .filter_map(|&(step, call)| Some((step, run.node(call)?)));
    numbered.collect()
}

/// The first and the last of the calls that were made in these steps.
#[must_use]
pub fn made_in(calls: &[(u64, NodeId)], steps: &Range<u64>) -> Option<(NodeId, NodeId)> {
    let start = calls.partition_point(|(step, _)| *step < steps.start);
    let end = calls.partition_point(|(step, _)| *step < steps.end);
    let (first, last) = (calls.get(start)?, calls.get(end.checked_sub(1)?)?);
    (start < end).then_some((first.1, last.1))
}
