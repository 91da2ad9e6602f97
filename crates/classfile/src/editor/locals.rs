//! Which locals the verifier knows to hold a reference, and where.
//!
//! A frame need not tell of a local that nothing reads any more: tools that shrink class files leave it out, `this` not
//! excepted. Code that is inserted may read a local only where the frames have it.

use super::CodeEditor;
use crate::stack_map::StackMap;
use crate::{Instruction, VerificationType, opcode};

impl CodeEditor<'_> {
    /// Whether a local holds a reference at the label of each instruction, to an object or to one that has yet to be
    /// initialised. `None` for a method without frames: there the verifier infers what a local holds from
    /// all that is stored to it. A table that cannot be read promises nothing.
    pub fn references_in(&self, local: u16) -> Option<Vec<bool>> {
        if !self.has_frames() {
            return None;
        }
        let nothing = vec![false; self.instructions.len()];
        // Only what is a reference matters here, so they can be to any class.
        let Ok(initial) = self.initial_locals(|_| Ok(0)) else {
            return Some(nothing);
        };
        let map = match self.attributes.stack_map {
            Some((_, table)) => StackMap::parse(table, &initial),
            None => Ok(StackMap::default()),
        };
        let Ok(map) = map else {
            return Some(nothing);
        };
        let mut frames = map.frames().peekable();
        let mut holds = holds_reference(&initial, local);
        let each = |instruction: &Instruction| {
            while let Some(frame) = frames.next_if(|frame| frame.pc <= instruction.pc) {
                holds = holds_reference(frame.locals, local);
            }
            let before = holds;
            holds = holds_after(instruction, local, holds);
            before
        };
        Some(self.instructions.iter().map(each).collect())
    }
}

fn holds_reference(locals: &[VerificationType], local: u16) -> bool {
    let mut slot = 0;
    for each in locals {
        if slot == local {
            return each.is_reference();
        }
        slot += each.slots();
    }
    false
}

/// Whether a local holds a reference once an instruction has run.
fn holds_after(instruction: &Instruction, local: u16, before: bool) -> bool {
    let Some(stored) = instruction
        .local_index()
        .filter(|_| instruction.is_local_store())
    else {
        return before;
    };
    match instruction.opcode {
        opcode::ASTORE | opcode::ASTORE_0..=opcode::ASTORE_3 if stored == local => true,
        opcode::LSTORE
        | opcode::DSTORE
        | opcode::LSTORE_0..=opcode::LSTORE_3
        | opcode::DSTORE_0..=opcode::DSTORE_3
            if local.checked_sub(1) == Some(stored) =>
        {
            false
        }
        _ => before && stored != local,
    }
}
