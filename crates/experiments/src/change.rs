//! What differs between two versions, in pieces that can be carried over one by one.
//!
//! Methods that both have and that do not do the same; methods that only one version has and that can
//! be called by code of both, because they override another; fields that only in one version are
//! volatile or transient; how members are annotated; what a class extends, implements and is annotated with. A
//! method that only code of its own version can call goes with that code, and is no change of its own. Fields that only
//! one version has go with the code that uses them, too; as no code shows who looks at declarations (what is written
//! as JSON, what is proxied), they are changes as well, and so is how members and classes are declared otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use classfile::pairing::{Difference, Pairing};
use classfile::{AccessFlags, Attribute, ClassFile, Method, Renaming};

use crate::program::{MethodName, ProgramVersion, ancestors, field_at, method_at};

/// One piece of the difference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeChange {
    pub kind: CodeChangeKind,
    /// The class in our version's names.
    pub class: String,
    /// What our version calls the method or the field, if it has it.
    pub ours: Option<MethodName>,
    /// What the other version calls it, if it has it.
    pub theirs: Option<MethodName>,
    /// Whether it ran, in either version.
    pub ran: bool,
}

/// What kind of piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CodeChangeKind {
    /// Both have the method, and it does something else.
    Code,
    /// Only our version has it.
    Added,
    /// Only the other version has it.
    Removed,
    /// Both have the method, and it is synchronized in one of them; nothing else differs.
    Synchronized,
    /// A field that both have is volatile in one of them; it is named in place of a method.
    Volatile,
    /// The same of a field that is transient.
    Transient,
    /// Both have the method, and a running program sees other annotations of it; nothing else differs.
    Annotations,
    /// The same of a field, which is named in place of a method.
    FieldAnnotations,
    /// A field that only one version has, or that can be used from elsewhere in one of them, or is another constant;
    /// it is named in place of a method.
    Field,
    /// Both have the method, and it can be called from elsewhere in one of them; nothing else differs.
    Visibility,
    /// Another superclass, other interfaces, other annotations of the class; whether and by what it can be extended.
    Declaration,
    /// The whole class, with everything in it.
    Class,
}

impl CodeChange {
    /// Whether it is about a field.
    #[must_use]
    pub fn is_of_field(&self) -> bool {
        matches!(
            self.kind,
            CodeChangeKind::Volatile
                | CodeChangeKind::Transient
                | CodeChangeKind::FieldAnnotations
                | CodeChangeKind::Field
        )
    }

    /// Whether only those see it who look at declarations, as far as is known: it is tried after all others.
    pub(crate) fn is_far_fetched(&self) -> bool {
        match self.kind {
            CodeChangeKind::Field | CodeChangeKind::Visibility => true,
            CodeChangeKind::Declaration => !self.ran,
            _ => false,
        }
    }

    /// The method, or the field; none if it is about a class.
    #[must_use]
    pub fn method(&self) -> Option<&MethodName> {
        self.ours.as_ref().or(self.theirs.as_ref())
    }
}

impl fmt::Display for CodeChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.method()) {
            (CodeChangeKind::Declaration, _) | (_, None) => {
                let class = java_names::names::class(&self.class);
                write!(f, "class {class}")
            }
            (_, Some(method)) => method.fmt(f),
        }
    }
}

/// All changes between two versions, class by class.
pub(crate) fn changes(
    ours: &ProgramVersion,
    theirs: &ProgramVersion,
    pairing: &Pairing<'_>,
) -> Vec<CodeChange> {
    let mut all = Vec::new();
    for (name, loaded) in &ours.classes {
        let Some(other) = pairing.their_class(name) else {
            continue;
        };
        let other_name = other.name().unwrap_or_default();
        let same_bytes = theirs.classes.get(&*other_name).map(|one| &one.bytes);
        if same_bytes == Some(&loaded.bytes) {
            continue;
        }
        let comparison = Comparison {
            ours,
            theirs,
            pairing,
            name,
            class: &loaded.file,
            other,
        };
        comparison.add_to(&mut all);
    }
    all
}

/// Two versions of one class.
struct Comparison<'c> {
    ours: &'c ProgramVersion,
    theirs: &'c ProgramVersion,
    pairing: &'c Pairing<'c>,
    name: &'c str,
    class: &'c ClassFile,
    other: &'c ClassFile,
}

