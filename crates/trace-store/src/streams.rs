//! From positions in a thread's streams to bytes.
//!
//! Complete chunks are read through a map of `chunks`; what is in `tails` is copied, because the
//! recorder may be filling it at this moment. The parts of a stream must join without a gap: what
//! stands after a gap is not used, since nobody could tell what happened in it.

use std::collections::BTreeMap;
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use trace_format::chunk::{CHUNK_HEADER_SIZE, REGION_HEADER_SIZE};
use trace_format::files::{self, SIGNATURE_SIZE};
use trace_format::{ChunkHeader, RegionHeader, Stream, ThreadNumber};

use crate::error::{IoContext, Result};
use crate::evicted::{Evicted, read_head};
use crate::map::Map;
use crate::stream_view::{ChunkFile, Part, Parts, StreamHead, StreamView, Tail};
use crate::unpacked::Unpacked;

/// The recorder may swap a region while it is being copied; then the copy is made again.
const ATTEMPTS: usize = 8;
/// Tails are copied in blocks; blocks of zeros cost no memory.
const BLOCK: usize = 64 * 1024;
/// Mapped bytes that a pass over everything leaves in memory.
const KEPT: u64 = 64 << 20;

#[derive(Debug, Default, Clone)]
pub(crate) struct Streams {
    map: Arc<Map>,
    /// Chunks that were taken out of a part that was given up.
    objects: Arc<Map>,
    threads: BTreeMap<ThreadNumber, [Parts; 3]>,
    /// Offset in `chunks` of the first chunk that was not complete when last looked at.
    scanned: u64,
    /// Offset in `chunks` behind the last complete chunk, which may lie beyond one that is not.
    reached: u64,
    complete_chunks: u64,
    chunks_length: u64,
    tails_length: u64,
    objects_length: u64,
    /// Of `chunks`, from its start.
    freed: u64,
    tails_hash: u64,
    /// The oldest part, if it was given up.
    given_up: Option<Evicted>,
    lost_until: u64,
    /// Of threads that have a head: where the values had got to at its end.
    values_at: BTreeMap<ThreadNumber, u64>,
    /// Of threads whose oldest descriptions of objects were given up: how far the events had got then.
    described_until: BTreeMap<ThreadNumber, u64>,
    unpacked: Arc<Unpacked>,
    /// Bytes that a pass has read since the map was last released.
    read: Arc<AtomicU64>,
}

/// A part of what was recorded, from the beginning on.
pub(crate) struct Beginning {
    pub(crate) streams: Streams,
    /// Who took a stamp above this one may have seen something that is left out.
    pub(crate) last: u64,
}

impl Streams {
    pub(crate) fn view(&self, thread: ThreadNumber, stream: Stream) -> StreamView<'_> {
        let parts = self
            .threads
            .get(&thread)
            .map(|parts| &parts[stream.index()]);
        let maps = [self.objects.bytes(), self.map.bytes()];
        StreamView::new(maps, parts, &self.unpacked)
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

    /// What the streams take on disk.
    pub(crate) fn file_bytes(&self) -> u64 {
        let held = self.chunks_length.saturating_sub(self.freed);
        held + self.objects_length + self.tails_length
    }

    pub(crate) fn evicted(&self) -> Option<Evicted> {
        self.given_up
    }

    /// A stamp that was taken after the end of the threads that were given up altogether.
    pub(crate) fn lost_until(&self) -> u64 {
        self.lost_until
    }

    /// Where the values of a thread had got to at its first event.
    pub(crate) fn values_at_begin(&self, thread: ThreadNumber) -> u64 {
        self.values_at.get(&thread).copied().unwrap_or(0)
    }

    /// How far the events of a thread had got at its first description of an object that is as it was recorded.
    pub(crate) fn described_until(&self, thread: ThreadNumber) -> u64 {
        self.described_until.get(&thread).copied().unwrap_or(0)
    }

    /// The part of the events that was written to `chunks` before an offset; `None` if that is all of them. What they
    /// refer to in the other streams is all there.
    pub(crate) fn beginning(&self, offset: u64) -> Option<Beginning> {
        let mut last = None;
        let mut streams = self.clone();
        for parts in streams.threads.values_mut() {
            let events = &mut parts[Stream::Events.index()];
            let kept = events.chunks.partition_point(|part| part.offset < offset);
            if let Some(left_out) = events.chunks.get(kept) {
                last = Some(last.map_or(left_out.stamp, |last: u64| last.min(left_out.stamp)));
                events.leave_out(kept);
            }
        }
        last.map(|last| Beginning { streams, last })
    }

    /// Leaves out the events of each thread behind a position.
    pub(crate) fn end_at(&mut self, ends: impl Fn(ThreadNumber) -> u64) {
        for (thread, parts) in &mut self.threads {
            parts[Stream::Events.index()].end_at(ends(*thread));
        }
    }

    /// Where the last complete chunk ends.
    pub(crate) fn reached(&self) -> u64 {
        self.reached.max(self.scanned)
    }

