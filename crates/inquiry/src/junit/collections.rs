//! The JDK's collections and the like, rebuilt by adding what they held.

use trace_format::{ObjectId, TraceTime, Value};

use super::{Why, literal};
use java_model::collections::{LibraryContent, recognise};
use java_model::heap::Heap as _;
use java_model::run::JavaRun;

/// How an object of the JDK's is made again.
#[derive(Debug)]
pub(super) struct Shape {
    /// The type of its variable.
    pub(super) class: String,
    /// What it holds; of a map, keys and values in turn.
    pub(super) values: Vec<Value>,
    how: How,
}

#[derive(Debug)]
enum How {
    /// `new C()`, then `add`.
    Adding,
    /// `new C()`, then `put`.
    Putting,
    /// `X.of(…)`.
    Given(&'static str),
    Spelled(String),
}

/// Lists and sets that keep what is added, in a way that adding again gives the same.
const ADDED: [&str; 7] = [
    "ArrayList",
    "LinkedList",
    "Vector",
    "ArrayDeque",
    "HashSet",
    "LinkedHashSet",
    "TreeSet",
];
const PUT: [&str; 4] = ["HashMap", "LinkedHashMap", "TreeMap", "Hashtable"];

impl Shape {
    /// The shape of an object; `None` if it is not one of the JDK's.
    pub(super) fn of(
        run: &JavaRun,
        object: ObjectId,
        class: &str,
        at: TraceTime,
        most: usize,
    ) -> Result<Option<Shape>, Why> {
        let Some(content) = recognise(run, object, class, at, most + 1) else {
            return match class.starts_with("java.") {
                true => Err(format!("a {class} cannot be rebuilt")),
                false => Ok(None),
            };
        };
        let short = class.strip_prefix("java.util.").unwrap_or(class);
        let fields = run.fields(object, at);
        let sorted_otherwise = fields
            .iter()
            .any(|field| &*field.name == "comparator" && field.value != Value::NULL);
        if sorted_otherwise || short == "TreeSet" {
            // A TreeSet keeps its comparator in a map that is not ours to look into.
            return Err(format!("a {class} may sort by a comparator"));
        }
        let shape = |class: &str, values, how| {
            Ok(Some(Shape {
                class: class.to_owned(),
                values,
                how,
            }))
        };
        match content {
            LibraryContent::Sequence { total, .. } | LibraryContent::Map { total, .. }
                if total > most as u64 =>
            {
                Err(format!("a {class} of {total} is too long"))
            }
            LibraryContent::Sequence { items, .. } if ADDED.contains(&short) => {
                shape(class, items, How::Adding)
            }
            LibraryContent::Sequence { items, .. } if short == "Arrays$ArrayList" => shape(
                "java.util.List",
                items,
                How::Given("java.util.Arrays.asList"),
            ),
            LibraryContent::Sequence { items, .. }
                if short.starts_with("ImmutableCollections$List") =>
            {
                shape("java.util.List", items, How::Given("java.util.List.of"))
            }
            LibraryContent::Sequence { items, .. }
                if short.starts_with("ImmutableCollections$Set") =>
            {
                shape("java.util.Set", items, How::Given("java.util.Set.of"))
            }
            LibraryContent::Map { entries, .. } if PUT.contains(&short) => {
                let values = entries.into_iter().flat_map(|(key, value)| [key, value]);
                shape(class, values.collect(), How::Putting)
            }
            LibraryContent::Map { entries, .. }
                if short.starts_with("ImmutableCollections$Map") && entries.len() <= 10 =>
            {
                let values = entries.into_iter().flat_map(|(key, value)| [key, value]);
                shape(
                    "java.util.Map",
                    values.collect(),
                    How::Given("java.util.Map.of"),
                )
            }
            LibraryContent::Optional(Some(value)) => shape(
                "java.util.Optional",
                vec![value],
                How::Given("java.util.Optional.of"),
            ),
            LibraryContent::Optional(None) => shape(
                "java.util.Optional",
                Vec::new(),
                How::Given("java.util.Optional.empty"),
            ),
            LibraryContent::Text(text) => {
                shape(class, Vec::new(), How::Spelled(literal::string(&text)))
            }
            LibraryContent::Printed(text) if class.starts_with("java.math.") => {
                shape(class, Vec::new(), How::Spelled(literal::string(&text)))
            }
            _ => Err(format!("a {class} cannot be rebuilt")),
        }
    }

    /// Whether two of them with the same content are equal to each other in Java.
    pub(super) fn has_equals(&self) -> bool {
        let short = self.class.strip_prefix("java.util.").unwrap_or(&self.class);
        short != "ArrayDeque" && !self.class.starts_with("java.lang.StringBu")
    }

    /// The text that it is made from, as a literal.
    pub(super) fn spelled(&self) -> Option<String> {
        match &self.how {
            How::Spelled(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// What makes it, and the calls that fill it, from the expressions of its values.
    pub(super) fn source(&self, values: &[String]) -> (String, Vec<String>) {
        let class = &self.class;
        match &self.how {
            How::Adding => {
                let calls = values.iter().map(|value| format!("add({value})"));
                (format!("new {class}()"), calls.collect())
            }
            How::Putting => {
                let calls = values
                    .chunks(2)
                    .map(|pair| format!("put({})", pair.join(", ")));
                (format!("new {class}()"), calls.collect())
            }
            How::Given(method) => (format!("{method}({})", values.join(", ")), Vec::new()),
            How::Spelled(text) => (format!("new {class}({text})"), Vec::new()),
        }
    }
}
