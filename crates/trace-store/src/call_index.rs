//! The call columns of all threads, kept on disk, and the time axis between them.

use serde::{Deserialize, Serialize};
use trace_format::{EventPosition, Stream, ThreadNumber, TraceTime};

use crate::axis::Axis;
use crate::calls::Calls;
use crate::columns::{Columns, Summary};
use crate::columns_builder::ColumnsBuilder;
use crate::error::Result;
use crate::index_folder::{IndexFolder, Stamp};
use crate::map::Map;
use crate::stream_view::Piece;
use crate::streams::Streams;
use crate::submissions::{SUBMITS, Submissions, WORKS};
use crate::symbols::Symbols;

/// The call columns of all threads and the axis between them.
#[derive(Debug)]
pub(crate) struct CallIndex {
    folder: IndexFolder,
    columns: Vec<Columns>,
    pub(crate) axis: Axis,
    /// From here on nothing was given up.
    pub(crate) known_since: TraceTime,
    /// To go on from when there is more; only of an index that is not published.
    builders: Vec<ColumnsBuilder>,
}

const NAME: &str = "calls";

#[derive(Debug, Serialize, Deserialize)]
struct Content {
    threads: Vec<Summary>,
    axis_end: u64,
}

/// What an index is made from and for.
pub(crate) struct Source<'a> {
    pub(crate) folder: &'a std::path::Path,
    pub(crate) streams: &'a Streams,
    pub(crate) symbols: &'a Symbols,
    pub(crate) stamp: Stamp,
    /// The trace will not grow any more: its indexes can be kept.
    pub(crate) finished: bool,
}

impl CallIndex {
    pub(crate) fn open(source: &Source<'_>, progress: &mut dyn FnMut(u64, u64)) -> Result<Self> {
        match Self::find(source) {
            Some(index) => Ok(index),
            None => {
                let folder = IndexFolder::create(source.folder, NAME)?;
                Self::build(source, folder, Vec::new(), progress)
            }
        }
    }

    /// Goes on where the index ends; starts anew if it was a published one.
    pub(crate) fn refresh(self, source: &Source<'_>) -> Result<Self> {
        let Self {
            folder,
            columns,
            builders,
            ..
        } = self;
        drop(columns);
        if folder.is_private() {
            Self::build(source, folder, builders, &mut |_, _| {})
        } else {
            Self::open(source, &mut |_, _| {})
        }
    }

    pub(crate) fn release(&self) {
        self.columns.iter().for_each(Columns::release);
        self.axis.release();
    }

    pub(crate) fn thread(&self, thread: ThreadNumber) -> Option<Calls<'_>> {
        let found = self
            .columns
            .binary_search_by_key(&thread.0, |columns| columns.summary.thread);
        Some(Calls::new(&self.columns[found.ok()?]))
    }

    pub(crate) fn threads(&self) -> impl Iterator<Item = Calls<'_>> {
        self.columns.iter().map(Calls::new)
    }

    /// What threads handed over to each other.
    pub(crate) fn submissions(&self) -> Result<Submissions> {
        if self.columns.is_empty() {
            return Ok(Submissions::default());
        }
        let map = |name| Map::open(&self.folder.file(name));
        let (submits, works) = (map(SUBMITS)?, map(WORKS)?);
        Ok(Submissions::find(
            submits.u64s().as_chunks().0,
            works.u64s().as_chunks().0,
            &self.axis,
        ))
    }

    pub(crate) fn summary(&self, thread: ThreadNumber) -> Option<&Summary> {
        Some(&self.thread(thread)?.columns.summary)
    }

    fn find(source: &Source<'_>) -> Option<Self> {
        let found = IndexFolder::find::<Content>(source.folder, NAME, &source.stamp);
        let (folder, content) = found?;
        let mut columns = Vec::new();
        for summary in content.threads {
            columns.push(Columns::open(&folder, summary).ok()??);
        }
        let axis = Axis::open(&folder, &columns, content.axis_end).ok()?;
        Some(Self {
            known_since: known_since(source.streams, &columns, &axis),
            folder,
            columns,
            axis,
            builders: Vec::new(),
        })
    }

    fn build(
        source: &Source<'_>,
        mut folder: IndexFolder,
        mut builders: Vec<ColumnsBuilder>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self> {
        for thread in source.streams.threads() {
            let found = builders.binary_search_by_key(&thread, ColumnsBuilder::thread);
            if let Err(place) = found {
                let events = source.streams.view(thread, Stream::Events);
                let values = source.streams.values_at_begin(thread);
                let builder = ColumnsBuilder::new(thread, events.begin(), values);
                builders.insert(place, builder);
            }
        }
        let events = |thread| source.streams.view(thread, Stream::Events);
        let total = builders
            .iter()
            .map(|builder| events(builder.thread()).length())
            .sum();
        let mut done = 0;
        let mut columns = Vec::new();
        for builder in &mut builders {
            let mut tell = |position, piece: &Piece<'_>| {
                source.streams.has_read(piece);
                progress(done + position, total);
            };
            let stream = events(builder.thread());
            let summary = builder.advance(&folder, stream, source.symbols, &mut tell)?;
            done += summary.end;
            columns.extend(Columns::open(&folder, summary)?);
        }
        let axis = Axis::build(&folder, &columns)?;
        if source.finished {
            let threads = columns
                .iter()
                .map(|columns| columns.summary.clone())
                .collect();
            let content = Content {
                threads,
                axis_end: axis.end().0,
            };
            folder.publish(source.folder, NAME, &source.stamp, content);
        }
        if !folder.is_private() {
            builders = Vec::new();
        }
        Ok(Self {
            known_since: known_since(source.streams, &columns, &axis),
            folder,
            columns,
            axis,
            builders,
        })
    }
}

/// The time from which on the events of all threads are there.
fn known_since(streams: &Streams, columns: &[Columns], axis: &Axis) -> TraceTime {
    if streams.given_up().is_none() {
        return TraceTime(0);
    }
    let kept = columns.iter().filter_map(|columns| {
        let thread = ThreadNumber(columns.summary.thread);
        let kept_from = streams.view(thread, Stream::Events).kept_from();
        let has_stamp = columns
            .segments()
            .last()
            .is_some_and(|[start, _]| *start >= kept_from);
        match kept_from {
            0 => None,
            // A thread that left nothing else may have gone on to the end.
            _ if !has_stamp && columns.summary.end <= kept_from => Some(axis.end()),
            _ => Some(axis.time(thread, EventPosition(kept_from))),
        }
    });
    let kept = kept.max().unwrap_or_default();
    // Of threads that are gone altogether only a stamp is left.
    let lost_until = streams.lost_until();
    if lost_until == 0 {
        return kept;
    }
    let after = columns.iter().filter_map(|columns| {
        let segments = columns.segments();
        let at = segments.partition_point(|[_, stamp]| *stamp < lost_until);
        let [position, _] = segments.get(at)?;
        let thread = ThreadNumber(columns.summary.thread);
        Some(axis.time(thread, EventPosition(*position)))
    });
    kept.max(after.min().unwrap_or(axis.end()))
}
