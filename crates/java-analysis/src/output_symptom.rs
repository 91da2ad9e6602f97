//! Symptoms that somebody sees in what the program printed: a line that should be another, one that is missing, one
//! that should not be there.
//!
//! A symptom says which piece of the output shows it and where that was printed, as far as this is known, so that the
//! wrong value can be followed from there. It makes nothing up: a line that is missing was printed nowhere.

use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;

use debug_engine::session::{Answer, ValuePath};
use debug_engine::{ExecutionTree, NodeId};
use trace_format::StandardStream;
use trace_store::{PrintedEntry, PrintedLine, StoreError};

use super::lines_apart::{self, MOST_COMPARED, Parting};
use java_model::output::{Output, PrintedBy};
use java_model::run::JavaRun;

/// What is wrong with the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputSymptom {
    pub stream: StandardStream,
    /// The line of the stream, counted from 1.
    pub line: u64,
    pub fault: OutputFault,
    /// The line that was expected, if that is known.
    pub expected: Option<String>,
    /// The line that was printed; `None` if there is none.
    pub printed: Option<String>,
    /// The part of that line that is wrong, in bytes.
    pub wrong: Range<usize>,
    /// The piece of output that has the first wrong byte, by its number among those that are kept.
    pub piece: Option<u32>,
    /// The call that printed that piece, and the position of the event; `None` if no recorded call did. Of a missing
    /// line, the one that printed the line before it, or the one after it if it is the first, unless the program was
    /// stopped before anything followed: then it may have been to come.
    pub by: Option<PrintedBy>,
    /// How many other lines have the text that was looked for.
    pub elsewhere: u64,
    /// The call that is known to be wrong because of it: the outermost one of what printed it, or `main`.
    pub root: Option<NodeId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFault {
    /// A line has something else in it than it should.
    Wrong,
    /// The program printed no such line.
    Missing,
    /// There should not be such a line: nothing more was expected, or what follows it.
    Superfluous,
}

/// What somebody points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputPointer {
    /// A line of a stream, or a part of it.
    Line {
        stream: StandardStream,
        line: u64,
        text: Option<String>,
    },
    /// The last place where this was printed.
    Text(String),
}

/// A line that was printed, as it is shown to somebody who may point at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownLine {
    pub stream: StandardStream,
    pub number: u64,
    pub text: String,
}

impl OutputPointer {
    /// `output:3`, `error:2`, `output:3:TEXT`; `None` if it is nothing of the kind.
    #[must_use]
    pub fn parse(text: &str) -> Option<OutputPointer> {
        let (stream, rest) = text.split_once(':')?;
        let stream = match stream {
            "output" => StandardStream::Output,
            "error" => StandardStream::Error,
            _ => return None,
        };
        let (line, text) = match rest.split_once(':') {
            Some((line, text)) => (line, Some(text.to_owned())),
            None => (rest, None),
        };
        Some(OutputPointer::Line {
            stream,
            line: line.trim().parse().ok().filter(|&line| line > 0)?,
            text: text.filter(|text| !text.is_empty()),
        })
    }
}

/// Why there is no such symptom. Reads as a sentence.
#[derive(Debug, thiserror::Error)]
pub enum OutputSymptomError {
    #[error("this trace was recorded before Askance kept what programs print")]
    NotRecorded,
    #[error("the program printed exactly what was expected")]
    AsExpected,
    #[error("{0} is not in what the program printed")]
    NotFound(String),
    #[error("{text:?} is not in line {line} of the output, which is {printed:?}")]
    NotInLine {
        text: String,
        line: u64,
        printed: String,
    },
    #[error("{} has {lines} lines, there is no line {line}", name(*.stream))]
    NoSuchLine {
        stream: StandardStream,
        line: u64,
        lines: u64,
    },
    #[error("line {line} of {} was not kept: the program printed too much", name(*.stream))]
    NotKept { stream: StandardStream, line: u64 },
    #[error("name a text that stands in one line")]
    SeveralLines,
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn name(stream: StandardStream) -> &'static str {
    match stream {
        StandardStream::Output => "the output",
        StandardStream::Error => "standard error",
    }
}

