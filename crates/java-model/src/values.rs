//! Java values as a person reads them.
//!
//! A value is followed as deep and as wide as the bounds allow; every cut says how much is
//! missing. An object that contains itself is not followed again, and no view holds more than a
//! fixed number of values, whatever its shape. Where it is known which objects a call wrote to, most of
//! that number is theirs: they are followed beyond the bounds, so that no change is overlooked.

use std::collections::HashSet;
use std::sync::Arc;

use debug_engine::view::render::{self, Bounds};
use debug_engine::view::{ChildView, Label, ValueKind, ValueView};
use trace_format::secret::MASK;
use trace_format::{ObjectId, TraceTime, Value};

use super::captured::{Capture, CapturedNode, CapturedSlot};
use super::collections::{self, LibraryContent};
use super::heap::{FieldValue, Heap, KnownElements, Thing, ThingKind, UNKNOWN_CLASS};
use super::noting_heap::NotingHeap;
use super::share::Share;
use super::touched::Touched;
use super::written::WrittenObjects;
use java_names::names;

pub(crate) use super::value_text::class_label;
use super::value_text::{escaped, field_label};
pub use super::value_text::{primitive, quoted};

/// No view holds more values than this, if it is not known what was written. In a run of a hundred million calls each
/// is found in a few microseconds, and a question should be there in a twentieth of a second.
const MOST_VALUES: usize = 3_000;
/// If it is known what was written, so many are spent on objects that nobody wrote to, and so many on the others.
const MOST_UNWRITTEN: usize = 1_500;
const MOST_WRITTEN: usize = 6_000;
/// What it has of its own, its name and number, is told by its name.
const ENUM: &str = "java.lang.Enum";
/// What records extend.
const RECORD: &str = "java.lang.Record";
/// No more values of one key are followed.
const LONGEST_KEY: usize = 100;
/// Among so many elements those that were written are looked for.
const WIDEST: usize = 5_000;
/// The same for one line of many: each of them would else cost as much as there is in the largest collection.
const WIDEST_IN_LINE: usize = 64;

/// A field or an element.
struct Part {
    label: Label,
    /// `None` if it is not known what it holds.
    value: Option<Value>,
    /// The variable that holds it.
    slot: CapturedSlot,
}

impl Part {
    fn of_field(field: &FieldValue) -> Part {
        Part {
            label: field_label(&field.name),
            value: Some(field.value),
            slot: CapturedSlot::Field(Arc::clone(&field.owner), Arc::clone(&field.name)),
        }
    }

    /// Something that a collection stands for: which variable of its inside holds it is nobody's question.
    fn inner(label: Label, value: Value) -> Part {
        Part {
            label,
            value: Some(value),
            slot: CapturedSlot::Unnamed,
        }
    }
}

/// Makes views of values at one time.
pub struct Viewer<'heap, H: Heap + ?Sized> {
    heap: &'heap H,
    at: TraceTime,
    bounds: Bounds,
    left: usize,
    /// Values beyond these that objects have which were written to.
    left_for_written: usize,
    written: Option<&'heap WrittenObjects>,
    /// Collections with something written in what they are made of.
    written_collections: HashSet<ObjectId>,
    /// What the call that the values are shown for touched.
    touched: Option<&'heap Touched>,
    /// How deep the keys of maps are followed: as a part of another key not at all, or one that holds itself would
    /// have no end.
    key_depth: usize,
    /// The objects that the value now being made lies in.
    inside: Vec<ObjectId>,
    /// What each value of the view is in the heap, in the view's preorder.
    captured: Vec<CapturedNode>,
}

