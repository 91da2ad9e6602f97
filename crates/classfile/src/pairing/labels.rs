//! Labels of numbered things: the same number for what is the same.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::normal_form::{NormalCode, Version};
use crate::{ClassFile, Renaming};

use super::numbered::{class_stem, is_numbered_method, method_stem};

/// How many times the labels of what is named are put into the labels of what names it: how deep lambdas and anonymous
/// classes inside each other are told apart.
const ROUNDS: usize = 4;

/// See the module's header.
#[derive(Default)]
pub(super) struct Labels {
    classes: HashMap<String, u64>,
    methods: HashMap<(String, String, String), u64>,
}

impl Labels {
    pub(super) fn of(version: &Version<'_>) -> Labels {
        let mut labels = Labels::default();
        for _ in 0..ROUNDS {
            labels = labels.refined(version);
        }
        labels
    }

    pub(super) fn class(&self, name: &str) -> u64 {
        self.classes.get(name).copied().unwrap_or_default()
    }

    pub(super) fn method(&self, class: &str, name: &str, descriptor: &str) -> u64 {
        let key = (class.to_owned(), name.to_owned(), descriptor.to_owned());
        self.methods.get(&key).copied().unwrap_or_default()
    }

    fn refined(&self, version: &Version<'_>) -> Labels {
        let names = self.names(version);
        let mut labels = Labels::default();
        for (name, class) in version.classes() {
            let is_numbered = class_stem(name).is_some();
            let mut whole = DefaultHasher::new();
            let mut methods: Vec<u64> = Vec::new();
            for (index, method) in class.methods.iter().enumerate() {
                let (Ok(called), Ok(descriptor)) =
                    (class.method_name(method), class.method_descriptor(method))
                else {
                    continue;
                };
                let is_numbered_method = is_numbered_method(method, &called);
                if !is_numbered && !is_numbered_method {
                    continue;
                }
                let mut hash = DefaultHasher::new();
                names.descriptor(&descriptor).hash(&mut hash);
                NormalCode::of(class, index, version, &names).hash(&mut hash);
                let label = hash.finish();
                if is_numbered_method {
                    let key = (name.to_owned(), called.to_string(), descriptor.to_string());
                    labels.methods.insert(key, label);
                }
                (names.method(name, &called, &descriptor), label).hash(&mut hash);
                methods.push(hash.finish());
            }
            if is_numbered {
                methods.sort_unstable();
                methods.hash(&mut whole);
                declaration(class, &names, &mut whole);
                labels.classes.insert(name.to_owned(), whole.finish());
            }
        }
        labels
    }

    /// Names that say what a thing is instead of which number it has.
    fn names(&self, version: &Version<'_>) -> Renaming {
        let mut names = Renaming::default();
        for (name, class) in version.classes() {
            if let Some(stem) = class_stem(name) {
                names.rename_class(name, &format!("{stem}{}", self.class(name)));
            }
            for method in &class.methods {
                let (Ok(called), Ok(descriptor)) =
                    (class.method_name(method), class.method_descriptor(method))
                else {
                    continue;
                };
                if is_numbered_method(method, &called) {
                    let label = self.method(name, &called, &descriptor);
                    let new = format!("{}{label}", method_stem(&called));
                    names.rename_method(name, &called, &descriptor, &new);
                }
            }
        }
        names
    }
}

fn declaration(class: &ClassFile, names: &Renaming, hash: &mut DefaultHasher) {
    let named = |index: u16| class.constants.class_name(index).unwrap_or_default();
    names.class(&named(class.super_class)).hash(hash);
    for &interface in &class.interfaces {
        names.class(&named(interface)).hash(hash);
    }
    let mut fields: Vec<(String, String)> = class
        .fields
        .iter()
        .map(|field| {
            let descriptor = class.field_descriptor(field).unwrap_or_default();
            (
                class.field_name(field).unwrap_or_default().into_owned(),
                names.descriptor(&descriptor).into_owned(),
            )
        })
        .collect();
    fields.sort();
    fields.hash(hash);
}
