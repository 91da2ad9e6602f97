//! How a reference decided that a call is wrong, which is told with the diagnosis.

use std::fmt;

use debug_engine::NodeId;
use debug_engine::view::render::{self, Bounds};
use serde::Serialize;

use inquiry::oracle::reference::{Declared, MatchedBy, Reference, Suspect};
use java_analysis::recording::Recording as _;
use java_model::node_view::with_statics_as_inputs;
use java_model::run::JavaRun;

/// The reference's call that a wrong one was compared with.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Decided {
    /// How that call was found.
    by: MatchedBy,
    /// Its number in the reference's run.
    other_node: u32,
    /// What it did.
    theirs: String,
}

impl Decided {
    /// `None` if the reference did not decide.
    pub(crate) fn of(reference: &Reference, node: NodeId) -> Option<Decided> {
        let (other, by) = reference.decided_by(node)?;
        Some(Decided {
            by,
            other_node: other.0,
            theirs: one_line(reference.theirs(), other),
        })
    }
}

impl fmt::Display for Decided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.by {
            MatchedBy::Place => {
                "Both runs did the same up to this call; it then went another way than the reference's:"
            }
            MatchedBy::Input => {
                "No code that ran differs. Both runs did the same up to this call, and then it read something else from outside; the reference's:"
            }
            MatchedBy::State => {
                "The reference has a call from the same state before, which ended differently:"
            }
        })?;
        write!(f, "\n  {}  (#{} there)", self.theirs, self.other_node)
    }
}

/// A call in one line.
pub(super) fn one_line(run: &JavaRun, node: NodeId) -> String {
    let view = with_statics_as_inputs(run.view(node, Bounds::default()));
    render::one_line(&view, Bounds::default())
}

/// What a reference adds to a diagnosis.
#[derive(Debug, Default)]
pub(crate) struct ReferenceFindings {
    /// The lines of the call that was found that differ.
    pub(crate) changed: Vec<u32>,
    /// How it was told that it is wrong.
    pub(crate) decided: Option<Decided>,
    /// If no call was found: the methods that ran and differ, the likeliest first.
    pub(crate) methods: Vec<Suspect>,
    /// And the declarations that differ.
    pub(crate) declared: Vec<Declared>,
    /// Whether no recorded code that ran differs, and nobody else answered.
    pub(crate) is_of_same_code: bool,
}
