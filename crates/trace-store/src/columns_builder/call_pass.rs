//! Calls that begin and end: what is done for nearly every event that is no write.
//!
//! A pass over them is bound by its instructions, so it only notes where each call begins and ends. What its row says
//! is made of that later ([`pack`](super::pack)).

use trace_format::event::{CallLengths, Entered, FrequentEvents};

use super::batch::{Ends, NO_CALL, ROWS, Rows};
use crate::call_graph::{CallGraph, NO_METHOD};
use crate::columns::{OPEN, Tags, far_end_key};

/// A call that is open, or what stands below the outermost one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) index: u32,
    pub(super) method: u32,
    /// The length of its EXIT.
    exit: u32,
    /// The method that it called last.
    callee: u32,
}

impl Frame {
    pub(super) const NONE: Self = Self {
        index: NO_CALL,
        method: NO_METHOD,
        exit: CallLengths::UNKNOWN.exit,
        callee: NO_METHOD,
    };
}

/// How far the pass has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    /// Calls that have begun.
    pub(super) calls: u32,
    /// Those whose rows are in the files, or on the way.
    pub(super) written: u32,
    /// Those with which the batch is full.
    full_at: u32,
    /// Calls that are open.
    pub(super) depth: usize,
    pub(super) values: u64,
    /// How many calls are open where calls belong to the current task.
    pub(super) task_depth: usize,
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
        }
    }

    #[inline(always)]
    pub(super) fn fills_batch(&self) -> bool {
        self.calls == self.full_at
    }

    /// All that have begun are written.
    pub(super) fn begin_batch(&mut self) {
        self.written = self.calls;
        self.full_at = (self.calls + 1).next_multiple_of(ROWS as u32);
    }
}

/// The pass over a piece of the events.
pub(super) struct CallPass<'a> {
    pub(super) reached: Reached,
    /// [`Frame::NONE`], the open calls and room for more.
    pub(super) stack: &'a mut [Frame],
    pub(super) graph: &'a mut CallGraph,
    /// Events by tag.
    pub(super) tags: &'a mut Tags,
    pub(super) rows: &'a mut Rows,
    pub(super) ends: &'a mut Ends,
    /// Where the piece begins.
    pub(super) base: u64,
}

impl CallPass<'_> {
    /// Begins a call, if there is room for it.
    #[inline(always)]
    pub(super) fn begin(&mut self, position: u64, values: u8, method: u32, exit: u32) -> bool {
        let depth = self.reached.depth + 1;
        if depth >= self.stack.len() {
            return false;
        }
        let index = self.count(position, values, method);
        self.reached.depth = depth;
        if let Some(frame) = self.stack.get_mut(depth) {
            *frame = Frame {
                index,
                method,
                exit,
                callee: NO_METHOD,
            };
        }
        true
    }

    /// Takes in a call that begins, but does not open it. Gives its number.
    #[inline(always)]
    fn count(&mut self, position: u64, values: u8, method: u32) -> u32 {
        let values = self.reached.values.wrapping_add(values.into());
        self.reached.values = values;
        let index = self.reached.calls;
        self.reached.calls = index + 1;
        if let Some(caller) = self.stack.get_mut(self.reached.depth) {
            // Mostly the same one again.
            if caller.callee != method {
                caller.callee = method;
                self.graph.note(caller.method, method);
            }
            let starts = [position, values];
            self.rows.begin(index, method, caller.index, starts);
        }
        index
    }

    /// Ends the innermost call within the batch's reach.
    #[inline(always)]
    pub(super) fn end(&mut self, exit: u64) {
        let Some(frame) = self.pop() else {
            return;
        };
        let size = self.reached.calls - frame.index;
        let values = self.reached.values;
        if frame.index >= self.reached.written {
            self.rows.end(frame.index, size, [exit, values]);
        } else {
            self.ends.note_late(frame.index, size, [exit, values]);
        }
    }

    /// Ends the innermost call with an end that is marked, or out of the batch's reach.
    pub(super) fn end_elsewhere(&mut self, exit: u64) {
        let Some(frame) = self.pop() else {
            return;
        };
        let size = self.reached.calls - frame.index;
        let values = self.reached.values;
        if frame.index >= self.reached.written {
            self.rows.end_elsewhere(frame.index);
            let end = [far_end_key(frame.index, size), exit, values];
            self.ends.elsewhere.push(end);
        } else {
            self.ends.note_late(frame.index, size, [exit, values]);
        }
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Frame> {
        let frame = self.stack.get(self.reached.depth)?;
        self.reached.depth = self.reached.depth.checked_sub(1)?;
        Some(*frame)
    }

    /// Notes that the calls that are open and not written have no end yet.
    pub(super) fn leave_open(&mut self) {
        let open = &self.stack[1..=self.reached.depth];
        let first = open.partition_point(|frame| frame.index < self.reached.written);
        for frame in &open[first..] {
            self.rows.end_elsewhere(frame.index);
            // Whoever reads knows how many calls there are by then.
            let end = [far_end_key(frame.index, 0), OPEN, OPEN];
            self.ends.elsewhere.push(end);
        }
    }

    /// Of an EXIT of the innermost call.
    #[inline(always)]
    pub(super) fn exit_length(&self) -> u32 {
        let current = self.stack.get(self.reached.depth);
        current.map_or(CallLengths::UNKNOWN.exit, |frame| frame.exit)
    }

    /// Whether a call can begin without more ado.
    #[inline(always)]
    fn may_begin(&self) -> bool {
        !self.reached.fills_batch() && self.reached.depth != self.reached.task_depth
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
        self.may_begin() && self.begin(self.base + at as u64, values, method.0, lengths.exit)
    }

    #[inline(always)]
    fn leaf(&mut self, at: usize, entered: Entered, exit_at: usize, exit_values: u8) -> bool {
        if !self.may_begin() {
            return false;
        }
        let position = self.base + at as u64;
        let index = self.count(position, entered.values, entered.method.0);
        let values = self.reached.values.wrapping_add(exit_values.into());
        self.reached.values = values;
        let exit = self.base + exit_at as u64;
        self.rows.end(index, 1, [exit, values]);
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
