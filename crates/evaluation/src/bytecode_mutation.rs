//! Mistakes made in compiled code: one instruction replaced by others of the same length that take and
//! give the same, so that the class still verifies and its lines stay where they are; or, of what is returned, another
//! value put in its place.

mod candidates;

use classfile::{ClassFile, CodeEditor, Instruction, MemberRef, Snippet, opcode};
use java_names::descriptor;

pub(crate) use candidates::{Candidate, candidates, class_of};

/// Which mistakes are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operators {
    /// At most one for each instruction.
    Few,
    /// Those, and every other that is a common mistake.
    Many,
}

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

/// Further ones: conditions negated, other operators, other constants.
const FURTHER: &[(u8, u8)] = &[
    (opcode::IFLT, opcode::IFGE),
    (opcode::IFGE, opcode::IFLT),
    (opcode::IFGT, opcode::IFLE),
    (opcode::IFLE, opcode::IFGT),
    (opcode::IF_ICMPLT, opcode::IF_ICMPGE),
    (opcode::IF_ICMPGE, opcode::IF_ICMPLT),
    (opcode::IF_ICMPGT, opcode::IF_ICMPLE),
    (opcode::IF_ICMPLE, opcode::IF_ICMPGT),
    (opcode::IF_ACMPEQ, opcode::IF_ACMPNE),
    (opcode::IF_ACMPNE, opcode::IF_ACMPEQ),
    (opcode::IREM, opcode::IMUL),
    (opcode::ISHL, opcode::ISHR),
    (opcode::ISHR, opcode::ISHL),
    (opcode::IUSHR, opcode::ISHL),
    (opcode::IXOR, opcode::IAND),
    (opcode::LMUL, opcode::LADD),
    (opcode::LDIV, opcode::LMUL),
    (opcode::LREM, opcode::LMUL),
    (opcode::ICONST_1, opcode::ICONST_2),
    (opcode::ICONST_2, opcode::ICONST_1),
    (opcode::ICONST_3, opcode::ICONST_4),
    (opcode::ICONST_4, opcode::ICONST_3),
    (opcode::ICONST_5, opcode::ICONST_4),
    (opcode::LCONST_0, opcode::LCONST_1),
    (opcode::LCONST_1, opcode::LCONST_0),
];

/// A mistake that can be made in a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mutation {
    pub(crate) pc: u32,
    pub(crate) line: u32,
    /// For the table.
    pub(crate) what: String,
    change: Change,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Change {
    /// This stands there instead.
    Instead(Vec<u8>),
    /// This is done before it.
    Before(Vec<u8>),
}

/// A change in words and in bytes.
type Described = (String, Change);

/// The mistakes that the code of a method allows, on these lines.
pub(crate) fn mutations(
    class: &ClassFile,
    method: usize,
    operators: Operators,
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
    let narrow = instructions.iter().enumerate().filter(|(_, one)| !one.wide);
    for (place, instruction) in narrow {
        let Some(line) = line_of(instruction).filter(|&line| on(line)) else {
            continue;
        };
        let mut changes: Vec<Described> = replacement(class, instruction, &code.bytes)
            .into_iter()
            .collect();
        if operators == Operators::Many {
            changes.extend(further(class, method, instruction, &code.bytes));
        }
        let makes_boolean = makes_boolean(class, method, instruction, instructions.get(place + 1));
        changes.retain(|(_, change)| !(makes_boolean && is_no_boolean(change)));
        found.extend(changes.into_iter().map(|(what, change)| Mutation {
            pc: instruction.pc,
            line,
            what,
            change,
        }));
    }
    found
}

