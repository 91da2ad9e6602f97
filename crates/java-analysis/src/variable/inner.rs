//! What a path means inside a collection: an element that is not in an array of its own, the value of a key.

use debug_engine::view::render::Bounds;
use trace_format::{ObjectId, TraceTime, Value};
use trace_store::ObjectSlot;

use super::Variable;
use java_model::collections::{self, LibraryContent};
use java_model::heap::Heap as _;
use java_model::noting_heap::{Looked, NotingHeap};
use java_model::run::JavaRun;
use java_model::values::key_text;
use java_names::names;

/// Of so many entries the one with a key is looked for.
const MOST: usize = 100_000;
/// The fields in which the JDK's maps keep the value of a key.
const VALUES: [&str; 2] = ["value", "val"];

/// An element of a sequence.
pub(super) fn element(
    run: &JavaRun,
    object: ObjectId,
    index: u32,
    at: TraceTime,
) -> Option<(Variable, Value)> {
    let (content, _) = content(run, object, at, index as usize + 1)?;
    let value = match content {
        LibraryContent::Sequence { items, .. } => items.get(index as usize).copied(),
        LibraryContent::Optional(value) => value.filter(|_| index == 0),
        _ => None,
    }?;
    Some((Variable::Object(value.object().unwrap_or(object)), value))
}

/// The value of a key, which is written as questions show it.
pub(super) fn entry(
    run: &JavaRun,
    object: ObjectId,
    key: &str,
    at: TraceTime,
) -> Option<(Variable, Value)> {
    let (content, made_of) = content(run, object, at, MOST)?;
    let entries = match content {
        LibraryContent::Map { entries, .. } => entries,
        LibraryContent::Entry(key, value) => vec![(key, value)],
        _ => return None,
    };
    let is_it = |found: &Value| render_key(run, *found, at).iter().any(|text| text == key);
    let (found, value) = entries.into_iter().find(|(found, _)| is_it(found))?;
    let kept = made_of
        .iter()
        .find_map(|part| slot(run, part.object, found, value, at));
    let itself = Variable::Object(value.object().unwrap_or(object));
    Some((kept.unwrap_or(itself), value))
}

/// A key in short and in full: questions show either.
fn render_key(run: &JavaRun, key: Value, at: TraceTime) -> [String; 2] {
    let usual = Bounds::default();
    let whole = Bounds {
        string: usize::MAX,
        ..usual
    };
    [usual, whole].map(|bounds| key_text(run, key, at, bounds))
}

/// The variable of an inner object that holds the value of this key.
fn slot(
    run: &JavaRun,
    object: ObjectId,
    key: Value,
    value: Value,
    at: TraceTime,
) -> Option<Variable> {
    let fields = run.fields(object, at);
    let holds = |name: &str, held: Value| {
        let mut fields = fields.iter();
        fields.find(|field| &*field.name == name && field.value == held)
    };
    holds("key", key)?;
    let field = VALUES.iter().find_map(|name| holds(name, value))?;
    Some(Variable::Slot {
        object,
        slot: ObjectSlot::Field(run.field(&names::internal(&field.owner), &field.name)?),
    })
}

/// What a collection stands for, and what it is made of.
fn content(
    run: &JavaRun,
    object: ObjectId,
    at: TraceTime,
    limit: usize,
) -> Option<(LibraryContent, Vec<Looked>)> {
    let class = run.thing(object)?.class;
    let heap = NotingHeap::new(run);
    let content = collections::recognise(&heap, object, &run.library_class(&class), at, limit)?;
    Some((content, heap.looked()))
}
