//! The same object in several places of a question.
//!
//! `songs=[]` here and `songs=[]` there may be one list or two, and which of them it is decides whether the next song
//! appears in both. Objects are shown with their numbers anyway; a collection or an array is, where it stands in more
//! than one variable. What cannot change is nobody's question: strings, numbers, constants, immutable collections.

use std::collections::{HashMap, HashSet};

use debug_engine::view::render::Bounds;
use debug_engine::view::{
    Label, NamedState, NodeView, OutcomeView, StateView, ValueKind, ValueView,
};

/// The variable that a value stands in: a root by its place, anything else by what holds it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder<'view> {
    Root(usize),
    Part(u64, &'view Label),
}

/// Where objects stand, as far as they are shown.
#[derive(Default)]
struct Places<'view> {
    first: HashMap<u64, Holder<'view>>,
    shared: HashSet<u64>,
    bounds: Bounds,
}

impl<'view> Places<'view> {
    fn take_in(&mut self, holder: Holder<'view>, value: &'view ValueView, depth: usize) {
        if let Some(id) = value.id.filter(|_| can_change(value)) {
            let known = *self.first.entry(id).or_insert(holder);
            if known != holder {
                self.shared.insert(id);
            }
        }
        // What has no number of its own has no objects in it.
        if let Some(id) = value.id.filter(|_| depth < self.bounds.depth) {
            for child in value.children.iter().take(self.bounds.width) {
                self.take_in(Holder::Part(id, &child.label), &child.value, depth + 1);
            }
        }
    }

    fn take_in_state(&mut self, root: usize, state: &'view StateView) {
        for value in std::iter::once(&state.before).chain(&state.after) {
            self.take_in(Holder::Root(root), value, 0);
        }
    }
}

/// Whether it matters which object it is, and its text alone does not tell.
fn can_change(value: &ValueView) -> bool {
    let class = value.class.as_deref().unwrap_or_default();
    let is_fixed = class.starts_with("java.util.ImmutableCollections")
        || class.starts_with("java.util.Collections.Empty")
        || class.starts_with("java.util.Collections.Singleton");
    let is_empty_array = class.ends_with("[]") && value.children.is_empty() && value.truncated == 0;
    match value.kind {
        // What has a name before its parts is an `Optional`.
        ValueKind::Array => !is_fixed && !is_empty_array && value.text.is_empty(),
        ValueKind::Map => !is_fixed,
        ValueKind::String | ValueKind::Primitive => CHANGING.contains(&class),
        _ => false,
    }
}

/// Classes that are shown as a text or a number and can be given another.
const CHANGING: [&str; 9] = [
    "java.lang.StringBuilder",
    "java.lang.StringBuffer",
    "java.util.concurrent.atomic.AtomicInteger",
    "java.util.concurrent.atomic.AtomicLong",
    "java.util.concurrent.atomic.AtomicBoolean",
    "java.util.concurrent.atomic.LongAdder",
    "java.util.concurrent.atomic.DoubleAdder",
    "java.util.concurrent.atomic.LongAccumulator",
    "java.util.concurrent.atomic.DoubleAccumulator",
];

/// Marks what a call shows in several places; values are shown within these bounds.
pub(crate) fn mark_call(view: &mut NodeView, bounds: Bounds) {
    let mut places = Places {
        bounds,
        ..Places::default()
    };
    let named = [&view.arguments, &view.statics, &view.elsewhere];
    let named = named.into_iter().flatten().map(|named| &named.state);
    for (root, state) in named.chain(&view.this).enumerate() {
        places.take_in_state(root + 1, state);
    }
    if let OutcomeView::Returned(value) = &view.outcome {
        places.take_in(Holder::Root(0), value, 0);
    }
    let shared = places.shared;
    if shared.is_empty() {
        return;
    }
    let named = [&mut view.arguments, &mut view.statics, &mut view.elsewhere];
    let named = named.into_iter().flatten().map(|named| &mut named.state);
    for state in named.chain(&mut view.this) {
        mark_state(state, &shared);
    }
    if let OutcomeView::Returned(value) = &mut view.outcome {
        mark(value, &shared);
    }
}

/// The same for variables that are shown together.
pub fn mark_states(states: &mut [NamedState], bounds: Bounds) {
    let mut places = Places {
        bounds,
        ..Places::default()
    };
    for (root, named) in states.iter().enumerate() {
        places.take_in_state(root, &named.state);
    }
    let shared = places.shared;
    if shared.is_empty() {
        return;
    }
    for named in states {
        mark_state(&mut named.state, &shared);
    }
}

fn mark_state(state: &mut StateView, shared: &HashSet<u64>) {
    mark(&mut state.before, shared);
    if let Some(after) = &mut state.after {
        mark(after, shared);
    }
}

fn mark(value: &mut ValueView, shared: &HashSet<u64>) {
    value.shared = value.id.is_some_and(|id| shared.contains(&id));
    for child in &mut value.children {
        mark(&mut child.value, shared);
    }
}
