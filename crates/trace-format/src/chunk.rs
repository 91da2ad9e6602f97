//! Headers of chunks and of tail regions.
//!
//! Both say which stream of which thread their payload continues, and from which position on. A
//! chunk is written once and stays; a region is a window that the recorder fills over and over.

use std::num::NonZeroU8;

use crate::cursor::Cursor;
use crate::packing::{ChunkPacker, unpack};
use crate::{DecodeError, ThreadNumber};

/// The three streams of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Stream {
    Events = 1,
    Values = 2,
    Objects = 3,
}

impl Stream {
    pub const ALL: [Self; 3] = [Self::Events, Self::Values, Self::Objects];

    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&stream| stream as u8 == number)
    }

    pub const fn number(self) -> u8 {
        self as u8
    }

    /// 0, 1, 2: for tables indexed by stream.
    pub const fn index(self) -> usize {
        self as usize - 1
    }
}

pub const CHUNK_MAGIC: u32 = 0x4B4E_4843;
pub const CHUNK_HEADER_SIZE: usize = 40;
/// Chunks begin at multiples of this.
pub const CHUNK_ALIGNMENT: usize = 8;
/// `state` of a chunk.
pub const CHUNK_BEING_WRITTEN: u8 = 0;
pub const CHUNK_COMPLETE: u8 = 1;

pub const REGION_MAGIC: u32 = 0x4C49_4154;
pub const REGION_HEADER_SIZE: usize = 64;
/// A region's header and payload together fill whole pages of this size.
pub const REGION_ALIGNMENT: usize = 4096;
/// `state` of a region.
pub const REGION_FREE: u8 = 0;
pub const REGION_IN_USE: u8 = 1;

/// Byte offsets in a header. Chunks and regions agree where they have the same field.
pub mod offset {
    pub const MAGIC: usize = 0;
    pub const STREAM: usize = 4;
    pub const STATE: usize = 5;
    pub const THREAD: usize = 8;
    /// The payload's length in a chunk, its capacity in a region.
    pub const LENGTH: usize = 12;
    pub const BASE: usize = 16;
    pub const STAMP: usize = 24;
    /// Only in a region.
    pub const CUT: usize = 32;
    /// Only in a chunk, as all that follows.
    pub const STORED: usize = 32;
    pub const DISTANCE: usize = 36;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkHeader {
    pub stream: Stream,
    pub complete: bool,
    pub thread: ThreadNumber,
    /// Bytes of payload as they were recorded.
    pub length: u32,
    /// Position in the stream of the first payload byte.
    pub base: u64,
    /// From the counter of the SYNC events, taken when the chunk was begun.
    pub stamp: u64,
    /// `None`: the payload stands there as it was recorded.
    pub packed: Option<PackedPayload>,
}

/// How a payload is packed (see [`crate::packing`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedPayload {
    /// Bytes that it takes, padding not counted.
    pub stored: u32,
    pub distance: NonZeroU8,
}

impl ChunkHeader {
    pub fn encode(&self) -> [u8; CHUNK_HEADER_SIZE] {
        let mut bytes = [0; CHUNK_HEADER_SIZE];
        put(&mut bytes, offset::MAGIC, CHUNK_MAGIC.to_le_bytes());
        bytes[offset::STREAM] = self.stream.number();
        bytes[offset::STATE] = if self.complete {
            CHUNK_COMPLETE
        } else {
            CHUNK_BEING_WRITTEN
        };
        put(&mut bytes, offset::THREAD, self.thread.0.to_le_bytes());
        put(&mut bytes, offset::LENGTH, self.length.to_le_bytes());
        put(&mut bytes, offset::BASE, self.base.to_le_bytes());
        put(&mut bytes, offset::STAMP, self.stamp.to_le_bytes());
        put(&mut bytes, offset::STORED, self.stored().to_le_bytes());
        bytes[offset::DISTANCE] = self.packed.map_or(0, |packed| packed.distance.get());
        bytes
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let header = RawHeader::decode(bytes, CHUNK_MAGIC)?;
        let mut cursor = Cursor::new(bytes.get(offset::STORED..).unwrap_or_default());
        let stored = cursor.u32()?;
        let distance = NonZeroU8::new(cursor.u8()?);
        let packed = distance.map(|distance| PackedPayload { stored, distance });
        cursor.take(CHUNK_HEADER_SIZE - offset::DISTANCE - 1)?;
        // A few bytes that claim to hold many would make readers take memory for nothing.
        let is_possible = match packed {
            Some(_) => packing_fits(stored, header.length),
            None => stored == header.length,
        };
        if !is_possible {
            return Err(DecodeError::ChunkSize);
        }
        Ok(Self {
            packed,
            stream: header.stream,
            complete: header.state == CHUNK_COMPLETE,
            thread: header.thread,
            length: header.length,
            base: header.base,
            stamp: header.stamp,
        })
    }

    /// Bytes that the payload takes, padding not counted.
    pub fn stored(&self) -> u32 {
        self.packed.map_or(self.length, |packed| packed.stored)
    }

    /// From this chunk's first byte to the next chunk's.
    pub fn stride(&self) -> u64 {
        (CHUNK_HEADER_SIZE as u64 + u64::from(self.stored()))
            .next_multiple_of(CHUNK_ALIGNMENT as u64)
    }
}

