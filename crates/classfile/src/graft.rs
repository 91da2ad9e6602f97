//! Grafting: members of one version of a class in another.
//!
//! A whole method is carried over with its tables: every constant that it names is added to the
//! host's pool, in the host's names ([`Renaming`]). Its code may grow, as a constant beyond the 255th
//! needs a longer instruction; jumps and tables follow (`graft/code.rs`). Its stack map frames stay
//! what they were, so nothing has to be computed about types.
//!
//! Whether the hybrid links is for a JVM to tell: a method may want what the host does not have. Who
//! grafts says what is brought along.

mod attributes;
mod code;
mod initialiser;
mod mixture;
mod super_call;
mod transplant;

use std::borrow::Cow;
use std::collections::BTreeSet;

use thiserror::Error;

use crate::Renaming;
use crate::alignment::Alignment;
use crate::{
    AccessFlags, Attribute, ClassFile, Constant, ConstantPool, EditError, Field, Method,
    ParseError, PoolError,
};
use transplant::Transplant;

/// Why a member cannot be carried over.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GraftError {
    #[error(transparent)]
    Parse(#[from] ParseError),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error("the code of {0} does not fit into a method")]
    TooLarge(String),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error("code that needs stack maps and code without them cannot stand in one class")]
    StackMaps,
    #[error("two versions of a method's code do not go together: {0}")]
    Mixture(&'static str),
}

/// What may be seen from where, the narrowest first. Package access has no bit.
const VISIBILITY: u16 = AccessFlags::PUBLIC | AccessFlags::PROTECTED | AccessFlags::PRIVATE;

/// The last version of class files whose code the JVM verifies without stack maps.
const LAST_WITHOUT_STACK_MAPS: u16 = 49;

/// The last version before the nests of classes, whose members see what is private in each other.
const LAST_WITHOUT_NESTS: u16 = 54;

/// The first version in which interfaces have code.
const FIRST_WITH_CODE_IN_INTERFACES: u16 = 52;

/// A class that gets members of another version of itself.
#[derive(Debug)]
pub struct Grafting<'d> {
    host: ClassFile,
    transplant: Transplant<'d>,
    /// The constructors of the class above that the host's own ones called: class and descriptor.
    constructors_above: BTreeSet<(String, String)>,
    /// Whether the class got an older version of class files than one of the two had.
    is_lowered: bool,
}

impl<'d> Grafting<'d> {
    /// # Errors
    /// If the host is damaged.
    pub fn new(
        host: ClassFile,
        donor: &'d ClassFile,
        renaming: &'d Renaming,
    ) -> Result<Self, GraftError> {
        let transplant = Transplant::new(&host, donor, renaming)?;
        Ok(Grafting {
            constructors_above: super_call::constructors_above(&host)?,
            host,
            transplant,
            is_lowered: false,
        })
    }

