//! What is shown of a node that is not a single call: calls taken together, or a piece of a call.

use serde::{Deserialize, Serialize};

use super::{NamedState, NodeView};
use crate::transform::NodeKind;
use crate::tree::NodeId;

/// What a question shows: one call, or a stretch of the run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AskedView {
    /// A call with what it was given and what it did.
    Call(Box<NodeView>),
    /// Anything else, from its beginning to its end.
    Stretch(CallRangeView),
}

impl AskedView {
    /// The routine of the call, or what the calls taken together are called.
    pub fn routine(&self) -> &str {
        match self {
            AskedView::Call(view) => &view.routine,
            AskedView::Stretch(view) => &view.title,
        }
    }
}

/// A stretch of the run as one piece of work: the state before it and the state after it
/// (Algorithms 1 and 2 of *Balanced Execution Trees*, Definition 4 of *A Generalized Model*).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CallRangeView {
    /// Calls taken together, or which piece of a call.
    pub kind: NodeKind,
    /// The first of the calls; of a piece of a call, that call.
    pub first: NodeId,
    /// The last of the calls.
    pub last: NodeId,
    /// What it is: `15 calls of Tree.insert`, `iterations 1–8 of the loop in line 12`.
    pub title: String,
    /// The call in which it happened, as a person would name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// Source file, if known.
    pub file: Option<String>,
    /// The lines of a piece of a call; of calls, the line of their method if it is the same for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u32>,
    /// The calls that were made, or the first and the last of them.
    pub calls: Vec<NodeView>,
    /// How many calls are left out after the first half of those shown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub calls_left_out: u64,
    /// Variables before and after.
    pub state: Vec<NamedState>,
}

impl AskedView {
    /// The call, if it is one.
    pub fn call(&self) -> Option<&NodeView> {
        match self {
            AskedView::Call(view) => Some(view),
            AskedView::Stretch(_) => None,
        }
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
