//! The measurements as a table for `docs/benchmarks.md`.

use std::fmt::Write;
use std::io;
use std::path::Path;

use super::Row;
use crate::document;
use crate::machine::Machine;
use crate::size_bench::text::{megabytes, milliseconds, times};

const COMMAND: &str = "cargo xtask bench live";

#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    pub rows: Vec<Row>,
    /// The method that has the bug.
    pub expected: String,
    pub machine: Machine,
}

impl Report {
    pub fn to_markdown(&self) -> String {
        let mut text = format!(
            "Made by `{COMMAND}` on {}. The run *ledger*, its bug in the first quarter, debugged while it runs, \
             when it is complete, and after it was killed (`kill -9`) in the middle; a program answers \
             at once, through `--oracle-cmd`. By the clock: *first question* begins with the start of \
             the tool, which in a live session starts the JVM and otherwise makes the tree; *next question* \
             begins with the answer before, median and worst; *late* are those that took longer than 50 ms. *Memory* is the tool's, at its peak.\n\n",
            self.machine.describe()
        );
        text += "| run | trace | first question | next question | questions | late | memory | with mapped pages | culprit |\n";
        text += "|---|--:|--:|--:|--:|--:|--:|--:|---|\n";
        for row in &self.rows {
            let culprit = match &row.culprit {
                Some(found) if *found == self.expected => format!("`{found}`"),
                Some(found) => format!("**`{found}`, which is not it**"),
                None => "**none is found**".to_owned(),
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} | {} | {culprit} |",
                row.way,
                megabytes(row.trace_bytes),
                milliseconds(row.first_question),
                times(row.next_question),
                row.questions,
                row.late,
                megabytes(row.own_memory),
                megabytes(row.resident_memory),
            );
        }
        text
    }
}

/// Puts the table into a document, in place of the one that is there.
pub fn write_into(document: &Path, report: &Report) -> io::Result<()> {
    document::write_table(document, COMMAND, "Live sessions", &report.to_markdown())
}
