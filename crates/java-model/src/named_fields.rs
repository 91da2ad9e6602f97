//! Which fields the code of methods names, and what it has to do with the outside.
//!
//! Of a call high up in a large program this is wanted of ten thousands of methods before the first question, and of
//! the next call nearly the same methods again. So fields have numbers, a method's are looked up once, and what many
//! methods name together is a set of bits.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use classfile::{ClassFile, opcode};
use trace_format::{ClassNumber, MethodId};

use super::classes::is_library;
use super::method_code::{FieldName, OutsideEffects};
use super::run::JavaRun;
use java_names::names;

/// What some methods name, all of them together.
#[derive(Debug, Default)]
pub(super) struct Named {
    pub(super) statics: BTreeSet<Arc<FieldName>>,
    pub(super) fields: FieldSet,
    pub(super) effects: OutsideEffects,
}

/// See the module's header.
#[derive(Debug, Default)]
pub(super) struct NamedFields {
    methods: HashMap<MethodId, Arc<OfMethod>>,
    /// Statics of the program's own classes, by their numbers.
    statics: Vec<Arc<FieldName>>,
    static_numbers: HashMap<Arc<FieldName>, u32>,
    fields: Arc<FieldNumbers>,
}

/// What one method names.
#[derive(Debug, Default)]
struct OfMethod {
    statics: Vec<u32>,
    fields: Vec<u32>,
    effects: OutsideEffects,
}

/// What the instructions with one constant do.
#[derive(Clone, Copy, Default)]
struct Member {
    static_number: Option<u32>,
    field_number: Option<u32>,
    effects: OutsideEffects,
}

/// A class file, with what was looked up of its constants.
struct Reading {
    class: ClassNumber,
    file: Option<ClassFile>,
    members: HashMap<(u8, u16), Member>,
}

impl NamedFields {
    /// What these methods name, in the order of their numbers: then those of a class mostly follow each other.
    pub(super) fn by(&mut self, run: &JavaRun, methods: &[MethodId]) -> Named {
        let mut reading = None;
        let mut named = Named::default();
        let (mut statics, mut fields) = (Bits::default(), Bits::default());
        for &method in methods {
            let of_method = self.of_method(run, method, &mut reading);
            of_method.statics.iter().for_each(|&at| statics.set(at));
            of_method.fields.iter().for_each(|&at| fields.set(at));
            named.effects.add(of_method.effects);
        }
        let all = (0..).zip(&self.statics);
        let wanted = all.filter(|(number, _)| statics.has(*number));
        named.statics = wanted.map(|(_, name)| Arc::clone(name)).collect();
        named.fields = FieldSet {
            numbers: Arc::clone(&self.fields),
            bits: fields,
        };
        named
    }

    fn of_method(
        &mut self,
        run: &JavaRun,
        method: MethodId,
        reading: &mut Option<Reading>,
    ) -> Arc<OfMethod> {
        if let Some(known) = self.methods.get(&method) {
            return Arc::clone(known);
        }
        let times = run.times_unreadable();
        let found = Arc::new(self.read(run, method, reading).unwrap_or_default());
        // What could not be read is tried again the next time.
        if run.times_unreadable() == times {
            self.methods.insert(method, Arc::clone(&found));
        }
        found
    }

    /// What cannot be read names nothing.
    fn read(
        &mut self,
        run: &JavaRun,
        method: MethodId,
        reading: &mut Option<Reading>,
    ) -> Option<OfMethod> {
        let symbol = &run.trace().symbols().method(method)?.symbol;
        if reading.as_ref().map(|reading| reading.class) != Some(symbol.class) {
            let bytes = run.read(run.trace().class_file(symbol.class))?;
            *reading = Some(Reading {
                class: symbol.class,
                file: bytes.and_then(|bytes| ClassFile::parse(&bytes).ok()),
                members: HashMap::new(),
            });
        }
        let Reading { file, members, .. } = reading.as_mut()?;
        let file = file.as_ref()?;
        let code = file.code(file.methods.get(usize::from(symbol.index))?);
        let mut found = OfMethod::default();
        let scanned = code.ok().flatten()?.scan(|code, constant| {
            let names_one = matches!(code, opcode::GETSTATIC..=opcode::INVOKEDYNAMIC);
            let Some(constant) = constant.filter(|_| names_one) else {
                return;
            };
            let known = members.entry((code, constant));
            let member = *known.or_insert_with(|| self.member(run, file, code, constant));
            found.statics.extend(member.static_number);
            found.fields.extend(member.field_number);
            found.effects.add(member.effects);
        });
        scanned.ok()?;
        for numbers in [&mut found.statics, &mut found.fields] {
            numbers.sort_unstable();
            numbers.dedup();
            numbers.shrink_to_fit();
        }
        Some(found)
    }

