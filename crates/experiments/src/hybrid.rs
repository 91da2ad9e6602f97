//! Hybrids: a host version with chosen code of a donor version.
//!
//! What the chosen code needs and the host lacks is brought along: private helpers, lambdas, accessors
//! and fields go into the host's classes, and classes that only the donor has are added. A field that
//! was brought along holds nothing until donated code writes it; if that makes the program fail in
//! another way, the experiment is unresolved, and a larger set may do.

mod needs;

use std::collections::{BTreeMap, BTreeSet};

use classfile::alignment::Alignment;
use classfile::graft::{self, GraftError, Grafting};
use classfile::pairing::Pairing;
use classfile::{AccessFlags, ClassFile, Renaming};

use crate::change::{CodeChange, CodeChangeKind};
use crate::program::{MethodName, ProgramVersion, ancestors, field_at, method_at};
use crate::symptom::Seen;
use needs::Needs;

/// Which version the changes are carried into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Direction {
    /// The right version's code in the wrong one: does the symptom go away?
    Mend,
    /// The wrong version's code in the right one: does it come back?
    Break,
}

impl Direction {
    /// What a run has to show so that the changes are enough.
    pub(crate) fn wanted(self) -> Seen {
        match self {
            Direction::Mend => Seen::Right,
            Direction::Break => Seen::Wrong,
        }
    }
}

/// The classes that an experiment replaces.
#[derive(Debug, Default)]
pub(crate) struct Hybrid {
    pub(crate) classes: Vec<HybridClass>,
}

#[derive(Debug)]
pub(crate) struct HybridClass {
    pub(crate) name: String,
    pub(crate) original: Vec<u8>,
    pub(crate) bytes: Vec<u8>,
    /// Classes that are defined beside it, in an order in which they can be.
    pub(crate) added: Vec<Vec<u8>>,
}

/// What a class of the host takes over beside code.
struct Taken<'t> {
    /// Methods and fields that the donor lacks.
    removed: Option<&'t Vec<&'t MethodName>>,
    /// Whether it extends and implements what the donor does.
    is_declared: bool,
    /// What else is as in the donor: modifiers of fields, annotations of members.
    marked: Option<&'t Vec<(CodeChangeKind, &'t MethodName)>>,
}

/// Some hunks of a method that both versions have.
#[derive(Debug)]
pub(crate) struct MethodHunks<'h> {
    /// The donor's method.
    pub(crate) donor: &'h MethodName,
    pub(crate) alignment: &'h Alignment,
    pub(crate) taken: BTreeSet<usize>,
}

impl MethodHunks<'_> {
    fn is_of(&self, class: &ClassFile, at: usize) -> bool {
        class.name().is_ok_and(|name| name == self.donor.class)
            && method_at(class, &self.donor.name, &self.donor.descriptor) == Some(at)
    }
}

/// Makes hybrids of two versions in one direction.
#[derive(Debug)]
pub(crate) struct Breeder<'v> {
    host: &'v ProgramVersion,
    donor: &'v ProgramVersion,
    direction: Direction,
    /// The donor's things in the host's names.
    names: Renaming,
    /// The donor's classes by the host's names for them.
    donors: BTreeMap<String, &'v ClassFile>,
}

