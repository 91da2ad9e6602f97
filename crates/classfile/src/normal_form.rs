//! A method's code in a form that can be compared between two versions of a program.
//!
//! Two compilations of the same source differ in much that means nothing: numbers of constants, the
//! lengths of instructions, line numbers, and what a compiler of another year makes of a call into a
//! nest mate. So constants are spelled out, jumps go to instructions instead of addresses, names are
//! those of one of the versions ([`Renaming`]), an accessor is what it gives access to, and a `switch`
//! over an enum goes by the constants' names, not by the numbers that a switch map gave them.
//!
//! The other way round nothing is lost: codes with the same normal form do the same, as long as the
//! methods that they call do.

mod spelling;
mod version;

pub use version::Version;

use crate::{ClassFile, Instruction, Operand, Renaming, opcode};
use spelling::Speller;

/// Code in its normal form.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct NormalCode {
    pub words: Vec<NormalInstruction>,
    /// What is caught, from which word up to which, and where it goes.
    pub handlers: Vec<(usize, usize, usize, String)>,
}

/// One instruction.
#[derive(Debug, Clone)]
pub struct NormalInstruction {
    /// What it does, and with what; but for the local.
    pub text: String,
    /// The local that it loads, stores or increments.
    pub local: Option<u16>,
    /// Which words it may jump to.
    pub jumps: Vec<usize>,
    /// The source line, which does not count when words are compared.
    pub line: Option<u32>,
}

impl PartialEq for NormalInstruction {
    fn eq(&self, other: &NormalInstruction) -> bool {
        self.text == other.text && self.local == other.local && self.jumps == other.jumps
    }
}

impl Eq for NormalInstruction {}

impl std::hash::Hash for NormalInstruction {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
        self.local.hash(state);
        self.jumps.hash(state);
    }
}

impl NormalCode {
    /// The code of a method in the names of another version; `None` if it has none, or none that can be read.
    #[must_use]
    pub fn of(
        class: &ClassFile,
        method: usize,
        version: &Version<'_>,
        names: &Renaming,
    ) -> Option<NormalCode> {
        let code = class.code(class.methods.get(method)?).ok()??;
        let instructions = code.instructions().ok()?;
        let lines = code.line_numbers(&class.constants).unwrap_or_default();
        let speller = Speller {
            class,
            version,
            names,
        };
        let place = |pc: u32| instructions.partition_point(|one| one.pc < pc);
        let words = instructions.iter().enumerate().map(|(at, instruction)| {
            let before = lines.iter().filter(|entry| entry.pc <= instruction.pc);
            let line = before.max_by_key(|entry| entry.pc);
            NormalInstruction {
                text: speller.instruction(&instructions, at),
                local: instruction.local_index(),
                jumps: jumps(&speller, &instructions, at)
                    .into_iter()
                    .map(place)
                    .collect(),
                line: line.map(|entry| entry.line.into()),
            }
        });
        let handlers = code.exceptions.iter().map(|range| {
            let [start, end, handler] =
                [range.start, range.end, range.handler].map(|pc| place(pc.into()));
            (start, end, handler, speller.constant(range.catch_type))
        });
        Some(NormalCode {
            words: words.collect(),
            handlers: handlers.collect(),
        })
    }
}

/// The addresses that an instruction jumps to, those of a `switch` in the order of what they are spelled for.
fn jumps(speller: &Speller<'_>, instructions: &[Instruction], at: usize) -> Vec<u32> {
    let instruction = &instructions[at];
    match &instruction.operand {
        Operand::Switch(switch) => {
            let cases = speller.cases(instructions, at, switch);
            let targets = cases.into_iter().map(|(_, target)| target);
            std::iter::once(switch.default).chain(targets).collect()
        }
        _ => instruction.targets().collect(),
    }
}

/// The same number for instructions that only differ in how long they are.
fn kind(instruction: &Instruction) -> u8 {
    match instruction.opcode {
        opcode::LDC_W => opcode::LDC,
        opcode::GOTO_W => opcode::GOTO,
        opcode::JSR_W => opcode::JSR,
        opcode::TABLESWITCH => opcode::LOOKUPSWITCH,
        other => other,
    }
}
