//! One version of a program, as a recorded run of it tells: the classes that it loaded, and the methods
//! that ran.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::sync::OnceLock;

use classfile::ClassFile;
use java_model::run::JavaRun;

/// A method by its class (internal name), name and descriptor.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodName {
    pub class: String,
    pub name: String,
    pub descriptor: String,
}

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", java_names::names::class(&self.class), self.name)
    }
}

/// See the module's header.
#[derive(Debug, Default)]
pub struct ProgramVersion {
    pub(crate) classes: BTreeMap<String, LoadedClass>,
    pub(crate) ran: HashSet<MethodName>,
    /// Names and descriptors of all members that code names; found when first needed.
    named: OnceLock<HashSet<(String, String)>>,
    /// The classes that extend or implement a class themselves; found when first needed.
    heirs: OnceLock<HashMap<String, Vec<String>>>,
}

#[derive(Debug)]
pub(crate) struct LoadedClass {
    pub(crate) bytes: Vec<u8>,
    pub(crate) file: ClassFile,
}

impl ProgramVersion {
    /// What a recorded run tells. Of classes that several loaders loaded the first counts.
    #[must_use]
    pub fn of(run: &JavaRun) -> ProgramVersion {
        let mut version = ProgramVersion::default();
        let trace = run.trace();
        for symbol in trace.symbols().classes() {
            if let Ok(Some(bytes)) = trace.class_file(symbol.class) {
                version.add_class(bytes);
            }
        }
        for method in run.methods() {
            let mut calls = trace.calls_of_method(method).into_iter().flatten();
            if calls.next().is_some() {
                let names = run.method_names(method);
                version.add_method_that_ran(MethodName {
                    class: names.class.to_owned(),
                    name: names.name.to_owned(),
                    descriptor: names.descriptor.to_owned(),
                });
            }
        }
        version
    }

    /// Adds a class that was loaded; one that cannot be read is left out.
    pub fn add_class(&mut self, bytes: Vec<u8>) {
        let Ok(file) = ClassFile::parse(&bytes) else {
            return;
        };
        let Ok(name) = file.name().map(std::borrow::Cow::into_owned) else {
            return;
        };
        let loaded = LoadedClass { bytes, file };
        self.classes.entry(name).or_insert(loaded);
    }

    /// Notes that a method was called.
    pub fn add_method_that_ran(&mut self, method: MethodName) {
        self.ran.insert(method);
    }

    /// Whether any code names a member, by whatever class it may be inherited.
    pub(crate) fn names_member(&self, name: &str, descriptor: &str) -> bool {
        let named = self.named.get_or_init(|| {
            let constants = self
                .files()
                .flat_map(|file| file.constants.iter().map(move |(index, _)| (file, index)));
            constants
                .filter_map(|(file, index)| file.constants.member_ref(index).ok())
                .map(|member| (member.name.into_owned(), member.descriptor.into_owned()))
                .collect()
        });
        named.contains(&(name.to_owned(), descriptor.to_owned()))
    }

    /// The methods that a call of a method may lead to in the classes below its own.
    pub(crate) fn overriding(&self, method: &MethodName) -> Vec<MethodName> {
        let mut found = Vec::new();
        let mut met = BTreeSet::new();
        let mut open = vec![&method.class];
        while let Some(class) = open.pop() {
            for heir in self.heirs().get(class).into_iter().flatten() {
                if !met.insert(heir) {
                    continue;
                }
                open.push(heir);
                let file = self.class(heir);
                if file.is_some_and(|it| method_at(it, &method.name, &method.descriptor).is_some())
                {
                    found.push(MethodName {
                        class: heir.clone(),
                        ..method.clone()
                    });
                }
            }
        }
        found
    }

    fn heirs(&self) -> &HashMap<String, Vec<String>> {
        self.heirs.get_or_init(|| {
            let mut heirs: HashMap<String, Vec<String>> = HashMap::new();
            for (name, loaded) in &self.classes {
                for ancestor in ancestors(&loaded.file) {
                    heirs.entry(ancestor).or_default().push(name.clone());
                }
            }
            heirs
        })
    }

    pub(crate) fn class(&self, name: &str) -> Option<&ClassFile> {
        self.classes.get(name).map(|loaded| &loaded.file)
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = &ClassFile> {
        self.classes.values().map(|loaded| &loaded.file)
    }
}

/// The number of a method in its class.
pub(crate) fn method_at(class: &ClassFile, name: &str, descriptor: &str) -> Option<usize> {
    class.methods.iter().position(|method| {
        class.method_name(method).is_ok_and(|found| found == name)
            && class
                .method_descriptor(method)
                .is_ok_and(|found| found == descriptor)
    })
}

/// The number of a field in its class.
pub(crate) fn field_at(class: &ClassFile, name: &str, descriptor: &str) -> Option<usize> {
    class.fields.iter().position(|field| {
        class.field_name(field).is_ok_and(|found| found == name)
            && class
                .field_descriptor(field)
                .is_ok_and(|found| found == descriptor)
    })
}

/// Superclass and interfaces.
pub(crate) fn ancestors(class: &ClassFile) -> Vec<String> {
    let interfaces = class.interfaces.iter();
    let interfaces = interfaces.filter_map(|&index| class.constants.class_name(index).ok());
    let all = class.super_name().into_iter().chain(interfaces);
    all.map(std::borrow::Cow::into_owned).collect()
}

/// The class that declares a member, looked for from a class upwards, and the member's number.
pub(crate) fn declaring<'c>(
    class_of: impl Fn(&str) -> Option<&'c ClassFile>,
    from: &str,
    member: &dyn Fn(&ClassFile) -> Option<usize>,
) -> Option<(String, usize)> {
    let mut open = vec![from.to_owned()];
    let mut met = BTreeSet::new();
    while let Some(name) = open.pop() {
        let Some(class) = class_of(&name) else {
            continue;
        };
        if let Some(at) = member(class) {
            return Some((name, at));
        }
        if met.insert(name) {
            // The superclass is looked at first.
            open.extend(ancestors(class).into_iter().rev());
        }
    }
    None
}
