//! Java values as a person reads them.
//!
//! A value is followed as deep and as wide as the bounds allow; every cut says how much is
//! missing. An object that contains itself is not followed again, and no view holds more than a
//! fixed number of values, whatever its shape.

use debug_engine::view::render::Bounds;
use debug_engine::view::{ChildView, Label, ValueKind, ValueView};
use trace_format::secret::MASK;
use trace_format::{ObjectId, TraceTime, Value};

use super::collections::{self, Content};
use super::heap::{FieldValue, Heap, Thing, ThingKind};
use super::names;
use super::touched::Touched;

/// No view holds more values than this. In a run of a hundred million calls each is found in a few
/// microseconds, and a question should be there in a twentieth of a second.
const MOST_VALUES: usize = 8_000;

/// Makes views of values at one time.
pub struct Viewer<'heap, H: Heap + ?Sized> {
    heap: &'heap H,
    at: TraceTime,
    bounds: Bounds,
    left: usize,
    /// What the call that the values are shown for touched.
    touched: Option<&'heap Touched>,
    /// The objects that the value now being made lies in.
    inside: Vec<ObjectId>,
}

impl<'heap, H: Heap + ?Sized> Viewer<'heap, H> {
    pub fn new(heap: &'heap H, at: TraceTime, bounds: Bounds) -> Self {
        Viewer {
            heap,
            at,
            bounds,
            left: MOST_VALUES,
            touched: None,
            inside: Vec::new(),
        }
    }

    /// Marks the fields that a call touched.
    #[must_use]
    pub(super) fn marking(self, touched: &'heap Touched) -> Self {
        Viewer {
            touched: Some(touched),
            ..self
        }
    }

    /// The view of one value.
    pub fn view(&mut self, value: Value) -> ValueView {
        self.left = self.left.saturating_sub(1);
        match value {
            Value::Ref(ObjectId::NULL) => ValueView::null(),
            Value::Ref(object) => self.object(object),
            plain => ValueView::primitive(primitive(plain)),
        }
    }

    /// An exception, its message as its text.
    pub fn exception(&mut self, object: ObjectId) -> ValueView {
        let thing = self.heap.thing(object);
        let (class, message) = match thing {
            Some(Thing {
                class,
                kind: ThingKind::Throwable { message },
            }) => (class, message),
            Some(Thing { class, .. }) => (class, None),
            None => ("an exception that was not described".to_owned(), None),
        };
        let text = message
            .map(|message| quoted(&message, 0))
            .unwrap_or_default();
        self.named(ValueView::leaf(ValueKind::Opaque, text), &class, object)
    }

    fn object(&mut self, object: ObjectId) -> ValueView {
        let Some(thing) = self.heap.thing(object) else {
            return self.named(
                ValueView::leaf(ValueKind::Opaque, ""),
                "java.lang.Object",
                object,
            );
        };
        match thing.kind {
            ThingKind::Text { text, missing } => ValueView::string(quoted(&text, missing)),
            ThingKind::Boxed(value) => ValueView::primitive(primitive(value)),
            ThingKind::Constant { name } => ValueView::primitive(name),
            ThingKind::ClassObject { name } => {
                ValueView::primitive(format!("{}.class", names::simple_class(&name)))
            }
            ThingKind::Throwable { .. } => self.exception(object),
            ThingKind::Masked if thing.class == "java.lang.String" => ValueView::string(MASK),
            ThingKind::Masked => self.named(ValueView::string(MASK), &thing.class, object),
            ThingKind::Array => self.array(object, &thing.class),
            ThingKind::Fields | ThingKind::Opaque => self.composite(object, &thing),
        }
    }

    fn array(&mut self, array: ObjectId, class: &str) -> ValueView {
        let elements = self.heap.elements(array, self.at, 0, self.limit());
        let truth = class == "[Z";
        let values = elements.values.into_iter().map(|value| match value {
            Value::Byte(bit) if truth => Value::Boolean(bit != 0),
            other => other,
        });
        let mut view = self.sequence(array, class, values.collect(), elements.length);
        if let Some(touched) = self.touched {
            for (index, child) in view.children.iter_mut().enumerate() {
                child.used = touched.has_element(array, index);
            }
        }
        view
    }

