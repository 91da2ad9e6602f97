//! The pass over a thread's events that makes its call columns.
//!
//! A call's place is known when it is entered; its subtree size and its exit are known only later,
//! when it ends. Calls are therefore collected in a [`Batch`] in memory, which is packed and written out when it is
//! full. Rows are written once, in order, and never changed: the end of a call that is still open when its row is
//! written has a place in a file of its own, where it is filled in when it is known; such calls are no more than the
//! stack is deep. The pass can stop at the end of what has been recorded so far and go on from there when there is
//! more.

mod batch;
mod call_pass;
mod files;
mod pack;
mod writer;

use trace_format::event::{Skimmed, pass_frequent, skim, tag};
use trace_format::{
    DecodeError, EventPosition, MethodId, ObjectId, OpenTask, OpenTasks, Signatures as _,
    ThreadNumber, restore_position,
};

use crate::call_graph::CallGraph;
use crate::columns::{EventCounts, LOST, Summary, Tags};
use crate::error::{Result, StoreError};
use crate::index_folder::IndexFolder;
use crate::shared_columns::SharedWriter;
use crate::stream_view::{Piece, StreamView};
use crate::submissions::{Submit, Work};
use crate::symbols::Symbols;

use batch::Batch;
use call_pass::{CallPass, Frame, Reached};
use files::{Files, Reserve};
use pack::Packed;
use writer::{RowCounts, Sink, Writer};

/// Looked at when a batch is full, so there are some numbers left.
const MOST_CALLS: u32 = u32::MAX - (1 << 16);
/// With so many late ends a batch is written although there is room for calls: a deep recursion ends without any
/// beginning.
const MOST_LATE_ENDS: usize = 64 * 1024;

/// Bytes of events for which it is worth while to write the columns on another thread.
const WORTH_A_THREAD: u64 = 4 << 20;

/// Bytes of events up to which a thread's columns share a file with others.
const LITTLE: u64 = 64 << 10;

/// What the pass reads.
#[derive(Clone, Copy)]
pub(crate) struct Events<'a> {
    pub(crate) stream: StreamView<'a>,
    pub(crate) symbols: &'a Symbols,
    /// It ends where the thread took a stamp above this one.
    pub(crate) last: u64,
}

/// Memory that the passes over all threads use, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    batch: Batch,
    packed: Packed,
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
    /// [`Frame::NONE`], the open calls and room for more.
    stack: Vec<Frame>,
    graph: Box<CallGraph>,
    /// Events by tag, but for calls.
    tags: Box<Tags>,
    otherwise_ended: u64,
    last_segment: Option<[u64; 2]>,
    tasks: OpenTasks,
    written: RowCounts,
    summary: Summary,
}

