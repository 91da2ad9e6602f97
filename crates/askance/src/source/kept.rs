//! What library objects keep: which call put something in that another took out.
//!
//! An object that comes out of a collection went in by some call; its identity tells which, if it
//! is in there only once. The collection's insides are searched as they were before it was
//! taken out, and the write that linked the place to the collection leads to the call.

use std::collections::{HashSet, VecDeque};

use trace_format::{ObjectId, TraceTime, Value};
use trace_store::{CallId, Trace, Written};

use super::frames::Frames;
use super::run::JavaRun;

/// No more variables than this are looked at.
const MOST_VARIABLES: usize = 50_000;

/// A place inside a library object, and where the object that it is in hangs.
struct Place {
    object: ObjectId,
    /// The last write of the place by library code, if there was one since it was first seen.
    written: Option<Written>,
    above: Option<usize>,
}

/// The step that put `value` into the library object `keeper`, and which of the step's operands it was;
/// `None` if that is not sure.
pub(super) fn put_by(
    run: &JavaRun,
    frames: &mut Frames<'_>,
    keeper: ObjectId,
    value: ObjectId,
    before: TraceTime,
) -> Option<(CallId, u64, usize)> {
    let mut found = None;
    for written in holders(run, keeper, value, before)? {
        let call = run
            .trace()
            .call_of(written.thread, written.position)
            .ok()??;
        let frame = frames.get(call).ok()?;
        let (step, _) = frame.step_at(written.position)?;
        let operand = frame.operand_with(step, value)?;
        match found {
            None => found = Some((call, step, operand)),
            Some(same) if same == (call, step, operand) => {}
            Some(_) => return None,
        }
    }
    found
}

/// The writes by which the places that hold `value` came to be part of `keeper`; `None` if not all
/// of them are known.
fn holders(
    run: &JavaRun,
    keeper: ObjectId,
    value: ObjectId,
    at: TraceTime,
) -> Option<Vec<Written>> {
    let trace = run.trace();
    let mut places = vec![Place {
        object: keeper,
        written: None,
        above: None,
    }];
    let mut open = VecDeque::from([0]);
    let mut seen = HashSet::from([keeper]);
    let mut looked = 0;
    let mut holders = Vec::new();
    while let Some(place) = open.pop_front() {
        for (held, written) in variables(run, places[place].object, at) {
            looked += 1;
            if looked > MOST_VARIABLES {
                return None;
            }
            let Some(object) = held.object() else {
                continue;
            };
            let written = written.filter(|written| written.by_library);
            if object == value {
                let above = written.or_else(|| linked(&places, place));
                holders.push(above?);
            } else if is_inside(trace, object) && seen.insert(object) {
                places.push(Place {
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

/// The write that made a place part of the whole: its own or one above it.
fn linked(places: &[Place], mut place: usize) -> Option<Written> {
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
    let Ok(state) = trace.object_state(object, at) else {
        return Vec::new();
    };
    if let Some(length) = state.length {
        let elements = trace.elements_at(object, 0, length, at).unwrap_or_default();
        let elements = elements.into_iter().flatten();
        return elements.map(|slot| (slot.value, slot.written)).collect();
    }
    let fields = state.fields.into_iter();
    fields.map(|(_, slot)| (slot.value, slot.written)).collect()
}

/// Whether an object is part of how the library keeps things: its own, or an array.
fn is_inside(trace: &Trace, object: ObjectId) -> bool {
    let class = trace.class_of(object).ok().flatten();
    let Some((_, Some(name))) = class else {
        return false;
    };
    name.starts_with("java.util.") || name.starts_with("[L")
}
