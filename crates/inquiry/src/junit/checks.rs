//! What a test compares after the call.

use std::collections::HashMap;

use trace_format::{ObjectId, Value};

use super::collections::Shape;
use super::inputs::Inputs;
use super::{Why, literal};
use java_model::collections::recognise;
use java_model::heap::{Heap as _, Thing, ThingKind};

/// How far objects are looked into.
const DEEPEST: usize = 4;
const MOST_ELEMENTS: usize = 200;

/// Something that a test can see, and what it was when it was recorded.
#[derive(Debug)]
pub(super) struct Check {
    actual: String,
    expected: Expected,
}

#[derive(Debug)]
enum Expected {
    Null,
    Same(String),
    Equal(String),
    Floating(String),
    Array(String),
    FloatingArray(String),
}

impl Check {
    /// It must be as recorded.
    pub(super) fn assertion(&self) -> String {
        let actual = &self.actual;
        match &self.expected {
            Expected::Null => format!("assertNull({actual});"),
            Expected::Same(expected) => format!("assertSame({expected}, {actual});"),
            Expected::Equal(expected) => format!("assertEquals({expected}, {actual});"),
            Expected::Floating(expected) => format!("assertEquals({expected}, {actual}, 0);"),
            Expected::Array(expected) => format!("assertArrayEquals({expected}, {actual});"),
            Expected::FloatingArray(expected) => {
                format!("assertArrayEquals({expected}, {actual}, 0);")
            }
        }
    }

    /// Whether it is as recorded, as an expression.
    pub(super) fn comparison(&self) -> String {
        let actual = &self.actual;
        match &self.expected {
            Expected::Null => format!("{actual} == null"),
            Expected::Same(expected) => format!("{expected} == {actual}"),
            Expected::Equal(expected)
            | Expected::Floating(expected)
            | Expected::Array(expected)
            | Expected::FloatingArray(expected) => {
                format!("java.util.Objects.deepEquals({expected}, {actual})")
            }
        }
    }
}

/// Sees values as they were when the call had ended.
pub(super) struct Observer<'run> {
    /// Makes what is compared with.
    pub(super) expected: Inputs<'run>,
    /// The variables that the call was given.
    pub(super) given: HashMap<ObjectId, String>,
}

