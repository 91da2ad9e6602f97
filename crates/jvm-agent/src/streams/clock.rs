//! The counter of the SYNC stamps, in a file: who reads a trace while it is recorded can tell what was done by then.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::os::unix::fs::FileExt;
use std::sync::atomic::AtomicU64;

use memmap2::MmapOptions;

/// The first stamp; 0 stands for none.
const FIRST: u64 = 1;

/// Java increments it in place, as long as the JVM lives.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock(&'static AtomicU64);

impl Clock {
    pub(crate) fn in_file(file: &File) -> io::Result<Self> {
        // Storage is taken now: a full disk must not become a SIGBUS later.
        file.write_all_at(&FIRST.to_le_bytes(), 0)?;
        // SAFETY: the file is ours alone while the JVM runs, and nobody shortens it.
        let mapping = unsafe { MmapOptions::new().len(size_of::<u64>()).map_mut(file)? };
        let mapping = Box::leak(Box::new(mapping));
        // SAFETY: mappings begin at page boundaries, this one is never undone, and whoever else of this process
        // changes the number does so by an atomic instruction.
        Ok(Self(unsafe {
            AtomicU64::from_ptr(mapping.as_mut_ptr().cast())
        }))
    }
}

impl Deref for Clock {
    type Target = AtomicU64;

    fn deref(&self) -> &AtomicU64 {
        self.0
    }
}
