//! A recorded value in the three forms that the tables have of it: as text, as a number where it is one, and as the
//! number of an object.
//!
//! A string's text is its content and a boxed number's its number, so that they can be compared with literals. Other
//! objects are named (`Account#12`): what they held is asked with `state`.

use debug_engine::view::render;
use java_model::run::JavaRun;
use java_model::shown::{self, BRIEF};
use trace_format::{ObjectId, TraceTime, Value};
use trace_store::ObjectContent;

use crate::rows::Cell;

pub(crate) fn text(run: &JavaRun, value: Value) -> Cell<'static> {
    Cell::text(match value {
        Value::Ref(ObjectId::NULL) => "null".to_owned(),
        Value::Ref(object) => text_of_object(run, object),
        Value::Char(unit) => match char::from_u32(u32::from(unit)) {
            Some(character) => character.to_string(),
            None => format!("\\u{unit:04x}"),
        },
        primitive => text_of_primitive(run, primitive),
    })
}

fn text_of_primitive(run: &JavaRun, value: Value) -> String {
    match value {
        Value::Boolean(value) => value.to_string(),
        Value::Byte(value) => value.to_string(),
        Value::Short(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Long(value) => value.to_string(),
        // Java writes floating point in its own way.
        other => render::value(&shown::value(run, other, TraceTime(0), BRIEF), BRIEF),
    }
}

fn text_of_object(run: &JavaRun, object: ObjectId) -> String {
    let described = run.read(run.trace().object(object)).flatten();
    let content = described.map(|described| described.content);
    match content {
        Some(ObjectContent::String { text, .. }) => text,
        Some(ObjectContent::Box(value)) => match text(run, value) {
            Cell::Text(text) => text.into_owned(),
            _ => shown::object_name(run, object),
        },
        Some(ObjectContent::Enum {
            name: Some(name), ..
        }) => name,
        _ => shown::object_name(run, object),
    }
}

/// Booleans and characters are no numbers here, though Java computes with them.
pub(crate) fn number(run: &JavaRun, value: Value) -> Cell<'static> {
    Cell::Number(match value {
        Value::Byte(value) => value.into(),
        Value::Short(value) => value.into(),
        Value::Int(value) => value.into(),
        Value::Float(value) => value.into(),
        #[expect(clippy::cast_precision_loss, reason = "the text has all digits")]
        Value::Long(value) => value as f64,
        Value::Double(value) => value,
        Value::Ref(object) if object != ObjectId::NULL => {
            let described = run.read(run.trace().object(object)).flatten();
            return match described.map(|described| described.content) {
                Some(ObjectContent::Box(value)) => number(run, value),
                _ => Cell::Null,
            };
        }
        Value::Boolean(_) | Value::Char(_) | Value::Ref(_) => return Cell::Null,
    })
}

/// The number under which an object is shown everywhere else.
pub(crate) fn object(run: &JavaRun, value: Value) -> Cell<'static> {
    match value {
        Value::Ref(object) if object != ObjectId::NULL => Cell::count(run.object_number(object)),
        _ => Cell::Null,
    }
}
