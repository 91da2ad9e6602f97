//! The recorded heap as the views and the reference oracle see it: what an object is, and what it
//! held at a time.

use std::sync::Arc;

use trace_format::{ObjectId, TraceTime, Value};

/// What is known about an object, whatever the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    /// The class as `Class.getName` gives it: `a.b.C`, `[I`.
    pub class: String,
    pub kind: ThingKind,
}

/// Stands for the class of an object that the trace does not describe, or not any more.
pub const UNKNOWN_CLASS: &str = "?";

/// Sorts of objects.
#[derive(Clone, Debug, PartialEq)]
pub enum ThingKind {
    /// A string with its text; `missing` more chars were not recorded.
    Text { text: String, missing: u64 },
    /// `Integer`, `Character`, … with its value.
    Boxed(Value),
    /// An enum constant.
    Constant { name: String },
    /// A class object with the name of its class.
    ClassObject { name: String },
    /// An exception with its message.
    Throwable { message: Option<String> },
    /// A secret: a string or an array whose content is not in the trace.
    Masked,
    /// An array.
    Array,
    /// An object whose fields are known.
    Fields,
    /// An object of which only class and identity are known.
    Opaque,
}

/// A field of an object with its value at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldValue {
    /// The class that declares it, as far as is known: `a.b.C`.
    pub owner: Arc<str>,
    pub name: Arc<str>,
    pub value: Value,
}

/// A field of an object of which it is not known what it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct UnknownField {
    /// Its place among all fields of the object, those that are known included.
    pub index: usize,
    /// The class that declares it.
    pub owner: Arc<str>,
    pub name: Arc<str>,
}

/// The elements of an array at a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArrayElements {
    /// The array's length.
    pub length: u64,
    /// The elements that were asked for, up to the first that is not known.
    pub values: Vec<Value>,
}

/// The elements of an array at a time, among which there may be some that are not known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnownElements {
    /// The array's length.
    pub length: u64,
    pub values: Vec<Option<Value>>,
}

impl From<ArrayElements> for KnownElements {
    fn from(ArrayElements { length, values }: ArrayElements) -> Self {
        let values = values.into_iter().map(Some).collect();
        Self { length, values }
    }
}

/// The recorded heap.
pub trait Heap {
    /// What an object is; `None` if the trace does not say.
    fn thing(&self, object: ObjectId) -> Option<Thing>;

    /// The fields of an object, superclasses first, in the order of their declaration.
    fn fields(&self, object: ObjectId, at: TraceTime) -> Arc<[FieldValue]>;

    /// How many fields an object has, where what they hold is not wanted.
    fn count_fields(&self, object: ObjectId, at: TraceTime) -> usize {
        self.fields(object, at).len()
    }

    /// Up to `limit` elements of an array from `start` on.
    fn elements(&self, array: ObjectId, at: TraceTime, start: usize, limit: usize)
    -> ArrayElements;

    /// The fields of an object of which it is not known what they hold, because that was written in a part of the
    /// recording that was given up; in the order of their places.
    fn unknown_fields(&self, _object: ObjectId, _at: TraceTime) -> Vec<UnknownField> {
        Vec::new()
    }

    /// Up to `limit` elements of an array, each if it is known.
    fn elements_if_known(&self, array: ObjectId, at: TraceTime, limit: usize) -> KnownElements {
        self.elements(array, at, 0, limit).into()
    }

    /// Why what an object holds could not be read when that was last tried; `None` if it could, or was not recorded.
    fn trouble(&self, _object: ObjectId) -> Option<Arc<str>> {
        None
    }

    /// Whether there is an object that could not be read.
    fn has_troubles(&self) -> bool {
        false
    }

    /// What an object said of itself, if its project wants that to be shown instead of its fields.
    fn said(&self, _object: ObjectId, _class: &str, _at: TraceTime) -> Option<String> {
        None
    }

