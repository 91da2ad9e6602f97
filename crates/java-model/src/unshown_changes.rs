//! Objects that calls changed and that none of the shown values has in it: they lie deeper, or further behind in a
//! collection, than values are followed. They stand beside the others under their own names, `Account#12`, because
//! a question that hides a change gets a wrong answer.

use std::collections::HashSet;

use debug_engine::view::{Changed, NamedState, StateView, ValueKind, ValueView};
use trace_format::{ObjectId, TraceTime};

use super::heap::Heap as _;
use super::run::JavaRun;
use super::written::WrittenObjects;

/// No more objects than this are looked at.
const MOST_OBJECTS: usize = 32;

/// The objects whose inside is shown already, before and after.
#[derive(Default)]
pub struct ShownObjects(HashSet<u64>);

impl ShownObjects {
    pub fn take_in(&mut self, state: &StateView) {
        // What is only shown after the calls, where something else was before, is not compared with itself.
        self.take_in_unless(state, |value| value.changed == Changed::Changed);
    }

    /// Takes in what is shown after the calls, wherever it stands: that is all there is to show of an object that
    /// was not there before.
    pub fn take_in_made(&mut self, state: &StateView) {
        self.take_in_unless(state, |_| false);
    }

    fn take_in_unless(&mut self, state: &StateView, passes_over: fn(&ValueView) -> bool) {
        if let Some(after) = &state.after {
            self.take_in_value(after, passes_over);
        }
    }

    /// Whether the inside of what a variable holds is shown already.
    pub fn has(&self, state: &StateView) -> bool {
        state.before.id.is_some_and(|id| self.0.contains(&id))
    }

    fn take_in_value(&mut self, value: &ValueView, passes_over: fn(&ValueView) -> bool) {
        if passes_over(value) {
            return;
        }
        let is_cut = value.children.is_empty() && value.truncated > 0;
        self.0.extend(value.id.filter(|_| !is_cut));
        let children = value.children.iter();
        children.for_each(|child| self.take_in_value(&child.value, passes_over));
    }
}

/// The objects that were there when the calls began, that recorded code wrote to in that time, and that are not shown.
pub(super) fn changed(
    run: &JavaRun,
    written: &WrittenObjects,
    mut shown: ShownObjects,
    start: TraceTime,
    view: impl Fn(ObjectId) -> StateView,
) -> Vec<NamedState> {
    let mut states = Vec::new();
    let mut looked_at = 0;
    for object in written.by_program() {
        let is_shown = shown.0.contains(&run.number(object));
        if is_shown || !was_there(run, object, start) {
            continue;
        }
        looked_at += 1;
        if looked_at > MOST_OBJECTS {
            break;
        }
        let state = view(object);
        let name = object_name(&state.before);
        let state = NamedState { name, state };
        shown.take_in(&state.state);
        if is_changed(&state.state) {
            states.push(state);
        }
    }
    states
}

/// Whether anything in it differs.
pub fn is_changed(state: &StateView) -> bool {
    let after = state.after.as_ref();
    after.is_some_and(|after| after.changed != Changed::None)
}

/// Whether an object was known before a time. One that was made later cannot have been changed since.
pub(super) fn was_there(run: &JavaRun, object: ObjectId, at: TraceTime) -> bool {
    let trace = run.trace();
    let Ok(Some(description)) = trace.object(object) else {
        return false;
    };
    trace
        .time_of_description(&description)
        .is_ok_and(|known_since| known_since <= at)
}

/// `Position#12`.
pub fn object_name(value: &ValueView) -> String {
    let class = value.class.as_deref().unwrap_or("object");
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    match value.id {
        Some(id) if value.kind != ValueKind::Null => format!("{simple}#{id}"),
        _ => simple.to_owned(),
    }
}