impl fmt::Display for OutputSymptom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, stream) = (self.line, name(self.stream));
        let text = |text: &Option<String>| shortened(text.as_deref().unwrap_or_default());
        let (expected, printed) = (text(&self.expected), text(&self.printed));
        match self.fault {
            OutputFault::Missing => {
                write!(
                    f,
                    "line {line} of {stream} is missing: expected {expected:?}"
                )
            }
            OutputFault::Superfluous if self.expected.is_some() => {
                write!(
                    f,
                    "line {line} of {stream}, {printed:?}, should not be there: expected {expected:?}"
                )
            }
            OutputFault::Superfluous => {
                write!(
                    f,
                    "{stream} should have ended before line {line}, which is {printed:?}"
                )
            }
            OutputFault::Wrong if self.expected.is_some() => {
                write!(
                    f,
                    "line {line} of {stream} is {printed:?}, expected {expected:?}"
                )
            }
            OutputFault::Wrong => {
                let whole = self.printed.as_deref().unwrap_or_default();
                let part = whole.get(self.wrong.clone()).unwrap_or(whole);
                let part = shortened(part);
                write!(f, "{part:?} in line {line} of {stream} is wrong")?;
                match self.elsewhere {
                    0 => Ok(()),
                    others => write!(f, " (the last of {} lines that have it)", others + 1),
                }
            }
        }
    }
}

/// Of a longer text the beginning is told.
fn shortened(text: &str) -> String {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl OutputSymptom {
    /// What is said of the call that is wrong because of it: which part of the output shows it, in the form that
    /// [`OutputPointer::parse`] reads, if recorded code printed that; that a line is missing beside others, in the
    /// form that [`missing_line`] reads; else only that it is wrong.
    #[must_use]
    pub fn answer(&self) -> Answer {
        if self.fault == OutputFault::Missing && self.by.is_some() {
            return Answer::WrongPart(ValuePath(format!("{MISSING}{}", self.line)));
        }
        if self.by.is_none() {
            return Answer::No;
        }
        let stream = match self.stream {
            StandardStream::Output => "output",
            StandardStream::Error => "error",
        };
        let printed = self.printed.as_deref().unwrap_or_default();
        let part = printed.get(self.wrong.clone()).unwrap_or_default();
        let part = match part.is_empty() || part.contains('\u{fffd}') {
            true => String::new(),
            false => format!(":{part}"),
        };
        Answer::WrongPart(ValuePath(format!("{stream}:{}{part}", self.line)))
    }

    /// The first line of standard output that is not as expected.
    ///
    /// # Errors
    /// If there is none, or what was printed is not known.
    pub fn by_expectation(run: &JavaRun, expected: &str) -> Result<Self, OutputSymptomError> {
        let output = recorded(run)?;
        let stream = StandardStream::Output;
        let mut number = 0;
        let mut expected_lines = expected.lines();
        while let Some(expected) = expected_lines.clone().next() {
            number += 1;
            let Some(line) = kept(&output, stream, number)? else {
                return Ok(missing(run, &output, stream, number, expected));
            };
            if let Some(at) = first_difference(&output, &line, expected) {
                let parting = parting_at(&output, stream, number, expected_lines);
                if parting == Parting::LeftOut {
                    return Ok(missing(run, &output, stream, number, expected));
                }
                let (at, wrong, fault) = match parting {
                    Parting::PutIn => (0, 0..line.text.len(), OutputFault::Superfluous),
                    _ => (at, word_around(line.text, at), OutputFault::Wrong),
                };
                let found = WrongPlace { line, at, wrong };
                return Ok(OutputSymptom {
                    fault,
                    ..found.symptom(run, &output, Some(expected.to_owned()))
                });
            }
            expected_lines.next();
        }
        let Some(line) = kept(&output, stream, number + 1)? else {
            return Err(OutputSymptomError::AsExpected);
        };
        let wrong = 0..line.text.len();
        let found = WrongPlace { line, at: 0, wrong };
        Ok(OutputSymptom {
            fault: OutputFault::Superfluous,
            ..found.symptom(run, &output, None)
        })
    }

    /// The last place where a text was printed.
    ///
    /// # Errors
    /// If it was not printed, as far as is known.
    pub fn by_text(run: &JavaRun, text: &str) -> Result<Self, OutputSymptomError> {
        let output = recorded(run)?;
        if text.contains('\n') {
            return Err(OutputSymptomError::SeveralLines);
        }
        let mut lines = 0;
        let mut last = None;
        for entry in output.printed.entries() {
            if let PrintedEntry::Line(line) = entry
                && let Some(at) = last_of(line.text, text.as_bytes())
            {
                lines += 1;
                last = Some((line, at));
            }
        }
        let Some((line, at)) = last else {
            return Err(OutputSymptomError::NotFound(format!("{text:?}")));
        };
        let wrong = at..at + text.len();
        let found = WrongPlace { line, at, wrong };
        Ok(OutputSymptom {
            elsewhere: lines - 1,
            ..found.symptom(run, &output, None)
        })
    }

    /// What somebody points at.
    ///
    /// # Errors
    /// If it is not there.
    pub fn by_pointer(run: &JavaRun, at: &OutputPointer) -> Result<Self, OutputSymptomError> {
        let (stream, number, text) = match at {
            OutputPointer::Line { stream, line, text } => (*stream, *line, text),
            OutputPointer::Text(text) => return Self::by_text(run, text),
        };
        let output = recorded(run)?;
        let Some(line) = kept(&output, stream, number)? else {
            return Err(OutputSymptomError::NoSuchLine {
                stream,
                line: number,
                lines: last_line(&output, stream),
            });
        };
        let wrong = match text {
            None => 0..line.text.len(),
            Some(text) => match last_of(line.text, text.as_bytes()) {
                Some(start) => start..start + text.len(),
                None => {
                    return Err(OutputSymptomError::NotInLine {
                        text: text.clone(),
                        line: number,
                        printed: shortened(&lossy(line.text)),
                    });
                }
            },
        };
        let at = wrong.start;
        Ok(WrongPlace { line, at, wrong }.symptom(run, &output, None))
    }
}

/// How a path begins that means a line that is not there.
const MISSING: &str = "missing output:";

/// The line of the output that a path says to be missing.
pub(crate) fn missing_line(path: &str) -> Option<u64> {
    path.strip_prefix(MISSING)?.parse().ok()
}

/// The last lines that were printed, at most so many, and whether there are more before them.
pub(super) fn last_printed(run: &JavaRun, most: usize) -> (Vec<ShownLine>, bool) {
    let Ok(output) = run.output() else {
        return (Vec::new(), false);
    };
    let mut last = VecDeque::new();
    let mut is_more = false;
    for entry in output.printed.entries() {
        if let PrintedEntry::Line(line) = entry {
            last.push_back(line);
        }
        if last.len() > most {
            last.pop_front();
            is_more = true;
        }
    }
    let shown = |line: PrintedLine<'_>| ShownLine {
        stream: line.stream,
        number: line.number,
        text: shortened(&lossy(line.text)),
    };
    (last.into_iter().map(shown).collect(), is_more)
}

