//! What others wrote while a call ran.
//!
//! A call is shown with its state before and after, and in a run of several threads not every
//! difference is its own doing. Where a variable differs, its writes during the call are looked
//! through for one that neither the call nor anything below it made. Work that the call handed over hangs
//! below it in the tree, so its writes are the call's own, whatever thread made them.
//!
//! A collection's inside is not shown, so its mark says that somebody else wrote to something in there.

use std::cell::Cell;
use std::ops::Range;

use debug_engine::NodeId;
use debug_engine::view::{Changed, Label, Meanwhile, ValueView};
use trace_format::{FieldId, ObjectId, TraceTime, Value};
use trace_store::{History, Slot, Written};

use super::collections::{self, Content};
use super::heap::{FieldValue, Heap as _, Thing, ThingKind};
use super::method_code::FieldName;
use super::noting_heap::{Looked, NotingHeap};
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
        let last = after.children.last().map(|child| &child.label);
        let shown = match last {
            Some(Label::Index(index)) => usize::try_from(*index).unwrap_or(usize::MAX - 1) + 1,
            _ => after.children.len(),
        };
        let parts: Vec<(Option<Slot>, Value)> = match thing.kind {
            ThingKind::Array => {
                let indices = after.children.iter().map(|child| match child.label {
                    Label::Index(index) => u32::try_from(index).unwrap_or(u32::MAX),
                    _ => u32::MAX,
                });
                indices
                    .map(|index| self.element(object, index, times.end))
                    .collect()
            }
            _ => match self.content(object, &thing, shown, times.end) {
                Some((content, inside)) => {
                    after.meanwhile = self.inside(&inside, times);
                    let items = items(content);
                    let places =
                        after
                            .children
                            .iter()
                            .zip(0..)
                            .map(|(child, place)| match child.label {
                                Label::Index(index) => usize::try_from(index).unwrap_or(usize::MAX),
                                _ => place,
                            });
                    let item = |place| items.get(place).copied();
                    places
                        .map(|place| (None, item(place).unwrap_or(Value::Ref(ObjectId::NULL))))
                        .collect()
                }
                None => {
                    let fields = self.run.fields(object, times.end);
                    let fields = fields.iter();
                    let mut parts: Vec<_> = fields
                        .map(|field| (self.slot(field), field.value))
                        .collect();
                    for unknown in self.run.unknown_fields(object, times.end) {
                        let nothing = (None, Value::Ref(ObjectId::NULL));
                        parts.insert(unknown.index.min(parts.len()), nothing);
                    }
                    parts
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

    fn element(&self, array: ObjectId, index: u32, at: TraceTime) -> (Option<Slot>, Value) {
        let elements = self.run.elements(array, at, index as usize, 1).values;
        let value = elements.first().copied();
        let value = value.unwrap_or(Value::Ref(ObjectId::NULL));
        (Some(Slot::Element(index)), value)
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
        let heap = NotingHeap::new(self.run);
        let library = self.run.library_class(&thing.class);
        let content = collections::recognise(&heap, object, &library, at, limit)?;
        Some((content, heap.looked()))
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
