//! Code with its constants carried over.
//!
//! `ldc` reaches 255 constants, and what is added to a pool lies behind them: it becomes `ldc_w`, and
//! everything behind it moves. Jumps, switches and the tables that name places follow; the frames of
//! the stack map stay the same but for their places and the constants of their classes.

use super::GraftError;
use super::transplant::Transplant;
use crate::attribute::list;
use crate::bytes::{Reader, Writer};
use crate::instruction::switch_padding;
use crate::{
    Attribute, Code, ConstantPool, ExceptionRange, Instruction, Operand, ParseError, Switch,
    VerificationType, opcode,
};

const MOST_CODE: usize = 65535;

/// Where each instruction has come to lie.
struct Places {
    /// By the old place; [`NOWHERE`] inside instructions.
    moved: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;

/// A `Code` attribute, for the host.
pub(super) fn carried(
    transplant: &mut Transplant<'_>,
    pool: &mut ConstantPool,
    bytes: &[u8],
) -> Result<Vec<u8>, GraftError> {
    let code = Code::parse(bytes)?;
    let instructions = code.instructions()?;
    let constants = instructions
        .iter()
        .map(|instruction| match instruction.cp_index() {
            Some(index) => transplant.constant(pool, index),
            None => Ok(0),
        })
        .collect::<Result<Vec<u16>, _>>()?;
    let places = Places::of(&code, &instructions, &constants);
    let mut new = Code {
        max_stack: code.max_stack,
        max_locals: code.max_locals,
        bytes: Vec::with_capacity(code.bytes.len()),
        exceptions: Vec::with_capacity(code.exceptions.len()),
        attributes: Vec::new(),
    };
    for (instruction, &constant) in instructions.iter().zip(&constants) {
        let original = &code.bytes[instruction.pc as usize..instruction.end() as usize];
        write(instruction, original, constant, &places, &mut new.bytes)?;
    }
    if new.bytes.len() > MOST_CODE {
        return Err(too_large(transplant));
    }
    for range in &code.exceptions {
        new.exceptions.push(ExceptionRange {
            start: places.short(range.start)?,
            end: places.short(range.end)?,
            handler: places.short(range.handler)?,
            catch_type: transplant.constant(pool, range.catch_type)?,
        });
    }
    for table in &code.attributes {
        let name = transplant.donor().constants.utf8(table.name)?.into_owned();
        let bytes = match &*name {
            "StackMapTable" => stack_map(transplant, pool, &table.bytes, &places)?,
            "LineNumberTable" => line_numbers(&table.bytes, &places)?,
            "LocalVariableTable" | "LocalVariableTypeTable" => {
                variables(transplant, pool, &table.bytes, &places)?
            }
            _ => continue,
        };
        let name = pool.add_utf8(&name)?;
        new.attributes.push(Attribute { name, bytes });
    }
    Ok(new.write())
}

fn too_large(transplant: &Transplant<'_>) -> GraftError {
    let name = transplant.donor().name();
    GraftError::TooLarge(format!("a method of {}", name.unwrap_or_default()))
}

impl Places {
    fn of(code: &Code, instructions: &[Instruction], constants: &[u16]) -> Places {
        let mut moved = vec![NOWHERE; code.bytes.len() + 1];
        let mut pc = 0;
        for (instruction, &constant) in instructions.iter().zip(constants) {
            moved[instruction.pc as usize] = pc;
            pc += match &instruction.operand {
                Operand::Switch(_) => {
                    let padding = |pc: u32| switch_padding(pc) as u32;
                    instruction.len - padding(instruction.pc) + padding(pc)
                }
                _ if is_lengthened(instruction, constant) => 3,
                _ => instruction.len,
            };
        }
        moved[code.bytes.len()] = pc;
        Places { moved }
    }

    fn at(&self, pc: u32) -> Result<u32, ParseError> {
        let what = "a table or a jump";
        match self.moved.get(pc as usize) {
            Some(&place) if place != NOWHERE => Ok(place),
            _ => Err(ParseError::BadPc { pc, what }),
        }
    }