    /// The files that chunks are read from, and those that they are unpacked to.
    pub(crate) fn maps(&self) -> Vec<Arc<Map>> {
        let mut maps = self.unpacked.maps();
        maps.extend([&self.map, &self.objects].map(Arc::clone));
        maps
    }

    /// To be told, during a pass over much, how long each piece is that has been read.
    pub(crate) fn has_read(&self, length: usize) {
        let read = self.read.fetch_add(length as u64, Ordering::Relaxed);
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
        if self.scanned == 0 {
            self.unpacked = Arc::new(Unpacked::new(folder));
            self.begin(folder)?;
        }
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

    /// Where the oldest part was given up, reads what stands for it. A program that goes on would give up more
    /// under the reader's eyes, so nobody reads such a trace before it has ended.
    fn begin(&mut self, folder: &Path) -> Result<()> {
        let Some(head) = read_head(folder)? else {
            return Ok(());
        };
        self.given_up = Some(Evicted::of(&head));
        self.lost_until = head.lost_until;
        for thread in head.threads {
            self.values_at.insert(thread.thread, thread.values_at.0);
            let parts = self.threads.entry(thread.thread).or_default();
            let stamp = thread.stamp;
            parts[Stream::Events.index()].begin_with(StreamHead {
                kept_from: thread.events_from.0,
                bytes: thread.events,
                stamp,
            });
            parts[Stream::Values.index()].begin_with(StreamHead {
                kept_from: thread.values_from.0,
                bytes: Vec::new(),
                stamp,
            });
        }
        for objects in head.objects {
            self.described_until
                .insert(objects.thread, objects.events_at.0);
            let parts = self.threads.entry(objects.thread).or_default();
            parts[Stream::Objects.index()].begin_with(StreamHead {
                kept_from: objects.objects_from.0,
                bytes: objects.entries,
                stamp: 0,
            });
        }
        let path = folder.join(files::OBJECTS);
        if let Some(file) = open(&path)? {
            let length = file.metadata().during("inspect", &path)?.len();
            let begin = head.objects_from.max(SIGNATURE_SIZE as u64);
            self.objects_length = length.saturating_sub(begin);
            let end = length.min(head.objects_length);
            self.add_chunks(&file, &path, begin..end, ChunkFile::Objects)?;
            self.objects = Arc::new(Map::of(&file, &path)?);
        }
        self.scanned = head.chunks_from;
        self.freed = head.chunks_from;
        Ok(())
    }

    fn scan_chunks(&mut self, path: &Path) -> Result<()> {
        let Some(file) = open(path)? else {
            return Ok(());
        };
        let length = file.metadata().during("inspect", path)?.len();
        let is_longer = length != self.chunks_length;
        self.chunks_length = length;
        let begin = self.scanned.max(SIGNATURE_SIZE as u64);
        self.scanned = self.add_chunks(&file, path, begin..length, ChunkFile::Chunks)?;
        if is_longer {
            self.map = Arc::new(Map::of(&file, path)?);
        }
        Ok(())
    }

    /// Adds the complete chunks of a range of a file. Returns where those before which all are complete end.
    fn add_chunks(
        &mut self,
        file: &File,
        path: &Path,
        range: Range<u64>,
        kind: ChunkFile,
    ) -> Result<u64> {
        let mut offset = range.start;
        let mut scanned = offset;
        // Chunks of other streams may be complete beyond one that is not; they are looked at
        // again next time, when they no longer join and are passed over.
        let mut all_complete = true;
        let mut bytes = [0; CHUNK_HEADER_SIZE];
        while offset + CHUNK_HEADER_SIZE as u64 <= range.end {
            file.read_exact_at(&mut bytes, offset)
                .during("read", path)?;
            let Ok(header) = ChunkHeader::decode(&bytes) else {
                break;
            };
            let payload = offset + CHUNK_HEADER_SIZE as u64;
            if payload + u64::from(header.stored()) > range.end {
                break;
            }
            if header.complete {
                self.add_chunk(&header, payload, kind);
                if matches!(kind, ChunkFile::Chunks) {
                    self.reached = self.reached.max(offset + header.stride());
                }
            } else {
                all_complete = false;
            }
            offset += header.stride();
            if all_complete {
                scanned = offset;
            }
        }
        Ok(scanned)
    }

    fn add_chunk(&mut self, header: &ChunkHeader, offset: u64, file: ChunkFile) {
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
        let unpacked = header.packed.map(|_| Arc::default());
        parts.chunks.push(Part {
            base,
            stamp,
            offset,
            length,
            header: *header,
            unpacked,
            file,
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
                hash = hash_bytes(hash, &tail.bytes()[..tail.used]);
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
    let size = u64::from(header.readable()).min(length.saturating_sub(start)) as usize;
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
    if header.cut.is_some() {
        // Known, and not only by what is not zero.
        used = size;
    }
    let unchanged = region_at(file, offset, length).as_ref() == Some(header);
    let RegionHeader { base, stamp, .. } = *header;
    Ok(unchanged.then_some(Tail {
        base,
        stamp,
        length: size,
        bytes: Arc::new(bytes),
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
