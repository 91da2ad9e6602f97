//! Mistakes made in compiled code: one instruction replaced by others of the same length that take and
//! give the same, so that the class still verifies and its lines stay where they are.

use classfile::{ClassFile, Instruction, opcode};
use java_names::descriptor;

/// What is exchanged for what: another operator, the negated condition, a bound that is off by one, a
/// constant that is.
const EXCHANGES: &[(u8, u8)] = &[
    (opcode::IADD, opcode::ISUB),
    (opcode::ISUB, opcode::IADD),
    (opcode::IMUL, opcode::IADD),
    (opcode::IDIV, opcode::IMUL),
    (opcode::LADD, opcode::LSUB),
    (opcode::LSUB, opcode::LADD),
    (opcode::DADD, opcode::DSUB),
    (opcode::DSUB, opcode::DADD),
    (opcode::DMUL, opcode::DADD),
    (opcode::DDIV, opcode::DMUL),
    (opcode::IAND, opcode::IOR),
    (opcode::IOR, opcode::IAND),
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
    (opcode::ICONST_2, opcode::ICONST_3),
    (opcode::ICONST_M1, opcode::ICONST_0),
    (opcode::DCONST_0, opcode::DCONST_1),
    (opcode::DCONST_1, opcode::DCONST_0),
];

/// A mistake that can be made in a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mutation {
    pub pc: u32,
    pub line: u32,
    /// For the table.
    pub what: String,
    /// What stands there instead.
    bytes: Vec<u8>,
}

/// The mistakes that the code of a method allows, on these lines.
pub(super) fn mutations(
    class: &ClassFile,
    method: usize,
    on: &dyn Fn(u32) -> bool,
) -> Vec<Mutation> {
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
        let mutation = line_of(instruction)
            .filter(|&line| on(line))
            .and_then(|line| {
                let (what, bytes) = replacement(class, instruction, &code.bytes)?;
                let pc = instruction.pc;
                Some(Mutation {
                    pc,
                    line,
                    what,
                    bytes,
                })
            });
        found.extend(mutation);
    }
    found
}

/// The class with a mistake made in one of its methods.
pub(super) fn mutated(class: &ClassFile, method: usize, mutation: &Mutation) -> Option<Vec<u8>> {
    let mut changed = class.clone();
    let mut code = class.code(class.methods.get(method)?).ok()??;
    let start = usize::try_from(mutation.pc).ok()?;
    let place = code.bytes.get_mut(start..start + mutation.bytes.len())?;
    place.copy_from_slice(&mutation.bytes);
    changed.set_code(method, &code).ok()?;
    Some(changed.write())
}

/// What an instruction is replaced by, in words and in bytes.
fn replacement(
    class: &ClassFile,
    instruction: &Instruction,
    code: &[u8],
) -> Option<(String, Vec<u8>)> {
    let start = usize::try_from(instruction.pc).ok()?;
    let name = opcode::name(instruction.opcode);
    let exchange = EXCHANGES
        .iter()
        .find(|(from, _)| *from == instruction.opcode);
    if let Some(&(_, to)) = exchange {
        return Some((format!("{name} → {}", opcode::name(to)), vec![to]));
    }
    match instruction.opcode {
        // One more, in a byte that can hold it.
        opcode::BIPUSH => {
            let number = code.get(start + 1)?.cast_signed();
            let more = number.checked_add(1)?;
            let bytes = vec![opcode::BIPUSH, more.cast_unsigned()];
            Some((format!("bipush {number} → {more}"), bytes))
        }
        opcode::IINC => {
            let (local, by) = (*code.get(start + 1)?, code.get(start + 2)?.cast_signed());
            let more = by.checked_add(1)?;
            let bytes = vec![opcode::IINC, local, more.cast_unsigned()];
            Some((format!("iinc {by} → {more}"), bytes))
        }
        opcode::PUTFIELD | opcode::PUTSTATIC => {
            let field = class.constants.member_ref(instruction.cp_index()?).ok()?;
            let is_wide = matches!(&*field.descriptor, "J" | "D");
            let receiver = usize::from(instruction.opcode == opcode::PUTFIELD);
            let pops = pops(1 + usize::from(is_wide) + receiver, 3)?;
            Some((format!("no assignment to {}", field.name), pops))
        }
        opcode::INVOKEVIRTUAL | opcode::INVOKESTATIC | opcode::INVOKEINTERFACE => {
            let called = class.constants.member_ref(instruction.cp_index()?).ok()?;
            let types = descriptor::parse_method(&called.descriptor).ok()?;
            let is_void = called.descriptor.ends_with(")V");
            let slots = types.parameters.iter().map(|one| usize::from(one.slots()));
            let receiver = usize::from(instruction.opcode != opcode::INVOKESTATIC);
            let is_long = instruction.opcode == opcode::INVOKEINTERFACE;
            let length = if is_long { 5 } else { 3 };
            let pops = pops(slots.sum::<usize>() + receiver, length)?;
            is_void.then(|| (format!("no call of {}", called.name), pops))
        }
        _ => None,
    }
}

/// Instructions of this length that drop so many slots.
fn pops(slots: usize, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![opcode::POP2; slots / 2];
    bytes.extend(vec![opcode::POP; slots % 2]);
    bytes.resize(length.max(bytes.len()), opcode::NOP);
    (bytes.len() == length).then_some(bytes)
}
