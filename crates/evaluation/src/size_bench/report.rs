//! The measurements as tables for `docs/benchmarks.md`.

use std::fmt::Write;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::{Row, Times};
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
            "Made by `cargo xtask bench size` on {}. *ledger* is a long run over few objects, \
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
        text += "\nWith the indexes made, by the clock, median and worst; *first question* begins \
                 with opening the trace and finds the chains of calls, once for a trace; *next \
                 question* begins with the answer before; both end with the question's text. Memory is the peak of the process that did all of it, from \
                 the first index on, without and with mapped pages of files.\n\n";
        text += "| run | first question | next question | questions | object state | history, first page | memory | with mapped pages |\n";
        text += "|---|--:|--:|--:|--:|--:|--:|--:|\n";
        for row in &self.rows {
            let probed = &row.probed;
            let outcome = if probed.found {
                "the bug is found"
            } else {
                "**the bug is not found**"
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {}, {outcome} | {} | {} | {} | {} |",
                row.workload,
                milliseconds(probed.first_question),
                times(probed.next_question),
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

fn rate(number: u64, time: Duration) -> String {
    format!("{:.1} M/s", number as f64 / 1e6 / time.as_secs_f64())
}

fn megabytes(bytes: u64) -> String {
    format!("{:.0} MB", bytes as f64 / 1e6)
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

fn times(times: Times) -> String {
    format!(
        "{:.1} / {}",
        times.median.as_secs_f64() * 1000.0,
        milliseconds(times.worst)
    )
}
