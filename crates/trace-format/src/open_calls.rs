//! The open calls of a thread at a place in its events, as events again.
//!
//! A stream that is read from the middle makes no sense: an EXIT has the size of a result that only
//! its method tells, and exceptions count the calls that are open. Whoever gives up the beginning of
//! a stream reads it once more with [`OpenCalls`] and puts its [`head`](OpenCalls::head) in place of
//! it. Memory grows with the depth of calls, not with what is read.

use crate::event::{Skimmed, pass_writes, size, skim, tag};
use crate::open_tasks::{OpenTask, OpenTasks};
use crate::{DecodeError, FrameShape, Kind, Signatures, restore_position};

/// In an ENTER, after the tag and the lowest byte of the method's number.
const VALUES_AT: usize = 2;

/// What a reader of a thread's events knows after the last one.
#[derive(Debug, Default)]
pub struct OpenCalls {
    /// The ENTER of each open call, the outermost first, and the THIS of constructors.
    events: Vec<u8>,
    frames: Vec<OpenFrame>,
    tasks: OpenTasks,
    position: u64,
    value_position: u64,
    stamp: u64,
    begun: u64,
}

#[derive(Debug, Clone, Copy)]
struct OpenFrame {
    shape: FrameShape,
    /// Where its events begin, and where its ENTER ends.
    start: usize,
    entered: usize,
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

    /// Reads the next chunk of events.
    pub fn read(
        &mut self,
        chunk: &[u8],
        stamp: u64,
        signatures: &impl Signatures,
    ) -> Result<(), DecodeError> {
        self.stamp = self.stamp.max(stamp);
        let mut at = 0;
        while at < chunk.len() {
            at += pass_writes(&chunk[at..], signatures, |_| {});
            let rest = &chunk[at..];
            let current = self.frames.last().map(|frame| frame.shape);
            let Some((event, length)) = skim(rest, signatures, current)? else {
                break;
            };
            if let Skimmed::Enter { values, shape, .. } = event {
                self.value_position += u64::from(values);
                self.begun += 1;
                // Most calls make no others: they need not be opened and closed.
                let body = pass_writes(&rest[length..], signatures, |_| {});
                at += length + body;
                match exit_at(&chunk[at..], shape) {
                    Some((values, length)) => {
                        self.value_position += u64::from(values);
                        at += length;
                    }
                    None => self.enter(shape, &rest[..length]),
                }
                continue;
            }
            self.take(event, &rest[..length], self.position + at as u64);
            at += length;
        }
        self.position += chunk.len() as u64;
        Ok(())
    }

    #[inline(always)]
    fn take(&mut self, event: Skimmed, bytes: &[u8], position: u64) {
        match event {
            Skimmed::Exit { values } => {
                self.value_position += u64::from(values);
                self.end_from(self.frames.len().saturating_sub(1));
            }
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
                if let Some(frame) = self.frames.last() {
                    self.events.truncate(frame.entered);
                    self.events.extend_from_slice(bytes);
                }
            }
            Skimmed::Sync { stamp } => self.stamp = self.stamp.max(stamp),
            Skimmed::Task { task, depth } => {
                self.tasks.change(task, depth, position);
            }
            // Entered where it was read.
            Skimmed::Enter { .. } => {}
            Skimmed::Submit { .. } | Skimmed::Text { .. } | Skimmed::Write { .. } => {}
        }
    }

    #[inline(always)]
    fn enter(&mut self, shape: FrameShape, bytes: &[u8]) {
        let start = self.events.len();
        self.events.extend_from_slice(bytes);
        // The values of what came before it are given up.
        self.events[start + VALUES_AT] = 0;
        self.frames.push(OpenFrame {
            shape,
            start,
            entered: self.events.len(),
        });
    }

    /// Ends all but the outermost `kept` calls.
    fn end_from(&mut self, kept: usize) {
        if let Some(frame) = self.frames.get(kept) {
            self.events.truncate(frame.start);
            self.frames.truncate(kept);
        }
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

/// The values and the length of the EXIT at the front, of a call of this shape; `None` if none stands there.
#[inline(always)]
fn exit_at(bytes: &[u8], shape: FrameShape) -> Option<(u8, usize)> {
    let length = size::EXIT + shape.returned.map_or(0, Kind::size);
    match bytes.get(..length)?.first()? {
        tag @ tag::EXIT..tag::ENTER => Some((tag - tag::EXIT, length)),
        _ => None,
    }
}

fn put_task(task: OpenTask, out: &mut Vec<u8>) {
    const { assert!(size::TASK == 1 + 4 + 4) };
    out.push(tag::TASK);
    out.extend(task.task.0.to_le_bytes());
    out.extend(task.depth.to_le_bytes());
}
