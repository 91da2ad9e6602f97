//! The files of a thread's columns, while they are written.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rustix::fs::{FallocateFlags, fallocate};
use trace_format::ThreadNumber;

use crate::columns::{
    BLOCKS, FAR_ENDS, FAR_PARENTS, FAR_STARTS, LARGEST, METHOD, MethodRow, PLACES, PlaceRow,
    SEGMENTS, TREE, TreeRow, path,
};
use crate::error::{IoContext, Result};
use crate::index_folder::IndexFolder;
use crate::map::bytes_of_u64s;
use crate::submissions::{SUBMITS, WORKS};

#[derive(Debug)]
pub(super) struct Files {
    pub(super) method: File,
    pub(super) tree: File,
    pub(super) places: File,
    pub(super) blocks: File,
    pub(super) largest: File,
    pub(super) far_parents: File,
    pub(super) far_starts: File,
    pub(super) far_ends: File,
    pub(super) segments: File,
    /// Of all threads together: there may be thousands, with one task each.
    pub(super) submits: File,
    pub(super) works: File,
}

impl Files {
    pub(super) fn open(folder: &IndexFolder, thread: ThreadNumber) -> Result<Self> {
        let open = |name| {
            let path = path(folder, thread.0, name);
            let mut options = OpenOptions::new();
            options.write(true).create(true).truncate(false);
            options.open(&path).during("create", &path)
        };
        Ok(Self {
            method: open(METHOD)?,
            tree: open(TREE)?,
            places: open(PLACES)?,
            blocks: open(BLOCKS)?,
            largest: open(LARGEST)?,
            far_parents: open(FAR_PARENTS)?,
            far_starts: open(FAR_STARTS)?,
            far_ends: open(FAR_ENDS)?,
            segments: open(SEGMENTS)?,
            submits: open_shared(folder, SUBMITS)?,
            works: open_shared(folder, WORKS)?,
        })
    }

    /// Those with a row for each call, and its size.
    fn columns(&self) -> [(&File, u64); 3] {
        [
            (&self.method, size_of::<MethodRow>() as u64),
            (&self.tree, size_of::<TreeRow>() as u64),
            (&self.places, size_of::<PlaceRow>() as u64),
        ]
    }
}

/// Room on the disk that the columns are given in advance. Copying rows to a file that has its room takes the system half
/// the time: it finds room for a megabyte as fast as for a page.
#[derive(Debug)]
pub(super) struct Reserve {
    /// Calls whose rows have room.
    calls: u64,
    /// Not every file system can.
    is_wanted: bool,
}

/// Calls that get room at once.
const RESERVED: u64 = 1 << 20;

impl Reserve {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self {
            calls: 0,
            is_wanted,
        }
    }

    /// Sees to it that there is room up to a call.
    pub(super) fn reach(&mut self, files: &Files, calls: u64) {
        if !self.is_wanted || calls <= self.calls {
            return;
        }
        let until = calls + RESERVED;
        let reserve = |(file, row_size): (&File, u64)| {
            let (from, until) = (calls * row_size, until * row_size);
            fallocate(file, FallocateFlags::empty(), from, until - from)
        };
        self.is_wanted = files.columns().into_iter().try_for_each(reserve).is_ok();
        self.calls = until;
    }

    /// Gives back what is not needed behind the last call.
    pub(super) fn end(self, files: &Files, calls: u64) -> Result<()> {
        if self.calls == 0 {
            return Ok(());
        }
        for (file, row_size) in files.columns() {
            file.set_len(calls * row_size)
                .during("write", Path::new("the index"))?;
        }
        Ok(())
    }
}

fn open_shared(folder: &IndexFolder, name: &str) -> Result<File> {
    let path = folder.file(name);
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    options.open(&path).during("create", &path)
}

pub(super) fn append_to_end<const N: usize>(mut file: &File, rows: &[[u64; N]]) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    file.write_all(bytes_of_u64s(rows.as_flattened()))
        .during("write", Path::new("the index"))
}

pub(super) fn write(file: &File, first: u64, rows: &[u8], row_size: usize) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    file.write_all_at(rows, first * row_size as u64)
        .during("write", Path::new("the index"))
}

pub(super) fn append_u64s<const N: usize>(
    file: &File,
    written: &mut u64,
    rows: &[[u64; N]],
) -> Result<()> {
    write(file, *written, bytes_of_u64s(rows.as_flattened()), 8 * N)?;
    *written += rows.len() as u64;
    Ok(())
}
