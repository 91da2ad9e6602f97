//! A method's code, decoded once for all its calls.
//!
//! Operands are looked up in the constant pool, jumps become instruction indices, and the many
//! spellings of one operation (`iload_0`, `wide iload`) become one. What the recorder notes at an
//! instruction is settled here too, by the same rules as in the recorder.

use classfile::{Code, Instruction, opcode as o};
use trace_format::{ClassNumber, Kind, MethodId};

use crate::site::{ConstantSite, FieldSite, InvokeSite};

/// See the module's header.
#[derive(Debug)]
pub struct MethodCode {
    pub(crate) method: MethodId,
    pub(crate) class: ClassNumber,
    pub(crate) class_name: String,
    /// `a/b/C.method(I)V`.
    pub(crate) label: String,
    pub(crate) is_constructor: bool,
    pub(crate) is_static: bool,
    pub(crate) code: Code,
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) ops: Vec<Op>,
    pub(crate) max_locals: usize,
    pub(crate) max_stack: usize,
    pub(crate) fields: Vec<FieldSite>,
    pub(crate) invokes: Vec<InvokeSite>,
    pub(crate) constants: Vec<ConstantSite>,
    /// Internal names that `new`, `checkcast`, `instanceof` and `anewarray` refer to.
    pub(crate) types: Vec<String>,
    pub(crate) switches: Vec<SwitchTable>,
    pub(crate) handlers: Vec<Handler>,
    /// Fields that are written down after `super(…)`, in any order.
    pub(crate) early_fields: usize,
    pub(crate) lines: Vec<u16>,
    pub(crate) line_starts: Vec<bool>,
    pub(crate) locals: Vec<LocalName>,
}

/// An instruction, ready to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Op {
    pub(crate) code: u8,
    /// An exception handler begins here.
    pub(crate) handler: bool,
    /// A local, a jump's target, or a number into one of the tables.
    pub(crate) a: u32,
    /// The number that is pushed or added; the bits of a float.
    pub(crate) b: i32,
}

/// Operations that stand for several instructions, where no opcode is.
pub(crate) mod pseudo {
    /// Push the int `b`.
    pub(crate) const INT: u8 = 0xD0;
    /// Push the float with the bits `b`.
    pub(crate) const FLOAT: u8 = 0xD1;
    /// Push the long with the bits `b`, `a`.
    pub(crate) const LONG: u8 = 0xD2;
    /// Push the double with the bits `b`, `a`.
    pub(crate) const DOUBLE: u8 = 0xD3;
    /// Push the string or class constant `a`.
    pub(crate) const CONSTANT: u8 = 0xD4;
    /// Push a recorded value of the kind `a`.
    pub(crate) const DYNAMIC: u8 = 0xD5;
    /// Load or store one slot or two.
    pub(crate) const LOAD: u8 = 0xD6;
    pub(crate) const LOAD2: u8 = 0xD7;
    pub(crate) const STORE: u8 = 0xD8;
    pub(crate) const STORE2: u8 = 0xD9;
}

#[derive(Debug)]
pub(crate) enum SwitchTable {
    Table {
        low: i32,
        targets: Vec<u32>,
        default: u32,
    },
    Lookup {
        cases: Vec<(i32, u32)>,
        default: u32,
    },
}

impl SwitchTable {
    pub(crate) fn target(&self, key: i32) -> u32 {
        match self {
            SwitchTable::Table {
                low,
                targets,
                default,
            } => {
                let at = i64::from(key) - i64::from(*low);
                let at = usize::try_from(at).ok();
                at.and_then(|at| targets.get(at))
                    .copied()
                    .unwrap_or(*default)
            }
            SwitchTable::Lookup { cases, default } => {
                match cases.binary_search_by_key(&key, |case| case.0) {
                    Ok(at) => cases[at].1,
                    Err(_) => *default,
                }
            }
        }
    }

    pub(crate) fn targets(&self) -> Vec<usize> {
        let (cases, default): (Vec<u32>, u32) = match self {
            SwitchTable::Table {
                targets, default, ..
            } => (targets.clone(), *default),
            SwitchTable::Lookup { cases, default } => {
                (cases.iter().map(|case| case.1).collect(), *default)
            }
        };
        let all = cases.into_iter().chain([default]);
        all.map(|target| target as usize).collect()
    }
}

/// An exception range, in instruction indices.
#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) handler: u32,
    /// `None` catches everything.
    pub(crate) catches: Option<String>,
}

/// A local variable's name and where it has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalName {
    pub slot: u16,
    pub name: String,
    pub descriptor: String,
    /// Bytecode offsets; the end is exclusive.
    pub start: u32,
    pub end: u32,
}