/// Whether an instruction gives a truth value, so far as the next one shows.
fn makes_boolean(
    class: &ClassFile,
    method: usize,
    instruction: &Instruction,
    next: Option<&Instruction>,
) -> bool {
    let is_constant = matches!(instruction.opcode, opcode::ICONST_0 | opcode::ICONST_1);
    let Some(next) = next.filter(|_| is_constant) else {
        return false;
    };
    let returns_boolean = || {
        let descriptor = class.constants.utf8(class.methods[method].descriptor);
        descriptor.is_ok_and(|descriptor| descriptor.ends_with(")Z"))
    };
    let takes = |end: &str| {
        let member = next
            .cp_index()
            .map(|index| class.constants.member_ref(index));
        matches!(member, Some(Ok(member)) if member.descriptor.contains(end))
    };
    match next.opcode {
        opcode::IRETURN | opcode::GOTO => returns_boolean(),
        opcode::PUTFIELD | opcode::PUTSTATIC => takes("Z"),
        _ if next.is_invoke() => takes("Z)"),
        _ => false,
    }
}

/// No compiler writes another number for a truth value than 0 and 1, and nothing shows another one.
fn is_no_boolean(change: &Change) -> bool {
    matches!(change, Change::Instead(bytes) if *bytes == [opcode::ICONST_2] || *bytes == [opcode::ICONST_M1])
}

/// The class with a mistake made in one of its methods.
pub(crate) fn mutated(class: &ClassFile, method: usize, mutation: &Mutation) -> Option<Vec<u8>> {
    let mut changed = class.clone();
    let declared = class.methods.get(method)?;
    let mut code = class.code(declared).ok()??;
    match &mutation.change {
        Change::Instead(bytes) => {
            let start = usize::try_from(mutation.pc).ok()?;
            let place = code.bytes.get_mut(start..start + bytes.len())?;
            place.copy_from_slice(bytes);
        }
        Change::Before(bytes) => {
            let mut editor = CodeEditor::new(class, declared, &code).ok()?;
            let mut instructions = editor.instructions().iter();
            let place = instructions.position(|one| one.pc == mutation.pc)?;
            // What is inserted leaves as much on the stack as it finds there.
            let mut snippet = Snippet::new();
            snippet.raw(bytes, 2).raw(&[], -2);
            editor.before(place, &snippet);
            code = editor.finish(&mut changed.constants).ok()?;
        }
    }
    changed.set_code(method, &code).ok()?;
    Some(changed.write())
}

/// What an instruction is replaced by.
fn replacement(class: &ClassFile, instruction: &Instruction, code: &[u8]) -> Option<Described> {
    let exchange = EXCHANGES
        .iter()
        .find(|(from, _)| *from == instruction.opcode);
    if let Some(&exchange) = exchange {
        return Some(exchanged(exchange));
    }
    match instruction.opcode {
        // One more, in a byte that can hold it.
        opcode::BIPUSH | opcode::IINC => added(instruction, code, 1),
        opcode::PUTFIELD | opcode::PUTSTATIC => {
            let field = class.constants.member_ref(instruction.cp_index()?).ok()?;
            let is_wide = matches!(&*field.descriptor, "J" | "D");
            let receiver = usize::from(instruction.opcode == opcode::PUTFIELD);
            let pops = pops(1 + usize::from(is_wide) + receiver, 3)?;
            let what = format!("no assignment to {}", field.name);
            Some((what, Change::Instead(pops)))
        }
        opcode::INVOKEVIRTUAL | opcode::INVOKESTATIC | opcode::INVOKEINTERFACE => {
            let (called, slots, length) = call(class, instruction)?;
            let pops = pops(slots, length)?;
            let is_void = called.descriptor.ends_with(")V");
            is_void.then(|| (format!("no call of {}", called.name), Change::Instead(pops)))
        }
        _ => None,
    }
}

/// What else can be done to an instruction.
fn further(
    class: &ClassFile,
    method: usize,
    instruction: &Instruction,
    code: &[u8],
) -> Vec<Described> {
    let of_opcode = FURTHER
        .iter()
        .filter(|(from, _)| *from == instruction.opcode);
    let mut found: Vec<Described> = of_opcode.map(|&exchange| exchanged(exchange)).collect();
    match instruction.opcode {
        opcode::BIPUSH | opcode::IINC => found.extend(added(instruction, code, -1)),
        opcode::SIPUSH => {
            found.extend(
                [1, -1]
                    .map(|by| added_to_short(instruction, code, by))
                    .into_iter()
                    .flatten(),
            );
        }
        opcode::IRETURN | opcode::ARETURN => found.extend(returned(class, method, instruction)),
        opcode::INVOKEVIRTUAL | opcode::INVOKESTATIC | opcode::INVOKEINTERFACE => {
            found.extend(skipped(class, instruction));
        }
        _ => {}
    }
    found
}

