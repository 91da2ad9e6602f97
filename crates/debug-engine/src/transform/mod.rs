//! Transformations of the execution tree (section 4.4 of *A Generalized Model*): other trees of the
//! same execution, in which the bug is found with fewer questions.
//!
//! | transformation | what it does | from |
//! |---|---|---|
//! | collapse | a chain of leaves of one routine becomes one node | Algorithms 1 and 3 of *Balanced Execution Trees* |
//! | projection | a new parent over a stretch of a chain | Algorithms 2 and 4, there |
//! | execution forest | a collapsed node is opened again when it proves wrong | Definition 6, there |
//! | compression | a call of the same routine becomes a part of its caller | Davie and Chitil, *Hat-Delta* |
//! | loop expansion | loops and iterations between a call and what it called | section 4.4 of *A Generalized Model* |
//! | inlining | calls of named routines vanish; what they called moves up | section 4.4 of *A Generalized Model* |
//! | simplification | questions show values in a short form; a flag for views | Caballero et al. |
//!
//! The transformed tree is an [`Overlay`]: new numbers in preorder, each of which stands for a node or
//! for a stretch of siblings of the base tree, so that every strategy works on it unchanged. Answers are
//! kept in terms of the base tree; switching a transformation on or off in a session therefore loses
//! nothing. The overlay covers only what is still in play, is made anew when an answer has narrowed
//! that down (line 8 of Algorithm 1 of *A Generalized Model*), and only once it is small enough; until
//! then the search runs on the base tree, where inlined routines are looked through.
//!
//! A tree that still grows is balanced node by node: what becomes of the children of a call is settled when
//! that call has ended, because it depends on nothing but what is below it.
//!
//! Loops, iterations and statements are nodes too, see [`model`](crate::model): their content comes from the crate
//! that knows the language. Loops and iterations that made calls can be nodes of the overlay as well.

mod balance;
mod loops;
mod overlay;
mod shape;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use balance::Balancing;
use balance::{Group, GroupKind, Layout, Sibling};
pub use overlay::{Overlay, OverlayCounts};

use crate::tree::{RoutineId, Target};

/// What a node of the generalized execution tree stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NodeKind {
    /// A call together with everything that it called (Definition 10 of *A Generalized Model*).
    Routine,
    /// A new parent over siblings that follow each other: no code of its own.
    Projection,
    /// One node in place of several leaves of the same routine.
    Collapse,
    /// A loop with all its iterations.
    Loop,
    /// One iteration of a loop, or several.
    Iteration,
    /// A statement.
    Statement,
}

/// What a target is, if nobody says more.
pub fn kind_of(target: Target) -> NodeKind {
    match target {
        Target::Node(_) => NodeKind::Routine,
        Target::Range { .. } => NodeKind::Projection,
        Target::Piece { .. } => NodeKind::Iteration,
    }
}

/// Which transformations are on. The default is none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Transformations {
    /// Collapse and project chains.
    pub balancing: Option<Balancing>,
    /// Open a collapsed or compressed node again when it proves wrong, to find the very call. Without
    /// this the session ends with all calls that the node stands for: the routine is known.
    pub open_again: bool,
    /// Merge a call with the only call of the same routine that it made.
    pub compression: bool,
    /// Make loops and their iterations nodes, as far as the tree knows them.
    pub loops: bool,
    /// Routines whose calls vanish from the tree. Their code counts as part of their callers.
    pub inlined: BTreeSet<RoutineId>,
    /// Show questions in their simplest form. The engine only keeps this for the views.
    pub simplification: bool,
}

impl Default for Transformations {
    fn default() -> Self {
        Transformations {
            balancing: None,
            open_again: true,
            compression: false,
            loops: false,
            inlined: BTreeSet::new(),
            simplification: false,
        }
    }
}

impl Transformations {
    /// Balancing with its default parameters, and nothing else.
    pub fn balanced() -> Self {
        Transformations {
            balancing: Some(Balancing::default()),
            ..Transformations::default()
        }
    }

    /// Whether the tree stays as it is.
    pub fn keep_the_tree(&self) -> bool {
        self.balancing.is_none() && !self.compression && !self.loops && self.inlined.is_empty()
    }

    /// Whether nothing was switched on.
    pub fn is_default(&self) -> bool {
        *self == Transformations::default()
    }
}
