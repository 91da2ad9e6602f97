//! The measurements as a table for `docs/benchmarks.md`.

use std::fmt::Write;
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::document;
use crate::machine::Machine;

use super::{Density, Hello, Row, geometric_mean};

const COMMAND: &str = "cargo xtask bench record";

#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    pub rows: Vec<Row>,
    pub hello: Hello,
    pub rounds: usize,
    pub machine: Machine,
}

impl Report {
    pub fn full_mean(&self) -> f64 {
        geometric_mean(self.rows.iter().map(Row::full_ratio))
    }

    pub fn calls_mean(&self) -> f64 {
        geometric_mean(self.rows.iter().map(Row::calls_ratio))
    }

    /// The mean over the workloads, where it is known.
    pub fn bytes_per_event(&self) -> Option<f64> {
        let known: Vec<f64> = self
            .rows
            .iter()
            .filter_map(|row| row.density.map(Density::bytes_per_event))
            .collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    }

    pub fn to_markdown(&self) -> String {
        let mut text = format!(
            "Made by `cargo xtask bench record --rounds {}` on {}. CPU time (user + system, all \
             processes), medians of {} interleaved rounds; the times of recorded runs include the \
             recorder itself. Means of ratios are geometric. Bytes per event are counted by \
             replaying every call of a short run.\n\n",
            self.rounds,
            self.machine.describe(),
            self.rounds
        );
        text += "| workload | plain | full | calls only | full ÷ plain | calls ÷ plain | trace (full) | bytes / event |\n";
        text += "|---|--:|--:|--:|--:|--:|--:|--:|\n";
        for row in &self.rows {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {:.2} | {:.2} | {} | {} |",
                row.workload,
                seconds(row.plain),
                seconds(row.full.time),
                seconds(row.calls.time),
                row.full_ratio(),
                row.calls_ratio(),
                megabytes(row.full.bytes),
                per_event(row.density.map(Density::bytes_per_event)),
            );
        }
        let _ = writeln!(
            text,
            "| **mean** | | | | **{:.2}** | **{:.2}** | | {} |",
            self.full_mean(),
            self.calls_mean(),
            per_event(self.bytes_per_event()),
        );
        let _ = writeln!(
            text,
            "\nHello world, wall-clock time: {:.0} ms plain, {:.0} ms recorded ({:+.0} ms).",
            self.hello.plain.as_secs_f64() * 1000.0,
            self.hello.recorded.as_secs_f64() * 1000.0,
            self.hello.added_milliseconds(),
        );
        text
    }
}

/// Puts the table into a document, in place of the one that is there.
pub fn write_into(document: &Path, report: &Report) -> io::Result<()> {
    document::write_table(document, COMMAND, "Recording", &report.to_markdown())
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

fn per_event(bytes: Option<f64>) -> String {
    bytes.map_or_else(|| "?".to_owned(), |bytes| format!("{bytes:.2}"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::Measured;
    use super::*;

    fn sample() -> Report {
        let row = |workload: &str, times: [u64; 3], density| {
            let [plain, full, calls] = times.map(Duration::from_millis);
            Row {
                workload: workload.to_owned(),
                plain,
                full: Measured {
                    time: full,
                    bytes: 12_000_000,
                },
                calls: Measured {
                    time: calls,
                    bytes: 1_000_000,
                },
                density,
            }
        };
        let density = Density {
            bytes: 12_000,
            events: 3000,
        };
        Report {
            rows: vec![
                row("fib", [1000, 4000, 2000], Some(density)),
                row("jsoup", [1500, 1500, 1500], None),
            ],
            hello: Hello {
                plain: Duration::from_millis(40),
                recorded: Duration::from_millis(75),
            },
            rounds: 3,
            machine: Machine {
                cores: 2,
                processor: Some("Some CPU".to_owned()),
                memory_gib: None,
                jdk: "17.0.15".to_owned(),
            },
        }
    }

    #[test]
    fn table() {
        insta::assert_snapshot!(sample().to_markdown());
    }

    #[test]
    fn a_document_is_made_where_there_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let document = folder.path().join("docs/benchmarks.md");
        write_into(&document, &sample()).unwrap();
        let first = fs::read_to_string(&document).unwrap();
        assert!(first.starts_with("# Benchmarks\n\n## Recording\n"));
        write_into(&document, &sample()).unwrap();
        assert_eq!(fs::read_to_string(&document).unwrap(), first);
    }
}
