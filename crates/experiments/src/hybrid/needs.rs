//! What code of the donor needs that the host lacks.
//!
//! Every member and class that the code names is looked up in both versions. What is not there in the
//! host is brought along, and what that needs, and so on.

use std::collections::{BTreeMap, BTreeSet};

use classfile::{AccessFlags, ClassFile, Constant};

use super::Breeder;
use crate::program::{MethodName, ancestors, declaring, field_at, method_at};

/// See the module's header. Classes are called as the host does, except those that are added.
pub(super) struct Needs<'b> {
    breeder: &'b Breeder<'b>,
    /// Numbers of the donor's methods and fields, by class.
    methods: BTreeMap<String, BTreeSet<usize>>,
    fields: BTreeMap<String, BTreeSet<usize>>,
    whole: BTreeSet<String>,
    /// Classes that extend and implement what the donor's do.
    declared: BTreeSet<String>,
    /// Donor's names of classes that are added, by what mentions them: a class of the host, or another
    /// that is added.
    mentioned: BTreeMap<String, BTreeSet<String>>,
    extra: BTreeSet<String>,
    /// New members of the nests of the host's classes.
    nests: BTreeMap<String, BTreeSet<String>>,
    /// Methods of the host that donated code calls from where it could not, or overrides.
    opened: BTreeMap<String, BTreeSet<(String, String, u16)>>,
    opened_classes: BTreeSet<String>,
    /// Classes that get static fields which the donor's class initialiser sets, with that initialiser's number.
    initialised: BTreeMap<String, usize>,
    /// Code that has not been looked through: the class that it goes to, and what of the donor's it is.
    open: Vec<(String, Open)>,
}

enum Open {
    Method(String, usize),
    Class(String),
}

