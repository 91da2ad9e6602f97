//! The pass over a thread's events that makes its call columns.
//!
//! A call's row is begun when it is entered; its subtree size and its exit are known only later,
//! when it ends. Rows are therefore collected in a [`Window`] in memory and written out when it is
//! full; the ends of the few calls that are still open then are filled in later. The pass can stop
//! at the end of what has been recorded so far and go on from there when there is more.

mod window;

use trace_format::event::{Skimmed, enter_at, exit_at, pass_writes, skim};
use trace_format::{
    DecodeError, EventPosition, FrameShape, ObjectId, OpenTask, OpenTasks, ThreadNumber,
    restore_position,
};

use crate::call_graph::CallGraph;
use crate::columns::{EventCounts, LOST, Summary};
use crate::error::{Result, StoreError};
use crate::index_folder::IndexFolder;
use crate::stream_view::{Piece, StreamView};
use crate::submissions::{Submit, Work};
use crate::symbols::Symbols;

use window::{End, Files, Start, Window};

/// The pass over one thread's events.
#[derive(Debug)]
pub(crate) struct ColumnsBuilder {
    thread: ThreadNumber,
    /// Open during [`ColumnsBuilder::advance`] only: there may be thousands of threads.
    files: Option<Files>,
    window: Window,
    stack: Vec<Frame>,
    graph: CallGraph,
    /// Events by tag.
    tags: Box<[u64; 256]>,
    last_segment: Option<[u64; 2]>,
    value_position: u64,
    tasks: OpenTasks,
    summary: Summary,
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    index: u32,
    method: u32,
    shape: FrameShape,
    /// Where the call began in the events and in the values.
    start: [u64; 2],
    /// Where its end is to be filled in, once its row has been written.
    end_slot: Option<u32>,
}

impl ColumnsBuilder {
    /// For events that begin at a position; `values` is where the values had got to there.
    pub(crate) fn new(thread: ThreadNumber, begin: u64, values: u64) -> Self {
        Self {
            thread,
            files: None,
            window: Window::default(),
            stack: Vec::new(),
            graph: CallGraph::default(),
            tags: Box::new([0; 256]),
            last_segment: None,
            value_position: values,
            tasks: OpenTasks::default(),
            summary: Summary {
                thread: thread.0,
                end: begin,
                ..Summary::default()
            },
        }
    }

    pub(crate) fn thread(&self) -> ThreadNumber {
        self.thread
    }

