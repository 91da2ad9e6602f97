//! Values of a frame and variables of the heap, made readable.
//!
//! Code does not tell small integer types apart and names string constants by their content; what
//! a variable is declared as says the rest.

use debug_engine::NodeId;
use debug_engine::view::ValueView;
use debug_engine::view::render::{Bounds, Purpose};
use frame_replay::{Datum, MethodCode, Slot};
use trace_format::{EventPosition, FieldId, ObjectId, ThreadNumber, TraceTime, Value};

use super::heap::Heap as _;
use super::run::JavaRun;
use super::snapshot::Held;
use super::values;
use super::values::{Viewer, quoted};
use java_names::names;

/// How much of a value is shown beside an event.
pub const BRIEF: Bounds = Bounds {
    width: 12,
    depth: 2,
    string: 60,
    length: 120,
    changes: 3,
    calls: 3,
    rows: usize::MAX,
    purpose: Purpose::Line,
};

/// The bounds of a call that is one line of many, in a list whose values have these.
pub fn in_list(bounds: Bounds) -> Bounds {
    Bounds {
        length: bounds.length.min(BRIEF.length),
        rows: usize::MAX,
        purpose: Purpose::Line,
        ..bounds
    }
}

/// The value of a variable at a time.
#[must_use]
pub fn value(run: &JavaRun, value: Value, at: TraceTime, bounds: Bounds) -> ValueView {
    Viewer::new(run, at, bounds).view(value)
}

/// What a slot of a frame holds, as the type says that its variable has.
#[must_use]
pub fn slot(
    run: &JavaRun,
    code: Option<&MethodCode>,
    slot: Slot,
    descriptor: &str,
    at: TraceTime,
    bounds: Bounds,
) -> ValueView {
    match held(code, slot, descriptor) {
        Held::Value(found) => value(run, found, at, bounds),
        Held::Text(view) => view,
    }
}

/// The same, before it is looked up in the heap.
pub fn held(code: Option<&MethodCode>, slot: Slot, descriptor: &str) -> Held {
    Held::Text(match slot.datum() {
        Datum::Value(found) => return Held::Value(typed(found, descriptor)),
        Datum::Constant(number) => match code.and_then(|code| code.constant(number)) {
            Some(constant) if constant.is_class => {
                ValueView::primitive(format!("{}.class", names::simple_class(&constant.text)))
            }
            Some(constant) => ValueView::string(quoted(&constant.text, 0)),
            None => opaque("a constant"),
        },
        Datum::Uninitialized => opaque("an object that is not initialised yet"),
        Datum::ReturnAddress(_) => opaque("a return address"),
        Datum::Empty => opaque("nothing"),
    })
}

/// A value as its type says: code computes with ints where a variable is a `char`.
#[must_use]
pub fn typed(found: Value, descriptor: &str) -> Value {
    let Value::Int(number) = found else {
        return found;
    };
    match descriptor.as_bytes().first() {
        Some(b'Z') => Value::Boolean(number != 0),
        Some(b'C') => Value::Char(number as u16),
        Some(b'B') => Value::Byte(number as i8),
        Some(b'S') => Value::Short(number as i16),
        _ => found,
    }
}

/// An element of an array: those of `boolean[]` are recorded as bytes.
#[must_use]
pub fn element(run: &JavaRun, array: ObjectId, found: Value) -> Value {
    match found {
        Value::Byte(bit) if class_of(run, array).as_deref() == Some("[Z") => {
            Value::Boolean(bit != 0)
        }
        other => other,
    }
}

/// `Account#12`, `int[]#7`: what identifies an object.
#[must_use]
pub fn object_name(run: &JavaRun, object: ObjectId) -> String {
    let class = class_of(run, object);
    let label = class.map_or("Object".to_owned(), |class| values::class_label(&class));
    let simple = label.rsplit('.').next().unwrap_or(&label);
    let simple = if label.contains("lambda") {
        "lambda"
    } else {
        simple
    };
    format!("{simple}#{}", run.number(object))
}

#[must_use]
pub fn field_name(run: &JavaRun, field: FieldId) -> String {
    let symbol = run.trace().symbols().field(field);
    symbol.map_or("?".to_owned(), |symbol| symbol.name.clone())
}

/// `Main.total`.
#[must_use]
pub fn static_name(run: &JavaRun, field: FieldId) -> String {
    match run.trace().symbols().field(field) {
        Some(symbol) => format!("{}.{}", names::simple_class(&symbol.owner), symbol.name),
        None => "?".to_owned(),
    }
}

/// The source file of a node's call, by its name.
#[must_use]
pub fn file(run: &JavaRun, node: NodeId) -> Option<String> {
    let class = run.method_names(run.method(node)).class;
    run.classes().get(class)?.source_file.clone()
}

/// The time of a position; the end of the run if it cannot be told.
#[must_use]
pub fn time(run: &JavaRun, thread: ThreadNumber, position: EventPosition) -> TraceTime {
    let time = run.trace().time(thread, position);
    time.unwrap_or(TraceTime(u64::MAX >> 1))
}

/// The class of an object as `Class.getName` gives it.
#[must_use]
pub fn class_of(run: &JavaRun, object: ObjectId) -> Option<String> {
    run.read(run.trace().class_of(object))??.1
}

fn opaque(text: &str) -> ValueView {
    ValueView::leaf(debug_engine::view::ValueKind::Opaque, text)
}