impl Comparison<'_> {
    fn add_to(&self, all: &mut Vec<CodeChange>) {
        let mut met = BTreeSet::new();
        for (index, method) in self.class.methods.iter().enumerate() {
            let Some(mine) = named(self.class, method) else {
                continue;
            };
            let partner = self
                .pairing
                .their_method(self.name, &mine.name, &mine.descriptor);
            match partner {
                None => {
                    if is_called_by_others(self.class, method) && !self.is_called_by_name(&mine) {
                        all.push(self.change(CodeChangeKind::Added, Some(mine), None));
                    }
                }
                Some((other, at)) => {
                    met.insert(at);
                    let kind = self.difference((self.class, index), (other, at));
                    let annotated = || {
                        self.is_annotated_otherwise(
                            &method.attributes,
                            &other.methods[at].attributes,
                        )
                    };
                    let kind = kind.or_else(|| annotated().then_some(CodeChangeKind::Annotations));
                    let is_seen_otherwise =
                        is_otherwise(method.access, other.methods[at].access, VISIBILITY);
                    if let Some(kind) =
                        kind.or_else(|| is_seen_otherwise.then_some(CodeChangeKind::Visibility))
                    {
                        let theirs = named(other, &other.methods[at]);
                        all.push(self.change(kind, Some(mine), theirs));
                    }
                }
            }
        }
        for (at, method) in self.other.methods.iter().enumerate() {
            if !met.contains(&at) && is_called_by_others(self.other, method) {
                let theirs = named(self.other, method);
                all.push(self.change(CodeChangeKind::Removed, None, theirs));
            }
        }
        self.add_fields(all);
        self.add_fields_of_one(all);
        if self.declared(self.class, &Renaming::default())
            != self.declared(self.other, self.pairing.names())
        {
            all.push(self.change(CodeChangeKind::Declaration, None, None));
        } else if extensible(self.class, &Renaming::default())
            != extensible(self.other, self.pairing.names())
        {
            let mut change = self.change(CodeChangeKind::Declaration, None, None);
            change.ran = false;
            all.push(change);
        }
    }

    /// Fields that only one version has.
    fn add_fields_of_one(&self, all: &mut Vec<CodeChange>) {
        let same = Renaming::default();
        let [ours, theirs] = [
            written_fields(self.class, &same),
            written_fields(self.other, self.pairing.names()),
        ];
        for (as_named, field) in &ours {
            if !theirs.contains_key(as_named) {
                all.push(self.change(CodeChangeKind::Field, Some(field.clone()), None));
            }
        }
        for (as_named, field) in theirs {
            if !ours.contains_key(&as_named) {
                all.push(self.change(CodeChangeKind::Field, None, Some(field)));
            }
        }
    }

    /// What no code shows: whether reads of other threads' writes can be trusted, what is written as a whole, and what
    /// those look for who read annotations.
    fn add_fields(&self, all: &mut Vec<CodeChange>) {
        let names = self.pairing.names();
        for field in &self.other.fields {
            let name = self.other.field_name(field);
            let descriptor = self.other.field_descriptor(field);
            let (Ok(name), Ok(descriptor)) = (name, descriptor) else {
                continue;
            };
            let ours = names.descriptor(&descriptor);
            let Some(at) = field_at(self.class, &name, &ours) else {
                continue;
            };
            let own = &self.class.fields[at];
            let kinds = [
                (
                    is_otherwise(own.access, field.access, AccessFlags::VOLATILE),
                    CodeChangeKind::Volatile,
                ),
                (
                    is_otherwise(own.access, field.access, AccessFlags::TRANSIENT),
                    CodeChangeKind::Transient,
                ),
                (
                    self.is_annotated_otherwise(&own.attributes, &field.attributes),
                    CodeChangeKind::FieldAnnotations,
                ),
                (
                    is_otherwise(own.access, field.access, VISIBILITY)
                        || self.class.constant_value(own) != self.other.constant_value(field),
                    CodeChangeKind::Field,
                ),
            ];
            for (_, kind) in kinds.into_iter().filter(|(differs, _)| *differs) {
                let named = |class: &ClassFile, descriptor: &str| {
                    Some(MethodName {
                        class: class.name().ok()?.into_owned(),
                        name: name.to_string(),
                        descriptor: descriptor.to_owned(),
                    })
                };
                let [ours, theirs] = [named(self.class, &ours), named(self.other, &descriptor)];
                all.push(self.change(kind, ours, theirs));
            }
        }
    }

    fn is_annotated_otherwise(&self, ours: &[Attribute], theirs: &[Attribute]) -> bool {
        let ours = self.class.spelled_annotations(ours, &Renaming::default());
        ours != self.other.spelled_annotations(theirs, self.pairing.names())
    }

    /// Whether code names a method of ours that no class above declares: it would miss it.
    fn is_called_by_name(&self, method: &MethodName) -> bool {
        let mut above = ancestors(self.class);
        while let Some(name) = above.pop() {
            if let Some(class) = self.ours.class(&name) {
                if method_at(class, &method.name, &method.descriptor).is_some() {
                    return false;
                }
                above.extend(ancestors(class));
            }
        }
        self.ours.names_member(&method.name, &method.descriptor)
    }

    fn change(
        &self,
        kind: CodeChangeKind,
        ours: Option<MethodName>,
        theirs: Option<MethodName>,
    ) -> CodeChange {
        let ran = match kind {
            CodeChangeKind::Declaration
            | CodeChangeKind::Class
            | CodeChangeKind::Volatile
            | CodeChangeKind::Transient
            | CodeChangeKind::Annotations
            | CodeChangeKind::FieldAnnotations => true,
            CodeChangeKind::Field | CodeChangeKind::Visibility => false,
            _ => {
                ours.as_ref().is_some_and(|one| self.ours.ran.contains(one))
                    || theirs
                        .as_ref()
                        .is_some_and(|one| self.theirs.ran.contains(one))
            }
        };
        CodeChange {
            kind,
            class: self.name.to_owned(),
            ours,
            theirs,
            ran,
        }
    }

    fn difference(
        &self,
        mine: (&ClassFile, usize),
        other: (&ClassFile, usize),
    ) -> Option<CodeChangeKind> {
        const COUNTS: u16 = AccessFlags::STATIC | AccessFlags::NATIVE | AccessFlags::ABSTRACT;
        let flags = |(class, at): (&ClassFile, usize)| class.methods[at].access.0 & COUNTS;
        if flags(mine) != flags(other) {
            return Some(CodeChangeKind::Code);
        }
        Some(match self.pairing.difference(mine, other)? {
            Difference::Code => CodeChangeKind::Code,
            Difference::Synchronized => CodeChangeKind::Synchronized,
        })
    }

    fn declared(&self, class: &ClassFile, names: &Renaming) -> Vec<String> {
        let ancestors = ancestors(class).into_iter();
        let ancestors = ancestors.map(|one| names.class(&one).into_owned());
        let annotations = class.spelled_annotations(&class.attributes, names);
        ancestors.chain(annotations).collect()
    }
}

