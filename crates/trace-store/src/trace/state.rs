//! What a field, an element or a static held at a time, and every write that it ever saw.
//!
//! A time means the moment just before the event there: the state at a call's entry has none of
//! its writes, the state at its exit all of them. What an object held before its first recorded
//! write comes from its description, or from the language (zero, null) where recorded code made
//! the object; otherwise it is not known, and that is the answer.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use trace_format::event::{self, Write, WriteTarget};
use trace_format::{EventPosition, FieldId, ObjectId, Stream, ThreadNumber, TraceTime};

use super::Trace;
use super::described::Described;
use crate::error::Result;
use crate::slot::{HistoryEntry, ObjectSlot, SlotValue};
use crate::writes::{BULK, STATICS};

/// An object at a time, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ObjectState {
    /// Fields that were written or described, by the number that stands for the field.
    pub fields: Vec<(FieldId, SlotValue)>,
    /// The length, if the object is an array.
    pub length: Option<u32>,
}

impl Trace {
    /// What a variable of an object held just before the event at `time`; `None` if that is not
    /// known, or there is no such variable.
    pub fn slot_at(
        &self,
        object: ObjectId,
        slot: ObjectSlot,
        time: TraceTime,
    ) -> Result<Option<SlotValue>> {
        if object.is_null() {
            return Ok(None);
        }
        let described = self.noted_of(object)?;
        self.described_slot_at(object, slot, time, described.as_ref())
    }

    /// What these fields of an object held just before the event at `time`, in the same order.
    pub fn fields_at(
        &self,
        object: ObjectId,
        fields: impl Iterator<Item = FieldId>,
        time: TraceTime,
    ) -> Result<Vec<Option<SlotValue>>> {
        let described = self.noted_of(object)?;
        fields
            .map(|field| {
                let slot = ObjectSlot::Field(field);
                self.described_slot_at(object, slot, time, described.as_ref())
            })
            .collect()
    }

    /// The fields of an object at a time and, of an array, its length. Elements have
    /// [`Trace::elements_at`].
    pub fn object_state(&self, object: ObjectId, time: TraceTime) -> Result<ObjectState> {
        let described = self.noted_of(object)?;
        let length = self.length_of(described.as_ref())?;
        if length.is_some() || object.is_null() {
            return Ok(ObjectState {
                fields: Vec::new(),
                length,
            });
        }
        let mut fields: BTreeSet<FieldId> = BTreeSet::new();
        if let Some(described) = &described {
            fields.extend(
                described
                    .fields()
                    .map(|(field, _)| self.resolve_field(field)),
            );
        }
        for slot in self.write_index()?.slots(object) {
            let field = FieldId(slot);
            // A damaged trace may write elements to something that is no array.
            if self
                .symbols()
                .field(field)
                .is_some_and(|symbol| !symbol.is_static)
            {
                fields.insert(self.resolve_field(field));
            }
        }
        let mut state = ObjectState::default();
        for field in fields {
            let slot = ObjectSlot::Field(field);
            if let Some(value) = self.described_slot_at(object, slot, time, described.as_ref())? {
                state.fields.push((field, value));
            }
        }
        Ok(state)
    }

    /// Elements of an array at a time, from `start` on, up to `count` or the array's end.
    pub fn elements_at(
        &self,
        array: ObjectId,
        start: u32,
        count: u32,
        time: TraceTime,
    ) -> Result<Vec<Option<SlotValue>>> {
        let Some(described) = self.noted_of(array)? else {
            return Ok(Vec::new());
        };
        let length = self.noted_length(&described)?.unwrap_or(0);
        let end = start.saturating_add(count).min(length);
        let index = self.write_index()?;
        let elements = start..end;
        let mut last = index.each_last_before(array, elements.clone(), time);
        for bulk in index.slot(array, BULK).before(time).times().rev() {
            if last.iter().all(|last| last.is_some_and(|last| last > bulk)) {
                break;
            }
            let Some((
                _,
                Write {
                    target: WriteTarget::Range(range),
                    ..
                },
            )) = self.write_at(array, bulk)?
            else {
                continue;
            };
            let written = range.indices();
            for element in written.start.max(start)..written.end.min(end) {
                let last = &mut last[(element - start) as usize];
                *last = (*last).max(Some(bulk));
            }
        }
        let mut values = Vec::with_capacity(last.len());
        let outside = self.outside_writes_around(array, ObjectSlot::Element(start))?;
        for (element, last) in elements.zip(last) {
            let slot = ObjectSlot::Element(element);
            values.push(match self.newest_of(&outside, array, slot, last, time)? {
                Some(outside) => Some(outside.slot_value()),
                None => self.value_known(array, slot, time, last, Some(&described))?,
            });
        }
        Ok(values)
    }

