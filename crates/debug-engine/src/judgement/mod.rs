//! What can be said about a node's behaviour.
//!
//! Definition 6 of *A Generalized Model* knows undefined, correct and wrong. Practice adds three:
//! code that is trusted, a call that should never have been made, and "I don't know". They differ in
//! what they rule out, and the search never concludes more than they say:
//!
//! | judgement | the node itself | its descendants | everything else |
//! |---|---|---|---|
//! | correct | ruled out | ruled out | stays |
//! | wrong | stays | stay | ruled out for this search |
//! | trusted | ruled out | stay | stays |
//! | inadmissible | ruled out | ruled out | stays, and the caller's side is responsible |
//! | unknown, undefined | stays | stay | stays |

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state of an execution node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// Nobody has said anything yet.
    #[default]
    Undefined,
    /// The behaviour is the intended one: no bug *that shows here* is in this subtree.
    Correct,
    /// The behaviour is not the intended one: a buggy node is in this subtree.
    Wrong,
    /// The routine's own code is taken to be right; what it called may still be wrong.
    Trusted,
    /// The call should never have been made like this: the bug is outside this subtree.
    Inadmissible,
    /// Asked, and not answered. Left for later.
    Unknown,
}

impl Judgement {
    /// Whether the whole subtree is ruled out.
    pub fn prunes_subtree(self) -> bool {
        matches!(self, Judgement::Correct | Judgement::Inadmissible)
    }
}

/// A path to a part of a node's state, such as `this.items[2].price`, in the notation of the crate
/// that shows values. The engine keeps it and never looks inside.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ValuePath(pub String);

impl fmt::Display for ValuePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
