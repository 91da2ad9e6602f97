//! The measurements as a table for `docs/benchmarks.md`.

use std::fmt::Write;
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::document;
use crate::machine::Machine;

use super::{FailedWorkload, FirstQuestion, Hello, Row, Threads, first_question, geometric_mean};

const COMMAND: &str = "cargo xtask bench record";

#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    pub rows: Vec<Row>,
    pub failures: Vec<FailedWorkload>,
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
        let known = self.rows.iter();
        let known: Vec<f64> = known
            .filter_map(|row| row.replayed.bytes_per_event())
            .collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    }

    /// The mean over the workloads that keep a library busy.
    pub fn own_mean(&self) -> Option<f64> {
        let known: Vec<f64> = self.rows.iter().filter_map(Row::own_ratio).collect();
        (!known.is_empty()).then(|| geometric_mean(known))
    }

    /// The mean over the workloads with several threads.
    pub fn threads_mean(&self) -> Option<f64> {
        let known: Vec<f64> = self.rows.iter().filter_map(Row::relative).collect();
        (!known.is_empty()).then(|| geometric_mean(known))
    }

    /// What must not be: workloads that could not be measured, and those with calls that do not replay as recorded.
    pub fn misbehaving(&self) -> Vec<&str> {
        let failed = self
            .failures
            .iter()
            .map(|failure| failure.workload.as_str());
        let disagreeing = self
            .rows
            .iter()
            .filter(|row| row.replayed.disagreeing() > 0);
        failed
            .chain(disagreeing.map(|row| row.workload.as_str()))
            .collect()
    }

    pub fn to_markdown(&self) -> String {
        let mut text = format!(
            "Made by `cargo xtask bench record --rounds {}` on {}. CPU time (user + system, all \
             processes), medians of {} interleaved rounds; the times of recorded runs include the \
             recorder itself. Means of ratios are geometric. *Own ÷ plain* is what the default costs where the work is a library's: the \
             program's own code is recorded, the library is not. *4 threads ÷ 1* is what full ÷ plain is with four threads, \
             over what it is with one that does the same work. Each recorded run in the table printed the same as the plain one.\n\n",
            self.rounds,
            self.machine.describe(),
            self.rounds
        );
        text += &self.costs();
        text += "\nWhat was recorded in full detail. Calls are replayed, and bytes per event counted, on a shorter run; *disagree* \
                 are the calls recorded in full that did not come out as recorded. *First question* is the CPU time of the tool \
                 that asks it, when the tree has been made; *memory* is that tool's at its peak, without and with mapped pages of files.\n\n";
        text += &self.uses();
        for failure in &self.failures {
            let _ = writeln!(text, "\n{} failed: {}", failure.workload, failure.reason);
        }
        for row in self
            .rows
            .iter()
            .filter(|row| row.replayed.disagreeing() > 0)
        {
            text += &row.replayed.troubles_of(&row.workload);
        }
        let _ = writeln!(
            text,
            "\nHello world, wall-clock time: {:.0} ms plain, {:.0} ms recorded ({:+.0} ms).",
            self.hello.plain.as_secs_f64() * 1000.0,
            self.hello.recorded.as_secs_f64() * 1000.0,
            self.hello.added_milliseconds(),
        );
        text
    }

    fn costs(&self) -> String {
        let mut text = "| workload | plain | full | calls only | full ÷ plain | calls ÷ plain | own ÷ plain | 4 threads ÷ 1 |\n".to_owned();
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
                ratio(row.own_ratio()),
                ratio(row.relative()),
            );
        }
        let _ = writeln!(
            text,
            "| **mean** | | | | **{:.2}** | **{:.2}** | {} | {} |",
            self.full_mean(),
            self.calls_mean(),
            ratio(self.own_mean()),
            ratio(self.threads_mean()),
        );
        text
    }

    fn uses(&self) -> String {
        let mut text = "| workload | trace | bytes / event | calls replayed | disagree | first question | memory | with mapped pages |\n".to_owned();
        text += "|---|--:|--:|--:|--:|--:|--:|--:|\n";
        for row in &self.rows {
            let question = row.first_question;
            let memory = |of: fn(FirstQuestion) -> u64| {
                question.map_or_else(unknown, |question| megabytes(of(question)))
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} | {} |",
                row.workload,
                megabytes(row.full.bytes),
                per_event(row.replayed.bytes_per_event()),
                row.replayed.in_full,
                row.replayed.disagreeing(),
                question.map_or_else(unknown, time_of),
                memory(|question| question.own_memory),
                memory(|question| question.resident_memory),
            );
        }
        let _ = writeln!(
            text,
            "| **mean** | | {} | | | | | |",
            per_event(self.bytes_per_event())
        );
        text
    }
}

impl Row {
    fn relative(&self) -> Option<f64> {
        self.threads.map(Threads::relative)
    }
}

/// Puts the table into a document, in place of the one that is there.
pub fn write_into(document: &Path, report: &Report) -> io::Result<()> {
    document::write_table(document, COMMAND, "Recording", &report.to_markdown())
}

fn time_of(question: FirstQuestion) -> String {
    let late = || format!("> {} s", first_question::LIMIT.as_secs());
    question.time.map_or_else(late, seconds)
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

fn per_event(bytes: Option<f64>) -> String {
    bytes.map_or_else(unknown, |bytes| format!("{bytes:.2}"))
}

/// Of what there is for some workloads only.
fn ratio(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.2}"))
}

fn unknown() -> String {
    "?".to_owned()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::Measured;
    use super::*;
    use crate::replay_bench::{Replayed, Trouble};

    fn sample() -> Report {
        let row = |workload: &str, times: [u64; 3], threads: Option<Threads>, replayed| {
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
                own: threads.map(|_| Measured {
                    time: plain.mul_f64(1.15),
                    bytes: 10_000,
                }),
                threads,
                first_question: threads.map(|_| FirstQuestion {
                    time: Some(Duration::from_millis(250)),
                    own_memory: 30_000_000,
                    resident_memory: 70_000_000,
                }),
                replayed,
            }
        };
        let threads = Threads {
            one: 4.0,
            several: 5.0,
        };
        let replayed = Replayed {
            calls: 1000,
            in_full: 1000,
            agreed: 998,
            bytes: 12_000,
            events: 3000,
            troubles: vec![Trouble {
                reason: "Write".to_owned(),
                calls: 2,
                told: vec!["call 7: expected a write".to_owned()],
            }],
            ..Replayed::default()
        };
        Report {
            rows: vec![
                row("fib", [1000, 4000, 2000], Some(threads), replayed),
                row("jsoup", [1500, 1500, 1500], None, Replayed::default()),
            ],
            failures: vec![FailedWorkload {
                workload: "rhino".to_owned(),
                reason: "rhino prints something else when it is recorded".to_owned(),
            }],
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
    fn failed_and_disagreeing_workloads_misbehave() {
        assert_eq!(sample().misbehaving(), ["rhino", "fib"]);
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