/// From where a member can be used. Package access has no bit.
const VISIBILITY: u16 = AccessFlags::PUBLIC | AccessFlags::PROTECTED | AccessFlags::PRIVATE;

/// Whether two do not have the same of some modifiers.
fn is_otherwise(one: AccessFlags, other: AccessFlags, modifiers: u16) -> bool {
    one.0 & modifiers != other.0 & modifiers
}

/// The fields that somebody wrote, by name and descriptor as the renaming has them. The constants of an enum go with
/// the initialiser that makes them.
fn written_fields(class: &ClassFile, names: &Renaming) -> BTreeMap<(String, String), MethodName> {
    const MADE: u16 = AccessFlags::SYNTHETIC | AccessFlags::ENUM;
    let written = class
        .fields
        .iter()
        .filter(|field| field.access.0 & MADE == 0);
    let named = written.filter_map(|field| {
        let field = MethodName {
            class: class.name().ok()?.into_owned(),
            name: class.field_name(field).ok()?.into_owned(),
            descriptor: class.field_descriptor(field).ok()?.into_owned(),
        };
        let descriptor = names.descriptor(&field.descriptor).into_owned();
        Some(((field.name.clone(), descriptor), field))
    });
    named.collect()
}

/// Whether a class can be extended, and by what.
fn extensible(class: &ClassFile, names: &Renaming) -> (bool, Vec<String>) {
    let permitted = class.permitted_subclasses().into_iter();
    let permitted = permitted.map(|one| names.class(&one).into_owned());
    (
        class.access.contains(AccessFlags::FINAL),
        permitted.collect(),
    )
}

/// Whether code that knows nothing of a method may call it: it overrides, or the JVM runs it.
fn is_called_by_others(class: &ClassFile, method: &Method) -> bool {
    let name = class.method_name(method).unwrap_or_default();
    if name == "<clinit>" {
        return true;
    }
    let is_own = method.access.is_static() || method.access.contains(AccessFlags::PRIVATE);
    !is_own && name != "<init>"
}

fn named(class: &ClassFile, method: &Method) -> Option<MethodName> {
    Some(MethodName {
        class: class.name().ok()?.into_owned(),
        name: class.method_name(method).ok()?.into_owned(),
        descriptor: class.method_descriptor(method).ok()?.into_owned(),
    })
}
