//! Call columns: what the execution tree of a thread looks like, in preorder, on disk.
//!
//! One file per column and thread, mapped and used in place: a scan over one column touches
//! nothing else, and a tree of a hundred million calls needs no memory of its own.

use crate::error::Result;
use crate::index_folder::IndexFolder;
use crate::map::Map;

/// `parent` of a root.
pub(crate) const NO_PARENT: u32 = u32::MAX;
/// `exit` of a call that has not ended.
pub(crate) const OPEN: u64 = u64::MAX;
/// Set in `exit` if the call has no end of its own: the event there ended it from outside.
pub(crate) const LOST: u64 = 1 << 63;

pub(crate) const PARENT: &str = "parent";
pub(crate) const SIZE: &str = "size";
pub(crate) const METHOD: &str = "method";
pub(crate) const ENTRY: &str = "entry";
pub(crate) const EXIT: &str = "exit";
pub(crate) const VALUES: &str = "values";
pub(crate) const VALUES_END: &str = "values-end";
pub(crate) const SEGMENTS: &str = "segments";

/// Events by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct EventCounts {
    pub enter: u64,
    pub exit: u64,
    pub throw: u64,
    pub catch: u64,
    pub this: u64,
    pub sync: u64,
    pub put_field: u64,
    pub put_static: u64,
    pub array_store: u64,
    pub array_range: u64,
    /// Those of the four kinds above that library code did.
    pub by_library: u64,
}

impl EventCounts {
    pub fn total(&self) -> u64 {
        self.enter + self.exit + self.throw + self.catch + self.this + self.sync + self.writes()
    }

    pub fn writes(&self) -> u64 {
        self.put_field + self.put_static + self.array_store + self.array_range
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.enter += other.enter;
        self.exit += other.exit;
        self.throw += other.throw;
        self.catch += other.catch;
        self.this += other.this;
        self.sync += other.sync;
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
}

/// The columns of one thread, mapped.
#[derive(Debug)]
pub(crate) struct Columns {
    pub(crate) summary: Summary,
    parent: Map,
    size: Map,
    method: Map,
    entry: Map,
    exit: Map,
    values: Map,
    values_end: Map,
    segments: Map,
}

impl Columns {
    /// `None` if the files do not have the length that the summary says.
    pub(crate) fn open(folder: &IndexFolder, summary: Summary) -> Result<Option<Self>> {
        let thread = summary.thread;
        let map = |name| Map::open(&path(folder, thread, name));
        let columns = Self {
            parent: map(PARENT)?,
            size: map(SIZE)?,
            method: map(METHOD)?,
            entry: map(ENTRY)?,
            exit: map(EXIT)?,
            values: map(VALUES)?,
            values_end: map(VALUES_END)?,
            segments: map(SEGMENTS)?,
            summary,
        };
        let calls = columns.summary.calls as usize;
        let short = [&columns.parent, &columns.size, &columns.method];
        let long = [
            &columns.entry,
            &columns.exit,
            &columns.values,
            &columns.values_end,
        ];
        let whole = short.iter().all(|map| map.u32s().len() >= calls)
            && long.iter().all(|map| map.u64s().len() >= calls);
        Ok(whole.then_some(columns))
    }

    pub(crate) fn release(&self) {
        let Self {
            parent,
            size,
            method,
            entry,
            exit,
            values,
            values_end,
            segments,
            ..
        } = self;
        for map in [
            parent, size, method, entry, exit, values, values_end, segments,
        ] {
            map.release();
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.summary.calls as usize
    }

    #[inline]
    pub(crate) fn parents(&self) -> &[u32] {
        &self.parent.u32s()[..self.len()]
    }

    #[inline]
    pub(crate) fn sizes(&self) -> &[u32] {
        &self.size.u32s()[..self.len()]
    }

    #[inline]
    pub(crate) fn methods(&self) -> &[u32] {
        &self.method.u32s()[..self.len()]
    }

    #[inline]
    pub(crate) fn entries(&self) -> &[u64] {
        &self.entry.u64s()[..self.len()]
    }

    #[inline]
    pub(crate) fn exits(&self) -> &[u64] {
        &self.exit.u64s()[..self.len()]
    }

    #[inline]
    pub(crate) fn values(&self) -> &[u64] {
        &self.values.u64s()[..self.len()]
    }

    #[inline]
    pub(crate) fn value_ends(&self) -> &[u64] {
        &self.values_end.u64s()[..self.len()]
    }

    /// Start and stamp of each segment, in order.
    pub(crate) fn segments(&self) -> &[[u64; 2]] {
        self.segments.u64s().as_chunks().0
    }
}

pub(crate) fn path(folder: &IndexFolder, thread: u32, name: &str) -> std::path::PathBuf {
    folder.file(&format!("{thread}.{name}"))
}
