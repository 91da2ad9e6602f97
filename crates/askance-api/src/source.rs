//! The source of a call's method: the whole file, with the lines that the call executed. If it was not found or cannot
//! be shown, what the class files tell of it stands in its place ([`listing`]).
//!
//! A request names a call and never a file. What file that is comes from the class file; it is read
//! only if it lies in one of the folders of sources ([`source_text::file_of`]).

use std::{fs, io};

use debug_engine::NodeId;
use frame_replay::CodeCoverage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failure::ApiError;
use crate::run_snapshot::RunSnapshot;
use java_model::listing::{self, Listing};
use java_model::run::JavaRun;
use java_model::source_text;

/// Larger files are not shown: a page that holds them does not scroll any more.
const LARGEST_FILE: u64 = 4 * 1024 * 1024;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Of {
    node: u32,
}

/// A method's source.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MethodSource {
    /// The call.
    node: u32,
    /// The file's name, if the class file has one.
    file: Option<String>,
    routine: String,
    /// The file's text, if it was found.
    text: Option<String>,
    /// What the class files tell, if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    listing: Option<ListingView>,
    /// Lines of the method.
    method: Vec<u32>,
    /// Lines that this call executed itself.
    executed: Vec<u32>,
    /// Conditions of it that went one way only, with what therefore never ran in this call.
    untaken: Vec<UntakenView>,
    /// Why something is missing.
    note: Option<String>,
}

/// A line with a condition that always went one way.
#[derive(Debug, Serialize, JsonSchema)]
struct UntakenView {
    line: u32,
    /// The lines on the other way that never ran; this one too if they are a part of it.
    lines: Vec<u32>,
}

/// The classes of a file as rows, one a line of `text`.
#[derive(Debug, Serialize, JsonSchema)]
struct ListingView {
    text: String,
    /// Of each row, the line of the file that it is about.
    lines: Vec<Option<u32>>,
    /// The first row of the call's method, and the one behind its last.
    method: [usize; 2],
}

impl From<Listing> for ListingView {
    fn from(listing: Listing) -> Self {
        let rows = listing.rows.iter();
        let texts: Vec<&str> = rows.map(|row| row.text.as_str()).collect();
        ListingView {
            text: texts.join("\n"),
            lines: listing.rows.iter().map(|row| row.line).collect(),
            method: [listing.method.start, listing.method.end],
        }
    }
}

pub fn source(run: &RunSnapshot, of: &Of) -> Result<MethodSource, ApiError> {
    Ok(source_of(run, run.node(of.node)?))
}

fn source_of(run: &RunSnapshot, node: NodeId) -> MethodSource {
    let code = run.recording().code_of(node);
    let java = run.java().ok();
    let (text, note) = match java.map(|java| text(java, node)) {
        Some(Ok(text)) => (Some(text), None),
        Some(Err(missing)) => (None, Some(missing.note(code.file.as_deref()))),
        None => (None, Some(Missing::NotFound.note(None))),
    };
    let listing = match text {
        Some(_) => None,
        None => java.and_then(|java| listing::listing(java, java.method(node))),
    };
    let (executed, untaken) = java
        .and_then(|java| executed(java, node))
        .unwrap_or_default();
    MethodSource {
        node: node.0,
        file: code.file,
        routine: code.routine,
        text,
        listing: listing.map(ListingView::from),
        method: code.lines,
        executed,
        untaken,
        note,
    }
}

/// The lines that a call executed, and the branches that it came to and never took.
fn executed(java: &JavaRun, node: NodeId) -> Option<(Vec<u32>, Vec<UntakenView>)> {
    let call = java.call_id(node)?;
    let coverage = java.executed(CodeCoverage::of(java.trace(), java.program(), call))?;
    let lines = coverage.lines.iter().map(|&line| line.into()).collect();
    let code = java.executed(java.program().code(java.trace(), java.method(node)))?;
    let untaken = coverage
        .untaken(code)
        .into_iter()
        .map(|branch| UntakenView {
            line: branch.line.into(),
            lines: branch.lines.into_iter().map(u32::from).collect(),
        });
    Some((lines, untaken.collect()))
}

/// Why there is no text.
enum Missing {
    NotFound,
    TooLarge,
    Unreadable(io::Error),
}

impl Missing {
    fn note(&self, file: Option<&str>) -> String {
        let Some(file) = file else {
            return "The recording does not tell where the source is.".to_owned();
        };
        let why = match self {
            Missing::NotFound => "was not found in any folder of sources".to_owned(),
            Missing::TooLarge => format!("is larger than {} MB", LARGEST_FILE >> 20),
            Missing::Unreadable(error) => format!("cannot be read: {error}"),
        };
        format!("{file} {why}. This is what its class files tell.")
    }
}

fn text(java: &JavaRun, node: NodeId) -> Result<String, Missing> {
    let file = source_text::file_of(java, java.method(node)).ok_or(Missing::NotFound)?;
    let bytes = fs::metadata(&file).map_err(Missing::Unreadable)?.len();
    if bytes > LARGEST_FILE {
        return Err(Missing::TooLarge);
    }
    let bytes = fs::read(file).map_err(Missing::Unreadable)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
