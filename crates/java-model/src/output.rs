//! What the program printed, with the calls and the lines of source that printed it.
//!
//! A piece of output belongs to the innermost recorded call that was open when the system got it. The position of its
//! event leads to the instruction of that call: `Replay::step_at` gives it. Where the call cannot be re-executed, or
//! was not recorded in full, the line is not known, and is not guessed.

use std::collections::HashMap;

use debug_engine::NodeId;
use frame_replay::Replay;
use trace_format::{EventPosition, PrintedContent, StandardStream, ThreadNumber};
use trace_store::{CallId, Printed, PrintedLine, PrintedPiece, Result};

use super::run::JavaRun;

/// Calls that are kept open to tell lines of source.
const MOST_OPEN: usize = 16;

/// See the module's header.
#[derive(Clone, Copy)]
pub struct Output<'run> {
    run: &'run JavaRun,
    pub printed: &'run Printed,
}

/// What one write printed, and who.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputPiece<'run> {
    /// Its number among those that are kept.
    pub index: u32,
    pub stream: StandardStream,
    /// `None`: it is no text.
    pub text: Option<&'run [u8]>,
    /// Whether stars stand over secrets in it.
    pub is_masked: bool,
    /// `None`: a thread that ran no recorded code.
    pub thread: Option<ThreadNumber>,
    /// The call and its event among those of the thread; `None` if no recorded call was open.
    pub by: Option<PrintedBy>,
}

/// Where a call printed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PrintedBy {
    pub call: CallId,
    /// `None` if the call is not in the tree.
    pub node: Option<NodeId>,
    /// Of the event, in the stream of the call's thread.
    pub position: EventPosition,
}

impl JavaRun {
    /// What the program printed.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn output(&self) -> Result<Output<'_>> {
        let printed = self.trace().printed()?;
        Ok(Output { run: self, printed })
    }
}

impl<'run> Output<'run> {
    #[must_use]
    pub fn piece(&self, index: u32) -> Option<OutputPiece<'run>> {
        self.printed.piece(index).map(|piece| self.of(&piece))
    }

    fn of(&self, piece: &PrintedPiece<'run>) -> OutputPiece<'run> {
        OutputPiece {
            index: piece.index,
            stream: piece.stream,
            text: match piece.content {
                PrintedContent::Text(text) => Some(text),
                PrintedContent::Binary(_) => None,
            },
            is_masked: piece.is_masked,
            thread: piece.thread,
            by: self.by(piece),
        }
    }

    fn by(&self, piece: &PrintedPiece<'_>) -> Option<PrintedBy> {
        let (thread, position) = piece.thread.zip(piece.position)?;
        let events = self
            .run
            .trace()
            .stream(thread, trace_format::Stream::Events);
        // What was recorded of it may have been given up, or never have come so far.
        if position.0 < events.kept_from() || position.0 >= events.length() {
            return None;
        }
        let call = self
            .run
            .read(self.run.trace().call_of(thread, position))??;
        let node = self.run.node(call);
        Some(PrintedBy {
            call,
            node,
            position,
        })
    }

    /// The line of a stream with this number, counted from 1.
    #[must_use]
    pub fn line(&self, stream: StandardStream, number: u64) -> Option<PrintedLine<'run>> {
        self.printed.line_number(stream, number)
    }

    /// The pieces of a line, in order.
    pub fn pieces(
        &self,
        line: &PrintedLine<'run>,
    ) -> impl Iterator<Item = OutputPiece<'run>> + use<'run> {
        let output = *self;
        let parts = self.printed.parts(line);
        parts.filter_map(move |part| output.piece(part.piece))
    }

    /// The piece that printed a byte of a line; the last one for what lies behind its end.
    #[must_use]
    pub fn piece_at(&self, line: &PrintedLine<'run>, byte: usize) -> Option<OutputPiece<'run>> {
        let mut last = None;
        for part in self.printed.parts(line) {
            last = Some(part.piece);
            if byte < part.range.end {
                break;
            }
        }
        self.piece(last?)
    }
}

/// Tells the lines of source at which calls printed. Asked in the order of printing, it goes through each call once.
pub struct SourceLines<'run> {
    run: &'run JavaRun,
    open: HashMap<CallId, Option<Replay<'run>>>,
}

impl<'run> SourceLines<'run> {
    #[must_use]
    pub fn of(run: &'run JavaRun) -> Self {
        SourceLines {
            run,
            open: HashMap::new(),
        }
    }

    /// The line of the call's source that printed.
    pub fn line(&mut self, by: &PrintedBy) -> Option<u32> {
        if self.open.len() >= MOST_OPEN && !self.open.contains_key(&by.call) {
            self.open.clear();
        }
        let run = self.run;
        let replay = self
            .open
            .entry(by.call)
            .or_insert_with(|| run.executed(Replay::new(run.trace(), run.program(), by.call)));
        let step = run.executed(replay.as_mut()?.step_at(by.position))??;
        step.line.map(u32::from)
    }
}
