//! Rows that are not in the files yet.
//!
//! Rows are written once, in order, and never changed. The end of a call that is still open when its
//! row is written has a place in a file of its own, where it is filled in when it is known; such calls
//! are no more than the stack is deep. A batch is small enough to stay in the processor's cache
//! between being filled and being copied to the files.

use crate::columns::{
    BLOCK, BlockRow, FarEndRow, FarParentRow, FarStartRow, LargestRow, MethodRow, largest_of,
};
use crate::submissions::{SubmitRow, WorkRow};

/// Calls in a batch. With a quarter of them, the calls of the system that write them took a tenth of the time of
/// the whole pass; with four times as many the pass itself took a fifth longer: they do not fit into the cache.
pub(super) const ROWS: usize = 16 * 1024;

/// One row of each call. There is a power of two of them, so that a number can be made fit and nothing needs
/// to be checked.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) methods: [MethodRow; ROWS],
    /// [`TreeRow`](crate::columns::TreeRow)s as numbers, which are stored at once.
    pub(super) tree: [u32; ROWS],
    /// [`PlaceRow`](crate::columns::PlaceRow)s likewise.
    pub(super) places: [u64; ROWS],
}

/// What is to be written.
#[derive(Debug)]
pub(crate) struct Batch {
    /// Number of the first call.
    pub(super) first: u32,
    pub(super) calls: usize,
    pub(super) rows: Box<Rows>,
    pub(super) blocks: Vec<BlockRow>,
    pub(super) far_parents: Vec<FarParentRow>,
    pub(super) far_starts: Vec<FarStartRow>,
    pub(super) far_ends: Vec<FarEndRow>,
    pub(super) segments: Vec<[u64; 2]>,
    pub(super) submits: Vec<SubmitRow>,
    pub(super) works: Vec<WorkRow>,
    /// Place in the file and content of ends of calls whose rows are written.
    pub(super) late_ends: Vec<(u32, FarEndRow)>,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            first: 0,
            calls: 0,
            rows: Box::new(Rows {
                methods: [[0; 3]; ROWS],
                tree: [0; ROWS],
                places: [0; ROWS],
            }),
            blocks: Vec::new(),
            far_parents: Vec::new(),
            far_starts: Vec::new(),
            far_ends: Vec::new(),
            segments: Vec::new(),
            submits: Vec::new(),
            works: Vec::new(),
            late_ends: Vec::new(),
        }
    }
}

impl Rows {
    /// The row of a call, given the first one.
    #[inline(always)]
    pub(super) fn of(first: u32, index: u32) -> usize {
        index.wrapping_sub(first) as usize % ROWS
    }

    /// Sets the row of a call: the distance of its caller and the size of its subtree; where it begins and how long it
    /// is, each in the events and, in the upper half, in the values.
    #[inline(always)]
    pub(super) fn set(&mut self, row: usize, method: u32, tree: [u16; 2], places: [u64; 2]) {
        let [low, middle, high, _] = method.to_le_bytes();
        self.methods[row] = [low, middle, high];
        self.tree[row] = u32::from(tree[0]) | u32::from(tree[1]) << 16;
        self.places[row] = places[0] | places[1] << 16;
    }
}

impl Batch {
    /// The largest subtree of each block. The first block may have been begun before, and the last one may go on:
    /// `so_far` is the largest of those that began in it.
    pub(super) fn largest(&self, so_far: &mut LargestRow) -> Vec<LargestRow> {
        let first = self.first as usize;
        let tree = &self.rows.tree[..self.calls];
        let before_next_block = first.next_multiple_of(BLOCK) - first;
        let (begun, blocks) = tree.split_at(before_next_block.min(tree.len()));
        let mut largest = Vec::with_capacity(tree.len() / BLOCK + 2);
        if !begun.is_empty() {
            largest.push(largest_of(begun).max(*so_far));
        }
        largest.extend(blocks.chunks(BLOCK).map(largest_of));
        let goes_on = !(first + tree.len()).is_multiple_of(BLOCK);
        if let Some(&last) = largest.last() {
            *so_far = if goes_on { last } else { 0 };
        }
        largest
    }

    /// Makes it empty, for calls from `next` on.
    pub(super) fn clear(&mut self, next: u32) {
        self.first = next;
        self.calls = 0;
        self.blocks.clear();
        self.far_parents.clear();
        self.far_starts.clear();
        self.far_ends.clear();
        self.segments.clear();
        self.submits.clear();
        self.works.clear();
        self.late_ends.clear();
    }
}
