//! Records of the `symbols` file: what the numbers in the streams stand for.
//!
//! Every record carries its length, so a reader steps over kinds that it does not know and over
//! fields that a newer writer appended to known kinds.

use crate::cursor::Cursor;
use java_names::modified_utf8;

use crate::{ClassNumber, DecodeError, FieldId, MethodId, ObjectId, ThreadNumber};

pub const KIND_CLASS: u8 = 1;
pub const KIND_METHOD: u8 = 2;
pub const KIND_FIELD: u8 = 3;
pub const KIND_THREAD: u8 = 4;
pub const KIND_SKIPPED: u8 = 5;
pub const KIND_RESULTS_NOTED: u8 = 6;
pub const KIND_MASKED: u8 = 7;
pub const KIND_LIBRARY: u8 = 8;

/// Kind (u8) and length (u32) before each payload.
pub const RECORD_HEADER_SIZE: usize = 5;

/// How much of a class or a method is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Level {
    /// Only writes to the heap: classes of the library whose state is shown.
    Writes = 0,
    /// Calls with arguments and results.
    Calls = 1,
    /// Everything that a frame consumes.
    Full = 2,
}

impl Level {
    /// Levels above those known are read as the highest known.
    pub fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Writes,
            1 => Self::Calls,
            _ => Self::Full,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Symbol {
    Class(ClassSymbol),
    Method(MethodSymbol),
    Field(FieldSymbol),
    Thread(ThreadSymbol),
    Skipped(SkippedSymbol),
    /// Calls within this class note their results although the callees do so too.
    ResultsNoted {
        class: ClassNumber,
    },
    /// This object turned out to be a secret after it was described.
    Masked {
        object: ObjectId,
    },
    /// Classes that come from here belong to a library, and were not recorded.
    Library {
        location: String,
    },
    /// A kind of a newer minor version.
    Other {
        kind: u8,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassSymbol {
    pub class: ClassNumber,
    /// Where the class file stands in `classes`.
    pub offset: u64,
    pub length: u32,
    pub level: Level,
    /// Internal form: `a/b/C`.
    pub name: String,
    pub loader: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodSymbol {
    pub method: MethodId,
    pub class: ClassNumber,
    /// Index in the class file's method table.
    pub index: u16,
    pub access: u16,
    pub level: Level,
    pub name: String,
    pub descriptor: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldSymbol {
    pub field: FieldId,
    pub is_static: bool,
    /// As the referring code names it; a superclass may be the one that declares the field.
    pub owner: String,
    pub name: String,
    pub descriptor: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadSymbol {
    pub thread: ThreadNumber,
    pub java_id: u64,
    pub name: String,
}

/// A class or method that could not be recorded, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedSymbol {
    pub class: String,
    /// Empty: the whole class.
    pub method: String,
    pub descriptor: String,
    pub reason: String,
}

/// Access flag of private methods.
pub const ACC_PRIVATE: u16 = 0x0002;
/// Access flag of static methods.
pub const ACC_STATIC: u16 = 0x0008;
/// The name of constructors.
pub const CONSTRUCTOR: &str = "<init>";

impl MethodSymbol {
    pub fn is_static(&self) -> bool {
        self.access & ACC_STATIC != 0
    }

    pub fn is_constructor(&self) -> bool {
        self.name == CONSTRUCTOR
    }

    /// Whether ENTER carries `this` before the arguments. Constructors have THIS events instead.
    pub fn enters_with_this(&self) -> bool {
        !self.is_static() && !self.is_constructor()
    }
}

impl Symbol {
    /// Appends the whole record. Strings longer than their length field can say are cut.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend([0; RECORD_HEADER_SIZE]);
        let kind = match self {
            Self::Class(symbol) => {
                out.extend(symbol.class.0.to_le_bytes());
                out.extend(symbol.offset.to_le_bytes());
                out.extend(symbol.length.to_le_bytes());
                out.push(symbol.level as u8);
                put_text(&symbol.name, out);
                put_text(&symbol.loader, out);
                KIND_CLASS
            }
            Self::Method(symbol) => {
                out.extend(symbol.method.0.to_le_bytes());
                out.extend(symbol.class.0.to_le_bytes());
                out.extend(symbol.index.to_le_bytes());
                out.extend(symbol.access.to_le_bytes());
                out.push(symbol.level as u8);
                put_text(&symbol.name, out);
                put_text(&symbol.descriptor, out);
                KIND_METHOD
            }
            Self::Field(symbol) => {
                out.extend(symbol.field.0.to_le_bytes());
                out.push(u8::from(symbol.is_static));
                put_text(&symbol.owner, out);
                put_text(&symbol.name, out);
                put_text(&symbol.descriptor, out);
                KIND_FIELD
            }
            Self::Thread(symbol) => {
                out.extend(symbol.thread.0.to_le_bytes());
                out.extend(symbol.java_id.to_le_bytes());
                put_text(&symbol.name, out);
                KIND_THREAD
            }
            Self::Skipped(symbol) => {
                put_text(&symbol.class, out);
                put_text(&symbol.method, out);
                put_text(&symbol.descriptor, out);
                put_text(&symbol.reason, out);
                KIND_SKIPPED
            }
            Self::ResultsNoted { class } => {
                out.extend(class.0.to_le_bytes());
                KIND_RESULTS_NOTED
            }
            Self::Masked { object } => {
                out.extend(object.0.to_le_bytes());
                KIND_MASKED
            }
            Self::Library { location } => {
                put_text(location, out);
                KIND_LIBRARY
            }
            Self::Other { kind } => *kind,
        };
        let length = (out.len() - start - RECORD_HEADER_SIZE) as u32;
        out[start] = kind;
        out[start + 1..start + RECORD_HEADER_SIZE].copy_from_slice(&length.to_le_bytes());
    }

    /// The record at the front of `bytes` and its length, or `None` where a writer has not
    /// finished one yet (the input ends, or holds zeros).
    pub fn decode(bytes: &[u8]) -> Result<Option<(Self, usize)>, DecodeError> {
        let mut cursor = Cursor::new(bytes);
        let (Ok(kind), Ok(length)) = (cursor.u8(), cursor.u32()) else {
            return Ok(None);
        };
        let Ok(payload) = cursor.take(length as usize) else {
            return Ok(None);
        };
        if kind == 0 {
            return Ok(None);
        }
        let symbol = Self::decode_payload(kind, Cursor::new(payload))?;
        Ok(Some((symbol, RECORD_HEADER_SIZE + payload.len())))
    }

    fn decode_payload(kind: u8, mut payload: Cursor<'_>) -> Result<Self, DecodeError> {
        Ok(match kind {
            KIND_CLASS => Self::Class(ClassSymbol {
                class: ClassNumber(payload.u32()?),
                offset: payload.u64()?,
                length: payload.u32()?,
                level: Level::from_code(payload.u8()?),
                name: payload.text()?,
                loader: payload.text()?,
            }),
            KIND_METHOD => Self::Method(MethodSymbol {
                method: MethodId(payload.u32()?),
                class: ClassNumber(payload.u32()?),
                index: payload.u16()?,
                access: payload.u16()?,
                level: Level::from_code(payload.u8()?),
                name: payload.text()?,
                descriptor: payload.text()?,
            }),
            KIND_FIELD => Self::Field(FieldSymbol {
                field: FieldId(payload.u32()?),
                is_static: payload.u8()? != 0,
                owner: payload.text()?,
                name: payload.text()?,
                descriptor: payload.text()?,
            }),
            KIND_THREAD => Self::Thread(ThreadSymbol {
                thread: ThreadNumber(payload.u32()?),
                java_id: payload.u64()?,
                name: payload.text()?,
            }),
            KIND_SKIPPED => Self::Skipped(SkippedSymbol {
                class: payload.text()?,
                method: payload.text()?,
                descriptor: payload.text()?,
                reason: payload.text()?,
            }),
            KIND_RESULTS_NOTED => Self::ResultsNoted {
                class: ClassNumber(payload.u32()?),
            },
            KIND_MASKED => Self::Masked {
                object: ObjectId(payload.u32()?),
            },
            KIND_LIBRARY => Self::Library {
                location: payload.text()?,
            },
            _ => Self::Other { kind },
        })
    }
}

fn put_text(text: &str, out: &mut Vec<u8>) {
    let bytes = modified_utf8::encode_bounded(text, usize::from(u16::MAX));
    out.extend((bytes.len() as u16).to_le_bytes());
    out.extend(&*bytes);
}
