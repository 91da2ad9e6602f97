//! The files of a thread's columns, while they are written.

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
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
use crate::shared_columns::COLUMNS;
use crate::submissions::{SUBMITS, WORKS};

/// A column, while it is written.
#[derive(Debug)]
pub(super) enum Column {
    File(File),
    /// Of a thread that did little: its columns go to a file that is shared.
    Memory(RefCell<Vec<u8>>),
}

impl Column {
    fn write_at(&self, bytes: &[u8], at: u64) -> std::io::Result<()> {
        match self {
            Self::File(file) => file.write_all_at(bytes, at),
            Self::Memory(memory) => {
                let mut memory = memory.borrow_mut();
                let at = usize::try_from(at).map_err(|_| ErrorKind::OutOfMemory)?;
                let end = at + bytes.len();
                if memory.len() < end {
                    memory.resize(end, 0);
                }
                memory[at..end].copy_from_slice(bytes);
                Ok(())
            }
        }
    }

    fn into_memory(self) -> Vec<u8> {
        match self {
            Self::File(_) => Vec::new(),
            Self::Memory(memory) => memory.into_inner(),
        }
    }
}

#[derive(Debug)]
pub(super) struct Files {
    pub(super) method: Column,
    pub(super) tree: Column,
    pub(super) places: Column,
    pub(super) blocks: Column,
    pub(super) largest: Column,
    pub(super) far_parents: Column,
    pub(super) far_starts: Column,
    pub(super) far_ends: Column,
    pub(super) segments: Column,
    /// Of all threads together: there may be thousands, with one task each.
    pub(super) submits: File,
    pub(super) works: File,
}

impl Files {
    pub(super) fn open(
        folder: &IndexFolder,
        thread: ThreadNumber,
        is_shared: bool,
    ) -> Result<Self> {
        let open = |name| {
            if is_shared {
                return Ok(Column::Memory(RefCell::default()));
            }
            let path = path(folder, thread.0, name);
            let mut options = OpenOptions::new();
            options.write(true).create(true).truncate(false);
            let file = options.open(&path).during("create", &path)?;
            Ok(Column::File(file))
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

    /// The columns, if they are in memory, in the order in which they are shared.
    pub(super) fn into_shared(self) -> [Vec<u8>; COLUMNS] {
        [
            self.method,
            self.tree,
            self.places,
            self.blocks,
            self.largest,
            self.far_parents,
            self.far_starts,
            self.far_ends,
            self.segments,
        ]
        .map(Column::into_memory)
    }

    /// Those with a row for each call, and its size.
    fn columns(&self) -> [(&Column, u64); 3] {
        [
            (&self.method, size_of::<MethodRow>() as u64),
            (&self.tree, size_of::<TreeRow>() as u64),
            (&self.places, size_of::<PlaceRow>() as u64),
        ]
    }
}

/// Room on the disk that the columns are given in advance. Copying rows to a file that has its room takes the system
/// half the time: it finds room for a megabyte as fast as for a page.
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
        let reserve = |(column, row_size): (&Column, u64)| {
            let (from, until) = (calls * row_size, until * row_size);
            match column {
                Column::File(file) => fallocate(file, FallocateFlags::empty(), from, until - from),
                Column::Memory(_) => Ok(()),
            }
        };
        self.is_wanted = files.columns().into_iter().try_for_each(reserve).is_ok();
        self.calls = until;
    }

    /// Gives back what is not needed behind the last call.
    pub(super) fn end(self, files: &Files, calls: u64) -> Result<()> {
        if self.calls == 0 {
            return Ok(());
        }
        for (column, row_size) in files.columns() {
            let Column::File(file) = column else {
                continue;
            };
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

pub(super) fn write(column: &Column, first: u64, rows: &[u8], row_size: usize) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    column
        .write_at(rows, first * row_size as u64)
        .during("write", Path::new("the index"))
}

pub(super) fn append_u64s<const N: usize>(
    column: &Column,
    written: &mut u64,
    rows: &[[u64; N]],
) -> Result<()> {
    write(column, *written, bytes_of_u64s(rows.as_flattened()), 8 * N)?;
    *written += rows.len() as u64;
    Ok(())
}
