//! Makes a [`MethodCode`] of a class file. What the recorder notes at an instruction is settled
//! here, by the same rules as in the recorder.

use std::collections::{HashMap, HashSet};

use classfile::{ClassFile, Code, Constant, Instruction, Operand, ParseError, constructor, opcode};
use java_names::descriptor::{self, JavaType};
use trace_format::{ClassNumber, Kind, MethodId};

use crate::code::{Handler, LocalName, MethodCode, Op, SwitchTable, pseudo};
use crate::site::{CallRole, ConstantSite, FieldSite, InvokeSite};

/// What the code's meaning depends on besides the class file.
pub(crate) struct Surroundings<'a> {
    pub(crate) method: MethodId,
    pub(crate) class: ClassNumber,
    /// Own methods that a call is sure to reach, by name and descriptor.
    pub(crate) sure: &'a HashMap<(String, String), MethodId>,
    pub(crate) field_ids: &'a dyn Fn(bool, &str, &str, &str) -> Option<trace_format::FieldId>,
}

impl MethodCode {
    pub(crate) fn decode(
        class: &ClassFile,
        index: usize,
        around: &Surroundings<'_>,
    ) -> Result<Option<MethodCode>, ParseError> {
        let Some(method) = class.methods.get(index) else {
            return Err(ParseError::NoSuchMethod(index));
        };
        let Some(code) = class.code(method)? else {
            return Ok(None);
        };
        let name = class.method_name(method)?.into_owned();
        let descriptor = class.method_descriptor(method)?.into_owned();
        let class_name = class.name()?.into_owned();
        let is_constructor = name == "<init>";
        let instructions = code.instructions()?;
        let super_calls = if is_constructor {
            constructor::super_calls(&instructions, &class.constants)
        } else {
            Vec::new()
        };
        let early_writes = if is_constructor {
            constructor::early_writes(&class_name, &code, &instructions, &class.constants)
        } else {
            HashSet::new()
        };
        let allocations = constructor::allocation_sites(&instructions, &class.constants)
            .into_iter()
            .map(|site| (site.init, site.dup))
            .collect();
        let mut decoder = Decoder {
            class,
            around,
            class_name: &class_name,
            instructions: &instructions,
            code_len: code.bytes.len() as u32,
            super_calls,
            early_writes,
            allocations,
            fields: Vec::new(),
            invokes: Vec::new(),
            constants: Vec::new(),
            types: Vec::new(),
            switches: Vec::new(),
            early: Vec::new(),
        };
        let mut ops = Vec::with_capacity(instructions.len());
        for at in 0..instructions.len() {
            ops.push(decoder.op(at)?);
        }
        let handlers = decoder.handlers(&code)?;
        for handler in &handlers {
            ops[handler.handler as usize].handler = true;
        }
        let Decoder {
            fields,
            invokes,
            constants,
            types,
            switches,
            early,
            ..
        } = decoder;
        let (lines, line_starts) = lines(&code, class, &instructions)?;
        let locals = code
            .local_variables(&class.constants)?
            .into_iter()
            .map(|local| LocalName {
                slot: local.slot,
                name: local.name.into_owned(),
                descriptor: local.descriptor.into_owned(),
                start: local.start,
                end: local.end,
            })
            .collect();
        Ok(Some(MethodCode {
            method: around.method,
            class: around.class,
            label: format!("{class_name}.{name}{descriptor}"),
            is_constructor,
            is_static: method.access.is_static(),
            max_locals: usize::from(code.max_locals),
            max_stack: usize::from(code.max_stack),
            class_name,
            code,
            instructions,
            ops,
            fields,
            invokes,
            constants,
            types,
            switches,
            handlers,
            early_fields: early.len(),
            lines,
            line_starts,
            locals,
        }))
    }
}

struct Decoder<'a> {
    class: &'a ClassFile,
    around: &'a Surroundings<'a>,
    class_name: &'a str,
    instructions: &'a [Instruction],
    code_len: u32,
    super_calls: Vec<usize>,
    early_writes: HashSet<usize>,
    allocations: HashMap<usize, bool>,
    fields: Vec<FieldSite>,
    invokes: Vec<InvokeSite>,
    constants: Vec<ConstantSite>,
    types: Vec<String>,
    switches: Vec<SwitchTable>,
    early: Vec<u16>,
}

