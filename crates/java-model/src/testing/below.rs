//! The calls below tests.

use debug_engine::{ExecutionTree as _, NodeId, RoutineId};

use super::TestCall;
use crate::run::JavaRun;

/// Visits the calls below these tests, which are in the order of their nodes, each with the number of its test. One
/// pass over the calls of the run.
pub(super) fn visit(
    run: &JavaRun,
    tests: &[&TestCall],
    visit: &mut dyn FnMut(usize, RoutineId, NodeId),
) {
    if tests.is_empty() {
        return;
    }
    let mut rest = tests.iter().enumerate().peekable();
    run.visit_nodes_of(&|_| true, &mut |node| {
        let has_ended = |test: &TestCall| node.0 >= test.node.0 + run.subtree_size(test.node);
        while rest.next_if(|(_, test)| has_ended(test)).is_some() {}
        if let Some(&(number, test)) = rest.peek()
            && node > test.node
        {
            visit(number, run.routine(node), node);
        }
    });
}
