//! The pass over a thread's events that makes its call columns.
//!
//! A call's place is known when it is entered; its subtree size and its exit are known only later,
//! when it ends. Rows are therefore collected in a [`Batch`] in memory and written out when it is
//! full; the ends of the few calls that are still open then are filled in later. The pass can stop
//! at the end of what has been recorded so far and go on from there when there is more.

mod batch;
mod call_pass;
mod files;
mod writer;

use trace_format::event::{Skimmed, pass_frequent, skim, tag};
use trace_format::{
    DecodeError, EventPosition, MethodId, ObjectId, OpenTask, OpenTasks, Signatures as _,
    ThreadNumber, restore_position,
};

use crate::call_graph::CallGraph;
use crate::columns::{BLOCK, EventCounts, LOST, Summary, Tags};
use crate::error::{Result, StoreError};
use crate::index_folder::IndexFolder;
use crate::stream_view::{Piece, StreamView};
use crate::submissions::{Submit, Work};
use crate::symbols::Symbols;

pub(crate) use batch::Batch;

use call_pass::{CallPass, Frame, Reached};
use files::Files;
use writer::{Sink, Writer, Written};

/// Looked at when a batch is full, so there are some numbers left.
const MOST_CALLS: u32 = u32::MAX - (1 << 16);
/// With so many late ends a batch is written although there is room for calls: a deep recursion ends without any beginning.
const MOST_LATE_ENDS: usize = 64 * 1024;

/// Bytes of events for which it is worth while to write the columns on another thread.
const WORTH_A_THREAD: u64 = 4 << 20;

/// What the pass reads.
#[derive(Clone, Copy)]
pub(crate) struct Events<'a> {
    pub(crate) stream: StreamView<'a>,
    pub(crate) symbols: &'a Symbols,
    /// It ends where the thread took a stamp above this one.
    pub(crate) last: u64,
}

/// Where it writes to.
struct Out<'a> {
    batch: &'a mut Batch,
    full: &'a mut dyn Sink,
}

/// The pass over one thread's events.
#[derive(Debug)]
pub(crate) struct ColumnsBuilder {
    thread: ThreadNumber,
    reached: Reached,
    /// The open calls, and room for more.
    stack: Vec<Frame>,
    slots: Vec<u32>,
    graph: Box<CallGraph>,
    /// Events by tag, but for calls.
    tags: Box<Tags>,
    otherwise_ended: u64,
    last_segment: Option<[u64; 2]>,
    tasks: OpenTasks,
    /// Ends that have a place in the file.
    far_ends: u64,
    written: Written,
    summary: Summary,
}

