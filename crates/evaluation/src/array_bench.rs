//! How long the first question about an array-heavy run takes.
//!
//! Such a run has few calls and millions of accesses to elements. What is looked for before the first question
//! (writes that nobody recorded, for one) passes over all of them, once: of a run twice as large it may take twice
//! as long, and no longer.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::machine::Machine;
use crate::record_bench::{BenchError, TIME_LIMIT, check_exit, record_prefix, scratch_folder};
use crate::strategy_bench::Recorder;
use test_support::workloads::ARRAYS;

pub const COMMAND: &str = "cargo xtask bench arrays";
pub const HEADING: &str = "The first question about arrays";

/// Each of twice the work of the one before.
const SCALES: [u32; 5] = [8, 16, 32, 64, 128];

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub scale: u32,
    pub bytes: u64,
    /// Until the first question stood there, the indexes made for it.
    pub first: Duration,
    /// The same once they are there.
    pub again: Duration,
}

impl Row {
    /// Seconds for a gigabyte.
    pub fn pace(&self) -> f64 {
        self.first.as_secs_f64() * 1e9 / self.bytes.max(1) as f64
    }
}

/// Measures; `progress` is told what is being done, a line at a time.
pub fn run(recorder: &Recorder, mut progress: impl FnMut(&str)) -> Result<Vec<Row>, BenchError> {
    let mut rows = Vec::new();
    for scale in SCALES {
        let folder = scratch_folder()?;
        let trace = folder.path().join("trace");
        let prefix = record_prefix(&recorder.executable, &trace, &[]);
        let run = ARRAYS.run(&recorder.jdk, scale)?;
        let finished = run.time_limit(TIME_LIMIT).prefix(prefix).run()?;
        check_exit("recording arrays", &finished)?;
        let answers = folder.path().join("answers");
        std::fs::write(&answers, "q\n")?;
        let ask = || -> Result<Duration, BenchError> {
            let start = Instant::now();
            let mut command = Command::new(&recorder.executable);
            let command = command
                .arg("ask")
                .arg(&trace)
                .arg("--answers")
                .arg(&answers);
            let command = command.stdin(Stdio::null()).stdout(Stdio::null());
            command.stderr(Stdio::null()).status()?;
            Ok(start.elapsed())
        };
        let row = Row {
            scale,
            bytes: size_of_trace(&trace)?,
            first: ask()?,
            again: ask()?,
        };
        let megabytes = row.bytes / 1_000_000;
        let (first, pace) = (row.first.as_secs_f64(), row.pace());
        progress(&format!(
            "{megabytes} MB: {first:.2} s, {pace:.0} s a gigabyte"
        ));
        rows.push(row);
    }
    Ok(rows)
}

/// What was recorded, without what was made of it since.
fn size_of_trace(trace: &std::path::Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for jvm in std::fs::read_dir(trace)? {
        let chunks = jvm?.path().join("chunks");
        bytes += std::fs::metadata(chunks).map_or(0, |file| file.len());
    }
    Ok(bytes)
}

pub fn to_markdown(rows: &[Row], recorder: &Recorder) -> String {
    let mut text = format!(
        "Made by `{COMMAND}` on {}. Wall-clock time of `askance ask` until its first question, about a product of \
         matrices and its decomposition: right after recording, and once the indexes are there.\n\n\
         | trace | first time | seconds a gigabyte | again |\n|--:|--:|--:|--:|\n",
        Machine::this(&recorder.jdk).describe(),
    );
    for row in rows {
        text += &format!(
            "| {} MB | {:.2} s | {:.0} | {:.2} s |\n",
            row.bytes / 1_000_000,
            row.first.as_secs_f64(),
            row.pace(),
            row.again.as_secs_f64()
        );
    }
    text
}
