//! A heap that notes what is looked at: what a collection is made of is what was looked at to read it.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use trace_format::{ObjectId, TraceTime};

use super::heap::{ArrayElements, FieldValue, Heap, Thing, UnknownField};

/// An object, or a stretch of an array, that was looked at.
pub struct Looked {
    pub object: ObjectId,
    pub elements: Option<Range<u32>>,
}

pub struct NotingHeap<'heap, H: ?Sized> {
    heap: &'heap H,
    looked: RefCell<Vec<Looked>>,
}

impl<'heap, H: Heap + ?Sized> NotingHeap<'heap, H> {
    pub fn new(heap: &'heap H) -> Self {
        NotingHeap {
            heap,
            looked: RefCell::default(),
        }
    }

    pub fn looked(self) -> Vec<Looked> {
        self.looked.into_inner()
    }
}

impl<H: Heap + ?Sized> Heap for NotingHeap<'_, H> {
    fn thing(&self, object: ObjectId) -> Option<Thing> {
        self.heap.thing(object)
    }

    fn fields(&self, object: ObjectId, at: TraceTime) -> Arc<[FieldValue]> {
        self.looked.borrow_mut().push(Looked {
            object,
            elements: None,
        });
        self.heap.fields(object, at)
    }

    /// That tells nothing of what they hold.
    fn count_fields(&self, object: ObjectId, at: TraceTime) -> usize {
        self.heap.count_fields(object, at)
    }

    fn elements(
        &self,
        array: ObjectId,
        at: TraceTime,
        start: usize,
        limit: usize,
    ) -> ArrayElements {
        let elements = self.heap.elements(array, at, start, limit);
        let end = start.saturating_add(elements.values.len());
        let [start, end] = [start, end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        self.looked.borrow_mut().push(Looked {
            object: array,
            elements: Some(start..end),
        });
        elements
    }

    fn unknown_fields(&self, object: ObjectId, at: TraceTime) -> Vec<UnknownField> {
        self.heap.unknown_fields(object, at)
    }

    fn trouble(&self, object: ObjectId) -> Option<Arc<str>> {
        self.heap.trouble(object)
    }

    fn has_troubles(&self) -> bool {
        self.heap.has_troubles()
    }

    fn number(&self, object: ObjectId) -> u64 {
        self.heap.number(object)
    }

    fn library_class(&self, class: &str) -> String {
        self.heap.library_class(class)
    }
}
