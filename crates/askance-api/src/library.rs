//! The calls that a recorded call made to code that was not recorded: leaves of the tree, by pages.

use std::time::{Duration, Instant};

use debug_engine::NodeId;
use java_analysis::library_calls::{LibraryCall, LibraryCallsFrom, library_calls};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failure::ApiError;
use crate::run_snapshot::RunSnapshot;
use crate::tree::{LARGEST_PAGE, usual_page};

/// A page that takes longer than this to write ends early.
const LONGEST_PAGE: Duration = Duration::from_millis(50);

#[derive(Debug, Deserialize, JsonSchema)]
pub struct LibraryRequest {
    /// The call that made them.
    of: u32,
    /// The event to go on from; without it, those right after a recorded call.
    event: Option<u64>,
    /// The last recorded call before them; without it, from the beginning.
    after: Option<u32>,
    /// None behind the recorded call that follows this one.
    until: Option<u32>,
    /// How many at most.
    #[serde(default = "usual_page")]
    most: usize,
}

/// A page of calls to code that was not recorded.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LibraryPage {
    of: u32,
    calls: Vec<LibraryRow>,
    /// The event to go on from, if there may be more.
    next: Option<u64>,
    /// Why there are none.
    note: Option<String>,
}

/// A call to code that was not recorded, in one line.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LibraryRow {
    /// The event of the caller.
    event: u64,
    line: Option<u32>,
    /// The last recorded call that the caller had made before it.
    after: Option<u32>,
    text: String,
}

impl From<LibraryCall> for LibraryRow {
    fn from(call: LibraryCall) -> LibraryRow {
        LibraryRow {
            event: call.event,
            line: call.line,
            after: call.after.map(|after| after.0),
            text: call.text,
        }
    }
}

/// # Errors
/// If there is no such call, or nothing inside calls was recorded.
pub fn library(run: &RunSnapshot, page: &LibraryRequest) -> Result<LibraryPage, ApiError> {
    let node = run.node(page.of)?;
    let java = run.java()?;
    let numbered = |number: Option<u32>| -> Result<Option<NodeId>, ApiError> {
        number.map(|number| run.node(number)).transpose()
    };
    let from = LibraryCallsFrom {
        event: page.event,
        after: numbered(page.after)?,
        until: numbered(page.until)?,
    };
    let most = page.most.clamp(1, LARGEST_PAGE);
    let started = Instant::now();
    let list = library_calls(java, node, from, |listed| {
        listed == 0 || (listed < most && started.elapsed() < LONGEST_PAGE)
    });
    Ok(LibraryPage {
        of: node.0,
        calls: list.calls.into_iter().map(LibraryRow::from).collect(),
        next: list.next,
        note: list.note,
    })
}