    /// The times around this one at which all fields of an object, or the given elements of an
    /// array, held what they hold then.
    pub fn unchanged_around(
        &self,
        object: ObjectId,
        elements: Option<Range<u32>>,
        time: TraceTime,
    ) -> Result<RangeInclusive<TraceTime>> {
        let index = self.write_index()?;
        let mut times = match elements {
            None => index.quiet_around(object, 0..=BULK, time),
            Some(elements) if elements.is_empty() => TraceTime(0)..=TraceTime(u64::MAX),
            Some(elements) => {
                let single = index.quiet_around(object, elements.start..=elements.end - 1, time);
                common(single, index.quiet_around(object, BULK..=BULK, time))
            }
        };
        times = common(times, self.quiet_outside(object, time)?);
        times = common(times, side_of(self.known_since()?, time));
        // Content that was noted when the object was described counts from then on.
        if let Some(place) = self.object_index()?.place(object) {
            let axis = &self.call_index()?.axis;
            let seen = axis.time_before(place.thread, place.seen);
            times = common(times, side_of(seen, time));
        }
        Ok(times)
    }

    /// The last write of a variable before a time.
    pub fn last_write_before(
        &self,
        object: ObjectId,
        slot: ObjectSlot,
        time: TraceTime,
    ) -> Result<Option<HistoryEntry>> {
        if !self.slot_exists(object, slot)? {
            return Ok(None);
        }
        self.last_entry_before(object, slot, time)
    }

    /// What a static held just before the event at `time`.
    pub fn static_at(&self, field: FieldId, time: TraceTime) -> Result<Option<SlotValue>> {
        let slot = ObjectSlot::Field(field);
        let last = self.last_entry_before(STATICS, slot, time)?;
        let since = self.known_since()?;
        match last.filter(|last| last.is_known_from(since)) {
            Some(entry) => Ok(Some(entry.slot_value())),
            None => match self.static_before_writes(slot)? {
                Some(value) => Ok(Some(value)),
                None => self.held_before_kept(STATICS, slot, time),
            },
        }
    }

    /// What a static held before the first write.
    pub(crate) fn static_before_writes(&self, slot: ObjectSlot) -> Result<Option<SlotValue>> {
        let ObjectSlot::Field(field) = slot else {
            return Ok(None);
        };
        if self.evicted().is_some() {
            return Ok(None);
        }
        // A static that is assigned later is not a constant, so it began as zero, if its class
        // is one whose initialiser would have been seen.
        let written = self.rows_of(self.write_index()?, STATICS, slot);
        if written.iter().any(|rows| !rows.is_empty()) {
            return Ok(self.zero_if_recorded(field));
        }
        Ok(None)
    }

    /// The statics that were ever written, by the number that stands for each.
    pub fn statics_written(&self) -> Result<Vec<FieldId>> {
        let slots = self.write_index()?.slots(STATICS);
        let fields: BTreeSet<FieldId> = slots
            .map(|slot| self.resolve_field(FieldId(slot)))
            .collect();
        Ok(fields.into_iter().collect())
    }

    /// The write event at a time, if one stands there. A write to a field of `this` does not say
    /// which object that is: it is taken for `object`, which the index has led here from.
    pub(crate) fn write_at(
        &self,
        object: ObjectId,
        time: TraceTime,
    ) -> Result<Option<((ThreadNumber, EventPosition), Write<'_>)>> {
        let (thread, position) = self.position(time)?;
        let bytes = self.stream(thread, Stream::Events).at(position.0);
        let write =
            bytes.and_then(|bytes| event::decode_write(bytes, self.symbols(), object).ok()?);
        Ok(write.map(|write| ((thread, position), write)))
    }

