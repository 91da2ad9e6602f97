//! Java values and their kinds, in the sizes in which streams hold them.

use std::fmt;

use crate::cursor::Cursor;
use crate::{DecodeError, ObjectId};

/// The type of a value as far as its bytes go. The discriminant is the `k` of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    Boolean = 0,
    Byte = 1,
    Char = 2,
    Short = 3,
    Int = 4,
    Float = 5,
    Long = 6,
    Double = 7,
    Reference = 8,
}

impl Kind {
    pub const ALL: [Self; 9] = [
        Self::Boolean,
        Self::Byte,
        Self::Char,
        Self::Short,
        Self::Int,
        Self::Float,
        Self::Long,
        Self::Double,
        Self::Reference,
    ];

    /// The kind with the number `k`.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// The number `k` of the format.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The kind whose type descriptor begins with this character.
    pub const fn from_descriptor(first: u8) -> Option<Self> {
        Some(match first {
            b'Z' => Self::Boolean,
            b'B' => Self::Byte,
            b'C' => Self::Char,
            b'S' => Self::Short,
            b'I' => Self::Int,
            b'F' => Self::Float,
            b'J' => Self::Long,
            b'D' => Self::Double,
            b'L' | b'[' => Self::Reference,
            _ => return None,
        })
    }

    /// The descriptor's first character; `L` for every reference.
    pub const fn letter(self) -> char {
        match self {
            Self::Boolean => 'Z',
            Self::Byte => 'B',
            Self::Char => 'C',
            Self::Short => 'S',
            Self::Int => 'I',
            Self::Float => 'F',
            Self::Long => 'J',
            Self::Double => 'D',
            Self::Reference => 'L',
        }
    }

    /// Bytes of a value of this kind in every stream.
    #[inline]
    pub const fn size(self) -> usize {
        // Four bits a kind, the first one lowest: passes over whole traces ask this for every event.
        const SIZES: u64 = 0x4_8844_2211;
        (SIZES >> (4 * self as u8) & 0xf) as usize
    }

    /// What a field or element of this kind holds before anything is written.
    pub const fn zero(self) -> Value {
        match self {
            Self::Boolean => Value::Boolean(false),
            Self::Byte => Value::Byte(0),
            Self::Char => Value::Char(0),
            Self::Short => Value::Short(0),
            Self::Int => Value::Int(0),
            Self::Float => Value::Float(0.0),
            Self::Long => Value::Long(0),
            Self::Double => Value::Double(0.0),
            Self::Reference => Value::Ref(ObjectId::NULL),
        }
    }
}

/// A Java value. A `char` is a UTF-16 unit, which need not be a character.
#[derive(Debug, Clone, Copy)]
pub enum Value {
    Boolean(bool),
    Byte(i8),
    Char(u16),
    Short(i16),
    Int(i32),
    Float(f32),
    Long(i64),
    Double(f64),
    Ref(ObjectId),
}

impl Value {
    pub const NULL: Self = Self::Ref(ObjectId::NULL);

    pub const fn kind(self) -> Kind {
        match self {
            Self::Boolean(_) => Kind::Boolean,
            Self::Byte(_) => Kind::Byte,
            Self::Char(_) => Kind::Char,
            Self::Short(_) => Kind::Short,
            Self::Int(_) => Kind::Int,
            Self::Float(_) => Kind::Float,
            Self::Long(_) => Kind::Long,
            Self::Double(_) => Kind::Double,
            Self::Ref(_) => Kind::Reference,
        }
    }

    /// The value's bits, as a stream holds them, extended with zeros.
    pub const fn bits(self) -> u64 {
        match self {
            Self::Boolean(value) => value as u64,
            Self::Byte(value) => value as u8 as u64,
            Self::Char(value) => value as u64,
            Self::Short(value) => value as u16 as u64,
            Self::Int(value) => value as u32 as u64,
            Self::Float(value) => value.to_bits() as u64,
            Self::Long(value) => value as u64,
            Self::Double(value) => value.to_bits(),
            Self::Ref(object) => object.0 as u64,
        }
    }

    /// The reverse of [`Value::bits`]; bits that the kind does not have are ignored.
    pub const fn from_bits(kind: Kind, bits: u64) -> Self {
        match kind {
            Kind::Boolean => Self::Boolean(bits as u8 != 0),
            Kind::Byte => Self::Byte(bits as i8),
            Kind::Char => Self::Char(bits as u16),
            Kind::Short => Self::Short(bits as i16),
            Kind::Int => Self::Int(bits as i32),
            Kind::Float => Self::Float(f32::from_bits(bits as u32)),
            Kind::Long => Self::Long(bits as i64),
            Kind::Double => Self::Double(f64::from_bits(bits)),
            Kind::Reference => Self::Ref(ObjectId(bits as u32)),
        }
    }

    /// The object that this value refers to, if it is a reference other than `null`.
    pub fn object(self) -> Option<ObjectId> {
        match self {
            Self::Ref(object) if !object.is_null() => Some(object),
            _ => None,
        }
    }

    pub fn encode(self, out: &mut Vec<u8>) {
        let bytes = self.bits().to_le_bytes();
        out.extend_from_slice(&bytes[..self.kind().size()]);
    }

    /// Reads a value of the given kind from the front of `bytes`.
    pub fn decode(kind: Kind, bytes: &[u8]) -> Result<Self, DecodeError> {
        Cursor::new(bytes).value(kind)
    }
}

/// Equal bits: `NaN` equals itself, `0.0` and `-0.0` differ. Two observations are the same when
/// no program could tell them apart, and that is what a debugger compares.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.kind() == other.kind() && self.bits() == other.bits()
    }
}

impl Eq for Value {}

impl std::hash::Hash for Value {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.kind(), self.bits()).hash(state);
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Byte(value) => write!(f, "{value}"),
            Self::Char(unit) => match char::from_u32(u32::from(*unit)) {
                Some(character) => write!(f, "{character:?}"),
                None => write!(f, "'\\u{unit:04x}'"),
            },
            Self::Short(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Long(value) => write!(f, "{value}"),
            Self::Double(value) => write!(f, "{value:?}"),
            Self::Ref(object) if object.is_null() => f.write_str("null"),
            Self::Ref(object) => write!(f, "#{object}"),
        }
    }
}

impl Cursor<'_> {
    #[inline]
    pub fn value(&mut self, kind: Kind) -> Result<Value, DecodeError> {
        let bits = match kind.size() {
            1 => u64::from(self.u8()?),
            2 => u64::from(self.u16()?),
            4 => u64::from(self.u32()?),
            _ => self.u64()?,
        };
        Ok(Value::from_bits(kind, bits))
    }

    #[inline]
    pub fn kind(&mut self) -> Result<Kind, DecodeError> {
        let code = self.u8()?;
        Kind::from_code(code).ok_or(DecodeError::UnknownKind(code))
    }
}
