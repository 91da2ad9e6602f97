//! The calls below tests.

use debug_engine::{ExecutionTree as _, NodeId, RoutineId};

use super::PartOfTest;
use crate::run::JavaRun;

/// Visits the calls below these parts of tests, which are in the order of their nodes, each with the number of its
/// test. One pass over the calls of the run.
pub(super) fn visit(
    run: &JavaRun,
    parts: &[PartOfTest],
    visit: &mut dyn FnMut(usize, RoutineId, NodeId),
) {
    if parts.is_empty() {
        return;
    }
    let mut rest = parts.iter().peekable();
    run.visit_nodes_of(&|_| true, &mut |node| {
        let has_ended = |part: &PartOfTest| node.0 >= part.node.0 + run.subtree_size(part.node);
        while rest.next_if(|part| has_ended(part)).is_some() {}
        if let Some(&&part) = rest.peek()
            && node > part.node
        {
            visit(part.test, run.routine(node), node);
        }
    });
}
