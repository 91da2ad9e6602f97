//! The heap of a recorded run.
//!
//! What an object held at a time comes from the trace's write index; which fields it has comes
//! from the class files, because a field that was never written is in no event. Where the trace
//! does not know a value, the field is left out rather than guessed; of a trace whose oldest part was given up it is
//! told which are left out.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use trace_format::{ObjectId, TraceTime, Value};
use trace_store::{ObjectContent, ObjectSlot, StoreError};

use super::heap::{
    ArrayElements, FieldValue, Heap, KnownElements, Thing, ThingKind, UNKNOWN_CLASS, UnknownField,
};
use super::layouts::{FieldPlace, Layout};
use super::method_code::FieldName;
use super::run::JavaRun;
use java_names::names;

impl Heap for JavaRun {
    fn thing(&self, object: ObjectId) -> Option<Thing> {
        self.cache().thing(object, || self.read_thing(object))
    }

    fn fields(&self, object: ObjectId, at: TraceTime) -> Arc<[FieldValue]> {
        self.cache().fields(object, at, || {
            let fields = self.troubles.note(object, self.read_fields(object, at))?;
            Some((fields.into(), self.unchanged(object, None, at)))
        })
    }

    fn count_fields(&self, object: ObjectId, at: TraceTime) -> usize {
        let layout = self.layout(&self.class_name(object));
        if layout.is_whole {
            layout.places.len()
        } else {
            self.fields(object, at).len()
        }
    }

    fn elements(
        &self,
        array: ObjectId,
        at: TraceTime,
        start: usize,
        limit: usize,
    ) -> ArrayElements {
        self.cache().elements((array, start, limit), at, || {
            let elements = self.read_elements(array, at, start, limit);
            let elements = self.troubles.note(array, elements)?;
            let end = start.saturating_add(elements.values.len());
            let [start, end] = [start, end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
            // Up to the first that is not known: it may be known at another time.
            let stretch = start..end.saturating_add(1).min(u32::MAX - 1);
            Some((elements, self.unchanged(array, Some(stretch), at)))
        })
    }

    fn unknown_fields(&self, object: ObjectId, at: TraceTime) -> Vec<UnknownField> {
        if self.trace().evicted().is_none() || !self.has_state() {
            return Vec::new();
        }
        let known = self.fields(object, at);
        let layout = self.layout(&self.class_name(object));
        let places = layout.places.iter().filter(|place| place.is_recorded());
        let unknown =
            |(_, place): &(usize, &FieldPlace)| !known.iter().any(|field| place.is(field));
        let unknown = places.enumerate().filter(unknown);
        unknown.map(|(index, place)| place.unknown(index)).collect()
    }

    fn elements_if_known(&self, array: ObjectId, at: TraceTime, limit: usize) -> KnownElements {
        let first = self.elements(array, at, 0, limit);
        let length = first.length;
        let wanted = usize::try_from(length).unwrap_or(usize::MAX).min(limit);
        if first.values.len() == wanted || self.trace().evicted().is_none() || !self.has_state() {
            return first.into();
        }
        let count = u32::try_from(wanted).unwrap_or(u32::MAX);
        let values = self.trace().elements_at(array, 0, count, at);
        let values = self.troubles.note(array, values);
        let values = values.unwrap_or_default().into_iter();
        let values = values.map(|slot| slot.map(|slot| slot.value)).collect();
        KnownElements { length, values }
    }

    fn trouble(&self, object: ObjectId) -> Option<Arc<str>> {
        self.troubles.of(object)
    }

    fn has_troubles(&self) -> bool {
        self.troubles.are_some()
    }

    fn said(&self, object: ObjectId, class: &str, at: TraceTime) -> Option<String> {
        if !self.chosen_fields().wants_text(class) {
            return None;
        }
        let said = self.read(self.trace().text_said(object, at))??;
        match self.thing(said)?.kind {
            ThingKind::Text { text, .. } => Some(text),
            // A secret may be in it, or near it: its fields tell more.
            _ => None,
        }
    }

    fn lambda(&self, object: ObjectId, class: &str) -> Option<Arc<str>> {
        JavaRun::lambda(self, object, class)
    }

    fn number(&self, object: ObjectId) -> u64 {
        self.object_number(object)
    }

    fn library_class(&self, class: &str) -> String {
        names::class(&self.classes().library_class(&names::internal(class)))
    }
}

impl JavaRun {
    /// The times around this one at which an object, or a stretch of an array, is the same.
    fn unchanged(
        &self,
        object: ObjectId,
        elements: Option<Range<u32>>,
        at: TraceTime,
    ) -> RangeInclusive<TraceTime> {
        let times = self.trace().unchanged_around(object, elements, at);
        let times = times.unwrap_or(at..=at);
        *times.start()..=self.known_until().min(*times.end())
    }

