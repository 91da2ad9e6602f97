//! The history of a variable over the whole run, by pages.

use debug_engine::view::history::Writer;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::node::brief;
use crate::failure::ApiError;
use crate::run_snapshot::RunSnapshot;
use java_analysis::history::{history_page, writes_until};
use java_analysis::variable::{self, Variable};

const LARGEST_PAGE: usize = 500;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct HistoryRequest {
    /// As `askance history` takes it.
    variable: String,
    /// The call whose variables can be named without it.
    node: Option<u32>,
    /// Writes to leave out; without it, so many that those around a moment are shown, if one is named.
    from: Option<usize>,
    /// The moment: this call's end, or one of its events.
    at: Option<u32>,
    at_event: Option<u64>,
    /// How many at most.
    #[serde(default = "usual_page")]
    most: usize,
}

fn usual_page() -> usize {
    100
}

/// A page of a variable's history.
#[derive(Debug, Serialize, JsonSchema)]
pub struct HistoryPage {
    variable: String,
    initially: Option<String>,
    /// Writes that are left out before these.
    from: usize,
    /// The last write up to the moment that was named, by its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<usize>,
    writes: Vec<Write>,
    more: bool,
    several_threads: bool,
    note: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Write {
    write: u64,
    before: Option<String>,
    after: String,
    by: Writer,
    thread: String,
    node: Option<u32>,
    routine: Option<String>,
    file: Option<String>,
    line: Option<u32>,
    event: Option<u64>,
}

pub fn history(run: &RunSnapshot, page: &HistoryRequest) -> Result<HistoryPage, ApiError> {
    let here = page.node.map(|number| run.node(number)).transpose()?;
    let java = run.java()?;
    let found = variable::find(java, java.program(), &page.variable, here, None)?;
    if matches!(
        found.variable,
        Variable::Object(_) | Variable::Return { .. }
    ) {
        return Err(ApiError::mistake(format!(
            "{} has no history of its own: choose a variable, a field or an element",
            found.label
        )));
    }
    let most = page.most.clamp(1, LARGEST_PAGE);
    let at = page.at.map(|number| run.node(number)).transpose()?;
    let last = at.map(|node| writes_until(java, java.program(), &found, node, page.at_event));
    let around = last.unwrap_or_default().saturating_sub(most / 2);
    let from = page.from.unwrap_or(around);
    let history = history_page(java, java.program(), &found, from, most);
    let writes = history.writes.into_iter().map(|write| Write {
        write: write.write,
        before: write.before.as_ref().map(brief),
        after: brief(&write.after),
        by: write.by,
        thread: write.thread,
        node: write.node.map(|node| node.0),
        routine: write.routine,
        file: write.file,
        line: write.line,
        event: write.event,
    });
    Ok(HistoryPage {
        from,
        last: last.filter(|&last| last > 0),
        writes: writes.collect(),
        variable: history.variable,
        initially: history.initially.as_ref().map(brief),
        more: history.more,
        several_threads: history.several_threads,
        note: history.note,
    })
}
