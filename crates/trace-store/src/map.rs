//! The one module that maps files into memory.
//!
//! A map is a snapshot of a file's length, not of its content. That is enough here: readers look
//! only at chunks that are complete, which the recorder never touches again, and at index files,
//! which are replaced by renaming and never changed in place once they are published. The one column that is,
//! while a run goes on, is read as [atomic numbers](Map::atomic_u64s).

#![expect(
    unsafe_code,
    reason = "mapping a file and viewing its bytes as numbers need it"
)]

use std::fs::File;
use std::io::Read as _;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::error::{IoContext, Result};

#[cfg(not(target_endian = "little"))]
compile_error!("index files hold little-endian columns that are used in place");

/// A mapped file, or a small one in memory; an empty or absent one is an empty slice. Whoever maps a file of their
/// own keeps the rule above: once it is mapped it is not changed.
#[derive(Debug, Default)]
pub struct Map(Content);

#[derive(Debug)]
enum Content {
    Mapped(memmap2::Mmap),
    /// Numbers, so that columns of numbers are where they may be; and how many bytes count.
    Read(Box<[u64]>, usize),
    /// A part of another map, which begins at a number.
    Part(Arc<Map>, Range<usize>),
}

impl Default for Content {
    fn default() -> Self {
        Content::Read(Box::default(), 0)
    }
}

/// A file of a page is read instead: it takes no more memory, and a process may have 65,530 maps,
/// which are few for a run with thousands of threads.
const LARGEST_READ: u64 = 4096;

impl Map {
    /// Maps a file that is complete.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).during("open", path)?;
        let length = file.metadata().during("inspect", path)?.len();
        if length > LARGEST_READ {
            Self::of(&file, path)
        } else {
            Self::read(&file, length as usize).during("read", path)
        }
    }

    /// A part of a map that begins at a number; `None` if it is not there.
    pub(crate) fn part(whole: &Arc<Self>, part: Range<usize>) -> Option<Self> {
        whole.bytes().get(part.clone())?;
        let begins_at_number = part.start.is_multiple_of(size_of::<u64>());
        begins_at_number.then(|| Self(Content::Part(Arc::clone(whole), part)))
    }

    fn read(mut file: &File, length: usize) -> std::io::Result<Self> {
        let mut words = vec![0; length.div_ceil(size_of::<u64>())];
        // SAFETY: every bit pattern is a valid u64, and a u8 needs no alignment.
        let (_, bytes, _) = unsafe { words.align_to_mut::<u8>() };
        file.read_exact(&mut bytes[..length])?;
        Ok(Self(Content::Read(words.into(), length)))
    }

    pub(crate) fn of(file: &File, path: &Path) -> Result<Self> {
        if file.metadata().during("inspect", path)?.len() == 0 {
            return Ok(Self::default());
        }
        // SAFETY: the map is only read. Other processes append to the file but leave the parts
        // that are read through the map unchanged (see the module's header), and they never
        // shorten it. If somebody truncates a trace while it is open, reading ends the process:
        // see `explain_lost_pages`.
        let map = unsafe { memmap2::Mmap::map(file) }.during("map", path)?;
        Ok(Self(Content::Mapped(map)))
    }

    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Content::Mapped(map) => map,
            Content::Read(words, length) => &bytes_of_u64s(words)[..*length],
            Content::Part(whole, part) => &whole.bytes()[part.clone()],
        }
    }

    /// Gives the pages that were read back to the system: after a pass over a large file they
    /// would be counted as this process's memory. They are read again when they are needed.
    pub(crate) fn release(&self) {
        if let Content::Mapped(map) = &self.0 {
            // SAFETY: the map is shared and read-only, so its pages are the file's own and come
            // back with the same content.
            let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        }
    }

    /// The content as a column of numbers; bytes after the last whole number are left out.
    #[inline]
    pub(crate) fn u16s(&self) -> &[u16] {
        // SAFETY: as for `u32s`.
        unsafe { self.bytes().align_to::<u16>() }.1
    }

    /// As `u16s`.
    #[inline]
    pub fn u32s(&self) -> &[u32] {
        // SAFETY: every bit pattern is a valid u32. Maps begin at page boundaries, and what was read
        // at a number, so the unaligned prefix is empty.
        unsafe { self.bytes().align_to::<u32>() }.1
    }

    #[inline]
    pub fn u64s(&self) -> &[u64] {
        // SAFETY: as for `u32s`.
        unsafe { self.bytes().align_to::<u64>() }.1
    }
}

impl From<Vec<u64>> for Map {
    fn from(numbers: Vec<u64>) -> Self {
        let length = numbers.len() * size_of::<u64>();
        Self(Content::Read(numbers.into_boxed_slice(), length))
    }
}

impl Map {
    /// As `u64s`, of a file whose numbers may change under the reader's eyes.
    #[inline]
    pub(crate) fn atomic_u64s(&self) -> &[AtomicU64] {
        let numbers = self.u64s();
        // SAFETY: both types have the same size and alignment, and an atomic number is never written through
        // a shared map, which is read-only: it is loaded only, which read-only pages allow.
        unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast(), numbers.len()) }
    }
}

/// A file that gets shorter while it is mapped takes its pages with it, and the system ends whoever
/// reads them. From now on the process says these words before it ends with this code. To be called
/// once, by the executable.
pub fn explain_lost_pages(words: &'static str, exit_code: i32) -> std::io::Result<()> {
    let explain = move || {
        let _ = rustix::io::write(rustix::stdio::stderr(), words.as_bytes());
        signal_hook::low_level::exit(exit_code);
    };
    // SAFETY: the action makes two system calls and nothing else: it takes no lock and no memory.
    unsafe { signal_hook::low_level::register(signal_hook::consts::SIGBUS, explain) }?;
    Ok(())
}

/// A column as it stands in its file.
pub(crate) fn bytes_of_u16s(numbers: &[u16]) -> &[u8] {
    // SAFETY: as for `bytes_of_u32s`.
    unsafe { numbers.align_to::<u8>() }.1
}

pub(crate) fn bytes_of_u32s(numbers: &[u32]) -> &[u8] {
    // SAFETY: every bit pattern is a valid u8, which needs no alignment.
    unsafe { numbers.align_to::<u8>() }.1
}

pub(crate) fn bytes_of_u64s(numbers: &[u64]) -> &[u8] {
    // SAFETY: as for `bytes_of_u32s`.
    unsafe { numbers.align_to::<u8>() }.1
}