    /// Goes on to the end of what is there, or to where the thread took a stamp above the `last` one, and
    /// writes everything out.
    pub(crate) fn advance(
        &mut self,
        folder: &IndexFolder,
        stream: StreamView<'_>,
        symbols: &Symbols,
        last: u64,
        progress: &mut dyn FnMut(u64, &Piece<'_>),
    ) -> Result<Summary> {
        self.files = Some(Files::open(folder, self.thread)?);
        self.window
            .reserve(stream.length().saturating_sub(self.summary.end));
        // What was an unknown method may be declared by now.
        self.summary.damage = None;
        for piece in stream.pieces_from(self.summary.end) {
            if self.summary.end == piece.base {
                self.begin_segment(piece.base, piece.stamp);
            }
            let Some(offset) = self.summary.end.checked_sub(piece.base) else {
                break;
            };
            let whole = self.walk(&piece, offset as usize, symbols, last)?;
            progress(self.summary.end, &piece);
            if !whole {
                break;
            }
        }
        self.flush()?;
        self.window.shrink();
        self.files = None;
        self.summary.counts = EventCounts::of_tags(&self.tags);
        if self.summary.graph.len() != self.graph.len() {
            self.summary.graph = self.graph.pairs();
        }
        Ok(self.summary.clone())
    }

    /// Whether the piece was read up to its last byte.
    fn walk(
        &mut self,
        piece: &Piece<'_>,
        start: usize,
        symbols: &Symbols,
        last: u64,
    ) -> Result<bool> {
        let Piece { bytes, base, .. } = *piece;
        let mut at = start;
        while let Some(rest) = bytes.get(at..) {
            let tags = &mut self.tags;
            let writes = pass_writes(rest, symbols, |tag| tags[usize::from(tag)] += 1);
            at += writes;
            let rest = &rest[writes..];
            let current = self.stack.last().map(|frame| frame.shape);
            // Nearly all that is no write; the others go the long way.
            if let Some((values, length)) = current.and_then(|shape| exit_at(rest, shape)) {
                self.tags[usize::from(rest[0])] += 1;
                self.value_position = self.value_position.saturating_add(values.into());
                self.end_innermost(base + at as u64)?;
                at += length;
                continue;
            }
            if let Some(entered) = enter_at(rest, symbols) {
                self.tags[usize::from(rest[0])] += 1;
                self.value_position = self.value_position.saturating_add(entered.values.into());
                self.enter(base + at as u64, entered.method.0, entered.shape)?;
                at += entered.length;
                continue;
            }
            match skim(rest, symbols, current) {
                Ok(Some((Skimmed::Sync { stamp }, _))) if stamp > last => break,
                Ok(Some((event, length))) => {
                    self.tags[usize::from(rest[0])] += 1;
                    self.take(base + at as u64, event)?;
                    at += length;
                }
                Ok(None) => break,
                // A truncated tail: the event was never whole.
                Err(DecodeError::CutOff) if piece.is_tail => break,
                Err(error) => {
                    self.summary.damage = Some(error.to_string());
                    break;
                }
            }
        }
        self.summary.end = base + at as u64;
        Ok(at == bytes.len())
    }

    fn take(&mut self, position: u64, event: Skimmed) -> Result<()> {
        match event {
            Skimmed::Throw {
                depth,
                vpos,
                exception,
            } => {
                self.value_position = restore_position(self.value_position, vpos);
                if depth > 0 && depth as usize <= self.stack.len() {
                    self.end_above(depth, position)?;
                    let lost = if exception.is_null() { LOST } else { 0 };
                    self.end_innermost(position | lost)?;
                }
            }
            Skimmed::Catch { depth, vpos } => {
                self.value_position = restore_position(self.value_position, vpos);
                self.end_above(depth, position)?;
            }
            Skimmed::Mark { vpos } => {
                self.value_position = restore_position(self.value_position, vpos);
            }
            Skimmed::Sync { stamp } => {
                self.begin_segment(position, stamp);
            }
            Skimmed::Submit { task, is_thread } => self.submit(position, task, is_thread),
            Skimmed::Task { task, depth } => {
                if let Some(begun) = self.tasks.change(task, depth, position) {
                    self.window.works.push(work(begun, None).row(self.thread));
                }
            }
            // Those that are whole do not come here, and skimming does not give others.
            Skimmed::Enter { .. } | Skimmed::Exit { .. } => {}
            Skimmed::This { .. } | Skimmed::Text { .. } | Skimmed::Write { .. } => {}
        }
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, position: u64, method: u32, shape: FrameShape) -> Result<()> {
        let index = self.summary.calls;
        if index == u32::MAX - 1 {
            return Err(StoreError::TooManyCalls);
        }
        if self.window.is_full() {
            self.flush()?;
        }
        self.summary.calls += 1;
        let mut parent = None;
        if let Some(caller) = self.stack.last() {
            parent = Some(caller.index);
            self.graph.note(caller.method, method);
        }
        if self.tasks.depth() == self.stack.len()
            && let Some(task) = self.tasks.current()
        {
            let work = work(task, Some(index));
            self.window.works.push(work.row(self.thread));
        }
        let start = [position, self.value_position];
        self.window.begin(Start {
            index,
            method,
            parent,
            events: position,
            values: self.value_position,
        });
        self.stack.push(Frame {
            index,
            method,
            shape,
            start,
            end_slot: None,
        });
        Ok(())
    }

    fn submit(&mut self, position: u64, task: ObjectId, is_thread: bool) {
        let call = self.stack.last().map(|frame| frame.index);
        let made_in = self.tasks.current().filter(|_| call.is_none());
        let submit = Submit {
            task,
            is_thread,
            at: EventPosition(position),
            call,
            made_in: made_in.map(|task| EventPosition(task.position)),
        };
        self.window.submits.push(submit.row(self.thread));
    }

    /// Ends the calls deeper than `depth`: they left without saying so.
    fn end_above(&mut self, depth: u32, position: u64) -> Result<()> {
        while self.stack.len() > depth as usize {
            self.end_innermost(position | LOST)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn end_innermost(&mut self, exit: u64) -> Result<()> {
        let Some(frame) = self.stack.pop() else {
            return Ok(());
        };
        let end = End {
            index: frame.index,
            size: self.summary.calls - frame.index,
            events: exit,
            values: self.value_position,
        };
        self.window.end(end, frame.end_slot, frame.start);
        if frame.end_slot.is_some() && self.window.has_many_late_ends() {
            self.write_late_ends()?;
        }
        Ok(())
    }

    /// A stamp that runs backwards (a damaged trace) begins a segment at the same time as the
    /// one before it.
    fn begin_segment(&mut self, position: u64, stamp: u64) {
        let segment = match self.last_segment {
            None => [position, stamp],
            Some([_, last]) if stamp == 0 || (stamp <= last && self.summary.end == position) => {
                return;
            }
            Some([_, last]) => [position, stamp.max(last)],
        };
        self.last_segment = Some(segment);
        self.window.segments.push(segment);
    }

    /// Writes the window.
    fn flush(&mut self) -> Result<()> {
        // Calls without a slot are the innermost ones.
        let settled = self.stack.partition_point(|frame| frame.end_slot.is_some());
        let open = &mut self.stack[settled..];
        let indexes: Vec<u32> = open.iter().map(|frame| frame.index).collect();
        let slots = self.window.settle(&indexes);
        for (frame, slot) in open.iter_mut().zip(slots) {
            frame.end_slot = Some(slot);
        }
        if let Some(files) = &self.files {
            self.window.write(files)?;
        }
        self.write_late_ends()
    }

    fn write_late_ends(&mut self) -> Result<()> {
        match &self.files {
            Some(files) => self.window.write_late_ends(files),
            None => Ok(()),
        }
    }
}

fn work(task: OpenTask, call: Option<u32>) -> Work {
    Work {
        task: task.task,
        begun: EventPosition(task.position),
        call,
    }
}
