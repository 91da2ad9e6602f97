//! Many elements of an array at once, or the characters of a string: as they are, or packed.
//!
//! What library code copies, reads or sorts is often there already: in what the same thread noted a moment ago, or as
//! one value many times over. Packed elements say so. They are a sequence of pieces, and each of them is made of
//! values, of one value that repeats, or of values that stand elsewhere in the thread's streams. What stands
//! elsewhere stands there as it is: no piece leads to another one, so that finding an element is one look through the
//! pieces of one record and at most one look elsewhere, however often the content was copied.

mod packer;

pub use packer::Packer;

use std::borrow::Cow;

use crate::cursor::Cursor;
use crate::{DecodeError, Kind, Value};

/// Added to the number of a kind where the elements are packed.
pub const PACKED: u8 = 0x10;
/// The most bytes that an array is described with, unpacked.
pub const LONGEST: usize = 1 << 24;

/// What a piece is, in the lowest bits of its first number; the others count its elements.
mod piece {
    pub(super) const BITS: u32 = 2;
    pub(super) const VALUES: u64 = 0;
    pub(super) const REPEATED: u64 = 1;
    pub(super) const IN_EVENTS: u64 = 2;
    pub(super) const IN_OBJECTS: u64 = 3;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elements<'a> {
    pub kind: Kind,
    pub count: u32,
    pub content: ElementsContent<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementsContent<'a> {
    /// The values.
    Plain(&'a [u8]),
    /// Pieces, see [`Packer`].
    Packed(&'a [u8]),
}

/// Where values stand in the streams of the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamPlace {
    /// The position in events.
    Events(u64),
    /// In the description of an array or a string: its position in objects, and how far behind it. Whoever finds that
    /// it is a secret by now knows that these elements are.
    Objects { entry: u64, offset: u32 },
}

impl StreamPlace {
    /// So many bytes further on.
    fn plus(self, bytes: usize) -> Self {
        match self {
            Self::Events(position) => Self::Events(position.saturating_add(bytes as u64)),
            Self::Objects { entry, offset } => Self::Objects {
                entry,
                offset: offset.saturating_add(bytes as u32),
            },
        }
    }
}

/// What an element is, or where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundElement {
    Value(Value),
    Elsewhere(StreamPlace),
}

