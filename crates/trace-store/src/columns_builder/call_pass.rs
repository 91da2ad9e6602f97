//! Calls that begin and end: what is done for nearly every event that is no write.
//!
//! A call's row is made when it ends, from what its frame says of its beginning, so each row is stored at once.

use trace_format::event::{CallLengths, Entered, FrequentEvents};

use super::batch::{Batch, ROWS, Rows};
use crate::call_graph::CallGraph;
use crate::columns::{BLOCK, FAR, OPEN, Tags};

/// Two distances that stand in another file.
const BOTH_FAR: u64 = pair(FAR as u64, FAR as u64);

/// A call that is open.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    pub(super) index: u32,
    pub(super) method: u32,
    /// Where the call began in the events and in the values.
    start: [u64; 2],
    /// The same in its row: counted from its block.
    starts: u64,
    /// How far back its caller is.
    distance: u16,
    /// The length of its EXIT.
    exit: u16,
    /// The method that it called last.
    callee: u32,
}

/// What the row of a call says of its beginning.
struct Begun {
    index: u32,
    starts: u64,
    distance: u16,
}

/// How far the pass has come.
#[derive(Debug)]
pub(super) struct Reached {
    /// Calls that have begun.
    pub(super) calls: u32,
    /// Those whose rows are in the files, and those with which the batch is full.
    pub(super) written: u32,
    full_at: u32,
    /// Calls that are open.
    pub(super) depth: usize,
    pub(super) values: u64,
    /// How many calls are open where calls belong to the current task.
    pub(super) task_depth: usize,
    /// Where the last block begins.
    block: [u64; 2],
    far_parent: Option<u32>,
}

impl Reached {
    pub(super) fn new(values: u64) -> Self {
        Self {
            calls: 0,
            written: 0,
            full_at: ROWS as u32,
            depth: 0,
            values,
            task_depth: usize::MAX,
            block: [0, 0],
            far_parent: None,
        }
    }

    #[cold]
    fn begin_block(&mut self, batch: &mut Batch, events: u64, values: u64) {
        self.block = [events, values];
        // The far ends before it are counted when they are all known.
        batch.blocks.push([events, values, 0]);
    }

    /// Of the call that has just begun.
    #[cold]
    fn note_far_parent(&mut self, batch: &mut Batch, parent: u32) {
        if self.far_parent != Some(parent) {
            self.far_parent = Some(parent);
            batch.far_parents.push([self.calls - 1, parent]);
        }
    }

    #[inline(always)]
    pub(super) fn fills_batch(&self) -> bool {
        self.calls == self.full_at
    }

    /// Whether a call can begin without more ado.
    #[inline(always)]
    fn may_begin(&self) -> bool {
        !self.fills_batch() && self.depth != self.task_depth
    }

    pub(super) fn batch_size(&self) -> usize {
        (self.calls - self.written) as usize
    }

    /// All that have begun are written.
    pub(super) fn begin_batch(&mut self) {
        self.written = self.calls;
        self.full_at = self.calls.saturating_add(ROWS as u32);
    }
}

/// The pass over a piece of the events.
pub(super) struct CallPass<'a> {
    pub(super) reached: &'a mut Reached,
    /// The open calls and room for more.
    pub(super) stack: &'a mut [Frame],
    /// Where the ends of open calls whose rows are written are to be filled in; these are the outermost ones.
    pub(super) slots: &'a mut Vec<u32>,
    pub(super) graph: &'a mut CallGraph,
    /// Events by tag.
    pub(super) tags: &'a mut Tags,
    pub(super) batch: &'a mut Batch,
    /// Where the piece begins.
    pub(super) base: u64,
}

