//! The history of a variable: every write that it ever saw.

use std::ops::Range;
use std::sync::Arc;

use trace_format::{FieldId, ObjectId, TraceTime};

use super::Trace;
use crate::error::Result;
use crate::slot::{HistoryEntry, ObjectSlot, Written};
use crate::writes::{BULK, STATICS, SlotRows};

/// Of writes of many elements at once, so many are told of an array.
const NEWEST_BULK: usize = 64;

impl Trace {
    /// Every write of a variable, in the order of time. Writes that did not happen (outside the
    /// array's bounds) are left out.
    pub fn writes_of(&self, object: ObjectId, slot: ObjectSlot) -> Result<History<'_>> {
        let mut history = self.recorded_writes_of(object, slot)?;
        let outside = self.outside_writes_around(object, slot)?;
        history.outside = OutsideEntries::all(outside.of(object, self.slot_number(slot)));
        Ok(history)
    }

    /// Every write of a static, in the order of time.
    pub fn writes_of_static(&self, field: FieldId) -> Result<History<'_>> {
        self.writes_of(STATICS, ObjectSlot::Field(field))
    }

    /// The last write, between two times, of each field of an object, or of each of the given
    /// elements of an array. Of writes of many elements at once the newest are among them, wherever in
    /// the array they wrote; writes from outside are left out.
    pub fn last_writes_to(
        &self,
        object: ObjectId,
        elements: Option<Range<u32>>,
        times: Range<TraceTime>,
    ) -> Result<Vec<Written>> {
        let index = self.write_index()?;
        let elements = elements.unwrap_or(0..BULK);
        let bulk = index.slot(object, BULK).from(times.start).before(times.end);
        let mut found: Vec<TraceTime> = bulk.times().rev().take(NEWEST_BULK).collect();
        if let Some(last) = elements.end.checked_sub(1) {
            found.extend(index.last_of_each(object, elements.start..=last, times));
        }
        found.sort_unstable();
        found.dedup();
        let mut written = Vec::with_capacity(found.len());
        for time in found {
            if let Some(((thread, position), write)) = self.write_at(object, time)? {
                written.push(Written {
                    time,
                    thread,
                    position,
                    by_library: write.by_library,
                    first_read_by: None,
                });
            }
        }
        Ok(written)
    }

    /// The writes of a variable that were recorded; `object` is null for a static.
    pub fn recorded_writes_of(&self, object: ObjectId, slot: ObjectSlot) -> Result<History<'_>> {
        let mut points = Vec::new();
        let mut bulk = None;
        let index = self.write_index()?;
        let is_static = object == STATICS && matches!(slot, ObjectSlot::Field(_));
        if is_static || self.slot_exists(object, slot)? {
            points = self.rows_of(index, object, slot);
            if let ObjectSlot::Element(_) = slot {
                bulk = Some(index.slot(object, BULK));
            }
        }
        Ok(History {
            trace: self,
            object,
            slot: Some(slot),
            points,
            bulk,
            outside: OutsideEntries::default(),
            unreadable: 0,
        })
    }
}

/// The writes of a variable, in the order of time, read as they are asked for.
#[derive(Debug)]
pub struct History<'a> {
    trace: &'a Trace,
    object: ObjectId,
    slot: Option<ObjectSlot>,
    points: Vec<SlotRows<'a>>,
    bulk: Option<SlotRows<'a>>,
    outside: OutsideEntries,
    unreadable: u64,
}

/// The writes from outside that are still to be told, in the order of time.
#[derive(Debug, Default)]
struct OutsideEntries {
    entries: Arc<[HistoryEntry]>,
    left: Range<usize>,
}

impl OutsideEntries {
    fn all(entries: Arc<[HistoryEntry]>) -> Self {
        let left = 0..entries.len();
        Self { entries, left }
    }

    fn left(&self) -> &[HistoryEntry] {
        &self.entries[self.left.clone()]
    }

    /// How many of them are before a time.
    fn before(&self, time: TraceTime) -> usize {
        self.left()
            .partition_point(|entry| entry.written.time < time)
    }
}

impl History<'_> {
    /// How many of the writes passed so far are known to the index but cannot be read: the trace is damaged there.
    pub fn unreadable(&self) -> u64 {
        self.unreadable
    }

    /// How many there are, with those that cannot be read; `None` if the index alone does not tell, because writes of
    /// many elements at once may have been elsewhere in the array.
    pub fn told_by_index(&self) -> Option<usize> {
        if self.bulk.as_ref().is_some_and(|bulk| !bulk.is_empty()) {
            return None;
        }
        let recorded: usize = self.points.iter().map(SlotRows::len).sum();
        Some(recorded + self.outside.left().len())
    }

    /// A bulk write elsewhere in the array gives nothing here.
    fn entry(&mut self, slot: ObjectSlot, time: TraceTime) -> Option<HistoryEntry> {
        if let Ok(Some(entry)) = self.trace.entry(self.object, slot, time) {
            return Some(entry);
        }
        let is_there = matches!(self.trace.write_at(self.object, time), Ok(Some(_)));
        self.unreadable += u64::from(!is_there);
        None
    }

    /// Leaves out the writes before a time.
    pub fn starting_at(mut self, time: TraceTime) -> Self {
        for rows in self.points.iter_mut().chain(&mut self.bulk) {
            *rows = rows.from(time);
        }
        self.outside.left.start += self.outside.before(time);
        self
    }

    /// Leaves out the writes at a time and after it.
    pub fn ending_before(mut self, time: TraceTime) -> Self {
        for rows in self.points.iter_mut().chain(&mut self.bulk) {
            *rows = rows.before(time);
        }
        self.outside.left.end = self.outside.left.start + self.outside.before(time);
        self
    }
}

impl Iterator for History<'_> {
    type Item = HistoryEntry;

    fn next(&mut self) -> Option<HistoryEntry> {
        let slot = self.slot?;
        loop {
            let sources = self.points.iter_mut().chain(&mut self.bulk);
            let never = TraceTime(u64::MAX);
            let next = sources.min_by_key(|rows| rows.first().unwrap_or(never));
            let recorded = next.as_ref().and_then(|rows| rows.first()).unwrap_or(never);
            if let Some(outside) = self.outside.left().first().copied()
                && outside.written.time < recorded
            {
                self.outside.left.start += 1;
                return Some(outside);
            }
            let time = next?.take_first()?;
            if let Some(entry) = self.entry(slot, time) {
                return Some(entry);
            }
        }
    }
}

impl DoubleEndedIterator for History<'_> {
    fn next_back(&mut self) -> Option<HistoryEntry> {
        let slot = self.slot?;
        loop {
            let sources = self.points.iter_mut().chain(&mut self.bulk);
            let newest = sources.max_by_key(|rows| rows.last());
            let recorded = newest.as_ref().and_then(|rows| rows.last());
            if let Some(outside) = self.outside.left().last().copied()
                && recorded.is_none_or(|recorded| recorded <= outside.written.time)
            {
                self.outside.left.end -= 1;
                return Some(outside);
            }
            let time = newest?.take_last()?;
            if let Some(entry) = self.entry(slot, time) {
                return Some(entry);
            }
        }
    }
}
