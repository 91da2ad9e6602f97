//! How a session ends, and the two things that `poll` can give.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::strategy::Reason;
use crate::transform::NodeKind;
use crate::tree::{NodeId, Target};

/// What the session wants next.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SessionStep {
    /// An answer to this question.
    Ask(Question),
    /// Nothing: no further question can tell the remaining suspects apart.
    Done(Diagnosis),
}

/// Is the behaviour of this node, or of these siblings taken together, the intended one?
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Question {
    /// The node in question; the first one, if it is about several siblings.
    pub node: NodeId,
    /// What the question is about. A stretch of siblings comes up only with a strategy or a
    /// transformation that makes such questions, on a tree that says which siblings are chained.
    pub target: Target,
    /// Further calls that the same question is about, each for itself: is one of these wrong? Empty unless the
    /// target is a node. None of them lies inside another, nor in the target.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<NodeId>,
    /// Whether it is a call, or several that were put together.
    pub kind: NodeKind,
    /// Suspects that are in play now.
    pub suspects_left: u64,
    /// Suspects that are left if the answer is yes.
    pub suspects_after_yes: u64,
    /// Suspects that are left if the answer is no.
    pub suspects_after_no: u64,
    /// About how many questions are still to come, this one included.
    pub questions_left_estimate: u32,
    /// Why this node is asked about.
    pub reason: Reason,
}

impl Question {
    /// All that is asked about, each for itself, in the order of the list.
    pub fn targets(&self) -> impl Iterator<Item = Target> + '_ {
        let beside = self.beside.iter().copied().map(Target::Node);
        std::iter::once(self.target).chain(beside)
    }

    /// Whether it is about several calls, each for itself.
    pub fn is_list(&self) -> bool {
        !self.beside.is_empty()
    }
}

/// The outcome of a session. It claims only what the answers have earned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "outcome")]
pub enum Diagnosis {
    /// The buggy node: its behaviour is wrong, and everything else that it could be is ruled out.
    Found {
        /// The node whose own code is to blame.
        node: NodeId,
    },
    /// Unanswered questions stand between these nodes: the bug is in one of them, if the answers
    /// given so far say that there is one.
    Suspects {
        /// In preorder, never empty.
        nodes: Vec<NodeId>,
    },
    /// Every node is ruled out.
    None,
}

impl Diagnosis {
    /// The nodes that the diagnosis names.
    pub fn nodes(&self) -> &[NodeId] {
        match self {
            Diagnosis::Found { node } => std::slice::from_ref(node),
            Diagnosis::Suspects { nodes } => nodes,
            Diagnosis::None => &[],
        }
    }
}
