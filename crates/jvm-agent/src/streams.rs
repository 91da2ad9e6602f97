//! The buffers into which recorded threads write, and how they get to disk.
//!
//! Each stream of a thread writes into a *region*: a part of the file `tails` that is mapped and
//! used again and again, so its pages stay in the cache and what is in it survives a killed JVM. A full
//! region is copied to the end of `chunks` by an ordinary write. (Mapping the growing file
//! itself costs a page fault every 4 KiB: measured three times as expensive.)
//!
//! A process may have some ten thousand mappings and a program more virtual threads than that, so
//! regions are cut from mappings that grow with their number.

#![expect(
    unsafe_code,
    reason = "regions are written by Java code, through raw addresses"
)]

mod clock;
mod packing;

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::ops::{Deref, DerefMut};
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use memmap2::MmapOptions;
use trace_format::chunk::{REGION_HEADER_SIZE, encode_cut, offset};
use trace_format::packing::ChunkPacker;
use trace_format::{
    ChunkHeader, EndReason, EventPosition, RegionHeader, Stream, ThreadNumber, WhenFull,
};

use crate::chunk_file::ChunkFile;
pub(crate) use clock::Clock;
use packing::{Memories, Packing};

/// Room behind the limit that code looks at: for all that a frame may write until it looks again, and for what is
/// zeroed after an exception.
pub(crate) const SLACK: usize = 6 * 1024;
const SMALLEST: u32 = 8 * 1024;
const LARGEST: u32 = 256 * 1024;
/// The most that is mapped at once for regions of the usual sizes.
const MAPPED_AT_ONCE: u32 = 1024 * 1024;

/// What all threads share.
#[derive(Debug)]
pub(crate) struct Shared {
    chunks: ChunkFile,
    /// Those that no thread is using.
    packers: Mutex<Vec<ChunkPacker>>,
    tails: File,
    regions: Mutex<Regions>,
    pub(crate) clock: Clock,
    memories: Memories,
    stopped: AtomicBool,
    stop_reason: Mutex<EndReason>,
}

#[derive(Debug, Default)]
struct Regions {
    end: u64,
    free: Vec<Region>,
    /// How many regions there are of each size.
    made: HashMap<u32, u32>,
}

/// A mapped part of `tails`, or plain memory once recording has stopped.
#[derive(Debug)]
struct Region {
    memory: Memory,
    discarded: bool,
}

#[derive(Debug)]
pub(crate) enum Memory {
    /// Part of a mapping that is never undone.
    Mapped {
        start: *mut u8,
        length: usize,
    },
    Plain(Box<[u8]>),
}

// SAFETY: a mapping belongs to the process, and a region to whoever holds it.
unsafe impl Send for Memory {}

impl Memory {
    /// `None` instead of an abort where there is no memory left: the program may do without.
    fn plain(size: u32) -> Option<Self> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size as usize).ok()?;
        bytes.resize(size as usize, 0);
        Some(Memory::Plain(bytes.into_boxed_slice()))
    }
}

impl Deref for Memory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            // SAFETY: the mapping stays, and this part of it has one owner.
            Memory::Mapped { start, length } => unsafe {
                std::slice::from_raw_parts(*start, *length)
            },
            Memory::Plain(bytes) => bytes,
        }
    }
}

impl DerefMut for Memory {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            // SAFETY: as in `deref`.
            Memory::Mapped { start, length } => unsafe {
                std::slice::from_raw_parts_mut(*start, *length)
            },
            Memory::Plain(bytes) => bytes,
        }
    }
}

impl Region {
    fn plain(size: u32) -> Option<Self> {
        Some(Region {
            memory: Memory::plain(size)?,
            discarded: true,
        })
    }

    fn capacity(&self) -> usize {
        self.memory.len() - REGION_HEADER_SIZE
    }

    fn payload(&self) -> *const u8 {
        self.memory[REGION_HEADER_SIZE..].as_ptr()
    }
}

/// Where Java may write: read by it after each flush.
#[repr(C)]
#[derive(Debug, Default, Clone, Copy)]
struct Block {
    start: u64,
    limit: u64,
    base: u64,
}

/// One thread's streams. Java holds its address and reads the blocks, which therefore come first.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct ThreadStreams {
    blocks: [Block; 3],
    regions: [Region; 3],
    stamps: [u64; 3],
    thread: ThreadNumber,
    /// Once there was something to pack.
    packing: Option<Box<Packing>>,
    is_cut: bool,
}

