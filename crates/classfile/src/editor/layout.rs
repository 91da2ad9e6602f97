//! Where everything comes to lie in the new code.
//!
//! Jumps have 16-bit reach in their short form, and inserted code moves targets out of it. A
//! goto or jsr then takes its wide form. A conditional has none: it goes to a *stub*, a
//! `goto_w` to its target whose frame is a copy of the target's. (Turning the condition round
//! to jump over a `goto_w` would need a frame behind it, which the original does not have.)
//!
//! Stubs stand at the end of the code or, for jumps from which the end is too far, between the
//! entry snippet and the first label, where a `goto_w` leads around them to a frame that is
//! known: that of the method's start. No exception range covers either place, so it does not
//! matter what handlers expect. One of the two is always near enough, as no method has more
//! than 65535 bytes.
//!
//! Lengthening one jump may push another out of reach and changes the padding of switches, so
//! the layout is repeated until nothing changes; it ends because code only ever grows.

use std::collections::BTreeMap;

use super::{CodeEditor, EditError};
use crate::instruction::switch_padding;
use crate::{Instruction, Operand, opcode};

/// A finished layout. All vectors count instructions.
#[derive(Debug)]
pub(super) struct Layout {
    /// Where jumps to the instruction go; one more, at the end, for the end of the code.
    pub(super) labels: Vec<u32>,
    /// Where the instruction itself is.
    pub(super) positions: Vec<u32>,
    pub(super) forms: Vec<Form>,
    /// Where the stub is that goes to an instruction.
    pub(super) stubs: BTreeMap<(StubPlace, u32), u32>,
    pub(super) handler: u32,
    pub(super) len: u32,
}

/// How a jump is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    AsItWas,
    /// `goto_w` for `goto`, `jsr_w` for `jsr`.
    Wide,
    Stub(StubPlace),
}

/// Where a stub stands, in the order of the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StubPlace {
    Start,
    End,
}

/// Length of a stub, and of the `goto_w` that leads around stubs.
pub(super) const STUB: u32 = 5;

const MOST_CODE: usize = 65535;
const REACH: u32 = 32767;

impl Layout {
    pub(super) fn of(editor: &CodeEditor<'_>) -> Result<Layout, EditError> {
        let count = editor.instructions.len();
        let mut before = vec![0; count];
        let mut after = vec![0; count];
        for each in &editor.insertions {
            let lengths = if each.after { &mut after } else { &mut before };
            lengths[each.instruction as usize] += each.end - each.start;
        }
        let inserted = editor.inserted.len() + editor.entry.len();
        if editor.code.bytes.len() + inserted > MOST_CODE {
            return Err(EditError::TooLarge(editor.code.bytes.len() + inserted));
        }
        let mut layout = Layout {
            labels: vec![0; count + 1],
            positions: vec![0; count],
            forms: vec![Form::AsItWas; count],
            stubs: BTreeMap::new(),
            handler: 0,
            len: 0,
        };
        layout.place(editor, &before, &after);
        if layout.len <= REACH {
            // No distance can be larger than the code.
            return Ok(layout);
        }
        let has_frame = editor.frame_places()?;
        loop {
            if layout.len as usize > MOST_CODE {
                return Err(EditError::TooLarge(layout.len as usize));
            }
            if !layout.lengthen(editor, has_frame.as_deref())? {
                return Ok(layout);
            }
            layout.place(editor, &before, &after);
        }
    }

    fn place(&mut self, editor: &CodeEditor<'_>, before: &[u32], after: &[u32]) {
        let mut pc = editor.entry.len() as u32;
        if self.stubs_at(StubPlace::Start).next().is_some() {
            pc += STUB;
            self.place_stubs(StubPlace::Start, &mut pc);
        }
        for (index, instruction) in editor.instructions.iter().enumerate() {
            self.labels[index] = pc;
            pc += before[index];
            self.positions[index] = pc;
            pc += length(instruction, self.forms[index], pc);
            pc += after[index];
        }
        self.labels[editor.instructions.len()] = pc;
        self.place_stubs(StubPlace::End, &mut pc);
        self.handler = pc;
        self.len = pc
            + editor
                .handler
                .as_ref()
                .map_or(0, |handler| handler.len() as u32);
    }

    fn place_stubs(&mut self, place: StubPlace, pc: &mut u32) {
        for (_, stub) in self.stubs.range_mut((place, 0)..=(place, u32::MAX)) {
            *stub = *pc;
            *pc += STUB;
        }
    }

    /// The stubs of a place: what they go to and where they are, in the order of the code.
    pub(super) fn stubs_at(&self, place: StubPlace) -> impl Iterator<Item = (usize, u32)> {
        self.stubs
            .range((place, 0)..=(place, u32::MAX))
            .map(|(&(_, target), &pc)| (target as usize, pc))
    }

    /// Gives every jump that does not reach its target a longer form. `has_frame` says which
    /// instructions have a stack map frame; `None` if the method needs no frames.
    fn lengthen(
        &mut self,
        editor: &CodeEditor<'_>,
        has_frame: Option<&[bool]>,
    ) -> Result<bool, EditError> {
        let mut changed = false;
        for (index, instruction) in editor.instructions.iter().enumerate() {
            let Some(target) = short_target(editor, instruction) else {
                continue;
            };
            let goes_to = match self.forms[index] {
                Form::Wide => continue,
                Form::AsItWas => self.labels[target],
                Form::Stub(place) => self.stubs[&(place, target as u32)],
            };
            if goes_to.abs_diff(self.positions[index]) <= REACH {
                continue;
            }
            changed = true;
            if !instruction.is_conditional() {
                self.forms[index] = Form::Wide;
                continue;
            }
            if has_frame.is_some_and(|has_frame| !has_frame[target]) {
                return Err(EditError::MissingFrame(editor.instructions[target].pc));
            }
            // Stubs are added to the end after those that are there, and push the handler.
            let place = match self.handler - self.positions[index] <= REACH {
                true => StubPlace::End,
                false => StubPlace::Start,
            };
            self.forms[index] = Form::Stub(place);
            let somewhere = self.positions[index];
            self.stubs
                .entry((place, target as u32))
                .or_insert(somewhere);
        }
        Ok(changed)
    }
}

impl CodeEditor<'_> {
    /// The index of the instruction at a pc that was checked before.
    pub(super) fn index_checked(&self, pc: u32) -> usize {
        self.index_at[pc as usize] as usize
    }
}

/// The target, as an index, of a jump with 16-bit reach.
fn short_target(editor: &CodeEditor<'_>, instruction: &Instruction) -> Option<usize> {
    match instruction.operand {
        Operand::Branch(_) if matches!(instruction.opcode, opcode::GOTO_W | opcode::JSR_W) => None,
        Operand::Branch(target) => Some(editor.index_checked(target)),
        _ => None,
    }
}

fn length(instruction: &Instruction, form: Form, pc: u32) -> u32 {
    match (&instruction.operand, form) {
        (Operand::Branch(_), Form::Wide) => 5,
        (Operand::Switch(switch), _) => {
            let cases = switch.cases.len() as u32;
            let operands = match instruction.opcode {
                opcode::TABLESWITCH => 12 + 4 * cases,
                _ => 8 + 8 * cases,
            };
            1 + switch_padding(pc) as u32 + operands
        }
        _ => instruction.len,
    }
}
