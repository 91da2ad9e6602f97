//! The class file as a whole. Attributes are kept as bytes; only `Code` is looked into, on
//! request.

use std::borrow::Cow;

use crate::attribute::{counted, list, read_attributes, write_attributes};
use crate::bytes::{Reader, Writer};
use crate::{
    AccessFlags, Attribute, Code, Constant, ConstantPool, Instruction, MemberRef, ParseError,
    opcode,
};

/// A class file. Indices are into [`ClassFile::constants`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassFile {
    pub minor: u16,
    pub major: u16,
    pub constants: ConstantPool,
    pub access: AccessFlags,
    pub this_class: u16,
    /// 0 for `java/lang/Object` and modules.
    pub super_class: u16,
    pub interfaces: Vec<u16>,
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
    pub attributes: Vec<Attribute>,
}

/// A field's or method's declaration, or anything's attribute, is named by constant indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub access: AccessFlags,
    pub name: u16,
    pub descriptor: u16,
    pub attributes: Vec<Attribute>,
}

/// See [`Field`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    pub access: AccessFlags,
    pub name: u16,
    pub descriptor: u16,
    pub attributes: Vec<Attribute>,
}

const MAGIC: u32 = 0xCAFE_BABE;

impl ClassFile {
    pub fn parse(bytes: &[u8]) -> Result<ClassFile, ParseError> {
        let mut reader = Reader::new(bytes, "the class file");
        if reader.u32()? != MAGIC {
            return Err(ParseError::BadMagic);
        }
        let minor = reader.u16()?;
        let major = reader.u16()?;
        let constants = ConstantPool::parse(&mut reader)?;
        let class = ClassFile {
            minor,
            major,
            constants,
            access: AccessFlags(reader.u16()?),
            this_class: reader.u16()?,
            super_class: reader.u16()?,
            interfaces: list(&mut reader, Reader::u16)?,
            fields: list(&mut reader, |reader| {
                Ok(Field {
                    access: AccessFlags(reader.u16()?),
                    name: reader.u16()?,
                    descriptor: reader.u16()?,
                    attributes: read_attributes(reader)?,
                })
            })?,
            methods: list(&mut reader, |reader| {
                Ok(Method {
                    access: AccessFlags(reader.u16()?),
                    name: reader.u16()?,
                    descriptor: reader.u16()?,
                    attributes: read_attributes(reader)?,
                })
            })?,
            attributes: read_attributes(&mut reader)?,
        };
        reader.finish()?;
        Ok(class)
    }

