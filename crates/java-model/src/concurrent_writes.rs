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
use debug_engine::view::{Changed, ConcurrentWrite, Label, ValueView};
use trace_format::{FieldId, ObjectId, TraceTime};
use trace_store::{History, ObjectSlot, Written};

use super::captured::{Capture, CapturedSlot};
use super::collections;
use super::heap::{Heap as _, ThingKind};
use super::method_code::FieldName;
use super::noting_heap::{Looked, NotingHeap};
use super::run::JavaRun;
use java_names::names;

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

    /// Marks the changed variables inside a captured value, whose changes are marked already.
    pub(super) fn mark(&self, after: &mut Capture, times: &Range<TraceTime>) {
        after.visit(
            |holder, node, view| match (view.changed, holder, node.object) {
                (Changed::Changed, Some(holder), _) => {
                    if let Some(slot) = self.slot(&node.slot)
                        && let Ok(writes) = self.run.trace().writes_of(holder, slot)
                    {
                        view.meanwhile = self.among(writes, times);
                    }
                }
                (Changed::Inside, _, Some(object)) => {
                    if let Some(made_of) = self.made_of(object, view, times.end) {
                        view.meanwhile = self.inside(&made_of, times);
                    }
                }
                _ => {}
            },
        );
    }

    /// Marks a static that holds another value than before.
    pub(super) fn mark_static(
        &self,
        name: &FieldName,
        after: &mut ValueView,
        times: &Range<TraceTime>,
    ) {
        if after.changed == Changed::Changed
            && let Some(field) = self.run.field(&name.owner, &name.name)
            && let Ok(writes) = self.run.trace().writes_of_static(field)
        {
            after.meanwhile = self.among(writes, times);
        }
    }

    fn slot(&self, slot: &CapturedSlot) -> Option<ObjectSlot> {
        match slot {
            CapturedSlot::Field(owner, name) => {
                let number: FieldId = self.run.field(&names::internal(owner), name)?;
                Some(ObjectSlot::Field(number))
            }
            CapturedSlot::Element(index) => Some(ObjectSlot::Element(*index)),
            CapturedSlot::Unnamed => None,
        }
    }

    /// What a collection is made of, as far as it is shown; `None` if it is no collection.
    fn made_of(&self, object: ObjectId, view: &ValueView, at: TraceTime) -> Option<Vec<Looked>> {
        let thing = self.run.thing(object)?;
        if thing.kind == ThingKind::Array {
            return None;
        }
        let shown = match view.children.last().map(|child| &child.label) {
            Some(Label::Index(index)) => usize::try_from(*index).unwrap_or(usize::MAX - 1) + 1,
            _ => view.children.len(),
        };
        let heap = NotingHeap::new(self.run);
        let library = self.run.library_class(&thing.class);
        collections::recognise(&heap, object, &library, at, shown)?;
        Some(heap.looked())
    }

    /// Somebody else's newest write to any of these.
    fn inside(&self, parts: &[Looked], times: &Range<TraceTime>) -> Option<Box<ConcurrentWrite>> {
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
        newest.map(|(write, by)| self.concurrent_write(&write, by))
    }

    /// Somebody else's newest write among these.
    fn among(&self, writes: History<'_>, times: &Range<TraceTime>) -> Option<Box<ConcurrentWrite>> {
        let during = writes.starting_at(times.start).ending_before(times.end);
        for entry in during.rev().take(WRITES.min(self.left.get())) {
            self.spend(1);
            if let Some(by) = self.not_own(&entry.written) {
                return Some(self.concurrent_write(&entry.written, by));
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
        let by = self.run.read(call)?.and_then(|call| self.run.node(call));
        by.is_none_or(|by| !self.own.contains(&by.0)).then_some(by)
    }

    fn concurrent_write(&self, written: &Written, by: Option<NodeId>) -> Box<ConcurrentWrite> {
        Box::new(ConcurrentWrite {
            thread: self.run.thread_name(written.thread),
            node: by,
            routine: by.map(|by| self.run.routine_of(by)),
        })
    }
}
