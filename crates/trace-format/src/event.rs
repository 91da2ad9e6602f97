//! Events: calls, exits, handlers, stamps and heap writes.
//!
//! Every event describes itself, given the symbols and the call it happened in: a returned value
//! has the size of that method's result and no length of its own, and a write to a field of `this`
//! does not repeat which object that is. The decoder therefore takes the current call's [`Frame`];
//! whoever walks a stream keeps the stack of open calls anyway. Decoded events borrow their bytes:
//! a walk allocates nothing.

mod encode;
mod frequent;
mod skim;

pub use frequent::{Entered, FrequentEvents, pass_frequent};
pub use skim::{Skimmed, skim};

use crate::cursor::Cursor;
use crate::{DecodeError, Elements, FieldId, Kind, MethodId, ObjectId, Value};

pub mod tag {
    pub const END: u8 = 0x00;
    pub const PUT_FIELD: u8 = 0x01;
    /// A field of the current call's `this`.
    pub const PUT_THIS: u8 = 0x02;
    pub const THROW: u8 = 0x03;
    pub const CATCH: u8 = 0x04;
    pub const THIS: u8 = 0x05;
    pub const SYNC: u8 = 0x06;
    pub const PUT_STATIC: u8 = 0x07;
    pub const MARK: u8 = 0x08;
    pub const ARRAY_RANGE: u8 = 0x09;
    /// Plus the kind's number.
    pub const ARRAY_STORE: u8 = 0x0A;
    /// Plus the kind's number: a store whose index fits into sixteen bits.
    pub const ARRAY_STORE_NEAR: u8 = 0x13;
    /// The current call hands a task over to another thread.
    pub const SUBMIT: u8 = 0x1C;
    /// What the thread works on from here.
    pub const TASK: u8 = 0x1D;
    /// What an object said of itself.
    pub const TEXT: u8 = 0x1E;
    /// Something was printed.
    pub const OUTPUT: u8 = 0x1F;
    /// Added to the tags of writes that library code did during the current call.
    pub const BY_LIBRARY: u8 = 0x20;
    /// Plus the number of bytes of values, which has six bits.
    pub const EXIT: u8 = 0x40;
    /// Plus the highest seven of fifteen bits of the method's number.
    pub const ENTER: u8 = 0x80;
    /// An ENTER of a method whose number needs more bits.
    pub const ENTER_FAR: u8 = 0xFF;
}

/// Sizes of events, tag included, up to their variable part.
pub mod size {
    pub const ENTER: usize = 3;
    pub const ENTER_FAR: usize = 5;
    pub const EXIT: usize = 1;
    pub const THROW: usize = 13;
    pub const CATCH: usize = 15;
    pub const THIS: usize = 5;
    pub const SYNC: usize = 9;
    pub const PUT_FIELD: usize = 8;
    pub const PUT_THIS: usize = 4;
    pub const PUT_STATIC: usize = 4;
    pub const MARK: usize = 5;
    pub const ARRAY_STORE: usize = 9;
    pub const ARRAY_STORE_NEAR: usize = 7;
    /// Up to the index, the first of two numbers that take as many bytes as they need.
    pub const ARRAY_RANGE: usize = 6;
    pub const SUBMIT: usize = 5;
    pub const TASK: usize = 9;
    pub const TEXT: usize = 9;
    pub const OUTPUT: usize = 5;
}

/// The most bytes of values that an ENTER can tell of.
pub const MOST_VALUES_AT_ENTER: u64 = 0xff;
/// The most bytes of values that an EXIT can tell of.
pub const MOST_VALUES_AT_EXIT: u64 = 0x3f;

/// The first method whose number is too large for a short ENTER: its tag would be that of a long one.
pub const FIRST_FAR_METHOD: MethodId = MethodId(0x7f00);

/// How an ENTER names its method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnterHead {
    /// Tag and the number's lowest byte. The count of values follows it.
    pub word: [u8; 2],
    /// Behind the count of values, where the number has more bits than the tag can take.
    pub upper: Option<u16>,
}

impl EnterHead {
    pub fn of(method: MethodId) -> Self {
        let [low, middle, high, _] = method.0.to_le_bytes();
        if method < FIRST_FAR_METHOD {
            Self {
                word: [tag::ENTER | middle, low],
                upper: None,
            }
        } else {
            Self {
                word: [tag::ENTER_FAR, low],
                upper: Some(u16::from_le_bytes([middle, high])),
            }
        }
    }
}

