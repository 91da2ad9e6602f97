//! A quick look at events: what the shape of the call tree needs, and their lengths.
//!
//! Indexing reads every event of a trace once and most values in them never. Skimming leaves
//! values alone and gives something small enough to stay in registers, which makes a pass over
//! a trace about twice as fast as decoding it.

use super::{FrameShape, Signatures, enter_size, entered, size, submitted, tag};
use crate::cursor::Cursor;
use crate::{DecodeError, FieldId, Kind, MethodId, ObjectId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skimmed {
    Enter {
        method: MethodId,
        values: u8,
        shape: FrameShape,
    },
    Exit {
        values: u8,
    },
    Throw {
        depth: u32,
        vpos: u32,
        exception: ObjectId,
    },
    Catch {
        depth: u32,
        vpos: u32,
    },
    This {
        object: ObjectId,
    },
    Sync {
        stamp: u64,
    },
    Mark {
        vpos: u32,
    },
    Submit {
        task: ObjectId,
        is_thread: bool,
    },
    Task {
        task: ObjectId,
        depth: u32,
    },
    Text {
        object: ObjectId,
    },
    /// The tag tells which kind; [`super::decode_write`] tells the rest.
    Write {
        tag: u8,
    },
}

/// As [`super::decode`], without the values. The event is whole if its length is given.
#[inline(always)]
pub fn skim(
    bytes: &[u8],
    signatures: &impl Signatures,
    current: Option<FrameShape>,
) -> Result<Option<(Skimmed, usize)>, DecodeError> {
    let Some(&tag) = bytes.first() else {
        return Ok(None);
    };
    let (event, length) = match tag {
        tag::END => return Ok(None),
        tag::ENTER.. => {
            let (method, values) = entered(&mut Cursor::new(bytes))?;
            let shape = signatures
                .frame(method)
                .ok_or(DecodeError::UnknownMethod(method.0))?;
            let enter = Skimmed::Enter {
                method,
                values,
                shape,
            };
            (enter, enter_size(method) + shape.arguments as usize)
        }
        tag::EXIT.. => {
            let shape = current.ok_or(DecodeError::ExitOutsideCall)?;
            (
                Skimmed::Exit {
                    values: tag - tag::EXIT,
                },
                size::EXIT + shape.returned.map_or(0, Kind::size),
            )
        }
        tag::THROW => {
            let mut cursor = after_tag(bytes);
            let (depth, vpos) = (cursor.u32()?, cursor.u32()?);
            (
                Skimmed::Throw {
                    depth,
                    vpos,
                    exception: ObjectId(cursor.u32()?),
                },
                size::THROW,
            )
        }
        tag::CATCH => {
            let mut cursor = after_tag(bytes);
            (
                Skimmed::Catch {
                    depth: cursor.u32()?,
                    vpos: cursor.u32()?,
                },
                size::CATCH,
            )
        }
        tag::THIS => (
            Skimmed::This {
                object: ObjectId(after_tag(bytes).u32()?),
            },
            size::THIS,
        ),
        tag::SYNC => (
            Skimmed::Sync {
                stamp: after_tag(bytes).u64()?,
            },
            size::SYNC,
        ),
        tag::MARK => (
            Skimmed::Mark {
                vpos: after_tag(bytes).u32()?,
            },
            size::MARK,
        ),
        tag::SUBMIT => {
            let (task, is_thread) = submitted(after_tag(bytes).u32()?);
            (Skimmed::Submit { task, is_thread }, size::SUBMIT)
        }
        tag::TASK => {
            let mut cursor = after_tag(bytes);
            (
                Skimmed::Task {
                    task: ObjectId(cursor.u32()?),
                    depth: cursor.u32()?,
                },
                size::TASK,
            )
        }
        tag::TEXT => (
            Skimmed::Text {
                object: ObjectId(after_tag(bytes).u32()?),
            },
            size::TEXT,
        ),
        _ => (
            Skimmed::Write { tag },
            write_length(tag, bytes, signatures)?,
        ),
    };
    if length > bytes.len() {
        return Err(DecodeError::CutOff);
    }
    Ok(Some((event, length)))
}

/// An ENTER as [`enter_at`] finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entered {
    pub method: MethodId,
    /// Bytes of values since the last event that told.
    pub values: u8,
    pub shape: FrameShape,
    pub length: usize,
}

/// The ENTER that `bytes` begin with. What is not whole, or no ENTER, is left to [`skim`]: its answer is so large that it
/// goes through memory, which costs more than all else here.
#[inline(always)]
pub fn enter_at(bytes: &[u8], signatures: &impl Signatures) -> Option<Entered> {
    if *bytes.first()? < tag::ENTER {
        return None;
    }
    let (method, values) = entered(&mut Cursor::new(bytes)).ok()?;
    let shape = signatures.frame(method)?;
    let length = enter_size(method) + shape.arguments as usize;
    (length <= bytes.len()).then_some(Entered {
        method,
        values,
        shape,
        length,
    })
}

