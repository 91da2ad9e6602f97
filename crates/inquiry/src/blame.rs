//! The lines of a buggy call, narrowed by what was said about it.

use debug_engine::NodeId;
use debug_engine::session::{Answer, LogEntry};

use java_analysis::lines::CallLines;
use java_analysis::recording::Recording;

/// The lines of a call that can be to blame, given the answers so far: if a value of it was called
/// wrong, those that had a part in that value.
#[must_use]
pub fn lines_to_blame(run: &dyn Recording, log: &[LogEntry], node: NodeId) -> CallLines {
    run.lines_to_blame(node, wrong_value(log, node))
}

/// The value of a call that was called wrong last.
#[must_use]
pub fn wrong_value(log: &[LogEntry], node: NodeId) -> Option<&str> {
    log.iter().rev().find_map(|entry| match &entry.answer {
        Answer::WrongPart(path) if entry.node == Some(node) => Some(path.0.as_str()),
        _ => None,
    })
}