/// Elements that follow each other and are told in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece<'a> {
    count: u32,
    told: PieceContent<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PieceContent<'a> {
    Values(&'a [u8]),
    Repeated(&'a [u8]),
    Elsewhere(StreamPlace),
}

impl<'a> Elements<'a> {
    /// Kind and whether the elements are packed, in one number.
    pub(crate) fn code(&self) -> u8 {
        match self.content {
            ElementsContent::Plain(_) => self.kind.code(),
            ElementsContent::Packed(_) => self.kind.code() | PACKED,
        }
    }

    fn of_code(code: u8) -> Result<(Kind, bool), DecodeError> {
        let kind = Kind::from_code(code & !PACKED).ok_or(DecodeError::UnknownKind(code))?;
        Ok((kind, code & PACKED != 0))
    }

    /// The content at the front of the cursor.
    pub(crate) fn decode(
        code: u8,
        count: u32,
        cursor: &mut Cursor<'a>,
    ) -> Result<Self, DecodeError> {
        let (kind, is_packed) = Self::of_code(code)?;
        let content = if is_packed {
            let length = cursor.u32()? as usize;
            ElementsContent::Packed(cursor.take(length)?)
        } else {
            let length = (count as usize).checked_mul(kind.size());
            ElementsContent::Plain(cursor.take(length.ok_or(DecodeError::CutOff)?)?)
        };
        Ok(Self {
            kind,
            count,
            content,
        })
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        match self.content {
            ElementsContent::Plain(bytes) => out.extend(bytes),
            ElementsContent::Packed(bytes) => {
                out.extend((bytes.len() as u32).to_le_bytes());
                out.extend(bytes);
            }
        }
    }

    /// How many bytes [`Elements::encode`] makes.
    pub(crate) fn encoded_size(&self) -> usize {
        match self.content {
            ElementsContent::Plain(bytes) => bytes.len(),
            ElementsContent::Packed(bytes) => size_of::<u32>() + bytes.len(),
        }
    }

    /// The element with this number, counted from 0. `None`: there is none, or the content is damaged.
    pub fn find(&self, number: u32) -> Option<FoundElement> {
        if number >= self.count {
            return None;
        }
        let mut before = 0u32;
        for piece in self.pieces() {
            let inside = number - before;
            if inside < piece.count {
                return piece.find(inside, self.kind);
            }
            before = before.checked_add(piece.count)?;
        }
        None
    }

    /// The element with this number; `elsewhere` gives the bytes from a place on, if they are known.
    pub fn value<'b>(
        &self,
        number: u32,
        elsewhere: impl FnOnce(StreamPlace) -> Option<&'b [u8]>,
    ) -> Option<Value> {
        match self.find(number)? {
            FoundElement::Value(value) => Some(value),
            FoundElement::Elsewhere(place) => Value::decode(self.kind, elsewhere(place)?).ok(),
        }
    }

    /// All elements up to the first that is not known.
    pub fn values<'b>(&self, elsewhere: impl Fn(StreamPlace) -> Option<&'b [u8]>) -> Vec<Value> {
        let bytes = self.bytes(elsewhere);
        let each = bytes.chunks_exact(self.kind.size());
        each.filter_map(|bytes| Value::decode(self.kind, bytes).ok())
            .collect()
    }

    /// The same, as they would be noted if they were not packed.
    pub(crate) fn bytes<'b>(
        &self,
        elsewhere: impl Fn(StreamPlace) -> Option<&'b [u8]>,
    ) -> Cow<'a, [u8]> {
        let size = self.kind.size();
        let most = (self.count as usize).min(LONGEST / size) * size;
        if let ElementsContent::Plain(bytes) = self.content {
            return Cow::Borrowed(&bytes[..most.min(bytes.len())]);
        }
        let mut all = Vec::new();
        for piece in self.pieces() {
            let wanted = (piece.count as usize).saturating_mul(size);
            let wanted = wanted.min(most - all.len());
            let end = all.len() + wanted;
            match piece.told {
                PieceContent::Values(bytes) => all.extend(&bytes[..wanted]),
                PieceContent::Repeated(unit) => all.extend(unit.iter().cycle().take(wanted)),
                PieceContent::Elsewhere(place) => {
                    let there = elsewhere(place).unwrap_or_default();
                    let whole = there.len() / size * size;
                    all.extend(&there[..wanted.min(whole)]);
                }
            }
            if all.len() < end || end == most {
                break;
            }
        }
        Cow::Owned(all)
    }

    fn pieces(&self) -> Pieces<'a> {
        match self.content {
            ElementsContent::Plain(bytes) => Pieces {
                whole: Some(Piece {
                    count: self.count,
                    told: PieceContent::Values(bytes),
                }),
                packed: Cursor::new(&[]),
                kind: self.kind,
            },
            ElementsContent::Packed(bytes) => Pieces {
                whole: None,
                packed: Cursor::new(bytes),
                kind: self.kind,
            },
        }
    }
}

impl Piece<'_> {
    fn find(&self, number: u32, kind: Kind) -> Option<FoundElement> {
        let at = number as usize * kind.size();
        Some(match self.told {
            PieceContent::Values(bytes) => {
                FoundElement::Value(Value::decode(kind, bytes.get(at..)?).ok()?)
            }
            PieceContent::Repeated(unit) => FoundElement::Value(Value::decode(kind, unit).ok()?),
            PieceContent::Elsewhere(place) => FoundElement::Elsewhere(place.plus(at)),
        })
    }
}

struct Pieces<'a> {
    whole: Option<Piece<'a>>,
    packed: Cursor<'a>,
    kind: Kind,
}

impl<'a> Pieces<'a> {
    fn decode(&mut self) -> Option<Piece<'a>> {
        let size = self.kind.size();
        let cursor = &mut self.packed;
        let first = cursor.varint().ok()?;
        let count = u32::try_from(first >> piece::BITS).ok()?;
        let told = match first & ((1 << piece::BITS) - 1) {
            piece::VALUES => {
                PieceContent::Values(cursor.take((count as usize).checked_mul(size)?).ok()?)
            }
            piece::REPEATED => PieceContent::Repeated(cursor.take(size).ok()?),
            piece::IN_EVENTS => PieceContent::Elsewhere(StreamPlace::Events(cursor.varint().ok()?)),
            _ => PieceContent::Elsewhere(StreamPlace::Objects {
                entry: cursor.varint().ok()?,
                offset: u32::try_from(cursor.varint().ok()?).ok()?,
            }),
        };
        Some(Piece { count, told })
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        match self.whole.take() {
            Some(piece) => Some(piece),
            None if self.packed.rest().is_empty() => None,
            None => self.decode(),
        }
    }
}
