//! Call columns: what the execution tree of a thread looks like, in preorder, on disk.
//!
//! Columns are mapped and used in place: a scan over one touches nothing else, and a tree of a
//! hundred million calls needs no memory of its own. Writing them is most of what indexing costs,
//! so they are small: fifteen bytes a call. Nearly all calls are short and have a caller that is
//! near, so rows hold distances of sixteen bits. A distance that does not fit is [`FAR`], and a row
//! in another file says it; rows there are few, and sorted by the call's number.
//!
//! Of each call: its method (24 bits); how far back its caller is and how many calls its subtree
//! has; where it begins, counted from the first call of its block of [`BLOCK`] calls, and how
//! long it is, in events and in values.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use trace_format::event::tag;

use crate::error::Result;
use crate::index_folder::IndexFolder;
use crate::map::Map;
use crate::shared_columns::{self, COLUMNS};

/// A distance that stands in another file.
pub(crate) const FAR: u16 = u16::MAX;
/// Calls whose beginnings are counted from the same place.
pub(crate) const BLOCK: usize = 64;
/// `exit` of a call that has not ended. One that had not ended where the columns end may get another exit later, under
/// the eyes of who reads them: it lies behind their end, and is taken for this.
pub(crate) const OPEN: u64 = u64::MAX;
/// Set in `exit` if the call has no end of its own: the event there ended it from outside.
pub(crate) const LOST: u64 = 1 << 63;

pub(crate) const METHOD: &str = "method";
pub(crate) const TREE: &str = "tree";
pub(crate) const PLACES: &str = "places";
pub(crate) const BLOCKS: &str = "blocks";
pub(crate) const LARGEST: &str = "largest";
pub(crate) const FAR_PARENTS: &str = "far-parents";
pub(crate) const FAR_STARTS: &str = "far-starts";
pub(crate) const FAR_ENDS: &str = "far-ends";
pub(crate) const SEGMENTS: &str = "segments";

/// In the order in which a file that many threads share has them.
const NAMES: [&str; COLUMNS] = [
    METHOD,
    TREE,
    PLACES,
    BLOCKS,
    LARGEST,
    FAR_PARENTS,
    FAR_STARTS,
    FAR_ENDS,
    SEGMENTS,
];

/// A method's number: it has 23 bits in the trace.
pub(crate) type MethodRow = [u8; 3];
/// How many calls back the caller is (0: there is none), and the calls of the subtree.
pub(crate) type TreeRow = [u16; 2];
/// Beginning and length in the events, then in the values. Either both beginnings are [`FAR`] or
/// none is; either the subtree's size and both lengths are or none is.
pub(crate) type PlaceRow = [u16; 4];
/// Where the first call of a block begins in events and in values, and the far ends before it.
pub(crate) type BlockRow = [u64; 3];
/// The calls of the largest subtree that begins in a block, of those that are not [`FAR`].
pub(crate) type LargestRow = u16;
/// From this call on, calls whose caller is far have this one.
pub(crate) type FarParentRow = [u32; 2];
/// Call, beginning in the events, beginning in the values.
pub(crate) type FarStartRow = [u64; 3];
/// Call and, above it, the size of its subtree; its end in the events; its end in the values.
pub(crate) type FarEndRow = [u64; 3];

/// One number for each tag of an event that is neither ENTER nor EXIT.
pub(crate) type Tags = [u64; tag::EXIT as usize];

/// Events by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct EventCounts {
    pub enter: u64,
    pub exit: u64,
    pub throw: u64,
    pub catch: u64,
    pub this: u64,
    pub sync: u64,
    /// Tasks handed over to other threads.
    pub submit: u64,
    pub put_field: u64,
    pub put_static: u64,
    pub array_store: u64,
    pub array_range: u64,
    /// Those of the four kinds above that library code did.
    pub by_library: u64,
}

impl EventCounts {
    pub fn total(&self) -> u64 {
        self.enter
            + self.exit
            + self.throw
            + self.catch
            + self.this
            + self.sync
            + self.submit
            + self.writes()
    }

    pub fn writes(&self) -> u64 {
        self.put_field + self.put_static + self.array_store + self.array_range
    }

    /// From how often each other tag was seen.
    pub(crate) fn of(enter: u64, exit: u64, tags: &Tags) -> Self {
        let mut counts = Self {
            enter,
            exit,
            ..Self::default()
        };
        for (tag, &count) in (0..).zip(tags) {
            match tag {
                tag::END | tag::MARK => {}
                tag::SUBMIT => counts.submit += count,
                tag::TASK | tag::TEXT => {}
                tag::THROW => counts.throw += count,
                tag::CATCH => counts.catch += count,
                tag::THIS => counts.this += count,
                tag::SYNC => counts.sync += count,
                _ => counts.add_writes(tag, count),
            }
        }
        counts
    }

