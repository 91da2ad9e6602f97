//! Entries of the objects stream: what an object is, noted when it is first seen. Where the oldest part of a trace
//! is given up, it is noted again when the object is used long after.

use crate::cursor::Cursor;
use java_names::modified_utf8;

use crate::elements::{ElementsContent, PACKED, StreamPlace};
use crate::{DecodeError, Elements, FieldId, Kind, ObjectId, Value, secret};

pub mod kind {
    pub const END: u8 = 0;
    pub const OBJECT: u8 = 1;
    pub const NEW_ARRAY: u8 = 2;
    pub const ARRAY: u8 = 3;
    pub const STRING: u8 = 4;
    pub const BOX: u8 = 5;
    pub const ENUM: u8 = 6;
    pub const CLASS: u8 = 7;
    pub const FIELDS: u8 = 8;
    pub const THROWABLE: u8 = 9;
    pub const MASKED: u8 = 10;
    /// Added to the others in an entry that is not the object's first.
    pub const AGAIN: u8 = 0x80;
}

/// Kind (u8), object, class and event position (u32 each) before the rest of each entry.
pub const ENTRY_HEADER_SIZE: usize = 13;

/// `coder` of a string.
const CODER_LATIN1: u8 = 0;
const CODER_UTF16: u8 = 1;
/// Added to the coder of the one string of its content that code names as a constant.
const IS_CONSTANT: u8 = 2;
/// Added to the coder of a string whose content is packed.
const IS_PACKED: u8 = 4;
/// Of a string, behind its content.
const HASH_SIZE: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObjectEntry<'a> {
    pub object: ObjectId,
    /// The object id of the object's class, itself described by a CLASS entry.
    pub class: ObjectId,
    /// Low 32 bits of the thread's position in events.
    pub epos: u32,
    /// Described before: what its fields and elements hold is not told, and not zero either.
    pub again: bool,
    pub kind: ObjectKind<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind<'a> {
    /// Only class and identity are known.
    Object,
    /// Made by recorded code: all elements are zero, unless it is described again.
    NewArray {
        length: u32,
    },
    /// Seen for the first time, with the first `stored` of its elements.
    Array {
        length: u32,
        elements: Elements<'a>,
    },
    /// A secret: its content is not in the trace, and was not or is no more.
    Masked {
        /// Of an array; 0 for anything else.
        length: u32,
        /// Code names this string as a constant.
        is_constant: bool,
        /// Zeros in place of what was noted before it was known to be a secret.
        zeros: u32,
    },
    String {
        /// In chars.
        length: u32,
        /// The stored part, which may be shorter than the string: bytes are Latin-1, chars UTF-16.
        content: Elements<'a>,
        hash: u32,
        /// Code names this string as a constant: it is the interned one of its content.
        is_constant: bool,
    },
    Box {
        value: Value,
    },
    Enum {
        ordinal: u32,
        /// The constant's name, a string.
        name: ObjectId,
    },
    Class {
        loader: ObjectId,
        superclass: ObjectId,
        is_interface: bool,
        interfaces: Interfaces<'a>,
        /// Modified UTF-8: `java.lang.String`, `[I`.
        name: &'a [u8],
    },
    Fields(FieldValues<'a>),
    Throwable {
        /// A string, or null.
        message: ObjectId,
    },
}

const INTERFACE_SIZE: usize = 4;

/// The class objects of the interfaces that a class names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interfaces<'a>(&'a [u8]);

impl<'a> Interfaces<'a> {
    pub const NONE: Self = Interfaces(&[]);

    /// From their numbers, four bytes each.
    pub fn new(bytes: &'a [u8]) -> Self {
        Interfaces(bytes)
    }

    pub fn iter(self) -> impl Iterator<Item = ObjectId> + 'a {
        let (ids, _) = self.0.as_chunks::<INTERFACE_SIZE>();
        ids.iter().map(|id| ObjectId(u32::from_le_bytes(*id)))
    }
}

/// The fields of a FIELDS entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldValues<'a> {
    count: u16,
    bytes: &'a [u8],
}

impl<'a> FieldValues<'a> {
    pub fn iter(self) -> impl Iterator<Item = (FieldId, Value)> + 'a {
        let mut cursor = Cursor::new(self.bytes);
        (0..self.count).map_while(move |_| decode_field(&mut cursor).ok())
    }

    /// Encodes fields so that [`FieldValues::new`] can take them.
    pub fn encode(fields: &[(FieldId, Value)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (field, value) in fields {
            bytes.extend((field.0 << 8 | u32::from(value.kind().code())).to_le_bytes());
            value.encode(&mut bytes);
        }
        bytes
    }

    pub fn new(count: u16, bytes: &'a [u8]) -> Self {
        Self { count, bytes }
    }
}