/// The size of an ENTER of this method, up to its arguments.
#[inline(always)]
pub fn enter_size(method: MethodId) -> usize {
    if method < FIRST_FAR_METHOD {
        size::ENTER
    } else {
        size::ENTER_FAR
    }
}

/// The method that is entered and the bytes of values.
#[inline(always)]
fn entered(cursor: &mut Cursor<'_>) -> Result<(MethodId, u8), DecodeError> {
    let tag = cursor.u8()?;
    let low = cursor.u8()?;
    let values = cursor.u8()?;
    let upper = match tag {
        tag::ENTER_FAR => u32::from(cursor.u16()?),
        tag => u32::from(tag & 0x7f),
    };
    let method = MethodId(upper << 8 | u32::from(low));
    // No recorder writes a long ENTER where a short one will do. Whoever goes by the method's number, as
    // [`enter_size`] does, would take it for shorter than it is.
    if tag == tag::ENTER_FAR && method < FIRST_FAR_METHOD {
        return Err(DecodeError::UnknownMethod(method.0));
    }
    Ok((method, values))
}

/// Set in a SUBMIT beside the number of a task that is a thread.
const IS_THREAD: u32 = 1 << 31;

#[inline(always)]
fn submitted(word: u32) -> (ObjectId, bool) {
    (ObjectId(word & !IS_THREAD), word & IS_THREAD != 0)
}

/// The sizes of what a method's ENTER and EXIT carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FrameShape {
    /// Bytes of `this` and the arguments in an ENTER.
    pub arguments: u32,
    /// Whether the first of them is `this`: in all but static methods and constructors.
    pub enters_with_this: bool,
    /// `None`: void.
    pub returned: Option<Kind>,
}

impl FrameShape {
    /// Of the events of a method whose ENTER is a short one.
    #[inline]
    pub fn lengths(self) -> CallLengths {
        CallLengths {
            enter: size::ENTER as u32 + self.arguments,
            exit: (size::EXIT + self.returned.map_or(0, Kind::size)) as u32,
        }
    }
}

/// How long a method's events are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallLengths {
    /// A short ENTER with its arguments.
    pub enter: u32,
    pub exit: u32,
}

impl CallLengths {
    /// Longer than anything: whoever looks whether an event is whole finds that it is not, and has asked nothing more.
    pub const UNKNOWN: Self = Self {
        enter: u32::MAX,
        exit: u32::MAX,
    };
}

/// A call that is open, as far as the events in it need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenFrame {
    pub shape: FrameShape,
    /// Null in a static method, and in a constructor until its THIS.
    pub this: ObjectId,
}

impl OpenFrame {
    /// Enough for the event that ends the call.
    pub fn of(shape: FrameShape) -> Self {
        Self {
            shape,
            this: ObjectId::NULL,
        }
    }

    /// The frame of a call that is entered with these arguments.
    #[inline]
    pub fn entered(shape: FrameShape, arguments: &[u8]) -> Self {
        let this = arguments.first_chunk().filter(|_| shape.enters_with_this);
        Self {
            shape,
            this: this.map_or(ObjectId::NULL, |&bytes| ObjectId(u32::from_le_bytes(bytes))),
        }
    }
}

/// What the decoder must know of the symbols.
pub trait Signatures {
    fn frame(&self, method: MethodId) -> Option<FrameShape>;
    fn field(&self, field: FieldId) -> Option<Kind>;

    /// The same, ready to be added up, of a method below [`FIRST_FAR_METHOD`].
    #[inline(always)]
    fn call_lengths(&self, method: MethodId) -> CallLengths {
        let shape = self.frame(method).filter(|_| method < FIRST_FAR_METHOD);
        shape.map_or(CallLengths::UNKNOWN, FrameShape::lengths)
    }

