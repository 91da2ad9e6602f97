//! Objects that calls changed and that none of the shown values has in it: they lie deeper, or further behind in a
//! collection, than values are followed. They stand beside the others under their own names, `Account#12`, because
//! a question that hides a change gets a wrong answer.

use std::collections::HashSet;
use std::ops::Range;

use debug_engine::view::{Changed, NamedState, StateView, ValueKind, ValueView};
use trace_format::{ObjectId, TraceTime};

use super::heap::Heap as _;
use super::run::JavaRun;
use super::written::Written;

/// No more objects than this are looked at.
const MOST_OBJECTS: usize = 32;

/// The objects whose inside is shown already.
#[derive(Default)]
pub(super) struct Shown(HashSet<u64>);

impl Shown {
    pub(super) fn take_in(&mut self, state: &StateView) {
        if let Some(after) = &state.after {
            self.take_in_value(after);
        }
    }

    fn take_in_value(&mut self, value: &ValueView) {
        let is_cut = value.children.is_empty() && value.truncated > 0;
        self.0.extend(value.id.filter(|_| !is_cut));
        let children = value.children.iter();
        children.for_each(|child| self.take_in_value(&child.value));
    }
}

/// The objects that were there when the calls began, that recorded code wrote to in that time, and that are not shown.
pub(super) fn changed(
    run: &JavaRun,
    written: &Written,
    mut shown: Shown,
    times: Range<TraceTime>,
    view: impl Fn(TraceTime, ObjectId) -> ValueView,
) -> Vec<NamedState> {
    let mut states = Vec::new();
    let mut looked_at = 0;
    for object in written.by_program() {
        let is_shown = shown.0.contains(&run.number(object));
        if is_shown || !was_there(run, object, times.start) {
            continue;
        }
        looked_at += 1;
        if looked_at > MOST_OBJECTS {
            break;
        }
        let (before, after) = (view(times.start, object), view(times.end, object));
        let state = NamedState::compared(object_name(&before), before, Some(after));
        shown.take_in(&state.state);
        let is_changed = |after: &ValueView| after.changed != Changed::None;
        if state.state.after.as_ref().is_some_and(is_changed) {
            states.push(state);
        }
    }
    states
}

/// Whether an object was known before a time. One that was made later cannot have been changed since.
fn was_there(run: &JavaRun, object: ObjectId, at: TraceTime) -> bool {
    let trace = run.trace();
    let Ok(Some(description)) = trace.object(object) else {
        return false;
    };
    trace
        .time_of_description(&description)
        .is_ok_and(|known_since| known_since <= at)
}

/// `Position#12`.
pub(super) fn object_name(value: &ValueView) -> String {
    let class = value.class.as_deref().unwrap_or("object");
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    match value.id {
        Some(id) if value.kind != ValueKind::Null => format!("{simple}#{id}"),
        _ => simple.to_owned(),
    }
}
