//! The constant pool: the original bytes, an offset per entry, and what was appended.
//!
//! Entries are decoded when asked for. Original entries are never touched or moved; additions
//! go to the end and are shared among themselves (looking for an equal original would mean
//! hashing every pool of every class that is loaded).

mod additions;

use std::borrow::Cow;
use std::collections::HashMap;

use thiserror::Error;

use crate::ParseError;
use crate::bytes::{Reader, Writer};
use java_names::modified_utf8;

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
/// Tag and length, before the bytes of a text.
const UTF8_HEADER: usize = 3;

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

    /// Puts stars in place of a text, as many as it has bytes.
    pub fn blank_utf8(&mut self, index: u16) {
        let Ok(length) = self.utf8_bytes(index).map(<[u8]>::len) else {
            return;
        };
        let start = self.offsets[usize::from(index)] as usize + UTF8_HEADER;
        self.bytes[start..start + length].fill(b'*');
    }

    /// Replaces each text for which `other` gives another one. What names it by its index means the new text from then
    /// on; a text that is too long for a class file is left as it was.
    pub fn replace_utf8(&mut self, other: impl Fn(&[u8]) -> Option<Vec<u8>>) {
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let starts: Vec<usize> = self.starts().collect();
        let ends = starts.iter().skip(1).copied().chain([self.bytes.len()]);
        let mut moved = Vec::with_capacity(starts.len());
        for (&start, end) in starts.iter().zip(ends) {
            moved.push(bytes.len() as u32);
            let entry = &self.bytes[start..end];
            let text = (entry.first() == Some(&tag::UTF8)).then(|| &entry[UTF8_HEADER..]);
            let other = text.and_then(&other);
            match other.and_then(|text| Some((u16::try_from(text.len()).ok()?, text))) {
                Some((length, text)) => {
                    bytes.put_u8(tag::UTF8);
                    bytes.put_u16(length);
                    bytes.put_slice(&text);
                }
                None => bytes.put_slice(entry),
            }
        }
        let entries = self.offsets.iter_mut().filter(|offset| **offset != HOLE);
        for (offset, moved) in entries.zip(moved) {
            *offset = moved;
        }
        self.bytes = bytes;
        self.added.clear();
    }

    /// Where the entries start.
    fn starts(&self) -> impl Iterator<Item = usize> {
        let entries = self.offsets.iter().filter(|offset| **offset != HOLE);
        entries.map(|offset| *offset as usize)
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
