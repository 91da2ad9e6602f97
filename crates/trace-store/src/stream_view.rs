//! One stream of one thread, as its reader sees it: pieces that join.

use std::sync::Arc;

use trace_format::cursor::Cursor;
use trace_format::{Kind, Value};

#[derive(Debug, Default, Clone)]
pub(crate) struct Parts {
    /// What stands for the part that was given up.
    pub(crate) head: Option<StreamHead>,
    pub(crate) chunks: Vec<Part>,
    pub(crate) tail: Option<Tail>,
    /// Position after the last complete chunk.
    pub(crate) end: u64,
    /// A chunk that does not join was seen.
    pub(crate) gap: bool,
}

/// The head of a stream whose beginning was given up.
#[derive(Debug, Clone)]
pub(crate) struct StreamHead {
    /// Where what is kept begins. The head's own bytes have the positions before it.
    pub(crate) kept_from: u64,
    pub(crate) bytes: Vec<u8>,
    pub(crate) stamp: u64,
}

impl Parts {
    pub(crate) fn begin_with(&mut self, head: StreamHead) {
        self.end = head.kept_from;
        self.head = Some(head);
    }

    /// Leaves out the chunks from this one on, and the tail.
    pub(crate) fn leave_out(&mut self, chunk: usize) {
        if let Some(first) = self.chunks.get(chunk) {
            self.end = first.base;
            self.chunks.truncate(chunk);
            self.tail = None;
        }
    }

    /// Leaves out what lies behind a position, which is between two events.
    pub(crate) fn end_at(&mut self, end: u64) {
        if end >= self.end {
            if let Some(tail) = &mut self.tail {
                let kept = usize::try_from(end.saturating_sub(tail.base)).unwrap_or(usize::MAX);
                tail.length = tail.length.min(kept);
                tail.used = tail.used.min(kept);
            }
            return;
        }
        self.tail = None;
        self.end = end;
        self.chunks
            .truncate(self.chunks.partition_point(|part| part.base < end));
        if let Some(last) = self.chunks.last_mut() {
            last.length = last.length.min((end - last.base) as u32);
        }
    }
}

impl StreamHead {
    fn begin(&self) -> u64 {
        self.kept_from.saturating_sub(self.bytes.len() as u64)
    }
}

/// The files in which complete chunks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChunkFile {
    Objects,
    Chunks,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub(crate) base: u64,
    pub(crate) stamp: u64,
    /// Of the payload, in the file.
    pub(crate) offset: u64,
    pub(crate) length: u32,
    pub(crate) file: ChunkFile,
}

#[derive(Debug, Clone)]
pub(crate) struct Tail {
    pub(crate) base: u64,
    pub(crate) stamp: u64,
    pub(crate) bytes: Arc<Vec<u8>>,
    /// How many of them belong to it.
    pub(crate) length: usize,
    /// Up to its last byte that is not zero.
    pub(crate) used: usize,
}

impl Tail {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// One stream of one thread.
#[derive(Debug, Clone, Copy)]
pub struct StreamView<'a> {
    /// One a [`ChunkFile`].
    maps: [&'a [u8]; 2],
    parts: Option<&'a Parts>,
}

/// A part of a stream that lies in one piece.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'a> {
    /// Position of the first byte.
    pub base: u64,
    pub bytes: &'a [u8],
    /// From the counter of SYNC events; 0 if there is none.
    pub stamp: u64,
    /// From `tails`: a zero tag ends the content.
    pub is_tail: bool,
}

impl<'a> StreamView<'a> {
    pub(crate) fn new(maps: [&'a [u8]; 2], parts: Option<&'a Parts>) -> Self {
        Self { maps, parts }
    }

    fn head(self) -> Option<&'a StreamHead> {
        self.parts?.head.as_ref()
    }

    /// The position of the first byte.
    pub fn begin(self) -> u64 {
        self.head().map_or(0, StreamHead::begin)
    }

    /// The position of the first byte that is as it was recorded. What stands before it, if anything does, is
    /// made up from what was given up.
    pub fn kept_from(self) -> u64 {
        self.head().map_or(0, |head| head.kept_from)
    }