    fn member(&mut self, run: &JavaRun, file: &ClassFile, code: u8, constant: u16) -> Member {
        let Ok(named) = file.constants.member_ref(constant) else {
            return Member::default();
        };
        let mut member = Member {
            effects: OutsideEffects::of(code, &named),
            ..Member::default()
        };
        match code {
            opcode::GETSTATIC | opcode::PUTSTATIC => {
                let own = own(run, &FieldName::of(&named));
                member.static_number = own.map(|own| self.static_number(own));
            }
            opcode::GETFIELD | opcode::PUTFIELD => {
                let declared = run.classes().declaring(&named.owner, &named.name);
                member.field_number = declared.map(|(owner, field)| {
                    let owner = names::class(owner);
                    self.fields.number(&owner, &field.name)
                });
            }
            _ => {}
        }
        member
    }

    fn static_number(&mut self, name: FieldName) -> u32 {
        if let Some(&number) = self.static_numbers.get(&name) {
            return number;
        }
        let number = self.statics.len() as u32;
        let name = Arc::new(name);
        self.statics.push(Arc::clone(&name));
        self.static_numbers.insert(name, number);
        number
    }
}

/// The static by its declaring class, if that is a class of the program and a person wrote it.
#[must_use]
pub fn own(run: &JavaRun, name: &FieldName) -> Option<FieldName> {
    let (owner, field) = run.classes().declaring(&name.owner, &name.name)?;
    (!is_library(owner) && !field.is_synthetic).then(|| FieldName {
        owner: owner.to_owned(),
        name: name.name.clone(),
    })
}

/// Numbers of fields of objects.
#[derive(Debug, Default)]
struct FieldNumbers(RwLock<Numbered>);

#[derive(Debug, Default)]
struct Numbered {
    /// By the class that declares them, `a.b.C`, and their names.
    numbers: HashMap<String, HashMap<String, u32>>,
    next: u32,
}

impl FieldNumbers {
    fn get(&self, owner: &str, name: &str) -> Option<u32> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.numbers.get(owner)?.get(name).copied()
    }

    fn number(&self, owner: &str, name: &str) -> u32 {
        if let Some(number) = self.get(owner, name) {
            return number;
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let number = known.next;
        known.next += 1;
        let fields = known.numbers.entry(owner.to_owned()).or_default();
        *fields.entry(name.to_owned()).or_insert(number)
    }
}

/// A set of fields of objects.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldSet {
    numbers: Arc<FieldNumbers>,
    bits: Bits,
}

impl FieldSet {
    /// Takes in another set of fields of the same run.
    pub(super) fn add(&mut self, other: &FieldSet) {
        self.numbers = Arc::clone(&other.numbers);
        let words = other.bits.0.len().max(self.bits.0.len());
        self.bits.0.resize(words, 0);
        for (word, more) in self.bits.0.iter_mut().zip(&other.bits.0) {
            *word |= more;
        }
    }

    /// `owner`: the class that declares it, `a.b.C`.
    pub(super) fn has(&self, owner: &str, name: &str) -> bool {
        let number = self.numbers.get(owner, name);
        number.is_some_and(|number| self.bits.has(number))
    }
}

/// A set of small numbers.
#[derive(Clone, Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn set(&mut self, number: u32) {
        let word = number as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    fn has(&self, number: u32) -> bool {
        let word = self.0.get(number as usize / 64);
        word.is_some_and(|word| word & (1 << (number % 64)) != 0)
    }
}