impl CallPass<'_> {
    /// Begins a call, if there is room for it.
    #[inline(always)]
    pub(super) fn begin(&mut self, position: u64, values: u8, method: u32, exit: u32) -> bool {
        let depth = self.reached.depth;
        if depth >= self.stack.len() {
            return false;
        }
        let begun = self.count(position, values, method);
        self.reached.depth = depth + 1;
        if let Some(frame) = self.stack.get_mut(depth) {
            *frame = Frame {
                index: begun.index,
                method,
                start: [position, self.reached.values],
                starts: begun.starts,
                distance: begun.distance,
                exit: exit as u16,
                callee: u32::MAX,
            };
        }
        true
    }

    /// Takes in a call that begins, but does not open it.
    #[inline(always)]
    fn count(&mut self, position: u64, values: u8, method: u32) -> Begun {
        let values = self.reached.values.wrapping_add(values.into());
        self.reached.values = values;
        let index = self.reached.calls;
        self.reached.calls = index + 1;
        if (index as usize).is_multiple_of(BLOCK) {
            self.reached.begin_block(self.batch, position, values);
        }
        let [first_event, first_value] = self.reached.block;
        let events_from = position.wrapping_sub(first_event);
        let values_from = values.wrapping_sub(first_value);
        let mut starts = pair(events_from, values_from);
        if !are_near(events_from | values_from) {
            let far = [index.into(), position, values];
            self.batch.far_starts.push(far);
            starts = BOTH_FAR;
        }
        let mut distance = 0;
        if let Some(caller) = self.stack.get_mut(self.reached.depth.wrapping_sub(1)) {
            let back = index - caller.index;
            distance = back as u16;
            // Mostly the same one again.
            if caller.callee != method {
                caller.callee = method;
                self.graph.note(caller.method, method);
            }
            if !are_near(back.into()) {
                distance = FAR;
                self.reached.note_far_parent(self.batch, caller.index);
            }
        }
        Begun {
            index,
            starts,
            distance,
        }
    }

    /// Ends the innermost call.
    #[inline(always)]
    pub(super) fn end(&mut self, exit: u64) {
        let depth = self.reached.depth.wrapping_sub(1);
        let Some(frame) = self.stack.get(depth) else {
            return;
        };
        self.reached.depth = depth;
        let size = self.reached.calls - frame.index;
        let values = self.reached.values;
        let events_in = exit.wrapping_sub(frame.start[0]);
        let values_in = values.wrapping_sub(frame.start[1]);
        let is_near = are_near(u64::from(size) | events_in | values_in);
        if frame.index >= self.reached.written && is_near {
            let row = Rows::of(self.reached.written, frame.index);
            let tree = [frame.distance, size as u16];
            let places = [frame.starts, pair(events_in, values_in)];
            self.batch.rows.set(row, frame.method, tree, places);
        } else {
            self.end_far(depth, size, exit);
        }
    }

    /// Of an EXIT of the innermost call.
    #[inline(always)]
    pub(super) fn exit_length(&self) -> u32 {
        let current = self.stack.get(self.reached.depth.wrapping_sub(1));
        current.map_or(CallLengths::UNKNOWN.exit, |frame| frame.exit.into())
    }

    #[cold]
    fn end_far(&mut self, depth: usize, size: u32, exit: u64) {
        let frame = &self.stack[depth];
        let end = [end_key(frame.index, size), exit, self.reached.values];
        if frame.index >= self.reached.written {
            frame.write_without_end(self.reached.written, &mut self.batch.rows);
            self.batch.far_ends.push(end);
        } else if let Some(slot) = self.slots.pop() {
            self.batch.late_ends.push((slot, end));
        }
    }
}

impl FrequentEvents for CallPass<'_> {
    #[inline(always)]
    fn enter(&mut self, at: usize, entered: Entered) -> bool {
        let Entered {
            method,
            values,
            lengths,
        } = entered;
        self.reached.may_begin()
            && self.begin(self.base + at as u64, values, method.0, lengths.exit)
    }

    #[inline(always)]
    fn leaf(&mut self, at: usize, entered: Entered, exit_at: usize, exit_values: u8) -> bool {
        // Longer ones are not worth telling apart.
        let length = (exit_at - at) as u64;
        if !self.reached.may_begin() || !are_near(length) {
            return false;
        }
        let method = entered.method.0;
        let begun = self.count(self.base + at as u64, entered.values, method);
        let exit_values = u64::from(exit_values);
        self.reached.values = self.reached.values.wrapping_add(exit_values);
        let row = Rows::of(self.reached.written, begun.index);
        let places = [begun.starts, pair(length, exit_values)];
        self.batch
            .rows
            .set(row, method, [begun.distance, 1], places);
        true
    }

    #[inline(always)]
    fn exit(&mut self, at: usize, values: u8) -> u32 {
        self.reached.values = self.reached.values.wrapping_add(values.into());
        self.end(self.base + at as u64);
        self.exit_length()
    }

    #[inline(always)]
    fn other(&mut self, tag: u8) -> bool {
        self.tags[usize::from(tag)] += 1;
        true
    }
}

impl Frame {
    /// How the call ends stands, or will stand, in another file.
    fn write_without_end(&self, written: u32, rows: &mut Rows) {
        let row = Rows::of(written, self.index);
        rows.set(
            row,
            self.method,
            [self.distance, FAR],
            [self.starts, BOTH_FAR],
        );
    }

    /// Writes the row of a call that is still open and says how it stands among those whose end is far.
    pub(super) fn leave_open(&self, written: u32, batch: &mut Batch) {
        self.write_without_end(written, &mut batch.rows);
        // Whoever reads knows how many calls there are by then.
        batch.far_ends.push([end_key(self.index, 0), OPEN, OPEN]);
    }
}

fn end_key(index: u32, size: u32) -> u64 {
    u64::from(size) << 32 | u64::from(index)
}

/// Two distances, where they stand in a [`PlaceRow`](crate::columns::PlaceRow) or beside it.
#[inline(always)]
const fn pair(events: u64, values: u64) -> u64 {
    events | values << 32
}

/// Whether a row has room for distances, from all their bits. A few that it would have room for are far, too.
#[inline(always)]
fn are_near(bits: u64) -> bool {
    bits < u64::from(FAR)
}