impl Decoder<'_> {
    fn op(&mut self, at: usize) -> Result<Op, ParseError> {
        let instruction = &self.instructions[at];
        let code = instruction.opcode;
        let op = |code: u8, a: u32, b: i32| Op {
            code,
            handler: false,
            a,
            b,
        };
        let bits = |code: u8, bits: u64| op(code, bits as u32, (bits >> 32) as i32);
        Ok(match (&instruction.operand, code) {
            (_, opcode::ICONST_M1..=opcode::ICONST_5) => op(
                pseudo::INT,
                0,
                i32::from(code) - i32::from(opcode::ICONST_0),
            ),
            (_, opcode::LCONST_0 | opcode::LCONST_1) => {
                bits(pseudo::LONG, u64::from(code - opcode::LCONST_0))
            }
            (_, opcode::FCONST_0..=opcode::FCONST_2) => {
                let number = f32::from(code - opcode::FCONST_0);
                op(pseudo::FLOAT, 0, number.to_bits().cast_signed())
            }
            (_, opcode::DCONST_0 | opcode::DCONST_1) => {
                bits(pseudo::DOUBLE, f64::from(code - opcode::DCONST_0).to_bits())
            }
            (Operand::Immediate(number), _) => op(pseudo::INT, 0, *number),
            (Operand::Local(local), _) if instruction.is_local_load() => {
                let two = is_two_slots(instruction);
                let code = if two { pseudo::LOAD2 } else { pseudo::LOAD };
                op(code, u32::from(*local), 0)
            }
            (Operand::Local(local), _) if instruction.is_local_store() => {
                let two = is_two_slots(instruction);
                let code = if two { pseudo::STORE2 } else { pseudo::STORE };
                op(code, u32::from(*local), 0)
            }
            (Operand::Local(local), _) => op(code, u32::from(*local), 0),
            (Operand::Increment { local, by }, _) => op(code, u32::from(*local), i32::from(*by)),
            (Operand::Branch(target), _) => op(code, self.index(*target)?, 0),
            (Operand::Switch(_), _) => op(code, self.switch(instruction)?, 0),
            (Operand::ArrayType(kind), _) => op(code, u32::from(*kind), 0),
            (Operand::MultiArray { class, dimensions }, _) => {
                op(code, self.class_type(*class)?, i32::from(*dimensions))
            }
            (Operand::Constant(index), _) => match code {
                opcode::LDC | opcode::LDC_W | opcode::LDC2_W => self.constant(*index)?,
                opcode::GETSTATIC..=opcode::PUTFIELD => op(code, self.field(at, code, *index)?, 0),
                opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC => {
                    op(code, self.invoke(at, code, *index)?, 0)
                }
                _ => op(code, self.class_type(*index)?, 0),
            },
            (Operand::None, _) => op(code, 0, 0),
        })
    }

    fn index(&self, pc: u32) -> Result<u32, ParseError> {
        let found = self.instructions.binary_search_by_key(&pc, |i| i.pc);
        found
            .map(|index| index as u32)
            .map_err(|_| ParseError::BadInstruction { pc })
    }

    fn switch(&mut self, instruction: &Instruction) -> Result<u32, ParseError> {
        let pc = instruction.pc;
        let switch = instruction
            .switch()
            .ok_or(ParseError::BadInstruction { pc })?;
        let default = self.index(switch.default)?;
        let mut cases = Vec::with_capacity(switch.cases.len());
        for (key, target) in &switch.cases {
            cases.push((*key, self.index(*target)?));
        }
        let table = if instruction.opcode == opcode::TABLESWITCH {
            SwitchTable::Table {
                low: cases.first().map_or(0, |case| case.0),
                targets: cases.iter().map(|case| case.1).collect(),
                default,
            }
        } else {
            SwitchTable::Lookup { cases, default }
        };
        self.switches.push(table);
        Ok(self.switches.len() as u32 - 1)
    }

    fn class_type(&mut self, index: u16) -> Result<u32, ParseError> {
        self.types
            .push(self.class.constants.class_name(index)?.into_owned());
        Ok(self.types.len() as u32 - 1)
    }

    fn constant(&mut self, index: u16) -> Result<Op, ParseError> {
        let constants = &self.class.constants;
        let op = |code, a, b| Op {
            code,
            handler: false,
            a,
            b,
        };
        let text = |text: String, is_class, sites: &mut Vec<ConstantSite>| {
            sites.push(ConstantSite::new(text, is_class));
            op(pseudo::CONSTANT, sites.len() as u32 - 1, 0)
        };
        Ok(match constants.get(index)? {
            Constant::Integer(number) => op(pseudo::INT, 0, number),
            Constant::Float(number) => op(pseudo::FLOAT, 0, number.to_bits().cast_signed()),
            Constant::Long(number) => op(pseudo::LONG, number as u32, (number >> 32) as i32),
            Constant::Double(number) => {
                let bits = number.to_bits();
                op(pseudo::DOUBLE, bits as u32, (bits >> 32) as i32)
            }
            Constant::String { utf8 } => text(
                constants.utf8(utf8)?.into_owned(),
                false,
                &mut self.constants,
            ),
            Constant::Class { name } => text(
                constants.utf8(name)?.into_owned(),
                true,
                &mut self.constants,
            ),
            Constant::Dynamic { .. } => {
                let member = constants.member_ref(index)?;
                let kind = kind(descriptor::parse_field(&member.descriptor)?);
                op(pseudo::DYNAMIC, u32::from(kind.map_or(8, Kind::code)), 0)
            }
            _ => op(pseudo::DYNAMIC, u32::from(Kind::Reference.code()), 0),
        })
    }

    fn field(&mut self, at: usize, code: u8, index: u16) -> Result<u32, ParseError> {
        let member = self.class.constants.member_ref(index)?;
        let is_static = matches!(code, opcode::GETSTATIC | opcode::PUTSTATIC);
        let early = self.early_writes.contains(&at);
        if early && !self.early.contains(&index) {
            self.early.push(index);
        }
        let kind = kind(descriptor::parse_field(&member.descriptor)?);
        self.fields.push(FieldSite {
            id: (self.around.field_ids)(is_static, &member.owner, &member.name, &member.descriptor),
            owner: member.owner.into_owned(),
            name: member.name.into_owned(),
            descriptor: member.descriptor.into_owned(),
            is_static,
            kind: kind.ok_or(ParseError::BadDescriptor)?,
            early,
        });
        Ok(self.fields.len() as u32 - 1)
    }

    fn invoke(&mut self, at: usize, code: u8, index: u16) -> Result<u32, ParseError> {
        let member = self.class.constants.member_ref(index)?;
        let signature = descriptor::parse_method(&member.descriptor)?;
        let has_receiver = !matches!(code, opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC);
        let key = (member.name.to_string(), member.descriptor.to_string());
        let sure = self.around.sure.get(&key);
        let role = if self.super_calls.contains(&at) {
            CallRole::Super
        } else if let Some(target) = sure.filter(|_| member.owner == self.class_name) {
            CallRole::Sure(*target)
        } else {
            match self.allocations.get(&at) {
                Some(true) => CallRole::Allocation,
                Some(false) => CallRole::UnnamedAllocation,
                None => CallRole::Ordinary,
            }
        };
        self.invokes.push(InvokeSite {
            owner: member.owner.into_owned(),
            parameters: signature
                .parameters
                .iter()
                .filter_map(|p| kind(*p))
                .collect(),
            result: kind(signature.result),
            slots: signature.parameter_slots() as usize + usize::from(has_receiver),
            name: key.0,
            descriptor: member.descriptor.to_string(),
            has_receiver,
            role,
        });
        Ok(self.invokes.len() as u32 - 1)
    }

    fn handlers(&self, code: &Code) -> Result<Vec<Handler>, ParseError> {
        let mut handlers = Vec::with_capacity(code.exceptions.len());
        for range in &code.exceptions {
            let end = u32::from(range.end);
            let catches = match range.catch_type {
                0 => None,
                index => Some(self.class.constants.class_name(index)?.into_owned()),
            };
            handlers.push(Handler {
                start: self.index(u32::from(range.start))?,
                end: if end == self.code_len {
                    self.instructions.len() as u32
                } else {
                    self.index(end)?
                },
                handler: self.index(u32::from(range.handler))?,
                catches,
            });
        }
        Ok(handlers)
    }
}

