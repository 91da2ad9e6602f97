//! What the class files in a trace say about classes: superclasses, fields, source files.
//!
//! Read once when a run is opened; the code of methods is looked at later, when it is asked for.

use std::collections::{HashMap, HashSet};

use classfile::ClassFile;
use trace_format::ClassNumber;
use trace_store::{Hierarchy, Trace};

use super::compiler_made::is_compiler_made;
use super::test_marks::{self, Mark};

/// A field as its class declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredField {
    pub name: String,
    pub descriptor: String,
    pub is_static: bool,
    pub is_final: bool,
    pub is_synthetic: bool,
}

/// A class whose file is in the trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredClass {
    /// Internal name.
    pub super_name: Option<String>,
    /// Internal names.
    pub interfaces: Vec<String>,
    pub is_interface: bool,
    pub fields: Vec<DeclaredField>,
    pub source_file: Option<String>,
    /// The methods that a test framework runs.
    pub tests: Vec<Mark>,
}

/// All classes whose files are in the trace, by internal name.
#[derive(Clone, Debug, Default)]
pub struct ClassTable {
    classes: HashMap<String, DeclaredClass>,
    /// Which of the trace's class files were looked at.
    read: HashSet<ClassNumber>,
    /// Methods that a compiler made, by their place in the class file. Nobody is asked about them, so this is wanted of
    /// every class before the first question.
    compiler_made: HashSet<(ClassNumber, u16)>,
}

impl ClassTable {
    /// Reads the class files of a trace; one that cannot be read is left out.
    #[must_use]
    pub fn read(trace: &Trace) -> ClassTable {
        let mut table = ClassTable::default();
        table.read_more(trace);
        table
    }

    /// Reads those that were not read before.
    pub fn read_more(&mut self, trace: &Trace) {
        for symbol in trace.symbols().classes() {
            if !self.read.insert(symbol.class) {
                continue;
            }
            let Ok(Some(bytes)) = trace.class_file(symbol.class) else {
                continue;
            };
            if let Ok(class) = ClassFile::parse(&bytes) {
                self.classes.insert(symbol.name.clone(), declared(&class));
                let made = (0..class.methods.len()).filter(|&at| is_compiler_made(&class, at));
                let made = made.filter_map(|at| Some((symbol.class, u16::try_from(at).ok()?)));
                self.compiler_made.extend(made);
            }
        }
    }

    /// Whether a compiler made the method at this place of a class file.
    #[must_use]
    pub fn is_compiler_made(&self, class: ClassNumber, method: u16) -> bool {
        self.compiler_made.contains(&(class, method))
    }

    /// A class by its internal name.
    #[must_use]
    pub fn get(&self, internal: &str) -> Option<&DeclaredClass> {
        self.classes.get(internal)
    }

    /// Every class, with its internal name.
    pub fn all(&self) -> impl Iterator<Item = (&str, &DeclaredClass)> {
        self.classes
            .iter()
            .map(|(name, class)| (name.as_str(), class))
    }

    /// A class and its superclasses as far as they are in the trace, the class itself first.
    pub fn chain<'table>(
        &'table self,
        internal: &'table str,
    ) -> impl Iterator<Item = (&'table str, &'table DeclaredClass)> {
        let first = self.classes.get(internal).map(|class| (internal, class));
        // A damaged trace could make a class its own superclass.
        std::iter::successors(first, |(_, class)| {
            let name = class.super_name.as_deref()?;
            Some((name, self.classes.get(name)?))
        })
        .take(1000)
    }

    /// The nearest class of the JDK that a class extends; the class itself if it is one.
    #[must_use]
    pub fn library_class(&self, internal: &str) -> String {
        let mut name = internal;
        for (current, class) in self.chain(internal) {
            name = current;
            if is_library(current) {
                break;
            }
            name = class.super_name.as_deref().unwrap_or(current);
        }
        name.to_owned()
    }

    /// The class that declares a field which code names by `owner`.
    #[must_use]
    pub fn declaring(&self, owner: &str, name: &str) -> Option<(&str, &DeclaredField)> {
        let owner = self.classes.get_key_value(owner)?.0;
        self.chain(owner).find_map(|(class, declared)| {
            let field = declared.fields.iter().find(|field| field.name == name)?;
            Some((class, field))
        })
    }
}

impl Hierarchy for ClassTable {
    fn declaring_class(&self, owner: &str, name: &str, _descriptor: &str) -> Option<String> {
        self.declaring(owner, name)
            .map(|(class, _)| class.to_owned())
    }
}

/// Whether a class belongs to the JDK.
#[must_use]
pub fn is_library(internal: &str) -> bool {
    ["java/", "javax/", "jdk/", "sun/", "com/sun/"]
        .iter()
        .any(|prefix| internal.starts_with(prefix))
}

fn declared(class: &ClassFile) -> DeclaredClass {
    use classfile::AccessFlags;
    let fields = class
        .fields
        .iter()
        .filter_map(|field| {
            Some(DeclaredField {
                name: class.field_name(field).ok()?.into_owned(),
                descriptor: class.field_descriptor(field).ok()?.into_owned(),
                is_static: field.access.is_static(),
                is_final: field.access.contains(AccessFlags::FINAL),
                is_synthetic: field.access.is_synthetic(),
            })
        })
        .collect();
    DeclaredClass {
        super_name: class.super_name().map(std::borrow::Cow::into_owned),
        interfaces: class
            .interfaces
            .iter()
            .filter_map(|&index| class.constants.class_name(index).ok())
            .map(std::borrow::Cow::into_owned)
            .collect(),
        is_interface: class.access.is_interface(),
        fields,
        source_file: class.source_file().map(std::borrow::Cow::into_owned),
        tests: test_marks::marks_of(class),
    }
}