impl<'b> Needs<'b> {
    pub(super) fn new(breeder: &'b Breeder<'b>) -> Needs<'b> {
        Needs {
            breeder,
            methods: BTreeMap::new(),
            fields: BTreeMap::new(),
            whole: BTreeSet::new(),
            declared: BTreeSet::new(),
            mentioned: BTreeMap::new(),
            extra: BTreeSet::new(),
            nests: BTreeMap::new(),
            opened: BTreeMap::new(),
            opened_classes: BTreeSet::new(),
            initialised: BTreeMap::new(),
            open: Vec::new(),
        }
    }

    /// A method of the donor's.
    pub(super) fn take_method(&mut self, method: &MethodName) {
        let found = self.breeder.donor.class(&method.class);
        let at = found.and_then(|class| method_at(class, &method.name, &method.descriptor));
        if let Some(at) = at {
            self.take(&method.class, at);
        }
    }

    /// A field of the donor's.
    pub(super) fn take_field(&mut self, field: &MethodName) {
        self.need_field(&field.class, &field.name, &field.descriptor);
    }

    /// A whole class, by the host's name.
    pub(super) fn take_class(&mut self, name: &str) {
        let Some(donor) = self.breeder.donors.get(name) else {
            return;
        };
        if self.whole.insert(name.to_owned()) {
            let count = donor.methods.len();
            let donor = donor.name().unwrap_or_default().into_owned();
            for at in 0..count {
                self.open_overridden(&donor, at, name);
            }
            self.open.push((name.to_owned(), Open::Class(donor)));
        }
    }

    /// What a class extends and implements, by the host's name.
    pub(super) fn take_declaration(&mut self, name: &str) {
        let Some(donor) = self.breeder.donors.get(name) else {
            return;
        };
        for ancestor in ancestors(donor) {
            self.need_class(name, &ancestor);
            self.open_class(&ancestor);
        }
        self.declared.insert(name.to_owned());
    }

    /// Lets donated classes extend a class of the host.
    fn open_class(&mut self, donor: &str) {
        let name = self.breeder.names.class(donor).into_owned();
        let host = self.breeder.host.class(&name);
        if host.is_some_and(|file| file.access.contains(AccessFlags::FINAL)) {
            self.opened_classes.insert(name);
        }
    }

    /// Lets a method that goes to a class of the host override what that class inherits.
    fn open_overridden(&mut self, donor: &str, at: usize, host: &str) {
        let Some(class) = self.breeder.donor.class(donor) else {
            return;
        };
        let method = &class.methods[at];
        let (Ok(name), Ok(descriptor)) =
            (class.method_name(method), class.method_descriptor(method))
        else {
            return;
        };
        let descriptor = self.breeder.names.descriptor(&descriptor);
        let mut next = self
            .breeder
            .host
            .class(host)
            .and_then(ClassFile::super_name);
        while let Some(above) = next {
            let Some(file) = self.breeder.host.class(&above) else {
                return;
            };
            if let Some(at) = method_at(file, &name, &descriptor)
                && file.methods[at].access.contains(AccessFlags::FINAL)
            {
                let key = (name.to_string(), descriptor.to_string(), method.access.0);
                self.opened
                    .entry(above.to_string())
                    .or_default()
                    .insert(key);
            }
            next = file.super_name();
        }
    }

    fn take(&mut self, donor: &str, at: usize) {
        let host = self.breeder.names.class(donor).into_owned();
        if self.methods.entry(host.clone()).or_default().insert(at) {
            self.open_overridden(donor, at, &host);
            self.open.push((host, Open::Method(donor.to_owned(), at)));
        }
    }

    /// Looks through everything that was taken.
    pub(super) fn complete(&mut self) {
        while let Some((host, open)) = self.open.pop() {
            let donor = match &open {
                Open::Method(donor, _) | Open::Class(donor) => donor,
            };
            let Some(class) = self.breeder.donor.class(donor) else {
                continue;
            };
            let constants = match open {
                Open::Method(_, at) => constants_of(class, at),
                Open::Class(_) => class.constants.iter().map(|(index, _)| index).collect(),
            };
            for index in constants {
                self.need(&host, class, index);
            }
        }
    }

    fn need(&mut self, from: &str, class: &ClassFile, index: u16) {
        match class.constants.get(index) {
            Ok(Constant::Class { .. }) => {
                let name = class.constants.class_name(index).unwrap_or_default();
                self.need_class(from, element(&name));
            }
            Ok(Constant::Fieldref { .. }) => {
                if let Ok(member) = class.constants.member_ref(index) {
                    self.need_class(from, &member.owner);
                    self.need_field(&member.owner, &member.name, &member.descriptor);
                }
            }
            Ok(Constant::Methodref { .. } | Constant::InterfaceMethodref { .. }) => {
                if let Ok(member) = class.constants.member_ref(index) {
                    self.need_class(from, element(&member.owner));
                    self.need_method(&member.owner, &member.name, &member.descriptor);
                }
            }
            _ => {}
        }
    }

    fn need_class(&mut self, from: &str, donor: &str) {
        let Some(file) = self.breeder.donor.class(donor) else {
            return;
        };
        let name = self.breeder.names.class(donor).into_owned();
        if self.breeder.host.class(&name).is_some() {
            return;
        }
        let mentioned = self.mentioned.entry(from.to_owned()).or_default();
        mentioned.insert(donor.to_owned());
        if self.extra.insert(donor.to_owned()) {
            self.open
                .push((donor.to_owned(), Open::Class(donor.to_owned())));
            for ancestor in ancestors(file) {
                self.need_class(donor, &ancestor);
                self.open_class(&ancestor);
            }
            self.join_nest(file, name);
        }
    }

    fn join_nest(&mut self, file: &ClassFile, name: String) {
        let attribute = file.attribute(&file.attributes, b"NestHost");
        let index = attribute.and_then(|attribute| attribute.bytes.first_chunk::<2>());
        let host = index.and_then(|two| file.constants.class_name(u16::from_be_bytes(*two)).ok());
        if let Some(host) = host {
            let host = self.breeder.names.class(&host).into_owned();
            if self.breeder.host.class(&host).is_some() {
                self.nests.entry(host).or_default().insert(name);
            }
        }
    }

    fn need_field(&mut self, owner: &str, name: &str, descriptor: &str) {
        let donor = self.breeder.donor;
        let found = declaring(|class| donor.class(class), owner, &|file| {
            field_at(file, name, descriptor)
        });
        let Some((declaring_class, at)) = found else {
            return;
        };
        let names = &self.breeder.names;
        let host_class = names.class(&declaring_class).into_owned();
        let name = &*names.field(&declaring_class, name, descriptor);
        let descriptor = names.descriptor(descriptor);
        let host = self.breeder.host;
        if host.class(&host_class).is_none() {
            return;
        }
        let there = declaring(|class| host.class(class), &host_class, &|file| {
            field_at(file, name, &descriptor)
        });
        // What a class above keeps to itself, or one that will not be above any more, is not inherited.
        let is_out_of_reach = there.as_ref().is_some_and(|(class, at)| {
            let field = host.class(class).and_then(|file| file.fields.get(*at));
            let is_private = field.is_some_and(|field| field.access.contains(AccessFlags::PRIVATE));
            *class != host_class && (is_private || self.declared.contains(&host_class))
        });
        let there = there.filter(|_| !is_out_of_reach);
        let is_alike = there.as_ref().is_some_and(|(class, host_at)| {
            let flags = |file: Option<&ClassFile>, at: usize| {
                file.and_then(|file| file.fields.get(at))
                    .map(|field| field.access)
            };
            flags(host.class(class), *host_at) == flags(donor.class(&declaring_class), at)
        });
        if there.is_none() {
            self.need_initialiser(&declaring_class, at, &host_class);
        }
        if !is_alike {
            self.fields.entry(host_class).or_default().insert(at);
        }
    }

    /// A static field that the host lacks holds nothing unless the donor's class initialiser runs. That of an enum
    /// would make its constants twice, and an interface cannot have a method that sets its fields.
    fn need_initialiser(&mut self, donor: &str, field: usize, host: &str) {
        let Some(class) = self.breeder.donor.class(donor) else {
            return;
        };
        let is_set = class
            .fields
            .get(field)
            .is_some_and(|field| field.access.is_static());
        let is_special = class.access.is_interface() || class.access.contains(AccessFlags::ENUM);
        let initialiser = method_at(class, "<clinit>", "()V");
        if let Some(at) = initialiser.filter(|_| is_set && !is_special)
            && self.initialised.insert(host.to_owned(), at).is_none()
        {
            self.open
                .push((host.to_owned(), Open::Method(donor.to_owned(), at)));
        }
    }

    fn need_method(&mut self, owner: &str, name: &str, descriptor: &str) {
        let donor = self.breeder.donor;
        let found = inherited(name, |class| donor.class(class), owner, &|file| {
            method_at(file, name, descriptor)
        });
        let Some((declaring_class, at)) = found else {
            return;
        };
        let access = donor
            .class(&declaring_class)
            .map(|file| file.methods[at].access);
        let access = access.unwrap_or_default();
        if let Some((class, name, descriptor)) =
            self.hosts_method(&declaring_class, owner, name, descriptor)
        {
            let file = self.breeder.host.class(&class);
            let there = file.and_then(|file| {
                Some(
                    file.methods
                        .get(method_at(file, &name, &descriptor)?)?
                        .access,
                )
            });
            if there.is_some_and(|there| !sees_alike(there, access)) {
                let opened = self.opened.entry(class).or_default();
                opened.insert((name, descriptor, access.0));
            }
            return;
        }
        if self
            .breeder
            .host
            .class(&self.breeder.names.class(&declaring_class))
            .is_none()
        {
            return;
        }
        self.take(&declaring_class, at);
        let method = donor
            .class(&declaring_class)
            .and_then(|file| file.methods.get(at));
        let is_virtual = method.is_some_and(|method| {
            !method.access.is_static() && !method.access.contains(AccessFlags::PRIVATE)
        });
        if is_virtual && name != "<init>" {
            self.take_overriding(name, descriptor);
        }
    }

    /// The host's method in the class that the donor names, or in one that it inherits from: its class, name and
    /// descriptor.
    fn hosts_method(
        &self,
        declaring_class: &str,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Option<(String, String, String)> {
        let names = &self.breeder.names;
        let name = names.method(declaring_class, name, descriptor).into_owned();
        let descriptor = names.descriptor(descriptor).into_owned();
        let host = self.breeder.host;
        [declaring_class, owner].into_iter().find_map(|class| {
            let class = names.class(class);
            let (class, _) = inherited(&name, |class| host.class(class), &class, &|file| {
                method_at(file, &name, &descriptor)
            })?;
            Some((class, name.clone(), descriptor.clone()))
        })
    }

    /// Methods of classes below it, which the host lacks as well.
    fn take_overriding(&mut self, name: &str, descriptor: &str) {
        let donor = self.breeder.donor;
        for (class, loaded) in &donor.classes {
            let Some(at) = method_at(&loaded.file, name, descriptor) else {
                continue;
            };
            let host_class = self.breeder.names.class(class);
            let descriptor = self.breeder.names.descriptor(descriptor);
            let lacks = self.breeder.host.class(&host_class);
            if lacks.is_some_and(|file| method_at(file, name, &descriptor).is_none()) {
                self.take(class, at);
            }
        }
    }

    /// The host's classes that get something.
    pub(super) fn touched(&self) -> impl Iterator<Item = &str> {
        let mut all: BTreeSet<&str> = BTreeSet::new();
        all.extend(self.methods.keys().map(String::as_str));
        all.extend(self.fields.keys().map(String::as_str));
        all.extend(self.whole.iter().map(String::as_str));
        all.extend(self.nests.keys().map(String::as_str));
        all.extend(self.opened.keys().map(String::as_str));
        all.extend(self.opened_classes.iter().map(String::as_str));
        all.into_iter()
    }

    /// Name, descriptor and flags of methods that are opened.
    pub(super) fn opened(&self, class: &str) -> impl Iterator<Item = &(String, String, u16)> {
        self.opened.get(class).into_iter().flatten()
    }

    /// The number of the donor's class initialiser, if a class needs what it sets.
    pub(super) fn initialiser(&self, class: &str) -> Option<usize> {
        self.initialised.get(class).copied()
    }

    pub(super) fn is_opened(&self, class: &str) -> bool {
        self.opened_classes.contains(class)
    }

    pub(super) fn is_whole(&self, class: &str) -> bool {
        self.whole.contains(class)
    }

    pub(super) fn methods(&self, class: &str) -> impl Iterator<Item = usize> {
        self.methods.get(class).into_iter().flatten().copied()
    }

    pub(super) fn fields(&self, class: &str) -> impl Iterator<Item = usize> {
        self.fields.get(class).into_iter().flatten().copied()
    }

    pub(super) fn nest_members(&self, class: &str) -> impl Iterator<Item = &str> {
        self.nests
            .get(class)
            .into_iter()
            .flatten()
            .map(String::as_str)
    }

    /// Donor's names of the classes that a class mentions, directly or by others that are added.
    pub(super) fn added(&self, class: &str) -> impl Iterator<Item = &str> {
        let mut met: BTreeSet<&str> = BTreeSet::new();
        let mut open = vec![class];
        while let Some(from) = open.pop() {
            for name in self.mentioned.get(from).into_iter().flatten() {
                if met.insert(name) {
                    open.push(name);
                }
            }
        }
        met.into_iter()
    }
}

