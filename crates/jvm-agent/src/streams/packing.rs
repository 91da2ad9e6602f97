//! Elements of arrays are packed where Java wrote them, before the record that they are in is whole.

use std::sync::atomic::{AtomicUsize, Ordering};

use trace_format::Stream;
use trace_format::chunk::REGION_HEADER_SIZE;
use trace_format::elements::{Packer, StreamPlace};

use super::{Shared, ThreadStreams};

/// How much the first threads that need it remember of what they noted, and how many these are.
const LARGE_MEMORY: usize = 8 << 20;
const LARGE_MEMORIES: usize = 4;
/// What is left for all others.
const SMALL_MEMORY: usize = 1 << 18;

/// What a thread has packed.
#[derive(Debug)]
pub(super) struct Packing {
    packer: Packer,
    packed: Vec<u8>,
}

/// Tells how much a thread's packer may remember.
#[derive(Debug)]
pub(super) struct Memories {
    /// How many threads that are recorded have one.
    taken: AtomicUsize,
    /// A record may be given up while a later one is kept: then each has to tell everything itself.
    is_ring: bool,
}

impl Memories {
    pub(super) fn new(is_ring: bool) -> Self {
        Self {
            taken: AtomicUsize::new(0),
            is_ring,
        }
    }

    fn packing(&self) -> Box<Packing> {
        let others = self.taken.fetch_add(1, Ordering::Relaxed);
        let is_large = others < LARGE_MEMORIES && !self.is_ring;
        let most = if is_large { LARGE_MEMORY } else { SMALL_MEMORY };
        Box::new(Packing {
            packer: Packer::new(most),
            packed: Vec::new(),
        })
    }

    /// A thread has ended.
    pub(super) fn release(&self, packing: Option<Box<Packing>>) {
        if packing.is_some() {
            self.taken.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Shared {
    /// Packs the elements at the address `at`, in the record that begins at the address `record`; returns how many
    /// bytes they take now.
    pub(crate) fn pack(
        &self,
        thread: &mut ThreadStreams,
        stream: Stream,
        record: u64,
        at: u64,
        bytes: usize,
        width: usize,
    ) -> Option<usize> {
        let index = stream.index();
        let block = thread.blocks[index];
        let region = &mut thread.regions[index];
        if region.discarded {
            return None; // nobody will read it
        }
        let begin = usize::try_from(at.checked_sub(block.start)?).ok()?;
        let offset = u32::try_from(at.checked_sub(record)?).ok()?;
        let position = block.base + begin as u64;
        let site = match stream {
            Stream::Objects => StreamPlace::Objects {
                entry: position - u64::from(offset),
                offset,
            },
            _ => StreamPlace::Events(position),
        };
        let payload = region.memory[REGION_HEADER_SIZE..].get_mut(begin..)?;
        let packing = thread
            .packing
            .get_or_insert_with(|| self.memories.packing());
        let Packing { packer, packed } = &mut **packing;
        if self.memories.is_ring {
            packer.forget();
        }
        packed.clear();
        packer.pack(payload.get(..bytes)?, width, site, packed);
        payload.get_mut(..packed.len())?.copy_from_slice(packed);
        Some(packed.len())
    }
}
