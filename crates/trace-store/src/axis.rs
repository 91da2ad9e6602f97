//! The time axis that all threads share.
//!
//! Within a thread, time is the position in its events. Stamps cut a thread's events into
//! segments; the segments of all threads, ordered by their stamps and laid end to end, are the
//! axis, so a time on it is again a number of bytes. With one thread it is that thread's
//! positions.
//!
//! The axis of a run that goes on grows at its end: what is new of all threads is ordered in itself and comes after
//! all that was there. So times stay what they are, as long as nothing that is there has seen anything that is not.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::ops::Range;

use trace_format::{EventPosition, ThreadNumber, TraceTime};

use crate::columns::Columns;
use crate::error::{IoContext, Result};
use crate::external_sort::ExternalSort;
use crate::index_folder::IndexFolder;
use crate::map::Map;

const AXIS: &str = "axis";
/// The threads' views of it, if they share a file.
const TIMES: &str = "times";

#[derive(Debug)]
pub(crate) struct Axis {
    /// With a single thread there is nothing to translate.
    single: Option<ThreadNumber>,
    /// Time, thread, position: the start of each stretch of the axis, in order.
    stretches: Map,
    views: Views,
    end: u64,
}

/// How threads see the axis.
#[derive(Debug)]
enum Views {
    /// Per thread: position and time of its stretches, in order.
    Own(Vec<(ThreadNumber, Map)>),
    /// Thread, position and time of all stretches, in order, and which of them each thread has. There may be a hundred
    /// thousand threads.
    Shared(Map, Vec<(ThreadNumber, Range<usize>)>),
}

/// Lays what the threads did end to end.
#[derive(Debug, Default)]
pub(crate) struct AxisBuilder {
    /// Threads, and how far each is laid.
    laid: BTreeMap<u32, u64>,
    /// The thread that was laid last.
    last: Option<u32>,
    /// The last place on the axis is the one after that thread's last event.
    ends_after_last: bool,
    time: u64,
    /// As long as there is one thread, nothing need be written.
    is_written: bool,
    /// It is made at once and does not go on.
    is_whole: bool,
}

impl AxisBuilder {
    /// For an axis that does not go on.
    pub(crate) fn whole() -> Self {
        Self {
            is_whole: true,
            ..Self::default()
        }
    }

    /// Goes on to where the threads' columns end.
    pub(crate) fn advance(&mut self, folder: &IndexFolder, threads: &[Columns]) -> Result<Axis> {
        if let [] | [_] = threads {
            let single = threads.first().map(|columns| &columns.summary);
            if let Some(summary) = single {
                self.laid.insert(summary.thread, summary.end);
                self.last = Some(summary.thread);
                self.ends_after_last = true;
            }
            let axis = Axis::of_one(threads);
            self.time = axis.end;
            return Ok(axis);
        }
        let mut files = Files::open(folder, threads, self.is_whole)?;
        if !self.is_written
            && let Some((&first, _)) = self.laid.first_key_value()
        {
            let number = threads.iter().position(|it| it.summary.thread == first);
            files.begin_stretch(number.unwrap_or_default(), first, 0, 0)?;
        }
        self.is_written = true;
        self.merge(&mut files, threads)?;
        files.end()?;
        Axis::open(folder, threads, self.time)
    }

    fn merge(&mut self, files: &mut Files<'_>, threads: &[Columns]) -> Result<()> {
        let mut unlaid: Vec<Unlaid<'_>> = Vec::new();
        let mut queue: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
        for (number, columns) in threads.iter().enumerate() {
            let laid = self.laid.get(&columns.summary.thread).copied();
            let rest = Unlaid::of(columns, laid, number == 0);
            queue.extend(rest.stamp().map(|stamp| Reverse((stamp, number))));
            unlaid.push(rest);
        }
        while let Some(Reverse((_, number))) = queue.pop() {
            let thread = threads[number].summary.thread;
            let Some(Range { start, end }) = unlaid[number].take() else {
                continue;
            };
            let next = unlaid[number].stamp();
            queue.extend(next.map(|stamp| Reverse((stamp, number))));
            if self.last != Some(thread) {
                files.begin_stretch(number, thread, start, self.time)?;
            } else if self.ends_after_last {
                // That place is where it goes on.
                self.time = self.time.saturating_sub(1);
            }
            self.last = Some(thread);
            self.ends_after_last = next.is_none();
            self.laid.insert(thread, threads[number].summary.end);
            self.time = self.time.saturating_add(end.saturating_sub(start));
        }
        Ok(())
    }
}

impl Axis {
    /// That of a single thread, or none.
    fn of_one(threads: &[Columns]) -> Self {
        let summary = threads.first().map(|columns| &columns.summary);
        Self {
            single: Some(ThreadNumber(summary.map_or(0, |summary| summary.thread))),
            stretches: Map::default(),
            views: Views::Own(Vec::new()),
            end: summary.map_or(0, |summary| summary.end) + 1,
        }
    }

