//! Makes rows, as they stand in the files, of where calls begin and end.
//!
//! Nearly all distances fit into a row, so a block of calls is first packed as if all of them did, without a branch:
//! that is done for several calls at once. Where one does not, the block is gone through again, call by call.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::batch::{Batch, ELSEWHERE, MOST_BYTES, NO_CALL, ROWS};
use crate::columns::{
    BLOCK, BlockRow, FAR, FarEndRow, FarParentRow, FarStartRow, LargestRow, OPEN, far_end_key,
};

/// What comes of a batch.
#[derive(Debug)]
pub(super) struct Packed {
    /// [`TreeRow`](crate::columns::TreeRow)s as numbers, which are stored at once.
    pub(super) tree: Box<[u32; ROWS]>,
    /// [`PlaceRow`](crate::columns::PlaceRow)s as two numbers each: in the events, in the values.
    pub(super) places: Box<[[u32; 2]; ROWS]>,
    /// Of each block that has calls in the batch.
    pub(super) largest: Vec<LargestRow>,
    pub(super) blocks: Vec<BlockRow>,
    pub(super) far_parents: Vec<FarParentRow>,
    pub(super) far_starts: Vec<FarStartRow>,
    pub(super) far_ends: Vec<FarEndRow>,
    /// Place in the file and content of ends of calls that were packed before.
    pub(super) late_ends: Vec<(u32, FarEndRow)>,
}

impl Default for Packed {
    fn default() -> Self {
        Self {
            tree: Box::new([0; ROWS]),
            places: Box::new([[0; 2]; ROWS]),
            largest: Vec::new(),
            blocks: Vec::new(),
            far_parents: Vec::new(),
            far_starts: Vec::new(),
            far_ends: Vec::new(),
            late_ends: Vec::new(),
        }
    }
}

/// What is to be known of the batches before.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// Where the last block begins.
    block: [u64; 2],
    /// The largest subtree that begins in what there is of it.
    largest: LargestRow,
    far_parent: Option<u32>,
    far_ends: u64,
    /// Where the ends of calls that are open are to be filled in, the outermost first.
    slots: Vec<u32>,
}

impl Packed {
    /// Replaces what came of the batch before. Rows stay where they are.
    pub(super) fn pack(&mut self, batch: &Batch, before: &mut Before) {
        self.clear();
        let late_ends = batch.ends.late.iter();
        let late_ends = late_ends.filter_map(|&end| Some((before.slots.pop()?, end)));
        self.late_ends.extend(late_ends);
        let mut elsewhere = &*batch.ends.elsewhere;
        let rows = batch.rows();
        let mut row = rows.start;
        while row < rows.end {
            let block = (row + 1).next_multiple_of(BLOCK).min(rows.end);
            if row.is_multiple_of(BLOCK) {
                before.block = batch.start(row);
                before.largest = 0;
                let [events, values] = before.block;
                let far_ends = before.far_ends + self.far_ends.len() as u64;
                self.blocks.push([events, values, far_ends]);
            }
            let largest = self
                .pack_near(batch, before, row..block)
                .unwrap_or_else(|| self.pack_any(batch, before, &mut elsewhere, row..block));
            before.largest = before.largest.max(largest);
            self.largest.push(before.largest);
            row = block;
        }
        before.far_ends += self.far_ends.len() as u64;
    }

