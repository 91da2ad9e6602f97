//! Declarations of classes that differ between two versions, so that the same code may do another thing.

use std::collections::BTreeSet;
use std::fmt;

use classfile::pairing::Pairing;
use classfile::{AccessFlags, ClassFile};
use serde::Serialize;

use java_model::run::JavaRun;
use java_names::names;

use super::{Partners, was_called};

/// What a class declares in one version only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DeclarationChange {
    /// A superclass or an interface that it has in the reference and not in ours.
    LacksAncestor(String),
    /// One that only ours has.
    NewAncestor(String),
    /// A method that ran in the reference, where ours inherits one, or has none.
    LacksMethod(String),
    /// Whether this field is volatile.
    Volatile(String),
}

/// A class whose declaration differs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Declared {
    /// As `Class.getName` gives it.
    pub class: String,
    pub what: DeclarationChange,
    pub file: Option<String>,
}

impl fmt::Display for Declared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = &self.class;
        match &self.what {
            DeclarationChange::LacksAncestor(other) => {
                write!(f, "{class} is no {other}, which it is in the reference")
            }
            DeclarationChange::NewAncestor(other) => {
                write!(f, "{class} is a {other}, which it is not in the reference")
            }
            DeclarationChange::LacksMethod(name) => {
                write!(
                    f,
                    "{class} has no {name} of its own, which the reference called"
                )
            }
            DeclarationChange::Volatile(name) => {
                write!(f, "{class}.{name} is volatile in one of the versions only")
            }
        }
    }
}

/// The declarations that differ, of classes that both runs loaded.
pub(super) fn differing(
    ours: &JavaRun,
    theirs: &JavaRun,
    pairing: &Pairing<'_>,
    partners: &Partners,
) -> Vec<Declared> {
    let mut found = BTreeSet::new();
    for (name, class) in pairing.ours().classes() {
        let Some(other) = pairing.their_class(name) else {
            continue;
        };
        let file = class.source_file().map(std::borrow::Cow::into_owned);
        let mut note = |what| {
            found.insert(Declared {
                class: names::class(name),
                what,
                file: file.clone(),
            });
        };
        let mine = ancestors(class, |name| name.to_owned());
        let their = ancestors(other, |name| pairing.names().class(name).into_owned());
        for lost in their.difference(&mine).filter(|name| matters(name)) {
            note(DeclarationChange::LacksAncestor(names::class(lost)));
        }
        for new in mine.difference(&their).filter(|name| matters(name)) {
            note(DeclarationChange::NewAncestor(names::class(new)));
        }
        for name in volatile_in_one(class, other) {
            note(DeclarationChange::Volatile(name));
        }
    }
    for method in theirs.methods().filter(|one| !partners.is_taken(*one)) {
        let names = theirs.method_names(method);
        let class = pairing.names().class(names.class);
        let Some(declared) = ours.classes().get(&class) else {
            continue;
        };
        let symbol = theirs.trace().symbols().method(method);
        let is_called_by_name = symbol.is_none_or(|symbol| {
            let access = AccessFlags(symbol.access);
            symbol.name == "<init>"
                || access.is_synthetic()
                || access.contains(AccessFlags::PRIVATE)
                || (access.is_static() && symbol.name != "<clinit>")
        });
        if !is_called_by_name && was_called(theirs, method) {
            found.insert(Declared {
                class: names::class(&class),
                what: DeclarationChange::LacksMethod(names.name.to_owned()),
                file: declared.source_file.clone(),
            });
        }
    }
    found.into_iter().collect()
}

/// The superclass and the interfaces that a class names.
fn ancestors(class: &ClassFile, named: impl Fn(&str) -> String) -> BTreeSet<String> {
    let indices = std::iter::once(&class.super_class).chain(&class.interfaces);
    indices
        .filter_map(|&index| class.constants.class_name(index).ok())
        .map(|name| named(&name))
        .collect()
}

/// No code does another thing because a class says that it can be serialised.
fn matters(ancestor: &str) -> bool {
    !matches!(ancestor, "java/io/Serializable" | "java/lang/Object")
}

fn volatile_in_one(class: &ClassFile, other: &ClassFile) -> Vec<String> {
    let is_volatile = |class: &ClassFile, wanted: &str| {
        let mut fields = class.fields.iter();
        let field = fields.find(|field| class.field_name(field).is_ok_and(|name| name == wanted));
        field.map(|field| field.access.contains(AccessFlags::VOLATILE))
    };
    let fields = class.fields.iter();
    fields
        .filter_map(|field| {
            let name = class.field_name(field).ok()?;
            let theirs = is_volatile(other, &name)?;
            (theirs != field.access.contains(AccessFlags::VOLATILE)).then(|| name.into_owned())
        })
        .collect()
}
