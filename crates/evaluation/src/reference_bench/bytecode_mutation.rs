//! Mistakes made in compiled code: one instruction exchanged for one that takes and gives the same, so
//! that the class still verifies and its lines stay where they are.

use classfile::{ClassFile, Instruction, opcode};

/// What is exchanged for what.
const EXCHANGES: &[(u8, u8)] = &[
    (opcode::IADD, opcode::ISUB),
    (opcode::ISUB, opcode::IADD),
    (opcode::IMUL, opcode::IADD),
    (opcode::DADD, opcode::DSUB),
    (opcode::DSUB, opcode::DADD),
    (opcode::DMUL, opcode::DADD),
    (opcode::IAND, opcode::IOR),
    (opcode::IFEQ, opcode::IFNE),
    (opcode::IFNE, opcode::IFEQ),
    (opcode::IFLT, opcode::IFLE),
    (opcode::IFLE, opcode::IFLT),
    (opcode::IFGT, opcode::IFGE),
    (opcode::IFGE, opcode::IFGT),
    (opcode::IF_ICMPEQ, opcode::IF_ICMPNE),
    (opcode::IF_ICMPNE, opcode::IF_ICMPEQ),
    (opcode::IF_ICMPLT, opcode::IF_ICMPLE),
    (opcode::IF_ICMPLE, opcode::IF_ICMPLT),
    (opcode::IF_ICMPGT, opcode::IF_ICMPGE),
    (opcode::IF_ICMPGE, opcode::IF_ICMPGT),
    (opcode::IFNULL, opcode::IFNONNULL),
    (opcode::IFNONNULL, opcode::IFNULL),
    (opcode::ICONST_0, opcode::ICONST_1),
    (opcode::ICONST_1, opcode::ICONST_0),
    (opcode::ICONST_M1, opcode::ICONST_0),
];

/// An exchange that can be made in a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Exchange {
    pub pc: u32,
    pub line: u32,
    pub from: u8,
    pub to: u8,
}

/// The exchanges that the code of a method allows, on these lines.
pub(super) fn exchanges(
    class: &ClassFile,
    method: usize,
    on: &dyn Fn(u32) -> bool,
) -> Vec<Exchange> {
    let code = class.methods.get(method).map(|method| class.code(method));
    let Some(Ok(Some(code))) = code else {
        return Vec::new();
    };
    let (Ok(instructions), Ok(lines)) = (code.instructions(), code.line_numbers(&class.constants))
    else {
        return Vec::new();
    };
    let line_of = |instruction: &Instruction| {
        let before = lines.iter().filter(|entry| entry.pc <= instruction.pc);
        let last = before.max_by_key(|entry| entry.pc);
        last.map(|entry| u32::from(entry.line))
    };
    let mut found = Vec::new();
    for instruction in instructions.iter().filter(|one| !one.wide) {
        let to = EXCHANGES
            .iter()
            .find(|(from, _)| *from == instruction.opcode);
        if let (Some(&(from, to)), Some(line)) = (to, line_of(instruction))
            && on(line)
        {
            let pc = instruction.pc;
            found.push(Exchange { pc, line, from, to });
        }
    }
    found
}

/// The class with an exchange made in one of its methods.
pub(super) fn exchanged(class: &ClassFile, method: usize, exchange: &Exchange) -> Option<Vec<u8>> {
    /// What stands before the instructions in a `Code` attribute: two counts and a length.
    const BEFORE_CODE: usize = 8;
    let mut changed = class.clone();
    let attributes = &class.methods.get(method)?.attributes;
    let code = attributes
        .iter()
        .position(|attribute| class.constants.utf8_bytes(attribute.name) == Ok(b"Code"))?;
    let bytes = &mut changed
        .methods
        .get_mut(method)?
        .attributes
        .get_mut(code)?
        .bytes;
    let place = bytes.get_mut(BEFORE_CODE + exchange.pc as usize)?;
    if *place != exchange.from {
        return None;
    }
    *place = exchange.to;
    Some(changed.write())
}
