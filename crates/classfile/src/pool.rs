//! The constant pool: the original bytes, an offset per entry, and what was appended.
//!
//! Entries are decoded when asked for. Original entries are never touched or moved; additions
//! go to the end and are shared among themselves (looking for an equal original would mean
//! hashing every pool of every class that is loaded).

use std::borrow::Cow;
use std::collections::HashMap;

use thiserror::Error;

use crate::ParseError;
use crate::bytes::{Reader, Writer};
use crate::modified_utf8;

/// Why a constant could not be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PoolError {
    #[error("the constant pool is full")]
    Full,
    #[error("a string constant of {0} bytes does not fit into a class file")]
    StringTooLong(usize),
}

/// One entry of the constant pool. Numbers in it are indices of other entries unless said
/// otherwise; they are not checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant<'p> {
    /// Modified UTF-8; see [`modified_utf8`].
    Utf8(&'p [u8]),
    Integer(i32),
    Float(f32),
    Long(i64),
    Double(f64),
    Class {
        name: u16,
    },
    String {
        utf8: u16,
    },
    Fieldref {
        class: u16,
        name_and_type: u16,
    },
    Methodref {
        class: u16,
        name_and_type: u16,
    },
    InterfaceMethodref {
        class: u16,
        name_and_type: u16,
    },
    NameAndType {
        name: u16,
        descriptor: u16,
    },
    /// `kind` is the JVM's reference kind, 1 to 9.
    MethodHandle {
        kind: u8,
        reference: u16,
    },
    MethodType {
        descriptor: u16,
    },
    /// `bootstrap` counts in the `BootstrapMethods` attribute.
    Dynamic {
        bootstrap: u16,
        name_and_type: u16,
    },
    /// `bootstrap` counts in the `BootstrapMethods` attribute.
    InvokeDynamic {
        bootstrap: u16,
        name_and_type: u16,
    },
    Module {
        name: u16,
    },
    Package {
        name: u16,
    },
}

/// A field or method as an instruction names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MemberRef<'p> {
    /// Internal name of the class named by the reference, which need not be the one that
    /// declares the member. Empty for `invokedynamic` and dynamic constants.
    pub owner: Cow<'p, str>,
    pub name: Cow<'p, str>,
    pub descriptor: Cow<'p, str>,
}

/// See the module's header.
#[derive(Debug, Clone)]
pub struct ConstantPool {
    /// All entries, each with its tag, one after the other.
    bytes: Vec<u8>,
    /// Where each entry starts; [`HOLE`] for index 0 and the second half of long and double.
    offsets: Vec<u32>,
    added: HashMap<Box<[u8]>, u16>,
}

/// Equal when they would be written equally.
impl PartialEq for ConstantPool {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes && self.offsets == other.offsets
    }
}

impl Eq for ConstantPool {}

impl Default for ConstantPool {
    fn default() -> Self {
        ConstantPool::new()
    }
}

const HOLE: u32 = u32::MAX;

mod tag {
    pub(super) const UTF8: u8 = 1;
    pub(super) const INTEGER: u8 = 3;
    pub(super) const FLOAT: u8 = 4;
    pub(super) const LONG: u8 = 5;
    pub(super) const DOUBLE: u8 = 6;
    pub(super) const CLASS: u8 = 7;
    pub(super) const STRING: u8 = 8;
    pub(super) const FIELDREF: u8 = 9;
    pub(super) const METHODREF: u8 = 10;
    pub(super) const INTERFACE_METHODREF: u8 = 11;
    pub(super) const NAME_AND_TYPE: u8 = 12;
    pub(super) const METHOD_HANDLE: u8 = 15;
    pub(super) const METHOD_TYPE: u8 = 16;
    pub(super) const DYNAMIC: u8 = 17;
    pub(super) const INVOKE_DYNAMIC: u8 = 18;
    pub(super) const MODULE: u8 = 19;
    pub(super) const PACKAGE: u8 = 20;
}

impl ConstantPool {
    /// A pool without entries.
    pub fn new() -> Self {
        ConstantPool {
            bytes: Vec::new(),
            offsets: vec![HOLE],
            added: HashMap::new(),
        }
    }

    pub(crate) fn parse(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let count = reader.u16()?;
        if count == 0 {
            return Err(ParseError::BadConstant {
                index: 0,
                expected: "counted by the pool",
            });
        }
        let whole = reader.clone();
        let mut offsets = Vec::with_capacity(usize::from(count) + 64);
        offsets.push(HOLE);
        while offsets.len() < usize::from(count) {
            offsets.push((whole.remaining() - reader.remaining()) as u32);
            let tag = reader.u8()?;
            let len = match tag {
                tag::UTF8 => usize::from(reader.u16()?),
                tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => 2,
                tag::METHOD_HANDLE => 3,
                tag::LONG | tag::DOUBLE => 8,
                tag::INTEGER | tag::FLOAT | tag::NAME_AND_TYPE => 4,
                tag::FIELDREF | tag::METHODREF | tag::INTERFACE_METHODREF => 4,
                tag::DYNAMIC | tag::INVOKE_DYNAMIC => 4,
                _ => {
                    let index = (offsets.len() - 1) as u16;
                    return Err(ParseError::BadConstantTag { index, tag });
                }
            };
            reader.take(len)?;
            if matches!(tag, tag::LONG | tag::DOUBLE) {
                if offsets.len() == usize::from(count) {
                    return Err(ParseError::BadConstant {
                        index: count - 1,
                        expected: "inside the pool with both its halves",
                    });
                }
                offsets.push(HOLE);
            }
        }
        let len = whole.remaining() - reader.remaining();
        let mut bytes = Vec::with_capacity(len + 1024);
        bytes.put_slice(whole.clone().take(len)?);
        Ok(ConstantPool {
            bytes,
            offsets,
            added: HashMap::new(),
        })
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.put_u16(self.offsets.len() as u16);
        out.put_slice(&self.bytes);
    }