    fn read_thing(&self, object: ObjectId) -> Option<Thing> {
        let description = self.troubles.note(object, self.trace().object(object))??;
        let class = description
            .class_name
            .unwrap_or_else(|| UNKNOWN_CLASS.to_owned());
        let kind = match description.content {
            ObjectContent::String { text, length, .. } => {
                let there = text.encode_utf16().count() as u64;
                ThingKind::Text {
                    text,
                    missing: u64::from(length).saturating_sub(there),
                }
            }
            ObjectContent::Masked { .. } => ThingKind::Masked,
            ObjectContent::Box(value) => ThingKind::Boxed(value),
            ObjectContent::Enum { name, ordinal } => ThingKind::Constant {
                name: name.unwrap_or_else(|| format!("constant {ordinal}")),
            },
            ObjectContent::Class { name, .. } => ThingKind::ClassObject { name },
            ObjectContent::Throwable { message, .. } => ThingKind::Throwable { message },
            ObjectContent::NewArray { .. } | ObjectContent::Array { .. } => ThingKind::Array,
            ObjectContent::Object | ObjectContent::Fields(_) if !self.has_state() => {
                ThingKind::Opaque
            }
            ObjectContent::Fields(_) => ThingKind::Fields,
            ObjectContent::Object if self.classes().get(&names::internal(&class)).is_some() => {
                ThingKind::Fields
            }
            ObjectContent::Object => ThingKind::Opaque,
        };
        Some(Thing { class, kind })
    }

    fn read_fields(&self, object: ObjectId, at: TraceTime) -> Result<Vec<FieldValue>, StoreError> {
        let layout = self.layout(&self.class_name(object));
        let numbers = layout.places.iter().filter_map(|place| place.number);
        let mut known = self.trace().fields_at(object, numbers, at)?.into_iter();
        let mut fields = Vec::new();
        for place in &layout.places {
            let value = match place.number {
                Some(_) => known.next().flatten().map(|known| known.value),
                // No recorded code names it, so nobody wrote it, or nobody knows.
                None => place.zero,
            };
            fields.extend(value.map(|value| place.holding(value)));
        }
        if !layout.is_whole {
            self.add_written(object, at, &layout, &mut fields)?;
        }
        Ok(fields)
    }

    /// Adds the fields that were written and that no class file declares.
    fn add_written(
        &self,
        object: ObjectId,
        at: TraceTime,
        layout: &Layout,
        fields: &mut Vec<FieldValue>,
    ) -> Result<(), StoreError> {
        let state = self.trace().object_state(object, at)?;
        let is_declared = |number| layout.places.iter().any(|it| it.number == Some(number));
        for (number, value) in state.fields {
            if is_declared(number) {
                continue;
            }
            let Some(symbol) = self.trace().symbols().field(number) else {
                continue;
            };
            let owner = names::class(&symbol.owner);
            let is_named =
                |field: &FieldValue| *field.owner == *owner && *field.name == *symbol.name;
            if !fields.iter().any(is_named) {
                fields.push(FieldValue {
                    owner: owner.into(),
                    name: symbol.name.as_str().into(),
                    value: value.value,
                });
            }
        }
        Ok(())
    }

    fn read_elements(
        &self,
        array: ObjectId,
        at: TraceTime,
        start: usize,
        limit: usize,
    ) -> Result<ArrayElements, StoreError> {
        let description = self.trace().object(array)?;
        let is_masked = matches!(
            description.as_ref().map(|description| &description.content),
            Some(ObjectContent::Masked { .. })
        );
        let length = description
            .and_then(|description| description.array_length())
            .unwrap_or(0);
        if !self.has_state() || is_masked {
            return Ok(ArrayElements {
                length: length.into(),
                values: Vec::new(),
            });
        }
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        let count = u32::try_from(limit).unwrap_or(u32::MAX);
        let values = self.trace().elements_at(array, start, count, at)?;
        let values = values
            .into_iter()
            .map_while(|slot| slot.map(|slot| slot.value))
            .collect();
        Ok(ArrayElements {
            length: length.into(),
            values,
        })
    }

    /// What a static held at a time; `None` if that is not known.
    #[must_use]
    pub fn static_value(&self, name: &FieldName, at: TraceTime) -> Option<Value> {
        self.read(self.read_static(name, at)).flatten()
    }

    /// The same, if it can be read.
    ///
    /// # Errors
    /// If it cannot.
    pub(super) fn read_static(
        &self,
        name: &FieldName,
        at: TraceTime,
    ) -> Result<Option<Value>, StoreError> {
        let field = self.field(&name.owner, &name.name);
        let Some(field) = field.filter(|_| self.has_state()) else {
            return Ok(None);
        };
        let held = self.trace().static_at(field, at)?;
        Ok(held.map(|slot| slot.value))
    }

    /// Whether a static got its first value from its class's initialiser in this time, and others after it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn is_set_anew(
        &self,
        name: &FieldName,
        times: &Range<TraceTime>,
    ) -> Result<bool, StoreError> {
        let Some(field) = self.field(&name.owner, &name.name) else {
            return Ok(false);
        };
        let slot = ObjectSlot::Field(field);
        let writes = || self.trace().recorded_writes_of(ObjectId::NULL, slot);
        // Hardly any static is written in this time, and then nothing is read.
        let mut inside = writes()?.starting_at(times.start).ending_before(times.end);
        let (Some(first), Some(_)) = (inside.next(), inside.next()) else {
            return Ok(false);
        };
        if writes()?.ending_before(times.start).next_back().is_some() {
            return Ok(false);
        }
        let written = first.written;
        let call = self.trace().call_of(written.thread, written.position)?;
        let node = call.and_then(|call| self.node(call));
        let method = node.map(|node| self.method_names(self.method(node)));
        Ok(method.is_some_and(|names| names.name == "<clinit>" && names.class == name.owner))
    }

    /// Whether writes were recorded. If not, only identities can be told, and nothing is guessed.
    #[must_use]
    pub fn has_state(&self) -> bool {
        self.trace().meta().detail != trace_format::Detail::Calls
    }

    /// Empty if it is not known.
    fn class_name(&self, object: ObjectId) -> String {
        self.thing(object)
            .map_or(String::new(), |thing| thing.class)
    }
}