impl<'heap, H: Heap + ?Sized> Viewer<'heap, H> {
    pub fn new(heap: &'heap H, at: TraceTime, bounds: Bounds) -> Self {
        Viewer {
            heap,
            at,
            bounds,
            left: MOST_VALUES,
            left_for_written: 0,
            written: None,
            written_collections: HashSet::new(),
            touched: None,
            key_depth: 1,
            inside: Vec::new(),
            captured: Vec::new(),
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

    /// Follows what was written before anything else.
    #[must_use]
    pub(super) fn looking_for(self, written: Option<&'heap WrittenObjects>) -> Self {
        if written.is_none() {
            return self;
        }
        Viewer {
            left: MOST_UNWRITTEN,
            left_for_written: MOST_WRITTEN,
            written,
            ..self
        }
    }

    /// Follows no more values than these.
    #[must_use]
    fn at_most(self, values: usize) -> Self {
        Viewer {
            left: self.left.min(values),
            left_for_written: self.left_for_written.min(values),
            ..self
        }
    }

    /// Captures a value that takes its share of what is followed for several.
    pub(super) fn share(self, share: &Share, value: Value) -> Capture {
        let mut viewer = self.at_most(share.next());
        let room = viewer.left + viewer.left_for_written;
        let view = viewer.view(value);
        share.took(room - viewer.left - viewer.left_for_written);
        Capture {
            view,
            nodes: viewer.captured,
        }
    }

    /// Captures one value.
    pub(super) fn capture(mut self, value: Value) -> Capture {
        let view = self.view(value);
        Capture {
            view,
            nodes: self.captured,
        }
    }

    /// The view of one value.
    pub fn view(&mut self, value: Value) -> ValueView {
        self.view_in(CapturedSlot::Unnamed, value)
    }

    /// The view of what a variable holds.
    fn view_in(&mut self, slot: CapturedSlot, value: Value) -> ValueView {
        self.captured.push(CapturedNode {
            object: value.object().filter(|object| !object.is_null()),
            slot,
        });
        let left = match self.left {
            0 => &mut self.left_for_written,
            _ => &mut self.left,
        };
        *left = left.saturating_sub(1);
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

    /// An object, or why it cannot be read.
    fn object(&mut self, object: ObjectId) -> ValueView {
        let captured = self.captured.len();
        let view = self.described(object);
        match self.trouble(object) {
            Some(reason) => {
                self.captured.truncate(captured);
                self.named(ValueView::unreadable(&*reason), UNKNOWN_CLASS, object)
            }
            None => view,
        }
    }

    /// Why an object, or what a collection is made of, cannot be read.
    fn trouble(&self, object: ObjectId) -> Option<Arc<str>> {
        if !self.heap.has_troubles() {
            return None;
        }
        let own = self.heap.trouble(object);
        own.or_else(|| {
            let class = self.heap.thing(object)?.class;
            let heap = NotingHeap::new(self.heap);
            let library = self.heap.library_class(&class);
            collections::recognise(&heap, object, &library, self.at, self.bounds.width);
            let looked = heap.looked();
            looked
                .iter()
                .find_map(|part| self.heap.trouble(part.object))
        })
    }

    fn described(&mut self, object: ObjectId) -> ValueView {
        let Some(thing) = self.heap.thing(object) else {
            return self.named(
                ValueView::leaf(ValueKind::Opaque, ""),
                UNKNOWN_CLASS,
                object,
            );
        };
        match thing.kind {
            ThingKind::Text { text, missing } => ValueView::string(quoted(&text, missing)),
            ThingKind::Boxed(value) => ValueView::primitive(primitive(value)),
            ThingKind::Constant { name } => self.constant(object, &thing.class, name),
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

    /// A constant of an enum. It is opened where the call that it is shown for touched one of its fields, or wrote to
    /// it: everywhere else its name says all there is to know.
    fn constant(&mut self, object: ObjectId, class: &str, name: String) -> ValueView {
        let plain = ValueView {
            class: Some(class_label(class)),
            ..ValueView::leaf(ValueKind::Constant, name)
        };
        let is_followed = self.touched.is_some() || self.written.is_some();
        if !is_followed || !self.is_opened() {
            return plain;
        }
        let fields = self.heap.fields(object, self.at);
        let own: Vec<_> = fields.iter().filter(|it| &*it.owner != ENUM).collect();
        let touched = self.touched;
        let is_used = |field: &FieldValue| touched.is_some_and(|it| it.has(object, field));
        let used: Vec<bool> = own.iter().map(|field| is_used(field)).collect();
        let is_meant = used.contains(&true) || self.is_written(Value::Ref(object));
        if own.is_empty() || !is_meant {
            return plain;
        }
        let parts: Vec<Part> = own.into_iter().map(Part::of_field).collect();
        let total = parts.len() as u64;
        let mut view = self.followed(ValueKind::Constant, object, class, parts, total);
        for (child, used) in view.children.iter_mut().zip(used) {
            child.used = used;
        }
        ValueView {
            text: plain.text,
            ..view
        }
    }

    fn array(&mut self, array: ObjectId, class: &str) -> ValueView {
        let holds_objects = class.starts_with("[L") || class.starts_with("[[");
        let limit = match self.is_opened() {
            true if holds_objects => self.widest(),
            true => self.bounds.width,
            false => 0,
        };
        let KnownElements { length, values } = self.heap.elements_if_known(array, self.at, limit);
        let truth = class == "[Z";
        let shown = |value| match value {
            Value::Byte(bit) if truth => Value::Boolean(bit != 0),
            other => other,
        };
        let element = |index: u32, value| Part {
            label: Label::Index(index.into()),
            value,
            slot: CapturedSlot::Element(index),
        };
        let values = (0..).zip(values);
        let parts = values
            .map(|(index, value)| element(index, value.map(shown)))
            .collect();
        let mut parts = self.first_and_written(parts, self.bounds.width);
        if let Some(written) = self.written {
            let width = u32::try_from(self.bounds.width).unwrap_or(u32::MAX);
            for index in written.elements_from(array, width) {
                let at = u64::from(index);
                let place = parts.partition_point(|part| part.label < Label::Index(at));
                let there = parts.get(place);
                let is_there = there.is_some_and(|part| part.label == Label::Index(at));
                let values = self.heap.elements(array, self.at, index as usize, 1).values;
                if !is_there && let Some(&value) = values.first() {
                    parts.insert(place, element(index, Some(shown(value))));
                }
            }
        }
        let mut view = self.followed(ValueKind::Array, array, class, parts, length);
        if let Some(touched) = self.touched {
            for child in &mut view.children {
                if let Label::Index(index) = child.label {
                    child.used = touched.has_element(array, index);
                }
            }
        }
        view
    }

    /// Of these parts so many of the first, and those that hold something that was written.
    fn first_and_written(&self, mut parts: Vec<Part>, first: usize) -> Vec<Part> {
        let mut number = 0;
        parts.retain(|part| {
            number += 1;
            number <= first || part.value.is_some_and(|value| self.is_written(value))
        });
        parts
    }

    fn is_written(&self, value: Value) -> bool {
        matches!((self.written, value), (Some(written), Value::Ref(object)) if written.has(object))
    }

    /// How many parts of a collection are shown.
    fn width_of(&self, collection: ObjectId) -> usize {
        if self.written_collections.contains(&collection) {
            self.widest()
        } else {
            self.bounds.width
        }
    }

    /// How many parts of something are looked at.
    fn widest(&self) -> usize {
        match self.written {
            Some(_) if self.bounds.purpose.is_brief() => self.bounds.width.max(WIDEST_IN_LINE),
            Some(_) => self.bounds.width.max(WIDEST),
            None => self.bounds.width,
        }
    }

    /// A collection as what it stands for, anything else with its fields.
    fn composite(&mut self, object: ObjectId, thing: &Thing) -> ValueView {
        let library = match collections::is_known_library(&thing.class) {
            true => thing.class.clone(),
            false => self.heap.library_class(&thing.class),
        };
        let content = self.content(object, &library);
        match content {
            Some(LibraryContent::Sequence { items, total, .. }) => {
                self.sequence(object, &thing.class, items, total)
            }
            Some(LibraryContent::Map { entries, total, .. }) => {
                self.entries(ValueKind::Map, object, &thing.class, entries, total)
            }
            Some(LibraryContent::Entry(key, value)) => self.entries(
                ValueKind::Entry,
                object,
                &thing.class,
                vec![(key, value)],
                1,
            ),
            Some(LibraryContent::Text(text)) => {
                let text = ValueView::string(quoted(&text, 0));
                self.named(text, &thing.class, object)
            }
            Some(LibraryContent::Printed(text)) => {
                self.named(ValueView::primitive(text), &thing.class, object)
            }
            Some(LibraryContent::Primitive(value)) => {
                let value = ValueView::primitive(primitive(value));
                self.named(value, &thing.class, object)
            }
            Some(LibraryContent::Reference(value)) => {
                let child = vec![Part::inner(Label::Field("value".into()), value)];
                self.followed(ValueKind::Object, object, &thing.class, child, 1)
            }
            Some(LibraryContent::Optional(value)) => self.optional(object, &thing.class, value),
            None if thing.kind == ThingKind::Opaque => {
                let text = match self.heap.lambda(object, &thing.class) {
                    Some(lambda) => lambda.to_string(),
                    None => self.said(object, &thing.class),
                };
                self.named(
                    ValueView::leaf(ValueKind::Opaque, text),
                    &thing.class,
                    object,
                )
            }
            // How the JDK's objects are made is nobody's question.
            None if library == thing.class
                && !self.heap.unknown_fields(object, self.at).is_empty() =>
            {
                let unknown = ValueView::leaf(ValueKind::Opaque, "?");
                self.named(unknown, &thing.class, object)
            }
            None if !self.is_opened() => {
                let fields = self.heap.count_fields(object, self.at);
                let mut view = self.followed(
                    ValueKind::Object,
                    object,
                    &thing.class,
                    Vec::new(),
                    fields as u64,
                );
                view.text = self.said(object, &thing.class);
                view
            }
            None => {
                let fields = self.heap.fields(object, self.at);
                let touched = self.touched;
                let is_used = |field| touched.is_some_and(|touched| touched.has(object, field));
                let mut used: Vec<bool> = fields.iter().map(is_used).collect();
                let known = fields.iter();
                let mut parts: Vec<Part> = known.map(Part::of_field).collect();
                for field in self.heap.unknown_fields(object, self.at) {
                    let index = field.index.min(parts.len());
                    let unknown = Part {
                        label: field_label(&field.name),
                        value: None,
                        slot: CapturedSlot::Field(field.owner, field.name),
                    };
                    parts.insert(index, unknown);
                    // What a call reads or writes is known.
                    used.insert(index, false);
                }
                let total = parts.len() as u64;
                let mut view = self.followed(ValueKind::Object, object, &thing.class, parts, total);
                for (child, used) in view.children.iter_mut().zip(used) {
                    child.used = used;
                }
                view.text = self.said(object, &thing.class);
                view.is_record = library == RECORD;
                view
            }
        }
    }

    /// Whether anything of what an object holds would be in the view.
    fn is_opened(&self) -> bool {
        let has_room = self.left > 0 || self.written.is_some();
        has_room && self.inside.len() < self.bounds.depth
    }

    /// What the object says of itself; empty if that is not to be shown, or not known.
    fn said(&self, object: ObjectId, class: &str) -> String {
        let said = self.heap.said(object, class, self.at);
        said.map(|text| escaped(&text, '\0')).unwrap_or_default()
    }

    /// What a collection stands for. What library code wrote in there is not told from the rest, so all of it may have
    /// changed.
    fn content(&mut self, object: ObjectId, library: &str) -> Option<LibraryContent> {
        let (at, widest) = (self.at, self.widest());
        let Some(written) = self.written.filter(|written| written.in_collections()) else {
            return collections::recognise(self.heap, object, library, at, widest);
        };
        let heap = NotingHeap::new(self.heap);
        let content = collections::recognise(&heap, object, library, at, widest)?;
        if heap.looked().iter().any(|part| written.has(part.object)) {
            self.written_collections.insert(object);
        }
        Some(content)
    }

    fn sequence(
        &mut self,
        object: ObjectId,
        class: &str,
        items: Vec<Value>,
        total: u64,
    ) -> ValueView {
        let items = (0..).map(Label::Index).zip(items);
        let parts = items.map(|(label, value)| Part::inner(label, value));
        let parts = parts.collect();
        let parts = self.first_and_written(parts, self.width_of(object));
        self.followed(ValueKind::Array, object, class, parts, total)
    }

    fn entries(
        &mut self,
        kind: ValueKind,
        object: ObjectId,
        class: &str,
        entries: Vec<(Value, Value)>,
        total: u64,
    ) -> ValueView {
        let is_opened = self.inside.len() < self.bounds.depth && !self.inside.contains(&object);
        let width = if is_opened { self.width_of(object) } else { 0 };
        let parts = entries
            .into_iter()
            .take(width)
            .map(|(key, value)| Part::inner(Label::Key(self.key_text(key)), value))
            .collect();
        self.followed(kind, object, class, parts, total)
    }

    fn key_text(&self, key: Value) -> String {
        let bounds = Bounds {
            depth: self.key_depth,
            ..self.bounds
        };
        let viewer = Viewer::new(self.heap, self.at, bounds).at_most(LONGEST_KEY);
        let mut viewer = Viewer {
            key_depth: 0,
            ..viewer
        };
        render::value(&viewer.view(key), bounds)
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
        mut parts: Vec<Part>,
        total: u64,
    ) -> ValueView {
        let mut view = self.named(ValueView::leaf(kind, ""), class, object);
        if self.inside.contains(&object) {
            return view;
        }
        if self.inside.len() >= self.bounds.depth {
            parts.clear();
        }
        let may_have_changed =
            self.is_written(Value::Ref(object)) || self.written_collections.contains(&object);
        let room = self.left + usize::from(may_have_changed) * self.left_for_written;
        let parts = self.first_and_written(parts, room);
        view.truncated = total.saturating_sub(parts.len() as u64);
        self.inside.push(object);
        view.children = parts
            .into_iter()
            .map(|Part { label, value, slot }| {
                let view = match value {
                    Some(value) => self.view_in(slot, value),
                    None => {
                        self.captured.push(CapturedNode { object: None, slot });
                        ValueView::unknown()
                    }
                };
                ChildView::new(label, view)
            })
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
}

/// A key of a map as it is shown, in short.
pub fn key_text<H: Heap + ?Sized>(heap: &H, key: Value, at: TraceTime, bounds: Bounds) -> String {
    Viewer::new(heap, at, bounds).key_text(key)
}

#[cfg(test)]
mod tests;