    pub(crate) fn byte_len(&self) -> usize {
        self.bytes.len()
    }

    /// One more than the highest index, as in the file.
    pub fn count(&self) -> usize {
        self.offsets.len()
    }

    /// All entries with their indices.
    pub fn iter(&self) -> impl Iterator<Item = (u16, Constant<'_>)> {
        (1..self.offsets.len()).filter_map(|index| {
            let index = index as u16;
            Some((index, self.get(index).ok()?))
        })
    }

    /// The entry at an index.
    pub fn get(&self, index: u16) -> Result<Constant<'_>, ParseError> {
        let wrong = ParseError::BadConstant {
            index,
            expected: "an entry of the pool",
        };
        let bytes = match self.offsets.get(usize::from(index)) {
            Some(&offset) if offset != HOLE => self.bytes.get(offset as usize..).ok_or(wrong)?,
            _ => return Err(wrong),
        };
        let mut reader = Reader::new(bytes, "a constant");
        Ok(match reader.u8()? {
            tag::UTF8 => {
                let len = reader.u16()?;
                Constant::Utf8(reader.take(usize::from(len))?)
            }
            tag::INTEGER => Constant::Integer(reader.i32()?),
            tag::FLOAT => Constant::Float(f32::from_bits(reader.u32()?)),
            tag::LONG => Constant::Long(reader.i64()?),
            tag::DOUBLE => Constant::Double(f64::from_bits(reader.i64()? as u64)),
            tag::CLASS => Constant::Class {
                name: reader.u16()?,
            },
            tag::STRING => Constant::String {
                utf8: reader.u16()?,
            },
            tag::FIELDREF => Constant::Fieldref {
                class: reader.u16()?,
                name_and_type: reader.u16()?,
            },
            tag::METHODREF => Constant::Methodref {
                class: reader.u16()?,
                name_and_type: reader.u16()?,
            },
            tag::INTERFACE_METHODREF => Constant::InterfaceMethodref {
                class: reader.u16()?,
                name_and_type: reader.u16()?,
            },
            tag::NAME_AND_TYPE => Constant::NameAndType {
                name: reader.u16()?,
                descriptor: reader.u16()?,
            },
            tag::METHOD_HANDLE => Constant::MethodHandle {
                kind: reader.u8()?,
                reference: reader.u16()?,
            },
            tag::METHOD_TYPE => Constant::MethodType {
                descriptor: reader.u16()?,
            },
            tag::DYNAMIC => Constant::Dynamic {
                bootstrap: reader.u16()?,
                name_and_type: reader.u16()?,
            },
            tag::INVOKE_DYNAMIC => Constant::InvokeDynamic {
                bootstrap: reader.u16()?,
                name_and_type: reader.u16()?,
            },
            tag::MODULE => Constant::Module {
                name: reader.u16()?,
            },
            tag::PACKAGE => Constant::Package {
                name: reader.u16()?,
            },
            tag => return Err(ParseError::BadConstantTag { index, tag }),
        })
    }

    /// The bytes of a `CONSTANT_Utf8`.
    pub fn utf8_bytes(&self, index: u16) -> Result<&[u8], ParseError> {
        match self.get(index)? {
            Constant::Utf8(bytes) => Ok(bytes),
            _ => Err(ParseError::BadConstant {
                index,
                expected: "a string of bytes",
            }),
        }
    }

    /// The text of a `CONSTANT_Utf8`.
    pub fn utf8(&self, index: u16) -> Result<Cow<'_, str>, ParseError> {
        self.utf8_bytes(index).map(modified_utf8::decode)
    }

    /// The internal name (`a/b/C`, `[I`) in a class constant.
    pub fn class_name(&self, index: u16) -> Result<Cow<'_, str>, ParseError> {
        match self.get(index)? {
            Constant::Class { name } => self.utf8(name),
            _ => Err(ParseError::BadConstant {
                index,
                expected: "a class",
            }),
        }
    }

    /// Name and descriptor of a `CONSTANT_NameAndType`.
    pub fn name_and_type(&self, index: u16) -> Result<(Cow<'_, str>, Cow<'_, str>), ParseError> {
        match self.get(index)? {
            Constant::NameAndType { name, descriptor } => {
                Ok((self.utf8(name)?, self.utf8(descriptor)?))
            }
            _ => Err(ParseError::BadConstant {
                index,
                expected: "a name and type",
            }),
        }
    }

    /// What a field, method, interface-method, dynamic or invokedynamic constant refers to.
    pub fn member_ref(&self, index: u16) -> Result<MemberRef<'_>, ParseError> {
        let (owner, name_and_type) = match self.get(index)? {
            Constant::Fieldref {
                class,
                name_and_type,
            }
            | Constant::Methodref {
                class,
                name_and_type,
            }
            | Constant::InterfaceMethodref {
                class,
                name_and_type,
            } => (self.class_name(class)?, name_and_type),
            Constant::Dynamic { name_and_type, .. }
            | Constant::InvokeDynamic { name_and_type, .. } => (Cow::Borrowed(""), name_and_type),
            _ => {
                return Err(ParseError::BadConstant {
                    index,
                    expected: "a field or method",
                });
            }
        };
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(MemberRef {
            owner,
            name,
            descriptor,
        })
    }
}