impl Shared {
    pub(crate) fn new(chunks: ChunkFile, tails: File, clock: Clock, when_full: WhenFull) -> Self {
        Shared {
            chunks,
            packers: Mutex::default(),
            tails,
            regions: Mutex::default(),
            clock,
            memories: Memories::new(when_full == WhenFull::Ring),
            stopped: AtomicBool::new(false),
            stop_reason: Mutex::new(EndReason::Exit),
        }
    }

    /// Gives back what the file of chunks does not need.
    pub(crate) fn end(&self) -> io::Result<()> {
        self.chunks.end()
    }

    /// Why recording ended, if it was before the program did.
    pub(crate) fn end_reason(&self) -> EndReason {
        *self
            .stop_reason
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn stop(&self, reason: EndReason) {
        if !self.stopped.swap(true, Ordering::Relaxed) {
            *self
                .stop_reason
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = reason;
        }
    }

    /// There are no numbers left for new objects (two thousand million have been used).
    pub(crate) fn stop_for_lack_of_numbers(&self) {
        self.stop(EndReason::MaxTrace);
    }

    /// Something could not be written that the rest of the trace needs.
    pub(crate) fn stop_for_lack_of_disk(&self) {
        self.stop(EndReason::Disk);
    }

    /// Streams that go nowhere, for a thread that cannot be recorded.
    pub(crate) fn unrecorded_thread(&self) -> Option<Box<ThreadStreams>> {
        let open = || Region::plain(SMALLEST);
        let regions = [open()?, open()?, open()?];
        Some(ThreadStreams::new(ThreadNumber(u32::MAX), regions))
    }

    pub(crate) fn open_thread(&self, thread: ThreadNumber) -> io::Result<Box<ThreadStreams>> {
        if self.is_stopped()
            && let Some(nowhere) = self.unrecorded_thread()
        {
            return Ok(nowhere);
        }
        let open = |stream| self.region(stream, thread, 0, 0, SMALLEST);
        let regions = [
            open(Stream::Events)?,
            open(Stream::Values)?,
            open(Stream::Objects)?,
        ];
        Ok(ThreadStreams::new(thread, regions))
    }

    /// Takes what Java wrote and makes room for at least `needed` bytes. Never fails: when the
    /// disk is full or the trace large enough, events go to memory that nobody reads. `ends` are how far the thread has
    /// written its streams.
    pub(crate) fn flush(
        &self,
        thread: &mut ThreadStreams,
        stream: Stream,
        ends: [u64; 3],
        needed: u64,
    ) {
        let starts = thread.blocks.map(|block| block.start);
        self.flush_stream(thread, stream, ends[stream.index()], needed, |thread| {
            thread.cut(starts, ends);
        });
    }

    fn packers(&self) -> MutexGuard<'_, Vec<ChunkPacker>> {
        self.packers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// There are as many as threads that ever packed at the same time.
    fn packer(&self) -> ChunkPacker {
        self.packers().pop().unwrap_or_default()
    }

    /// `cut` is called when recording has stopped, while the regions are still those that were written.
    fn flush_stream(
        &self,
        thread: &mut ThreadStreams,
        stream: Stream,
        end: u64,
        needed: u64,
        cut: impl FnOnce(&mut ThreadStreams),
    ) {
        let index = stream.index();
        let length = usize::try_from(end.saturating_sub(thread.blocks[index].start))
            .unwrap_or(usize::MAX)
            .min(thread.regions[index].capacity());
        let base = thread.blocks[index].base;
        let capacity = next_capacity(thread.regions[index].capacity(), needed);
        if thread.regions[index].discarded {
            self.discard(thread, stream, capacity);
            return;
        }
        if !self.is_stopped() {
            let payload = &thread.regions[index].memory[REGION_HEADER_SIZE..][..length];
            let mut header = ChunkHeader {
                stream,
                complete: false,
                thread: thread.thread,
                length: u32::try_from(length).unwrap_or(u32::MAX),
                base,
                stamp: thread.stamps[index],
                packed: None,
            };
            let mut packer = self.packer();
            let stored = header.pack(payload, &mut packer);
            let appended = self.chunks.append(&header, stored);
            self.packers().push(packer);
            match appended {
                Ok(true) => {}
                Ok(false) => self.stop(EndReason::MaxTrace),
                Err(_) => self.stop(EndReason::Disk),
            }
        }
        if self.is_stopped() {
            cut(thread);
            self.discard(thread, stream, capacity);
            return;
        }
        let base = base + length as u64;
        let stamp = self.clock.load(Ordering::Relaxed);
        if thread.regions[index].memory.len() == capacity as usize {
            thread.regions[index].begin_again(base, stamp, length);
        } else {
            match self.region(stream, thread.thread, base, stamp, capacity) {
                Ok(region) => {
                    let old = std::mem::replace(&mut thread.regions[index], region);
                    self.release(old);
                }
                Err(_) => {
                    self.stop(EndReason::Disk);
                    cut(thread);
                    self.discard(thread, stream, capacity);
                    return;
                }
            }
        }
        thread.stamps[index] = stamp;
        thread.publish(stream, base);
    }

    /// Writes all that is left and gives the regions back.
    pub(crate) fn close_thread(&self, mut thread: Box<ThreadStreams>, ends: [u64; 3]) {
        for (stream, end) in Stream::ALL.into_iter().zip(ends) {
            if end > thread.blocks[stream.index()].start && !self.is_stopped() {
                // A thread that is no more writes no more: its streams need no cut.
                self.flush_stream(&mut thread, stream, end, 0, |_| {});
            }
        }
        if self.is_stopped() {
            return; // what is in its regions is the end of the trace
        }
        let ends = thread.blocks.map(|block| block.base);
        // All that others do from now on has this stamp or a later one.
        let stamp = self.clock.fetch_add(1, Ordering::Relaxed) + 1;
        self.chunks.thread_ended(thread.thread, ends, stamp);
        let ThreadStreams {
            regions, packing, ..
        } = *thread;
        self.memories.release(packing);
        for region in regions {
            self.release(region);
        }
    }

    fn region(
        &self,
        stream: Stream,
        thread: ThreadNumber,
        base: u64,
        stamp: u64,
        size: u32,
    ) -> io::Result<Region> {
        let mut region = {
            let mut regions = self.regions.lock().unwrap_or_else(PoisonError::into_inner);
            let fits = |region: &Region| region.memory.len() == size as usize;
            if !regions.free.iter().any(fits) {
                regions.map_more(&self.tails, size)?;
            }
            let fitting = regions.free.iter().rposition(fits);
            fitting
                .map(|index| regions.free.swap_remove(index))
                .ok_or(io::ErrorKind::OutOfMemory)?
        };
        let header = RegionHeader {
            stream,
            in_use: true,
            thread,
            capacity: size - REGION_HEADER_SIZE as u32,
            base,
            stamp,
            cut: None,
        };
        region.memory[..REGION_HEADER_SIZE].copy_from_slice(&header.encode());
        Ok(region)
    }

    fn release(&self, mut region: Region) {
        if region.discarded {
            return;
        }
        region.memory[offset::STATE] = trace_format::chunk::REGION_FREE;
        region.memory[REGION_HEADER_SIZE..].fill(0);
        self.regions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .free
            .push(region);
    }

    /// From now on the stream goes nowhere. What is in its region stays: it is the trace's end.
    fn discard(&self, thread: &mut ThreadStreams, stream: Stream, capacity: u32) {
        let index = stream.index();
        let enough = thread.regions[index].memory.len() >= capacity as usize;
        if !(thread.regions[index].discarded && enough) {
            match Region::plain(capacity) {
                // The old region is never given out again: its content is the trace's end.
                Some(region) => thread.regions[index] = region,
                // No memory and no disk: write over what we have, rather than stop the program.
                None => {
                    let region = &mut thread.regions[index];
                    region.memory[offset::STATE] = trace_format::chunk::REGION_FREE;
                    region.discarded = true;
                }
            }
        }
        let base = thread.blocks[index].base;
        thread.publish(stream, base);
    }
}

impl Regions {
    /// Makes free regions of this size: as many as there are already, within bounds.
    fn map_more(&mut self, tails: &File, size: u32) -> io::Result<()> {
        let made = self.made.entry(size).or_default();
        let count = (*made).clamp(1, (MAPPED_AT_ONCE / size).max(1));
        let length = u64::from(size) * u64::from(count);
        let parts = map_parts(tails, self.end, size as usize, count as usize)?;
        let header = RegionHeader {
            stream: Stream::Events,
            in_use: false,
            thread: ThreadNumber(0),
            capacity: size - REGION_HEADER_SIZE as u32,
            base: 0,
            stamp: 0,
            cut: None,
        };
        // From the last to the first, so that they are given out in the file's order.
        for mut memory in parts.into_iter().rev() {
            memory[..REGION_HEADER_SIZE].copy_from_slice(&header.encode());
            self.free.push(Region {
                memory,
                discarded: false,
            });
        }
        self.end += length;
        *made += count;
        Ok(())
    }
}

impl Region {
    /// Ready for the content that comes after `base`. Only then is the header changed: until it is,
    /// readers know the old content from the chunk.
    fn begin_again(&mut self, base: u64, stamp: u64, used: usize) {
        let dirty = (used + SLACK).min(self.capacity());
        self.memory[REGION_HEADER_SIZE..][..dirty].fill(0);
        self.memory[offset::STAMP..][..8].copy_from_slice(&stamp.to_le_bytes());
        self.memory[offset::BASE..][..8].copy_from_slice(&base.to_le_bytes());
    }
}

impl ThreadStreams {
    fn new(thread: ThreadNumber, regions: [Region; 3]) -> Box<Self> {
        let blocks = [Block::default(); 3];
        let mut streams = Box::new(ThreadStreams {
            blocks,
            regions,
            stamps: [0; 3],
            thread,
            packing: None,
            is_cut: false,
        });
        for stream in Stream::ALL {
            streams.publish(stream, 0);
        }
        streams
    }

