//! The one module that maps files into memory.
//!
//! A map is a snapshot of a file's length, not of its content. That is enough here: readers look
//! only at chunks that are complete, which the recorder never touches again, and at index files,
//! which are replaced by renaming and never changed in place once they are published.

#![expect(
    unsafe_code,
    reason = "mapping a file and viewing its bytes as numbers need it"
)]

use std::fs::File;
use std::path::Path;

use crate::error::{IoContext, Result};

#[cfg(not(target_endian = "little"))]
compile_error!("index files hold little-endian columns that are used in place");

/// A mapped file; an empty or absent one is an empty slice. Whoever maps a file of their own keeps the
/// rule above: once it is mapped it is not changed.
#[derive(Debug, Default)]
pub struct Map(Option<memmap2::Mmap>);

impl Map {
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).during("open", path)?;
        Self::of(&file, path)
    }

    pub(crate) fn of(file: &File, path: &Path) -> Result<Self> {
        if file.metadata().during("inspect", path)?.len() == 0 {
            return Ok(Self(None));
        }
        // SAFETY: the map is only read. Other processes append to the file but leave the parts
        // that are read through the map unchanged (see the module's header), and they never
        // shorten it. A user who truncates a trace by hand while it is open gets SIGBUS.
        let map = unsafe { memmap2::Mmap::map(file) }.during("map", path)?;
        Ok(Self(Some(map)))
    }

    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Gives the pages that were read back to the system: after a pass over a large file they
    /// would be counted as this process's memory. They are read again when they are needed.
    pub(crate) fn release(&self) {
        if let Some(map) = &self.0 {
            // SAFETY: the map is shared and read-only, so its pages are the file's own and come
            // back with the same content.
            let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        }
    }

    /// The content as a column of numbers; bytes after the last whole number are left out.
    #[inline]
    pub fn u32s(&self) -> &[u32] {
        // SAFETY: every bit pattern is a valid u32. Maps begin at page boundaries, so the
        // unaligned prefix is empty.
        unsafe { self.bytes().align_to::<u32>() }.1
    }

    #[inline]
    pub fn u64s(&self) -> &[u64] {
        // SAFETY: as for `u32s`.
        unsafe { self.bytes().align_to::<u64>() }.1
    }
}

/// A column as it stands in its file.
pub(crate) fn bytes_of_u32s(numbers: &[u32]) -> &[u8] {
    // SAFETY: every bit pattern is a valid u8, which needs no alignment.
    unsafe { numbers.align_to::<u8>() }.1
}

pub(crate) fn bytes_of_u64s(numbers: &[u64]) -> &[u8] {
    // SAFETY: as for `bytes_of_u32s`.
    unsafe { numbers.align_to::<u8>() }.1
}
