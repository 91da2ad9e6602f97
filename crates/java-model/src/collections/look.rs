//! Looking into the objects that make up a collection.

use std::collections::HashSet;
use std::sync::Arc;

use trace_format::{ObjectId, TraceTime, Value};

use super::super::heap::{FieldValue, Heap, ThingKind};
use super::super::value_text::{primitive, quoted};
use super::{LibraryContent, recognise};

/// The fields of one object, by name.
pub(super) struct Parts(Arc<[FieldValue]>);

impl Parts {
    pub(super) fn get(&self, name: &str) -> Option<Value> {
        self.0
            .iter()
            .find(|field| &*field.name == name)
            .map(|field| field.value)
    }

    /// A reference that is not null.
    pub(super) fn object(&self, name: &str) -> Option<ObjectId> {
        self.get(name)?.object()
    }

    pub(super) fn int(&self, name: &str) -> Option<i64> {
        match self.get(name)? {
            Value::Int(value) => Some(value.into()),
            Value::Byte(value) => Some(value.into()),
            Value::Short(value) => Some(value.into()),
            Value::Boolean(value) => Some(value.into()),
            Value::Long(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn count(&self, name: &str) -> Option<u64> {
        u64::try_from(self.int(name)?).ok()
    }

    pub(super) fn size(&self, name: &str) -> Option<usize> {
        usize::try_from(self.int(name)?).ok()
    }
}

pub(super) fn present(value: Value) -> Option<Value> {
    (value != Value::NULL).then_some(value)
}

/// A heap at a time.
pub(super) struct Look<'heap, H: Heap + ?Sized> {
    pub(super) heap: &'heap H,
    at: TraceTime,
    /// How many items are asked for.
    pub(super) limit: usize,
}

/// Elements of an array that are read at a time.
const BLOCK: usize = 256;

impl<'heap, H: Heap + ?Sized> Look<'heap, H> {
    pub(super) fn new(heap: &'heap H, at: TraceTime, limit: usize) -> Self {
        Look { heap, at, limit }
    }

    pub(super) fn parts(&self, object: ObjectId) -> Parts {
        Parts(self.heap.fields(object, self.at))
    }

    /// A string that was recorded as a whole.
    pub(super) fn text(&self, object: ObjectId) -> Option<String> {
        match self.heap.thing(object)?.kind {
            ThingKind::Text { text, missing: 0 } => Some(text),
            _ => None,
        }
    }

    /// A small value as a part of what another one prints.
    pub(super) fn short_text(&self, object: ObjectId) -> Option<String> {
        match self.heap.thing(object)?.kind {
            ThingKind::Text { text, missing: 0 } => Some(quoted(&text, 0)),
            ThingKind::Boxed(value) => Some(primitive(value)),
            ThingKind::Constant { name } => Some(name),
            _ => match self.content_of(object, 0)? {
                LibraryContent::Printed(text) => Some(text),
                _ => None,
            },
        }
    }

    pub(super) fn class(&self, object: ObjectId) -> Option<String> {
        Some(self.heap.thing(object)?.class)
    }

    /// Elements of an array; fewer if not all are known.
    pub(super) fn elements(&self, array: ObjectId, start: usize, count: usize) -> Vec<Value> {
        self.heap.elements(array, self.at, start, count).values
    }

    /// The length of an array.
    pub(super) fn length(&self, array: ObjectId) -> usize {
        let length = self.heap.elements(array, self.at, 0, 0).length;
        usize::try_from(length).unwrap_or(usize::MAX)
    }

    /// All elements of an array, read as they are asked for; ends early where one is not known.
    pub(super) fn each(&self, array: ObjectId) -> impl Iterator<Item = Value> + '_ {
        let mut start = 0;
        std::iter::from_fn(move || {
            let block = self.elements(array, start, BLOCK);
            start += BLOCK;
            (!block.is_empty()).then_some(block)
        })
        .flatten()
    }

    /// What another object stands for, with up to `limit` items.
    pub(super) fn content_of(&self, object: ObjectId, limit: usize) -> Option<LibraryContent> {
        let class = self.heap.library_class(&self.class(object)?);
        recognise(self.heap, object, &class, self.at, limit)
    }

    /// What the object in a field stands for.
    pub(super) fn inner(&self, parts: &Parts, field: &str) -> Option<LibraryContent> {
        self.content_of(parts.object(field)?, self.limit)
    }

    /// A sequence of the keys of the map in a field.
    pub(super) fn keys_of(&self, parts: &Parts, map: &str) -> Option<LibraryContent> {
        self.of_entries(parts, map, |(key, _)| key)
    }

    /// A sequence of the values of the map in a field.
    pub(super) fn values_of(&self, parts: &Parts, map: &str) -> Option<LibraryContent> {
        self.of_entries(parts, map, |(_, value)| value)
    }

    fn of_entries(
        &self,
        parts: &Parts,
        map: &str,
        part: impl Fn((Value, Value)) -> Value,
    ) -> Option<LibraryContent> {
        match self.inner(parts, map)? {
            LibraryContent::Map {
                entries,
                total,
                ordered,
            } => Some(LibraryContent::Sequence {
                items: entries.into_iter().map(part).collect(),
                total,
                ordered,
            }),
            _ => None,
        }
    }

    /// Nodes that are linked by a field; a circle (a damaged trace) is walked once.
    pub(super) fn chain<'look>(
        &'look self,
        first: Value,
        link: &'look str,
    ) -> impl Iterator<Item = Parts> + 'look {
        let mut seen = HashSet::new();
        let mut next = first.object();
        std::iter::from_fn(move || {
            let node = next.filter(|node| seen.insert(*node))?;
            let parts = self.parts(node);
            next = parts.get(link).and_then(Value::object);
            Some(parts)
        })
    }
}

/// Takes the first `limit` of what comes, and counts the rest; `None` if one of them is not known.
pub(super) fn first_of<T>(
    items: impl Iterator<Item = Option<T>>,
    limit: usize,
) -> Option<(Vec<T>, u64)> {
    let mut first = Vec::new();
    let mut total = 0;
    for item in items {
        let item = item?;
        if first.len() < limit {
            first.push(item);
        }
        total += 1;
    }
    Some((first, total))
}
