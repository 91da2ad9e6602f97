//! What was noted of an object, as it stands in the trace.
//!
//! A variable is looked up more often than anything else, and most of what is described is arrays: of their content
//! nothing is decoded but the element that is asked for.

use trace_format::event::Range;
use trace_format::object::ObjectKind;
use trace_format::{Elements, EventPosition, FieldId, ObjectId, ThreadNumber, Value};

use super::Trace;
use crate::elements;
use crate::error::Result;
use crate::objects::{element_kind, entry};
use crate::slot::ObjectSlot;

/// See the module's header; [`ObjectDescription`](crate::ObjectDescription) is the same with everything decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Described<'a> {
    class: ObjectId,
    /// Who described it, and when.
    pub(crate) thread: ThreadNumber,
    pub(crate) position: EventPosition,
    /// It had been described before, which was given up: what it held is not known.
    pub(crate) again: bool,
    is_secret: bool,
    kind: ObjectKind<'a>,
}

impl Described<'_> {
    /// Only class and identity were noted, and of an enum's constant its name.
    pub(crate) fn is_plain(&self) -> bool {
        let kind = &self.kind;
        !self.is_secret && matches!(kind, ObjectKind::Object | ObjectKind::Enum { .. })
    }

    /// The fields whose content was noted.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (FieldId, Value)> {
        let fields = match self.kind {
            ObjectKind::Fields(fields) if !self.is_secret => Some(fields),
            _ => None,
        };
        fields.into_iter().flat_map(|fields| fields.iter())
    }
}

impl Trace {
    /// What a thread wrote to the array's element `index`. `None`: nothing, or it is not known any more, as where the
    /// content was noted with that of an array that turned out to be a secret.
    pub fn element_written(
        &self,
        thread: ThreadNumber,
        range: &Range<'_>,
        index: u32,
    ) -> Option<Value> {
        self.element_described(thread, &range.elements, range.number_of(index)?)
    }

    /// One of the elements that a thread noted together, by its number among them.
    pub(crate) fn element_described(
        &self,
        thread: ThreadNumber,
        elements: &Elements<'_>,
        number: u32,
    ) -> Option<Value> {
        elements::value(self.streams(), self.symbols(), thread, elements, number)
    }

    pub(crate) fn noted_of(&self, object: ObjectId) -> Result<Option<Described<'_>>> {
        let Some(place) = self.object_index()?.place(object) else {
            return Ok(None);
        };
        let found = entry(self.streams(), &place);
        Ok(found.map(|entry| Described {
            class: entry.class,
            thread: place.thread,
            position: place.seen,
            again: entry.again,
            is_secret: self.symbols().is_masked(object),
            kind: entry.kind,
        }))
    }

    /// The length, if it is an array.
    pub(crate) fn noted_length(&self, described: &Described<'_>) -> Result<Option<u32>> {
        Ok(match described.kind {
            ObjectKind::NewArray { length } | ObjectKind::Array { length, .. } => Some(length),
            ObjectKind::Masked { length, .. } => {
                let class = self.text(described.class)?;
                let is_array = class.is_some_and(|class| class.starts_with('['));
                is_array.then_some(length)
            }
            _ => None,
        })
    }

    /// What the description says of a slot, and whether it is noted content (`true`) or what every new array holds.
    pub(crate) fn noted_in(
        &self,
        described: &Described<'_>,
        slot: ObjectSlot,
    ) -> Result<Option<(Value, bool)>> {
        if described.again || described.is_secret {
            return Ok(None);
        }
        Ok(match (described.kind, slot) {
            (ObjectKind::NewArray { length }, ObjectSlot::Element(index)) if index < length => {
                let class = self.text(described.class)?;
                let kind = class.as_deref().and_then(element_kind);
                kind.map(|kind| (kind.zero(), false))
            }
            (ObjectKind::Array { elements, .. }, ObjectSlot::Element(index)) => {
                let value = self.element_described(described.thread, &elements, index);
                value.map(|value| (value, true))
            }
            (ObjectKind::Fields(fields), ObjectSlot::Field(field)) => {
                let field = self.resolve_field(field);
                let mut fields = fields.iter();
                let found = fields.find(|(noted, _)| self.resolve_field(*noted) == field);
                found.map(|(_, value)| (value, true))
            }
            _ => None,
        })
    }

    pub(crate) fn is_array_element(&self, object: ObjectId, index: u32) -> Result<bool> {
        let length = match self.noted_of(object)? {
            Some(described) => self.noted_length(&described)?,
            None => None,
        };
        Ok(length.is_none_or(|length| index < length))
    }
}