fn recorded(run: &JavaRun) -> Result<Output<'_>, OutputSymptomError> {
    let output = run.output()?;
    match output.printed.is_recorded() {
        true => Ok(output),
        false => Err(OutputSymptomError::NotRecorded),
    }
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

/// How many lines a stream has, kept or not.
fn last_line(output: &Output<'_>, stream: StandardStream) -> u64 {
    let count = output.printed.line_count(stream);
    let last = count.checked_sub(1);
    let last = last.and_then(|last| output.printed.line(stream, last));
    last.map_or(0, |line| line.number)
}

/// A line of a stream; `None` if the program did not print so many.
fn kept<'run>(
    output: &Output<'run>,
    stream: StandardStream,
    number: u64,
) -> Result<Option<PrintedLine<'run>>, OutputSymptomError> {
    match output.line(stream, number) {
        Some(line) if line.is_cut => Err(OutputSymptomError::NotKept {
            stream,
            line: number,
        }),
        Some(line) => Ok(Some(line)),
        None if number <= last_line(output, stream) => Err(OutputSymptomError::NotKept {
            stream,
            line: number,
        }),
        None => Ok(None),
    }
}

/// How the output parts from what was expected at a line: as far as the lines after it are kept.
fn parting_at(
    output: &Output<'_>,
    stream: StandardStream,
    number: u64,
    expected: std::str::Lines<'_>,
) -> Parting {
    let printed = (number..).map_while(|number| kept(output, stream, number).ok().flatten());
    let printed: Vec<PrintedLine<'_>> = printed.take(MOST_COMPARED).collect();
    let expected: Vec<&str> = expected.take(MOST_COMPARED).collect();
    lines_apart::parting(printed.len(), expected.len(), |printed_at, expected_at| {
        first_difference(output, &printed[printed_at], expected[expected_at]).is_none()
    })
}