    /// The bytes of a field's value; 0 if it is not known.
    #[inline(always)]
    fn field_size(&self, field: FieldId) -> u8 {
        self.field(field).map_or(0, |kind| kind.size() as u8)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'a> {
    Enter {
        method: MethodId,
        /// Bytes of values since the thread's last ENTER, EXIT, THROW, CATCH or MARK.
        values: u8,
        /// `this` and the arguments; [`values`] splits them.
        arguments: &'a [u8],
    },
    Exit {
        /// As in ENTER.
        values: u8,
        value: Option<Value>,
    },
    Throw {
        depth: u32,
        vpos: u32,
        exception: ObjectId,
    },
    Catch {
        depth: u32,
        vpos: u32,
        exception: ObjectId,
        handler: u16,
    },
    This {
        object: ObjectId,
    },
    Sync {
        stamp: u64,
    },
    /// Where the values have got to.
    Mark {
        vpos: u32,
    },
    /// A task is handed over: a thread that is started, a runnable, a stage of a computation.
    Submit {
        task: ObjectId,
        is_thread: bool,
    },
    /// Calls that are made with `depth` calls open belong to the task from here on; null: to none.
    Task {
        task: ObjectId,
        depth: u32,
    },
    /// What the object's `toString` gave, from here on; null: nothing.
    Text {
        object: ObjectId,
        text: ObjectId,
    },
    /// The call that is open printed something, or the thread did; see [`crate::printed`].
    Output {
        /// The low 32 bits of the piece's number.
        piece: u32,
    },
    Write(Write<'a>),
}

/// A write to the heap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Write<'a> {
    pub target: WriteTarget<'a>,
    /// Done by library code during the current call.
    pub by_library: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteTarget<'a> {
    Field {
        field: FieldId,
        object: ObjectId,
        value: Value,
    },
    Static {
        field: FieldId,
        value: Value,
    },
    Element {
        array: ObjectId,
        index: u32,
        value: Value,
    },
    Range(Range<'a>),
}

/// Consecutive elements written at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range<'a> {
    pub array: ObjectId,
    pub start: u32,
    pub elements: Elements<'a>,
}

impl Range<'_> {
    /// The number, among those that are written, of the array's element `index`, if the range covers it.
    pub fn number_of(&self, index: u32) -> Option<u32> {
        let number = index.checked_sub(self.start)?;
        (number < self.elements.count).then_some(number)
    }

    /// The indices that are written.
    pub fn indices(&self) -> std::ops::Range<u32> {
        self.start..self.start.saturating_add(self.elements.count)
    }
}

/// The event at the front of `bytes` and its length; `None` at the end of the content: no bytes,
/// or a zero tag. `current` is the innermost open call, if any is open.
#[inline]
pub fn decode<'a>(
    bytes: &'a [u8],
    signatures: &impl Signatures,
    current: Option<OpenFrame>,
) -> Result<Option<(Event<'a>, usize)>, DecodeError> {
    let Some(&tag) = bytes.first() else {
        return Ok(None);
    };
    let mut cursor = Cursor::new(bytes);
    let event = match tag {
        tag::END => return Ok(None),
        tag::ENTER.. => {
            let (method, values) = entered(&mut cursor)?;
            let shape = signatures
                .frame(method)
                .ok_or(DecodeError::UnknownMethod(method.0))?;
            Event::Enter {
                method,
                values,
                arguments: cursor.take(shape.arguments as usize)?,
            }
        }
        tag::EXIT.. => {
            let shape = current.ok_or(DecodeError::ExitOutsideCall)?.shape;
            let values = cursor.u8()? - tag::EXIT;
            let value = match shape.returned {
                Some(kind) => Some(cursor.value(kind)?),
                None => None,
            };
            Event::Exit { values, value }
        }
        tag::THROW => {
            cursor.u8()?;
            Event::Throw {
                depth: cursor.u32()?,
                vpos: cursor.u32()?,
                exception: ObjectId(cursor.u32()?),
            }
        }
        tag::CATCH => {
            cursor.u8()?;
            Event::Catch {
                depth: cursor.u32()?,
                vpos: cursor.u32()?,
                exception: ObjectId(cursor.u32()?),
                handler: cursor.u16()?,
            }
        }
        tag::THIS => {
            cursor.u8()?;
            Event::This {
                object: ObjectId(cursor.u32()?),
            }
        }
        tag::SYNC => {
            cursor.u8()?;
            Event::Sync {
                stamp: cursor.u64()?,
            }
        }
        tag::MARK => {
            cursor.u8()?;
            Event::Mark {
                vpos: cursor.u32()?,
            }
        }
        tag::SUBMIT => {
            cursor.u8()?;
            let (task, is_thread) = submitted(cursor.u32()?);
            Event::Submit { task, is_thread }
        }
        tag::TASK => {
            cursor.u8()?;
            Event::Task {
                task: ObjectId(cursor.u32()?),
                depth: cursor.u32()?,
            }
        }
        tag::TEXT => {
            cursor.u8()?;
            Event::Text {
                object: ObjectId(cursor.u32()?),
                text: ObjectId(cursor.u32()?),
            }
        }
        tag::OUTPUT => {
            cursor.u8()?;
            Event::Output {
                piece: cursor.u32()?,
            }
        }
        _ => {
            let this = current.map_or(ObjectId::NULL, |frame| frame.this);
            Event::Write(decode_write_at(tag, &mut cursor, signatures, this)?)
        }
    };
    Ok(Some((event, bytes.len() - cursor.rest().len())))
}