    /// A collection as what it stands for, anything else with its fields.
    fn composite(&mut self, object: ObjectId, thing: &Thing) -> ValueView {
        let library = self.heap.library_class(&thing.class);
        let content = collections::recognise(self.heap, object, &library, self.at, self.limit());
        match content {
            Some(Content::Sequence { items, total, .. }) => {
                self.sequence(object, &thing.class, items, total)
            }
            Some(Content::Map { entries, total, .. }) => {
                self.entries(ValueKind::Map, object, &thing.class, &entries, total)
            }
            Some(Content::Entry(key, value)) => {
                self.entries(ValueKind::Entry, object, &thing.class, &[(key, value)], 1)
            }
            Some(Content::Text(text)) => {
                let text = ValueView::string(quoted(&text, 0));
                self.named(text, &thing.class, object)
            }
            Some(Content::Printed(text)) => {
                self.named(ValueView::primitive(text), &thing.class, object)
            }
            Some(Content::Primitive(value)) => {
                let value = ValueView::primitive(primitive(value));
                self.named(value, &thing.class, object)
            }
            Some(Content::Reference(value)) => {
                let child = vec![(Label::Field("value".into()), value)];
                self.followed(ValueKind::Object, object, &thing.class, child, 1)
            }
            Some(Content::Optional(value)) => self.optional(object, &thing.class, value),
            None if thing.kind == ThingKind::Opaque => {
                let text = self.said(object, &thing.class);
                self.named(
                    ValueView::leaf(ValueKind::Opaque, text),
                    &thing.class,
                    object,
                )
            }
            None => {
                let fields = self.heap.fields(object, self.at);
                let total = fields.len() as u64;
                let touched = self.touched;
                let is_used = |field| touched.is_some_and(|touched| touched.has(object, field));
                let used: Vec<bool> = fields.iter().map(is_used).collect();
                let parts = fields
                    .into_iter()
                    .map(|field| (field_label(&field), field.value))
                    .collect();
                let mut view = self.followed(ValueKind::Object, object, &thing.class, parts, total);
                for (child, used) in view.children.iter_mut().zip(used) {
                    child.used = used;
                }
                view.text = self.said(object, &thing.class);
                view
            }
        }
    }

    /// What the object says of itself; empty if that is not to be shown, or not known.
    fn said(&self, object: ObjectId, class: &str) -> String {
        let said = self.heap.said(object, class, self.at);
        said.map(|text| escaped(&text, '\0')).unwrap_or_default()
    }

    fn sequence(
        &mut self,
        object: ObjectId,
        class: &str,
        items: Vec<Value>,
        total: u64,
    ) -> ValueView {
        let parts = (0..).map(Label::Index).zip(items).collect();
        self.followed(ValueKind::Array, object, class, parts, total)
    }

    fn entries(
        &mut self,
        kind: ValueKind,
        object: ObjectId,
        class: &str,
        entries: &[(Value, Value)],
        total: u64,
    ) -> ValueView {
        let mut keys = Viewer {
            bounds: Bounds {
                depth: 1,
                ..self.bounds
            },
            ..Viewer::new(self.heap, self.at, self.bounds)
        };
        let parts = entries
            .iter()
            .map(|&(key, value)| {
                let key = debug_engine::view::render::value(&keys.view(key), keys.bounds);
                (Label::Key(key), value)
            })
            .collect();
        self.followed(kind, object, class, parts, total)
    }

    /// `Optional[x]`, `Optional.empty`
    fn optional(&mut self, object: ObjectId, class: &str, value: Option<Value>) -> ValueView {
        let name = names::simple_class(class);
        let Some(value) = value else {
            let empty = ValueView::primitive(format!("{name}.empty"));
            return self.named(empty, class, object);
        };
        let mut view = self.sequence(object, class, vec![value], 1);
        view.text = name.to_owned();
        view
    }

