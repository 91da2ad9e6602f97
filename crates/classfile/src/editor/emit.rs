//! Writes the instructions of a finished layout.

use super::layout::{Form, Layout, STUB, StubPlace};
use super::{CodeEditor, Insertion};
use crate::bytes::Writer;
use crate::instruction::switch_padding;
use crate::{Instruction, Operand, opcode};

impl CodeEditor<'_> {
    pub(super) fn emit(&self, layout: &Layout) -> Vec<u8> {
        let mut out = Vec::with_capacity(layout.len as usize);
        out.put_slice(&self.entry);
        if layout.stubs_at(StubPlace::Start).next().is_some() {
            emit_goto_w(layout.labels[0], &mut out);
            emit_stubs(StubPlace::Start, layout, &mut out);
        }
        let mut insertions = self.insertions.iter().peekable();
        for (index, instruction) in self.instructions.iter().enumerate() {
            let here = |each: &Insertion| each.instruction as usize == index;
            while let Some(each) = insertions.next_if(|each| here(each) && !each.after) {
                out.put_slice(&self.inserted[each.start as usize..each.end as usize]);
            }
            self.emit_instruction(index, instruction, layout, &mut out);
            while let Some(each) = insertions.next_if(|each| here(each)) {
                out.put_slice(&self.inserted[each.start as usize..each.end as usize]);
            }
        }
        emit_stubs(StubPlace::End, layout, &mut out);
        if let Some(handler) = &self.handler {
            for _ in &handler.parts {
                out.put_slice(&handler.bytes);
            }
        }
        debug_assert_eq!(out.len(), layout.len as usize);
        out
    }

    fn emit_instruction(
        &self,
        index: usize,
        instruction: &Instruction,
        layout: &Layout,
        out: &mut Vec<u8>,
    ) {
        let position = layout.positions[index];
        debug_assert_eq!(out.len(), position as usize);
        // Differences are two's complement, so wrapping gives the negative ones too.
        let distance =
            |target: u32| layout.labels[self.index_checked(target)].wrapping_sub(position);
        match &instruction.operand {
            Operand::Branch(target) => match layout.forms[index] {
                Form::Wide if instruction.opcode == opcode::GOTO => {
                    emit_goto_w(layout.labels[self.index_checked(*target)], out);
                }
                Form::Wide => {
                    out.put_u8(opcode::JSR_W);
                    out.put_u32(distance(*target));
                }
                Form::Stub(place) => {
                    let stub = layout.stubs[&(place, self.index_checked(*target) as u32)];
                    out.put_u8(instruction.opcode);
                    out.put_u16(stub.wrapping_sub(position) as u16);
                }
                Form::AsItWas => {
                    out.put_u8(instruction.opcode);
                    match instruction.opcode {
                        opcode::GOTO_W | opcode::JSR_W => out.put_u32(distance(*target)),
                        _ => out.put_u16(distance(*target) as u16),
                    }
                }
            },
            Operand::Switch(switch) => {
                out.put_u8(instruction.opcode);
                out.put_slice(&[0; 3][..switch_padding(position)]);
                out.put_u32(distance(switch.default));
                let first = switch.cases.first().map_or(0, |case| case.0);
                let last = switch.cases.last().map_or(0, |case| case.0);
                if instruction.opcode == opcode::TABLESWITCH {
                    out.put_u32(first as u32);
                    out.put_u32(last as u32);
                    for &(_, target) in &switch.cases {
                        out.put_u32(distance(target));
                    }
                } else {
                    out.put_u32(switch.cases.len() as u32);
                    for &(key, target) in &switch.cases {
                        out.put_u32(key as u32);
                        out.put_u32(distance(target));
                    }
                }
            }
            _ => {
                let bytes = instruction.pc as usize..instruction.end() as usize;
                out.put_slice(&self.code.bytes[bytes]);
            }
        }
    }
}

fn emit_stubs(place: StubPlace, layout: &Layout, out: &mut Vec<u8>) {
    for (target, _) in layout.stubs_at(place) {
        emit_goto_w(layout.labels[target], out);
    }
}

fn emit_goto_w(target: u32, out: &mut Vec<u8>) {
    let from = out.len() as u32;
    out.put_u8(opcode::GOTO_W);
    out.put_u32(target.wrapping_sub(from));
    debug_assert_eq!(out.len() as u32 - from, STUB);
}