    fn short(&self, pc: u16) -> Result<u16, GraftError> {
        let place = self.at(u32::from(pc))?;
        u16::try_from(place).map_err(|_| GraftError::TooLarge("a method".to_owned()))
    }
}

fn is_lengthened(instruction: &Instruction, constant: u16) -> bool {
    instruction.opcode == opcode::LDC && u8::try_from(constant).is_err()
}

fn write(
    instruction: &Instruction,
    original: &[u8],
    constant: u16,
    places: &Places,
    out: &mut Vec<u8>,
) -> Result<(), GraftError> {
    let here = out.len() as u32;
    let distance =
        |target: u32| -> Result<i32, ParseError> { Ok(places.at(target)? as i32 - here as i32) };
    match &instruction.operand {
        Operand::Constant(_) if is_lengthened(instruction, constant) => {
            out.put_u8(opcode::LDC_W);
            out.put_u16(constant);
        }
        Operand::Constant(_) if instruction.opcode == opcode::LDC => {
            out.put_slice(&[opcode::LDC, constant as u8]);
        }
        Operand::Constant(_) | Operand::MultiArray { .. } => {
            out.put_u8(instruction.opcode);
            out.put_u16(constant);
            out.put_slice(original.get(3..).unwrap_or_default());
        }
        Operand::Branch(target) => {
            let distance = distance(*target)?;
            out.put_u8(instruction.opcode);
            if matches!(instruction.opcode, opcode::GOTO_W | opcode::JSR_W) {
                out.put_u32(distance as u32);
            } else {
                let short = i16::try_from(distance);
                let short = short.map_err(|_| GraftError::TooLarge("a method".to_owned()))?;
                out.put_u16(short as u16);
            }
        }
        Operand::Switch(switch) => {
            let Switch { default, cases } = &**switch;
            out.put_u8(instruction.opcode);
            out.resize(out.len() + switch_padding(here), 0);
            out.put_u32(distance(*default)? as u32);
            if instruction.opcode == opcode::TABLESWITCH {
                let key = |case: Option<&(i32, u32)>| case.map_or(0, |case| case.0) as u32;
                out.put_u32(key(cases.first()));
                out.put_u32(key(cases.last()));
            } else {
                out.put_u32(cases.len() as u32);
            }
            for &(key, target) in cases {
                if instruction.opcode == opcode::LOOKUPSWITCH {
                    out.put_u32(key as u32);
                }
                out.put_u32(distance(target)? as u32);
            }
        }
        _ => out.put_slice(original),
    }
    Ok(())
}

/// Frames are written in the form that they had, wherever their distance still fits into it.
fn stack_map(
    transplant: &mut Transplant<'_>,
    pool: &mut ConstantPool,
    table: &[u8],
    places: &Places,
) -> Result<Vec<u8>, GraftError> {
    const SAME_EXTENDED: u8 = 251;
    const ONE_ON_STACK: u8 = 64;
    const ONE_ON_STACK_EXTENDED: u8 = 247;
    let mut reader = Reader::new(table, "a StackMapTable");
    let mut out = Vec::with_capacity(table.len() + 8);
    let count = reader.u16()?;
    out.put_u16(count);
    let (mut next_old, mut next_new) = (0, 0);
    for _ in 0..count {
        let tag = reader.u8()?;
        let delta = match tag {
            0..=63 => u16::from(tag),
            64..=127 => u16::from(tag - 64),
            128..=246 => return Err(ParseError::BadStackMap.into()),
            247..=255 => reader.u16()?,
        };
        let old = next_old + u32::from(delta);
        let new = places.at(old)?;
        let delta = new
            .checked_sub(next_new)
            .and_then(|delta| u16::try_from(delta).ok());
        let delta = delta.ok_or(ParseError::BadStackMap)?;
        (next_old, next_new) = (old + 1, new + 1);
        let short = u8::try_from(delta)
            .ok()
            .filter(|delta| *delta < ONE_ON_STACK);
        match (tag, short) {
            (0..=63, Some(short)) => out.put_u8(short),
            (64..=127, Some(short)) => out.put_u8(ONE_ON_STACK + short),
            _ => {
                out.put_u8(match tag {
                    0..=63 => SAME_EXTENDED,
                    64..=127 => ONE_ON_STACK_EXTENDED,
                    tag => tag,
                });
                out.put_u16(delta);
            }
        }
        let mut types = |count: u16, reader: &mut Reader<'_>, out: &mut Vec<u8>| {
            for _ in 0..count {
                let moved = match VerificationType::read(reader)? {
                    VerificationType::Object(class) => {
                        VerificationType::Object(transplant.constant(pool, class)?)
                    }
                    VerificationType::Uninitialized(pc) => {
                        VerificationType::Uninitialized(places.short(pc)?)
                    }
                    other => other,
                };
                moved.write(out);
            }
            Ok::<(), GraftError>(())
        };
        match tag {
            64..=127 | ONE_ON_STACK_EXTENDED => types(1, &mut reader, &mut out)?,
            252..=254 => types(u16::from(tag - SAME_EXTENDED), &mut reader, &mut out)?,
            255 => {
                for _ in 0..2 {
                    let count = reader.u16()?;
                    out.put_u16(count);
                    types(count, &mut reader, &mut out)?;
                }
            }
            _ => {}
        }
    }
    reader.finish()?;
    Ok(out)
}

fn line_numbers(table: &[u8], places: &Places) -> Result<Vec<u8>, GraftError> {
    let mut out = Vec::with_capacity(table.len());
    let mut reader = Reader::new(table, "a LineNumberTable");
    let lines = list(&mut reader, |reader| Ok((reader.u16()?, reader.u16()?)))?;
    out.put_u16(lines.len() as u16);
    for (pc, line) in lines {
        out.put_u16(places.short(pc)?);
        out.put_u16(line);
    }
    Ok(out)
}

fn variables(
    transplant: &mut Transplant<'_>,
    pool: &mut ConstantPool,
    table: &[u8],
    places: &Places,
) -> Result<Vec<u8>, GraftError> {
    let mut out = Vec::with_capacity(table.len());
    let mut reader = Reader::new(table, "a LocalVariableTable");
    let count = reader.u16()?;
    out.put_u16(count);
    for _ in 0..count {
        let start = reader.u16()?;
        let end = start.saturating_add(reader.u16()?);
        let (start, end) = (places.short(start)?, places.short(end)?);
        out.put_u16(start);
        out.put_u16(end.saturating_sub(start));
        let name = transplant.constant(pool, reader.u16()?)?;
        out.put_u16(name);
        let descriptor = transplant.descriptor(pool, reader.u16()?)?;
        out.put_u16(descriptor);
        out.put_u16(reader.u16()?);
    }
    Ok(out)
}
