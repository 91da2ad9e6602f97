//! What recorded writes and descriptions alone say of a variable, whatever something outside may have written: what a
//! read is compared with.

use smallvec::SmallVec;
use trace_format::{ObjectId, TraceTime, Value};

use crate::error::Result;
use crate::order::{Calm, Segment, WriteOrder};
use crate::slot::{HistoryEntry, ObjectSlot};
use crate::trace::{Described, Trace};
use crate::writes::{BULK, STATICS};

/// What recorded writes and descriptions say of a variable around a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// `None`: nothing.
    pub value: Option<Value>,
    /// Nothing because the part of the trace that would tell was given up.
    pub is_given_up: bool,
    /// The times in which nothing else is known of it; the end is exclusive.
    pub from: TraceTime,
    pub until: TraceTime,
    /// For what segments it is sure that this was written last.
    calm: Calm,
}

impl Known {
    /// What the call that is looked at has just written itself.
    pub fn written(value: Value, time: TraceTime) -> Self {
        Self {
            value: Some(value),
            is_given_up: false,
            from: time,
            until: TraceTime(u64::MAX),
            calm: Calm::ALWAYS,
        }
    }

    /// Whether somebody who reads it in a segment at this time is sure to find what was written last.
    #[inline]
    pub fn is_sure(&self, time: TraceTime, segment: &Segment) -> bool {
        self.from <= time && time < self.until && self.calm.has(segment)
    }
}

impl Trace {
    /// What recorded writes and descriptions alone say of a variable at `time`, which is in the segment; `object` is
    /// null for a static. And whether it is sure that, for somebody who reads it then, this was written last: where
    /// threads race, it may not be.
    pub fn known_around(
        &self,
        order: &mut WriteOrder,
        object: ObjectId,
        slot: ObjectSlot,
        time: TraceTime,
        segment: &Segment,
    ) -> Result<(Known, bool)> {
        let is_static = object == STATICS;
        let described = match is_static {
            true => None,
            false => self.noted_of(object)?,
        };
        let mut known = self.known_of(object, slot, time, described.as_ref())?;
        if self.call_index()?.axis.is_single() {
            known.calm = Calm::ALWAYS;
            return Ok((known, true));
        }
        let slots = self.slot_numbers(slot);
        let mut calm = order.calm_around(self, object, &slots, segment)?;
        // What was noted of an object is as good as a write of who noted it.
        if let Some(described) = &described
            && calm.is_some()
            && self
                .noted_in(described, slot)?
                .is_some_and(|(_, is_noted)| is_noted)
        {
            let noting = self.segment(described.thread, described.position)?;
            calm = calm.filter(|_| segment.is_after(&noting));
            if order.calm_around(self, object, &slots, &noting)?.is_none() {
                calm = None;
            }
            if let Some(calm) = &mut calm {
                calm.begin_after(&noting);
            }
        }
        known.calm = calm.unwrap_or(Calm::NEVER);
        Ok((known, calm.is_some()))
    }

    fn known_of(
        &self,
        object: ObjectId,
        slot: ObjectSlot,
        time: TraceTime,
        described: Option<&Described<'_>>,
    ) -> Result<Known> {
        let last = self.recorded_before(object, slot, time)?;
        let since = self.known_since()?;
        let held = match (object == STATICS, last) {
            (true, Some(last)) if last >= since => self
                .entry(object, slot, last)?
                .map(HistoryEntry::slot_value),
            (true, Some(_)) => None,
            (true, None) => self.static_before_writes(slot)?,
            _ => self.value_since(object, slot, time, last, described)?,
        };
        let mut known = Known {
            value: held.map(|held| held.value),
            is_given_up: held.is_none() && time >= since && self.may_have_lost_writes(described)?,
            from: last.map_or(TraceTime(0), |last| TraceTime(last.0 + 1)),
            until: TraceTime(u64::MAX),
            calm: Calm::NEVER,
        };
        if time < since {
            known.until = since;
        } else {
            known.from = known.from.max(since);
        }
        let index = self.write_index()?;
        let slots = self.slot_numbers(slot).into_iter();
        let next = slots.filter_map(|slot| index.first_from(object, slot, time));
        if let Some(next) = next.min() {
            known.until = known.until.min(TraceTime(next.0 + 1));
        }
        if let Some(described) = described {
            let seen = self.time_noted(described)?;
            if seen > time {
                known.until = known.until.min(seen);
            } else {
                known.from = known.from.max(seen);
            }
        }
        Ok(known)
    }

    /// The numbers under which writes of a slot are found.
    fn slot_numbers(&self, slot: ObjectSlot) -> SmallVec<[u32; 2]> {
        match slot {
            ObjectSlot::Element(element) => SmallVec::from([element, BULK]),
            ObjectSlot::Field(field) => {
                let members = self.field_members(field).into_iter();
                members.map(|field| field.0).collect()
            }
        }
    }
}