    /// What the thread writes from now on does not belong to the trace, whichever stream it goes to: one that goes on
    /// without the others would tell of calls that nobody can follow.
    fn cut(&mut self, starts: [u64; 3], ends: [u64; 3]) {
        if std::mem::replace(&mut self.is_cut, true) {
            return;
        }
        for (region, (start, end)) in self.regions.iter_mut().zip(starts.into_iter().zip(ends)) {
            let used = u32::try_from(end.saturating_sub(start)).unwrap_or(u32::MAX);
            region.memory[offset::CUT..][..4].copy_from_slice(&encode_cut(used));
        }
    }

    /// The thread, and where in its events that address is; not if they have ceased to belong to the trace.
    pub(crate) fn place(&self, address: u64) -> (ThreadNumber, Option<EventPosition>) {
        let events = Stream::Events.index();
        let Block { start, base, .. } = self.blocks[events];
        let is_recorded = !self.regions[events].discarded && !self.is_cut;
        let position = is_recorded.then_some(EventPosition(base + address.saturating_sub(start)));
        (self.thread, position)
    }

    fn publish(&mut self, stream: Stream, base: u64) {
        let region = &self.regions[stream.index()];
        let start = region.payload() as u64;
        self.blocks[stream.index()] = Block {
            start,
            limit: start + (region.capacity() - SLACK) as u64,
            base,
        };
    }
}

/// Regions start small, for programs with many threads, and grow with use. Sizes include the header.
fn next_capacity(payload: usize, needed: u64) -> u32 {
    let current = u32::try_from(payload + REGION_HEADER_SIZE).unwrap_or(LARGEST);
    let wanted = needed + SLACK as u64 + REGION_HEADER_SIZE as u64;
    let usual = current.saturating_mul(4).clamp(SMALLEST, LARGEST);
    if wanted <= u64::from(usual) {
        usual
    } else {
        u32::try_from(wanted.next_multiple_of(u64::from(SMALLEST))).unwrap_or(!0x3fff)
    }
}

/// Makes room in a file for `count` parts of one size, the first of which has this number, and maps them for good.
pub(crate) fn map_reserved(
    file: &File,
    number: usize,
    size: usize,
    count: usize,
) -> io::Result<Vec<Memory>> {
    map_parts(file, (number * size) as u64, size, count)
}

fn map_parts(file: &File, at: u64, size: usize, count: usize) -> io::Result<Vec<Memory>> {
    let length = size * count;
    file.set_len(at + length as u64)?;
    // Storage is reserved now: a full disk must not become a SIGBUS later.
    reserve(file, at, length as u64)?;
    // SAFETY: the file is ours alone while the JVM runs, and nobody shortens it.
    let mapping = unsafe { MmapOptions::new().offset(at).len(length).map_mut(file)? };
    let mapping = Box::leak(Box::new(mapping));
    let parts = mapping.chunks_exact_mut(size);
    let memory = |part: &mut [u8]| Memory::Mapped {
        start: part.as_mut_ptr(),
        length: part.len(),
    };
    Ok(parts.map(memory).collect())
}

fn reserve(file: &File, at: u64, size: u64) -> io::Result<()> {
    const ZEROS: [u8; SMALLEST as usize] = [0; SMALLEST as usize];
    for part in (at..at + size).step_by(ZEROS.len()) {
        file.write_all_at(&ZEROS, part)?; // sizes are multiples of the smallest
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_grow_with_use_and_with_need() {
        let size =
            |payload: u32, needed| next_capacity(payload as usize - REGION_HEADER_SIZE, needed);
        assert_eq!(size(SMALLEST, 0), 4 * SMALLEST);
        assert_eq!(size(LARGEST, 0), LARGEST);
        assert_eq!(size(LARGEST, 1 << 20), (1 << 20) + SMALLEST);
        // and back again
        assert_eq!(size(1 << 24, 0), LARGEST);
    }
}