    /// Gives the host a method of the donor's, in place of its own of the same name and descriptor if
    /// it has one. It can be seen from wherever either could be.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn put_method(&mut self, method: usize) -> Result<(), GraftError> {
        let donor = self.transplant.donor();
        let found = donor.methods.get(method);
        let found = found.ok_or(ParseError::NoSuchMethod(method))?;
        let (name, descriptor) = self.transplant.method_names(found)?;
        self.put_method_as(method, &name, &descriptor)
    }

    /// Gives a method of the host some of the hunks in which the donor's differs; `alignment` is of the host's code as
    /// it is here.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn put_hunks(
        &mut self,
        method: usize,
        alignment: &Alignment,
        taken: &BTreeSet<usize>,
    ) -> Result<(), GraftError> {
        let donor = self.transplant.donor();
        let found = donor.methods.get(method);
        let found = found.ok_or(ParseError::NoSuchMethod(method))?;
        let (name, descriptor) = self.transplant.method_names(found)?;
        let own = self.position_of_method(&name, &descriptor);
        let own = own.ok_or(ParseError::NoSuchMethod(method))?;
        let mine = self.host.methods[own].clone();
        if mine.access.is_static() != found.access.is_static() {
            return Err(GraftError::Mixture("only one of them is static"));
        }
        let code = self.host.code(&mine)?;
        self.put_method(method)?;
        let carried = self.host.code(&self.host.methods[own])?;
        let (Some(code), Some(carried)) = (code, carried) else {
            return Err(GraftError::Mixture("one of them has no code"));
        };
        let mixed = mixture::mixed(&mut self.host, &mine, (&code, &carried), alignment, taken)?;
        self.host.set_code(own, &mixed)?;
        Ok(())
    }

    fn put_method_as(
        &mut self,
        method: usize,
        name: &str,
        descriptor: &str,
    ) -> Result<(), GraftError> {
        let found = &self.transplant.donor().methods[method];
        let mut new = Method {
            // A class below it may be of the other version, and override it.
            access: without_final(found.access),
            name: self.host.constants.add_utf8(name)?,
            descriptor: self.host.constants.add_utf8(descriptor)?,
            attributes: self
                .transplant
                .attributes(&mut self.host.constants, &found.attributes)?,
        };
        match self.position_of_method(name, descriptor) {
            Some(at) => {
                let old = &mut self.host.methods[at];
                new.access = widest(new.access, old.access);
                *old = new;
            }
            None => self.host.methods.push(new),
        }
        self.raise_version()
    }

    /// Lets a method of the host be called from wherever one with these flags can be, and be overridden.
    pub fn open_method(&mut self, name: &str, descriptor: &str, access: AccessFlags) {
        if let Some(at) = self.position_of_method(name, descriptor) {
            let method = &mut self.host.methods[at];
            method.access = without_final(widest(method.access, access));
        }
    }

    /// Lets the host be extended.
    pub fn open_class(&mut self) {
        self.host.access = without_final(self.host.access);
    }

    /// Gives the host a field of the donor's, unless it has it already. What was final in only one of
    /// the two is not final in the hybrid: code of the other writes it.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn put_field(&mut self, field: usize) -> Result<(), GraftError> {
        let donor = self.transplant.donor();
        let Some(found) = donor.fields.get(field) else {
            return Ok(());
        };
        let name = donor.field_name(found)?;
        let descriptor = donor.field_descriptor(found)?;
        let names = self.transplant.renaming();
        let name = names.field(&donor.name()?, &name, &descriptor).into_owned();
        let descriptor = names.descriptor(&descriptor);
        if let Some(at) = self.position_of_field(&name, &descriptor) {
            let old = &mut self.host.fields[at];
            let mut access = widest(old.access, found.access);
            if !found.access.contains(AccessFlags::FINAL) {
                access = without_final(access);
            }
            old.access = access;
            return Ok(());
        }
        let new = Field {
            access: found.access,
            name: self.host.constants.add_utf8(&name)?,
            descriptor: self.host.constants.add_utf8(&descriptor)?,
            attributes: self
                .transplant
                .attributes(&mut self.host.constants, &found.attributes)?,
        };
        self.host.fields.push(new);
        Ok(())
    }

    /// Makes a field of the host volatile or transient if the donor's is, and not if it is not.
    pub fn take_modifier(&mut self, modifier: u16, name: &str, descriptor: &str) {
        let other = self.donors_field(name, descriptor);
        let own = self.position_of_field(name, descriptor);
        if let (Some(at), Some(other)) = (own, other) {
            let access = &mut self.host.fields[at].access;
            access.0 &= !modifier;
            if other.access.contains(modifier) {
                access.0 |= modifier;
                // What is volatile cannot be final.
                if modifier == AccessFlags::VOLATILE {
                    *access = without_final(*access);
                }
            }
        }
    }

    /// Lets a method or a field of the host be used from wherever the donor's can be, and from nowhere else; a
    /// constant gets the donor's value.
    ///
    /// # Errors
    /// If that does not fit.
    pub fn take_member(&mut self, name: &str, descriptor: &str) -> Result<(), GraftError> {
        let seen_as_in = |access: AccessFlags, other: AccessFlags| {
            AccessFlags(access.0 & !VISIBILITY | other.0 & VISIBILITY)
        };
        let own = self.position_of_method(name, descriptor);
        if let (Some(at), Some(other)) = (own, self.donors_method(name, descriptor)) {
            let method = &mut self.host.methods[at];
            method.access = seen_as_in(method.access, other.access);
        }
        let own = self.position_of_field(name, descriptor);
        if let (Some(at), Some(other)) = (own, self.donors_field(name, descriptor)) {
            let pool = &mut self.host.constants;
            let mut new = self.transplant.attributes(pool, &other.attributes)?;
            let is_value = |one: &Attribute| {
                pool.utf8_bytes(one.name)
                    .is_ok_and(|name| name == b"ConstantValue")
            };
            new.retain(is_value);
            let field = &mut self.host.fields[at];
            field.access = seen_as_in(field.access, other.access);
            field.attributes.retain(|one| !is_value(one));
            field.attributes.extend(new);
        }
        Ok(())
    }

    /// The donor's field of a name and descriptor of the host.
    fn donors_field(&self, name: &str, descriptor: &str) -> Option<&'d Field> {
        let donor = self.transplant.donor();
        let names = self.transplant.renaming();
        donor.fields.iter().find(|field| {
            let is_named = donor.field_name(field).is_ok_and(|one| one == name);
            let found = donor.field_descriptor(field);
            is_named && found.is_ok_and(|one| names.descriptor(&one) == descriptor)
        })
    }

    /// The same of a method.
    fn donors_method(&self, name: &str, descriptor: &str) -> Option<&'d Method> {
        self.transplant.donor().methods.iter().find(|method| {
            let found = self.transplant.method_names(method);
            found.is_ok_and(|(one, other)| one == name && other == descriptor)
        })
    }

    /// Annotates a method or a field of the host as the donor's is.
    ///
    /// # Errors
    /// If that does not fit.
    pub fn take_annotations(&mut self, name: &str, descriptor: &str) -> Result<(), GraftError> {
        let donor = self.transplant.donor();
        let is_annotation = |pool: &ConstantPool, attribute: &Attribute| {
            let called = pool.utf8_bytes(attribute.name).unwrap_or_default();
            called.starts_with(b"Runtime") && called.ends_with(b"Annotations")
        };
        let method = self.donors_method(name, descriptor);
        let given = match (method, self.donors_field(name, descriptor)) {
            (Some(method), _) => &method.attributes,
            (None, Some(field)) => &field.attributes,
            (None, None) => return Ok(()),
        };
        let given = given
            .iter()
            .filter(|one| is_annotation(&donor.constants, one));
        let given: Vec<Attribute> = given.cloned().collect();
        let pool = &mut self.host.constants;
        let new = self.transplant.attributes(pool, &given)?;
        let at = (
            self.position_of_method(name, descriptor),
            self.position_of_field(name, descriptor),
        );
        let own = match at {
            (Some(at), _) => &mut self.host.methods[at].attributes,
            (None, Some(at)) => &mut self.host.fields[at].attributes,
            (None, None) => return Ok(()),
        };
        own.retain(|one| !is_annotation(&self.host.constants, one));
        own.extend(new);
        Ok(())
    }

    /// Takes a method away.
    pub fn remove_method(&mut self, name: &str, descriptor: &str) {
        if let Some(at) = self.position_of_method(name, descriptor) {
            self.host.methods.remove(at);
        }
    }

    /// Takes a field away.
    pub fn remove_field(&mut self, name: &str, descriptor: &str) {
        if let Some(at) = self.position_of_field(name, descriptor) {
            self.host.fields.remove(at);
        }
    }

    /// Gives the host the donor's declaration: its superclass, what it implements, its modifiers, and
    /// what is annotated.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn take_declaration(&mut self) -> Result<(), GraftError> {
        let donor = self.transplant.donor();
        let pool = &mut self.host.constants;
        self.host.access = donor.access;
        self.host.super_class = self.transplant.constant(pool, donor.super_class)?;
        let interfaces = donor.interfaces.iter();
        self.host.interfaces = interfaces
            .map(|&interface| self.transplant.constant(pool, interface))
            .collect::<Result<_, _>>()?;
        let new = self.transplant.attributes(pool, &donor.attributes)?;
        let kept = |attribute: &Attribute| {
            let name = pool.utf8_bytes(attribute.name);
            matches!(name, Ok(b"NestHost" | b"NestMembers" | b"BootstrapMethods"))
        };
        let mut attributes = std::mem::take(&mut self.host.attributes);
        attributes.retain(kept);
        attributes.extend(new.into_iter().filter(|attribute| !kept(attribute)));
        self.host.attributes = attributes;
        self.raise_version()
    }

    /// Lets a class see what is private in the host, whose nest it belongs to.
    ///
    /// # Errors
    /// If the pool is full or the host damaged.
    pub fn add_nest_member(&mut self, class: &str) -> Result<(), GraftError> {
        let constant = self.host.constants.add_class(class)?;
        let is_list = |attribute: &Attribute| {
            self.host.constants.utf8_bytes(attribute.name) == Ok(b"NestMembers")
        };
        let position = self.host.attributes.iter().position(is_list);
        match position {
            Some(at) => {
                let list = &mut self.host.attributes[at].bytes;
                let count = list
                    .first_chunk::<2>()
                    .map_or(0, |n| u16::from_be_bytes(*n));
                list.splice(..2.min(list.len()), count.saturating_add(1).to_be_bytes());
                list.extend(constant.to_be_bytes());
            }
            None => {
                let name = self.host.constants.add_utf8("NestMembers")?;
                let bytes = [1u16.to_be_bytes(), constant.to_be_bytes()].concat();
                self.host.attributes.push(Attribute { name, bytes });
            }
        }
        Ok(())
    }

    /// The hybrid.
    ///
    /// # Errors
    /// If its code cannot stand in one class.
    pub fn finish(mut self) -> Result<ClassFile, GraftError> {
        self.transplant.finish(&mut self.host)?;
        self.redirect_super_calls()?;
        if self.is_lowered && self.needs_newer_version() {
            return Err(GraftError::StackMaps);
        }
        Ok(self.host)
    }

    fn position_of_method(&self, name: &str, descriptor: &str) -> Option<usize> {
        self.host
            .methods
            .iter()
            .position(|method| self.is(method.name, name) && self.is(method.descriptor, descriptor))
    }

    fn position_of_field(&self, name: &str, descriptor: &str) -> Option<usize> {
        self.host
            .fields
            .iter()
            .position(|field| self.is(field.name, name) && self.is(field.descriptor, descriptor))
    }

    fn is(&self, utf8: u16, text: &str) -> bool {
        self.host
            .constants
            .utf8(utf8)
            .is_ok_and(|found| found == text)
    }

    /// Newer code needs a newer version. The JVM verifies old versions in another way, without stack maps, which newer
    /// ones must have: where both meet, the class gets the old version, if its code has nothing that came later.
    fn raise_version(&mut self) -> Result<(), GraftError> {
        let (host, donor) = (self.host.major, self.transplant.donor().major);
        let is_old = |major: u16| major <= LAST_WITHOUT_STACK_MAPS;
        if is_old(host) != is_old(donor) {
            let newer = host.max(donor);
            let is_interface = self.host.access.is_interface();
            if newer > LAST_WITHOUT_NESTS || is_interface && newer >= FIRST_WITH_CODE_IN_INTERFACES
            {
                return Err(GraftError::StackMaps);
            }
            self.host.major = LAST_WITHOUT_STACK_MAPS;
            self.host.minor = 0;
            self.is_lowered = true;
        } else if donor > host {
            self.host.major = donor;
            self.host.minor = self.transplant.donor().minor;
        }
        Ok(())
    }

    /// Whether the code names what the old versions of class files do not know.
    fn needs_newer_version(&self) -> bool {
        self.host.constants.iter().any(|(_, constant)| {
            matches!(
                constant,
                Constant::InvokeDynamic { .. }
                    | Constant::Dynamic { .. }
                    | Constant::MethodHandle { .. }
                    | Constant::MethodType { .. }
            )
        })
    }
}

