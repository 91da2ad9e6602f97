//! From positions in a thread's streams to bytes.
//!
//! Complete chunks are read through a map of `chunks`; what is in `tails` is copied, because the
//! recorder may be filling it at this moment. The parts of a stream must join without a gap: what
//! stands after a gap is not used, since nobody could tell what happened in it.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use trace_format::chunk::{CHUNK_HEADER_SIZE, REGION_HEADER_SIZE};
use trace_format::cursor::Cursor;
use trace_format::files::{self, SIGNATURE_SIZE};
use trace_format::{ChunkHeader, Kind, RegionHeader, Stream, ThreadNumber, Value};

use crate::error::{IoContext, Result};
use crate::map::Map;

/// The recorder may swap a region while it is being copied; then the copy is made again.
const ATTEMPTS: usize = 8;
/// Tails are copied in blocks; blocks of zeros cost no memory.
const BLOCK: usize = 64 * 1024;
/// Mapped bytes that a pass over everything leaves in memory.
const KEPT: u64 = 64 << 20;

#[derive(Debug, Default)]
pub(crate) struct Streams {
    map: Map,
    threads: BTreeMap<ThreadNumber, [Parts; 3]>,
    /// Offset in `chunks` of the first chunk that was not complete when last looked at.
    scanned: u64,
    complete_chunks: u64,
    pub(crate) chunks_length: u64,
    pub(crate) tails_length: u64,
    tails_hash: u64,
    /// Bytes that a pass has read since the map was last released.
    read: AtomicU64,
}

#[derive(Debug, Default)]
struct Parts {
    chunks: Vec<Part>,
    tail: Option<Tail>,
    /// Position after the last complete chunk.
    end: u64,
    /// A chunk that does not join was seen.
    gap: bool,
}

#[derive(Debug, Clone, Copy)]
struct Part {
    base: u64,
    length: u32,
    stamp: u64,
    /// Of the payload, in the file.
    offset: u64,
}

#[derive(Debug)]
struct Tail {
    base: u64,
    stamp: u64,
    bytes: Vec<u8>,
    /// Up to its last byte that is not zero.
    used: usize,
}

/// One stream of one thread.
#[derive(Debug, Clone, Copy)]
pub struct StreamView<'a> {
    map: &'a [u8],
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
    /// All pieces in order.
    pub fn pieces(self) -> impl Iterator<Item = Piece<'a>> {
        self.pieces_from(0)
    }

    /// The pieces that hold `position` or something after it.
    pub fn pieces_from(self, position: u64) -> impl Iterator<Item = Piece<'a>> {
        let chunks = self.parts.map_or(&[][..], |parts| &parts.chunks[..]);
        let first = chunks.partition_point(|part| part.base + u64::from(part.length) <= position);
        let tail = self.parts.and_then(|parts| parts.tail.as_ref());
        let chunk_pieces = chunks[first..].iter().map(move |part| self.piece(part));
        let tail_piece = tail.map(|tail| Piece {
            base: tail.base,
            bytes: &tail.bytes,
            stamp: tail.stamp,
            is_tail: true,
        });
        chunk_pieces.chain(tail_piece)
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
            Some(tail) => tail.base + tail.bytes.len() as u64,
            None => parts.end,
        })
    }

    /// Bytes of content: exact in chunks, up to the last byte that is not zero in a tail.
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
        let bytes = self
            .map
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

    #[cold]
    fn turn_to_piece(&mut self) {
        if let Some(piece) = self.stream.pieces_from(self.position).next() {
            (self.piece, self.base) = (piece.bytes, piece.base);
        }
    }
}

