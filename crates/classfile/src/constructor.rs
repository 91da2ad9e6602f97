//! Which `<init>` call initialises what, by counting.
//!
//! `new` and `invokespecial <init>` nest like brackets in what compilers write: read in the
//! order of the code, an `<init>` call with no `new` open is the call of `this(…)` or
//! `super(…)`. Code that is not so ordered is legal but rare; where it matters, check the
//! answer against the frames with [`CodeEditor::this_is_initialized_from`].
//!
//! [`CodeEditor::this_is_initialized_from`]: crate::CodeEditor::this_is_initialized_from

mod early_writes;

pub use early_writes::early_writes;

use crate::{ConstantPool, Instruction, opcode};

/// An `invokespecial <init>` that completes a `new`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AllocationSite {
    /// Index of the `new` among the instructions.
    pub new: usize,
    /// Index of the `invokespecial <init>`.
    pub init: usize,
    /// Whether a `dup` follows the `new`: then the initialised object is on top of the stack
    /// after the call.
    pub dup: bool,
}

/// The index of the call of `this(…)` or `super(…)` in a constructor: the first, if there are
/// several (in branches), and `None` if there is none.
pub fn super_call(instructions: &[Instruction], constants: &ConstantPool) -> Option<usize> {
    super_calls(instructions, constants).first().copied()
}

/// All calls of `this(…)` or `super(…)` in a constructor.
pub fn super_calls(instructions: &[Instruction], constants: &ConstantPool) -> Vec<usize> {
    classify(instructions, constants).0
}

/// The completed allocations of any method or constructor, in the order of their `<init>`.
pub fn allocation_sites(
    instructions: &[Instruction],
    constants: &ConstantPool,
) -> Vec<AllocationSite> {
    classify(instructions, constants).1
}

fn classify(
    instructions: &[Instruction],
    constants: &ConstantPool,
) -> (Vec<usize>, Vec<AllocationSite>) {
    let mut super_calls = Vec::new();
    let mut allocations = Vec::new();
    let mut open = Vec::new();
    for (index, instruction) in instructions.iter().enumerate() {
        match instruction.opcode {
            opcode::NEW => open.push(index),
            opcode::INVOKESPECIAL if is_init(instruction, constants) => match open.pop() {
                None => super_calls.push(index),
                Some(new) => allocations.push(AllocationSite {
                    new,
                    init: index,
                    dup: instructions
                        .get(new + 1)
                        .is_some_and(|next| next.opcode == opcode::DUP),
                }),
            },
            _ => {}
        }
    }
    (super_calls, allocations)
}

fn is_init(instruction: &Instruction, constants: &ConstantPool) -> bool {
    instruction
        .cp_index()
        .and_then(|index| constants.member_ref(index).ok())
        .is_some_and(|member| member.name == "<init>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    #[test]
    fn brackets_are_matched() {
        let mut pool = ConstantPool::new();
        let init = pool.add_method_ref("A", "<init>", "()V").unwrap() as u8;
        let other = pool.add_method_ref("A", "hidden", "()V").unwrap() as u8;
        let code = Code {
            bytes: vec![
                opcode::ALOAD_0, // 0
                opcode::NEW,
                0,
                0,
                opcode::DUP, // 2
                opcode::NEW,
                0,
                0,
                opcode::INVOKESPECIAL, // 4
                0,
                init,
                opcode::INVOKESPECIAL, // 5
                0,
                init,
                opcode::INVOKESPECIAL, // 6
                0,
                init,
                opcode::INVOKESPECIAL, // 7
                0,
                other,
            ],
            ..Code::default()
        };
        let instructions = code.instructions().unwrap();
        assert_eq!(super_calls(&instructions, &pool), [6]);
        assert_eq!(super_call(&instructions, &pool), Some(6));
        let expected = [(3, 4, false), (1, 5, true)];
        let expected = expected.map(|(new, init, dup)| AllocationSite { new, init, dup });
        assert_eq!(allocation_sites(&instructions, &pool), expected);
    }
}
