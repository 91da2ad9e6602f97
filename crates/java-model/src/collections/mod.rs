//! Recognises the JDK's collections and the like, and some of widespread libraries, by their recorded fields.
//!
//! Their insides (an `elementData`, a table of buckets) say little to a person and differ between
//! runs that mean the same. What is recognised here is shown, and compared, as the sequence, the
//! map or the text that it stands for. An object whose fields are not in the trace is not
//! recognised, and stays opaque.

mod addresses;
mod concurrent;
mod guava;
mod immutable;
mod languages;
mod look;
mod maps;
mod numbers;
mod sequences;
#[cfg(test)]
mod tests;
mod text;
mod times;

use trace_format::{ObjectId, TraceTime, Value};

use super::heap::Heap;
use look::Look;

/// What an object of the JDK's stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum LibraryContent {
    /// Lists, queues, and sets in an order of their own.
    Sequence {
        items: Vec<Value>,
        total: u64,
        ordered: bool,
    },
    /// Maps; `ordered` if the order means something.
    Map {
        entries: Vec<(Value, Value)>,
        total: u64,
        ordered: bool,
    },
    /// `Map.Entry`.
    Entry(Value, Value),
    /// `StringBuilder`.
    Text(String),
    /// `Optional`: one value or none.
    Optional(Option<Value>),
    /// `AtomicReference`.
    Reference(Value),
    /// `AtomicInteger`, `LongAdder`.
    Primitive(Value),
    /// A number or a name as Java prints it.
    Printed(String),
}

impl LibraryContent {
    /// All items of a sequence.
    fn sequence(items: Vec<Value>, ordered: bool) -> Self {
        LibraryContent::Sequence {
            total: items.len() as u64,
            items,
            ordered,
        }
    }

    /// All entries of a map.
    fn map(entries: Vec<(Value, Value)>, ordered: bool) -> Self {
        LibraryContent::Map {
            total: entries.len() as u64,
            entries,
            ordered,
        }
    }
}

/// Whether objects of a class may be recognised.
pub(crate) fn is_known_library(class: &str) -> bool {
    let begins = |part: &str| class.starts_with(part);
    begins("java.") || begins("sun.") || begins(guava::PACKAGE) || is_of_language(class)
}

fn is_of_language(class: &str) -> bool {
    [languages::SCALA, languages::KOTLIN]
        .iter()
        .any(|part| class.starts_with(part))
}

/// What an object of this class stands for, with up to `limit` items; `None` if it is nothing
/// that we know, or its fields are not recorded.
pub fn recognise(
    heap: &(impl Heap + ?Sized),
    object: ObjectId,
    class: &str,
    at: TraceTime,
    limit: usize,
) -> Option<LibraryContent> {
    if !is_known_library(class) {
        return None;
    }
    let look = Look::new(heap, at, limit);
    match class {
        _ if class.starts_with(guava::PACKAGE) => guava::content(&look, &look.parts(object), class),
        _ if is_of_language(class) => languages::content(&look, Value::Ref(object), class),
        "java.util.Date" => {
            times::date_printed(&look, &look.parts(object)).map(LibraryContent::Printed)
        }
        "java.util.Calendar" | "java.util.GregorianCalendar" => {
            times::calendar_printed(&look.parts(object)).map(LibraryContent::Printed)
        }
        "java.util.regex.Pattern" => {
            let pattern = look.parts(object).object("pattern")?;
            look.text(pattern).map(LibraryContent::Text)
        }
        "java.util.Currency" | "java.util.Locale" | "java.io.File" | "java.net.URI"
        | "java.net.URL" => {
            addresses::printed(&look, &look.parts(object), class).map(LibraryContent::Printed)
        }
        _ if class.starts_with("sun.nio.") => {
            addresses::printed(&look, &look.parts(object), class).map(LibraryContent::Printed)
        }
        _ if class.starts_with("java.time.") => {
            let short = &class["java.time.".len()..];
            times::printed(&look, &look.parts(object), short).map(LibraryContent::Printed)
        }
        "java.lang.StringBuilder" | "java.lang.StringBuffer" => text::builder(&look, object),
        "java.math.BigInteger" | "java.math.BigDecimal" | "java.util.UUID" => {
            numbers::printed(&look, &look.parts(object), class)
        }
        _ => {
            let short = class.strip_prefix("java.util.")?;
            let parts = look.parts(object);
            match short.strip_prefix("concurrent.") {
                Some(short) => concurrent::content(&look, &parts, short),
                None => sequences::content(&look, &parts, short)
                    .or_else(|| maps::content(&look, &parts, short))
                    .or_else(|| immutable::content(&look, &parts, short)),
            }
        }
    }
}
