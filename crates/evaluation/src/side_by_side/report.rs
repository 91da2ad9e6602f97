//! The measurements as a table for `docs/benchmarks.md`.

use std::fmt::Write;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::{Row, Traced};
use crate::document;
use crate::machine::Machine;

const COMMAND: &str = "cargo xtask bench side-by-side";

#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    pub rows: Vec<Row>,
    /// When the other tracer was stopped.
    pub limit: Duration,
    pub machine: Machine,
}

impl Report {
    pub fn to_markdown(&self) -> String {
        let mut text = format!(
            "Made by `{COMMAND}` on {}, by the clock. Small runs of four of the programs of Table 1 of \
             *Debugging with Incomplete and Dynamically Generated Execution Trees*, recorded by Askance and by \
             a tracer on the Java Platform Debugger Architecture (`crates/evaluation/java/jdi-tracer`: \
             entry and exit of every method outside the JDK, receiver, arguments and results), which was \
             stopped after {} s. *Events* of Askance hold arguments, results and every write to the heap; \
             of the other tracer its fetched values are counted. *Whole tree on disk* begins with the start of \
             the tool and ends when every call is in the tree; *first question* begins there too and ends when the \
             first call can be asked about, of Askance in a live session.\n\n",
            self.machine.describe(),
            self.limit.as_secs()
        );
        text += "| program | tracer | calls | events / values | trace | whole tree on disk | calls a second | first question |\n";
        text += "|---|---|--:|--:|--:|--:|--:|--:|\n";
        for row in &self.rows {
            let plain = format!("{} ({:.1} s plain)", row.workload, row.plain.as_secs_f64());
            text += &line(&plain, "Askance", &row.askance);
            text += &line("", "JDI", &row.jdi);
        }
        text
    }
}

fn line(program: &str, tracer: &str, traced: &Traced) -> String {
    let seconds = traced.took.as_secs_f64();
    let took = if traced.whole {
        format!("{seconds:.1} s")
    } else {
        format!("not within {seconds:.0} s")
    };
    let mut line = String::new();
    let _ = writeln!(
        line,
        "| {program} | {tracer} | {} | {} | {:.1} MB | {took} | {:.0} | {:.2} s |",
        traced.calls,
        traced.events,
        traced.trace_bytes as f64 / 1e6,
        traced.calls as f64 / seconds,
        traced.first_question.as_secs_f64(),
    );
    line
}

/// Puts the table into a document, in place of the one that is there.
pub fn write_into(document: &Path, report: &Report) -> io::Result<()> {
    document::write_table(document, COMMAND, "Side by side", &report.to_markdown())
}
