//! What differs between two versions, in pieces that can be carried over one by one.
//!
//! Methods that both have and that do not do the same; methods that only one version has and that can
//! be called by code of both, because they override another; fields that only in one version are
//! volatile or transient; how members are annotated; what a class extends, implements and is annotated with. A
//! method or field that only code of its own version can call goes with that code, and is no change of
//! its own.

use std::collections::BTreeSet;
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
    /// Another superclass, other interfaces, other annotations of the class.
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
            CodeChangeKind::Volatile | CodeChangeKind::Transient | CodeChangeKind::FieldAnnotations
        )
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
                    if let Some(kind) =
                        kind.or_else(|| annotated().then_some(CodeChangeKind::Annotations))
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
        if self.declared(self.class, &Renaming::default())
            != self.declared(self.other, self.pairing.names())
        {
            all.push(self.change(CodeChangeKind::Declaration, None, None));
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

/// Whether only one of two has a modifier.
fn is_otherwise(one: AccessFlags, other: AccessFlags, modifier: u16) -> bool {
    one.contains(modifier) != other.contains(modifier)
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