fn lines(
    code: &Code,
    class: &ClassFile,
    instructions: &[Instruction],
) -> Result<(Vec<u16>, Vec<bool>), ParseError> {
    let mut table = code.line_numbers(&class.constants)?;
    table.sort_by_key(|entry| entry.pc);
    let mut lines = Vec::with_capacity(instructions.len());
    let mut starts = Vec::with_capacity(instructions.len());
    let mut next = 0;
    for instruction in instructions {
        while table
            .get(next)
            .is_some_and(|entry| entry.pc <= instruction.pc)
        {
            next += 1;
        }
        starts.push(
            next.checked_sub(1)
                .is_some_and(|last| table[last].pc == instruction.pc),
        );
        lines.push(next.checked_sub(1).map_or(0, |last| table[last].line));
    }
    Ok((lines, starts))
}

fn is_two_slots(instruction: &Instruction) -> bool {
    matches!(
        instruction.opcode,
        opcode::LLOAD
            | opcode::DLOAD
            | opcode::LSTORE
            | opcode::DSTORE
            | opcode::LLOAD_0..=opcode::LLOAD_3
            | opcode::DLOAD_0..=opcode::DLOAD_3
            | opcode::LSTORE_0..=opcode::LSTORE_3
            | opcode::DSTORE_0..=opcode::DSTORE_3
    )
}

fn kind(java: JavaType<'_>) -> Option<Kind> {
    Kind::from_descriptor(*java.descriptor().as_bytes().first()?)
}
