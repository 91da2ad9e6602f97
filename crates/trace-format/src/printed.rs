//! What the program printed: the file `printed`, segments of pieces.
//!
//! A *piece* is what one write to standard output or standard error gave to the system, with the place of its OUTPUT
//! event. Segments have one size, so that a writer can keep the first and the last of them in a file that does not
//! grow: what stood between them is known by the counts with which each segment begins. A piece's kind is written
//! last, so that what stands before a zero is whole.

use crate::cursor::Cursor;
use crate::{DecodeError, EventPosition, ThreadNumber};

/// Bytes of a segment, header included.
pub const SEGMENT_SIZE: usize = 64 * 1024;
pub const SEGMENT_HEADER_SIZE: usize = 64;
pub const SEGMENT_MAGIC: u32 = 0x5054_554F;
/// Bytes of a piece before its text.
pub const PIECE_HEADER_SIZE: usize = 17;
/// A longer text is several pieces.
pub const LONGEST_PIECE: usize = 16 * 1024;

/// Added to the kind of a piece of which only the length is kept.
const NOT_KEPT: u8 = 0x10;
/// Added to the kind of a piece in which stars stand over secrets.
const MASKED: u8 = 0x20;
const NO_THREAD: u32 = u32::MAX;
const NOWHERE: u64 = u64::MAX;

/// Where a program prints to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StandardStream {
    Output,
    Error,
}

impl StandardStream {
    pub const ALL: [Self; 2] = [Self::Output, Self::Error];

    /// By the number of its file descriptor.
    pub fn from_descriptor(descriptor: i32) -> Option<Self> {
        match descriptor {
            1 => Some(Self::Output),
            2 => Some(Self::Error),
            _ => None,
        }
    }

    /// 0 and 1: for tables indexed by it.
    pub const fn index(self) -> usize {
        self as usize
    }

    const fn kind(self) -> u8 {
        self as u8 + 1
    }
}

/// How much was printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PrintedCounts {
    pub pieces: u64,
    /// By [`StandardStream::index`].
    pub bytes: [u64; 2],
    /// Ends of lines in text that was kept or could have been: those of binary output are not counted.
    pub lines: [u64; 2],
}

impl PrintedCounts {
    pub fn add(&mut self, stream: StandardStream, content: PrintedContent<'_>) {
        self.pieces = self.pieces.saturating_add(1);
        let bytes = &mut self.bytes[stream.index()];
        *bytes = bytes.saturating_add(content.length().into());
        if let PrintedContent::Text(text) = content {
            let ends = text.iter().filter(|&&byte| byte == b'\n').count();
            let lines = &mut self.lines[stream.index()];
            *lines = lines.saturating_add(ends as u64);
        }
    }
}

/// What a segment begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SegmentHeader {
    /// Segments are numbered in the order in which they were begun.
    pub sequence: u64,
    /// What was printed before it.
    pub before: PrintedCounts,
}

impl SegmentHeader {
    pub fn encode(&self) -> [u8; SEGMENT_HEADER_SIZE] {
        let mut bytes = [0; SEGMENT_HEADER_SIZE];
        bytes[..4].copy_from_slice(&SEGMENT_MAGIC.to_le_bytes());
        let PrintedCounts {
            pieces,
            bytes: [output_bytes, error_bytes],
            lines: [output_lines, error_lines],
        } = self.before;
        let numbers = [
            self.sequence,
            pieces,
            output_bytes,
            error_bytes,
            output_lines,
            error_lines,
        ];
        for (place, number) in bytes[8..].chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    /// Of a segment that is in use.
    ///
    /// # Errors
    /// If the bytes are no segment's, or too few.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(bytes);
        if cursor.u32()? != SEGMENT_MAGIC {
            return Err(DecodeError::NoMagic);
        }
        cursor.u32()?;
        Ok(Self {
            sequence: cursor.u64()?,
            before: PrintedCounts {
                pieces: cursor.u64()?,
                bytes: [cursor.u64()?, cursor.u64()?],
                lines: [cursor.u64()?, cursor.u64()?],
            },
        })
    }
}