/// The write event at the front of `bytes`; `None` if another event stands there. `this` is that
/// of the call in which the write was done.
pub fn decode_write<'a>(
    bytes: &'a [u8],
    signatures: &impl Signatures,
    this: ObjectId,
) -> Result<Option<Write<'a>>, DecodeError> {
    match bytes.first() {
        None => Ok(None),
        Some(
            &(tag::END
            | tag::THROW..=tag::SYNC
            | tag::MARK
            | tag::SUBMIT..=tag::OUTPUT
            | tag::EXIT..),
        ) => Ok(None),
        Some(&tag) => decode_write_at(tag, &mut Cursor::new(bytes), signatures, this).map(Some),
    }
}

#[inline]
fn decode_write_at<'a>(
    tag: u8,
    cursor: &mut Cursor<'a>,
    signatures: &impl Signatures,
    this: ObjectId,
) -> Result<Write<'a>, DecodeError> {
    const LAST_STORE: u8 = tag::ARRAY_STORE + Kind::Reference.code();
    const LAST_NEAR: u8 = tag::ARRAY_STORE_NEAR + Kind::Reference.code();
    let by_library = tag & tag::BY_LIBRARY != 0;
    let kind_of = |field: FieldId| {
        signatures
            .field(field)
            .ok_or(DecodeError::UnknownField(field.0))
    };
    let target = match tag & !tag::BY_LIBRARY {
        tag::PUT_FIELD => {
            let field = FieldId(cursor.u32()? >> 8);
            let object = ObjectId(cursor.u32()?);
            WriteTarget::Field {
                field,
                object,
                value: cursor.value(kind_of(field)?)?,
            }
        }
        tag::PUT_THIS => {
            let field = FieldId(cursor.u32()? >> 8);
            WriteTarget::Field {
                field,
                object: this,
                value: cursor.value(kind_of(field)?)?,
            }
        }
        tag::PUT_STATIC => {
            let field = FieldId(cursor.u32()? >> 8);
            WriteTarget::Static {
                field,
                value: cursor.value(kind_of(field)?)?,
            }
        }
        store @ tag::ARRAY_STORE..=LAST_STORE => {
            let kind = kind_code(store - tag::ARRAY_STORE)?;
            cursor.u8()?;
            WriteTarget::Element {
                array: ObjectId(cursor.u32()?),
                index: cursor.u32()?,
                value: cursor.value(kind)?,
            }
        }
        store @ tag::ARRAY_STORE_NEAR..=LAST_NEAR => {
            let kind = kind_code(store - tag::ARRAY_STORE_NEAR)?;
            cursor.u8()?;
            WriteTarget::Element {
                array: ObjectId(cursor.u32()?),
                index: cursor.u16()?.into(),
                value: cursor.value(kind)?,
            }
        }
        tag::ARRAY_RANGE => {
            cursor.u8()?;
            let code = cursor.u8()?;
            let array = ObjectId(cursor.u32()?);
            let start = cursor.varint32()?;
            let count = cursor.varint32()?;
            WriteTarget::Range(Range {
                array,
                start,
                elements: Elements::decode(code, count, cursor)?,
            })
        }
        _ => return Err(DecodeError::UnknownEvent(tag)),
    };
    Ok(Write { target, by_library })
}

fn kind_code(code: u8) -> Result<Kind, DecodeError> {
    Kind::from_code(code).ok_or(DecodeError::UnknownKind(code))
}

/// Splits the bytes of an ENTER's arguments. Stops where the bytes do.
pub fn values<'a>(mut bytes: &'a [u8], kinds: &'a [Kind]) -> impl Iterator<Item = Value> + 'a {
    kinds.iter().map_while(move |&kind| {
        let value = Value::decode(kind, bytes).ok()?;
        bytes = &bytes[kind.size()..];
        Some(value)
    })
}