impl ColumnsBuilder {
    /// For events that begin at a position; `values` is where the values had got to there.
    pub(crate) fn new(thread: ThreadNumber, begin: u64, values: u64) -> Self {
        Self {
            thread,
            reached: Reached::new(values),
            stack: vec![Frame::NONE],
            graph: Box::default(),
            tags: Box::new([0; tag::EXIT as usize]),
            otherwise_ended: 0,
            last_segment: None,
            tasks: OpenTasks::default(),
            written: RowCounts::default(),
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

    /// Goes on to the end of what is there and writes everything out: where there is a file for the columns of
    /// threads that did little, and this is one, there, for good.
    pub(crate) fn advance(
        &mut self,
        buffers: &mut Buffers,
        folder: &IndexFolder,
        shared: Option<&mut SharedWriter>,
        events: Events<'_>,
        progress: &mut dyn FnMut(u64, &Piece<'_>),
    ) -> Result<Summary> {
        let Buffers { batch, packed } = buffers;
        let begin = self.summary.end;
        let is_long = events.stream.length().saturating_sub(begin) >= WORTH_A_THREAD;
        let shared = shared.filter(|_| events.stream.length() <= LITTLE);
        let mut written = std::mem::take(&mut self.written);
        let mut writer = Writer {
            // There may be thousands of threads: files are open here only.
            files: Files::open(folder, self.thread, shared.is_some())?,
            written: &mut written,
            packed,
            reserve: Reserve::new(is_long),
        };
        batch.clear(self.reached.calls, [begin, self.reached.values]);
        let mut pass = |full: &mut dyn Sink| {
            let out = &mut Out { batch, full };
            self.read(out, events, progress)?;
            self.flush(out, self.summary.end)
        };
        if is_long {
            writer.beside(pass)?;
        } else {
            pass(&mut writer)?;
        }
        let Writer { files, reserve, .. } = writer;
        reserve.end(&files, self.reached.calls.into())?;
        if let Some(shared) = shared {
            self.summary.shared_at = Some(shared.add(files.into_shared())?);
        }
        self.written = written;
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
        let mut pass = events.stream.pass_from(self.summary.end);
        while let Some(piece) = pass.next() {
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
            self.make_room(out, base + at as u64)?;
            let frequent = self.pass(out.batch, base, |pass| {
                pass_frequent(bytes, at, symbols, pass.exit_length(), pass)
            });
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

    /// Does something with calls of a piece of the events.
    #[inline(always)]
    fn pass<T>(
        &mut self,
        batch: &mut Batch,
        base: u64,
        work: impl FnOnce(&mut CallPass<'_>) -> T,
    ) -> T {
        let mut pass = CallPass {
            reached: self.reached,
            stack: &mut self.stack,
            graph: &mut self.graph,
            tags: &mut self.tags,
            rows: &mut batch.rows,
            ends: &mut batch.ends,
            base,
        };
        let worked = work(&mut pass);
        self.reached = pass.reached;
        worked
    }

    /// The innermost open call.
    fn current(&self) -> Option<&Frame> {
        self.stack[1..=self.reached.depth].last()
    }

    /// Makes sure that a call can begin or end at a position.
    fn make_room(&mut self, out: &mut Out<'_>, position: u64) -> Result<()> {
        if self.reached.depth + 1 == self.stack.len() {
            let room = (2 * self.stack.len()).max(64);
            self.stack.resize(room, Frame::NONE);
        }
        let is_full = self.reached.fills_batch()
            || out.batch.ends.late.len() >= MOST_LATE_ENDS
            || !out.batch.reaches([position, self.reached.values]);
        if is_full {
            if self.reached.calls >= MOST_CALLS {
                return Err(StoreError::TooManyCalls);
            }
            self.flush(out, position)?;
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
                self.pass(batch, 0, |pass| {
                    pass.begin(position, values, method.0, exit)
                });
            }
            Skimmed::Exit { values } => {
                self.reached.values = self.reached.values.wrapping_add(values.into());
                self.pass(batch, 0, |pass| pass.end(position));
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
            Skimmed::This { .. }
            | Skimmed::Text { .. }
            | Skimmed::Output { .. }
            | Skimmed::Write { .. } => {}
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
        // The mark is far from everything.
        if batch.reaches([exit, self.reached.values]) {
            self.pass(batch, 0, |pass| pass.end(exit));
        } else {
            self.pass(batch, 0, |pass| pass.end_elsewhere(exit));
        }
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

    /// Writes the batch, when the pass is at a position.
    fn flush(&mut self, out: &mut Out<'_>, position: u64) -> Result<()> {
        out.batch.calls = (self.reached.calls - self.reached.written) as usize;
        self.pass(out.batch, 0, |pass| pass.leave_open());
        let ends = &mut out.batch.ends.elsewhere;
        ends.sort_unstable_by_key(|row| row[0] as u32);
        out.full.take(out.batch)?;
        self.reached.begin_batch();
        let base = [position, self.reached.values];
        out.batch.clear(self.reached.calls, base);
        Ok(())
    }
}

fn work(task: OpenTask, call: Option<u32>) -> Work {
    Work {
        task: task.task,
        begun: EventPosition(task.position),
        call,
    }
}