impl Observer<'_> {
    /// Everything that a test can compare of a value that `actual` gives. An error if some of it
    /// cannot be seen.
    pub(super) fn observe(
        &mut self,
        actual: &str,
        value: Value,
        kind: &str,
    ) -> Result<Vec<Check>, Why> {
        self.expected.variables.clone_from(&self.given);
        self.look(actual, value, kind, 0)
    }

    /// The same for an object that the call was given, of which the variable says nothing.
    pub(super) fn observe_given(
        &mut self,
        variable: &str,
        object: ObjectId,
    ) -> Result<Vec<Check>, Why> {
        self.expected.variables.clone_from(&self.given);
        self.expected.variables.remove(&object);
        let thing = self.thing(object)?;
        let kind = descriptor_of(&thing.class);
        self.inside(variable, object, &thing, &kind, 0)
    }

    fn thing(&self, object: ObjectId) -> Result<Thing, Why> {
        let thing = self.expected.run.thing(object);
        thing.ok_or_else(|| "an object was not described".to_owned())
    }

    fn look(
        &mut self,
        actual: &str,
        value: Value,
        kind: &str,
        depth: usize,
    ) -> Result<Vec<Check>, Why> {
        let check = |expected| {
            let actual = actual.to_owned();
            Ok(vec![Check { actual, expected }])
        };
        match value {
            Value::Ref(ObjectId::NULL) => check(Expected::Null),
            Value::Ref(object) => {
                if let Some(variable) = self.given.get(&object) {
                    return check(Expected::Same(variable.clone()));
                }
                let thing = self.thing(object)?;
                self.inside(actual, object, &thing, kind, depth)
            }
            Value::Float(_) | Value::Double(_) => {
                check(Expected::Floating(literal::primitive(value, kind)))
            }
            plain => check(Expected::Equal(literal::primitive(plain, kind))),
        }
    }

    fn inside(
        &mut self,
        actual: &str,
        object: ObjectId,
        thing: &Thing,
        kind: &str,
        depth: usize,
    ) -> Result<Vec<Check>, Why> {
        let one = |actual: String, expected| Ok(vec![Check { actual, expected }]);
        let array = thing.kind == ThingKind::Array;
        if array || self.has_equals(Value::Ref(object), 0) {
            let expected = self.expected.object(object)?;
            let cast = array && !kind.starts_with('[');
            let actual = match cast {
                true => {
                    let name = self
                        .expected
                        .surfaces
                        .type_name(&descriptor_of(&thing.class), self.expected.package);
                    format!("({name}) {actual}")
                }
                false => actual.to_owned(),
            };
            return match thing.class.as_str() {
                "[F" | "[D" => one(actual, Expected::FloatingArray(expected)),
                _ if array && self.elements_have_equals(object) => {
                    one(actual, Expected::Array(expected))
                }
                _ if array => Err(format!("what a {} holds cannot be compared", thing.class)),
                _ => one(actual, Expected::Equal(expected)),
            };
        }
        if thing.class.starts_with("java.lang.StringBu") {
            let run = self.expected.run;
            let at = self.expected.at;
            if let Some(shape) = Shape::of(run, object, &thing.class, at, 0)? {
                let text = shape.spelled().unwrap_or_default();
                return one(format!("{actual}.toString()"), Expected::Equal(text));
            }
        }
        self.fields(actual, object, thing, depth)
    }

    /// An object, by what can be seen of its fields.
    fn fields(
        &mut self,
        actual: &str,
        object: ObjectId,
        thing: &Thing,
        depth: usize,
    ) -> Result<Vec<Check>, Why> {
        let class = &thing.class;
        if depth >= DEEPEST || thing.kind != ThingKind::Fields {
            return Err(format!("what a {class} holds cannot be seen"));
        }
        let package = self.expected.package;
        let surface = self.expected.surfaces.get(&class.replace('.', "/"));
        let surface = surface.ok_or_else(|| format!("what a {class} holds cannot be seen"))?;
        surface.usable_from(package)?;
        let typed = format!("(({}) {actual})", surface.name);
        let actual = if depth == 0 { actual } else { &typed };
        let mut checks = Vec::new();
        for field in self.expected.run.fields(object, self.expected.at).iter() {
            let name = &field.name;
            let owner = self.expected.surfaces.get(&field.owner.replace('.', "/"));
            let seen = owner.and_then(|owner| owner.see(actual, name, package));
            let seen = seen.ok_or_else(|| format!("nothing shows the field {name} of {class}"))?;
            let classes = self.expected.run.classes();
            let declared = classes.declaring(&class.replace('.', "/"), name);
            let kind = declared.map_or_else(String::new, |(_, field)| field.descriptor.clone());
            checks.extend(self.look(&seen, field.value, &kind, depth + 1)?);
        }
        Ok(checks)
    }

    /// Whether `equals` says that two values with the same content are the same, or the value is one that
    /// the call was given and is compared by identity.
    fn has_equals(&self, value: Value, depth: usize) -> bool {
        let Value::Ref(object) = value else {
            return true;
        };
        if object == ObjectId::NULL || (depth > 0 && self.given.contains_key(&object)) {
            return true;
        }
        let run = self.expected.run;
        let Some(thing) = run.thing(object).filter(|_| depth < DEEPEST) else {
            return false;
        };
        let at = self.expected.at;
        match &thing.kind {
            ThingKind::Text { missing, .. } => *missing == 0,
            ThingKind::Boxed(_) | ThingKind::Constant { .. } => true,
            ThingKind::Array => false,
            _ => match Shape::of(run, object, &thing.class, at, MOST_ELEMENTS) {
                Ok(Some(shape)) => {
                    let mut values = shape.values.iter();
                    shape.has_equals() && values.all(|&value| self.has_equals(value, depth + 1))
                }
                Ok(None) => self.is_equal_record(object, &thing, depth),
                Err(_) => false,
            },
        }
    }

    fn is_equal_record(&self, object: ObjectId, thing: &Thing, depth: usize) -> bool {
        let surface = self.expected.surfaces.get(&thing.class.replace('.', "/"));
        let fields = || self.expected.run.fields(object, self.expected.at);
        surface.is_some_and(|surface| surface.is_record)
            && fields()
                .iter()
                .all(|field| self.has_equals(field.value, depth + 1))
    }

    /// Arrays in arrays are compared by their elements too.
    fn elements_have_equals(&self, array: ObjectId) -> bool {
        let (run, at) = (self.expected.run, self.expected.at);
        let elements = run.elements(array, at, 0, MOST_ELEMENTS);
        elements.values.iter().all(|&value| {
            let nested = value.object().filter(|&inner| {
                let thing = run.thing(inner);
                thing.is_some_and(|thing| thing.kind == ThingKind::Array)
            });
            match nested {
                Some(inner) => self.elements_have_equals(inner),
                None => self.has_equals(value, 1),
            }
        })
    }

    /// Whether an object that the call was given is not what it was.
    pub(super) fn has_changed(&self, object: ObjectId, before: trace_format::TraceTime) -> bool {
        let (run, after) = (self.expected.run, self.expected.at);
        let Some(thing) = run.thing(object) else {
            return false;
        };
        if thing.kind == ThingKind::Array {
            let elements = |at| run.elements(object, at, 0, MOST_ELEMENTS);
            return elements(before) != elements(after);
        }
        let content = |at| recognise(run, object, &thing.class, at, MOST_ELEMENTS);
        match (content(before), content(after)) {
            (None, None) => run.fields(object, before) != run.fields(object, after),
            (then, now) => then != now,
        }
    }
}

/// `a.b.C` and `[I` as descriptors.
fn descriptor_of(class: &str) -> String {
    let internal = class.replace('.', "/");
    match internal.starts_with('[') {
        true => internal,
        false => format!("L{internal};"),
    }
}
