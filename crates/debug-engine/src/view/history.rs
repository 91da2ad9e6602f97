//! The history of a variable: every write that it saw in the whole run.

use schemars::JsonSchema;
use serde::Serialize;

use super::ValueView;
use super::render::{self, Bounds};
use crate::tree::NodeId;

/// A page of a variable's history.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VariableHistory {
    /// The variable as it is named here.
    pub variable: String,
    /// What it held before the first write, if that is known.
    pub initially: Option<ValueView>,
    /// The writes, in the order of time.
    pub writes: Vec<WriteView>,
    /// Whether there are writes after these.
    pub more: bool,
    /// Whether the run had several threads.
    pub several_threads: bool,
    /// What cannot be known, if anything.
    pub note: Option<String>,
}

/// One write.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WriteView {
    /// Its number in the variable's history, from 1.
    pub write: u64,
    /// What the variable held; `None` if that is not known.
    pub before: Option<ValueView>,
    /// What it was given.
    pub after: ValueView,
    /// Who wrote.
    pub by: Writer,
    /// The thread's name.
    pub thread: String,
    /// The call that wrote, or during which library code wrote, or that read what nobody wrote.
    pub node: Option<NodeId>,
    /// Its routine.
    pub routine: Option<String>,
    /// Source file, if known.
    pub file: Option<String>,
    /// Line, if known.
    pub line: Option<u32>,
    /// The event of that call, if it could be told.
    pub event: Option<u64>,
}

/// Who wrote a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Writer {
    /// Recorded code.
    Code,
    /// Library code, during a recorded call.
    Library,
    /// Something outside every recorded call, or outside recorded code: then the call that is told
    /// was the first to read it, and nobody saw the write.
    Outside,
}

/// The history as text, one write a line, ready for `show NODE --at EVENT`.
pub fn text(history: &VariableHistory, bounds: Bounds) -> String {
    let value = |view: &ValueView| render::value(view, bounds);
    let mut lines = vec![history.variable.clone()];
    if let Some(initially) = &history.initially {
        lines.push(format!("  at first {}", value(initially)));
    }
    for write in &history.writes {
        let before = write
            .before
            .as_ref()
            .map(|before| format!("{} → ", value(before)));
        let before = before.unwrap_or_default();
        let mut line = format!("  {}. {before}{}", write.write, value(&write.after));
        if let Some(routine) = &write.routine {
            let unseen = write.by == Writer::Outside;
            let how = if unseen { "first read in" } else { "in" };
            line.push_str(&format!("  {how} {routine}"));
        }
        match (&write.file, write.line) {
            (Some(file), Some(at)) => line.push_str(&format!(" ({file}:{at})")),
            (Some(file), None) => line.push_str(&format!(" ({file})")),
            _ => {}
        }
        match (write.node, write.event) {
            (Some(node), Some(event)) => line.push_str(&format!(" #{node} event {event}")),
            (Some(node), None) => line.push_str(&format!(" #{node}")),
            _ => {}
        }
        match write.by {
            Writer::Code => {}
            Writer::Library => line.push_str(", by library code"),
            Writer::Outside if write.node.is_some() => {
                line.push_str(", written outside recorded code");
            }
            Writer::Outside => line.push_str(", outside every recorded call"),
        }
        if history.several_threads {
            line.push_str(&format!(", thread {}", write.thread));
        }
        lines.push(line);
    }
    if history.writes.is_empty() {
        lines.push("  no write was recorded".to_owned());
    }
    if history.more {
        lines.push("  …".to_owned());
    }
    if let Some(note) = &history.note {
        lines.push(format!("  ({note})"));
    }
    lines.join("\n")
}
