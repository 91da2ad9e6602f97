//! What a session came to, in the words that every front end uses.

use debug_engine::session::Diagnosis;
use debug_engine::{NodeId, Session};
use schemars::JsonSchema;
use serde::Serialize;

/// What is said where nothing was found. It does not say that every call is right: some may be trusted, and what was
/// called wrong may consist of calls that were called right afterwards.
pub const NO_CALL_LEFT: &str = "by these answers no call can be to blame";

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// This call is to blame.
    Call(NodeId),
    /// All of so many suspects are calls of one method, of which this is the first.
    Method { first: NodeId, calls: usize },
    /// So many calls are left that what is known does not tell apart.
    Suspects(usize),
    /// No call can be to blame; see [`NO_CALL_LEFT`].
    Nothing,
}

impl Finding {
    /// What a diagnosis says.
    #[must_use]
    pub fn of(session: &Session, diagnosis: &Diagnosis) -> Finding {
        match diagnosis {
            Diagnosis::Found { node } => Finding::Call(*node),
            Diagnosis::Suspects { nodes } => {
                let calls = nodes.len();
                match nodes.first().zip(session.only_routine(diagnosis)) {
                    Some((&first, _)) => Finding::Method { first, calls },
                    None => Finding::Suspects(calls),
                }
            }
            Diagnosis::None => Finding::Nothing,
        }
    }

    /// What sort of end it is, as programs read it.
    #[must_use]
    pub fn kind(self) -> DiagnosisKind {
        match self {
            Finding::Call(_) => DiagnosisKind::Found,
            Finding::Method { .. } => DiagnosisKind::FoundMethod,
            Finding::Suspects(_) => DiagnosisKind::Suspects,
            Finding::Nothing => DiagnosisKind::None,
        }
    }
}

/// How a session ended, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiagnosisKind {
    /// A call is to blame.
    Found,
    /// A method is to blame, and no single one of its calls.
    FoundMethod,
    /// Some calls are left.
    Suspects,
    /// No call can be to blame.
    None,
}

impl DiagnosisKind {
    /// The word that programs read.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            DiagnosisKind::Found => "found",
            DiagnosisKind::FoundMethod => "found_method",
            DiagnosisKind::Suspects => "suspects",
            DiagnosisKind::None => "none",
        }
    }
}

/// Why a method is to blame of which no single call is: `all 19 suspects are calls of Key.hashCode`.
#[must_use]
pub fn all_calls_of(calls: usize, routine: &str) -> String {
    match calls {
        1 => format!("the only suspect is a call of {routine}"),
        2 => format!("both suspects are calls of {routine}"),
        calls => format!("all {calls} suspects are calls of {routine}"),
    }
}
