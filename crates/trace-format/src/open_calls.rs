//! The open calls of a thread at a place in its events, as events again.
//!
//! A stream that is read from the middle makes no sense: an EXIT has the size of a result that only
//! its method tells, and exceptions count the calls that are open. Whoever gives up the beginning of
//! a stream reads it once more with [`OpenCalls`] and puts its [`head`](OpenCalls::head) in place of
//! it. Memory grows with the depth of calls, not with what is read.

use std::ops::Range;

use crate::event::{CallLengths, Entered, FrequentEvents, Skimmed, pass_frequent, size, skim, tag};
use crate::open_tasks::{OpenTask, OpenTasks};
use crate::{DecodeError, MethodId, Signatures, restore_position};

/// In an ENTER, after the tag and the lowest byte of the method's number.
const VALUES_AT: usize = 2;

/// What a reader of a thread's events knows after the last one.
#[derive(Debug, Default)]
pub struct OpenCalls {
    /// The ENTER of each open call, the outermost first, and the THIS of constructors.
    events: Vec<u8>,
    frames: Vec<OpenFrame>,
    /// So many of the frames, the outermost, have their events in `events`. Those of the others are in the chunk that
    /// is being read: most calls end soon, and nothing is copied of them.
    stored: usize,
    tasks: OpenTasks,
    position: u64,
    value_position: u64,
    stamp: u64,
    begun: u64,
}

#[derive(Debug, Clone, Copy)]
struct OpenFrame {
    method: MethodId,
    /// The length of its EXIT.
    exit: u32,
    /// Where its ENTER begins and ends: in `events`, or in the chunk that is being read.
    start: usize,
    entered: usize,
    /// Where its THIS is in that chunk, if it is there.
    this: Option<usize>,
}

impl OpenCalls {
    /// The position after the last event that was read.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Where the values had got to there.
    pub fn value_position(&self) -> u64 {
        self.value_position
    }

    /// The last stamp, from a SYNC or a chunk's header.
    pub fn stamp(&self) -> u64 {
        self.stamp
    }

    /// Whether no call is open.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Calls that have ended.
    pub fn ended(&self) -> u64 {
        self.begun - self.frames.len() as u64
    }

    /// Reads the next chunk of events. One that is damaged is read up to there.
    pub fn read(
        &mut self,
        chunk: &[u8],
        stamp: u64,
        signatures: &impl Signatures,
    ) -> Result<(), DecodeError> {
        self.stamp = self.stamp.max(stamp);
        let walked = self.walk(chunk, signatures);
        // What is open lies in the chunk until it is stored, also if the chunk ends in something unreadable.
        self.store(chunk);
        walked?;
        self.position += chunk.len() as u64;
        Ok(())
    }

    fn walk(&mut self, chunk: &[u8], signatures: &impl Signatures) -> Result<(), DecodeError> {
        let mut at = 0;
        while at < chunk.len() {
            let exit = self.exit_length();
            at = pass_frequent(chunk, at, signatures, exit, self);
            let method = self.frames.last().map(|frame| frame.method);
            let shape = method.and_then(|method| signatures.frame(method));
            let Some((event, length)) = skim(&chunk[at..], signatures, shape)? else {
                break;
            };
            self.take(event, at, &chunk[at..][..length]);
            at += length;
        }
        Ok(())
    }

    fn take(&mut self, event: Skimmed, at: usize, bytes: &[u8]) {
        match event {
            Skimmed::Enter {
                method,
                values,
                shape,
            } => {
                let place = at..at + bytes.len();
                self.begin(values, method, shape.lengths().exit, place);
            }
            Skimmed::Exit { values } => self.end(values),
            Skimmed::Throw { depth, vpos, .. } => {
                self.value_position = restore_position(self.value_position, vpos);
                if let Some(outer) = depth.checked_sub(1) {
                    self.end_from(outer as usize);
                }
            }
            Skimmed::Catch { depth, vpos } => {
                self.value_position = restore_position(self.value_position, vpos);
                self.end_from(depth as usize);
            }
            Skimmed::Mark { vpos } => {
                self.value_position = restore_position(self.value_position, vpos);
            }
            Skimmed::This { .. } => {
                let is_stored = self.stored == self.frames.len();
                if let Some(frame) = self.frames.last_mut() {
                    if is_stored {
                        // Nothing that counts stands behind it.
                        self.events.truncate(frame.entered);
                        self.events.extend_from_slice(bytes);
                    } else {
                        frame.this = Some(at);
                    }
                }
            }
            Skimmed::Sync { stamp } => self.stamp = self.stamp.max(stamp),
            Skimmed::Task { task, depth } => {
                self.tasks.change(task, depth, self.position + at as u64);
            }
            Skimmed::Submit { .. }
            | Skimmed::Text { .. }
            | Skimmed::Output { .. }
            | Skimmed::Write { .. } => {}
        }
    }

