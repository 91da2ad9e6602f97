//! The call columns of all threads, kept on disk, and the time axis between them.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use trace_format::{EventPosition, Stream, ThreadNumber, TraceTime};

use crate::axis::{Axis, AxisBuilder};
use crate::calls::ThreadCalls;
use crate::columns::{Columns, Summary};
use crate::columns_builder::{Buffers, ColumnsBuilder, Events};
use crate::error::Result;
use crate::index_folder::{IndexFolder, Stamp};
use crate::map::Map;
use crate::shared_columns::{self, SharedWriter};
use crate::stream_view::Piece;
use crate::streams::Streams;
use crate::submissions::{SUBMITS, Submissions, WORKS};
use crate::symbols::Symbols;

/// The call columns of all threads and the axis between them.
#[derive(Debug)]
pub(crate) struct CallIndex {
    _folder: Arc<IndexFolder>,
    columns: Vec<Columns>,
    pub(crate) axis: Axis,
    /// From here on nothing was given up.
    pub(crate) known_since: TraceTime,
    /// What was handed over, and what was worked on.
    tasks: [Map; 2],
}

/// Makes the index, as far as a run has been recorded, and goes on when there is more.
#[derive(Debug)]
pub(crate) struct CallIndexBuilder {
    folder: Arc<IndexFolder>,
    builders: Vec<ColumnsBuilder>,
    buffers: Buffers,
    axis: AxisBuilder,
    /// It is made at once and does not go on, so threads that did little can share files.
    is_whole: bool,
}

const NAME: &str = "calls";
/// No stamp is above it.
pub(crate) const EVERYTHING: u64 = u64::MAX;

#[derive(Debug, Serialize, Deserialize)]
struct Content {
    threads: Vec<Summary>,
    axis_end: u64,
}

/// What an index is made from and for.
pub(crate) struct IndexSource<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) streams: &'a Streams,
    pub(crate) symbols: &'a Symbols,
    pub(crate) stamp: Stamp,
    /// The trace will not grow any more: its indexes can be kept.
    pub(crate) finished: bool,
}

impl CallIndexBuilder {
    pub(crate) fn new(trace: &Path) -> Result<Self> {
        Ok(Self {
            folder: Arc::new(IndexFolder::create(trace, NAME)?),
            builders: Vec::new(),
            buffers: Buffers::default(),
            axis: AxisBuilder::default(),
            is_whole: false,
        })
    }

    /// Goes on to the end of what is there, or to where a thread took a stamp above the `last` one. What
    /// was made before is left as it is: who has it can go on reading.
    pub(crate) fn advance(
        &mut self,
        source: &IndexSource<'_>,
        last: u64,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<CallIndex> {
        let builders = &mut self.builders;
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
        let mut shared = match self.is_whole {
            true => Some(SharedWriter::create(&self.folder)?),
            false => None,
        };
        let mut done = 0;
        let mut summaries = Vec::new();
        for builder in builders {
            let mut tell = |position, piece: &Piece<'_>| {
                source.streams.has_read(piece.bytes.len());
                progress(done + position, total);
            };
            let events = Events {
                stream: events(builder.thread()),
                symbols: source.symbols,
                last,
            };
            let (buffers, shared) = (&mut self.buffers, shared.as_mut());
            let summary = builder.advance(buffers, &self.folder, shared, events, &mut tell)?;
            done += summary.end;
            summaries.push(summary);
        }
        if let Some(shared) = shared {
            shared.end()?;
        }
        let shared = shared_columns::open(&self.folder)?;
        let mut columns = Vec::new();
        for summary in summaries {
            columns.extend(Columns::open(&self.folder, &shared, summary)?);
        }
        let axis = self.axis.advance(&self.folder, &columns)?;
        CallIndex::of(source.streams, Arc::clone(&self.folder), columns, axis)
    }
}

impl CallIndex {
    pub(crate) fn open(
        source: &IndexSource<'_>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self> {
        if let Some(index) = Self::find(source) {
            return Ok(index);
        }
        let _indexing = tracing::info_span!("index", of = NAME).entered();
        let mut builder = CallIndexBuilder {
            is_whole: true,
            axis: AxisBuilder::whole(),
            ..CallIndexBuilder::new(source.folder)?
        };
        let index = builder.advance(source, EVERYTHING, progress)?;
        if source.finished {
            let summaries = index.columns.iter().map(|columns| columns.summary.clone());
            let content = Content {
                threads: summaries.collect(),
                axis_end: index.axis.end().0,
            };
            builder
                .folder
                .publish(source.folder, NAME, &source.stamp, content);
        }
        Ok(index)
    }

    fn of(
        streams: &Streams,
        folder: Arc<IndexFolder>,
        columns: Vec<Columns>,
        axis: Axis,
    ) -> Result<Self> {
        let map = |name| match columns.is_empty() {
            true => Ok(Map::default()),
            false => Map::open(&folder.file(name)),
        };
        Ok(Self {
            known_since: known_since(streams, &columns, &axis),
            tasks: [map(SUBMITS)?, map(WORKS)?],
            columns,
            axis,
            _folder: folder,
        })
    }

    pub(crate) fn release(&self) {
        self.columns.iter().for_each(Columns::release);
        self.axis.release();
    }

    pub(crate) fn thread(&self, thread: ThreadNumber) -> Option<ThreadCalls<'_>> {
        let found = self
            .columns
            .binary_search_by_key(&thread.0, |columns| columns.summary.thread);
        Some(ThreadCalls::new(&self.columns[found.ok()?]))
    }

    pub(crate) fn threads(&self) -> impl Iterator<Item = ThreadCalls<'_>> {
        self.columns.iter().map(ThreadCalls::new)
    }

    /// What threads handed over to each other.
    pub(crate) fn submissions(&self) -> Submissions {
        let [submits, works] = &self.tasks;
        Submissions::find(
            submits.u64s().as_chunks().0,
            works.u64s().as_chunks().0,
            &self.axis,
        )
    }

    /// Whether another one has events that this one has not.
    pub(crate) fn differs(&self, other: &Self) -> bool {
        let ends = |index: &Self| -> Vec<(u32, u64)> {
            let summaries = index.columns.iter().map(|columns| &columns.summary);
            summaries.map(|it| (it.thread, it.end)).collect()
        };
        ends(self) != ends(other)
    }

    pub(crate) fn summary(&self, thread: ThreadNumber) -> Option<&Summary> {
        Some(&self.thread(thread)?.columns.summary)
    }

    pub(crate) fn find(source: &IndexSource<'_>) -> Option<Self> {
        let found = IndexFolder::find::<Content>(source.folder, NAME, &source.stamp);
        let (folder, content) = found?;
        let shared = shared_columns::open(&folder).ok()?;
        let mut columns = Vec::new();
        for summary in content.threads {
            columns.push(Columns::open(&folder, &shared, summary).ok()??);
        }
        let axis = Axis::open(&folder, &columns, content.axis_end).ok()?;
        Self::of(source.streams, Arc::new(folder), columns, axis).ok()
    }
}

/// The time from which on the events of all threads are there.
fn known_since(streams: &Streams, columns: &[Columns], axis: &Axis) -> TraceTime {
    if streams.evicted().is_none() {
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
