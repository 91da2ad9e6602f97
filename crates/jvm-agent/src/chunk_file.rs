//! The file `chunks`: where full regions go, within the size that the user allows.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use trace_format::chunk::{CHUNK_COMPLETE, CHUNK_HEADER_SIZE, offset};
use trace_format::files::SIGNATURE_SIZE;
use trace_format::{ChunkHeader, ThreadNumber};

use crate::reserve::Reserve;
use crate::ring::{Ring, Room};

/// How often, a millisecond apart, a chunk is looked at that another thread is writing.
const PATIENCE: usize = 2000;

#[derive(Debug)]
pub(crate) struct ChunkFile {
    file: File,
    largest: u64,
    space: Mutex<Space>,
}

#[derive(Debug)]
struct Space {
    /// After the last chunk.
    end: u64,
    reserve: Reserve,
    /// Makes room by giving up what is oldest.
    ring: Option<Ring>,
}

impl ChunkFile {
    pub(crate) fn new(file: File, largest: Option<u64>, ring: Option<Ring>) -> Self {
        let largest = largest.unwrap_or(u64::MAX);
        // A ring keeps to its size by what it gives up, not by where its file ends.
        let limit = if ring.is_some() { 0 } else { largest };
        ChunkFile {
            file,
            largest,
            space: Mutex::new(Space {
                end: SIGNATURE_SIZE as u64,
                reserve: Reserve::new(limit),
                ring,
            }),
        }
    }

    /// Whether there was room for it. The header's state is written last.
    pub(crate) fn append(&self, header: &ChunkHeader, payload: &[u8]) -> io::Result<bool> {
        let stride = header.stride();
        let at = {
            let Some(mut space) = self.with_room_for(stride)? else {
                return Ok(false);
            };
            let at = space.end;
            self.file.write_all_at(&header.encode(), at)?;
            space.end += stride;
            let Space { end, reserve, ring } = &mut *space;
            reserve.has_grown(&self.file, *end);
            if let Some(ring) = ring {
                ring.has_grown(*end);
            }
            at
        };
        let written = self
            .file
            .write_all_at(payload, at + CHUNK_HEADER_SIZE as u64);
        if written.is_err() {
            self.take_back(at, stride);
        }
        written?;
        self.file
            .write_all_at(&[CHUNK_COMPLETE], at + offset::STATE as u64)?;
        Ok(true)
    }

    /// There will be no more chunks of a thread whose streams end there; `stamp` was taken later.
    pub(crate) fn thread_ended(&self, thread: ThreadNumber, ends: [u64; 3], stamp: u64) {
        if let Some(ring) = &mut self.space().ring {
            ring.thread_ended(thread, ends, stamp);
        }
    }

    /// Little more will come, if anything.
    pub(crate) fn end(&self) -> io::Result<()> {
        let mut space = self.space();
        let end = space.end;
        space.reserve.end(&self.file, end)
    }

    fn space(&self) -> MutexGuard<'_, Space> {
        self.space.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `None`: there is no room and none can be made.
    fn with_room_for(&self, stride: u64) -> io::Result<Option<MutexGuard<'_, Space>>> {
        for _ in 0..PATIENCE {
            let mut space = self.space();
            loop {
                let Space { end, ring, .. } = &mut *space;
                let held = ring.as_ref().map_or(*end, |ring| ring.held(*end));
                let Some(lacking) = (held + stride)
                    .checked_sub(self.largest)
                    .filter(|&lacking| lacking > 0)
                else {
                    return Ok(Some(space));
                };
                let Some(ring) = ring else {
                    return Ok(None);
                };
                match ring.make_room(&self.file, *end, lacking)? {
                    Room::Made => {}
                    Room::Later => break,
                    Room::Never => return Ok(None),
                }
            }
            drop(space);
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(None)
    }

    /// A chunk that did not fit on the disk leaves what it got of it, for the note of how the recording
    /// ended. Unless another thread's chunk stands behind it.
    fn take_back(&self, at: u64, stride: u64) {
        let mut space = self.space();
        if space.end == at + stride && self.file.set_len(at).is_ok() {
            space.end = at;
        }
    }
}
