//! A quick look at events: what the shape of the call tree needs, and their lengths.
//!
//! Indexing reads every event of a trace once and most values in them never. Skimming leaves
//! values alone, which makes a pass over a trace about twice as fast as decoding it. Where
//! that is not enough, [`pass_frequent`](super::pass_frequent) takes most events before.

use super::{FrameShape, Signatures, enter_size, entered, size, submitted, tag};
use crate::cursor::Cursor;
use crate::{DecodeError, Elements, FieldId, Kind, MethodId, ObjectId};

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
    Output {
        piece: u32,
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
                shape.lengths().exit as usize,
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
        tag::OUTPUT => (
            Skimmed::Output {
                piece: after_tag(bytes).u32()?,
            },
            size::OUTPUT,
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
            let mut cursor = after_tag(bytes);
            let code = cursor.u8()?;
            cursor.take(size::ARRAY_RANGE - 2)?;
            cursor.varint32()?;
            let count = cursor.varint32()?;
            Elements::decode(code, count, &mut cursor)?;
            Ok(bytes.len() - cursor.rest().len())
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
