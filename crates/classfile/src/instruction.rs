//! Instructions, decoded one after the other from a method's code.

use crate::ParseError;
use crate::bytes::Reader;
use crate::opcode::{self, Format};

/// One instruction with its operands.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// Where it starts (at the prefix, if it is wide).
    pub pc: u32,
    /// Its length in bytes, prefix and padding included.
    pub len: u32,
    /// One of the constants in [`opcode`](crate::opcode); never `WIDE` itself.
    pub opcode: u8,
    /// Whether it has the `wide` prefix.
    pub wide: bool,
    pub operand: Operand,
}

/// What follows the opcode; jumps as absolute pcs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Operand {
    None,
    /// The number that `bipush` or `sipush` pushes.
    Immediate(i32),
    /// The local's index, also where the opcode says it (`iload_0`).
    Local(u16),
    /// `iinc`.
    Increment {
        local: u16,
        by: i16,
    },
    /// Index into the constant pool.
    Constant(u16),
    /// Where a conditional, a goto or a jsr goes.
    Branch(u32),
    Switch(Box<Switch>),
    /// The element type of `newarray`.
    ArrayType(u8),
    MultiArray {
        class: u16,
        dimensions: u8,
    },
}

/// The targets of a `tableswitch` or `lookupswitch`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Switch {
    pub default: u32,
    /// Key and target, in the order of the code. A table's keys are consecutive.
    pub cases: Vec<(i32, u32)>,
}

impl Instruction {
    /// The pc of the next instruction.
    pub fn end(&self) -> u32 {
        self.pc + self.len
    }

    pub fn name(&self) -> &'static str {
        opcode::name(self.opcode)
    }

    pub fn cp_index(&self) -> Option<u16> {
        match self.operand {
            Operand::Constant(index) | Operand::MultiArray { class: index, .. } => Some(index),
            _ => None,
        }
    }

    /// The local that is loaded, stored, incremented or returned to.
    pub fn local_index(&self) -> Option<u16> {
        match self.operand {
            Operand::Local(local) | Operand::Increment { local, .. } => Some(local),
            _ => None,
        }
    }

    /// The target of a conditional, a goto or a jsr.
    pub fn branch_target(&self) -> Option<u32> {
        match self.operand {
            Operand::Branch(target) => Some(target),
            _ => None,
        }
    }

    pub fn switch(&self) -> Option<&Switch> {
        match &self.operand {
            Operand::Switch(switch) => Some(switch),
            _ => None,
        }
    }

    /// Everywhere this instruction can jump to, the default of a switch first. Without
    /// exceptions, falling through and `ret`.
    pub fn targets(&self) -> impl Iterator<Item = u32> {
        let (first, cases) = match &self.operand {
            Operand::Branch(target) => (Some(*target), [].as_slice()),
            Operand::Switch(switch) => (Some(switch.default), switch.cases.as_slice()),
            _ => (None, [].as_slice()),
        };
        first.into_iter().chain(cases.iter().map(|case| case.1))
    }

    /// Whether control can reach the next instruction in the code from this one. A jsr counts:
    /// that is where its subroutine returns to.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self.opcode,
            opcode::GOTO
                | opcode::GOTO_W
                | opcode::RET
                | opcode::TABLESWITCH
                | opcode::LOOKUPSWITCH
                | opcode::ATHROW
        ) && !self.is_return()
    }

    /// `return` in any of its types.
    pub fn is_return(&self) -> bool {
        matches!(self.opcode, opcode::IRETURN..=opcode::RETURN)
    }

    /// A jump that may or may not be taken.
    pub fn is_conditional(&self) -> bool {
        matches!(
            self.opcode,
            opcode::IFEQ..=opcode::IF_ACMPNE | opcode::IFNULL | opcode::IFNONNULL
        )
    }

    /// Any of the instructions that invoke a method, `invokedynamic` included.
    pub fn is_invoke(&self) -> bool {
        matches!(self.opcode, opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC)
    }

    /// Whether the instruction can throw by itself, resolution of its constants included.
    pub fn can_throw(&self) -> bool {
        self.is_array_load()
            || self.is_array_store()
            || self.is_return()
            || matches!(
                self.opcode,
                opcode::LDC..=opcode::LDC2_W
                    | opcode::IDIV
                    | opcode::LDIV
                    | opcode::IREM
                    | opcode::LREM
                    | opcode::GETSTATIC..=opcode::MONITOREXIT
                    | opcode::MULTIANEWARRAY
            )
    }

    /// Pushes a local.
    pub fn is_local_load(&self) -> bool {
        matches!(self.opcode, opcode::ILOAD..=opcode::ALOAD_3)
    }

    /// Pops into a local (`iinc` is not one).
    pub fn is_local_store(&self) -> bool {
        matches!(self.opcode, opcode::ISTORE..=opcode::ASTORE_3)
    }

    /// Pushes an element of an array.
    pub fn is_array_load(&self) -> bool {
        matches!(self.opcode, opcode::IALOAD..=opcode::SALOAD)
    }

    /// Pops into an element of an array.
    pub fn is_array_store(&self) -> bool {
        matches!(self.opcode, opcode::IASTORE..=opcode::SASTORE)
    }
}