    fn add_writes(&mut self, tag: u8, count: u64) {
        if tag & tag::BY_LIBRARY != 0 {
            self.by_library += count;
        }
        match tag & !tag::BY_LIBRARY {
            tag::PUT_FIELD | tag::PUT_THIS => self.put_field += count,
            tag::PUT_STATIC => self.put_static += count,
            tag::ARRAY_RANGE => self.array_range += count,
            _ => self.array_store += count,
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.enter += other.enter;
        self.exit += other.exit;
        self.throw += other.throw;
        self.catch += other.catch;
        self.this += other.this;
        self.sync += other.sync;
        self.submit += other.submit;
        self.put_field += other.put_field;
        self.put_static += other.put_static;
        self.array_store += other.array_store;
        self.array_range += other.array_range;
        self.by_library += other.by_library;
    }
}

/// What the pass found besides the columns.
#[derive(Debug, Clone, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Summary {
    pub(crate) thread: u32,
    pub(crate) calls: u32,
    pub(crate) counts: EventCounts,
    /// Caller and callee of every sort of call there is.
    pub(crate) graph: Vec<[u32; 2]>,
    /// Position after the last whole event.
    pub(crate) end: u64,
    /// Why the pass stopped before the end of the stream.
    pub(crate) damage: Option<String>,
    /// Where the columns stand among those of other threads; `None` if they are files of their own.
    pub(crate) shared_at: Option<u64>,
}

/// The columns of one thread, mapped.
#[derive(Debug)]
pub(crate) struct Columns {
    pub(crate) summary: Summary,
    method: Map,
    tree: Map,
    places: Map,
    blocks: Map,
    largest: Map,
    far_parents: Map,
    far_starts: Map,
    far_ends: Map,
    segments: Map,
}

impl Columns {
    /// `None` if the files do not have the length that the summary says.
    pub(crate) fn open(
        folder: &IndexFolder,
        shared: &Arc<Map>,
        summary: Summary,
    ) -> Result<Option<Self>> {
        let maps = match summary.shared_at {
            Some(at) => shared_columns::columns(shared, at),
            None => Some(own_columns(folder, summary.thread)?),
        };
        let Some(maps) = maps else {
            return Ok(None);
        };
        let [
            method,
            tree,
            places,
            blocks,
            largest,
            far_parents,
            far_starts,
            far_ends,
            segments,
        ] = maps;
        let columns = Self {
            method,
            tree,
            places,
            blocks,
            largest,
            far_parents,
            far_starts,
            far_ends,
            segments,
            summary,
        };
        let calls = columns.len();
        let whole = columns.method.bytes().len() >= calls * size_of::<MethodRow>()
            && columns.tree.bytes().len() >= calls * size_of::<TreeRow>()
            && columns.places.bytes().len() >= calls * size_of::<PlaceRow>()
            && columns.blocks().len() >= calls.div_ceil(BLOCK)
            && columns.largest.u16s().len() >= calls.div_ceil(BLOCK);
        Ok(whole.then_some(columns))
    }

