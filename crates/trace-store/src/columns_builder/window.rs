//! Rows that are not in the files yet, and the files.
//!
//! Rows are written once, in order, and never changed. The end of a call that is still open when its
//! row is written has a place in a file of its own, where it is filled in when it is known; such calls
//! are no more than the stack is deep. The window is small enough to stay in the processor's cache
//! between being filled and being copied to the files.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::FileExt;
use std::path::Path;

use trace_format::ThreadNumber;
use trace_format::event::size;

use crate::columns::{
    BLOCK, BLOCKS, BlockRow, FAR, FAR_ENDS, FAR_PARENTS, FAR_STARTS, FarEndRow, FarParentRow,
    FarStartRow, LARGEST, LargestRow, METHOD, MethodRow, OPEN, PLACES, PlaceRow, SEGMENTS, TREE,
    TreeRow, largest_of, path,
};
use crate::error::{IoContext, Result};
use crate::index_folder::IndexFolder;
use crate::map::{bytes_of_u16s, bytes_of_u32s, bytes_of_u64s};
use crate::submissions::{SUBMITS, SubmitRow, WORKS, WorkRow};

/// Rows in memory before they are written. With a quarter of them, the calls of the system that write them
/// take a tenth of the time of the whole pass.
const ROWS: usize = 16 * 1024;
/// Bytes of events of a call that is given nothing and gives nothing back.
const SHORTEST_CALL: u64 = (size::ENTER + size::EXIT) as u64;
/// Late ends in memory before they are written.
const LATE_ENDS: usize = 64 * 1024;

/// A call that begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start {
    pub(super) index: u32,
    pub(super) method: u32,
    pub(super) parent: Option<u32>,
    pub(super) events: u64,
    pub(super) values: u64,
}

/// A call that has ended, or that is open: then both ends are [`OPEN`].
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    pub(super) index: u32,
    pub(super) size: u32,
    pub(super) events: u64,
    pub(super) values: u64,
}

impl End {
    fn row(self) -> FarEndRow {
        [
            u64::from(self.size) << 32 | u64::from(self.index),
            self.events,
            self.values,
        ]
    }
}

#[derive(Debug, Default)]
pub(super) struct Window {
    /// Number of the first row.
    first: u32,
    methods: Vec<MethodRow>,
    tree: Vec<TreeRow>,
    places: Vec<PlaceRow>,
    blocks: Vec<BlockRow>,
    far_parents: Vec<FarParentRow>,
    far_starts: Vec<FarStartRow>,
    far_ends: Vec<FarEndRow>,
    pub(super) segments: Vec<[u64; 2]>,
    pub(super) submits: Vec<SubmitRow>,
    pub(super) works: Vec<WorkRow>,
    /// Place in the file and content of ends of calls whose rows are written.
    late_ends: Vec<(u32, FarEndRow)>,
    block_start: [u64; 2],
    /// The largest subtree that begins in the rows that are written of the first block.
    largest_so_far: LargestRow,
    last_far_parent: Option<u32>,
    written: Written,
}

/// Rows in the files whose number is not that of the calls.
#[derive(Debug, Default)]
struct Written {
    blocks: u64,
    far_parents: u64,
    far_starts: u64,
    far_ends: u64,
    segments: u64,
}

impl Window {
    /// Makes room for the calls that so many bytes of events can have.
    pub(super) fn reserve(&mut self, bytes: u64) {
        let rows = usize::try_from(bytes / SHORTEST_CALL).map_or(ROWS, |rows| rows.min(ROWS));
        self.methods.reserve_exact(rows);
        self.tree.reserve_exact(rows);
        self.places.reserve_exact(rows);
    }

    /// Gives back the memory of an empty window: there may be one for each of thousands of threads.
    pub(super) fn shrink(&mut self) {
        self.methods = Vec::new();
        self.tree = Vec::new();
        self.places = Vec::new();
        self.far_ends = Vec::new();
        self.late_ends = Vec::new();
    }