    /// The axis that an [`AxisBuilder`] has left in the folder.
    pub(crate) fn open(folder: &IndexFolder, threads: &[Columns], end: u64) -> Result<Self> {
        if threads.len() < 2 {
            return Ok(Self::of_one(threads));
        }
        let stretches = Map::open(&folder.file(AXIS))?;
        Ok(Self {
            single: None,
            stretches,
            views: Views::open(folder, threads)?,
            end,
        })
    }

    pub(crate) fn release(&self) {
        self.stretches.release();
        match &self.views {
            Views::Own(threads) => threads.iter().for_each(|(_, map)| map.release()),
            Views::Shared(rows, _) => rows.release(),
        }
    }

    /// There is one thread, or none.
    pub(crate) fn is_single(&self) -> bool {
        self.single.is_some()
    }

    pub(crate) fn end(&self) -> TraceTime {
        TraceTime(self.end)
    }

    /// The time of the event at a position.
    pub(crate) fn time(&self, thread: ThreadNumber, position: EventPosition) -> TraceTime {
        self.time_in(thread, position, 0, |start| start <= position.0)
    }

    /// The time of something that happened before the event at a position and after the one
    /// before that. They differ where a segment begins: other threads may have run in between.
    pub(crate) fn time_before(&self, thread: ThreadNumber, position: EventPosition) -> TraceTime {
        self.time_in(thread, position, 1, |start| start < position.0)
    }

    /// By the last stretch of the thread whose start has begun, or by one of the `least` first.
    fn time_in(
        &self,
        thread: ThreadNumber,
        position: EventPosition,
        least: usize,
        has_begun: impl Fn(u64) -> bool,
    ) -> TraceTime {
        if self.single.is_some() {
            return TraceTime(position.0);
        }
        match self.views.stretch(thread, least, has_begun) {
            Some([start, time]) => TraceTime(time.saturating_add(position.0.saturating_sub(start))),
            None => TraceTime(0),
        }
    }

    pub(crate) fn position(&self, time: TraceTime) -> (ThreadNumber, EventPosition) {
        if let Some(thread) = self.single {
            return (thread, EventPosition(time.0));
        }
        let rows: &[[u64; 3]] = self.stretches.u64s().as_chunks().0;
        let after = rows.partition_point(|row| row[0] <= time.0);
        match after.checked_sub(1).and_then(|row| rows.get(row)) {
            Some([start, thread, position]) => {
                let position = position.saturating_add(time.0.saturating_sub(*start));
                (ThreadNumber(*thread as u32), EventPosition(position))
            }
            None => (ThreadNumber(0), EventPosition(0)),
        }
    }
}

impl Views {
    fn open(folder: &IndexFolder, threads: &[Columns]) -> Result<Self> {
        let shared = folder.file(TIMES);
        if shared.exists() {
            return Ok(Self::shared(Map::open(&shared)?, threads));
        }
        let mut maps = Vec::new();
        for columns in threads {
            let thread = columns.summary.thread;
            let map = Map::open(&folder.file(&of_thread(thread)))?;
            maps.push((ThreadNumber(thread), map));
        }
        Ok(Self::Own(maps))
    }

    fn shared(map: Map, threads: &[Columns]) -> Self {
        let rows: &[[u64; 3]] = map.u64s().as_chunks().0;
        let mut begin = 0;
        let ranges = threads.iter().map(|columns| {
            let thread = columns.summary.thread;
            let rest = rows.get(begin..).unwrap_or_default();
            let range = begin..begin + rest.partition_point(|row| row[0] <= u64::from(thread));
            begin = range.end;
            (ThreadNumber(thread), range)
        });
        let ranges = ranges.collect();
        Self::Shared(map, ranges)
    }

    /// Start and time of the last stretch of a thread that has begun, or of one of the `least` first.
    fn stretch(
        &self,
        thread: ThreadNumber,
        least: usize,
        has_begun: impl Fn(u64) -> bool,
    ) -> Option<[u64; 2]> {
        let after = |begun: usize| begun.max(least).checked_sub(1);
        match self {
            Self::Own(threads) => {
                let found = threads.binary_search_by_key(&thread, |(thread, _)| *thread);
                let rows: &[[u64; 2]] = threads[found.ok()?].1.u64s().as_chunks().0;
                let begun = rows.partition_point(|row| has_begun(row[0]));
                rows.get(after(begun)?).copied()
            }
            Self::Shared(rows, threads) => {
                let found = threads.binary_search_by_key(&thread, |(thread, _)| *thread);
                let rows: &[[u64; 3]] = rows.u64s().as_chunks().0;
                let rows = rows.get(threads[found.ok()?].1.clone())?;
                let begun = rows.partition_point(|row| has_begun(row[1]));
                let [_, start, time] = *rows.get(after(begun)?)?;
                Some([start, time])
            }
        }
    }
}

