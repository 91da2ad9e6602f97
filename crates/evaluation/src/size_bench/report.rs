//! The measurements as tables for `docs/benchmarks.md`.

use std::fmt::Write;
use std::io;
use std::path::Path;

use super::Row;
use super::text::{megabytes, milliseconds, rate, times};
use crate::document;
use crate::machine::Machine;

const COMMAND: &str = "cargo xtask bench size";

#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    pub rows: Vec<Row>,
    pub machine: Machine,
}

impl Report {
    pub fn to_markdown(&self) -> String {
        let mut text = format!(
            "Made by `{COMMAND}` on {}. *ledger* is a long run over few objects, \
             *wide* has a million calls below one, *deep* is a recursion a million calls deep; each \
             has one planted bug. Rates are per second of CPU time (user + system): a recorded \
             thread writes at the first, the tree and then the index of writes are made at the \
             others.\n\n",
            self.machine.describe()
        );
        text += "| run | calls | events | trace | indexes | calls recorded | calls indexed | writes indexed |\n";
        text += "|---|--:|--:|--:|--:|--:|--:|--:|\n";
        for row in &self.rows {
            let probed = &row.probed;
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} | {} |",
                row.workload,
                probed.calls,
                probed.events,
                megabytes(row.trace_bytes),
                megabytes(row.index_bytes),
                rate(probed.calls, row.recorded_cpu),
                rate(probed.calls, probed.tree_cpu),
                rate(probed.writes, probed.writes_cpu),
            );
        }
        text += "\nWith the indexes made, median and worst; *first question* begins with opening the \
                 trace, *next question* with the answer before; both end with the question's text, \
                 and stand by the clock and in CPU time. *Choosing it* is the part of that CPU time in which the \
                 next call is chosen, mean and worst. Memory is the peak of the process that did all of it, from \
                 the first index on, without and with mapped pages of files.\n\n";
        text += "| run | first question | its CPU time | next question | its CPU time | choosing it | questions | object state | history, first page | memory | with mapped pages |\n";
        text += "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
        for row in &self.rows {
            let probed = &row.probed;
            let outcome = if probed.found {
                "the bug is found"
            } else {
                "**the bug is not found**"
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} / {} | {}, {outcome} | {} | {} | {} | {} |",
                row.workload,
                milliseconds(probed.first_question),
                milliseconds(probed.first_question_cpu),
                times(probed.next_question),
                times(probed.next_question_cpu),
                milliseconds(probed.choosing_cpu.mean),
                milliseconds(probed.choosing_cpu.worst),
                probed.questions,
                times(probed.object_state),
                times(probed.history_page),
                megabytes(probed.own_memory),
                megabytes(probed.resident_memory),
            );
        }
        text
    }
}

/// Puts the tables into a document, in place of those that are there.
pub fn write_into(document: &Path, report: &Report) -> io::Result<()> {
    document::write_table(document, COMMAND, "Large runs", &report.to_markdown())
}
