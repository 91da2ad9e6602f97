//! Writes that recorded code did not make, and that nobody noted: reflection, deserialisation,
//! native code, a buffer around an array.
//!
//! A read gives them away: it gave something else than what was last written. So between the two
//! something outside wrote. Reads are known only by re-executing code, which this crate cannot
//! do; whoever can supplies a [`FindOutsideWrites`]. It is asked once, the first time that
//! somebody wants to know what a variable held, and what it finds is kept with the trace.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use trace_format::{EventPosition, FieldId, Kind, ObjectId, ThreadNumber, TraceTime, Value};

use crate::call_index::Source;
use crate::error::Result;
use crate::history::HistoryEntry;
use crate::index_folder::IndexFolder;
use crate::state::{Slot, Written};
use crate::trace::Trace;

const NAME: &str = "outside";

/// Finds the writes of a trace that were not recorded, by what recorded code read.
pub type FindOutsideWrites = fn(&Trace) -> Vec<OutsideWrite>;

/// A variable that was found to hold something that recorded code did not write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutsideWrite {
    /// Null for a static.
    pub object: ObjectId,
    pub slot: Slot,
    pub value: Value,
    /// When it was written, as far as that is known: before the event here.
    pub thread: ThreadNumber,
    pub position: EventPosition,
    /// The call that read it, by its number in the thread.
    pub call: u32,
    /// It was written in the part of the trace that was given up: the variable held this from
    /// [`Trace::known_since`] on.
    pub is_given_up: bool,
}

/// As it is kept on disk.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Row {
    object: u32,
    slot: u32,
    is_element: bool,
    kind: u8,
    bits: u64,
    thread: u32,
    position: u64,
    call: u32,
    #[serde(default)]
    is_given_up: bool,
}

/// By object and slot, in the order of time.
#[derive(Debug, Default)]
pub(crate) struct OutsideWrites {
    entries: HashMap<(ObjectId, u32), Vec<HistoryEntry>>,
    /// When each object was written, in order.
    times: HashMap<ObjectId, Vec<TraceTime>>,
    /// What variables held where the kept part of the trace begins.
    held: HashMap<(ObjectId, u32), Value>,
}

impl OutsideWrites {
    pub(crate) fn open(
        trace: &Trace,
        source: &Source<'_>,
        find: FindOutsideWrites,
    ) -> Result<Self> {
        let found = IndexFolder::find::<Vec<Row>>(source.folder, NAME, &source.stamp);
        let rows = match found {
            Some((_, rows)) => rows,
            None => {
                let rows: Vec<Row> = find(trace).iter().map(Row::of).collect();
                if source.finished {
                    let folder = IndexFolder::create(source.folder, NAME)?;
                    folder.publish(source.folder, NAME, &source.stamp, &rows);
                }
                rows
            }
        };
        Self::collect(trace, rows.iter().filter_map(Row::write))
    }

    pub(crate) fn collect(
        trace: &Trace,
        found: impl Iterator<Item = OutsideWrite>,
    ) -> Result<Self> {
        let mut writes = OutsideWrites::default();
        for write in found {
            writes.add(trace, write)?;
        }
        for entries in writes.entries.values_mut() {
            entries.sort_by_key(|entry| entry.written.time);
        }
        writes.times.values_mut().for_each(|times| times.sort());
        Ok(writes)
    }

    fn add(&mut self, trace: &Trace, write: OutsideWrite) -> Result<()> {
        let slot = match write.slot {
            Slot::Field(field) => trace.resolve_field(field).0,
            Slot::Element(index) => index,
        };
        if write.is_given_up {
            self.held.insert((write.object, slot), write.value);
            return Ok(());
        }
        let next = trace.time(write.thread, write.position)?;
        let entry = HistoryEntry {
            value: write.value,
            written: Written {
                // After every event that comes before.
                time: TraceTime(next.0.saturating_sub(1)),
                thread: write.thread,
                position: write.position,
                by_library: false,
                first_read_by: Some(write.call),
            },
        };
        let times = self.times.entry(write.object).or_default();
        times.push(entry.written.time);
        let entries = self.entries.entry((write.object, slot)).or_default();
        entries.push(entry);
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// See [`OutsideWrite::is_given_up`].
    pub(crate) fn held_before_kept(&self, object: ObjectId, slot: u32) -> Option<Value> {
        self.held.get(&(object, slot)).copied()
    }

    /// Those of a variable, whose field number must be the one that stands for the field.
    pub(crate) fn of(&self, object: ObjectId, slot: u32) -> &[HistoryEntry] {
        let found = self.entries.get(&(object, slot));
        found.map_or(&[], Vec::as_slice)
    }

    /// From the time after the last one of an object before a time to that of the next one.
    pub(crate) fn quiet_around(
        &self,
        object: ObjectId,
        time: TraceTime,
    ) -> RangeInclusive<TraceTime> {
        let times = self.times.get(&object).map_or(&[][..], Vec::as_slice);
        let after = times.partition_point(|written| *written < time);
        let last = after.checked_sub(1).map(|at| times[at]);
        let since = last.map_or(TraceTime(0), |last| TraceTime(last.0.saturating_add(1)));
        since..=times.get(after).copied().unwrap_or(TraceTime(u64::MAX))
    }

    /// The last one of a variable before a time.
    pub(crate) fn last_before(
        &self,
        object: ObjectId,
        slot: u32,
        time: TraceTime,
    ) -> Option<&HistoryEntry> {
        let entries = self.of(object, slot);
        let after = entries.partition_point(|entry| entry.written.time < time);
        entries.get(after.checked_sub(1)?)
    }
}

impl Row {
    fn of(write: &OutsideWrite) -> Row {
        let (slot, is_element) = match write.slot {
            Slot::Field(field) => (field.0, false),
            Slot::Element(index) => (index, true),
        };
        Row {
            object: write.object.0,
            slot,
            is_element,
            kind: write.value.kind().code(),
            bits: write.value.bits(),
            thread: write.thread.0,
            position: write.position.0,
            call: write.call,
            is_given_up: write.is_given_up,
        }
    }

    fn write(&self) -> Option<OutsideWrite> {
        Some(OutsideWrite {
            object: ObjectId(self.object),
            slot: if self.is_element {
                Slot::Element(self.slot)
            } else {
                Slot::Field(FieldId(self.slot))
            },
            value: Value::from_bits(Kind::from_code(self.kind)?, self.bits),
            thread: ThreadNumber(self.thread),
            position: EventPosition(self.position),
            call: self.call,
            is_given_up: self.is_given_up,
        })
    }
}