/// A class with everything it names called as the renaming says.
///
/// # Errors
/// If it is damaged, or the new names do not fit.
pub fn renamed(class: &ClassFile, renaming: &Renaming) -> Result<ClassFile, GraftError> {
    let mut constants = ConstantPool::new();
    let name = class.name()?;
    let this_class = constants.add_class(&renaming.class(&name))?;
    let host = ClassFile {
        minor: class.minor,
        major: class.major,
        constants,
        access: class.access,
        this_class,
        super_class: 0,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
        attributes: Vec::new(),
    };
    let mut grafting = Grafting::new(host, class, renaming)?;
    grafting.take_declaration()?;
    let pool = &mut grafting.host.constants;
    // A copy stands alone, so it keeps what the host of a graft has by itself.
    let attributes = grafting.transplant.attributes(pool, &class.attributes)?;
    grafting.host.attributes = attributes;
    for field in 0..class.fields.len() {
        grafting.put_field(field)?;
    }
    for method in 0..class.methods.len() {
        grafting.put_method(method)?;
    }
    grafting.finish()
}

fn without_final(access: AccessFlags) -> AccessFlags {
    AccessFlags(access.0 & !AccessFlags::FINAL)
}

fn widest(one: AccessFlags, other: AccessFlags) -> AccessFlags {
    let rank = |access: AccessFlags| match access.0 & VISIBILITY {
        AccessFlags::PRIVATE => 0,
        0 => 1,
        AccessFlags::PROTECTED => 2,
        _ => 3,
    };
    let wider = if rank(one) >= rank(other) { one } else { other };
    AccessFlags(one.0 & !VISIBILITY | wider.0 & VISIBILITY)
}

/// A text of the donor's.
pub(crate) type Text<'d> = Cow<'d, str>;