    pub(crate) fn release(&self) {
        let Self {
            summary: _,
            method,
            tree,
            places,
            blocks,
            largest,
            far_parents,
            far_starts,
            far_ends,
            segments,
        } = self;
        for map in [
            method,
            tree,
            places,
            blocks,
            largest,
            far_parents,
            far_starts,
            far_ends,
            segments,
        ] {
            map.release();
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.summary.calls as usize
    }

    #[inline]
    pub(crate) fn methods(&self) -> &[MethodRow] {
        &self.method.bytes().as_chunks().0[..self.len()]
    }

    #[inline]
    pub(crate) fn method(&self, index: u32) -> u32 {
        method_of(self.methods()[index as usize])
    }

    #[inline]
    pub(crate) fn parent(&self, index: u32) -> Option<u32> {
        match self.tree()[index as usize][0] {
            0 => None,
            FAR => {
                let rows: &[FarParentRow] = self.far_parents.u32s().as_chunks().0;
                let after = rows.partition_point(|row| row[0] <= index);
                Some(rows.get(after.checked_sub(1)?)?[1])
            }
            distance => index.checked_sub(distance.into()),
        }
    }

    /// The calls of the subtree, as written: a damaged index may say anything.
    #[inline]
    pub(crate) fn size(&self, index: u32) -> u32 {
        match self.tree()[index as usize][1] {
            FAR => self.far_end(index).map_or(1, |row| self.far_size(&row)),
            size => size.into(),
        }
    }

    /// The calls of the largest subtree that begins in each block.
    pub(crate) fn largest(&self) -> Vec<u32> {
        // Calls that came later may have their share in what stands for the last block.
        let whole = self.len() / BLOCK;
        let near = &self.largest.u16s()[..whole];
        let last = largest_of(&self.tree()[whole * BLOCK..self.len()]);
        let last = (!self.len().is_multiple_of(BLOCK)).then_some(last);
        let near = near.iter().copied().chain(last);
        let mut largest: Vec<u32> = near.map(u32::from).collect();
        for row in self.far_ends().iter().map(load) {
            if let Some(largest) = largest.get_mut(row[0] as u32 as usize / BLOCK) {
                *largest = self.far_size(&row).max(*largest);
            }
        }
        largest
    }

    /// Where the call begins in the events and in the values.
    #[inline]
    pub(crate) fn start(&self, index: u32) -> [u64; 2] {
        let [events, _, values, _] = self.places()[index as usize];
        if events == FAR {
            let rows: &[FarStartRow] = self.far_starts.u64s().as_chunks().0;
            let found = rows.binary_search_by_key(&u64::from(index), |row| row[0]);
            return found.map_or([0, 0], |at| [rows[at][1], rows[at][2]]);
        }
        let [first_event, first_value, _] = self.blocks()[index as usize / BLOCK];
        [
            first_event.saturating_add(events.into()),
            first_value.saturating_add(values.into()),
        ]
    }

    /// Where the call ends in the events, with [`LOST`], or [`OPEN`]; and where in the values.
    #[inline]
    pub(crate) fn end(&self, index: u32) -> [u64; 2] {
        self.extent(index)[1]
    }

    /// Start and end.
    #[inline]
    pub(crate) fn extent(&self, index: u32) -> [[u64; 2]; 2] {
        let [_, events, _, values] = self.places()[index as usize];
        let start = self.start(index);
        let end = if events == FAR {
            let row = self.far_end(index).filter(|row| self.has_ended(row));
            row.map_or([OPEN, OPEN], |row| [row[1], row[2]])
        } else {
            [
                start[0].saturating_add(events.into()),
                start[1].saturating_add(values.into()),
            ]
        };
        [start, end]
    }

    /// The number of calls that begin at a position or before it.
    pub(crate) fn begun_until(&self, position: u64) -> usize {
        let blocks = &self.blocks()[..self.len().div_ceil(BLOCK)];
        let after = blocks.partition_point(|block| block[0] <= position);
        let first = after.saturating_sub(1) * BLOCK;
        let last = (after * BLOCK).min(self.len());
        (first..last)
            .find(|&index| self.start(index as u32)[0] > position)
            .unwrap_or(last)
    }

    /// Start and stamp of each segment, in order.
    pub(crate) fn segments(&self) -> &[[u64; 2]] {
        self.segments.u64s().as_chunks().0
    }

    #[inline]
    fn tree(&self) -> &[TreeRow] {
        self.tree.u16s().as_chunks().0
    }

    #[inline]
    fn places(&self) -> &[PlaceRow] {
        self.places.u16s().as_chunks().0
    }

    #[inline]
    fn blocks(&self) -> &[BlockRow] {
        self.blocks.u64s().as_chunks().0
    }

    /// Whether a call had ended where the columns end.
    fn has_ended(&self, row: &FarEndRow) -> bool {
        row[1] & !LOST < self.summary.end
    }

    /// An open call holds all that come after it.
    fn far_size(&self, row: &FarEndRow) -> u32 {
        if self.has_ended(row) {
            (row[0] >> 32) as u32
        } else {
            self.summary.calls.saturating_sub(row[0] as u32)
        }
    }

    fn far_ends(&self) -> &[[AtomicU64; 3]] {
        self.far_ends.atomic_u64s().as_chunks().0
    }

    fn far_end(&self, index: u32) -> Option<FarEndRow> {
        let rows = self.far_ends();
        let block = index as usize / BLOCK;
        let count_before = |block: &BlockRow| block[2] as usize;
        let first = self.blocks().get(block).map(count_before)?;
        let last = self.blocks().get(block + 1).map(count_before);
        let rows = rows.get(first..last.unwrap_or(rows.len()))?;
        let found = rows.binary_search_by_key(&index, |row| row[0].load(Ordering::Relaxed) as u32);
        rows.get(found.ok()?).map(load)
    }
}

/// While a call's end is filled in, each number is either the old or the new one.
fn load(row: &[AtomicU64; 3]) -> FarEndRow {
    row.each_ref().map(|number| number.load(Ordering::Relaxed))
}

/// The largest of the subtrees whose size is not [`FAR`].
fn largest_of(rows: &[TreeRow]) -> LargestRow {
    let sizes = rows.iter().map(|&[_, size]| size);
    sizes.filter(|&size| size != FAR).max().unwrap_or(0)
}

/// What a [`FarEndRow`] begins with.
pub(crate) fn far_end_key(index: u32, size: u32) -> u64 {
    u64::from(size) << 32 | u64::from(index)
}

pub(crate) fn method_of([low, middle, high]: MethodRow) -> u32 {
    u32::from_le_bytes([low, middle, high, 0])
}

fn own_columns(folder: &IndexFolder, thread: u32) -> Result<[Map; COLUMNS]> {
    let mut columns: [Map; COLUMNS] = Default::default();
    for (column, name) in columns.iter_mut().zip(NAMES) {
        *column = Map::open(&path(folder, thread, name))?;
    }
    Ok(columns)
}

pub(crate) fn path(folder: &IndexFolder, thread: u32, name: &str) -> std::path::PathBuf {
    folder.file(&format!("{thread}.{name}"))
}