fn decode_field(cursor: &mut Cursor<'_>) -> Result<(FieldId, Value), DecodeError> {
    let word = cursor.u32()?;
    let kind = Kind::from_code(word as u8).ok_or(DecodeError::UnknownKind(word as u8))?;
    Ok((FieldId(word >> 8), cursor.value(kind)?))
}

/// The entry at the front of `bytes` and its length; `None` at the end of the content.
pub fn decode(bytes: &[u8]) -> Result<Option<(ObjectEntry<'_>, usize)>, DecodeError> {
    let mut cursor = Cursor::new(bytes);
    let code = match cursor.u8() {
        Err(_) | Ok(kind::END) => return Ok(None),
        Ok(code) => code,
    };
    let object = ObjectId(cursor.u32()?);
    let class = ObjectId(cursor.u32()?);
    let epos = cursor.u32()?;
    let kind = decode_kind(code & !kind::AGAIN, &mut cursor)?;
    let length = bytes.len() - cursor.rest().len();
    Ok(Some((
        ObjectEntry {
            object,
            class,
            epos,
            again: code & kind::AGAIN != 0,
            kind,
        },
        length,
    )))
}

fn decode_kind<'a>(code: u8, cursor: &mut Cursor<'a>) -> Result<ObjectKind<'a>, DecodeError> {
    Ok(match code {
        kind::OBJECT => ObjectKind::Object,
        kind::NEW_ARRAY => ObjectKind::NewArray {
            length: cursor.u32()?,
        },
        kind::ARRAY => {
            let code = cursor.u8()?;
            let length = cursor.u32()?;
            let stored = cursor.u32()?;
            ObjectKind::Array {
                length,
                elements: Elements::decode(code, stored, cursor)?,
            }
        }
        kind::STRING => {
            let coder = cursor.u8()?;
            let length = cursor.u32()?;
            ObjectKind::String {
                length,
                content: decode_text(coder, cursor)?,
                hash: cursor.u32()?,
                is_constant: coder & IS_CONSTANT != 0,
            }
        }
        kind::BOX => {
            let kind = cursor.kind()?;
            ObjectKind::Box {
                value: cursor.value(kind)?,
            }
        }
        kind::ENUM => ObjectKind::Enum {
            ordinal: cursor.u32()?,
            name: ObjectId(cursor.u32()?),
        },
        kind::CLASS => {
            let loader = ObjectId(cursor.u32()?);
            let superclass = ObjectId(cursor.u32()?);
            let is_interface = cursor.u8()? & 1 != 0;
            let count = usize::from(cursor.u16()?);
            let interfaces = Interfaces(cursor.take(count * INTERFACE_SIZE)?);
            let length = usize::from(cursor.u16()?);
            ObjectKind::Class {
                loader,
                superclass,
                is_interface,
                interfaces,
                name: cursor.take(length)?,
            }
        }
        kind::FIELDS => {
            let count = cursor.u16()?;
            let all = cursor.rest();
            for _ in 0..count {
                decode_field(cursor)?;
            }
            let bytes = &all[..all.len() - cursor.rest().len()];
            ObjectKind::Fields(FieldValues { count, bytes })
        }
        kind::THROWABLE => ObjectKind::Throwable {
            message: ObjectId(cursor.u32()?),
        },
        kind::MASKED => {
            let flags = cursor.u8()?;
            let length = cursor.u32()?;
            let zeros = cursor.u32()?;
            cursor.take(zeros as usize)?;
            ObjectKind::Masked {
                length,
                is_constant: flags & IS_CONSTANT != 0,
                zeros,
            }
        }
        _ => return Err(DecodeError::UnknownObject(code)),
    })
}

/// The content of a string, whose size is noted in bytes.
fn decode_text<'a>(coder: u8, cursor: &mut Cursor<'a>) -> Result<Elements<'a>, DecodeError> {
    let kind = match coder & !(IS_CONSTANT | IS_PACKED) {
        CODER_LATIN1 => Kind::Byte,
        _ => Kind::Char,
    };
    let packed = if coder & IS_PACKED == 0 { 0 } else { PACKED };
    let count = cursor.u32()? / kind.size() as u32;
    Elements::decode(kind.code() | packed, count, cursor)
}

