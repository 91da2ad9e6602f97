//! The history of a variable: every write that it ever saw.

use trace_format::{FieldId, ObjectId, TraceTime, Value};

use crate::error::Result;
use crate::state::{Slot, SlotValue, Written};
use crate::trace::Trace;
use crate::writes::{BULK, STATICS, SlotRows};

/// One entry of a variable's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryEntry {
    pub value: Value,
    pub written: Written,
}

impl Trace {
    /// Every write of a variable, in the order of time. Writes that did not happen (outside the
    /// array's bounds) are left out.
    pub fn writes_of(&self, object: ObjectId, slot: Slot) -> Result<History<'_>> {
        let mut points = Vec::new();
        let mut bulk = None;
        let index = self.write_index()?;
        if self.slot_exists(object, slot)? {
            points = self.rows_of(index, object, slot);
            if let Slot::Element(_) = slot {
                bulk = Some(index.slot(object, BULK));
            }
        }
        Ok(History {
            trace: self,
            object,
            slot: Some(slot),
            points,
            bulk,
        })
    }

    /// Every write of a static, in the order of time.
    pub fn writes_of_static(&self, field: FieldId) -> Result<History<'_>> {
        let slot = Slot::Field(field);
        let points = self.rows_of(self.write_index()?, STATICS, slot);
        Ok(History {
            trace: self,
            object: STATICS,
            slot: Some(slot),
            points,
            bulk: None,
        })
    }
}

impl HistoryEntry {
    pub(crate) fn slot_value(self) -> SlotValue {
        SlotValue {
            value: self.value,
            written: Some(self.written),
        }
    }
}

/// The writes of a variable, in the order of time, read as they are asked for.
#[derive(Debug)]
pub struct History<'a> {
    trace: &'a Trace,
    object: ObjectId,
    slot: Option<Slot>,
    points: Vec<SlotRows<'a>>,
    bulk: Option<SlotRows<'a>>,
}

impl History<'_> {
    /// Leaves out the writes before a time.
    pub fn starting_at(mut self, time: TraceTime) -> Self {
        for rows in self.points.iter_mut().chain(&mut self.bulk) {
            *rows = rows.from(time);
        }
        self
    }
}

impl Iterator for History<'_> {
    type Item = HistoryEntry;

    fn next(&mut self) -> Option<HistoryEntry> {
        let slot = self.slot?;
        loop {
            let sources = self.points.iter_mut().chain(&mut self.bulk);
            let next = sources.min_by_key(|rows| rows.first().unwrap_or(TraceTime(u64::MAX)))?;
            let time = next.take_first()?;
            // A bulk write elsewhere in the array gives nothing here.
            if let Ok(Some(entry)) = self.trace.entry(self.object, slot, time) {
                return Some(entry);
            }
        }
    }
}
