//! Chunks that are packed in the file, as they were recorded.
//!
//! Whoever passes over everything unpacks into a buffer of their own. Whoever looks something up gets bytes that stay
//! for as long as the trace is open, so what is unpacked for them is kept: the first megabytes in memory, and
//! all else in a file that has no name and goes with the process. That is mapped, so its pages can be given back
//! as those of the trace can.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use trace_format::ChunkHeader;

use crate::error::Result;
use crate::map::Map;

/// What is kept in memory.
const IN_MEMORY: u64 = 32 << 20;
/// The first size of a file.
const SMALLEST_FILE: u64 = 64 << 20;

/// What all that look things up in a trace have unpacked.
#[derive(Debug)]
pub(crate) struct Unpacked {
    /// Where files are made if they can be.
    folder: PathBuf,
    room: Mutex<Room>,
}

#[derive(Debug, Default)]
struct Room {
    in_memory: u64,
    /// The last has room; each is as large as all before it.
    files: Vec<Arc<Scratch>>,
    /// How much of the last is taken.
    taken: u64,
}

/// A file without a name, mapped as a whole. What stands in a part that was given out is never changed.
#[derive(Debug)]
struct Scratch {
    file: File,
    map: Arc<Map>,
    size: u64,
}

/// A chunk, once somebody wanted to look something up in it.
#[derive(Debug, Default)]
pub(crate) struct UnpackedChunk(OnceLock<Place>);

#[derive(Debug)]
enum Place {
    Memory(Vec<u8>),
    File(Arc<Scratch>, Range<usize>),
}

impl UnpackedChunk {
    /// The bytes, if they were wanted before.
    pub(crate) fn known(&self) -> Option<&[u8]> {
        self.0.get().map(Place::bytes)
    }

    /// The bytes; none if the chunk is damaged.
    pub(crate) fn bytes(&self, header: &ChunkHeader, stored: &[u8], all: &Unpacked) -> &[u8] {
        let unpack = || {
            let mut bytes = Vec::new();
            unpack_into(header, stored, &mut bytes);
            all.keep(bytes)
        };
        self.0.get_or_init(unpack).bytes()
    }
}

/// Replaces the buffer's content, by nothing if the chunk is damaged.
pub(crate) fn unpack_into(header: &ChunkHeader, stored: &[u8], buffer: &mut Vec<u8>) {
    buffer.clear();
    if header.unpack(stored, buffer).is_none() {
        buffer.clear();
    }
}

impl Place {
    fn bytes(&self) -> &[u8] {
        match self {
            Place::Memory(bytes) => bytes,
            Place::File(scratch, range) => {
                scratch.map.bytes().get(range.clone()).unwrap_or_default()
            }
        }
    }
}

impl Default for Unpacked {
    fn default() -> Self {
        Self::new(Path::new("."))
    }
}

impl Unpacked {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            room: Mutex::default(),
        }
    }

    pub(crate) fn maps(&self) -> Vec<Arc<Map>> {
        let maps = |file: &Arc<Scratch>| Arc::clone(&file.map);
        self.room().files.iter().map(maps).collect()
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, bytes: Vec<u8>) -> Place {
        let length = bytes.len() as u64;
        let (scratch, at) = {
            let mut room = self.room();
            if room.in_memory + length <= IN_MEMORY {
                room.in_memory += length;
                return Place::Memory(bytes);
            }
            match room.take(length, &self.folder) {
                Ok(place) => place,
                // There is no disk for it.
                Err(_) => return Place::Memory(bytes),
            }
        };
        match scratch.file.write_all_at(&bytes, at) {
            Ok(()) => Place::File(scratch, at as usize..(at + length) as usize),
            Err(_) => Place::Memory(bytes),
        }
    }
}

impl Room {
    fn take(&mut self, length: u64, folder: &Path) -> io::Result<(Arc<Scratch>, u64)> {
        let fits = |scratch: &&Arc<Scratch>| self.taken + length <= scratch.size;
        let scratch = match self.files.last().filter(fits) {
            Some(scratch) => Arc::clone(scratch),
            None => {
                let all: u64 = self.files.iter().map(|file| file.size).sum();
                let scratch = Scratch::new(folder, all.max(SMALLEST_FILE).max(length))?;
                self.files.push(Arc::clone(&scratch));
                self.taken = 0;
                scratch
            }
        };
        let at = self.taken;
        self.taken += length;
        Ok((scratch, at))
    }
}

impl Scratch {
    fn new(folder: &Path, size: u64) -> io::Result<Arc<Self>> {
        let file = tempfile::tempfile_in(folder).or_else(|_| tempfile::tempfile())?;
        // Of what was not written, nothing is stored.
        file.set_len(size)?;
        let map: Result<Map> = Map::of(&file, folder);
        let map = Arc::new(map.map_err(io::Error::other)?);
        Ok(Arc::new(Self { file, map, size }))
    }
}
