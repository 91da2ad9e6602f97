//! Which methods may read variables, told by their code.
//!
//! Of every method that was called this is wanted before the first question, so code is only looked through, and
//! decoded when it is re-executed.

use std::collections::{HashMap, HashSet};

use classfile::{ClassFile, opcode};
use trace_format::symbol::Level;
use trace_format::{ClassNumber, Kind, MethodId};
use trace_store::{Kin, Trace};

use crate::program::Program;

/// The methods among these that may read variables, by what the variables belong to.
pub(super) fn among(
    trace: &Trace,
    program: &Program,
    methods: impl IntoIterator<Item = MethodId>,
) -> HashMap<Kin, Vec<MethodId>> {
    let mut by_class: HashMap<ClassNumber, Vec<(MethodId, u16)>> = HashMap::new();
    for method in methods {
        let symbol = trace.symbols().method(method);
        if let Some(symbol) = symbol.filter(|symbol| symbol.level == Level::Full) {
            let of_class = by_class.entry(symbol.class).or_default();
            of_class.push((method, symbol.index));
        }
    }
    let mut readers: HashMap<Kin, Vec<MethodId>> = HashMap::new();
    for (class, methods) in by_class {
        let bytes = trace.class_file(class).ok().flatten();
        let Some(file) = bytes.and_then(|bytes| ClassFile::parse(&bytes).ok()) else {
            continue;
        };
        let mut reading = Reading::new(trace, program, &file);
        for (method, index) in methods {
            for kin in reading.of_method(index) {
                readers.entry(kin).or_default().push(method);
            }
        }
    }
    readers
}

/// What the code of a class reads.
struct Reading<'a> {
    trace: &'a Trace,
    program: &'a Program,
    file: &'a ClassFile,
    /// What the field behind a constant belongs to.
    fields: HashMap<(bool, u16), Option<Kin>>,
}

impl<'a> Reading<'a> {
    fn new(trace: &'a Trace, program: &'a Program, file: &'a ClassFile) -> Self {
        Reading {
            trace,
            program,
            file,
            fields: HashMap::new(),
        }
    }

    /// Nothing of a method whose code cannot be read: it is not re-executed either.
    fn of_method(&mut self, index: u16) -> HashSet<Kin> {
        let mut read = HashSet::new();
        let method = self.file.methods.get(usize::from(index));
        let code = method.and_then(|method| self.file.code(method).ok().flatten());
        let scanned = code.map(|code| {
            code.scan(|opcode, constant| {
                let kin = match (opcode, constant) {
                    (opcode::GETFIELD, Some(constant)) => self.field(false, constant),
                    (opcode::GETSTATIC, Some(constant)) => self.field(true, constant),
                    _ => kind_loaded(opcode).map(Kin::of_elements),
                };
                read.extend(kin);
            })
        });
        match scanned {
            Some(Ok(())) => read,
            _ => HashSet::new(),
        }
    }

    fn field(&mut self, is_static: bool, constant: u16) -> Option<Kin> {
        let (trace, program, file) = (self.trace, self.program, self.file);
        let known = self.fields.entry((is_static, constant));
        *known.or_insert_with(|| {
            let field = file.constants.member_ref(constant).ok()?;
            let number =
                program.field_id(is_static, &field.owner, &field.name, &field.descriptor)?;
            trace.kin_of_field(number)
        })
    }
}

/// The kind of the elements that an instruction loads.
fn kind_loaded(load: u8) -> Option<Kind> {
    Some(match load {
        opcode::IALOAD => Kind::Int,
        opcode::LALOAD => Kind::Long,
        opcode::FALOAD => Kind::Float,
        opcode::DALOAD => Kind::Double,
        opcode::AALOAD => Kind::Reference,
        opcode::BALOAD => Kind::Byte,
        opcode::CALOAD => Kind::Char,
        opcode::SALOAD => Kind::Short,
        _ => return None,
    })
}