    /// A value with its parts, unless it lies too deep or inside itself.
    fn followed(
        &mut self,
        kind: ValueKind,
        object: ObjectId,
        class: &str,
        mut parts: Vec<(Label, Value)>,
        total: u64,
    ) -> ValueView {
        let mut view = self.named(ValueView::leaf(kind, ""), class, object);
        if self.inside.contains(&object) {
            return view;
        }
        if self.inside.len() >= self.bounds.depth {
            parts.clear();
        }
        parts.truncate(self.limit().min(self.left));
        view.truncated = total.saturating_sub(parts.len() as u64);
        self.inside.push(object);
        view.children = parts
            .into_iter()
            .map(|(label, value)| ChildView::new(label, self.view(value)))
            .collect();
        self.inside.pop();
        view
    }

    fn named(&self, view: ValueView, class: &str, object: ObjectId) -> ValueView {
        ValueView {
            class: Some(class_label(class)),
            id: Some(self.heap.number(object)),
            ..view
        }
    }

    fn limit(&self) -> usize {
        self.bounds.width
    }
}

/// The class as it is shown: arrays as in source, lambdas without their changing number.
pub(crate) fn class_label(class: &str) -> String {
    if let Some((host, _)) = class.split_once("$$Lambda") {
        return format!("{host}.lambda");
    }
    match class.strip_prefix('[') {
        Some(element) => format!("{}[]", element_label(element)),
        None => names::nested(class),
    }
}

fn element_label(descriptor: &str) -> String {
    match descriptor {
        "Z" => "boolean".to_owned(),
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "S" => "short".to_owned(),
        "I" => "int".to_owned(),
        "F" => "float".to_owned(),
        "J" => "long".to_owned(),
        "D" => "double".to_owned(),
        nested if nested.starts_with('[') => class_label(nested),
        class => class
            .trim_start_matches('L')
            .trim_end_matches(';')
            .to_owned(),
    }
}

/// Compiler-made fields under the names that a person knows.
fn field_label(field: &FieldValue) -> Label {
    let name = &field.name;
    Label::Field(if name.starts_with("this$") {
        "outer".to_owned()
    } else {
        name.strip_prefix("val$").unwrap_or(name).to_owned()
    })
}

/// A primitive value as Java prints it; chars in quotes.
#[must_use]
pub fn primitive(value: Value) -> String {
    match value {
        Value::Boolean(value) => value.to_string(),
        Value::Byte(value) => value.to_string(),
        Value::Short(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Long(value) => value.to_string(),
        Value::Float(value) => {
            floating(f64::from(value), &value.to_string(), &format!("{value:E}"))
        }
        Value::Double(value) => floating(value, &value.to_string(), &format!("{value:E}")),
        Value::Char(unit) => {
            let text = String::from_utf16_lossy(&[unit]);
            format!("'{}'", escaped(&text, '\''))
        }
        Value::Ref(object) => format!("#{}", object.0),
    }
}

/// Java prints `1.0`, `1.0E10`, `NaN`, `Infinity`.
fn floating(value: f64, plain: &str, scientific: &str) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let size = value.abs();
    if size == 0.0 || (1e-3..1e7).contains(&size) {
        return if plain.contains('.') {
            plain.to_owned()
        } else {
            format!("{plain}.0")
        };
    }
    match scientific.split_once('E') {
        Some((digits, _)) if digits.contains('.') => scientific.to_owned(),
        Some((digits, exponent)) => format!("{digits}.0E{exponent}"),
        None => scientific.to_owned(),
    }
}

/// A string in quotes, with a note about what was not recorded.
#[must_use]
pub fn quoted(text: &str, missing: u64) -> String {
    let text = escaped(text, '"');
    if missing == 0 {
        format!("\"{text}\"")
    } else {
        format!("\"{text}\"…(+{missing} not recorded)")
    }
}

fn escaped(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            sign if sign == quote => {
                out.push('\\');
                out.push(sign);
            }
            sign if sign.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(sign))),
            sign => out.push(sign),
        }
    }
    out
}

#[cfg(test)]
mod tests;
