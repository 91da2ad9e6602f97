//! Calls whose rows are not in the files yet.
//!
//! The pass notes where calls begin and end as plain numbers, column by column; what is made of them on the way to the
//! files ([`pack`](super::pack)) is the same for all and done for many at once. A batch is small enough to stay in the
//! processor's cache between being filled and being written.

use std::ops::Range;

use crate::columns::{FarEndRow, MethodRow, far_end_key};
use crate::submissions::{SubmitRow, WorkRow};

/// Calls in a batch. With half as many, a tenth of the time of the whole pass went into handing batches over and into
/// the calls of the system that write them.
pub(super) const ROWS: usize = 32 * 1024;

/// The size of a call's subtree whose end stands among the [`elsewhere`](Ends::elsewhere).
pub(super) const ELSEWHERE: u32 = u32::MAX;

/// The caller of a call that has none.
pub(super) const NO_CALL: u32 = u32::MAX;

/// How far events and values may get in a batch: positions in it are told from their lower halves.
pub(super) const MOST_BYTES: u64 = 1 << 30;

const METHOD_SIZE: usize = size_of::<MethodRow>();

/// One row of each call. There is a power of two of them, and a call's row is what its number leaves when it is
/// divided by that: nothing needs to be checked.
#[derive(Debug)]
pub(super) struct Rows {
    /// The lower half of where each begins and ends, in the events and in the values.
    pub(super) starts: [u32; ROWS],
    pub(super) value_starts: [u32; ROWS],
    pub(super) ends: [u32; ROWS],
    pub(super) value_ends: [u32; ROWS],
    /// The number of each caller, or [`NO_CALL`].
    pub(super) callers: [u32; ROWS],
    /// The calls of each subtree.
    pub(super) sizes: [u32; ROWS],
    /// A number of 32 bits is stored at once, over what the next call's will replace; the last one's needs a byte more.
    methods: [u8; ROWS * METHOD_SIZE + 1],
}

/// What is to be written.
#[derive(Debug)]
pub(crate) struct Batch {
    /// Number of the first call.
    pub(super) first: u32,
    pub(super) calls: usize,
    /// Where the pass was, in the events and in the values, when the batch was empty.
    pub(super) base: [u64; 2],
    pub(super) rows: Box<Rows>,
    pub(super) ends: Ends,
    pub(super) segments: Vec<[u64; 2]>,
    pub(super) submits: Vec<SubmitRow>,
    pub(super) works: Vec<WorkRow>,
}

/// Ends that do not stand beside the beginnings.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// Of calls whose size is [`ELSEWHERE`]; in their order when the batch is written.
    pub(super) elsewhere: Vec<FarEndRow>,
    /// Of calls whose rows are written, the innermost first.
    pub(super) late: Vec<FarEndRow>,
}

impl Ends {
    #[cold]
    pub(super) fn note_late(&mut self, index: u32, size: u32, [exit, values]: [u64; 2]) {
        self.late.push([far_end_key(index, size), exit, values]);
    }
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            first: 0,
            calls: 0,
            base: [0; 2],
            rows: Box::new(Rows {
                starts: [0; ROWS],
                value_starts: [0; ROWS],
                ends: [0; ROWS],
                value_ends: [0; ROWS],
                callers: [0; ROWS],
                sizes: [0; ROWS],
                methods: [0; _],
            }),
            ends: Ends::default(),
            segments: Vec::new(),
            submits: Vec::new(),
            works: Vec::new(),
        }
    }
}

impl Rows {
    #[inline(always)]
    pub(super) fn of(index: u32) -> usize {
        index as usize % ROWS
    }

    /// Calls begin in the order of their numbers.
    #[inline(always)]
    pub(super) fn begin(&mut self, index: u32, method: u32, caller: u32, starts: [u64; 2]) {
        let row = Self::of(index);
        if let Some(place) = self.methods[row * METHOD_SIZE..].first_chunk_mut() {
            *place = method.to_le_bytes();
        }
        self.callers[row] = caller;
        self.starts[row] = starts[0] as u32;
        self.value_starts[row] = starts[1] as u32;
    }

    #[inline(always)]
    pub(super) fn end(&mut self, index: u32, size: u32, ends: [u64; 2]) {
        let row = Self::of(index);
        self.sizes[row] = size;
        self.ends[row] = ends[0] as u32;
        self.value_ends[row] = ends[1] as u32;
    }

    pub(super) fn end_elsewhere(&mut self, index: u32) {
        self.sizes[Self::of(index)] = ELSEWHERE;
    }

    /// Where calls begin in the events and in the values, where they end in either, their callers, their sizes.
    #[inline(always)]
    pub(super) fn columns(&self, rows: Range<usize>) -> [&[u32]; 6] {
        let Self {
            starts,
            value_starts,
            ends,
            value_ends,
            callers,
            sizes,
            methods: _,
        } = self;
        let columns = [starts, value_starts, ends, value_ends, callers, sizes];
        columns.map(|column| &column[rows.clone()])
    }

    /// As they stand in the file.
    pub(super) fn methods(&self, rows: Range<usize>) -> &[u8] {
        &self.methods[rows.start * METHOD_SIZE..rows.end * METHOD_SIZE]
    }
}

impl Batch {
    /// The rows of its calls.
    pub(super) fn rows(&self) -> Range<usize> {
        let first = Rows::of(self.first);
        first..first + self.calls
    }

    /// Whether a call of the batch may begin or end there, in the events and in the values.
    pub(super) fn reaches(&self, place: [u64; 2]) -> bool {
        let is_near = |at: usize| place[at].abs_diff(self.base[at]) < MOST_BYTES;
        is_near(0) && is_near(1)
    }

    /// The number of the call in a row.
    pub(super) fn index(&self, row: usize) -> u32 {
        self.first + (row - self.rows().start) as u32
    }

    /// Where a call begins, in the events and in the values.
    pub(super) fn start(&self, row: usize) -> [u64; 2] {
        self.place([self.rows.starts[row], self.rows.value_starts[row]])
    }

    /// Where it ends.
    pub(super) fn end(&self, row: usize) -> [u64; 2] {
        self.place([self.rows.ends[row], self.rows.value_ends[row]])
    }

    fn place(&self, lower: [u32; 2]) -> [u64; 2] {
        [0, 1].map(|at| {
            let base = self.base[at];
            let from = lower[at].wrapping_sub(base as u32) as i32;
            base.wrapping_add_signed(from.into())
        })
    }

    /// Makes it empty, for calls from `next` on, which begin there or later in the events and in the values.
    pub(super) fn clear(&mut self, next: u32, base: [u64; 2]) {
        self.first = next;
        self.calls = 0;
        self.base = base;
        self.ends.elsewhere.clear();
        self.ends.late.clear();
        self.segments.clear();
        self.submits.clear();
        self.works.clear();
    }
}