pub(crate) fn decode(code: &[u8]) -> Result<Vec<Instruction>, ParseError> {
    let mut reader = Reader::new(code, "an instruction");
    // Two bytes is about the mean length.
    let mut instructions = Vec::with_capacity(code.len() / 2 + 1);
    while reader.remaining() > 0 {
        let pc = (code.len() - reader.remaining()) as u32;
        let (opcode, wide, operand) = decode_one(pc, code.len(), &mut reader)?;
        let end = (code.len() - reader.remaining()) as u32;
        instructions.push(Instruction {
            pc,
            len: end - pc,
            opcode,
            wide,
            operand,
        });
    }
    Ok(instructions)
}

pub(crate) fn scan(code: &[u8], mut visit: impl FnMut(u8, Option<u16>)) -> Result<(), ParseError> {
    let mut reader = Reader::new(code, "an instruction");
    while reader.remaining() > 0 {
        let pc = (code.len() - reader.remaining()) as u32;
        let (opcode, _, operand) = decode_one(pc, code.len(), &mut reader)?;
        let constant = match operand {
            Operand::Constant(index) | Operand::MultiArray { class: index, .. } => Some(index),
            _ => None,
        };
        visit(opcode, constant);
    }
    Ok(())
}

fn decode_one(
    pc: u32,
    code_len: usize,
    reader: &mut Reader<'_>,
) -> Result<(u8, bool, Operand), ParseError> {
    let code = reader.u8()?;
    let target = |relative: i32| {
        let target = i64::from(pc) + i64::from(relative);
        match u32::try_from(target) {
            Ok(target) if (target as usize) < code_len => Ok(target),
            _ => Err(ParseError::BadInstruction { pc }),
        }
    };
    let format = opcode::format(code).ok_or(ParseError::BadOpcode { pc, opcode: code })?;
    let operand = match format {
        Format::N => Operand::None,
        Format::Byte => Operand::Immediate(i32::from(reader.u8()? as i8)),
        Format::Short => Operand::Immediate(i32::from(reader.i16()?)),
        Format::Constant1 => Operand::Constant(u16::from(reader.u8()?)),
        Format::Constant2 => Operand::Constant(reader.u16()?),
        Format::Constant4 => {
            let index = reader.u16()?;
            reader.u16()?;
            Operand::Constant(index)
        }
        Format::Local => Operand::Local(u16::from(reader.u8()?)),
        Format::ImplicitLocal(local) => Operand::Local(u16::from(local)),
        Format::Increment => Operand::Increment {
            local: u16::from(reader.u8()?),
            by: i16::from(reader.u8()? as i8),
        },
        Format::Branch2 => Operand::Branch(target(i32::from(reader.i16()?))?),
        Format::Branch4 => Operand::Branch(target(reader.i32()?)?),
        Format::ArrayType => Operand::ArrayType(reader.u8()?),
        Format::MultiArray => Operand::MultiArray {
            class: reader.u16()?,
            dimensions: reader.u8()?,
        },
        Format::TableSwitch => {
            reader.take(switch_padding(pc))?;
            let default = target(reader.i32()?)?;
            let low = reader.i32()?;
            let high = reader.i32()?;
            let count = i64::from(high) - i64::from(low) + 1;
            if count < 1 || count * 4 > reader.remaining() as i64 {
                return Err(ParseError::BadInstruction { pc });
            }
            let cases = (low..=high)
                .map(|key| Ok((key, target(reader.i32()?)?)))
                .collect::<Result<_, ParseError>>()?;
            Operand::Switch(Box::new(Switch { default, cases }))
        }
        Format::LookupSwitch => {
            reader.take(switch_padding(pc))?;
            let default = target(reader.i32()?)?;
            let count = reader.i32()?;
            if count < 0 || i64::from(count) * 8 > reader.remaining() as i64 {
                return Err(ParseError::BadInstruction { pc });
            }
            let cases = (0..count)
                .map(|_| Ok((reader.i32()?, target(reader.i32()?)?)))
                .collect::<Result<_, ParseError>>()?;
            Operand::Switch(Box::new(Switch { default, cases }))
        }
        Format::Wide => {
            let code = reader.u8()?;
            let local = reader.u16()?;
            let operand = match opcode::format(code) {
                Some(Format::Local) => Operand::Local(local),
                Some(Format::Increment) => Operand::Increment {
                    local,
                    by: reader.i16()?,
                },
                _ => return Err(ParseError::BadInstruction { pc }),
            };
            return Ok((code, true, operand));
        }
    };
    Ok((code, false, operand))
}