/// The bytes of values and the length of the EXIT that `bytes` begin with, of a call of this shape; as [`enter_at`].
#[inline(always)]
pub fn exit_at(bytes: &[u8], current: FrameShape) -> Option<(u8, usize)> {
    let &tag = bytes.first()?;
    if !(tag::EXIT..tag::ENTER).contains(&tag) {
        return None;
    }
    let length = size::EXIT + current.returned.map_or(0, Kind::size);
    (length <= bytes.len()).then_some((tag - tag::EXIT, length))
}

/// The length of the writes that `bytes` begin with, each of which `tell` is told the tag of. What is not
/// whole, or no write, is left to [`skim`].
///
/// Writes say nothing about the tree and are the most frequent events: passing over them in a loop of their
/// own saves taking each for what it might be.
#[inline(always)]
pub fn pass_writes(bytes: &[u8], signatures: &impl Signatures, mut tell: impl FnMut(u8)) -> usize {
    let mut at = 0;
    while let Some(&tag) = bytes.get(at) {
        let length = match WRITES[usize::from(tag)] {
            Length::Known(length) => usize::from(length),
            Length::WithField(length) => {
                let word: Option<&[u8; 4]> = bytes[at..].first_chunk();
                let field = word.map(|word| FieldId(u32::from_le_bytes(*word) >> 8));
                match field.and_then(|field| signatures.field(field)) {
                    Some(kind) => usize::from(length) + kind.size(),
                    None => break,
                }
            }
            Length::Unknown => break,
        };
        if length > bytes.len() - at {
            break;
        }
        tell(tag);
        at += length;
    }
    at
}

/// How long an event is, as far as its tag tells.
#[derive(Clone, Copy)]
enum Length {
    Known(u8),
    /// And the field's value.
    WithField(u8),
    Unknown,
}

const WRITES: [Length; 256] = {
    let mut lengths = [Length::Unknown; 256];
    let mut by = 0;
    while by < 2 {
        let library = by * tag::BY_LIBRARY as usize;
        lengths[tag::PUT_FIELD as usize + library] = Length::WithField(size::PUT_FIELD as u8);
        lengths[tag::PUT_THIS as usize + library] = Length::WithField(size::PUT_THIS as u8);
        lengths[tag::PUT_STATIC as usize + library] = Length::WithField(size::PUT_STATIC as u8);
        let mut code = 0;
        while code < Kind::ALL.len() {
            let kind = Kind::ALL[code];
            let (far, near) = (size::ARRAY_STORE, size::ARRAY_STORE_NEAR);
            let code_at = code + library;
            lengths[tag::ARRAY_STORE as usize + code_at] = Length::Known((far + kind.size()) as u8);
            lengths[tag::ARRAY_STORE_NEAR as usize + code_at] =
                Length::Known((near + kind.size()) as u8);
            code += 1;
        }
        by += 1;
    }
    lengths
};

#[inline(always)]
fn after_tag(bytes: &[u8]) -> Cursor<'_> {
    Cursor::new(bytes.get(1..).unwrap_or_default())
}

#[inline(always)]
fn write_length(tag: u8, bytes: &[u8], signatures: &impl Signatures) -> Result<usize, DecodeError> {
    let field_size = || {
        let field = FieldId(Cursor::new(bytes).u32()? >> 8);
        signatures
            .field(field)
            .map(Kind::size)
            .ok_or(DecodeError::UnknownField(field.0))
    };
    let size_of = |code: u8| {
        Kind::from_code(code)
            .map(Kind::size)
            .ok_or(DecodeError::UnknownEvent(tag))
    };
    match tag & !tag::BY_LIBRARY {
        tag::PUT_FIELD => Ok(size::PUT_FIELD + field_size()?),
        tag::PUT_THIS => Ok(size::PUT_THIS + field_size()?),
        tag::PUT_STATIC => Ok(size::PUT_STATIC + field_size()?),
        tag::ARRAY_RANGE => {
            let code = after_tag(bytes).u8()?;
            let each = Kind::from_code(code)
                .map(Kind::size)
                .ok_or(DecodeError::UnknownKind(code))?;
            const COUNT: usize = 10;
            let count = Cursor::new(bytes.get(COUNT..).unwrap_or_default()).u32()?;
            let values = (count as usize)
                .checked_mul(each)
                .ok_or(DecodeError::CutOff)?;
            values
                .checked_add(size::ARRAY_RANGE)
                .ok_or(DecodeError::CutOff)
        }
        store @ tag::ARRAY_STORE..tag::ARRAY_STORE_NEAR => {
            Ok(size::ARRAY_STORE + size_of(store - tag::ARRAY_STORE)?)
        }
        store @ tag::ARRAY_STORE_NEAR.. => {
            Ok(size::ARRAY_STORE_NEAR + size_of(store - tag::ARRAY_STORE_NEAR)?)
        }
        _ => Err(DecodeError::UnknownEvent(tag)),
    }
}
