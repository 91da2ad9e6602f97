//! The pass over all events that finds the writes.

use trace_format::event::{self, Skimmed, WriteTarget, skim};
use trace_format::{EventPosition, ObjectId, OpenFrame, Stream, ThreadNumber, TraceTime};

use super::{BULK, STATICS, TEXT, key};
use crate::axis::Axis;
use crate::call_index::IndexSource;
use crate::error::Result;
use crate::external_sort::ExternalSort;

/// Bulk writes up to this many elements have a row for each.
const SPREAD: u32 = 16;

/// How far a thread's events are read.
#[derive(Debug, Default)]
pub(super) struct Walk {
    position: u64,
    stack: Vec<OpenFrame>,
}

impl Walk {
    /// Collects the rows of what is new, up to `end`.
    pub(super) fn advance(
        &mut self,
        source: &IndexSource<'_>,
        thread: ThreadNumber,
        end: u64,
        axis: &Axis,
        sort: &mut ExternalSort<2>,
    ) -> Result<()> {
        let symbols = source.symbols;
        let stack = &mut self.stack;
        let events = source.streams.view(thread, Stream::Events);
        let mut pass = events.pass_from(self.position);
        while let Some(piece) = pass.next() {
            let mut at = self.position.saturating_sub(piece.base) as usize;
            while piece.base + (at as u64) < end {
                let current = stack.last().copied();
                let rest = piece.bytes.get(at..).unwrap_or_default();
                let shape = current.map(|frame| frame.shape);
                let Ok(Some((event, length))) = skim(rest, symbols, shape) else {
                    break;
                };
                match event {
                    Skimmed::Enter { method, shape, .. } => {
                        let arguments = &rest[event::enter_size(method)..length];
                        stack.push(OpenFrame::entered(shape, arguments));
                    }
                    Skimmed::Exit { .. } => {
                        stack.pop();
                    }
                    Skimmed::Throw { depth, .. } => {
                        if depth > 0 && depth as usize <= stack.len() {
                            stack.truncate(depth as usize - 1);
                        }
                    }
                    Skimmed::Catch { depth, .. } => stack.truncate(depth as usize),
                    Skimmed::Write { .. } => {
                        let position = EventPosition(piece.base + at as u64);
                        let this = current.map_or(ObjectId::NULL, |frame| frame.this);
                        if let Ok(Some(write)) = event::decode_write(rest, symbols, this) {
                            add(write.target, axis.time(thread, position), sort)?;
                        }
                    }
                    Skimmed::This { object } => {
                        if let Some(frame) = stack.last_mut() {
                            frame.this = object;
                        }
                    }
                    Skimmed::Text { object } => {
                        let position = EventPosition(piece.base + at as u64);
                        sort.push([key(object, TEXT), axis.time(thread, position).0])?;
                    }
                    Skimmed::Sync { .. }
                    | Skimmed::Mark { .. }
                    | Skimmed::Submit { .. }
                    | Skimmed::Output { .. }
                    | Skimmed::Task { .. } => {}
                }
                at += length;
            }
            self.position = piece.base + at as u64;
            source.streams.has_read(piece.bytes.len());
            if self.position >= end {
                break;
            }
        }
        Ok(())
    }
}

fn add(target: WriteTarget<'_>, time: TraceTime, sort: &mut ExternalSort<2>) -> Result<()> {
    match target {
        WriteTarget::Field { object, field, .. } if !object.is_null() => {
            sort.push([key(object, field.0), time.0])
        }
        WriteTarget::Static { field, .. } => sort.push([key(STATICS, field.0), time.0]),
        WriteTarget::Element { array, index, .. } if !array.is_null() && index < TEXT => {
            sort.push([key(array, index), time.0])
        }
        WriteTarget::Range(range) if !range.array.is_null() => {
            if range.elements.count > SPREAD {
                return sort.push([key(range.array, BULK), time.0]);
            }
            for index in range.indices().filter(|&index| index < TEXT) {
                sort.push([key(range.array, index), time.0])?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
