//! One stream of one thread, as its reader sees it: pieces that join.

use std::sync::Arc;

use trace_format::cursor::Cursor;
use trace_format::{ChunkHeader, Kind, Value};

use crate::unpacked::{Unpacked, UnpackedChunk, unpack_into};

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
    fn piece(&self) -> Piece<'_> {
        Piece {
            base: self.begin(),
            bytes: &self.bytes,
            stamp: self.stamp,
            is_tail: false,
        }
    }

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

#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) base: u64,
    pub(crate) stamp: u64,
    /// Of the payload, in the file.
    pub(crate) offset: u64,
    /// How much of it counts, as it was recorded.
    pub(crate) length: u32,
    pub(crate) header: ChunkHeader,
    /// `None`: it stands in the file as it was recorded.
    pub(crate) unpacked: Option<Arc<UnpackedChunk>>,
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
    fn piece(&self) -> Piece<'_> {
        Piece {
            base: self.base,
            bytes: self.bytes(),
            stamp: self.stamp,
            is_tail: true,
        }
    }

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
    unpacked: &'a Unpacked,
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
    pub(crate) fn new(
        maps: [&'a [u8]; 2],
        parts: Option<&'a Parts>,
        unpacked: &'a Unpacked,
    ) -> Self {
        Self {
            maps,
            parts,
            unpacked,
        }
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

    /// The pieces that hold `position` or something after it, to be read one after the other.
    pub fn pass_from(self, position: u64) -> Pass<'a> {
        let (chunks, first) = self.chunks_from(position);
        Pass {
            head: self.head().filter(|head| position < head.kept_from),
            chunks: &chunks[first..],
            tail: self.tail(),
            view: self,
            buffer: Vec::new(),
        }
    }

    fn chunks_from(self, position: u64) -> (&'a [Part], usize) {
        let chunks = self.parts.map_or(&[][..], |parts| &parts.chunks[..]);
        let is_before = |part: &Part| part.base + u64::from(part.length) <= position;
        (chunks, chunks.partition_point(is_before))
    }

    fn tail(self) -> Option<&'a Tail> {
        self.parts.and_then(|parts| parts.tail.as_ref())
    }

    /// All pieces in order.
    pub fn pieces(self) -> impl Iterator<Item = Piece<'a>> {
        self.pieces_from(0)
    }

    /// The pieces that hold `position` or something after it, to be looked at for as long as the trace is open: whoever
    /// reads many of them once [passes over them](Self::pass_from).
    pub fn pieces_from(self, position: u64) -> impl Iterator<Item = Piece<'a>> {
        let (chunks, first) = self.chunks_from(position);
        let head = self.head().filter(|head| position < head.kept_from);
        let head_piece = head.map(StreamHead::piece);
        let chunk_pieces = chunks[first..].iter().map(move |part| self.piece(part));
        let tail_piece = self.tail().map(Tail::piece);
        let pieces = head_piece.into_iter().chain(chunk_pieces);
        pieces.chain(tail_piece)
    }

    /// The chunk that holds a position, in a buffer, if it is packed and nobody has looked into it.
    pub(crate) fn piece_in<'b>(self, position: u64, buffer: &'b mut Vec<u8>) -> Option<Piece<'b>> {
        let (chunks, first) = self.chunks_from(position);
        let part = chunks.get(first).filter(|part| part.base <= position)?;
        if part.unpacked.as_ref()?.known().is_some() {
            return None;
        }
        unpack_into(&part.header, self.stored_bytes(part), buffer);
        Some(part.piece(buffer))
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

    /// What the content takes in the trace.
    pub fn stored(self) -> u64 {
        let head = self.head().map_or(0, |head| head.bytes.len() as u64);
        let tail = self.tail().map_or(0, |tail| tail.used as u64);
        let chunks = self.parts.map_or(&[][..], |parts| &parts.chunks[..]);
        let stored = |part: &Part| u64::from(part.header.stored());
        head + chunks.iter().map(stored).sum::<u64>() + tail
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

    fn piece(self, part: &'a Part) -> Piece<'a> {
        let stored = self.stored_bytes(part);
        part.piece(match &part.unpacked {
            Some(chunk) => chunk.bytes(&part.header, stored, self.unpacked),
            None => stored,
        })
    }

    fn stored_bytes(self, part: &Part) -> &'a [u8] {
        let start = part.offset as usize;
        self.maps[part.file as usize]
            .get(start..start + part.header.stored() as usize)
            .unwrap_or_default()
    }
}

impl Part {
    fn piece<'b>(&self, bytes: &'b [u8]) -> Piece<'b> {
        Piece {
            base: self.base,
            bytes: &bytes[..bytes.len().min(self.length as usize)],
            stamp: self.stamp,
            is_tail: false,
        }
    }
}

/// Pieces that are read once, one after the other.
#[derive(Debug)]
pub struct Pass<'a> {
    view: StreamView<'a>,
    head: Option<&'a StreamHead>,
    chunks: &'a [Part],
    tail: Option<&'a Tail>,
    /// What the last piece was unpacked to.
    buffer: Vec<u8>,
}

impl Pass<'_> {
    /// The next piece, for as long as no other is wanted.
    pub fn next(&mut self) -> Option<Piece<'_>> {
        if let Some(head) = self.head.take() {
            return Some(head.piece());
        }
        let Some((part, rest)) = self.chunks.split_first() else {
            return self.tail.take().map(Tail::piece);
        };
        self.chunks = rest;
        let stored = self.view.stored_bytes(part);
        let bytes = match &part.unpacked {
            None => stored,
            Some(chunk) => match chunk.known() {
                Some(bytes) => bytes,
                None => {
                    unpack_into(&part.header, stored, &mut self.buffer);
                    &self.buffer
                }
            },
        };
        Some(part.piece(bytes))
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
