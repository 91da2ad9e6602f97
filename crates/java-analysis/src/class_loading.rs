//! What class loaders note of the classes that they load. That happens in the middle of a call that is
//! the first to need a class, in an order that is the JVM's affair, and says nothing about the call.

use trace_format::event::{Write, WriteTarget};
use trace_format::{ObjectId, Value};
use trace_store::{ObjectContent, Trace};

/// Whether a class loader has noted a class that it loaded.
pub fn notes_class(trace: &Trace, write: &Write<'_>) -> bool {
    let (WriteTarget::Field { value, .. } | WriteTarget::Element { value, .. }) = write.target
    else {
        return false;
    };
    let content = |object| Some(trace.object(object).ok()??.content);
    let is_class = |value: &Value| {
        let object = value.object();
        matches!(object.and_then(content), Some(ObjectContent::Class { .. }))
    };
    write.by_library
        && match value.object().and_then(content) {
            Some(ObjectContent::Class { .. }) => true,
            Some(ObjectContent::Array { elements, .. }) => elements.first().is_some_and(is_class),
            _ => false,
        }
}

/// Whether library code wrote to something that recorded code has never come to see, as a class loader's
/// list is.
pub fn is_out_of_sight(trace: &Trace, write: &Write<'_>) -> bool {
    let is_unknown = |object: ObjectId| matches!(trace.object(object), Ok(None));
    write.by_library
        && match write.target {
            WriteTarget::Field { object, .. } => is_unknown(object),
            WriteTarget::Element { array, .. } => is_unknown(array),
            WriteTarget::Range(range) => is_unknown(range.array),
            WriteTarget::Static { .. } => false,
        }
}