impl<'v> Breeder<'v> {
    /// `ours` is the wrong version.
    pub(crate) fn new(
        ours: &'v ProgramVersion,
        theirs: &'v ProgramVersion,
        direction: Direction,
    ) -> Breeder<'v> {
        let (host, donor) = match direction {
            Direction::Mend => (ours, theirs),
            Direction::Break => (theirs, ours),
        };
        let pairing = Pairing::new(host.files(), donor.files());
        let mut names = pairing.names().clone();
        for (name, loaded) in &donor.classes {
            // Its numbers are its own: code that goes by them needs the map that it was compiled with.
            if is_switch_map(&loaded.file) {
                names.rename_class(name, &format!("{name}$reference"));
            }
        }
        rename_other_kinds(host, donor, &mut names);
        let donors = donor.classes.iter();
        let donors = donors
            .map(|(name, loaded)| (names.class(name).into_owned(), &loaded.file))
            .collect();
        Breeder {
            host,
            donor,
            direction,
            names,
            donors,
        }
    }

    /// The host with the donor's side of these changes.
    pub(crate) fn hybrid(&self, changes: &[&CodeChange]) -> Result<Hybrid, GraftError> {
        self.mixture(changes, &[])
    }

    /// The host with the donor's side of these changes, and of some methods only some hunks of it.
    pub(crate) fn mixture(
        &self,
        changes: &[&CodeChange],
        hunks: &[MethodHunks<'_>],
    ) -> Result<Hybrid, GraftError> {
        let mut needs = Needs::new(self);
        let mut removed: BTreeMap<&str, Vec<&MethodName>> = BTreeMap::new();
        let mut declared: BTreeSet<String> = BTreeSet::new();
        let mut marked: BTreeMap<&str, Vec<(CodeChangeKind, &MethodName)>> = BTreeMap::new();
        for change in changes {
            let (mine, other) = match self.direction {
                Direction::Mend => (&change.ours, &change.theirs),
                Direction::Break => (&change.theirs, &change.ours),
            };
            match (change.kind, mine, other) {
                (CodeChangeKind::Class, ..) => needs.take_class(&self.host_name(change)),
                (CodeChangeKind::Declaration, ..) => {
                    declared.insert(self.host_name(change));
                }
                (
                    CodeChangeKind::Volatile
                    | CodeChangeKind::Transient
                    | CodeChangeKind::Annotations
                    | CodeChangeKind::FieldAnnotations
                    | CodeChangeKind::Visibility,
                    Some(mine),
                    _,
                )
                | (CodeChangeKind::Field, Some(mine), Some(_)) => {
                    let of_class = marked.entry(&mine.class).or_default();
                    of_class.push((change.kind, mine));
                }
                (CodeChangeKind::Field, None, Some(other)) => needs.take_field(other),
                (_, _, Some(other)) => needs.take_method(other),
                (_, Some(mine), None) => removed.entry(&mine.class).or_default().push(mine),
                (_, None, None) => {}
            }
        }
        for one in hunks {
            needs.take_method(one.donor);
        }
        for class in &declared {
            needs.take_declaration(class);
        }
        needs.complete();
        let mut hybrid = Hybrid::default();
        let mut touched: BTreeSet<&str> = needs.touched().collect();
        touched.extend(removed.keys().copied());
        touched.extend(declared.iter().map(String::as_str));
        touched.extend(marked.keys().copied());
        for name in touched {
            let Some(loaded) = self.host.classes.get(name) else {
                continue;
            };
            let whole = Taken {
                removed: removed.get(name),
                is_declared: declared.contains(name),
                marked: marked.get(name),
            };
            let file = self.class(name, &needs, &whole, hunks)?;
            hybrid.classes.push(HybridClass {
                name: name.to_owned(),
                original: loaded.bytes.clone(),
                bytes: file.write(),
                added: self.added(&needs, name)?,
            });
        }
        Ok(hybrid)
    }

    /// What the host calls a change's class.
    fn host_name(&self, change: &CodeChange) -> String {
        match self.direction {
            Direction::Mend => change.class.clone(),
            // The wrong version's name is the donor's.
            Direction::Break => self.names.class(&change.class).into_owned(),
        }
    }

    fn class(
        &self,
        name: &str,
        needs: &Needs<'_>,
        taken: &Taken<'_>,
        hunks: &[MethodHunks<'_>],
    ) -> Result<ClassFile, GraftError> {
        let host = self.host.classes.get(name).map(|loaded| &loaded.file);
        let (Some(host), Some(&donor)) = (host, self.donors.get(name)) else {
            return Err(classfile::ParseError::NoSuchMethod(0).into());
        };
        if needs.is_whole(name) {
            return self.whole_class(host, donor, needs.nest_members(name));
        }
        let mut grafting = Grafting::new(host.clone(), donor, &self.names)?;
        for field in needs.fields(name) {
            grafting.put_field(field)?;
        }
        let initialiser = method_at(donor, "<clinit>", "()V");
        let is_chosen = initialiser.is_some_and(|at| needs.methods(name).any(|one| one == at));
        let others = needs.methods(name).filter(|&one| Some(one) != initialiser);
        let hunks_of = |at: usize| hunks.iter().find(|one| one.is_of(donor, at));
        for method in others {
            match hunks_of(method) {
                Some(one) => grafting.put_hunks(method, one.alignment, &one.taken)?,
                None => grafting.put_method(method)?,
            }
        }
        match initialiser {
            Some(at) if is_chosen && let Some(one) = hunks_of(at) => {
                grafting.put_hunks(at, one.alignment, &one.taken)?
            }
            Some(at) if is_chosen && !lacks_static_fields(donor, host) => {
                grafting.put_method(at)?
            }
            Some(at) if is_chosen => grafting.put_initialiser_after(at)?,
            _ => {}
        }
        if let Some(at) = needs.initialiser(name).filter(|_| !is_chosen) {
            grafting.put_initialiser_before(at)?;
        }
        for (name, descriptor, access) in needs.opened(name) {
            grafting.open_method(name, descriptor, AccessFlags(*access));
        }
        if needs.is_opened(name) {
            grafting.open_class();
        }
        for (kind, member) in taken.marked.into_iter().flatten() {
            let modifier = match kind {
                CodeChangeKind::Volatile => AccessFlags::VOLATILE,
                CodeChangeKind::Transient => AccessFlags::TRANSIENT,
                CodeChangeKind::Field | CodeChangeKind::Visibility => {
                    grafting.take_member(&member.name, &member.descriptor)?;
                    continue;
                }
                _ => {
                    grafting.take_annotations(&member.name, &member.descriptor)?;
                    continue;
                }
            };
            grafting.take_modifier(modifier, &member.name, &member.descriptor);
        }
        for member in taken.removed.into_iter().flatten() {
            grafting.remove_method(&member.name, &member.descriptor);
            grafting.remove_field(&member.name, &member.descriptor);
        }
        if taken.is_declared {
            grafting.take_declaration()?;
        }
        for member in needs.nest_members(name) {
            grafting.add_nest_member(member)?;
        }
        grafting.finish()
    }

    /// The donor's class, with what only the host's has: the rest of the host may call it.
    fn whole_class<'n>(
        &self,
        host: &ClassFile,
        donor: &ClassFile,
        nest: impl Iterator<Item = &'n str>,
    ) -> Result<ClassFile, GraftError> {
        let copy = graft::renamed(donor, &self.names)?;
        let mut lacking = Vec::new();
        for (index, method) in host.methods.iter().enumerate() {
            let name = host.method_name(method)?;
            let descriptor = host.method_descriptor(method)?;
            let overrides = !method.access.is_static() && name != "<init>";
            let is_private = method.access.contains(AccessFlags::PRIVATE);
            let is_missed = !overrides || is_private || self.host.names_member(&name, &descriptor);
            if name != "<clinit>" && is_missed && method_at(&copy, &name, &descriptor).is_none() {
                lacking.push(index);
            }
        }
        let same_names = Renaming::default();
        let mut grafting = Grafting::new(copy, host, &same_names)?;
        for field in 0..host.fields.len() {
            grafting.put_field(field)?;
        }
        for method in lacking {
            grafting.put_method(method)?;
        }
        for method in &host.methods {
            let (name, descriptor) = (host.method_name(method)?, host.method_descriptor(method)?);
            grafting.open_method(&name, &descriptor, method.access);
        }
        grafting.open_class();
        for member in nest {
            grafting.add_nest_member(member)?;
        }
        grafting.finish()
    }

    /// The classes that are defined beside a class, those that others extend first.
    fn added(&self, needs: &Needs<'_>, name: &str) -> Result<Vec<Vec<u8>>, GraftError> {
        let mut left: Vec<&str> = needs.added(name).collect();
        let mut ordered = Vec::new();
        while !left.is_empty() {
            let is_free = |class: &&str| {
                let file = self.donor.class(class);
                let ancestors = file.map(ancestors).unwrap_or_default();
                !ancestors.iter().any(|one| left.contains(&one.as_str()))
            };
            let (free, rest): (Vec<&str>, Vec<&str>) =
                left.iter().partition(|class| is_free(class));
            if free.is_empty() {
                break;
            }
            ordered.extend(free);
            left = rest;
        }
        let files = ordered
            .into_iter()
            .filter_map(|class| self.donor.class(class));
        files
            .map(|file| graft::renamed(file, &self.names).map(|copy| copy.write()))
            .collect()
    }
}