/// Whether a method can be called from wherever another can.
fn sees_alike(one: AccessFlags, other: AccessFlags) -> bool {
    const VISIBILITY: u16 = AccessFlags::PUBLIC | AccessFlags::PROTECTED | AccessFlags::PRIVATE;
    one.0 & VISIBILITY == other.0 & VISIBILITY
}

/// The same for a method of this name: constructors are not inherited.
fn inherited<'c>(
    name: &str,
    class_of: impl Fn(&str) -> Option<&'c ClassFile>,
    from: &str,
    member: &dyn Fn(&ClassFile) -> Option<usize>,
) -> Option<(String, usize)> {
    if name == "<init>" {
        return Some((from.to_owned(), member(class_of(from)?)?));
    }
    declaring(class_of, from, member)
}

/// The class of an array's elements; other names as they are.
fn element(name: &str) -> &str {
    let inside = name.trim_start_matches('[');
    match inside.len() < name.len() {
        true => inside
            .strip_prefix('L')
            .and_then(|one| one.strip_suffix(';'))
            .unwrap_or(inside),
        false => name,
    }
}

/// The constants that a method's code uses.
fn constants_of(class: &ClassFile, at: usize) -> Vec<u16> {
    let code = class
        .methods
        .get(at)
        .and_then(|method| class.code(method).ok().flatten());
    let Some(code) = code else {
        return Vec::new();
    };
    let instructions = code.instructions().unwrap_or_default();
    let mut open: Vec<u16> = instructions
        .iter()
        .filter_map(|one| one.cp_index())
        .collect();
    open.extend(code.exceptions.iter().map(|range| range.catch_type));
    let mut met = BTreeSet::new();
    while let Some(index) = open.pop() {
        if index == 0 || !met.insert(index) {
            continue;
        }
        match class.constants.get(index) {
            Ok(Constant::MethodHandle { reference, .. }) => open.push(reference),
            Ok(Constant::Dynamic { bootstrap, .. } | Constant::InvokeDynamic { bootstrap, .. }) => {
                open.extend(class.bootstrap(bootstrap));
            }
            _ => {}
        }
    }
    met.into_iter().collect()
}
