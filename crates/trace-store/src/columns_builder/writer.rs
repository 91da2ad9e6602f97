//! Batches go to the files.

use crate::columns::{BLOCK, FarEndRow, FarParentRow, LargestRow, MethodRow, PlaceRow, TreeRow};
use crate::error::Result;
use crate::map::{bytes_of_u16s, bytes_of_u32s, bytes_of_u64s};

use super::batch::Batch;
use super::files::{Files, append_to_end, append_u64s, write};

/// Rows in the files whose number is not that of the calls.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Written {
    blocks: u64,
    far_parents: u64,
    far_starts: u64,
    far_ends: u64,
    segments: u64,
}

pub(super) struct Writer<'a> {
    pub(super) files: &'a Files,
    pub(super) written: &'a mut Written,
}

impl Writer<'_> {
    pub(super) fn write(&mut self, batch: &mut Batch) -> Result<()> {
        let Self { files, written } = self;
        let (first, calls) = (u64::from(batch.first), batch.calls);
        let methods = batch.rows.methods[..calls].as_flattened();
        write(&files.method, first, methods, size_of::<MethodRow>())?;
        let tree = bytes_of_u32s(&batch.rows.tree[..calls]);
        write(&files.tree, first, tree, size_of::<TreeRow>())?;
        let places = bytes_of_u64s(&batch.rows.places[..calls]);
        write(&files.places, first, places, size_of::<PlaceRow>())?;
        let largest = bytes_of_u16s(&batch.largest);
        let block = u64::from(batch.first) / BLOCK as u64;
        write(&files.largest, block, largest, size_of::<LargestRow>())?;
        append_u64s(&files.blocks, &mut written.blocks, &batch.blocks)?;
        append_u64s(
            &files.far_starts,
            &mut written.far_starts,
            &batch.far_starts,
        )?;
        append_u64s(&files.far_ends, &mut written.far_ends, &batch.far_ends)?;
        append_u64s(&files.segments, &mut written.segments, &batch.segments)?;
        append_to_end(&files.submits, &batch.submits)?;
        append_to_end(&files.works, &batch.works)?;
        let parents = bytes_of_u32s(batch.far_parents.as_flattened());
        let row_size = size_of::<FarParentRow>();
        write(&files.far_parents, written.far_parents, parents, row_size)?;
        written.far_parents += batch.far_parents.len() as u64;
        self.write_late_ends(&mut batch.late_ends)
    }

    /// Fills in late ends, neighbours together: deep recursion ends call after call.
    fn write_late_ends(&mut self, late_ends: &mut [(u32, FarEndRow)]) -> Result<()> {
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
            let file = &self.files.far_ends;
            write(file, first.into(), bytes, size_of::<FarEndRow>())?;
        }
        Ok(())
    }
}