/// Additions. Adding the same thing twice gives the same index.
impl ConstantPool {
    pub fn add_utf8(&mut self, text: &str) -> Result<u16, PoolError> {
        self.add_utf8_bytes(&modified_utf8::encode(text))
    }

    pub(crate) fn add_utf8_bytes(&mut self, text: &[u8]) -> Result<u16, PoolError> {
        let len = u16::try_from(text.len()).map_err(|_| PoolError::StringTooLong(text.len()))?;
        let mut entry = Vec::with_capacity(3 + text.len());
        entry.put_u8(tag::UTF8);
        entry.put_u16(len);
        entry.put_slice(text);
        self.add(&entry)
    }

    /// `name` is internal: `a/b/C`, or a descriptor for arrays (`[I`, `[La/b/C;`).
    pub fn add_class(&mut self, name: &str) -> Result<u16, PoolError> {
        let name = self.add_utf8(name)?;
        self.add_pair(tag::CLASS, name, None)
    }

    pub fn add_string(&mut self, text: &str) -> Result<u16, PoolError> {
        let utf8 = self.add_utf8(text)?;
        self.add_pair(tag::STRING, utf8, None)
    }

    pub fn add_integer(&mut self, value: i32) -> Result<u16, PoolError> {
        let [a, b, c, d] = value.to_be_bytes();
        self.add(&[tag::INTEGER, a, b, c, d])
    }

    pub fn add_float(&mut self, value: f32) -> Result<u16, PoolError> {
        let [a, b, c, d] = value.to_be_bytes();
        self.add(&[tag::FLOAT, a, b, c, d])
    }

    pub fn add_long(&mut self, value: i64) -> Result<u16, PoolError> {
        let [a, b, c, d, e, f, g, h] = value.to_be_bytes();
        self.add(&[tag::LONG, a, b, c, d, e, f, g, h])
    }

    pub fn add_double(&mut self, value: f64) -> Result<u16, PoolError> {
        let [a, b, c, d, e, f, g, h] = value.to_be_bytes();
        self.add(&[tag::DOUBLE, a, b, c, d, e, f, g, h])
    }

    pub fn add_name_and_type(&mut self, name: &str, descriptor: &str) -> Result<u16, PoolError> {
        let name = self.add_utf8(name)?;
        let descriptor = self.add_utf8(descriptor)?;
        self.add_pair(tag::NAME_AND_TYPE, name, Some(descriptor))
    }

    pub fn add_field_ref(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, PoolError> {
        self.add_member(tag::FIELDREF, owner, name, descriptor)
    }

    pub fn add_method_ref(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, PoolError> {
        self.add_member(tag::METHODREF, owner, name, descriptor)
    }

    pub fn add_interface_method_ref(
        &mut self,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, PoolError> {
        self.add_member(tag::INTERFACE_METHODREF, owner, name, descriptor)
    }

    fn add_member(
        &mut self,
        tag: u8,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, PoolError> {
        let owner = self.add_class(owner)?;
        let name_and_type = self.add_name_and_type(name, descriptor)?;
        self.add_pair(tag, owner, Some(name_and_type))
    }

    fn add_pair(&mut self, tag: u8, first: u16, second: Option<u16>) -> Result<u16, PoolError> {
        let [a, b] = first.to_be_bytes();
        match second.map(u16::to_be_bytes) {
            None => self.add(&[tag, a, b]),
            Some([c, d]) => self.add(&[tag, a, b, c, d]),
        }
    }

    fn add(&mut self, entry: &[u8]) -> Result<u16, PoolError> {
        if let Some(&index) = self.added.get(entry) {
            return Ok(index);
        }
        let slots = match entry.first() {
            Some(&(tag::LONG | tag::DOUBLE)) => 2,
            _ => 1,
        };
        // The file stores the count, so the highest index is one less than a u16 can hold.
        if self.offsets.len() + slots > usize::from(u16::MAX) {
            return Err(PoolError::Full);
        }
        let index = self.offsets.len() as u16;
        self.offsets.push(self.bytes.len() as u32);
        self.offsets.extend((1..slots).map(|_| HOLE));
        self.bytes.put_slice(entry);
        self.added.insert(entry.into(), index);
        Ok(index)
    }
}
