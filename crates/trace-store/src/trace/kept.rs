//! What a trace that kept within its size can still tell: from when on everything is known, and what began before.

use trace_format::{EventPosition, ObjectId, Stream, ThreadNumber, TraceTime};

use crate::calls::CallId;
use crate::error::Result;
use crate::evicted::Evicted;
use crate::slot::{ObjectSlot, SlotValue};

use super::Trace;
use super::described::Described;

impl Trace {
    /// The oldest part of the recording, if it was given up to keep the trace's size.
    pub fn evicted(&self) -> Option<Evicted> {
        self.streams().evicted()
    }

    /// From here on everything that was recorded is there. What a variable held before is known only where a
    /// later read tells it.
    pub fn known_since(&self) -> Result<TraceTime> {
        Ok(self.call_index()?.known_since)
    }

    /// Whether the beginning of a call was given up: its own events and the calls that it made are there
    /// from some time on only.
    pub fn began_before_kept(&self, call: CallId) -> Result<bool> {
        if self.evicted().is_none() {
            return Ok(false);
        }
        let events = self.stream(call.thread, Stream::Events);
        Ok(self.calls_with(call)?.entry(call.index).0 < events.kept_from())
    }

    /// The calls of a thread whose beginning was given up: so many of its first ones.
    pub fn calls_begun_before_kept(&self, thread: ThreadNumber) -> Result<u32> {
        let kept_from = self.stream(thread, Stream::Events).kept_from();
        match kept_from.checked_sub(1) {
            Some(last) => Ok(self.calls(thread)?.begun_until(EventPosition(last))),
            None => Ok(0),
        }
    }

    /// Whether writes of what is described here may have been given up.
    pub(crate) fn may_have_lost_writes(&self, described: Option<&Described<'_>>) -> Result<bool> {
        let (Some(_), Some(described)) = (self.evicted(), described) else {
            return Ok(self.evicted().is_some());
        };
        if described.again {
            return Ok(true);
        }
        let events = self.stream(described.thread, Stream::Events);
        // The time is that of the event which came next, in whatever thread: what is described right before the
        // first one that is kept may have been written by the last ones that were given up.
        Ok(described.position.0 < events.kept_from()
            || self.time_noted(described)? <= self.known_since()?)
    }

    /// What a variable held where everything is known from, if a later read tells it.
    pub(crate) fn held_before_kept(
        &self,
        object: ObjectId,
        slot: ObjectSlot,
        time: TraceTime,
    ) -> Result<Option<SlotValue>> {
        if self.evicted().is_none() || time < self.known_since()? {
            return Ok(None);
        }
        let outside = self.outside_writes_around(object, slot)?;
        let held = outside.held_before_kept(object, self.slot_number(slot));
        Ok(held.map(|value| SlotValue {
            value,
            written: None,
        }))
    }
}
