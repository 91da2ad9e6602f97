//! The `Code` attribute and the debug tables inside it.

use std::borrow::Cow;

use crate::attribute::{counted, list, read_attributes, write_attributes};
use crate::bytes::{Reader, Writer};
use crate::{Attribute, ConstantPool, Instruction, ParseError};

/// A method's body.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Code {
    pub max_stack: u16,
    pub max_locals: u16,
    /// The instructions.
    pub bytes: Vec<u8>,
    /// In the order in which the JVM searches them.
    pub exceptions: Vec<ExceptionRange>,
    pub attributes: Vec<Attribute>,
}

/// Exceptions of a type, thrown from `start` up to but not including `end`, go to `handler`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExceptionRange {
    pub start: u16,
    pub end: u16,
    pub handler: u16,
    /// Index of a class constant; 0 catches everything.
    pub catch_type: u16,
}

/// From this pc on, the code belongs to that source line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LineNumber {
    pub pc: u32,
    pub line: u16,
}

/// A named local variable and where it is alive.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LocalVariable<'p> {
    pub start: u32,
    /// Exclusive.
    pub end: u32,
    pub name: Cow<'p, str>,
    pub descriptor: Cow<'p, str>,
    /// The local's index in the frame.
    pub slot: u16,
}

impl Code {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Code, ParseError> {
        let mut reader = Reader::new(bytes, "a Code attribute");
        let max_stack = reader.u16()?;
        let max_locals = reader.u16()?;
        let len = reader.u32()?;
        let code = Code {
            max_stack,
            max_locals,
            bytes: reader.take(len as usize)?.to_vec(),
            exceptions: list(&mut reader, |reader| {
                Ok(ExceptionRange {
                    start: reader.u16()?,
                    end: reader.u16()?,
                    handler: reader.u16()?,
                    catch_type: reader.u16()?,
                })
            })?,
            attributes: read_attributes(&mut reader)?,
        };
        reader.finish()?;
        Ok(code)
    }

    pub(crate) fn write(&self) -> Vec<u8> {
        let attributes: usize = self.attributes.iter().map(|a| a.bytes.len() + 6).sum();
        let mut out =
            Vec::with_capacity(12 + self.bytes.len() + 8 * self.exceptions.len() + attributes);
        out.put_u16(self.max_stack);
        out.put_u16(self.max_locals);
        out.put_u32(self.bytes.len() as u32);
        out.put_slice(&self.bytes);
        for range in counted(&self.exceptions, &mut out) {
            out.put_u16(range.start);
            out.put_u16(range.end);
            out.put_u16(range.handler);
            out.put_u16(range.catch_type);
        }
        write_attributes(&self.attributes, &mut out);
        out
    }

    /// The instructions in the order of the code. Jump targets are inside the code, but need
    /// not be the start of an instruction.
    pub fn instructions(&self) -> Result<Vec<Instruction>, ParseError> {
        crate::instruction::decode(&self.bytes)
    }

    /// Visits the opcode of each instruction, with the constant that it names, without keeping them.
    pub fn scan(&self, visit: impl FnMut(u8, Option<u16>)) -> Result<(), ParseError> {
        crate::instruction::scan(&self.bytes, visit)
    }

    /// All line number tables together, in the order of the file.
    pub fn line_numbers(&self, constants: &ConstantPool) -> Result<Vec<LineNumber>, ParseError> {
        let mut lines = Vec::new();
        for table in self.tables(constants, b"LineNumberTable") {
            let mut reader = Reader::new(&table.bytes, "a LineNumberTable");
            lines.extend(list(&mut reader, |reader| {
                Ok(LineNumber {
                    pc: u32::from(reader.u16()?),
                    line: reader.u16()?,
                })
            })?);
        }
        Ok(lines)
    }

    /// All local variable tables together, in the order of the file.
    pub fn local_variables<'p>(
        &self,
        constants: &'p ConstantPool,
    ) -> Result<Vec<LocalVariable<'p>>, ParseError> {
        let mut variables = Vec::new();
        for table in self.tables(constants, b"LocalVariableTable") {
            let mut reader = Reader::new(&table.bytes, "a LocalVariableTable");
            variables.extend(list(&mut reader, |reader| {
                let start = u32::from(reader.u16()?);
                Ok(LocalVariable {
                    start,
                    end: start + u32::from(reader.u16()?),
                    name: constants.utf8(reader.u16()?)?,
                    descriptor: constants.utf8(reader.u16()?)?,
                    slot: reader.u16()?,
                })
            })?);
        }
        Ok(variables)
    }

    pub(crate) fn tables<'a>(
        &'a self,
        constants: &'a ConstantPool,
        name: &'static [u8],
    ) -> impl Iterator<Item = &'a Attribute> {
        let named = move |table: &&Attribute| constants.utf8_bytes(table.name) == Ok(name);
        self.attributes.iter().filter(named)
    }
}
