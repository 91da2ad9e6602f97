//! From a variable to its writes: those that were recorded, under whatever name of the variable, and those from
//! outside.

use trace_format::event::{Write, WriteTarget};
use trace_format::{ObjectId, TraceTime};

use super::Trace;
use super::outside::OutsideWrites;
use crate::error::Result;
use crate::slot::{HistoryEntry, ObjectSlot, Written};
use crate::writes::{BULK, STATICS, SlotRows, WriteIndex};

impl Trace {
    /// The writes of a slot, under each of its names.
    pub(crate) fn rows_of<'a>(
        &self,
        index: &'a WriteIndex,
        object: ObjectId,
        slot: ObjectSlot,
    ) -> Vec<SlotRows<'a>> {
        match slot {
            ObjectSlot::Element(element) => vec![index.slot(object, element)],
            ObjectSlot::Field(field) => {
                let members = self.field_members(field);
                members
                    .into_iter()
                    .map(|field| index.slot(object, field.0))
                    .collect()
            }
        }
    }

    /// The last write of a slot before a time, by recorded code or from outside.
    pub(crate) fn last_entry_before(
        &self,
        object: ObjectId,
        slot: ObjectSlot,
        time: TraceTime,
    ) -> Result<Option<HistoryEntry>> {
        let last = self.recorded_before(object, slot, time)?;
        match (self.outside_since(object, slot, last, time)?, last) {
            (Some(outside), _) => Ok(Some(outside)),
            (None, Some(last)) => self.entry(object, slot, last),
            (None, None) => Ok(None),
        }
    }

    /// The last write from outside after a recorded one and before a time.
    pub(crate) fn outside_since(
        &self,
        object: ObjectId,
        slot: ObjectSlot,
        last: Option<TraceTime>,
        time: TraceTime,
    ) -> Result<Option<HistoryEntry>> {
        let outside = self.outside_writes_around(object, slot)?;
        self.newest_of(&outside, object, slot, last, time)
    }

    /// The same, if the writes from outside are known.
    pub(crate) fn newest_of(
        &self,
        outside: &OutsideWrites,
        object: ObjectId,
        slot: ObjectSlot,
        last: Option<TraceTime>,
        time: TraceTime,
    ) -> Result<Option<HistoryEntry>> {
        if outside.is_empty() {
            return Ok(None);
        }
        let number = self.slot_number(slot);
        let found = outside.last_before(object, number, time);
        let since = self.known_since()?;
        let is_newer = |entry: &&HistoryEntry| {
            last.is_none_or(|last| last < entry.written.time) && entry.is_known_from(since)
        };
        Ok(found.filter(is_newer).copied())
    }

    /// The number under which a slot is looked up among writes from outside.
    pub(crate) fn slot_number(&self, slot: ObjectSlot) -> u32 {
        match slot {
            ObjectSlot::Field(field) => self.resolve_field(field).0,
            ObjectSlot::Element(index) => index,
        }
    }

    /// The time of the last recorded write of a slot before a time.
    pub(crate) fn recorded_before(
        &self,
        object: ObjectId,
        slot: ObjectSlot,
        time: TraceTime,
    ) -> Result<Option<TraceTime>> {
        let index = self.write_index()?;
        let last = match slot {
            ObjectSlot::Element(element) => index.last_before(object, element, time),
            ObjectSlot::Field(field) => self
                .field_members(field)
                .into_iter()
                .filter_map(|field| index.last_before(object, field.0, time))
                .max(),
        };
        let ObjectSlot::Element(element) = slot else {
            return Ok(last);
        };
        for bulk in index.slot(object, BULK).before(time).times().rev() {
            if last.is_some_and(|last| last > bulk) {
                break;
            }
            if let Some((
                _,
                Write {
                    target: WriteTarget::Range(range),
                    ..
                },
            )) = self.write_at(object, bulk)?
                && range.number_of(element).is_some()
            {
                return Ok(Some(bulk));
            }
        }
        Ok(last)
    }

    /// The write of a slot at a time; `None` if the event there does not write it.
    pub(crate) fn entry(
        &self,
        object: ObjectId,
        slot: ObjectSlot,
        time: TraceTime,
    ) -> Result<Option<HistoryEntry>> {
        let Some(((thread, position), write)) = self.write_at(object, time)? else {
            return Ok(None);
        };
        let value = match (write.target, slot) {
            (
                WriteTarget::Field {
                    object: target,
                    value,
                    ..
                },
                ObjectSlot::Field(_),
            ) => (target == object).then_some(value),
            (WriteTarget::Static { value, .. }, ObjectSlot::Field(_)) => {
                (object == STATICS).then_some(value)
            }
            (
                WriteTarget::Element {
                    array,
                    index,
                    value,
                },
                ObjectSlot::Element(element),
            ) => (array == object && index == element).then_some(value),
            (WriteTarget::Range(range), ObjectSlot::Element(element)) => {
                self.element_written(thread, &range, element)
            }
            _ => None,
        };
        let written = Written {
            time,
            thread,
            position,
            by_library: write.by_library,
            first_read_by: None,
        };
        Ok(value.map(|value| HistoryEntry { value, written }))
    }
}
