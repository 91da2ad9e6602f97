//! The events of one thread, read one after the other, with the calls that are open.

use trace_format::event::{self, Event, Write, WriteTarget};
use trace_format::{EventPosition, OpenFrame, Signatures as _, Stream, ThreadNumber};
use trace_store::{CallId, StreamView};

use super::super::versions::Dialect;
use java_analysis::class_loading::notes_class;
use java_model::run::JavaRun;

/// A place among the events of a thread.
pub(super) struct Cursor<'run> {
    run: &'run JavaRun,
    dialect: &'run Dialect,
    pub(super) thread: ThreadNumber,
    stream: StreamView<'run>,
    position: u64,
    bytes: &'run [u8],
    frames: Vec<OpenFrame>,
    /// The open calls by their numbers in the thread, the outermost first.
    open: Vec<u32>,
    /// How many calls have begun.
    begun: u32,
}

impl<'run> Cursor<'run> {
    pub(super) fn new(
        run: &'run JavaRun,
        thread: ThreadNumber,
        dialect: &'run Dialect,
    ) -> Cursor<'run> {
        Cursor {
            run,
            dialect,
            thread,
            stream: run.trace().stream(thread, Stream::Events),
            position: 0,
            bytes: &[],
            frames: Vec::new(),
            open: Vec::new(),
            begun: 0,
        }
    }

    pub(super) fn position(&self) -> EventPosition {
        EventPosition(self.position)
    }

    /// The innermost open call.
    pub(super) fn innermost(&self) -> Option<CallId> {
        let last = self.open.last();
        last.map(|&index| CallId::new(self.thread, index))
    }

    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The next event that says something about the program, and its length, without going on.
    pub(super) fn look(&mut self) -> Option<(Event<'run>, usize)> {
        loop {
            if self.bytes.is_empty() {
                self.bytes = self.stream.at(self.position)?;
            }
            let symbols = self.run.trace().symbols();
            let current = self.frames.last().copied();
            match event::decode(self.bytes, symbols, current).ok()?? {
                (
                    Event::Mark { .. }
                    | Event::Sync { .. }
                    | Event::Submit { .. }
                    | Event::Output { .. }
                    | Event::Task { .. }
                    | Event::Text { .. },
                    length,
                ) => self.pass(length),
                (Event::Write(write), length) if notes_class(self.run.trace(), &write) => {
                    self.pass(length);
                }
                (Event::Write(write), length) if self.is_only_here(&write) => self.pass(length),
                found => return Some(found),
            }
        }
    }

    /// Whether a write is to something that the other version does not have.
    fn is_only_here(&self, write: &Write<'_>) -> bool {
        match write.target {
            WriteTarget::Field { field, .. } | WriteTarget::Static { field, .. } => {
                self.dialect.is_written_only_here(self.run, field)
            }
            _ => false,
        }
    }

    /// Goes past an event that was looked at.
    pub(super) fn take(&mut self, event: &Event<'run>, length: usize) {
        self.pass(length);
        match event {
            Event::Enter {
                method, arguments, ..
            } => {
                let shape = self.run.trace().symbols().frame(*method);
                let frame = OpenFrame::entered(shape.unwrap_or_default(), arguments);
                self.frames.push(frame);
                self.open.push(self.begun);
                self.begun += 1;
            }
            Event::This { object } => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.this = *object;
                }
            }
            Event::Exit { .. } => self.leave(self.open.len().saturating_sub(1)),
            Event::Throw { depth, .. } if *depth > 0 => self.leave(*depth as usize - 1),
            Event::Catch { depth, .. } => self.leave(*depth as usize),
            _ => {}
        }
    }

    /// Goes to where the innermost open call ends, before the event that says so; `false` if it does
    /// not end by an event of its own.
    pub(super) fn go_to_end(&mut self) -> bool {
        let Some(&index) = self.open.last() else {
            return false;
        };
        let Some(calls) = self.run.read(self.run.trace().calls(self.thread)) else {
            return false;
        };
        let Some(end) = calls.extent(index).end.filter(|end| !end.is_lost) else {
            return false;
        };
        self.position = end.exit.0;
        self.bytes = &[];
        self.begun = calls.subtree_range(index).end;
        true
    }

    /// Takes the innermost open call for one that is not compared any more.
    pub(super) fn give_up_innermost(&mut self) {
        self.leave(self.open.len().saturating_sub(1));
    }

    fn leave(&mut self, depth: usize) {
        self.frames.truncate(depth);
        self.open.truncate(depth);
    }

    fn pass(&mut self, length: usize) {
        self.position += length as u64;
        self.bytes = self.bytes.get(length..).unwrap_or_default();
    }
}