/// What was printed by one write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceRecord<'a> {
    pub stream: StandardStream,
    /// `None`: a thread that ran no recorded code.
    pub thread: Option<ThreadNumber>,
    /// Where its OUTPUT event is; `None` if it has none in the trace.
    pub position: Option<EventPosition>,
    pub content: PrintedContent<'a>,
    /// Whether stars stand over secrets in it.
    pub is_masked: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrintedContent<'a> {
    /// As it was given to the system: a character may begin in one piece and end in the next.
    Text(&'a [u8]),
    /// So many bytes that are no text.
    Binary(u32),
}

impl<'a> PrintedContent<'a> {
    /// Text has no control characters but those that move the cursor or colour the text.
    pub fn of(bytes: &'a [u8]) -> Self {
        let is_control = |byte: &u8| matches!(byte, 0..=6 | 0x0e..=0x1a | 0x1c..=0x1f);
        match bytes.iter().any(is_control) {
            true => Self::Binary(u32::try_from(bytes.len()).unwrap_or(u32::MAX)),
            false => Self::Text(bytes),
        }
    }

    pub fn length(self) -> u32 {
        match self {
            Self::Text(text) => u32::try_from(text.len()).unwrap_or(u32::MAX),
            Self::Binary(length) => length,
        }
    }
}

impl<'a> PieceRecord<'a> {
    /// Bytes that it takes in a segment.
    pub fn size(&self) -> usize {
        PIECE_HEADER_SIZE + self.text().len()
    }

    fn text(&self) -> &'a [u8] {
        match self.content {
            PrintedContent::Text(text) => text,
            PrintedContent::Binary(_) => &[],
        }
    }

    /// Everything but the kind, which is given back: it stands at the front and is to be written last. `out` has room
    /// for [`PieceRecord::size`] bytes.
    pub fn encode_behind_kind(&self, out: &mut [u8]) -> u8 {
        let thread = self.thread.map_or(NO_THREAD, |thread| thread.0);
        let position = self.position.map_or(NOWHERE, |position| position.0);
        let (head, text) = out.split_at_mut(PIECE_HEADER_SIZE);
        head[1..5].copy_from_slice(&thread.to_le_bytes());
        head[5..9].copy_from_slice(&self.content.length().to_le_bytes());
        head[9..].copy_from_slice(&position.to_le_bytes());
        text[..self.text().len()].copy_from_slice(self.text());
        let mut kind = self.stream.kind();
        if matches!(self.content, PrintedContent::Binary(_)) {
            kind |= NOT_KEPT;
        }
        if self.is_masked {
            kind |= MASKED;
        }
        kind
    }

    /// The kind of the same piece with stars in it.
    #[must_use]
    pub fn masked(kind: u8) -> u8 {
        kind | MASKED
    }

    /// The piece at the front of `bytes`; `None` at the end of the content: no bytes, or a zero.
    ///
    /// # Errors
    /// If the bytes are no piece, or it is cut off.
    pub fn decode(bytes: &'a [u8]) -> Result<Option<Self>, DecodeError> {
        let mut cursor = Cursor::new(bytes);
        let kind = match bytes.first() {
            None | Some(0) => return Ok(None),
            Some(_) => cursor.u8()?,
        };
        let stream = StandardStream::ALL
            .into_iter()
            .find(|stream| stream.kind() == kind & !(NOT_KEPT | MASKED))
            .ok_or(DecodeError::UnknownStream(kind))?;
        let thread = cursor.u32()?;
        let length = cursor.u32()?;
        let position = cursor.u64()?;
        Ok(Some(Self {
            stream,
            thread: (thread != NO_THREAD).then_some(ThreadNumber(thread)),
            position: (position != NOWHERE).then_some(EventPosition(position)),
            content: match kind & NOT_KEPT {
                0 => PrintedContent::Text(cursor.take(length as usize)?),
                _ => PrintedContent::Binary(length),
            },
            is_masked: kind & MASKED != 0,
        }))
    }
}
