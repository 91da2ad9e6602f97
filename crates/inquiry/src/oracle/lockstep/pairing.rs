//! Which objects, methods and fields of one run stand for which of the other.

use std::collections::HashMap;

use trace_format::event::{self, Event, Range, Write, WriteTarget};
use trace_format::{FieldId, MethodId, ObjectId, ThreadNumber, Value};
use trace_store::{ObjectContent, StoreError};

use super::super::versions::{Dialect, Versions};
use java_model::run::JavaRun;

/// Which things of one run stand for which of the other.
pub(super) struct Pairing<'run> {
    ours: &'run JavaRun,
    theirs: &'run JavaRun,
    versions: &'run Versions,
    /// Whose events are compared.
    threads: [ThreadNumber; 2],
    objects: HashMap<ObjectId, ObjectId>,
    taken: HashMap<ObjectId, ObjectId>,
    /// Objects of ours that the event in question paired.
    fresh: Vec<ObjectId>,
    methods: HashMap<MethodId, MethodId>,
    fields: HashMap<FieldId, FieldId>,
}

impl<'run> Pairing<'run> {
    pub(super) fn new(
        ours: &'run JavaRun,
        theirs: &'run JavaRun,
        versions: &'run Versions,
    ) -> Pairing<'run> {
        Pairing {
            ours,
            theirs,
            versions,
            threads: [ThreadNumber(0); 2],
            objects: HashMap::new(),
            taken: HashMap::new(),
            fresh: Vec::new(),
            methods: HashMap::new(),
            fields: HashMap::new(),
        }
    }

    /// From here on events of these threads are compared.
    pub(super) fn follow(&mut self, mine: ThreadNumber, other: ThreadNumber) {
        self.threads = [mine, other];
    }

    /// Whether two events say the same, up to the names of objects. If not, nothing is learned.
    pub(super) fn same_event(&mut self, a: &Event<'_>, b: &Event<'_>) -> bool {
        self.fresh.clear();
        let same = self.compare(a, b).unwrap_or(false);
        if !same {
            for object in self.fresh.drain(..) {
                if let Some(other) = self.objects.remove(&object) {
                    self.taken.remove(&other);
                }
            }
        }
        same
    }

    /// Whether two events say something of the same kind, with other values perhaps.
    pub(super) fn same_shape(&mut self, a: &Event<'_>, b: &Event<'_>) -> bool {
        match (a, b) {
            (Event::Enter { method, .. }, Event::Enter { method: other, .. }) => {
                self.same_method(*method, *other)
            }
            (Event::Exit { .. }, Event::Exit { .. }) | (Event::This { .. }, Event::This { .. }) => {
                true
            }
            (Event::Throw { depth, .. }, Event::Throw { depth: other, .. })
            | (Event::Catch { depth, .. }, Event::Catch { depth: other, .. }) => depth == other,
            (Event::Write(write), Event::Write(other)) => match (write.target, other.target) {
                (WriteTarget::Field { field, .. }, WriteTarget::Field { field: other, .. })
                | (WriteTarget::Static { field, .. }, WriteTarget::Static { field: other, .. }) => {
                    self.same_field(field, other)
                }
                (WriteTarget::Element { .. }, WriteTarget::Element { .. })
                | (WriteTarget::Range(_), WriteTarget::Range(_)) => true,
                _ => false,
            },
            _ => false,
        }
    }

    fn compare(&mut self, a: &Event<'_>, b: &Event<'_>) -> Result<bool, StoreError> {
        Ok(match (a, b) {
            (
                Event::Enter {
                    method, arguments, ..
                },
                Event::Enter {
                    method: other,
                    arguments: others,
                    ..
                },
            ) => {
                self.same_method(*method, *other)
                    && self.same_arguments(*method, arguments, others)?
            }
            (Event::Exit { value, .. }, Event::Exit { value: other, .. }) => match (value, other) {
                (None, None) => true,
                (Some(value), Some(other)) => self.same_value(*value, *other)?,
                _ => false,
            },
            (
                Event::Throw {
                    depth, exception, ..
                },
                Event::Throw {
                    depth: other_depth,
                    exception: other,
                    ..
                },
            )
            | (
                Event::Catch {
                    depth, exception, ..
                },
                Event::Catch {
                    depth: other_depth,
                    exception: other,
                    ..
                },
            ) => depth == other_depth && self.same_object(*exception, *other)?,
            (Event::This { object }, Event::This { object: other }) => {
                self.same_object(*object, *other)?
            }
            (Event::Write(write), Event::Write(other)) => self.same_write(write, other)?,
            _ => false,
        })
    }

    fn same_write(&mut self, a: &Write<'_>, b: &Write<'_>) -> Result<bool, StoreError> {
        Ok(match (a.target, b.target) {
            (
                WriteTarget::Field {
                    field,
                    object,
                    value,
                },
                WriteTarget::Field {
                    field: other_field,
                    object: other,
                    value: other_value,
                },
            ) => {
                self.same_field(field, other_field)
                    && self.same_object(object, other)?
                    && self.same_value(value, other_value)?
            }
            (
                WriteTarget::Static { field, value },
                WriteTarget::Static {
                    field: other_field,
                    value: other_value,
                },
            ) => self.same_field(field, other_field) && self.same_value(value, other_value)?,
            (
                WriteTarget::Element {
                    array,
                    index,
                    value,
                },
                WriteTarget::Element {
                    array: other,
                    index: other_index,
                    value: other_value,
                },
            ) => {
                index == other_index
                    && self.same_object(array, other)?
                    && self.same_value(value, other_value)?
            }
            (WriteTarget::Range(range), WriteTarget::Range(other)) => {
                self.same_range(&range, &other)?
            }
            _ => false,
        })
    }

    fn same_range(&mut self, a: &Range<'_>, b: &Range<'_>) -> Result<bool, StoreError> {
        if a.indices() != b.indices() || !self.same_object(a.array, b.array)? {
            return Ok(false);
        }
        let (ours, theirs) = (self.ours.trace(), self.theirs.trace());
        let [mine, other] = self.threads;
        for index in a.indices() {
            let written = (
                ours.element_written(mine, a, index),
                theirs.element_written(other, b, index),
            );
            match written {
                (Some(value), Some(other)) if self.same_value(value, other)? => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    fn same_arguments(&mut self, method: MethodId, a: &[u8], b: &[u8]) -> Result<bool, StoreError> {
        let Some(symbol) = self.ours.trace().symbols().method(method) else {
            return Ok(false);
        };
        for (value, other) in
            event::values(a, &symbol.entry_kinds).zip(event::values(b, &symbol.entry_kinds))
        {
            if !self.same_value(value, other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn same_method(&mut self, method: MethodId, other: MethodId) -> bool {
        if let Some(known) = self.methods.get(&method) {
            return *known == other;
        }
        let same = self.versions.partners(method).contains(&other)
            || self.ours.method_names(method) == self.theirs.method_names(other)
                && self.versions.partners(method).is_empty();
        if same {
            self.methods.insert(method, other);
        }
        same
    }

    fn same_field(&mut self, field: FieldId, other: FieldId) -> bool {
        if let Some(known) = self.fields.get(&field) {
            return *known == other;
        }
        let [here, there] = self.versions.dialects();
        let name = here.field(self.ours, field);
        let same = name.is_some() && name == there.field(self.theirs, other);
        if same {
            self.fields.insert(field, other);
        }
        same
    }

    fn same_value(&mut self, a: Value, b: Value) -> Result<bool, StoreError> {
        match (a, b) {
            (Value::Ref(a), Value::Ref(b)) => self.same_object(a, b),
            _ => Ok(a.kind() == b.kind() && a.bits() == b.bits()),
        }
    }

    /// Whether two objects stand for each other. A pair that is met for the first time must have
    /// been the same when first seen; what is written later is compared as it is written.
    fn same_object(&mut self, a: ObjectId, b: ObjectId) -> Result<bool, StoreError> {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            if a.is_null() || b.is_null() {
                if a != b {
                    return Ok(false);
                }
                continue;
            }
            match (self.objects.get(&a), self.taken.get(&b)) {
                (Some(known), _) if *known == b => continue,
                (None, None) => {}
                _ => return Ok(false),
            }
            let (mine, other) = (self.ours.trace().object(a)?, self.theirs.trace().object(b)?);
            self.objects.insert(a, b);
            self.taken.insert(b, a);
            self.fresh.push(a);
            match (mine, other) {
                (None, None) => {}
                (Some(mine), Some(other)) => {
                    let [here, there] = self.versions.dialects();
                    let class = |name: &Option<String>, dialect: &Dialect| {
                        dialect.class(name.as_deref().unwrap_or_default())
                    };
                    if class(&mine.class_name, here) != class(&other.class_name, there)
                        || !self.same_content(&mine.content, &other.content, &mut open)
                    {
                        return Ok(false);
                    }
                }
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Compares what was noted of two objects; the objects inside are left to be compared.
    fn same_content(
        &mut self,
        a: &ObjectContent,
        b: &ObjectContent,
        open: &mut Vec<(ObjectId, ObjectId)>,
    ) -> bool {
        let mut same_value = |a: &Value, b: &Value| match (a, b) {
            (Value::Ref(a), Value::Ref(b)) => {
                open.push((*a, *b));
                true
            }
            _ => a == b,
        };
        match (a, b) {
            (
                ObjectContent::Array {
                    elements, length, ..
                },
                ObjectContent::Array {
                    elements: others,
                    length: other,
                    ..
                },
            ) => {
                length == other
                    && elements.len() == others.len()
                    && elements.iter().zip(others).all(|(a, b)| same_value(a, b))
            }
            (ObjectContent::Fields(fields), ObjectContent::Fields(others)) => {
                let [here, there] = self.versions.dialects();
                let mut mine = fields
                    .iter()
                    .filter(|(field, _)| !here.is_written_only_here(self.ours, *field));
                let mut theirs = others
                    .iter()
                    .filter(|(field, _)| !there.is_written_only_here(self.theirs, *field));
                loop {
                    match (mine.next(), theirs.next()) {
                        (None, None) => break true,
                        (Some((field, a)), Some((other, b))) => {
                            let [here, there] = self.versions.dialects();
                            let same =
                                here.field(self.ours, *field) == there.field(self.theirs, *other);
                            if !same || !same_value(a, b) {
                                break false;
                            }
                        }
                        _ => break false,
                    }
                }
            }
            (ObjectContent::Class { name, .. }, ObjectContent::Class { name: other, .. }) => {
                let [here, there] = self.versions.dialects();
                here.class(name) == there.class(other)
            }
            (
                ObjectContent::Throwable { message, .. },
                ObjectContent::Throwable { message: other, .. },
            ) => message == other,
            (
                ObjectContent::String { text, length, .. },
                ObjectContent::String {
                    text: other,
                    length: others,
                    ..
                },
            ) => text == other && length == others,
            // Whether two secrets are the same is not known.
            (ObjectContent::Masked { .. }, _) => false,
            _ => a == b,
        }
    }
}
