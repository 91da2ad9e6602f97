//! Writes by others: what a call finds changed at its exit need not be its own doing.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tree::NodeId;

/// A write that happened while a call ran and does not belong to it: neither the call nor anything
/// below it, handed-over work included, made it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ConcurrentWrite {
    /// The name of the thread that wrote.
    pub thread: String,
    /// The call that wrote, if a recorded one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// That call's routine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routine: Option<String>,
}

impl fmt::Display for ConcurrentWrite {
    /// `thread worker wrote it meanwhile, in #17 Counter.add`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "thread {} wrote it meanwhile", self.thread)?;
        match (self.node, &self.routine) {
            (Some(node), Some(routine)) => write!(out, ", in #{node} {routine}"),
            (Some(node), None) => write!(out, ", in #{node}"),
            (None, _) => Ok(()),
        }
    }
}
