//! What the program printed, by pages: each line with the calls and lines of source that printed it.

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use trace_format::StandardStream;
use trace_store::{PrintedEntry, PrintedLine, StoreError};

use crate::failure::ApiError;
use crate::run_snapshot::RunSnapshot;
use java_model::output::{Output, OutputPiece, SourceLines};
use java_model::run::JavaRun;
use java_model::shown;

const LARGEST_PAGE: usize = 500;
/// A page that takes longer than this to write ends early.
const LONGEST_PAGE: Duration = Duration::from_millis(50);
/// Of a longer line the beginning is shown.
const LONGEST_LINE: usize = 2000;
/// Of more calls that printed one line only the number is told.
const MOST_SOURCES: usize = 3;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct OutputRequest {
    /// The first row of the page, counted from 0.
    #[serde(default)]
    pub from: u64,
    /// How many at most.
    #[serde(default = "usual_page")]
    pub most: usize,
}

fn usual_page() -> usize {
    200
}

/// A page of what was printed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OutputRows {
    /// Whether the recorder kept what was printed: older ones did not.
    pub recorded: bool,
    /// Bytes that were printed in all, kept or not.
    pub output_bytes: u64,
    pub error_bytes: u64,
    pub rows: Vec<OutputRow>,
    /// The row with which to go on, if there are more.
    pub next: Option<u64>,
}

/// A line that was printed, or what stands in the place of some.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OutputRow {
    pub row: u64,
    pub kind: OutputRowKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<OutputStream>,
    /// The number of the line in its stream, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Without what ends the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether that is not the whole line.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// How much is not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Who printed it, in order.
    pub from: Vec<Printer>,
    /// How many more had a part in it.
    #[serde(skip_serializing_if = "is_zero")]
    pub others: usize,
}

/// What stands in a row of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OutputRowKind {
    Line,
    /// Bytes that are no text.
    Binary,
    /// What was not kept because there was too much of it.
    #[serde(rename = "left out")]
    LeftOut,
}

/// Where something was printed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OutputStream {
    Output,
    Error,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
pub(crate) fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A place that printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Printer {
    /// The innermost recorded call; absent if none was open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routine: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the source; absent if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Absent for a thread that ran no recorded code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
}

impl std::fmt::Display for Printer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Some(node), Some(routine)) = (self.node, &self.routine) else {
            return match &self.thread {
                Some(thread) => write!(f, "no recorded call, thread {thread}"),
                None => f.write_str("no recorded call"),
            };
        };
        write!(f, "#{node} {routine}")?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, " ({file}:{line})"),
            (Some(file), None) => write!(f, " ({file})"),
            (None, Some(line)) => write!(f, " (line {line})"),
            (None, None) => Ok(()),
        }
    }
}

impl From<StandardStream> for OutputStream {
    fn from(stream: StandardStream) -> OutputStream {
        match stream {
            StandardStream::Output => OutputStream::Output,
            StandardStream::Error => OutputStream::Error,
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        ApiError::ours(error.to_string())
    }
}

/// A page for a program.
///
/// # Errors
/// If what was printed cannot be read.
pub fn output(run: &RunSnapshot, page: &OutputRequest) -> Result<OutputRows, ApiError> {
    let started = Instant::now();
    let most = page.most.clamp(1, LARGEST_PAGE);
    let goes_on = |rows: usize| rows == 0 || rows < most && started.elapsed() < LONGEST_PAGE;
    Ok(rows(run.java()?, page.from, goes_on)?)
}

/// The rows from one number on, for as long as the number of those that are listed is said to be too small.
///
/// # Errors
/// If what was printed cannot be read.
pub fn rows(
    run: &JavaRun,
    from: u64,
    goes_on: impl Fn(usize) -> bool,
) -> Result<OutputRows, StoreError> {
    let output = run.output()?;
    let mut reader = RowReader {
        run,
        output,
        sources: SourceLines::of(run),
    };
    let [output_bytes, error_bytes] = output.printed.totals().bytes;
    let mut rows = Vec::new();
    let skipped = usize::try_from(from).unwrap_or(usize::MAX);
    let mut entries = (from..).zip(output.printed.entries().skip(skipped));
    let next = loop {
        let Some((number, entry)) = entries.next() else {
            break None;
        };
        if !goes_on(rows.len()) {
            break Some(number);
        }
        rows.push(reader.row(number, &entry));
    };
    Ok(OutputRows {
        recorded: output.printed.is_recorded(),
        output_bytes,
        error_bytes,
        rows,
        next,
    })
}

struct RowReader<'run> {
    run: &'run JavaRun,
    output: Output<'run>,
    sources: SourceLines<'run>,
}

impl<'run> RowReader<'run> {
    fn row(&mut self, row: u64, entry: &PrintedEntry<'run>) -> OutputRow {
        let none = OutputRow {
            row,
            kind: OutputRowKind::LeftOut,
            stream: None,
            line: None,
            text: None,
            cut: false,
            bytes: None,
            from: Vec::new(),
            others: 0,
        };
        match entry {
            PrintedEntry::Line(line) => self.line(line, none),
            PrintedEntry::Binary {
                stream,
                piece,
                bytes,
            } => {
                let piece = self.output.piece(*piece);
                OutputRow {
                    kind: OutputRowKind::Binary,
                    stream: Some((*stream).into()),
                    bytes: Some(*bytes),
                    from: piece.iter().map(|piece| self.printer(piece)).collect(),
                    ..none
                }
            }
            PrintedEntry::LeftOut { bytes, .. } => OutputRow {
                bytes: Some(*bytes),
                ..none
            },
        }
    }

    fn line(&mut self, line: &PrintedLine<'run>, none: OutputRow) -> OutputRow {
        let mut from: Vec<Printer> = Vec::new();
        let mut others = 0;
        let mut last = None;
        for piece in self.output.pieces(line) {
            // Most lines of many pieces are printed by one instruction, or by few that take turns.
            let place = (piece.thread, piece.by.map(|by| by.call));
            if from.len() == MOST_SOURCES {
                others += usize::from(last != Some(place));
                last = Some(place);
                continue;
            }
            last = Some(place);
            let printer = self.printer(&piece);
            if !from.contains(&printer) {
                from.push(printer);
            }
        }
        let text = String::from_utf8_lossy(line.text);
        let shown: String = text.chars().take(LONGEST_LINE).collect();
        OutputRow {
            kind: OutputRowKind::Line,
            stream: Some(line.stream.into()),
            line: Some(line.number),
            cut: shown.len() < text.len() || line.is_cut,
            text: Some(shown),
            from,
            others,
            ..none
        }
    }

    fn printer(&mut self, piece: &OutputPiece<'_>) -> Printer {
        let node = piece.by.and_then(|by| by.node);
        Printer {
            node: node.map(|node| node.0),
            routine: node.map(|node| self.run.routine_of(node)),
            file: node.and_then(|node| shown::file(self.run, node)),
            line: piece.by.and_then(|by| self.sources.line(&by)),
            thread: piece.thread.map(|thread| self.run.thread_name(thread)),
        }
    }
}
