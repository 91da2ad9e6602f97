//! What others wrote while a call ran.
//!
//! A call is shown with its state before and after, and in a run of several threads not every
//! difference is its own doing. Where a variable differs, its writes during the call are looked
//! through for one that neither the call nor anything below it made. Work that the call handed over hangs
//! below it in the tree, so its writes are the call's own, whatever thread made them.
//!
//! A collection's inside is not shown, so its mark says that somebody else wrote to something in there.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use debug_engine::NodeId;
use debug_engine::view::{Changed, Meanwhile, ValueView};
use trace_format::{FieldId, ObjectId, TraceTime, Value};
use trace_store::{History, Slot, Written};

use super::collections::{self, Content};
use super::heap::{Elements, FieldValue, Heap, Thing, ThingKind};
use super::method_code::FieldName;
use super::run::JavaRun;
use super::shown;
use super::trace_heap::internal;

/// Of one variable, this many writes before the end of the call are looked at.
const WRITES: usize = 256;
/// Of one call, this many writes.
const ALL_WRITES: usize = 8_000;

/// Finds the writes that do not belong to a call.
pub(super) struct Others<'run> {
    run: &'run JavaRun,
    /// The call and all below it.
    own: Range<u32>,
    left: Cell<usize>,
}

impl<'run> Others<'run> {
    /// For the calls of a range of nodes; `None` in a run where nobody else can have written.
    pub(super) fn of(run: &'run JavaRun, own: Range<u32>) -> Option<Others<'run>> {
        run.trace().threads().nth(1)?;
        run.has_state().then_some(Others {
            run,
            own,
            left: Cell::new(ALL_WRITES),
        })
    }

    /// Marks the changed variables inside a value, whose changes are marked already.
    pub(super) fn mark(&self, value: Value, after: &mut ValueView, times: Range<TraceTime>) {
        if let Value::Ref(object) = value
            && after.changed == Changed::Inside
        {
            self.mark_inside(object, after, &times);
        }
    }

    /// The same for a static with what it holds.
    pub(super) fn mark_static(
        &self,
        name: &FieldName,
        value: Value,
        after: &mut ValueView,
        times: Range<TraceTime>,
    ) {
        if after.changed == Changed::Changed
            && let Some(field) = self.run.field(&name.owner, &name.name)
            && let Ok(writes) = self.run.trace().writes_of_static(field)
        {
            after.meanwhile = self.among(writes, &times);
        }
        self.mark(value, after, times);
    }

    fn mark_inside(&self, object: ObjectId, after: &mut ValueView, times: &Range<TraceTime>) {
        let Some(thing) = self.run.thing(object) else {
            return;
        };
        let shown = after.children.len();
        let parts: Vec<(Option<Slot>, Value)> = match thing.kind {
            ThingKind::Array => {
                let elements = self.run.elements(object, times.end, 0, shown).values;
                let slots = (0..).map(|index| Some(Slot::Element(index)));
                slots.zip(elements).collect()
            }
            _ => match self.content(object, &thing, shown, times.end) {
                Some((content, inside)) => {
                    after.meanwhile = self.inside(&inside, times);
                    items(content)
                        .into_iter()
                        .map(|item| (None, item))
                        .collect()
                }
                None => {
                    let fields = self.run.fields(object, times.end);
                    let fields = fields.iter();
                    fields
                        .map(|field| (self.slot(field), field.value))
                        .collect()
                }
            },
        };
        for (child, (slot, value)) in after.children.iter_mut().zip(parts) {
            match (child.value.changed, slot, value) {
                (Changed::Changed, Some(slot), _) => {
                    if let Ok(writes) = self.run.trace().writes_of(object, slot) {
                        child.value.meanwhile = self.among(writes, times);
                    }
                }
                (Changed::Inside, _, Value::Ref(inner)) => {
                    self.mark_inside(inner, &mut child.value, times);
                }
                _ => {}
            }
        }
    }

    fn slot(&self, field: &FieldValue) -> Option<Slot> {
        let number: FieldId = self.run.field(&internal(&field.owner), &field.name)?;
        Some(Slot::Field(number))
    }

    /// What a collection holds, and what it is made of.
    fn content(
        &self,
        object: ObjectId,
        thing: &Thing,
        limit: usize,
        at: TraceTime,
    ) -> Option<(Content, Vec<Looked>)> {
        let heap = NotingHeap {
            run: self.run,
            looked: RefCell::default(),
        };
        let library = self.run.library_class(&thing.class);
        let content = collections::recognise(&heap, object, &library, at, limit)?;
        Some((content, heap.looked.into_inner()))
    }

    /// Somebody else's newest write to any of these.
    fn inside(&self, parts: &[Looked], times: &Range<TraceTime>) -> Option<Box<Meanwhile>> {
        let mut newest: Option<(Written, Option<NodeId>)> = None;
        for Looked { object, elements } in parts {
            if self.left.get() == 0 {
                break;
            }
            let writes = self
                .run
                .trace()
                .last_writes_to(*object, elements.clone(), times.clone());
            let writes = writes.unwrap_or_default();
            self.spend(writes.len());
            for write in writes.into_iter().rev() {
                if newest.is_none_or(|(known, _)| known.time < write.time)
                    && let Some(by) = self.not_own(&write)
                {
                    newest = Some((write, by));
                    break;
                }
            }
        }
        newest.map(|(write, by)| self.told(&write, by))
    }

    /// Somebody else's newest write among these.
    fn among(&self, writes: History<'_>, times: &Range<TraceTime>) -> Option<Box<Meanwhile>> {
        let during = writes.starting_at(times.start).ending_before(times.end);
        for entry in during.rev().take(WRITES.min(self.left.get())) {
            self.spend(1);
            if let Some(by) = self.not_own(&entry.written) {
                return Some(self.told(&entry.written, by));
            }
        }
        None
    }

    fn spend(&self, writes: usize) {
        self.left.set(self.left.get().saturating_sub(writes));
    }

    /// Whose write it is, if it is not the call's own: a recorded call, or none. A write that nobody
    /// saw is not told of anybody.
    fn not_own(&self, written: &Written) -> Option<Option<NodeId>> {
        if written.first_read_by.is_some() {
            return None;
        }
        let call = self.run.trace().call_of(written.thread, written.position);
        let by = call.ok()?.and_then(|call| self.run.node(call));
        by.is_none_or(|by| !self.own.contains(&by.0)).then_some(by)
    }

    fn told(&self, written: &Written, by: Option<NodeId>) -> Box<Meanwhile> {
        Box::new(Meanwhile {
            thread: shown::thread_name(self.run, written.thread),
            node: by,
            routine: by.map(|by| shown::routine(self.run, by)),
        })
    }
}

/// What of a collection is shown below it, in the same order.
fn items(content: Content) -> Vec<Value> {
    match content {
        Content::Sequence { items, .. } => items,
        Content::Map { entries, .. } => entries.into_iter().map(|(_, value)| value).collect(),
        Content::Entry(_, value) | Content::Reference(value) => vec![value],
        Content::Optional(value) => value.into_iter().collect(),
        Content::Text(_) | Content::Primitive(_) | Content::Printed(_) => Vec::new(),
    }
}

/// An object, or a stretch of an array, that was looked at.
struct Looked {
    object: ObjectId,
    elements: Option<Range<u32>>,
}

/// The recorded heap, noting what is looked at.
struct NotingHeap<'run> {
    run: &'run JavaRun,
    looked: RefCell<Vec<Looked>>,
}

impl Heap for NotingHeap<'_> {
    fn thing(&self, object: ObjectId) -> Option<Thing> {
        self.run.thing(object)
    }

    fn fields(&self, object: ObjectId, at: TraceTime) -> Vec<FieldValue> {
        self.looked.borrow_mut().push(Looked {
            object,
            elements: None,
        });
        self.run.fields(object, at)
    }

    fn elements(&self, array: ObjectId, at: TraceTime, start: usize, limit: usize) -> Elements {
        let elements = self.run.elements(array, at, start, limit);
        let end = start.saturating_add(elements.values.len());
        let [start, end] = [start, end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        self.looked.borrow_mut().push(Looked {
            object: array,
            elements: Some(start..end),
        });
        elements
    }

    fn number(&self, object: ObjectId) -> u64 {
        self.run.number(object)
    }

    fn library_class(&self, class: &str) -> String {
        self.run.library_class(class)
    }
}