impl MethodCode {
    /// `a/b/C.method(I)V`.
    pub fn label(&self) -> &str {
        &self.label
    }

    pub fn method(&self) -> MethodId {
        self.method
    }

    pub fn class(&self) -> ClassNumber {
        self.class
    }

    /// Internal name.
    pub fn class_name(&self) -> &str {
        &self.class_name
    }

    pub fn is_static(&self) -> bool {
        self.is_static
    }

    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    pub fn code(&self) -> &Code {
        &self.code
    }

    /// The source line of an instruction.
    pub fn line(&self, instruction: usize) -> Option<u16> {
        self.lines
            .get(instruction)
            .copied()
            .filter(|&line| line != 0)
    }

    /// Whether a line, or a further part of one, begins at an instruction.
    pub fn starts_line(&self, instruction: usize) -> bool {
        self.line_starts.get(instruction).copied().unwrap_or(false)
    }

    /// The instruction at a bytecode offset.
    pub fn instruction_at(&self, pc: u32) -> Option<usize> {
        self.instructions.binary_search_by_key(&pc, |i| i.pc).ok()
    }

    pub fn local_names(&self) -> &[LocalName] {
        &self.locals
    }

    /// A field that an instruction of this method refers to.
    pub fn field(&self, number: u32) -> Option<&FieldSite> {
        self.fields.get(number as usize)
    }

    /// The field that an instruction refers to.
    pub fn field_of(&self, instruction: usize) -> Option<&FieldSite> {
        let op = self.ops.get(instruction)?;
        matches!(op.code, o::GETSTATIC..=o::PUTFIELD).then(|| &self.fields[op.a as usize])
    }

    /// The method that an instruction invokes.
    pub fn invoked_by(&self, instruction: usize) -> Option<&InvokeSite> {
        let op = self.ops.get(instruction)?;
        matches!(op.code, o::INVOKEVIRTUAL..=o::INVOKEDYNAMIC).then(|| &self.invokes[op.a as usize])
    }

    /// A string or class constant of this method.
    pub fn constant(&self, number: u32) -> Option<&ConstantSite> {
        self.constants.get(number as usize)
    }

    /// How many stack slots an instruction takes.
    pub fn operand_slots(&self, instruction: usize) -> usize {
        let Some(op) = self.ops.get(instruction) else {
            return 0;
        };
        let wide = |kind: Kind| if kind.size() == 8 { 2 } else { 1 };
        match op.code {
            pseudo::STORE | o::POP | o::DUP | o::ATHROW | o::ARRAYLENGTH => 1,
            o::CHECKCAST | o::INSTANCEOF | o::MONITORENTER | o::MONITOREXIT => 1,
            o::NEWARRAY | o::ANEWARRAY | o::GETFIELD => 1,
            o::IFEQ..=o::IFLE | o::IFNULL | o::IFNONNULL => 1,
            o::TABLESWITCH | o::LOOKUPSWITCH => 1,
            o::INEG | o::FNEG | o::I2L..=o::I2D | o::F2I..=o::F2D | o::I2B..=o::I2S => 1,
            o::IRETURN | o::FRETURN | o::ARETURN => 1,
            pseudo::STORE2 | o::POP2 | o::DUP2 | o::DUP_X1 | o::SWAP => 2,
            o::LNEG | o::DNEG | o::L2I..=o::L2D | o::D2I..=o::D2F | o::LRETURN | o::DRETURN => 2,
            o::IALOAD..=o::SALOAD => 2,
            o::IF_ICMPEQ..=o::IF_ACMPNE | o::FCMPL | o::FCMPG => 2,
            o::LSHL | o::LSHR | o::LUSHR | o::DUP_X2 | o::DUP2_X1 => 3,
            o::ISHL | o::ISHR | o::IUSHR => 2,
            o::LASTORE | o::DASTORE => 4,
            o::IASTORE..=o::SASTORE => 3,
            o::DUP2_X2 | o::LCMP | o::DCMPL | o::DCMPG => 4,
            o::IADD..=o::DREM | o::IAND..=o::LXOR => {
                // Int, long, float, double take turns; the logical operations have int and long.
                let logical = op.code >= o::IAND;
                let place = (op.code - if logical { o::IAND } else { o::IADD })
                    % if logical { 2 } else { 4 };
                if place % 2 == 1 { 4 } else { 2 }
            }
            o::PUTSTATIC => wide(self.fields[op.a as usize].kind),
            o::PUTFIELD => 1 + wide(self.fields[op.a as usize].kind),
            o::INVOKEVIRTUAL..=o::INVOKEDYNAMIC => self.invokes[op.a as usize].slots,
            o::MULTIANEWARRAY => op.b as usize,
            _ => 0,
        }
    }
}