impl ColumnsBuilder {
    /// For events that begin at a position; `values` is where the values had got to there.
    pub(crate) fn new(thread: ThreadNumber, begin: u64, values: u64) -> Self {
        Self {
            thread,
            reached: Reached::new(values),
            stack: Vec::new(),
            slots: Vec::new(),
            graph: Box::default(),
            tags: Box::new([0; tag::EXIT as usize]),
            otherwise_ended: 0,
            last_segment: None,
            tasks: OpenTasks::default(),
            far_ends: 0,
            written: Written::default(),
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

    /// Goes on to the end of what is there and writes everything out, by way of a batch of whatever content.
    pub(crate) fn advance(
        &mut self,
        batch: &mut Batch,
        folder: &IndexFolder,
        events: Events<'_>,
        progress: &mut dyn FnMut(u64, &Piece<'_>),
    ) -> Result<Summary> {
        batch.clear(self.reached.calls);
        let mut writer = Writer {
            // There may be thousands of threads: files are open here only.
            files: Files::open(folder, self.thread)?,
            written: self.written,
        };
        let length = events.stream.length().saturating_sub(self.summary.end);
        let mut pass = |full: &mut dyn Sink| {
            let out = &mut Out { batch, full };
            self.read(out, events, progress)?;
            self.flush(out)
        };
        if length < WORTH_A_THREAD {
            pass(&mut writer)?;
        } else {
            writer.beside(pass)?;
        }
        self.written = writer.written;
        self.summary.calls = self.reached.calls;
        let enter = self.reached.calls.into();
        // Every call that has begun is open, has an EXIT or ended otherwise.
        let exit = enter - self.reached.depth as u64 - self.otherwise_ended;
        self.summary.counts = EventCounts::of(enter, exit, &self.tags);
        if self.summary.graph.len() != self.graph.len() {
            self.summary.graph = self.graph.pairs();
        }
        Ok(self.summary.clone())
    }

    fn read(
        &mut self,
        out: &mut Out<'_>,
        events: Events<'_>,
        progress: &mut dyn FnMut(u64, &Piece<'_>),
    ) -> Result<()> {
        // What was an unknown method may be declared by now.
        self.summary.damage = None;
        for piece in events.stream.pieces_from(self.summary.end) {
            if self.summary.end == piece.base {
                self.begin_segment(out.batch, piece.base, piece.stamp);
            }
            let Some(offset) = self.summary.end.checked_sub(piece.base) else {
                break;
            };
            let whole = self.walk(out, &piece, offset as usize, events)?;
            progress(self.summary.end, &piece);
            if !whole {
                break;
            }
        }
        Ok(())
    }

    /// Whether the piece was read up to its last byte.
    fn walk(
        &mut self,
        out: &mut Out<'_>,
        piece: &Piece<'_>,
        start: usize,
        events: Events<'_>,
    ) -> Result<bool> {
        let symbols = events.symbols;
        let Piece { bytes, base, .. } = *piece;
        let mut at = start;
        while let Some(rest) = bytes.get(at..) {
            self.make_room(out)?;
            let exit = self.pass(out.batch, base).exit_length();
            let frequent = pass_frequent(bytes, at, symbols, exit, &mut self.pass(out.batch, base));
            if frequent > at {
                at = frequent;
                continue;
            }
            let method = self.current().map(|frame| MethodId(frame.method));
            let shape = method.and_then(|method| symbols.frame(method));
            match skim(rest, symbols, shape) {
                Ok(Some((Skimmed::Sync { stamp }, _))) if stamp > events.last => break,
                Ok(Some((event, length))) => {
                    if let Some(count) = self.tags.get_mut(usize::from(rest[0])) {
                        *count += 1;
                    }
                    self.take(out.batch, base + at as u64, event);
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

    fn pass<'a>(&'a mut self, batch: &'a mut Batch, base: u64) -> CallPass<'a> {
        CallPass {
            reached: &mut self.reached,
            stack: &mut self.stack,
            slots: &mut self.slots,
            graph: &mut self.graph,
            tags: &mut self.tags,
            batch,
            base,
        }
    }

    /// The innermost open call.
    fn current(&self) -> Option<&Frame> {
        self.stack[..self.reached.depth].last()
    }

    /// Makes sure that a call can begin.
    fn make_room(&mut self, out: &mut Out<'_>) -> Result<()> {
        if self.reached.depth == self.stack.len() {
            let room = (2 * self.stack.len()).max(64);
            self.stack.resize(room, Frame::default());
        }
        if self.reached.fills_batch() || out.batch.late_ends.len() >= MOST_LATE_ENDS {
            if self.reached.calls >= MOST_CALLS {
                return Err(StoreError::TooManyCalls);
            }
            self.flush(out)?;
        }
        Ok(())
    }

    /// An event that is not frequent, or stands where the pass over those could not go on.
    fn take(&mut self, batch: &mut Batch, position: u64, event: Skimmed) {
        match event {
            Skimmed::Enter {
                method,
                values,
                shape,
            } => {
                if self.reached.depth == self.reached.task_depth
                    && let Some(task) = self.tasks.current()
                {
                    let work = work(task, Some(self.reached.calls));
                    batch.works.push(work.row(self.thread));
                }
                let exit = shape.lengths().exit;
                self.pass(batch, 0).begin(position, values, method.0, exit);
            }
            Skimmed::Exit { values } => {
                self.reached.values = self.reached.values.wrapping_add(values.into());
                self.pass(batch, 0).end(position);
            }
            Skimmed::Throw {
                depth,
                vpos,
                exception,
            } => {
                self.restore_values(vpos);
                if depth > 0 && depth as usize <= self.reached.depth {
                    self.end_above(batch, depth, position);
                    let lost = if exception.is_null() { LOST } else { 0 };
                    self.end_otherwise(batch, position | lost);
                }
            }
            Skimmed::Catch { depth, vpos } => {
                self.restore_values(vpos);
                self.end_above(batch, depth, position);
            }
            Skimmed::Mark { vpos } => self.restore_values(vpos),
            Skimmed::Sync { stamp } => self.begin_segment(batch, position, stamp),
            Skimmed::Submit { task, is_thread } => self.submit(batch, position, task, is_thread),
            Skimmed::Task { task, depth } => {
                if let Some(begun) = self.tasks.change(task, depth, position) {
                    batch.works.push(work(begun, None).row(self.thread));
                }
                self.reached.task_depth = self.tasks.depth();
            }
            Skimmed::This { .. } | Skimmed::Text { .. } | Skimmed::Write { .. } => {}
        }
    }

    fn restore_values(&mut self, vpos: u32) {
        self.reached.values = restore_position(self.reached.values, vpos);
    }

    fn submit(&self, batch: &mut Batch, position: u64, task: ObjectId, is_thread: bool) {
        let call = self.current().map(|frame| frame.index);
        let made_in = self.tasks.current().filter(|_| call.is_none());
        let submit = Submit {
            task,
            is_thread,
            at: EventPosition(position),
            call,
            made_in: made_in.map(|task| EventPosition(task.position)),
        };
        batch.submits.push(submit.row(self.thread));
    }

    /// Ends the innermost call without an EXIT.
    fn end_otherwise(&mut self, batch: &mut Batch, exit: u64) {
        self.otherwise_ended += 1;
        self.pass(batch, 0).end(exit);
    }

    /// Ends the calls deeper than `depth`: they left without saying so.
    fn end_above(&mut self, batch: &mut Batch, depth: u32, position: u64) {
        while self.reached.depth > depth as usize {
            self.end_otherwise(batch, position | LOST);
        }
    }

    /// A stamp that runs backwards (a damaged trace) begins a segment at the same time as the
    /// one before it.
    fn begin_segment(&mut self, batch: &mut Batch, position: u64, stamp: u64) {
        let segment = match self.last_segment {
            None => [position, stamp],
            Some([_, last]) if stamp == 0 || (stamp <= last && self.summary.end == position) => {
                return;
            }
            Some([_, last]) => [position, stamp.max(last)],
        };
        self.last_segment = Some(segment);
        batch.segments.push(segment);
    }

    /// Writes the batch.
    fn flush(&mut self, out: &mut Out<'_>) -> Result<()> {
        let batch = &mut *out.batch;
        batch.calls = self.reached.batch_size();
        self.settle(batch);
        out.full.take(batch)?;
        self.reached.begin_batch();
        batch.clear(self.reached.calls);
        Ok(())
    }

    /// Puts all far ends of a batch in order, gives each its place in the file, and those of calls that are still open
    /// a slot.
    fn settle(&mut self, batch: &mut Batch) {
        let written = self.reached.written;
        let open = &self.stack[self.slots.len()..self.reached.depth];
        for frame in open {
            frame.leave_open(written, batch);
        }
        let rows = &mut batch.far_ends;
        rows.sort_unstable_by_key(|row| row[0] as u32);
        let before = self.far_ends;
        self.far_ends += rows.len() as u64;
        let place =
            |index: u32| before + rows.partition_point(|row| (row[0] as u32) < index) as u64;
        let first_block = u64::from(written).div_ceil(BLOCK as u64);
        for (block, at) in batch.blocks.iter_mut().zip(first_block..) {
            block[2] = place((at * BLOCK as u64) as u32);
        }
        let slots = open.iter().map(|frame| place(frame.index) as u32);
        self.slots.extend(slots);
    }
}

fn work(task: OpenTask, call: Option<u32>) -> Work {
    Work {
        task: task.task,
        begun: EventPosition(task.position),
        call,
    }
}
