//! Attributes of classes, fields and methods, with their constants carried over. Those that are not
//! known are left behind, and so are annotations of types, which no running code depends on.

use super::transplant::Transplant;
use super::{GraftError, code};
use crate::attribute::{read_attributes, write_attributes};
use crate::bytes::{Reader, Writer};
use crate::{Attribute, ConstantPool, ParseError};

/// Annotations may be nested, and the nesting of a damaged file need not end.
const DEEPEST: u32 = 32;

/// What one byte string is made of: numbers that stay, and numbers of constants.
struct Rewriting<'t, 'd, 'b> {
    transplant: &'t mut Transplant<'d>,
    pool: &'t mut ConstantPool,
    reader: Reader<'b>,
    out: Vec<u8>,
}

impl Transplant<'_> {
    /// The attributes that are known.
    pub(super) fn attributes(
        &mut self,
        pool: &mut ConstantPool,
        attributes: &[Attribute],
    ) -> Result<Vec<Attribute>, GraftError> {
        let mut new = Vec::with_capacity(attributes.len());
        for attribute in attributes {
            let name = self.donor().constants.utf8(attribute.name)?.into_owned();
            if let Some(bytes) = self.attribute(pool, &name, &attribute.bytes)? {
                let name = pool.add_utf8(&name)?;
                new.push(Attribute { name, bytes });
            }
        }
        Ok(new)
    }

    fn attribute(
        &mut self,
        pool: &mut ConstantPool,
        name: &str,
        bytes: &[u8],
    ) -> Result<Option<Vec<u8>>, GraftError> {
        if name == "Code" {
            return code::carried(self, pool, bytes).map(Some);
        }
        let mut rewriting = Rewriting {
            transplant: self,
            pool,
            reader: Reader::new(bytes, "an attribute"),
            out: Vec::with_capacity(bytes.len()),
        };
        let known = rewriting.rewrite(name)?;
        Ok(known.then_some(rewriting.out))
    }
}

impl Rewriting<'_, '_, '_> {
    /// Whether the attribute is one that is known.
    fn rewrite(&mut self, name: &str) -> Result<bool, GraftError> {
        match name {
            "Synthetic" | "Deprecated" => {}
            "SourceFile" | "ConstantValue" | "NestHost" => self.constant()?,
            "Signature" => self.descriptor()?,
            "Exceptions" | "NestMembers" | "PermittedSubclasses" => self.list(Self::constant)?,
            "EnclosingMethod" => {
                self.constant()?;
                self.constant()?;
            }
            "InnerClasses" => self.list(|this| {
                this.constant()?;
                this.constant()?;
                this.constant()?;
                this.number()
            })?,
            "MethodParameters" => {
                let count = self.byte()?;
                for _ in 0..count {
                    self.constant()?;
                    self.number()?;
                }
            }
            "Record" => self.list(|this| {
                this.constant()?;
                this.descriptor()?;
                let attributes = read_attributes(&mut this.reader)?;
                let attributes = this.transplant.attributes(this.pool, &attributes)?;
                write_attributes(&attributes, &mut this.out);
                Ok(())
            })?,
            "AnnotationDefault" => self.element(DEEPEST)?,
            "RuntimeVisibleAnnotations" | "RuntimeInvisibleAnnotations" => {
                self.list(|this| this.annotation(DEEPEST))?;
            }
            "RuntimeVisibleParameterAnnotations" | "RuntimeInvisibleParameterAnnotations" => {
                let count = self.byte()?;
                for _ in 0..count {
                    self.list(|this| this.annotation(DEEPEST))?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn constant(&mut self) -> Result<(), GraftError> {
        let index = self.reader.u16()?;
        let new = self.transplant.constant(self.pool, index)?;
        self.out.put_u16(new);
        Ok(())
    }

    fn descriptor(&mut self) -> Result<(), GraftError> {
        let index = self.reader.u16()?;
        let new = self.transplant.descriptor(self.pool, index)?;
        self.out.put_u16(new);
        Ok(())
    }

    fn number(&mut self) -> Result<(), GraftError> {
        let number = self.reader.u16()?;
        self.out.put_u16(number);
        Ok(())
    }

    fn byte(&mut self) -> Result<u8, GraftError> {
        let byte = self.reader.u8()?;
        self.out.put_u8(byte);
        Ok(byte)
    }

    fn list(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<(), GraftError>,
    ) -> Result<(), GraftError> {
        let count = self.reader.u16()?;
        self.out.put_u16(count);
        for _ in 0..count {
            element(self)?;
        }
        Ok(())
    }

    fn annotation(&mut self, deepest: u32) -> Result<(), GraftError> {
        self.descriptor()?;
        self.list(|this| {
            this.constant()?;
            this.element(deepest)
        })
    }

    fn element(&mut self, deepest: u32) -> Result<(), GraftError> {
        let deeper = deepest.checked_sub(1).ok_or(ParseError::Truncated {
            what: "an annotation",
        })?;
        match self.byte()? {
            b'e' => {
                self.descriptor()?;
                self.constant()
            }
            b'c' => self.descriptor(),
            b'@' => self.annotation(deeper),
            b'[' => self.list(|this| this.element(deeper)),
            _ => self.constant(),
        }
    }
}