    /// Packs calls of one block and gives the size of the largest; `None` if some distance does not fit.
    fn pack_near(
        &mut self,
        batch: &Batch,
        before: &Before,
        calls: Range<usize>,
    ) -> Option<LargestRow> {
        let is_reached = |from, to: u64| to.saturating_sub(from) < MOST_BYTES;
        let [events, values] = before.block;
        if !is_reached(events, batch.base[0]) || !is_reached(values, batch.base[1]) {
            return None;
        }
        let [events, values] = [events as u32, values as u32];
        let tree = &mut self.tree[calls.clone()];
        let places = &mut self.places[calls.clone()];
        let [starts, value_starts, ends, value_ends, callers, sizes] =
            batch.rows.columns(calls.clone());
        let first = batch.index(calls.start);
        let mut bits = 0;
        let mut largest = 0;
        for row in 0..tree.len() {
            let from = starts[row].wrapping_sub(events);
            let values_from = value_starts[row].wrapping_sub(values);
            let length = ends[row].wrapping_sub(starts[row]);
            let values_length = value_ends[row].wrapping_sub(value_starts[row]);
            let index = first.wrapping_add(row as u32);
            let distance = distance(index, callers[row]);
            let size = sizes[row];
            bits |= from | values_from | length | values_length | distance | size;
            tree[row] = distance | size << 16;
            places[row] = [from | length << 16, values_from | values_length << 16];
            largest = largest.max(size as i32);
        }
        are_near(bits.into()).then_some(largest as LargestRow)
    }

    /// As `pack_near`, of any calls.
    #[cold]
    fn pack_any(
        &mut self,
        batch: &Batch,
        before: &mut Before,
        elsewhere: &mut &[FarEndRow],
        calls: Range<usize>,
    ) -> LargestRow {
        let mut largest = 0;
        for row in calls {
            let index = batch.index(row);
            let distance = self.caller(index, batch.rows.callers[row], before);
            let start = batch.start(row);
            let from = self.start(start, index, before);
            let end = match batch.rows.sizes[row] {
                ELSEWHERE => elsewhere.split_off_first().copied(),
                size => {
                    let [exit, values] = batch.end(row);
                    Some([far_end_key(index, size), exit, values])
                }
            };
            let (size, lengths) = self.end(start, end, before);
            self.tree[row] = pair(distance, size);
            self.places[row] = [pair(from[0], lengths[0]), pair(from[1], lengths[1])];
            if size != FAR {
                largest = size.max(largest);
            }
        }
        largest
    }

    /// How far back it is.
    fn caller(&mut self, index: u32, caller: u32, before: &mut Before) -> u16 {
        let distance = distance(index, caller);
        if are_near(distance.into()) {
            return distance as u16;
        }
        if before.far_parent != Some(caller) {
            before.far_parent = Some(caller);
            self.far_parents.push([index, caller]);
        }
        FAR
    }

    fn start(&mut self, start: [u64; 2], index: u32, before: &Before) -> [u16; 2] {
        let from = [0, 1].map(|at| start[at].wrapping_sub(before.block[at]));
        if are_near(from[0] | from[1]) {
            return from.map(|from| from as u16);
        }
        self.far_starts.push([index.into(), start[0], start[1]]);
        [FAR; 2]
    }

    /// The calls of the subtree, and the lengths.
    fn end(
        &mut self,
        start: [u64; 2],
        end: Option<FarEndRow>,
        before: &mut Before,
    ) -> (u16, [u16; 2]) {
        let Some(end) = end else {
            return (FAR, [FAR; 2]);
        };
        let size = end[0] >> 32;
        let lengths = [0, 1].map(|at| end[1 + at].wrapping_sub(start[at]));
        if are_near(size | lengths[0] | lengths[1]) {
            return (size as u16, lengths.map(|length| length as u16));
        }
        if end[1] == OPEN {
            let place = before.far_ends + self.far_ends.len() as u64;
            before.slots.push(place as u32);
        }
        self.far_ends.push(end);
        (FAR, [FAR; 2])
    }

    fn clear(&mut self) {
        self.largest.clear();
        self.blocks.clear();
        self.far_parents.clear();
        self.far_starts.clear();
        self.far_ends.clear();
        self.late_ends.clear();
    }
}

/// Two columns of a row as one number.
fn pair(first: u16, second: u16) -> u32 {
    u32::from(first) | u32::from(second) << 16
}

/// How far back a caller is; 0: there is none.
#[inline(always)]
fn distance(index: u32, caller: u32) -> u32 {
    if caller == NO_CALL {
        0
    } else {
        index.wrapping_sub(caller)
    }
}

/// Whether a row has room for distances, from all their bits. A few that it would have room for are far, too.
fn are_near(bits: u64) -> bool {
    bits < u64::from(FAR)
}