    pub(super) fn is_full(&self) -> bool {
        self.methods.len() >= ROWS
    }

    #[inline(always)]
    pub(super) fn begin(&mut self, start: Start) {
        let Start {
            index,
            method,
            parent,
            events,
            values,
        } = start;
        if (index as usize).is_multiple_of(BLOCK) {
            self.block_start = [events, values];
            // The far ends before it are counted when they are all known.
            self.blocks.push([events, values, 0]);
        }
        let [low, middle, high, _] = method.to_le_bytes();
        self.methods.push([low, middle, high]);
        let distance = match parent {
            None => 0,
            Some(parent) => near(u64::from(index - parent)).unwrap_or_else(|| {
                if self.last_far_parent != Some(parent) {
                    self.last_far_parent = Some(parent);
                    self.far_parents.push([index, parent]);
                }
                FAR
            }),
        };
        // Until it is told how the call ends.
        self.tree.push([distance, FAR]);
        let [first_event, first_value] = self.block_start;
        let near_start =
            near(events.wrapping_sub(first_event)).zip(near(values.wrapping_sub(first_value)));
        let (events_from, values_from) = near_start.unwrap_or_else(|| {
            self.far_starts.push([index.into(), events, values]);
            (FAR, FAR)
        });
        self.places.push([events_from, FAR, values_from, FAR]);
    }

    /// Ends a call; `slot` is where its end has a place already, `start` where it began.
    #[inline(always)]
    pub(super) fn end(&mut self, end: End, slot: Option<u32>, start: [u64; 2]) {
        if let Some(slot) = slot {
            self.late_ends.push((slot, end.row()));
            return;
        }
        let row = end.index.wrapping_sub(self.first) as usize;
        let short = near(end.size.into())
            .zip(near(end.events.wrapping_sub(start[0])))
            .zip(near(end.values.wrapping_sub(start[1])));
        match (short, self.tree.get_mut(row), self.places.get_mut(row)) {
            (Some(((size, events), values)), Some(tree), Some(places)) => {
                tree[1] = size;
                places[1] = events;
                places[3] = values;
            }
            _ => self.far_ends.push(end.row()),
        }
    }

    pub(super) fn has_many_late_ends(&self) -> bool {
        self.late_ends.len() >= LATE_ENDS
    }

    /// Puts all far ends of this window in order and gives each its place in the file. `open` are
    /// the calls in it that have not ended; their places are returned, in the same order.
    pub(super) fn settle(&mut self, open: &[u32]) -> Vec<u32> {
        let ends = open.iter().map(|&index| End {
            index,
            // Whoever reads knows how many calls there are by then.
            size: 0,
            events: OPEN,
            values: OPEN,
        });
        self.far_ends.extend(ends.map(End::row));
        let rows = &mut self.far_ends;
        rows.sort_unstable_by_key(|row| row[0] as u32);
        let before = self.written.far_ends;
        let place =
            |index: u32| before + rows.partition_point(|row| (row[0] as u32) < index) as u64;
        let first_block = u64::from(self.first).div_ceil(BLOCK as u64);
        for (block, at) in self.blocks.iter_mut().zip(first_block..) {
            block[2] = place((at * BLOCK as u64) as u32);
        }
        open.iter().map(|&index| place(index) as u32).collect()
    }