/// Where a line ceases to be as expected. Stars over secrets stand for whatever was expected there.
fn first_difference(output: &Output<'_>, line: &PrintedLine<'_>, expected: &str) -> Option<usize> {
    let expected = expected.as_bytes();
    let is_masked = |at: usize| {
        let piece = output.piece_at(line, at);
        line.text.get(at) == Some(&b'*') && piece.is_some_and(|piece| piece.is_masked)
    };
    let mut both = line.text.iter().zip(expected).enumerate();
    let differs = both.find(|(at, (printed, expected))| printed != expected && !is_masked(*at));
    let shorter = line.text.len().min(expected.len());
    match differs {
        Some((at, _)) => Some(at),
        None => (line.text.len() != expected.len()).then_some(shorter),
    }
}

/// The word at a byte, or the rest of the line if it ends there.
fn word_around(text: &[u8], at: usize) -> Range<usize> {
    let is_gap = |byte: &u8| byte.is_ascii_whitespace();
    let (before, behind) = text.split_at(at.min(text.len()));
    let start = before.iter().rposition(is_gap).map_or(0, |gap| gap + 1);
    let end = behind.iter().position(is_gap).unwrap_or(behind.len());
    start..before.len() + end
}

fn last_of(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut places = text.windows(wanted.len().max(1)).enumerate().rev();
    let found = places.find(|(_, part)| *part == wanted);
    found.map(|(at, _)| at)
}

/// A wrong part of a line, and its first wrong byte.
struct WrongPlace<'run> {
    line: PrintedLine<'run>,
    at: usize,
    wrong: Range<usize>,
}

impl<'run> WrongPlace<'run> {
    fn symptom(
        self,
        run: &JavaRun,
        output: &Output<'run>,
        expected: Option<String>,
    ) -> OutputSymptom {
        let piece = output.piece_at(&self.line, self.at);
        let by = piece.as_ref().and_then(|piece| piece.by);
        OutputSymptom {
            stream: self.line.stream,
            line: self.line.number,
            fault: OutputFault::Wrong,
            expected,
            printed: Some(lossy(self.line.text)),
            wrong: self.wrong,
            piece: piece.map(|piece| piece.index),
            by,
            elsewhere: 0,
            root: root_of(run, by.and_then(|by| by.node)),
        }
    }
}

fn missing(
    run: &JavaRun,
    output: &Output<'_>,
    stream: StandardStream,
    line: u64,
    expected: &str,
) -> OutputSymptom {
    let there = output.line(stream, line);
    let may_come = there.is_none() && run.was_stopped();
    let before = line.checked_sub(1).filter(|_| !may_come);
    let before = before.and_then(|before| output.line(stream, before));
    let beside = before.or(there);
    let beside = beside.and_then(|beside| output.piece_at(&beside, 0));
    OutputSymptom {
        stream,
        line,
        fault: OutputFault::Missing,
        expected: Some(expected.to_owned()),
        printed: None,
        wrong: 0..0,
        piece: None,
        by: beside.and_then(|piece| piece.by),
        elsewhere: 0,
        root: root_of(run, None),
    }
}

/// The outermost call above a call; `main`, or what comes nearest to it, where there is none.
fn root_of(run: &JavaRun, node: Option<NodeId>) -> Option<NodeId> {
    let tree: &dyn ExecutionTree = run;
    match node {
        Some(node) => std::iter::successors(Some(node), |&below| tree.parent(below)).last(),
        None => run.main_call().or_else(|| tree.roots().next()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_told_from_paths() {
        let parsed = |text: &str| match OutputPointer::parse(text)? {
            OutputPointer::Line { stream, line, text } => Some((stream, line, text)),
            OutputPointer::Text(_) => None,
        };
        let (output, error) = (StandardStream::Output, StandardStream::Error);
        assert_eq!(parsed("output:3"), Some((output, 3, None)));
        assert_eq!(parsed("error:12"), Some((error, 12, None)));
        let text = Some("a: b".to_owned());
        assert_eq!(parsed("output:3:a: b"), Some((output, 3, text)));
        for none in [
            "output",
            "output:",
            "output:0",
            "output:x",
            "17:i",
            "this.size",
        ] {
            assert_eq!(parsed(none), None, "{none}");
        }
    }

    #[test]
    fn the_wrong_word_is_the_one_with_the_first_wrong_byte() {
        let word = |text: &str, at| text[word_around(text.as_bytes(), at)].to_owned();
        assert_eq!(word("total 139500 in all", 7), "139500");
        assert_eq!(word("total", 5), "total");
        assert_eq!(word("", 0), "");
    }

    #[test]
    fn of_a_text_the_last_place_counts() {
        assert_eq!(last_of(b"ab ab", b"ab"), Some(3));
        assert_eq!(last_of(b"ab", b"abc"), None);
    }
}