    fn described_slot_at(
        &self,
        object: ObjectId,
        slot: ObjectSlot,
        time: TraceTime,
        described: Option<&Described<'_>>,
    ) -> Result<Option<SlotValue>> {
        if let ObjectSlot::Element(index) = slot
            && let Some(length) = self.length_of(described)?
            && index >= length
        {
            return Ok(None);
        }
        let last = self.recorded_before(object, slot, time)?;
        if let Some(outside) = self.outside_since(object, slot, last, time)? {
            return Ok(Some(outside.slot_value()));
        }
        self.value_known(object, slot, time, last, described)
    }

    fn length_of(&self, described: Option<&Described<'_>>) -> Result<Option<u32>> {
        match described {
            Some(described) => self.noted_length(described),
            None => Ok(None),
        }
    }

    /// As [`Trace::value_since`], or from a read of what was written before the part that is kept.
    fn value_known(
        &self,
        object: ObjectId,
        slot: ObjectSlot,
        time: TraceTime,
        last: Option<TraceTime>,
        described: Option<&Described<'_>>,
    ) -> Result<Option<SlotValue>> {
        match self.value_since(object, slot, time, last, described)? {
            Some(value) => Ok(Some(value)),
            None => self.held_before_kept(object, slot, time),
        }
    }

    /// The value of a slot whose last recorded write before `time` is known.
    pub(crate) fn value_since(
        &self,
        object: ObjectId,
        slot: ObjectSlot,
        time: TraceTime,
        last: Option<TraceTime>,
        described: Option<&Described<'_>>,
    ) -> Result<Option<SlotValue>> {
        let (initial, seen) = match described {
            Some(described) => (
                self.noted_in(described, slot)?,
                Some(self.time_noted(described)?),
            ),
            None => (None, None),
        };
        if let Some(last) = last {
            // Content that was noted after the write, before `time`, is newer than the write.
            let noted = matches!(initial, Some((_, true)))
                && seen.is_some_and(|seen| last < seen && seen <= time);
            if !noted {
                // What was given up may have written again.
                if last < self.known_since()? {
                    return Ok(None);
                }
                return Ok(self
                    .entry(object, slot, last)?
                    .map(HistoryEntry::slot_value));
            }
        }
        if self.may_have_lost_writes(described)? {
            return Ok(None);
        }
        let Some((value, noted)) = initial else {
            return Ok(match slot {
                ObjectSlot::Field(field) if described.is_none_or(Described::is_plain) => {
                    self.zero_if_recorded(field)
                }
                _ => None,
            });
        };
        // Content noted later than `time` holds for `time` unless something was written between.
        if noted && let Some(seen) = seen.filter(|&seen| seen > time) {
            let between = self.recorded_before(object, slot, seen)?;
            let is_known = time >= self.known_since()?;
            if !is_known || between.is_some_and(|between| between >= time) {
                return Ok(None);
            }
        }
        Ok(Some(SlotValue {
            value,
            written: None,
        }))
    }

    /// Zero, if all code that could assign the field is recorded code.
    fn zero_if_recorded(&self, field: FieldId) -> Option<SlotValue> {
        let recorded = self.field_members(field).into_iter().any(|member| {
            let symbol = self.symbols().field(member);
            symbol.is_some_and(|symbol| !self.symbols().classes_named(&symbol.owner).is_empty())
        });
        let kind = trace_format::Signatures::field(self.symbols(), field)?;
        recorded.then_some(SlotValue {
            value: kind.zero(),
            written: None,
        })
    }

    pub(crate) fn slot_exists(&self, object: ObjectId, slot: ObjectSlot) -> Result<bool> {
        if object.is_null() {
            return Ok(false);
        }
        let ObjectSlot::Element(index) = slot else {
            return Ok(true);
        };
        self.is_array_element(object, index)
    }
}

/// The times from `border` on if `time` is one of them, else those before.
fn side_of(border: TraceTime, time: TraceTime) -> RangeInclusive<TraceTime> {
    if border <= time {
        border..=TraceTime(u64::MAX)
    } else {
        TraceTime(0)..=TraceTime(border.0.saturating_sub(1))
    }
}

/// The times that both have.
fn common(
    one: RangeInclusive<TraceTime>,
    other: RangeInclusive<TraceTime>,
) -> RangeInclusive<TraceTime> {
    *one.start().max(other.start())..=*one.end().min(other.end())
}
