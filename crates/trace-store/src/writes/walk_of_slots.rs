//! The writes of some objects and fields, by way of the index: whatever else was written is passed over.

use std::ops::RangeInclusive;

use trace_format::{ObjectId, TraceTime};

use super::{BULK, TEXT, WriteIndex, key};

/// A write as the index knows it: what stands in its event is looked up with [`crate::Trace::event_of`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexedWrite {
    /// The null object has the statics.
    pub object: ObjectId,
    pub time: TraceTime,
    pub(super) slot: u32,
}

impl IndexedWrite {
    /// Whether it stands for this element of the array, of those that its event wrote: a short bulk write is in the
    /// index once for each.
    #[must_use]
    pub fn is_of_element(&self, index: u32) -> bool {
        self.slot == BULK || self.slot == index
    }
}

/// Where a walk through such writes stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WritesPlace {
    object: ObjectId,
    slot: u32,
    time: TraceTime,
}

impl WritesPlace {
    pub(crate) fn first_of(object: ObjectId) -> Self {
        Self::at_slot(object, 0)
    }

    fn at_slot(object: ObjectId, slot: u32) -> Self {
        let time = TraceTime(0);
        Self { object, slot, time }
    }

    /// After a write, always onwards.
    fn after_time(self, last: TraceTime) -> Self {
        let time = TraceTime(last.0.max(self.time.0).saturating_add(1));
        Self { time, ..self }
    }

    fn behind(object: ObjectId, slot: u32) -> Option<Self> {
        match slot.checked_add(1) {
            Some(next) => Some(Self::at_slot(object, next)),
            None => Self::after(object),
        }
    }

    /// Behind everything about an object; `None` behind the last one there can be.
    fn after(object: ObjectId) -> Option<Self> {
        object.0.checked_add(1).map(ObjectId).map(Self::first_of)
    }
}

/// Which slots of which objects.
pub(crate) struct WantedSlots<'a> {
    pub(crate) objects: RangeInclusive<ObjectId>,
    /// In order; all if `None`.
    pub(crate) fields: Option<&'a [u32]>,
    /// Elements of arrays have numbers as fields do.
    pub(crate) is_array: &'a dyn Fn(ObjectId) -> bool,
}

impl WantedSlots<'_> {
    /// The first wanted slot of an object from this one on, which was written.
    fn from(&self, object: ObjectId, slot: u32) -> Option<u32> {
        let Some(fields) = self.fields else {
            return match slot {
                TEXT => Some(BULK),
                other => Some(other),
            };
        };
        let next = fields.get(fields.partition_point(|&field| field < slot))?;
        (*next > slot || !(self.is_array)(object)).then_some(*next)
    }
}

impl WriteIndex {
    /// Adds the next writes, at most so many, and gives the place to go on from; `None` if there are no more.
    pub(crate) fn next_of_slots(
        &self,
        wanted: &WantedSlots<'_>,
        mut place: WritesPlace,
        most: usize,
        found: &mut Vec<IndexedWrite>,
    ) -> Option<WritesPlace> {
        let end = found.len() + most;
        while found.len() < end {
            let (object, slot) = self.next_written(place)?;
            if object > *wanted.objects.end() {
                return None;
            }
            if (object, slot) != (place.object, place.slot) {
                place = WritesPlace::at_slot(object, slot);
            }
            match wanted.from(object, slot) {
                None => place = WritesPlace::after(object)?,
                Some(next) if next != slot => place = WritesPlace::at_slot(object, next),
                Some(_) => {
                    let rows = self.slot(object, slot).from(place.time);
                    let times = rows.times().take(end - found.len());
                    let before = found.len();
                    found.extend(times.map(|time| IndexedWrite { object, time, slot }));
                    // Where rows are damaged and not in order, this slot is left as well.
                    place = match found[before..].last() {
                        Some(last) => place.after_time(last.time),
                        None => WritesPlace::behind(object, slot)?,
                    };
                }
            }
        }
        Some(place)
    }

    /// The first slot at a place or behind it that has writes there.
    fn next_written(&self, place: WritesPlace) -> Option<(ObjectId, u32)> {
        let row = [key(place.object, place.slot), place.time.0];
        let firsts = self.generations.iter().filter_map(|it| {
            let rows = it.rows.rows();
            rows.get(it.rows.first_from(&row)).map(|first| first[0])
        });
        let next = firsts.min()?;
        Some((ObjectId((next >> 32) as u32), next as u32))
    }
}
