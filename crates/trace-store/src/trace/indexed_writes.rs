//! Writes by what they wrote to, whoever wrote: of one object, or of some fields of all objects.

use std::ops::RangeInclusive;

use trace_format::event::Write;
use trace_format::{EventPosition, FieldId, ObjectId, ThreadNumber};

use super::Trace;
use crate::error::Result;
use crate::writes::{IndexedWrite, WantedSlots, WritesPlace};

/// A walk through the recorded writes of some objects and fields, in the order of objects; it can be put aside and gone
/// on with.
#[derive(Debug, Clone)]
pub struct IndexedWrites {
    objects: RangeInclusive<ObjectId>,
    /// In order; all, and elements of arrays as well, if `None`.
    fields: Option<Vec<u32>>,
    place: Option<WritesPlace>,
}

impl IndexedWrites {
    /// All writes of these objects; the null object has the statics.
    #[must_use]
    pub fn of_objects(objects: RangeInclusive<ObjectId>) -> Self {
        Self {
            place: Some(WritesPlace::first_of(*objects.start())),
            objects,
            fields: None,
        }
    }

    /// Only the writes of fields with these numbers.
    #[must_use]
    pub fn of_fields(self, fields: impl IntoIterator<Item = FieldId>) -> Self {
        let mut fields: Vec<u32> = fields.into_iter().map(|field| field.0).collect();
        fields.sort_unstable();
        fields.dedup();
        Self {
            fields: Some(fields),
            ..self
        }
    }

    /// Adds the next writes, at most so many. There are no more if there are none.
    ///
    /// # Errors
    /// If the index cannot be had.
    pub fn next(
        &mut self,
        trace: &Trace,
        most: usize,
        found: &mut Vec<IndexedWrite>,
    ) -> Result<()> {
        let Some(place) = self.place else {
            return Ok(());
        };
        let is_array = |object: ObjectId| matches!(trace.array_length(object), Ok(Some(_)));
        let wanted = WantedSlots {
            objects: self.objects.clone(),
            fields: self.fields.as_deref(),
            is_array: &is_array,
        };
        let index = trace.write_index()?;
        self.place = index.next_of_slots(&wanted, place, most, found);
        Ok(())
    }
}

impl Trace {
    /// The event of a write that the index has; `None` if it cannot be read.
    ///
    /// # Errors
    /// If the index of calls cannot be had.
    pub fn event_of(
        &self,
        write: &IndexedWrite,
    ) -> Result<Option<(ThreadNumber, EventPosition, Write<'_>)>> {
        let found = self.write_at(write.object, write.time)?;
        Ok(found.map(|((thread, position), write)| (thread, position, write)))
    }
}