impl ChunkHeader {
    /// The payload as it goes into the file, which this header is then made for. Descriptions of objects stay as they
    /// are, since those of secrets are overwritten in place.
    pub fn pack<'a>(&mut self, payload: &'a [u8], packer: &'a mut ChunkPacker) -> &'a [u8] {
        self.packed = None;
        if self.stream == Stream::Objects || payload.len() < PACKED_FROM {
            return payload;
        }
        let Some((packed, distance)) = packer.pack(payload) else {
            return payload;
        };
        let stored = packed.len() as u32;
        self.packed = Some(PackedPayload { stored, distance });
        packed
    }

    /// The payload as it was recorded, appended to a buffer; `None` if it is damaged.
    pub fn unpack(&self, stored: &[u8], out: &mut Vec<u8>) -> Option<()> {
        match self.packed {
            Some(packed) => unpack(stored, packed.distance, self.length as usize, out),
            None => {
                out.extend(stored);
                Some(())
            }
        }
    }
}

/// A smaller payload is left as it is.
const PACKED_FROM: usize = 256;

/// Whether so many bytes can be unpacked to so many: there is a bit for each.
fn packing_fits(stored: u32, length: u32) -> bool {
    u64::from(stored) >= u64::from(length).div_ceil(8)
}

/// A whole chunk: header, payload as it is stored, padding.
pub fn encode_chunk(header: &ChunkHeader, payload: &[u8], out: &mut Vec<u8>) {
    debug_assert_eq!(header.stored() as usize, payload.len());
    out.extend_from_slice(&header.encode());
    out.extend_from_slice(payload);
    out.resize(out.len().next_multiple_of(CHUNK_ALIGNMENT), 0);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegionHeader {
    pub stream: Stream,
    pub in_use: bool,
    pub thread: ThreadNumber,
    /// Bytes of payload that fit.
    pub capacity: u32,
    /// Position in the stream of the first payload byte.
    pub base: u64,
    /// As in a chunk's header; 0 where the writer does not say.
    pub stamp: u64,
    /// How much of the payload belongs to the trace, if recording has stopped and the thread has not: what it writes
    /// afterwards into this region has nothing in its other streams to go with.
    pub cut: Option<u32>,
}

impl RegionHeader {
    pub fn encode(&self) -> [u8; REGION_HEADER_SIZE] {
        let mut bytes = [0; REGION_HEADER_SIZE];
        put(&mut bytes, offset::MAGIC, REGION_MAGIC.to_le_bytes());
        bytes[offset::STREAM] = self.stream.number();
        bytes[offset::STATE] = if self.in_use {
            REGION_IN_USE
        } else {
            REGION_FREE
        };
        put(&mut bytes, offset::THREAD, self.thread.0.to_le_bytes());
        put(&mut bytes, offset::LENGTH, self.capacity.to_le_bytes());
        put(&mut bytes, offset::BASE, self.base.to_le_bytes());
        put(&mut bytes, offset::STAMP, self.stamp.to_le_bytes());
        if let Some(cut) = self.cut {
            put(&mut bytes, offset::CUT, encode_cut(cut));
        }
        bytes
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let header = RawHeader::decode(bytes, REGION_MAGIC)?;
        let cut = Cursor::new(bytes.get(offset::CUT..).unwrap_or_default()).u32()?;
        let region = Self {
            stream: header.stream,
            in_use: header.state == REGION_IN_USE,
            thread: header.thread,
            capacity: header.length,
            base: header.base,
            stamp: header.stamp,
            cut: cut.checked_sub(1),
        };
        if region.stride().is_multiple_of(REGION_ALIGNMENT as u64) {
            Ok(region)
        } else {
            Err(DecodeError::RegionSize)
        }
    }

    /// How much of the payload may belong to the trace.
    pub fn readable(&self) -> u32 {
        self.cut.map_or(self.capacity, |cut| cut.min(self.capacity))
    }

    /// From this region's first byte to the next region's.
    pub fn stride(&self) -> u64 {
        REGION_HEADER_SIZE as u64 + u64::from(self.capacity)
    }

    /// The capacity of a region that fills `pages` pages.
    pub const fn capacity_of(pages: u32) -> u32 {
        pages * REGION_ALIGNMENT as u32 - REGION_HEADER_SIZE as u32
    }
}

/// One more than it is, since zero says that there is none.
pub fn encode_cut(cut: u32) -> [u8; 4] {
    cut.saturating_add(1).to_le_bytes()
}

/// The fields that both headers have, in the order in which they lie.
struct RawHeader {
    stream: Stream,
    state: u8,
    thread: ThreadNumber,
    length: u32,
    base: u64,
    stamp: u64,
}

impl RawHeader {
    fn decode(bytes: &[u8], magic: u32) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(bytes);
        if cursor.u32()? != magic {
            return Err(DecodeError::NoMagic);
        }
        let stream = cursor.u8()?;
        let stream = Stream::from_number(stream).ok_or(DecodeError::UnknownStream(stream))?;
        let state = cursor.u8()?;
        let _reserved = cursor.u16()?;
        Ok(Self {
            stream,
            state,
            thread: ThreadNumber(cursor.u32()?),
            length: cursor.u32()?,
            base: cursor.u64()?,
            stamp: cursor.u64()?,
        })
    }
}

fn put<const N: usize>(bytes: &mut [u8], at: usize, number: [u8; N]) {
    bytes[at..at + N].copy_from_slice(&number);
}