fn exchanged((from, to): (u8, u8)) -> Described {
    let what = format!("{} → {}", opcode::name(from), opcode::name(to));
    (what, Change::Instead(vec![to]))
}

/// A number in the last byte of an instruction, off by one.
fn added(instruction: &Instruction, code: &[u8], by: i8) -> Option<Described> {
    let start = usize::try_from(instruction.pc).ok()?;
    let length = if instruction.opcode == opcode::IINC {
        3
    } else {
        2
    };
    let mut bytes = code.get(start..start + length)?.to_vec();
    let last = bytes.last_mut()?;
    let number = last.cast_signed();
    let other = number.checked_add(by)?;
    *last = other.cast_unsigned();
    let what = format!("{} {number} → {other}", opcode::name(instruction.opcode));
    Some((what, Change::Instead(bytes)))
}

fn added_to_short(instruction: &Instruction, code: &[u8], by: i16) -> Option<Described> {
    let start = usize::try_from(instruction.pc).ok()?;
    let bytes = code.get(start + 1..start + 3)?.try_into().ok()?;
    let number = i16::from_be_bytes(bytes);
    let other = number.checked_add(by)?;
    let [high, low] = other.to_be_bytes();
    let what = format!("sipush {number} → {other}");
    Some((what, Change::Instead(vec![opcode::SIPUSH, high, low])))
}

/// Another value returned: one more, the opposite, null.
fn returned(class: &ClassFile, method: usize, instruction: &Instruction) -> Option<Described> {
    let declared = class
        .constants
        .utf8(class.methods.get(method)?.descriptor)
        .ok()?;
    let (what, bytes) = match declared.rsplit(')').next()? {
        "I" => ("returns one more", vec![opcode::ICONST_1, opcode::IADD]),
        "Z" => ("returns the opposite", vec![opcode::ICONST_1, opcode::IXOR]),
        _ if instruction.opcode == opcode::ARETURN => {
            ("returns null", vec![opcode::POP, opcode::ACONST_NULL])
        }
        _ => return None,
    };
    Some((what.to_owned(), Change::Before(bytes)))
}

/// A call that is not made; in place of its result there is nothing, or zero.
fn skipped(class: &ClassFile, instruction: &Instruction) -> Option<Described> {
    let (called, slots, length) = call(class, instruction)?;
    let nothing = match called.descriptor.rsplit(')').next()? {
        "V" | "F" => return None,
        "J" => opcode::LCONST_0,
        "D" => opcode::DCONST_0,
        "I" | "Z" | "B" | "C" | "S" => opcode::ICONST_0,
        _ => opcode::ACONST_NULL,
    };
    let mut bytes = pops(slots, length - 1)?;
    bytes.push(nothing);
    let what = format!("no call of {}, {}", called.name, opcode::name(nothing));
    Some((what, Change::Instead(bytes)))
}

/// What is called, how many slots it takes, and how long the instruction is.
fn call<'c>(
    class: &'c ClassFile,
    instruction: &Instruction,
) -> Option<(MemberRef<'c>, usize, usize)> {
    let called = class.constants.member_ref(instruction.cp_index()?).ok()?;
    let types = descriptor::parse_method(&called.descriptor).ok()?;
    let slots = types.parameters.iter().map(|one| usize::from(one.slots()));
    let receiver = usize::from(instruction.opcode != opcode::INVOKESTATIC);
    let is_long = instruction.opcode == opcode::INVOKEINTERFACE;
    let slots = slots.sum::<usize>() + receiver;
    Some((called, slots, if is_long { 5 } else { 3 }))
}

/// Instructions of this length that drop so many slots.
fn pops(slots: usize, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![opcode::POP2; slots / 2];
    bytes.extend(vec![opcode::POP; slots % 2]);
    bytes.resize(length.max(bytes.len()), opcode::NOP);
    (bytes.len() == length).then_some(bytes)
}
