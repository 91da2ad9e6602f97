//! Instructions as bytes, each in its shortest form.

use java_names::descriptor;

use super::sequence::{Sequence, Step};
use crate::bytes::Writer;
use crate::graft::GraftError;
use crate::instruction::switch_padding;
use crate::{ClassFile, Operand, opcode};

const MOST_CODE: usize = 65535;

pub(super) struct Encoding {
    pub(super) bytes: Vec<u8>,
    /// Where the instructions that are reached lie, in their order.
    pub(super) places: Vec<u16>,
    /// The same by the number of the instruction.
    by_step: Vec<Option<u16>>,
}

impl Encoding {
    pub(super) fn of(
        class: &ClassFile,
        sequence: &Sequence,
        reached: &[usize],
    ) -> Result<Encoding, GraftError> {
        let mut by_step = vec![None; sequence.steps.len()];
        let mut places = Vec::with_capacity(reached.len());
        let mut here = 0;
        for &at in reached {
            let place = u16::try_from(here).map_err(|_| too_large())?;
            by_step[at] = Some(place);
            places.push(place);
            here += length(&sequence.steps[at], here);
        }
        if here > MOST_CODE {
            return Err(too_large());
        }
        let mut encoding = Encoding {
            bytes: Vec::with_capacity(here),
            places,
            by_step,
        };
        for &at in reached {
            encoding.write(class, &sequence.steps[at])?;
        }
        Ok(encoding)
    }

    pub(super) fn place(&self, step: usize) -> Option<u16> {
        self.by_step.get(step).copied().flatten()
    }

    fn write(&mut self, class: &ClassFile, step: &Step) -> Result<(), GraftError> {
        let here = self.bytes.len();
        let distances = step.targets.iter().map(|&target| {
            let place = self.place(target);
            let place = place.ok_or(GraftError::Mixture("a jump leads nowhere"))?;
            Ok(i32::from(place) - here as i32)
        });
        let distances: Vec<i32> = distances.collect::<Result<_, GraftError>>()?;
        let instruction = &step.instruction;
        let code = instruction.opcode;
        let out = &mut self.bytes;
        match &instruction.operand {
            Operand::None => out.put_u8(code),
            Operand::Immediate(number) if code == opcode::BIPUSH => {
                out.put_slice(&[code, *number as u8]);
            }
            Operand::Immediate(number) => {
                out.put_u8(code);
                out.put_u16(*number as u16);
            }
            Operand::Local(local) => write_local(code, *local, out),
            Operand::Increment { local, by } => match (u8::try_from(*local), i8::try_from(*by)) {
                (Ok(local), Ok(by)) => out.put_slice(&[code, local, by as u8]),
                _ => {
                    out.put_slice(&[opcode::WIDE, code]);
                    out.put_u16(*local);
                    out.put_u16(*by as u16);
                }
            },
            Operand::Constant(index) if code == opcode::LDC => {
                out.put_slice(&[code, *index as u8]);
            }
            Operand::Constant(index) => {
                out.put_u8(code);
                out.put_u16(*index);
                match code {
                    opcode::INVOKEINTERFACE => {
                        let member = class.constants.member_ref(*index)?;
                        let slots = descriptor::parse_method(&member.descriptor)
                            .map_err(crate::ParseError::from)?
                            .parameter_slots();
                        out.put_slice(&[(slots + 1) as u8, 0]);
                    }
                    opcode::INVOKEDYNAMIC => out.put_u16(0),
                    _ => {}
                }
            }
            Operand::ArrayType(kind) => out.put_slice(&[code, *kind]),
            Operand::MultiArray { class, dimensions } => {
                out.put_u8(code);
                out.put_u16(*class);
                out.put_u8(*dimensions);
            }
            Operand::Branch(_) => {
                let distance = distances.first().copied().unwrap_or_default();
                out.put_u8(code);
                if matches!(code, opcode::GOTO_W | opcode::JSR_W) {
                    out.put_u32(distance as u32);
                } else {
                    out.put_u16(i16::try_from(distance).map_err(|_| too_large())? as u16);
                }
            }
            Operand::Switch(switch) => {
                out.put_u8(code);
                out.resize(out.len() + switch_padding(here as u32), 0);
                let (default, others) = distances.split_first().ok_or_else(too_large)?;
                out.put_u32(*default as u32);
                let key = |case: Option<&(i32, u32)>| case.map_or(0, |case| case.0) as u32;
                if code == opcode::TABLESWITCH {
                    out.put_u32(key(switch.cases.first()));
                    out.put_u32(key(switch.cases.last()));
                } else {
                    out.put_u32(switch.cases.len() as u32);
                }
                for (case, distance) in switch.cases.iter().zip(others) {
                    if code == opcode::LOOKUPSWITCH {
                        out.put_u32(case.0 as u32);
                    }
                    out.put_u32(*distance as u32);
                }
            }
        }
        Ok(())
    }
}

fn too_large() -> GraftError {
    GraftError::TooLarge("a method".to_owned())
}

/// The form of a load or store that has its local beside it, and of those that have it in them the first.
fn forms(code: u8) -> (u8, Option<u8>) {
    let pair = |from: u8, plain: u8| {
        let kind = (code - from) / 4;
        (plain + kind, Some(from + 4 * kind))
    };
    match code {
        opcode::ILOAD..=opcode::ALOAD => (code, Some(opcode::ILOAD_0 + 4 * (code - opcode::ILOAD))),
        opcode::ILOAD_0..=opcode::ALOAD_3 => pair(opcode::ILOAD_0, opcode::ILOAD),
        opcode::ISTORE..=opcode::ASTORE => {
            (code, Some(opcode::ISTORE_0 + 4 * (code - opcode::ISTORE)))
        }
        opcode::ISTORE_0..=opcode::ASTORE_3 => pair(opcode::ISTORE_0, opcode::ISTORE),
        other => (other, None),
    }
}

fn write_local(code: u8, local: u16, out: &mut Vec<u8>) {
    let (plain, first) = forms(code);
    match (first, local, u8::try_from(local)) {
        (Some(first), 0..=3, Ok(local)) => out.put_u8(first + local),
        (_, _, Ok(local)) => out.put_slice(&[plain, local]),
        _ => {
            out.put_slice(&[opcode::WIDE, plain]);
            out.put_u16(local);
        }
    }
}

fn length(step: &Step, here: usize) -> usize {
    let instruction = &step.instruction;
    match &instruction.operand {
        Operand::Local(local) => match (forms(instruction.opcode).1, local) {
            (Some(_), 0..=3) => 1,
            (_, 0..=255) => 2,
            _ => 4,
        },
        Operand::Increment { local, by } => match (u8::try_from(*local), i8::try_from(*by)) {
            (Ok(_), Ok(_)) => 3,
            _ => 6,
        },
        Operand::Switch(_) => {
            let padding = |pc: u32| switch_padding(pc) as u32;
            (instruction.len - padding(instruction.pc)) as usize + switch_padding(here as u32)
        }
        _ => instruction.len as usize,
    }
}
