//! Events as the recorder writes them. The recorder itself is Java code, in `java-runtime`; this is its
//! description for tests and sketches.

use super::{EnterHead, Event, IS_THREAD, Write, WriteTarget, tag};
use crate::cursor::put_varint;
use crate::{FieldId, ObjectId};

impl Event<'_> {
    /// Appends the event as the recorder writes it in a call of `this`. More values than ENTER and
    /// EXIT have bits for ([`MOST_VALUES_AT_ENTER`], [`MOST_VALUES_AT_EXIT`]) need a MARK before it.
    pub fn encode(&self, this: ObjectId, out: &mut Vec<u8>) {
        match *self {
            Self::Enter {
                method,
                values,
                arguments,
            } => {
                let head = EnterHead::of(method);
                out.extend(head.word);
                out.push(values);
                if let Some(upper) = head.upper {
                    out.extend(upper.to_le_bytes());
                }
                out.extend(arguments);
            }
            Self::Exit { values, value } => {
                out.push(tag::EXIT | values);
                if let Some(value) = value {
                    value.encode(out);
                }
            }
            Self::Throw {
                depth,
                vpos,
                exception,
            } => {
                out.push(tag::THROW);
                out.extend(depth.to_le_bytes());
                out.extend(vpos.to_le_bytes());
                out.extend(exception.0.to_le_bytes());
            }
            Self::Catch {
                depth,
                vpos,
                exception,
                handler,
            } => {
                out.push(tag::CATCH);
                out.extend(depth.to_le_bytes());
                out.extend(vpos.to_le_bytes());
                out.extend(exception.0.to_le_bytes());
                out.extend(handler.to_le_bytes());
            }
            Self::This { object } => {
                out.push(tag::THIS);
                out.extend(object.0.to_le_bytes());
            }
            Self::Sync { stamp } => {
                out.push(tag::SYNC);
                out.extend(stamp.to_le_bytes());
            }
            Self::Mark { vpos } => {
                out.push(tag::MARK);
                out.extend(vpos.to_le_bytes());
            }
            Self::Submit { task, is_thread } => {
                out.push(tag::SUBMIT);
                let flag = if is_thread { IS_THREAD } else { 0 };
                out.extend((task.0 | flag).to_le_bytes());
            }
            Self::Task { task, depth } => {
                out.push(tag::TASK);
                out.extend(task.0.to_le_bytes());
                out.extend(depth.to_le_bytes());
            }
            Self::Text { object, text } => {
                out.push(tag::TEXT);
                out.extend(object.0.to_le_bytes());
                out.extend(text.0.to_le_bytes());
            }
            Self::Output { piece } => {
                out.push(tag::OUTPUT);
                out.extend(piece.to_le_bytes());
            }
            Self::Write(write) => write.encode(this, out),
        }
    }
}

impl Write<'_> {
    /// As [`Event::encode`].
    pub fn encode(&self, this: ObjectId, out: &mut Vec<u8>) {
        let library = if self.by_library { tag::BY_LIBRARY } else { 0 };
        let field_word =
            |field: FieldId, tag: u8| (field.0 << 8 | u32::from(tag | library)).to_le_bytes();
        match self.target {
            WriteTarget::Field {
                field,
                object,
                value,
            } => {
                if object == this && !this.is_null() && !self.by_library {
                    out.extend(field_word(field, tag::PUT_THIS));
                } else {
                    out.extend(field_word(field, tag::PUT_FIELD));
                    out.extend(object.0.to_le_bytes());
                }
                value.encode(out);
            }
            WriteTarget::Static { field, value } => {
                out.extend(field_word(field, tag::PUT_STATIC));
                value.encode(out);
            }
            WriteTarget::Element {
                array,
                index,
                value,
            } => {
                let kind = value.kind().code();
                if let Ok(near) = u16::try_from(index) {
                    out.push((tag::ARRAY_STORE_NEAR + kind) | library);
                    out.extend(array.0.to_le_bytes());
                    out.extend(near.to_le_bytes());
                } else {
                    out.push((tag::ARRAY_STORE + kind) | library);
                    out.extend(array.0.to_le_bytes());
                    out.extend(index.to_le_bytes());
                }
                value.encode(out);
            }
            WriteTarget::Range(range) => {
                out.push(tag::ARRAY_RANGE | library);
                out.push(range.elements.code());
                out.extend(range.array.0.to_le_bytes());
                put_varint(range.start.into(), out);
                put_varint(range.elements.count.into(), out);
                range.elements.encode(out);
            }
        }
    }
}