    /// Of the current call's EXIT.
    #[inline(always)]
    fn exit_length(&self) -> u32 {
        let current = self.frames.last();
        current.map_or(CallLengths::UNKNOWN.exit, |frame| frame.exit)
    }

    #[inline(always)]
    fn begin(&mut self, values: u8, method: MethodId, exit: u32, place: Range<usize>) {
        self.value_position += u64::from(values);
        self.begun += 1;
        self.frames.push(OpenFrame {
            method,
            exit,
            start: place.start,
            entered: place.end,
            this: None,
        });
    }

    #[inline(always)]
    fn end(&mut self, values: u8) {
        self.value_position += u64::from(values);
        self.end_from(self.frames.len().saturating_sub(1));
    }

    /// Ends all but the outermost `kept` calls.
    #[inline(always)]
    fn end_from(&mut self, kept: usize) {
        if kept >= self.frames.len() {
            return;
        }
        if kept < self.stored {
            self.events.truncate(self.frames[kept].start);
            self.stored = kept;
        }
        self.frames.truncate(kept);
    }

    /// Copies the events of the calls that are open where the chunk ends.
    fn store(&mut self, chunk: &[u8]) {
        for frame in &mut self.frames[self.stored..] {
            let start = self.events.len();
            self.events
                .extend_from_slice(&chunk[frame.start..frame.entered]);
            // The values of what came before it are given up.
            self.events[start + VALUES_AT] = 0;
            let entered = self.events.len();
            if let Some(this) = frame.this {
                self.events
                    .extend_from_slice(&chunk[this..this + size::THIS]);
            }
            *frame = OpenFrame {
                start,
                entered,
                this: None,
                ..*frame
            };
        }
        self.stored = self.frames.len();
    }

    /// Events which, read from the start, leave a reader with the same open calls and tasks. They are a part of
    /// what was read, so they are not longer than that.
    pub fn head(&self) -> Vec<u8> {
        let mut head = Vec::with_capacity(self.events.len());
        let mut copied = 0;
        for task in self.tasks.iter() {
            let place = self.frames.get(task.depth as usize);
            let until = place.map_or(self.events.len(), |frame| frame.start);
            head.extend_from_slice(self.events.get(copied..until).unwrap_or_default());
            copied = copied.max(until);
            put_task(task, &mut head);
        }
        head.extend_from_slice(&self.events[copied..]);
        head
    }
}

impl FrequentEvents for OpenCalls {
    #[inline(always)]
    fn enter(&mut self, at: usize, entered: Entered) -> bool {
        let Entered {
            method,
            values,
            lengths,
        } = entered;
        let place = at..at + lengths.enter as usize;
        self.begin(values, method, lengths.exit, place);
        true
    }

    #[inline(always)]
    fn exit(&mut self, _: usize, values: u8) -> u32 {
        self.end(values);
        self.exit_length()
    }

    #[inline(always)]
    fn leaf(&mut self, _: usize, entered: Entered, _: usize, exit_values: u8) -> bool {
        self.value_position += u64::from(entered.values) + u64::from(exit_values);
        self.begun += 1;
        true
    }

    #[inline(always)]
    fn other(&mut self, tag: u8) -> bool {
        tag != tag::THIS
    }
}

fn put_task(task: OpenTask, out: &mut Vec<u8>) {
    const { assert!(size::TASK == 1 + 4 + 4) };
    out.push(tag::TASK);
    out.extend(task.task.0.to_le_bytes());
    out.extend(task.depth.to_le_bytes());
}
