//! What tools are given. Where the browser's interface takes the same, it is the same type. What a session's number is
//! stands in the instructions, once, and not beside each tool.

use schemars::JsonSchema;
use serde::Deserialize;

use askance_api::inside::InsideRequest;
use askance_api::session::SessionRequest;

/// Something in a session.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct In<T> {
    pub(super) session: u32,
    #[serde(flatten)]
    pub(super) wanted: T,
}

/// A session.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct InSession {
    pub(super) session: u32,
}

/// Which trace, and how to search it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OpenWanted {
    /// The trace's name, as list_traces gives it.
    pub trace: String,
    /// Search only below this call: a number, or a method such as `sort` or `MergeSort.sort` (its first call).
    pub root: Option<String>,
    /// Which failed test to ask about, e.g. `CartTest#total`; the first that failed if it is left out.
    pub test: Option<String>,
    /// How the next question is chosen, e.g. `dq-optimal` or `top-down`.
    pub strategy: Option<String>,
    /// Transformations of the tree, e.g. `balance,loops`.
    pub transform: Option<String>,
}

/// What to run.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct RecordWanted {
    /// A Java source file with a main method, which is compiled first. Either this or `command`.
    pub java_file: Option<String>,
    /// The words of a command, e.g. `["java", "-cp", "out", "shop.Main"]` or `["mvn", "-q", "test"]`.
    pub command: Option<Vec<String>>,
    /// What the program of `java_file` is given.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The trace's name.
    pub name: Option<String>,
    /// Only classes whose name matches one of these patterns, e.g. `shop.*`.
    #[serde(default)]
    pub include: Vec<String>,
    /// No classes whose name matches one of these patterns.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// After how many seconds the program is stopped; 60 if it is left out.
    pub time_limit: Option<f64>,
}

/// An answer.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct AnswerGiven {
    pub(super) session: u32,
    /// The revision that came with the question: an answer to a question that is no longer asked is refused.
    pub(super) revision: u64,
    /// `yes`: the call did what it should. `no`: it did not. `wrong`: no, and `path` is the value that shows it.
    /// `unknown`: leave it to others. `trust`, `trust-class`, `trust-package`: never ask about this method, its
    /// class, its package. `inadmissible`: it should never have been called like this.
    pub(super) answer: SessionRequest,
    /// With `wrong`: the value, e.g. `return`, `this.size`, `args[2].price`; or a printed line, `output:3`.
    pub(super) path: Option<String>,
    /// Judge this call instead of the one in question.
    pub(super) node: Option<u32>,
    /// How sure you are, from 0 to 1. Shown to people beside the answer; the least sure answers are doubted first.
    pub(super) confidence: Option<f64>,
}

/// Which answer to take back.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct UndoWanted {
    pub(super) session: u32,
    pub(super) revision: u64,
    /// Its place in the list of answers; your last one if it is left out.
    pub(super) place: Option<usize>,
    /// Instead: all trust in the method of this call.
    pub(super) trust: Option<u32>,
}

/// A session as it was seen.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct AtRevision {
    pub(super) session: u32,
    pub(super) revision: u64,
}

/// How to go on searching.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct SearchChosen {
    pub(super) session: u32,
    /// As open_trace takes it.
    pub(super) strategy: Option<String>,
    /// As open_trace takes it; a minus sign switches off: `balance,-loops`.
    pub(super) transform: Option<String>,
}

/// What is said about the inside of the call that was found.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct InsideWanted {
    pub(super) session: u32,
    pub(super) revision: u64,
    pub(super) said: InsideRequest,
}

/// A call.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct NodeWanted {
    /// The call's number.
    pub(super) node: u32,
}

/// A page of a list.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct PageWanted {
    /// How many to leave out.
    #[serde(default)]
    pub(super) from: usize,
    /// How many at most.
    #[serde(default = "usual_page")]
    pub(super) most: usize,
}

fn usual_page() -> usize {
    50
}
