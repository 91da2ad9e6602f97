//! Which fields the objects of a class have. That is worked out once for each class: a view looks at
//! thousands of objects, of few classes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use trace_format::{FieldId, Kind, Value};

use super::classes::is_library;
use super::heap::{FieldValue, UnknownField};
use super::run::JavaRun;
use java_names::names;

/// A field that is no static.
pub(super) struct FieldPlace {
    owner: Arc<str>,
    name: Arc<str>,
    /// `None` if no recorded code names it.
    pub(super) number: Option<FieldId>,
    /// What it holds before anything is written; `None` if it may be written without being recorded.
    pub(super) zero: Option<Value>,
}

impl FieldPlace {
    pub(super) fn holding(&self, value: Value) -> FieldValue {
        FieldValue {
            owner: Arc::clone(&self.owner),
            name: Arc::clone(&self.name),
            value,
        }
    }

    pub(super) fn unknown(&self, index: usize) -> UnknownField {
        UnknownField {
            index,
            owner: Arc::clone(&self.owner),
            name: Arc::clone(&self.name),
        }
    }

    /// Whether the trace may know what it holds.
    pub(super) fn is_recorded(&self) -> bool {
        self.number.is_some() || self.zero.is_some()
    }

    pub(super) fn is(&self, field: &FieldValue) -> bool {
        field.owner == self.owner && field.name == self.name
    }
}

/// The fields of a class.
#[derive(Default)]
pub(super) struct Layout {
    /// Those of its superclasses first, in the order of their declaration.
    pub(super) places: Vec<FieldPlace>,
    /// All its superclasses are known, so it has no others.
    pub(super) is_whole: bool,
}

/// The fields of classes, by the classes' names.
#[derive(Default)]
pub(super) struct Layouts(Mutex<HashMap<String, Arc<Layout>>>);

impl JavaRun {
    /// The fields of a class, `a.b.C`.
    pub(super) fn layout(&self, class: &str) -> Arc<Layout> {
        let layouts = self.facts().get_or_make(Layouts::default);
        let mut known = layouts.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(layout) = known.get(class) {
            return Arc::clone(layout);
        }
        let layout = Arc::new(self.read_layout(class));
        known.insert(class.to_owned(), Arc::clone(&layout));
        layout
    }

    fn read_layout(&self, class: &str) -> Layout {
        let class = names::internal(class);
        let mut chain: Vec<_> = self.classes().chain(&class).collect();
        let top = chain.last().and_then(|(_, top)| top.super_name.as_deref());
        let is_whole = top == Some("java/lang/Object");
        chain.reverse();
        let mut places = Vec::new();
        for (owner, declared) in chain {
            let shown: Arc<str> = names::class(owner).into();
            let fields = declared.fields.iter().filter(|field| !field.is_static);
            places.extend(fields.map(|field| FieldPlace {
                owner: Arc::clone(&shown),
                name: field.name.as_str().into(),
                number: self.field(owner, &field.name),
                zero: zero(&field.descriptor).filter(|_| !is_library(owner)),
            }));
        }
        Layout { places, is_whole }
    }
}

fn zero(descriptor: &str) -> Option<Value> {
    Kind::from_descriptor(*descriptor.as_bytes().first()?).map(Kind::zero)
}
