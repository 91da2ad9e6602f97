//! Which field numbers mean the same field.
//!
//! Code names a field by a class that has it, which need not be the class that declares it:
//! `Derived.count` and `Base.count` may be one field. The trace keeps the names as the code has
//! them; who knows the class files can tell which belong together.

use std::collections::HashMap;

use trace_format::FieldId;

use crate::symbols::Symbols;

/// What is known about the classes of the program.
pub trait Hierarchy {
    /// The class that declares the field which code refers to as `owner.name`, in internal form;
    /// `None` if that is not known.
    fn declaring_class(&self, owner: &str, name: &str, descriptor: &str) -> Option<String>;
}

impl<F: Fn(&str, &str, &str) -> Option<String>> Hierarchy for F {
    fn declaring_class(&self, owner: &str, name: &str, descriptor: &str) -> Option<String> {
        self(owner, name, descriptor)
    }
}

/// Knows nothing: only fields with equal owner, name and descriptor are the same.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoHierarchy;

impl Hierarchy for NoHierarchy {
    fn declaring_class(&self, _: &str, _: &str, _: &str) -> Option<String> {
        None
    }
}

/// Field numbers by the field that they mean. The smallest number of each stands for all.
#[derive(Debug, Default)]
pub(crate) struct FieldGroups {
    canonical: HashMap<FieldId, FieldId>,
    members: HashMap<FieldId, Vec<FieldId>>,
}

impl FieldGroups {
    pub(crate) fn new(symbols: &Symbols, hierarchy: &dyn Hierarchy) -> Self {
        let mut first: HashMap<(String, &str, &str, bool), FieldId> = HashMap::new();
        let mut groups = Self::default();
        for field in symbols.fields() {
            let owner = hierarchy
                .declaring_class(&field.owner, &field.name, &field.descriptor)
                .unwrap_or_else(|| field.owner.clone());
            let key = (owner, &*field.name, &*field.descriptor, field.is_static);
            let canonical = *first.entry(key).or_insert(field.field);
            groups.canonical.insert(field.field, canonical);
            groups
                .members
                .entry(canonical)
                .or_default()
                .push(field.field);
        }
        groups
    }

    pub(crate) fn canonical(&self, field: FieldId) -> FieldId {
        self.canonical.get(&field).copied().unwrap_or(field)
    }

    /// All numbers that mean the same field as this one.
    pub(crate) fn members(&self, field: FieldId) -> Vec<FieldId> {
        self.members
            .get(&self.canonical(field))
            .cloned()
            .unwrap_or_else(|| vec![field])
    }
}