    /// What the object of a lambda does, as far as is known.
    fn lambda(&self, _object: ObjectId, _class: &str) -> Option<Arc<str>> {
        None
    }

    /// The number under which a person sees an object.
    fn number(&self, object: ObjectId) -> u64 {
        object.0.into()
    }

    /// The nearest class of the JDK that a recorded class extends; the class itself if it is one
    /// of the JDK's.
    fn library_class(&self, class: &str) -> String;
}

#[cfg(any(test, feature = "testing"))]
#[allow(clippy::unwrap_used, reason = "for tests")]
pub mod fake {
    //! A heap in memory that looks the same at any time.

    use std::collections::HashMap;

    use super::*;

    #[derive(Clone, Debug, Default)]
    pub struct FakeHeap {
        things: HashMap<ObjectId, Thing>,
        fields: HashMap<ObjectId, Arc<[FieldValue]>>,
        elements: HashMap<ObjectId, Vec<Value>>,
        troubles: HashMap<ObjectId, Arc<str>>,
    }

    impl FakeHeap {
        fn add(&mut self, class: &str, kind: ThingKind) -> Value {
            let object = ObjectId(u32::try_from(self.things.len()).unwrap() + 1);
            self.things.insert(
                object,
                Thing {
                    class: class.to_owned(),
                    kind,
                },
            );
            Value::Ref(object)
        }

        pub fn text(&mut self, text: &str) -> Value {
            self.add(
                "java.lang.String",
                ThingKind::Text {
                    text: text.to_owned(),
                    missing: 0,
                },
            )
        }

        pub fn boxed(&mut self, value: i32) -> Value {
            self.add("java.lang.Integer", ThingKind::Boxed(Value::Int(value)))
        }

        pub fn opaque(&mut self, class: &str) -> Value {
            self.add(class, ThingKind::Opaque)
        }

        pub fn special(&mut self, class: &str, kind: ThingKind) -> Value {
            self.add(class, kind)
        }

        pub fn array(&mut self, class: &str, elements: &[Value]) -> Value {
            let array = self.add(class, ThingKind::Array);
            self.elements
                .insert(array.object().unwrap(), elements.to_vec());
            array
        }

        pub fn object(&mut self, class: &str, fields: &[(&str, Value)]) -> Value {
            let object = self.add(class, ThingKind::Fields);
            self.set(object, fields);
            object
        }

        /// From now on the object cannot be read.
        pub fn damage(&mut self, object: Value, reason: &str) {
            self.troubles
                .insert(object.object().unwrap(), reason.into());
        }

        pub fn set(&mut self, object: Value, fields: &[(&str, Value)]) {
            let object = object.object().unwrap();
            let owner: Arc<str> = self.things[&object].class.as_str().into();
            let fields = fields
                .iter()
                .map(|&(name, value)| FieldValue {
                    owner: Arc::clone(&owner),
                    name: name.into(),
                    value,
                })
                .collect();
            self.fields.insert(object, fields);
        }
    }

    impl Heap for FakeHeap {
        fn thing(&self, object: ObjectId) -> Option<Thing> {
            self.things.get(&object).cloned()
        }

        fn fields(&self, object: ObjectId, _at: TraceTime) -> Arc<[FieldValue]> {
            self.fields.get(&object).cloned().unwrap_or_default()
        }

        fn elements(
            &self,
            array: ObjectId,
            _at: TraceTime,
            start: usize,
            limit: usize,
        ) -> ArrayElements {
            let all = self.elements.get(&array).map_or(&[][..], Vec::as_slice);
            ArrayElements {
                length: all.len() as u64,
                values: all.iter().skip(start).take(limit).copied().collect(),
            }
        }

        fn trouble(&self, object: ObjectId) -> Option<Arc<str>> {
            self.troubles.get(&object).cloned()
        }

        fn has_troubles(&self) -> bool {
            !self.troubles.is_empty()
        }

        fn library_class(&self, class: &str) -> String {
            class.to_owned()
        }
    }
}