/// A field cannot be static for one version's code and not for the other's, so such fields are two.
fn rename_other_kinds(host: &ProgramVersion, donor: &ProgramVersion, names: &mut Renaming) {
    for (name, loaded) in &donor.classes {
        let Some(file) = host.class(&names.class(name)) else {
            continue;
        };
        for field in &loaded.file.fields {
            let found = loaded.file.field_name(field);
            let descriptor = loaded.file.field_descriptor(field);
            let (Ok(found), Ok(descriptor)) = (found, descriptor) else {
                continue;
            };
            let at = field_at(file, &found, &names.descriptor(&descriptor));
            let is_static = |access: AccessFlags| access.is_static();
            if at.is_some_and(|at| is_static(file.fields[at].access) != is_static(field.access)) {
                names.rename_field(name, &found, &descriptor, &format!("{found}$reference"));
            }
        }
    }
}

/// Whether a class lacks static fields of its other version. Those of enums are not looked for: both initialisers
/// would make its constants.
fn lacks_static_fields(class: &ClassFile, other: &ClassFile) -> bool {
    if class.access.contains(AccessFlags::ENUM) || class.access.is_interface() {
        return false;
    }
    let mut fields = other.fields.iter().filter(|field| field.access.is_static());
    fields.any(|field| {
        let name = other.field_name(field).unwrap_or_default();
        let descriptor = other.field_descriptor(field).unwrap_or_default();
        field_at(class, &name, &descriptor).is_none()
    })
}

/// Whether a class was made by a compiler to number the constants of enums.
fn is_switch_map(class: &ClassFile) -> bool {
    class.access.is_synthetic()
        && class.fields.iter().any(|field| {
            let name = class.field_name(field);
            name.is_ok_and(|name| name.starts_with("$SwitchMap$"))
        })
}
