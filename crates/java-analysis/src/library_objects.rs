//! What library objects keep: which step put something in that another took out.
//!
//! An object that comes out of a collection went in at some step; its identity tells which, if it
//! is in there only once, or if the entry or the key is known that it was found by. The
//! collection's insides are searched as they were before it was taken out, and the write that
//! linked the place to the collection leads to the step.

use std::collections::{HashSet, VecDeque};

use trace_format::{ObjectId, TraceTime, Value};
use trace_store::{CallId, ObjectContent, Written};

use super::frames::Frames;
use java_model::run::JavaRun;

/// No more variables than this are looked at.
const MOST_VARIABLES: usize = 50_000;

/// What is looked for inside library objects.
#[derive(Debug, Clone)]
pub(super) struct Sought {
    pub(super) value: ObjectId,
    /// What it was asked of: the entry of a map, if it was one.
    pub(super) from: Option<ObjectId>,
    /// What it was asked with: among them the key, if there was one.
    pub(super) with: Vec<ObjectId>,
    /// The same, as far as it was string constants.
    pub(super) with_texts: Vec<String>,
    /// Before this.
    pub(super) at: TraceTime,
}

/// A place inside a library object, and where the object that it is in hangs.
struct InnerObject {
    object: ObjectId,
    /// The last write of the place by library code, if there was one since it was first seen.
    written: Option<Written>,
    above: Option<usize>,
}

/// A place that holds what is looked for.
struct Holder {
    object: ObjectId,
    /// The write by which it came to be part of the whole.
    written: Option<Written>,
}

/// The step that put something into the library object `keeper`; `None` if that is not sure.
pub(super) fn put_by(
    run: &JavaRun,
    frames: &mut Frames<'_>,
    keeper: ObjectId,
    sought: &Sought,
) -> Option<(CallId, u64)> {
    let mut found = None;
    for holder in meant(run, holders(run, keeper, sought)?, sought) {
        let written = holder.written?;
        let call = run.read(run.trace().call_of(written.thread, written.position))??;
        let (step, _) = frames.get(call).ok()?.step_at(written.position)?;
        match found {
            None => found = Some((call, step)),
            Some(same) if same == (call, step) => {}
            Some(_) => return None,
        }
    }
    found
}

/// The places in `keeper` that hold the value; `None` if there is too much in there.
fn holders(run: &JavaRun, keeper: ObjectId, sought: &Sought) -> Option<Vec<Holder>> {
    let mut places = vec![InnerObject {
        object: keeper,
        written: None,
        above: None,
    }];
    let mut open = VecDeque::from([0]);
    let mut seen = HashSet::from([keeper]);
    let mut looked = 0;
    let mut holders = Vec::new();
    while let Some(place) = open.pop_front() {
        for (held, written) in variables(run, places[place].object, sought.at) {
            looked += 1;
            if looked > MOST_VARIABLES {
                return None;
            }
            let Some(object) = held.object() else {
                continue;
            };
            let written = written.filter(|written| written.by_library);
            if object == sought.value {
                holders.push(Holder {
                    object: places[place].object,
                    written: written.or_else(|| linked(&places, place)),
                });
            } else if is_inside(run, object) && seen.insert(object) {
                places.push(InnerObject {
                    object,
                    written,
                    above: Some(place),
                });
                open.push_back(places.len() - 1);
            }
        }
    }
    Some(holders)
}

/// Those that can be meant: the entry that was asked, or those found by the key.
fn meant(run: &JavaRun, mut holders: Vec<Holder>, sought: &Sought) -> Vec<Holder> {
    let is_asked = |holder: &Holder| Some(holder.object) == sought.from;
    if holders.iter().any(is_asked) {
        holders.retain(is_asked);
        return holders;
    }
    let has_key = |holder: &Holder| {
        let variables = variables(run, holder.object, sought.at);
        let mut objects = variables
            .into_iter()
            .filter_map(|(value, _)| value.object());
        objects.any(|object| is_key(run, object, sought))
    };
    if holders.len() > 1 && holders.iter().any(has_key) {
        holders.retain(has_key);
    }
    // Boxes of small numbers are shared: the same one under another key says nothing.
    let value = run.read(run.trace().object(sought.value)).flatten();
    let is_box = value.is_some_and(|value| matches!(value.content, ObjectContent::Box(_)));
    if is_box && !(sought.with.is_empty() && sought.with_texts.is_empty()) {
        holders.retain(|holder| !is_entry(run, holder.object) || has_key(holder));
    }
    holders
}

/// Whether an object is an entry of a map.
fn is_entry(run: &JavaRun, object: ObjectId) -> bool {
    let class = run.read(run.trace().class_of(object)).flatten();
    let name = class.and_then(|(_, name)| name).unwrap_or_default();
    name.contains('$') && (name.ends_with("Node") || name.ends_with("Entry"))
}

/// Whether an object may be the key that was asked with.
fn is_key(run: &JavaRun, object: ObjectId, sought: &Sought) -> bool {
    let mut keys = sought.with.iter();
    keys.any(|key| is_equal(run, object, *key))
        || !sought.with_texts.is_empty()
            && run
                .read(run.trace().text(object))
                .flatten()
                .is_some_and(|text| sought.with_texts.contains(&text))
}

/// Whether two objects are the same, or strings or boxes with the same content.
fn is_equal(run: &JavaRun, one: ObjectId, other: ObjectId) -> bool {
    let content = |object| {
        let description = run.read(run.trace().object(object)).flatten()?;
        match description.content {
            content @ (ObjectContent::String { .. } | ObjectContent::Box(_)) => Some(content),
            _ => None,
        }
    };
    one == other || content(one).is_some_and(|one| Some(one) == content(other))
}

/// The write that made a place part of the whole: its own or one above it.
fn linked(places: &[InnerObject], mut place: usize) -> Option<Written> {
    loop {
        if let Some(written) = places[place].written {
            return Some(written);
        }
        place = places[place].above?;
    }
}

/// The variables of an object or array that hold references.
fn variables(run: &JavaRun, object: ObjectId, at: TraceTime) -> Vec<(Value, Option<Written>)> {
    let trace = run.trace();
    let Some(state) = run.read(trace.object_state(object, at)) else {
        return Vec::new();
    };
    if let Some(length) = state.length {
        let elements = run.read(trace.elements_at(object, 0, length, at));
        let elements = elements.unwrap_or_default();
        let elements = elements.into_iter().flatten();
        return elements.map(|slot| (slot.value, slot.written)).collect();
    }
    let fields = state.fields.into_iter();
    fields.map(|(_, slot)| (slot.value, slot.written)).collect()
}

/// Whether an object is part of how the library keeps things: its own, or an array.
fn is_inside(run: &JavaRun, object: ObjectId) -> bool {
    let class = run.read(run.trace().class_of(object)).flatten();
    let Some((_, Some(name))) = class else {
        return false;
    };
    name.starts_with("java.util.") || name.starts_with("[L")
}
