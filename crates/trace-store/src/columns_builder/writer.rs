//! Batches go to the files: at once, or on a thread of their own, so that the pass goes on meanwhile.

use std::io::{Error, ErrorKind};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use crate::columns::{BLOCK, FarEndRow, FarParentRow, LargestRow, MethodRow, PlaceRow, TreeRow};
use crate::error::{IoContext, Result};
use crate::map::{bytes_of_u16s, bytes_of_u32s, bytes_of_u64s};

use super::batch::Batch;
use super::files::{Column, Files, Reserve, append_to_end, append_u64s, write};
use super::pack::{Before, Packed};

/// What is in the files: rows whose number is not that of the calls.
#[derive(Debug, Default)]
pub(super) struct RowCounts {
    blocks: u64,
    far_parents: u64,
    far_starts: u64,
    far_ends: u64,
    segments: u64,
    before: Before,
}

/// Who takes batches that are full.
pub(super) trait Sink {
    /// Leaves another one, of whatever content.
    fn take(&mut self, batch: &mut Batch) -> Result<()>;
}

pub(super) struct Writer<'a> {
    pub(super) files: Files,
    pub(super) written: &'a mut RowCounts,
    pub(super) packed: &'a mut Packed,
    pub(super) reserve: Reserve,
}

impl Sink for Writer<'_> {
    fn take(&mut self, batch: &mut Batch) -> Result<()> {
        self.write(batch)
    }
}

/// To the thread of a writer, and what comes back from it.
struct Aside {
    full: SyncSender<Batch>,
    empty: Receiver<Batch>,
}

impl Sink for Aside {
    fn take(&mut self, batch: &mut Batch) -> Result<()> {
        // There are four at most: one that is filled, one that waits, one that is written and one that was.
        let another = self.empty.try_recv().unwrap_or_default();
        let full = std::mem::replace(batch, another);
        let sent = self.full.send(full);
        // The writer has failed, and says why.
        sent.map_err(|_| Error::from(ErrorKind::BrokenPipe))
            .during("write", Path::new("the index"))
    }
}

impl Writer<'_> {
    /// Does something whose batches are written on another thread.
    pub(super) fn beside<T>(&mut self, work: impl FnOnce(&mut dyn Sink) -> Result<T>) -> Result<T> {
        let (full, batches) = mpsc::sync_channel(1);
        let (written, empty) = mpsc::channel();
        thread::scope(|scope| {
            let writing = scope.spawn(move || -> Result<()> {
                for batch in batches {
                    self.write(&batch)?;
                    // Nobody needs it at the end.
                    let _ = written.send(batch);
                }
                Ok(())
            });
            let worked = work(&mut Aside { full, empty });
            let written = writing.join();
            written.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            worked
        })
    }

    fn write(&mut self, batch: &Batch) -> Result<()> {
        let Self {
            files,
            written,
            packed,
            reserve,
        } = self;
        packed.pack(batch, &mut written.before);
        let (first, rows) = (u64::from(batch.first), batch.rows());
        reserve.reach(files, first + rows.len() as u64);
        let methods = batch.rows.methods(rows.clone());
        write(&files.method, first, methods, size_of::<MethodRow>())?;
        let tree = bytes_of_u32s(&packed.tree[rows.clone()]);
        write(&files.tree, first, tree, size_of::<TreeRow>())?;
        let places = bytes_of_u32s(packed.places[rows].as_flattened());
        write(&files.places, first, places, size_of::<PlaceRow>())?;
        let largest = bytes_of_u16s(&packed.largest);
        let block = first / BLOCK as u64;
        write(&files.largest, block, largest, size_of::<LargestRow>())?;
        append_u64s(&files.blocks, &mut written.blocks, &packed.blocks)?;
        let far_starts = &packed.far_starts;
        append_u64s(&files.far_starts, &mut written.far_starts, far_starts)?;
        append_u64s(&files.far_ends, &mut written.far_ends, &packed.far_ends)?;
        append_u64s(&files.segments, &mut written.segments, &batch.segments)?;
        append_to_end(&files.submits, &batch.submits)?;
        append_to_end(&files.works, &batch.works)?;
        let parents = bytes_of_u32s(packed.far_parents.as_flattened());
        let row_size = size_of::<FarParentRow>();
        write(&files.far_parents, written.far_parents, parents, row_size)?;
        written.far_parents += packed.far_parents.len() as u64;
        write_late_ends(&files.far_ends, &mut packed.late_ends)
    }
}

/// Fills in late ends, neighbours together: deep recursion ends call after call.
fn write_late_ends(column: &Column, late_ends: &mut [(u32, FarEndRow)]) -> Result<()> {
    late_ends.sort_unstable_by_key(|(slot, _)| *slot);
    let mut rest = &*late_ends;
    let mut rows: Vec<FarEndRow> = Vec::new();
    while let Some(&(first, _)) = rest.first() {
        rows.clear();
        while let Some(&(slot, row)) = rest.first() {
            let at = (slot - first) as usize;
            if at > rows.len() {
                break;
            }
            rows.truncate(at);
            rows.push(row);
            rest = &rest[1..];
        }
        let bytes = bytes_of_u64s(rows.as_flattened());
        write(column, first.into(), bytes, size_of::<FarEndRow>())?;
    }
    Ok(())
}