    /// The file's bytes. A list longer than the format can hold is cut off there.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.size_hint());
        out.put_u32(MAGIC);
        out.put_u16(self.minor);
        out.put_u16(self.major);
        self.constants.write(&mut out);
        out.put_u16(self.access.0);
        out.put_u16(self.this_class);
        out.put_u16(self.super_class);
        for &interface in counted(&self.interfaces, &mut out) {
            out.put_u16(interface);
        }
        for field in counted(&self.fields, &mut out) {
            out.put_u16(field.access.0);
            out.put_u16(field.name);
            out.put_u16(field.descriptor);
            write_attributes(&field.attributes, &mut out);
        }
        for method in counted(&self.methods, &mut out) {
            out.put_u16(method.access.0);
            out.put_u16(method.name);
            out.put_u16(method.descriptor);
            write_attributes(&method.attributes, &mut out);
        }
        write_attributes(&self.attributes, &mut out);
        out
    }

    /// Internal name: `a/b/C`.
    pub fn name(&self) -> Result<Cow<'_, str>, ParseError> {
        self.constants.class_name(self.this_class)
    }

    /// Internal name of the superclass; `None` for `java/lang/Object` and for nonsense.
    pub fn super_name(&self) -> Option<Cow<'_, str>> {
        self.constants.class_name(self.super_class).ok()
    }

    /// The file name in the `SourceFile` attribute.
    pub fn source_file(&self) -> Option<Cow<'_, str>> {
        let attribute = self.attribute(&self.attributes, b"SourceFile")?;
        let index = Reader::new(&attribute.bytes, "SourceFile").u16().ok()?;
        self.constants.utf8(index).ok()
    }

    /// The value that the JVM gives a static field when its class is linked, as it is to be compared.
    pub fn constant_value(&self, field: &Field) -> Option<String> {
        let attribute = self.attribute(&field.attributes, b"ConstantValue")?;
        let index = Reader::new(&attribute.bytes, "ConstantValue").u16().ok()?;
        match self.constants.get(index).ok()? {
            Constant::String { utf8 } => Some(format!("{:?}", self.constants.utf8(utf8).ok()?)),
            number => Some(format!("{number:?}")),
        }
    }

    /// The classes that alone may extend this one; none if it is not sealed.
    pub fn permitted_subclasses(&self) -> Vec<String> {
        let attribute = self.attribute(&self.attributes, b"PermittedSubclasses");
        let indexes = attribute.map_or(&[][..], |one| one.bytes.get(2..).unwrap_or_default());
        let indexes = indexes.as_chunks::<2>().0.iter();
        let names = indexes.filter_map(|&at| {
            let name = self.constants.class_name(u16::from_be_bytes(at));
            name.ok().map(Cow::into_owned)
        });
        names.collect()
    }

    /// The first attribute of that name.
    pub fn attribute<'a>(&self, among: &'a [Attribute], name: &[u8]) -> Option<&'a Attribute> {
        among.iter().find(|attribute| self.is(attribute, name))
    }

    /// The field or method that an instruction names, if it names one.
    pub fn named_by(&self, instruction: &Instruction) -> Option<MemberRef<'_>> {
        let names_one = matches!(instruction.opcode, opcode::GETSTATIC..=opcode::PUTFIELD)
            || instruction.is_invoke();
        let constant = instruction.cp_index().filter(|_| names_one)?;
        self.constants.member_ref(constant).ok()
    }

    pub fn field_name(&self, field: &Field) -> Result<Cow<'_, str>, ParseError> {
        self.constants.utf8(field.name)
    }

    pub fn field_descriptor(&self, field: &Field) -> Result<Cow<'_, str>, ParseError> {
        self.constants.utf8(field.descriptor)
    }

    pub fn method_name(&self, method: &Method) -> Result<Cow<'_, str>, ParseError> {
        self.constants.utf8(method.name)
    }

    pub fn method_descriptor(&self, method: &Method) -> Result<Cow<'_, str>, ParseError> {
        self.constants.utf8(method.descriptor)
    }

    /// The method's code; `None` when it is abstract or native.
    pub fn code(&self, method: &Method) -> Result<Option<Code>, ParseError> {
        let Some(attribute) = self.attribute(&method.attributes, b"Code") else {
            return Ok(None);
        };
        if self.major < 45 || (self.major == 45 && self.minor < 3) {
            return Err(ParseError::AncientCode {
                major: self.major,
                minor: self.minor,
            });
        }
        Code::parse(&attribute.bytes).map(Some)
    }

    /// Replaces the code of the method at this index of [`ClassFile::methods`], which must
    /// have some.
    pub fn set_code(&mut self, method: usize, code: &Code) -> Result<(), ParseError> {
        let wanted = self.methods.get(method).and_then(|found| {
            let mut attributes = found.attributes.iter();
            attributes.position(|attribute| self.is(attribute, b"Code"))
        });
        let attribute = wanted
            .and_then(|at| self.methods.get_mut(method)?.attributes.get_mut(at))
            .ok_or(ParseError::NoSuchMethod(method))?;
        attribute.bytes = code.write();
        Ok(())
    }

    /// The constants that a bootstrap method is made of: its handle, then its arguments.
    pub fn bootstrap(&self, number: u16) -> Vec<u16> {
        let Some(attribute) = self.attribute(&self.attributes, b"BootstrapMethods") else {
            return Vec::new();
        };
        let mut words = attribute
            .bytes
            .chunks_exact(2)
            .map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
        let _count = words.next();
        for _ in 0..number {
            let (_handle, arguments) = (words.next(), words.next());
            for _ in 0..arguments.unwrap_or_default() {
                words.next();
            }
        }
        let (Some(handle), Some(arguments)) = (words.next(), words.next()) else {
            return Vec::new();
        };
        std::iter::once(handle)
            .chain(words.take(arguments.into()))
            .collect()
    }

    fn is(&self, attribute: &Attribute, name: &[u8]) -> bool {
        self.constants.utf8_bytes(attribute.name) == Ok(name)
    }

    fn size_hint(&self) -> usize {
        let sum = |attributes: &[Attribute]| -> usize {
            attributes.iter().map(|each| each.bytes.len() + 6).sum()
        };
        let fields: usize = self.fields.iter().map(|f| 8 + sum(&f.attributes)).sum();
        let methods: usize = self.methods.iter().map(|m| 8 + sum(&m.attributes)).sum();
        let interfaces = 2 * self.interfaces.len();
        32 + self.constants.byte_len() + interfaces + fields + methods + sum(&self.attributes)
    }
}
