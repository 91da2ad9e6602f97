//! A field that nobody ever wrote: what kept it from being written as that of other objects was.
//!
//! What is missing leaves no link. But where the same field of another object was written, the decisions that led
//! there are those that passed this object over.

use std::collections::HashMap;

use trace_format::{MethodId, ObjectId};
use trace_store::{CallId, ObjectContent, ObjectSlot, Written};

use super::{Graph, Taken, Variable};
use crate::links::Link;

/// Objects whose numbers are nearer than this are looked at,
const NEAREST: u32 = 5_000;
/// and so many of the same class.
const MOST_OTHERS: usize = 300;
/// So many methods are followed that wrote the field.
const MOST_WRITERS: usize = 4;

impl Graph<'_> {
    /// The decisions that kept a field from being written which holds what it held from the start.
    pub(super) fn never_written(&mut self, variable: Variable) -> Taken {
        let Variable::Slot(object, slot @ ObjectSlot::Field(_)) = variable else {
            return Taken::default();
        };
        let mut writers: Vec<(CallId, Written)> = self
            .last_writers(object, slot)
            .unwrap_or_default()
            .into_values()
            .collect();
        writers.sort_unstable_by_key(|(_, written)| std::cmp::Reverse(written.time));
        let mut taken = Taken::default();
        for (call, written) in writers.into_iter().take(MOST_WRITERS) {
            let frame = self.frames.get(call).ok();
            let step = frame.and_then(|frame| frame.step_at(written.position));
            if let Some((step, _)) = step {
                taken.values.extend(self.ended_by(call, step));
                taken.values.extend(self.passed_over(None, (call, step)));
            }
        }
        taken
            .values
            .retain(|link| matches!(link, Link::Decision(..)));
        taken
    }

    /// The last call of each method that wrote this field of an object of the same class, constructors aside. `None`
    /// if that says nothing of this object.
    fn last_writers(
        &self,
        object: ObjectId,
        slot: ObjectSlot,
    ) -> Option<HashMap<MethodId, (CallId, Written)>> {
        let (run, trace) = (self.run, self.run.trace());
        // What was there before it was seen may have been written by anybody.
        let description = run.read(trace.object(object)).flatten()?;
        if description.content != ObjectContent::Object {
            return None;
        }
        let near = run.read(trace.objects_from(ObjectId(object.0.saturating_sub(NEAREST))))?;
        let near = near.take_while(|other| other.0 <= object.0.saturating_add(NEAREST));
        let class = |other| {
            run.read(trace.class_of(other))
                .flatten()
                .map(|(class, _)| class)
        };
        let others =
            near.filter(|&other| other != object && class(other) == Some(description.class));
        let mut last: HashMap<MethodId, (CallId, Written)> = HashMap::new();
        for other in others.take(MOST_OTHERS) {
            let writes = run.read(trace.recorded_writes_of(other, slot));
            let Some(entry) = writes.and_then(|mut writes| writes.next_back()) else {
                continue;
            };
            let written = entry.written;
            let call = run
                .read(trace.call_of(written.thread, written.position))
                .flatten();
            let node = call.and_then(|call| run.node(call));
            let (Some(call), Some(node)) = (call, node) else {
                continue;
            };
            let method = run.method(node);
            let is_later = |(_, known): &(CallId, Written)| known.time < written.time;
            if run.method_names(method).name != "<init>" && last.get(&method).is_none_or(is_later) {
                last.insert(method, (call, written));
            }
        }
        Some(last)
    }
}