impl Streams {
    pub(crate) fn view(&self, thread: ThreadNumber, stream: Stream) -> StreamView<'_> {
        let parts = self
            .threads
            .get(&thread)
            .map(|parts| &parts[stream.index()]);
        StreamView {
            map: self.map.bytes(),
            parts,
        }
    }

    pub(crate) fn threads(&self) -> impl Iterator<Item = ThreadNumber> {
        self.threads.keys().copied()
    }

    /// Streams after whose gap something was left out.
    pub(crate) fn gaps(&self) -> usize {
        self.threads
            .values()
            .flatten()
            .filter(|parts| parts.gap)
            .count()
    }

    /// Gives back the pages of complete chunks.
    pub(crate) fn release(&self) {
        self.map.release();
    }

    /// To be told, during a pass over everything, about each piece that has been read.
    pub(crate) fn has_read(&self, piece: &Piece<'_>) {
        let read = self
            .read
            .fetch_add(piece.bytes.len() as u64, Ordering::Relaxed);
        if read > KEPT {
            self.read.store(0, Ordering::Relaxed);
            self.map.release();
        }
    }

    /// Numbers that differ whenever the content does.
    pub(crate) fn stamp(&self) -> [u64; 3] {
        [self.scanned, self.complete_chunks, self.tails_hash]
    }

    /// Looks at the files again. Only what is new is read, except for tails.
    ///
    /// The recorder goes on meanwhile. When it has copied a region to a chunk it empties the
    /// region, and only then says so in the region's header; so after the tails have been copied
    /// the chunks are looked at once more, and a tail that has become a chunk is dropped.
    pub(crate) fn refresh(&mut self, folder: &Path) -> Result<()> {
        let (chunks, tails) = (folder.join(files::CHUNKS), folder.join(files::TAILS));
        self.scan_chunks(&chunks)?;
        for _ in 0..ATTEMPTS {
            let ahead = self.copy_tails(&tails)?;
            let before = self.complete_chunks;
            self.scan_chunks(&chunks)?;
            if !ahead && self.complete_chunks == before {
                break;
            }
        }
        Ok(())
    }

    fn scan_chunks(&mut self, path: &Path) -> Result<()> {
        let Some(file) = open(path)? else {
            return Ok(());
        };
        let length = file.metadata().during("inspect", path)?.len();
        self.chunks_length = length;
        let mut offset = self.scanned.max(SIGNATURE_SIZE as u64);
        // Chunks of other streams may be complete beyond one that is not; they are looked at
        // again next time, when they no longer join and are passed over.
        let mut all_complete = true;
        let mut bytes = [0; CHUNK_HEADER_SIZE];
        while offset + CHUNK_HEADER_SIZE as u64 <= length {
            file.read_exact_at(&mut bytes, offset)
                .during("read", path)?;
            let Ok(header) = ChunkHeader::decode(&bytes) else {
                break;
            };
            let payload = offset + CHUNK_HEADER_SIZE as u64;
            if payload + u64::from(header.length) > length {
                break;
            }
            if header.complete {
                self.add_chunk(&header, payload);
            } else {
                all_complete = false;
            }
            offset += header.stride();
            if all_complete {
                self.scanned = offset;
            }
        }
        self.map = Map::of(&file, path)?;
        Ok(())
    }

    fn add_chunk(&mut self, header: &ChunkHeader, offset: u64) {
        let parts = &mut self.threads.entry(header.thread).or_default()[header.stream.index()];
        if header.base != parts.end || header.length == 0 {
            parts.gap |= header.base > parts.end;
            return;
        }
        let Some(end) = parts.end.checked_add(u64::from(header.length)) else {
            return;
        };
        let ChunkHeader {
            base,
            length,
            stamp,
            ..
        } = *header;
        parts.chunks.push(Part {
            base,
            length,
            stamp,
            offset,
        });
        parts.end = end;
        parts.gap = false;
        parts.tail = None;
        self.complete_chunks += 1;
    }

    /// Whether a region was ahead of the chunks: some became complete since they were scanned.
    fn copy_tails(&mut self, path: &Path) -> Result<bool> {
        for parts in self.threads.values_mut().flatten() {
            parts.tail = None;
        }
        self.tails_hash = 0;
        let Some(file) = open(path)? else {
            return Ok(false);
        };
        let length = file.metadata().during("inspect", path)?.len();
        self.tails_length = length;
        // Events first: what they refer to in the other streams was written before them.
        let mut ahead = false;
        for events in [true, false] {
            let mut offset = 0;
            while let Some(header) = region_at(&file, offset, length) {
                if header.in_use && (header.stream == Stream::Events) == events {
                    ahead |= self.copy_tail(&file, offset, length, &header, path)?;
                }
                offset += header.stride();
            }
        }
        for (thread, parts) in &self.threads {
            for tail in parts.iter().filter_map(|parts| parts.tail.as_ref()) {
                let mut hash = self.tails_hash ^ (u64::from(thread.0) << 32) ^ tail.base;
                hash = hash_bytes(hash, &tail.bytes[..tail.used]);
                self.tails_hash = hash;
            }
        }
        Ok(ahead)
    }

    /// Whether the region is ahead of the chunks.
    fn copy_tail(
        &mut self,
        file: &File,
        offset: u64,
        length: u64,
        header: &RegionHeader,
        path: &Path,
    ) -> Result<bool> {
        let parts = self.threads.entry(header.thread).or_default();
        let parts = &mut parts[header.stream.index()];
        if header.base == parts.end && parts.tail.is_none() {
            parts.tail = copy_region(file, offset, length, header, path)?;
        }
        // Unless it is found when the chunks are looked at once more, something is missing.
        parts.gap = header.base > parts.end;
        Ok(parts.gap)
    }
}

fn open(path: &Path) -> Result<Option<File>> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).during("open", path),
    }
}

fn region_at(file: &File, offset: u64, length: u64) -> Option<RegionHeader> {
    let mut bytes = [0; REGION_HEADER_SIZE];
    file.read_exact_at(&mut bytes, offset).ok()?;
    let header = RegionHeader::decode(&bytes).ok()?;
    // A truncated file may end inside its last region.
    (offset + REGION_HEADER_SIZE as u64 <= length).then_some(header)
}

/// The region's content, or `None` if the recorder moved on while it was read.
fn copy_region(
    file: &File,
    offset: u64,
    length: u64,
    header: &RegionHeader,
    path: &Path,
) -> Result<Option<Tail>> {
    let start = offset + REGION_HEADER_SIZE as u64;
    let size = u64::from(header.capacity).min(length.saturating_sub(start)) as usize;
    // Zeroed memory that is not touched is not there: only content takes space.
    let mut bytes = vec![0; size];
    let mut block = vec![0; BLOCK.min(size)];
    let mut used = 0;
    for at in (0..size).step_by(BLOCK) {
        let block = &mut block[..BLOCK.min(size - at)];
        file.read_exact_at(block, start + at as u64)
            .during("read", path)?;
        if let Some(last) = block.iter().rposition(|&byte| byte != 0) {
            bytes[at..at + block.len()].copy_from_slice(block);
            used = at + last + 1;
        }
    }
    let unchanged = region_at(file, offset, length).as_ref() == Some(header);
    let RegionHeader { base, stamp, .. } = *header;
    Ok(unchanged.then_some(Tail {
        base,
        stamp,
        bytes,
        used,
    }))
}

/// Not for secrets: it only has to notice that a tail has grown.
fn hash_bytes(seed: u64, bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = seed.wrapping_add(bytes.len() as u64).wrapping_mul(FACTOR);
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        hash = (hash.rotate_left(23) ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR);
    }
    for &byte in rest {
        hash = (hash.rotate_left(23) ^ u64::from(byte)).wrapping_mul(FACTOR);
    }
    hash
}
