//! What a question can be about: one node, a stretch of siblings taken together, or a piece of the code
//! that called them.
//!
//! A stretch is a *projection* made on the spot (Algorithm 2 of *Balanced Execution Trees*): its
//! behaviour is the state before the first sibling and the state after the last. In preorder it is one
//! interval, just as the subtree of a node is, so the search treats both alike. A piece is such an
//! interval too, but the code of the caller that ran between the calls is a part of it: if it is wrong,
//! the caller may be to blame as well as what it called.

use std::fmt;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ExecutionTree, NodeId};

/// A node, consecutive siblings of one chain, or a piece of their caller.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// One node.
    Node(NodeId),
    /// The siblings from `first` to `last`, both included, as one piece of work.
    Range {
        /// The first of them.
        first: NodeId,
        /// The last of them, a later sibling of the first.
        last: NodeId,
    },
    /// The part of their caller's run in which it called the siblings from `first` to `last`: a loop, an
    /// iteration of one, or several iterations.
    Piece {
        /// The first call of the piece.
        first: NodeId,
        /// The last call of the piece; it may be the first.
        last: NodeId,
    },
}

impl Target {
    /// The siblings from `first` to `last`; a single one is a node.
    pub fn between(first: NodeId, last: NodeId) -> Self {
        if first == last {
            Target::Node(first)
        } else {
            Target::Range { first, last }
        }
    }

    /// The node, or the first of the siblings.
    pub fn first(self) -> NodeId {
        match self {
            Target::Node(node) => node,
            Target::Range { first, .. } | Target::Piece { first, .. } => first,
        }
    }

    /// The node, or the last of the siblings.
    pub fn last(self) -> NodeId {
        match self {
            Target::Node(node) => node,
            Target::Range { last, .. } | Target::Piece { last, .. } => last,
        }
    }

    /// The node, if it is only one.
    pub fn node(self) -> Option<NodeId> {
        match self {
            Target::Node(node) => Some(node),
            Target::Range { .. } | Target::Piece { .. } => None,
        }
    }

    /// Whether it is a piece of a call.
    pub fn is_piece(self) -> bool {
        matches!(self, Target::Piece { .. })
    }

    /// The preorder numbers of everything in it.
    pub fn positions(self, tree: &dyn ExecutionTree) -> Range<u32> {
        self.first().0..tree.range(self.last()).end
    }

    /// Whether `node` lies in it.
    pub fn contains(self, tree: &dyn ExecutionTree, node: NodeId) -> bool {
        self.positions(tree).contains(&node.0)
    }

    /// The node, or the siblings one by one.
    pub fn members(self, tree: &dyn ExecutionTree) -> super::Siblings<'_> {
        super::Siblings {
            tree,
            next: self.first().0,
            end: self.last().0 + 1,
        }
    }
}

impl From<NodeId> for Target {
    fn from(node: NodeId) -> Self {
        Target::Node(node)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Node(node) => node.fmt(f),
            Target::Range { first, last } => write!(f, "{first}..={last}"),
            Target::Piece { first, last } => write!(f, "piece {first}..={last}"),
        }
    }
}
