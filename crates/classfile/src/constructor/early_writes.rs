//! Which fields a constructor sets before `this(…)` or `super(…)`.
//!
//! There, `this` is not an object yet: it cannot be handed to anybody, but fields that its class declares can be
//! set. Objects of the same class that have been made elsewhere can be written to as well, and
//! the instruction looks the same. So what stands on the stack is followed, as far as it matters:
//! whether it is `this`.

use std::collections::HashSet;

use crate::snippet::stack_effect;
use crate::{Code, ConstantPool, Instruction, Operand, opcode};
use java_names::descriptor;

use super::super_calls;

/// The indices of a constructor's instructions `putfield` that set a field of `this` before it is
/// an object.
pub fn early_writes(
    class_name: &str,
    code: &Code,
    instructions: &[Instruction],
    constants: &ConstantPool,
) -> HashSet<usize> {
    let super_calls = super_calls(instructions, constants);
    let Some(&last) = super_calls.last() else {
        return HashSet::new();
    };
    let sets_own_field = |index: &usize| {
        let instruction = &instructions[*index];
        let member = instruction
            .cp_index()
            .and_then(|constant| constants.member_ref(constant).ok());
        instruction.opcode == opcode::PUTFIELD
            && member.is_some_and(|member| member.owner == class_name)
    };
    let candidates: HashSet<usize> = (0..last).filter(sets_own_field).collect();
    if candidates.is_empty() {
        return candidates;
    }
    let mut walk = Walk {
        instructions,
        constants,
        ends: &super_calls,
        seen: HashSet::new(),
        todo: vec![(0, Vec::new())],
        into_others: HashSet::new(),
    };
    let index_of = |pc: u32| instructions.partition_point(|instruction| instruction.pc < pc);
    for range in &code.exceptions {
        // What it handles is on the stack, and is not `this`.
        walk.todo
            .push((index_of(range.handler.into()), vec![false]));
    }
    walk.run();
    // Code that nothing reaches stays among them: it must pass verification too.
    &candidates - &walk.into_others
}

/// For each slot of the stack, whether it is `this`.
type Stack = Vec<bool>;

struct Walk<'a> {
    instructions: &'a [Instruction],
    constants: &'a ConstantPool,
    /// From these calls on, `this` is an object.
    ends: &'a [usize],
    seen: HashSet<usize>,
    todo: Vec<(usize, Stack)>,
    /// Instructions `putfield` with another object than `this`.
    into_others: HashSet<usize>,
}

impl Walk<'_> {
    /// The JVM's verifier sees to it that a slot that is used is `this` on all ways to an
    /// instruction or on none, so one way tells.
    fn run(&mut self) {
        while let Some((index, mut stack)) = self.todo.pop() {
            let Some(instruction) = self.instructions.get(index) else {
                continue;
            };
            if !self.seen.insert(index) || self.ends.contains(&index) {
                continue;
            }
            if self.step(index, instruction, &mut stack).is_none() {
                continue; // no code that a JVM would take
            }
            for pc in instruction.targets() {
                let target = self.instructions.partition_point(|other| other.pc < pc);
                self.todo.push((target, stack.clone()));
            }
            if instruction.falls_through() {
                self.todo.push((index + 1, stack));
            }
        }
    }

    /// `None` where the stack has too little on it.
    fn step(&mut self, index: usize, instruction: &Instruction, stack: &mut Stack) -> Option<()> {
        if let Some((copied, below)) = copies(instruction.opcode) {
            let at = stack.len().checked_sub(copied + below)?;
            let copy = stack[stack.len() - copied..].to_vec();
            stack.splice(at..at, copy);
            return Some(());
        }
        match instruction.opcode {
            opcode::SWAP => {
                let at = stack.len().checked_sub(2)?;
                stack.swap(at, at + 1);
            }
            opcode::ALOAD | opcode::ALOAD_0..=opcode::ALOAD_3 => {
                stack.push(instruction.local_index() == Some(0));
            }
            _ => {
                let (pops, pushes) = self.effect(instruction)?;
                let left = stack.len().checked_sub(pops)?;
                if instruction.opcode == opcode::PUTFIELD && !stack[left] {
                    self.into_others.insert(index);
                }
                stack.truncate(left);
                stack.resize(left + pushes, false);
            }
        }
        Some(())
    }

    /// Slots popped and pushed.
    fn effect(&self, instruction: &Instruction) -> Option<(usize, usize)> {
        let member = || {
            let constant = instruction.cp_index()?;
            self.constants.member_ref(constant).ok()
        };
        let field = || {
            let member = member()?;
            let kind = descriptor::parse_field(&member.descriptor).ok()?;
            Some(usize::from(kind.slots()))
        };
        Some(match instruction.opcode {
            opcode::GETSTATIC => (0, field()?),
            opcode::PUTSTATIC => (field()?, 0),
            opcode::GETFIELD => (1, field()?),
            opcode::PUTFIELD => (1 + field()?, 0),
            code if instruction.is_invoke() => {
                let member = member()?;
                let signature = descriptor::parse_method(&member.descriptor).ok()?;
                let arguments = signature.parameters.iter().map(|kind| kind.slots());
                let arguments = usize::from(arguments.sum::<u16>());
                let has_receiver = !matches!(code, opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC);
                let result = usize::from(signature.result.slots());
                (arguments + usize::from(has_receiver), result)
            }
            opcode::BIPUSH | opcode::SIPUSH | opcode::LDC | opcode::LDC_W | opcode::NEW => (0, 1),
            opcode::LDC2_W => (0, 2),
            opcode::JSR | opcode::JSR_W => (0, 1),
            code if instruction.is_local_load() => (
                0,
                local_slots(code - opcode::ILOAD, opcode::ILOAD_0 - opcode::ILOAD),
            ),
            code if instruction.is_local_store() => (
                local_slots(code - opcode::ISTORE, opcode::ISTORE_0 - opcode::ISTORE),
                0,
            ),
            opcode::IF_ICMPEQ..=opcode::IF_ACMPNE => (2, 0),
            opcode::TABLESWITCH | opcode::LOOKUPSWITCH => (1, 0),
            _ if instruction.is_conditional() => (1, 0),
            opcode::NEWARRAY | opcode::ANEWARRAY | opcode::CHECKCAST | opcode::INSTANCEOF => (1, 1),
            opcode::MULTIANEWARRAY => match instruction.operand {
                Operand::MultiArray { dimensions, .. } => (dimensions.into(), 1),
                _ => return None,
            },
            code => {
                let (pops, pushes) = stack_effect(code);
                (pops.into(), pushes.into())
            }
        })
    }
}

/// The slots of a local that is loaded or stored by the opcode at `place` among its like: first
/// one for each of int, long, float, double and reference, then, from `short_forms` on, four for each.
fn local_slots(place: u8, short_forms: u8) -> usize {
    let kind = match place.checked_sub(short_forms) {
        Some(short) => short / 4,
        None => place,
    };
    if matches!(kind, 1 | 3) { 2 } else { 1 }
}

/// How many slots an instruction copies, and below how many others it puts the copy.
fn copies(code: u8) -> Option<(usize, usize)> {
    Some(match code {
        opcode::DUP => (1, 0),
        opcode::DUP_X1 => (1, 1),
        opcode::DUP_X2 => (1, 2),
        opcode::DUP2 => (2, 0),
        opcode::DUP2_X1 => (2, 1),
        opcode::DUP2_X2 => (2, 2),
        _ => return None,
    })
}