/// What is to be laid of a thread.
struct Unlaid<'a> {
    columns: &'a Columns,
    /// The next segment, and where to begin in it.
    segment: usize,
    from: u64,
    /// In place of that segment's stamp.
    first_stamp: Option<u64>,
}

impl<'a> Unlaid<'a> {
    fn of(columns: &'a Columns, laid: Option<u64>, is_first_thread: bool) -> Self {
        let segments = columns.segments();
        let Some(laid) = laid else {
            return Self {
                columns,
                segment: 0,
                from: 0,
                first_stamp: first_stamp(segments, is_first_thread),
            };
        };
        let begun = segments.partition_point(|[start, _]| *start <= laid);
        Self {
            columns,
            segment: match laid < columns.summary.end {
                true => begun.saturating_sub(1),
                false => segments.len(),
            },
            from: laid,
            first_stamp: None,
        }
    }

    fn stamp(&self) -> Option<u64> {
        let [_, stamp] = self.columns.segments().get(self.segment)?;
        Some(self.first_stamp.unwrap_or(*stamp))
    }

    /// The positions of the next segment.
    fn take(&mut self) -> Option<Range<u64>> {
        let segments = self.columns.segments();
        let [start, _] = segments.get(self.segment)?;
        self.first_stamp = None;
        self.segment += 1;
        // The place after a thread's last event is a time too, and no other thread's.
        let end = match segments.get(self.segment) {
            Some([position, _]) => *position,
            None => self.columns.summary.end.saturating_add(1),
        };
        Some(self.from.max(*start)..end)
    }
}

/// The axis, and each thread's view of it, being written.
struct Files<'a> {
    folder: &'a IndexFolder,
    axis: BufWriter<File>,
    views: NewViews,
}

enum NewViews {
    /// Of those threads that have something to write.
    Own(Vec<Option<BufWriter<File>>>),
    Shared(ExternalSort<3>),
}

impl<'a> Files<'a> {
    fn open(folder: &'a IndexFolder, threads: &[Columns], is_whole: bool) -> Result<Self> {
        let views = if is_whole {
            NewViews::Shared(ExternalSort::new(folder.file(TIMES)))
        } else {
            // They are all there, even if there is nothing to write.
            for columns in threads {
                append(folder, &of_thread(columns.summary.thread))?;
            }
            NewViews::Own(threads.iter().map(|_| None).collect())
        };
        Ok(Self {
            folder,
            axis: append(folder, AXIS)?,
            views,
        })
    }

    fn begin_stretch(
        &mut self,
        number: usize,
        thread: u32,
        position: u64,
        time: u64,
    ) -> Result<()> {
        let path = self.folder.file(AXIS);
        for word in [time, u64::from(thread), position] {
            self.axis
                .write_all(&word.to_le_bytes())
                .during("write", &path)?;
        }
        let views = match &mut self.views {
            NewViews::Shared(rows) => return rows.push([thread.into(), position, time]),
            NewViews::Own(views) => views,
        };
        let file = match &mut views[number] {
            Some(file) => file,
            none => none.insert(append(self.folder, &of_thread(thread))?),
        };
        for word in [position, time] {
            file.write_all(&word.to_le_bytes()).during("write", &path)?;
        }
        Ok(())
    }

    fn end(mut self) -> Result<()> {
        let path = self.folder.file(AXIS);
        self.axis.flush().during("write", &path)?;
        match self.views {
            NewViews::Shared(rows) => rows.finish_showing(|_| {}),
            NewViews::Own(files) => {
                let mut files = files.into_iter().flatten();
                files.try_for_each(|mut file| file.flush().during("write", &path))
            }
        }
    }
}

fn append(folder: &IndexFolder, name: &str) -> Result<BufWriter<File>> {
    let path = folder.file(name);
    let mut options = OpenOptions::new();
    let file = options.append(true).create(true).open(&path);
    file.map(BufWriter::new).during("create", &path)
}

/// The name of a thread's view of the axis.
fn of_thread(thread: u32) -> String {
    format!("{thread}.{AXIS}")
}

/// What a thread does before its first stamp comes right before that stamp, except in the thread
/// that was there first, where it is the beginning of the run.
fn first_stamp(segments: &[[u64; 2]], first_thread: bool) -> Option<u64> {
    match segments {
        [[_, 0], [_, next], ..] if !first_thread => Some(*next),
        [[_, stamp], ..] => Some(*stamp),
        [] => None,
    }
}