    /// All pieces in order.
    pub fn pieces(self) -> impl Iterator<Item = Piece<'a>> {
        self.pieces_from(0)
    }

    /// The pieces that hold `position` or something after it.
    pub fn pieces_from(self, position: u64) -> impl Iterator<Item = Piece<'a>> {
        let chunks = self.parts.map_or(&[][..], |parts| &parts.chunks[..]);
        let first = chunks.partition_point(|part| part.base + u64::from(part.length) <= position);
        let tail = self.parts.and_then(|parts| parts.tail.as_ref());
        let head = self.head().filter(|head| position < head.kept_from);
        let head_piece = head.map(|head| Piece {
            base: head.begin(),
            bytes: &head.bytes,
            stamp: head.stamp,
            is_tail: false,
        });
        let chunk_pieces = chunks[first..].iter().map(move |part| self.piece(part));
        let tail_piece = tail.map(|tail| Piece {
            base: tail.base,
            bytes: tail.bytes(),
            stamp: tail.stamp,
            is_tail: true,
        });
        let pieces = head_piece.into_iter().chain(chunk_pieces);
        pieces.chain(tail_piece)
    }

    /// The bytes from `position` to the end of its piece; never empty.
    pub fn at(self, position: u64) -> Option<&'a [u8]> {
        let piece = self.pieces_from(position).next()?;
        let offset = position.checked_sub(piece.base)?;
        let bytes = piece.bytes.get(usize::try_from(offset).ok()?..)?;
        (!bytes.is_empty()).then_some(bytes)
    }

    /// Position after the last byte that could hold content. In a tail that is the end of the
    /// recorder's buffer, not of what it has written so far.
    pub fn end(self) -> u64 {
        self.parts.map_or(0, |parts| match &parts.tail {
            Some(tail) => tail.base + tail.length as u64,
            None => parts.end,
        })
    }

    /// Position after the content: exact in chunks, up to the last byte that is not zero in a tail.
    pub fn length(self) -> u64 {
        self.parts.map_or(0, |parts| match &parts.tail {
            Some(tail) => tail.base + tail.used as u64,
            None => parts.end,
        })
    }

    /// Reads values one after the other from `position` on.
    pub fn reader(self, position: u64) -> ValueReader<'a> {
        let mut reader = ValueReader {
            stream: self,
            position,
            base: 0,
            piece: &[],
        };
        reader.turn_to_piece();
        reader
    }

    fn piece(self, part: &Part) -> Piece<'a> {
        let start = part.offset as usize;
        let bytes = self.maps[part.file as usize]
            .get(start..start + part.length as usize)
            .unwrap_or_default();
        Piece {
            base: part.base,
            bytes,
            stamp: part.stamp,
            is_tail: false,
        }
    }
}

/// A reader of bare values. Values never cross the end of a piece.
#[derive(Debug, Clone)]
pub struct ValueReader<'a> {
    stream: StreamView<'a>,
    position: u64,
    /// The piece that was last read, and where it begins.
    piece: &'a [u8],
    base: u64,
}

impl ValueReader<'_> {
    #[inline]
    pub fn position(&self) -> u64 {
        self.position
    }

    #[inline]
    pub fn seek(&mut self, position: u64) {
        self.position = position;
    }

    /// The next value, or `None` at the end of the stream.
    #[inline]
    pub fn next(&mut self, kind: Kind) -> Option<Value> {
        if self.position.wrapping_sub(self.base) >= self.piece.len() as u64 {
            self.turn_to_piece();
        }
        let ahead = usize::try_from(self.position.wrapping_sub(self.base)).ok()?;
        let value = Cursor::new(self.piece.get(ahead..)?).value(kind).ok()?;
        self.position += kind.size() as u64;
        Some(value)
    }

    /// The next value, of which it is known that it was noted. What a thread noted last ends with the last byte that
    /// is not zero, as far as can be seen: zeros may be missing there. Nowhere else: what is missing from chunks was
    /// lost.
    #[cold]
    pub fn next_with_zeros(&mut self, kind: Kind) -> Option<Value> {
        let tail = self.stream.parts?.tail.as_ref()?;
        let end = tail.base + tail.used as u64;
        if self.position < tail.base || self.position + kind.size() as u64 <= end {
            return None;
        }
        let ahead = usize::try_from(self.position.wrapping_sub(self.base)).ok();
        let seen = ahead.and_then(|ahead| self.piece.get(ahead..));
        let mut bytes = [0; 8];
        for (byte, seen) in bytes.iter_mut().zip(seen.unwrap_or_default()) {
            *byte = *seen;
        }
        self.position += kind.size() as u64;
        Value::decode(kind, &bytes).ok()
    }

    #[cold]
    fn turn_to_piece(&mut self) {
        if let Some(piece) = self.stream.pieces_from(self.position).next() {
            (self.piece, self.base) = (piece.bytes, piece.base);
        }
    }
}