impl ObjectEntry<'_> {
    /// The entry's first byte.
    pub fn code(&self) -> u8 {
        self.kind.code() | if self.again { kind::AGAIN } else { 0 }
    }

    /// What can be said of the object when what it held is not known any more.
    #[must_use]
    pub fn without_state(self) -> Self {
        let kind = match self.kind {
            ObjectKind::Array { length, .. } => ObjectKind::NewArray { length },
            ObjectKind::Fields(_) => ObjectKind::Object,
            kind => kind,
        };
        Self {
            again: true,
            kind,
            ..self
        }
    }

    /// Appends the entry as the recorder writes it.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(self.code());
        out.extend(self.object.0.to_le_bytes());
        out.extend(self.class.0.to_le_bytes());
        out.extend(self.epos.to_le_bytes());
        match self.kind {
            ObjectKind::Object => {}
            ObjectKind::NewArray { length } => out.extend(length.to_le_bytes()),
            ObjectKind::Array { length, elements } => {
                out.push(elements.code());
                out.extend(length.to_le_bytes());
                out.extend(elements.count.to_le_bytes());
                elements.encode(out);
            }
            ObjectKind::String {
                length,
                content,
                hash,
                is_constant,
            } => {
                let constant = if is_constant { IS_CONSTANT } else { 0 };
                out.push(coder(&content) | constant);
                out.extend(length.to_le_bytes());
                out.extend((content.count * content.kind.size() as u32).to_le_bytes());
                content.encode(out);
                out.extend(hash.to_le_bytes());
            }
            ObjectKind::Box { value } => {
                out.push(value.kind().code());
                value.encode(out);
            }
            ObjectKind::Enum { ordinal, name } => {
                out.extend(ordinal.to_le_bytes());
                out.extend(name.0.to_le_bytes());
            }
            ObjectKind::Class {
                loader,
                superclass,
                is_interface,
                interfaces,
                name,
            } => {
                out.extend(loader.0.to_le_bytes());
                out.extend(superclass.0.to_le_bytes());
                out.push(u8::from(is_interface));
                out.extend(((interfaces.0.len() / INTERFACE_SIZE) as u16).to_le_bytes());
                out.extend(interfaces.0);
                out.extend((name.len() as u16).to_le_bytes());
                out.extend(name);
            }
            ObjectKind::Fields(fields) => {
                out.extend(fields.count.to_le_bytes());
                out.extend(fields.bytes);
            }
            ObjectKind::Throwable { message } => out.extend(message.0.to_le_bytes()),
            ObjectKind::Masked {
                length,
                is_constant,
                zeros,
            } => {
                out.push(if is_constant { IS_CONSTANT } else { 0 });
                out.extend(length.to_le_bytes());
                out.extend(zeros.to_le_bytes());
                out.resize(out.len() + zeros as usize, 0);
            }
        }
    }
}

fn coder(content: &Elements<'_>) -> u8 {
    let coder = match content.kind {
        Kind::Byte => CODER_LATIN1,
        _ => CODER_UTF16,
    };
    match content.content {
        ElementsContent::Plain(_) => coder,
        ElementsContent::Packed(_) => coder | IS_PACKED,
    }
}

impl ObjectKind<'_> {
    /// The entry's `kind`.
    pub fn code(&self) -> u8 {
        match self {
            Self::Object => kind::OBJECT,
            Self::NewArray { .. } => kind::NEW_ARRAY,
            Self::Array { .. } => kind::ARRAY,
            Self::String { .. } => kind::STRING,
            Self::Box { .. } => kind::BOX,
            Self::Enum { .. } => kind::ENUM,
            Self::Class { .. } => kind::CLASS,
            Self::Fields(_) => kind::FIELDS,
            Self::Throwable { .. } => kind::THROWABLE,
            Self::Masked { .. } => kind::MASKED,
        }
    }

    /// The same object as a secret: an entry of the same size, to be written over this one. `None` if it holds
    /// no text.
    pub fn masked(&self) -> Option<Self> {
        match *self {
            Self::String {
                content,
                is_constant,
                ..
            } => Some(Self::Masked {
                length: 0,
                is_constant,
                zeros: (content.encoded_size() + HASH_SIZE) as u32,
            }),
            Self::Array { length, elements } => Some(Self::Masked {
                length,
                is_constant: false,
                zeros: elements.encoded_size() as u32,
            }),
            _ => None,
        }
    }

    /// The text of a string, up to what is not known, or the name of a class; lone surrogates become U+FFFD.
    /// `elsewhere` gives the bytes from a place on, if they are known.
    pub fn text<'b>(&self, elsewhere: impl Fn(StreamPlace) -> Option<&'b [u8]>) -> Option<String> {
        match self {
            Self::String { content, .. } => Some(decoded(content.kind, &content.bytes(elsewhere))),
            Self::Masked { .. } => Some(secret::MASK.to_owned()),
            Self::Class { name, .. } => Some(modified_utf8::decode(name).into_owned()),
            _ => None,
        }
    }
}

fn decoded(kind: Kind, bytes: &[u8]) -> String {
    if kind == Kind::Byte {
        return bytes.iter().copied().map(char::from).collect();
    }
    let (units, _) = bytes.as_chunks();
    let units: Vec<u16> = units.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
    String::from_utf16_lossy(&units)
}

/// `String.hashCode` of a text.
pub fn java_hash(text: &str) -> u32 {
    text.encode_utf16().fold(0u32, |hash, unit| {
        hash.wrapping_mul(31).wrapping_add(u32::from(unit))
    })
}