    /// Writes everything; the ends must have been settled.
    pub(super) fn write(&mut self, files: &Files) -> Result<()> {
        let first = u64::from(self.first);
        self.write_largest(files)?;
        let written = &mut self.written;
        write(
            &files.method,
            first,
            self.methods.as_flattened(),
            size_of::<MethodRow>(),
        )?;
        write_u16s(&files.tree, first, &self.tree)?;
        write_u16s(&files.places, first, &self.places)?;
        self.first += self.methods.len() as u32;
        self.methods.clear();
        self.tree.clear();
        self.places.clear();
        append_u64s(&files.blocks, &mut written.blocks, &mut self.blocks)?;
        append_u64s(
            &files.far_starts,
            &mut written.far_starts,
            &mut self.far_starts,
        )?;
        append_u64s(&files.far_ends, &mut written.far_ends, &mut self.far_ends)?;
        append_u64s(&files.segments, &mut written.segments, &mut self.segments)?;
        append_to_end(&files.submits, &mut self.submits)?;
        append_to_end(&files.works, &mut self.works)?;
        let parents = bytes_of_u32s(self.far_parents.as_flattened());
        write(
            &files.far_parents,
            written.far_parents,
            parents,
            size_of::<FarParentRow>(),
        )?;
        written.far_parents += self.far_parents.len() as u64;
        self.far_parents.clear();
        Ok(())
    }

    /// Writes the largest subtree of each block. The first block may have been begun before, and the
    /// last one may go on.
    fn write_largest(&mut self, files: &Files) -> Result<()> {
        let first = self.first as usize;
        let before_next_block = first.next_multiple_of(BLOCK) - first;
        let (begun, blocks) = self.tree.split_at(before_next_block.min(self.tree.len()));
        let mut largest = Vec::with_capacity(self.tree.len() / BLOCK + 2);
        if !begun.is_empty() {
            largest.push(largest_of(begun).max(self.largest_so_far));
        }
        largest.extend(blocks.chunks(BLOCK).map(largest_of));
        let goes_on = !(first + self.tree.len()).is_multiple_of(BLOCK);
        if let Some(&last) = largest.last() {
            self.largest_so_far = if goes_on { last } else { 0 };
        }
        let bytes = bytes_of_u16s(&largest);
        let block = (first / BLOCK) as u64;
        write(&files.largest, block, bytes, size_of::<LargestRow>())
    }

    /// Fills in late ends, neighbours together: deep recursion ends call after call.
    pub(super) fn write_late_ends(&mut self, files: &Files) -> Result<()> {
        self.late_ends.sort_unstable_by_key(|(slot, _)| *slot);
        let mut rest = &self.late_ends[..];
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
            write(&files.far_ends, first.into(), bytes, size_of::<FarEndRow>())?;
        }
        self.late_ends.clear();
        Ok(())
    }
}

/// A distance that a row has room for.
#[inline(always)]
fn near(distance: u64) -> Option<u16> {
    (distance < u64::from(FAR)).then_some(distance as u16)
}

#[derive(Debug)]
pub(super) struct Files {
    method: File,
    tree: File,
    places: File,
    blocks: File,
    largest: File,
    far_parents: File,
    far_starts: File,
    far_ends: File,
    segments: File,
    /// Of all threads together: there may be thousands, with one task each.
    submits: File,
    works: File,
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
}

fn open_shared(folder: &IndexFolder, name: &str) -> Result<File> {
    let path = folder.file(name);
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    options.open(&path).during("create", &path)
}

fn append_to_end<const N: usize>(mut file: &File, rows: &mut Vec<[u64; N]>) -> Result<()> {
    if !rows.is_empty() {
        file.write_all(bytes_of_u64s(rows.as_flattened()))
            .during("write", Path::new("the index"))?;
        rows.clear();
    }
    Ok(())
}

fn write(file: &File, first: u64, rows: &[u8], row_size: usize) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    file.write_all_at(rows, first * row_size as u64)
        .during("write", Path::new("the index"))
}

fn write_u16s<const N: usize>(file: &File, first: u64, rows: &[[u16; N]]) -> Result<()> {
    write(file, first, bytes_of_u16s(rows.as_flattened()), 2 * N)
}

fn append_u64s<const N: usize>(
    file: &File,
    written: &mut u64,
    rows: &mut Vec<[u64; N]>,
) -> Result<()> {
    write(file, *written, bytes_of_u64s(rows.as_flattened()), 8 * N)?;
    *written += rows.len() as u64;
    rows.clear();
    Ok(())
}
