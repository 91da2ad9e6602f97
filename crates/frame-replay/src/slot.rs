//! One slot of a frame: a value, what kind it is, and the step that put it there.
//!
//! Sixteen bytes, so that a frame is a short array and a step copies two or three of them. As in
//! the JVM, a long or double takes two slots, of which the second stays empty; so the instructions
//! that move slots without looking at them (`dup2` and its kin) need no special cases.

use trace_format::{ObjectId, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Tag {
    /// Never written, or the second half of a long or double.
    Empty,
    Int,
    Float,
    Long,
    Double,
    /// An object id; 0 is `null`.
    Reference,
    /// A string or class constant, known by its content; bits are its number in the method's code.
    Constant,
    /// A new object before its constructor has returned; bits number it within the frame.
    Fresh,
    /// `this` in a constructor, before `super(…)` has returned.
    UninitializedThis,
    /// Where a subroutine returns to; bits are an instruction index.
    ReturnAddress,
}

/// See the module's header.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    bits: u64,
    /// The origin in the upper 56 bits, the tag in the lower 8.
    meta: u64,
}

/// The origin of what the call was given.
const ENTRY: u64 = 0;

impl Slot {
    pub const EMPTY: Slot = Slot { bits: 0, meta: 0 };

    #[inline]
    pub(crate) fn new(tag: Tag, bits: u64, step: u64) -> Slot {
        Slot {
            bits,
            meta: (step + 1) << 8 | tag as u64,
        }
    }

    /// A value that the call began with.
    pub(crate) fn given(tag: Tag, bits: u64) -> Slot {
        Slot {
            bits,
            meta: ENTRY << 8 | tag as u64,
        }
    }

    #[inline]
    pub fn tag(self) -> Tag {
        const TAGS: [Tag; 16] = {
            use Tag::*;
            [
                Empty,
                Int,
                Float,
                Long,
                Double,
                Reference,
                Constant,
                Fresh,
                UninitializedThis,
                ReturnAddress,
                Empty,
                Empty,
                Empty,
                Empty,
                Empty,
                Empty,
            ]
        };
        TAGS[(self.meta & 0xF) as usize]
    }

    /// The step that wrote this slot; `None` for what the call began with.
    pub fn origin(self) -> Option<u64> {
        (self.meta >> 8).checked_sub(1)
    }

    #[inline]
    pub(crate) fn bits(self) -> u64 {
        self.bits
    }

    /// The same value, written by another step.
    #[inline]
    pub(crate) fn at(self, step: u64) -> Slot {
        Slot {
            bits: self.bits,
            meta: (step + 1) << 8 | self.meta & 0xFF,
        }
    }

    #[inline]
    pub(crate) fn int(self) -> i32 {
        self.bits as i32
    }

    #[inline]
    pub(crate) fn long(self) -> i64 {
        self.bits as i64
    }

    #[inline]
    pub(crate) fn float(self) -> f32 {
        f32::from_bits(self.bits as u32)
    }

    #[inline]
    pub(crate) fn double(self) -> f64 {
        f64::from_bits(self.bits)
    }

    #[inline]
    pub(crate) fn is_null(self) -> bool {
        self.bits == 0 && self.tag() == Tag::Reference
    }

    /// The object, if its id is known and it is not `null`.
    pub fn object(self) -> Option<ObjectId> {
        (self.tag() == Tag::Reference && self.bits != 0).then_some(ObjectId(self.bits as u32))
    }

    pub fn datum(self) -> Datum {
        match self.tag() {
            Tag::Empty => Datum::Empty,
            Tag::Int => Datum::Value(Value::Int(self.int())),
            Tag::Float => Datum::Value(Value::Float(self.float())),
            Tag::Long => Datum::Value(Value::Long(self.long())),
            Tag::Double => Datum::Value(Value::Double(self.double())),
            Tag::Reference => Datum::Value(Value::Ref(ObjectId(self.bits as u32))),
            Tag::Constant => Datum::Constant(self.bits as u32),
            Tag::Fresh | Tag::UninitializedThis => Datum::Uninitialized,
            Tag::ReturnAddress => Datum::ReturnAddress(self.bits as u32),
        }
    }

    /// The tag and bits under which a frame holds a value: small integers are ints.
    #[inline]
    pub(crate) fn of_value(value: Value, step: u64) -> Slot {
        let (tag, bits) = parts(value);
        Slot::new(tag, bits, step)
    }

    pub(crate) fn of_argument(value: Value) -> Slot {
        let (tag, bits) = parts(value);
        Slot::given(tag, bits)
    }
}

#[inline]
fn parts(value: Value) -> (Tag, u64) {
    let int = |number: i32| (Tag::Int, u64::from(number.cast_unsigned()));
    match value {
        Value::Boolean(flag) => int(i32::from(flag)),
        Value::Byte(number) => int(i32::from(number)),
        Value::Char(unit) => int(i32::from(unit)),
        Value::Short(number) => int(i32::from(number)),
        Value::Int(number) => int(number),
        Value::Float(_) => (Tag::Float, value.bits()),
        Value::Long(_) => (Tag::Long, value.bits()),
        Value::Double(_) => (Tag::Double, value.bits()),
        Value::Ref(_) => (Tag::Reference, value.bits()),
    }
}

impl std::fmt::Debug for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.datum())
    }
}

/// What a slot holds, for a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Datum {
    Empty,
    /// Ints stand for all small integer types: the code does not tell them apart.
    Value(Value),
    /// A string or class constant: its number in [`MethodCode::constant`](crate::MethodCode::constant).
    Constant(u32),
    Uninitialized,
    ReturnAddress(u32),
}