/// Bytes between the opcode of a switch at that pc and its operands.
pub(crate) fn switch_padding(pc: u32) -> usize {
    (3 - pc % 4) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &[u8]) -> Vec<(u32, &'static str, Operand)> {
        let instructions = decode(code).unwrap();
        let parts = |each: Instruction| (each.pc, each.name(), each.operand);
        instructions.into_iter().map(parts).collect()
    }

    #[test]
    fn operands_are_decoded() {
        let code = [
            0x10, 0xFF, 0x11, 0xFF, 0x00, 0x12, 0x07, 0x15, 0x09, 0x2B, 0x84, 0x01, 0x80, 0xC4,
            0x84, 0x01, 0x00, 0xFF, 0xFE, 0xC5, 0x00, 0x03, 0x02, 0xBC, 0x0A, 0xB9, 0x00, 0x05,
            0x01, 0x00, 0xA7, 0xFF, 0xFE, 0xB1,
        ];
        // The goto's target is checked to be inside the code only.
        let expected = [
            (0, "bipush", Operand::Immediate(-1)),
            (2, "sipush", Operand::Immediate(-256)),
            (5, "ldc", Operand::Constant(7)),
            (7, "iload", Operand::Local(9)),
            (9, "aload_1", Operand::Local(1)),
            (10, "iinc", Operand::Increment { local: 1, by: -128 }),
            (13, "iinc", Operand::Increment { local: 256, by: -2 }),
            (
                19,
                "multianewarray",
                Operand::MultiArray {
                    class: 3,
                    dimensions: 2,
                },
            ),
            (23, "newarray", Operand::ArrayType(10)),
            (25, "invokeinterface", Operand::Constant(5)),
            (30, "goto", Operand::Branch(28)),
            (33, "return", Operand::None),
        ];
        assert_eq!(check(&code), expected);
    }

    #[test]
    fn switches_are_decoded() {
        let mut code = vec![opcode::NOP, opcode::TABLESWITCH, 0, 0];
        for number in [19i32, -1, 0, 23, 19] {
            code.extend(number.to_be_bytes());
        }
        code.extend([opcode::LOOKUPSWITCH, 0, 0, 0]);
        for number in [0i32, 1, 77, 20] {
            code.extend(number.to_be_bytes());
        }
        code.push(opcode::RETURN);
        let table = Switch {
            default: 20,
            cases: vec![(-1, 24), (0, 20)],
        };
        let lookup = Switch {
            default: 24,
            cases: vec![(77, 44)],
        };
        let found = check(&code);
        assert_eq!(found[1].2, Operand::Switch(Box::new(table)));
        assert_eq!(
            found[2],
            (24, "lookupswitch", Operand::Switch(Box::new(lookup)))
        );
        assert_eq!(found[3].0, 44);
    }

    #[test]
    fn malformed_code_is_refused() {
        let table = |low: i32, high: i32| {
            let numbers = [0, low, high].map(i32::to_be_bytes).concat();
            [vec![opcode::TABLESWITCH, 0, 0, 0], numbers].concat()
        };
        for bad in [
            vec![0xCA],
            vec![opcode::BIPUSH],
            vec![opcode::GOTO, 0, 3],
            vec![opcode::GOTO, 0xFF, 0xFF],
            vec![opcode::WIDE, opcode::NOP, 0, 0],
            table(0, i32::MAX),
            table(i32::MIN, i32::MAX),
            table(1, 0),
        ] {
            assert!(decode(&bad).is_err(), "{bad:?}");
        }
    }
}
