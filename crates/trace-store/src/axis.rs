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
use crate::index_folder::IndexFolder;
use crate::map::Map;

const AXIS: &str = "axis";

#[derive(Debug)]
pub(crate) struct Axis {
    /// With a single thread there is nothing to translate.
    single: Option<ThreadNumber>,
    /// Time, thread, position: the start of each stretch of the axis, in order.
    stretches: Map,
    /// Per thread: position and time of its stretches, in order.
    threads: Vec<(ThreadNumber, Map)>,
    end: u64,
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
}

impl AxisBuilder {
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
        let mut files = Files::open(folder, threads)?;
        if !self.is_written
            && let Some((&first, _)) = self.laid.first_key_value()
        {
            let number = threads.iter().position(|it| it.summary.thread == first);
            files.begin_stretch(number.unwrap_or_default(), first, 0, 0)?;
        }
        self.is_written = true;
        self.merge(&mut files, threads)?;
        files.flush()?;
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
            threads: Vec::new(),
            end: summary.map_or(0, |summary| summary.end) + 1,
        }
    }

    /// The axis that an [`AxisBuilder`] has left in the folder.
    pub(crate) fn open(folder: &IndexFolder, threads: &[Columns], end: u64) -> Result<Self> {
        if threads.len() < 2 {
            return Ok(Self::of_one(threads));
        }
        let mut maps = Vec::new();
        for columns in threads {
            let thread = columns.summary.thread;
            let map = Map::open(&folder.file(&of_thread(thread)))?;
            maps.push((ThreadNumber(thread), map));
        }
        let stretches = Map::open(&folder.file(AXIS))?;
        Ok(Self {
            single: None,
            stretches,
            threads: maps,
            end,
        })
    }

    pub(crate) fn release(&self) {
        self.stretches.release();
        self.threads.iter().for_each(|(_, map)| map.release());
    }

    pub(crate) fn end(&self) -> TraceTime {
        TraceTime(self.end)
    }

    /// The time of the event at a position.
    pub(crate) fn time(&self, thread: ThreadNumber, position: EventPosition) -> TraceTime {
        self.time_in(thread, position, |rows| {
            rows.partition_point(|row| row[0] <= position.0)
        })
    }

    /// The time of something that happened before the event at a position and after the one
    /// before that. They differ where a segment begins: other threads may have run in between.
    pub(crate) fn time_before(&self, thread: ThreadNumber, position: EventPosition) -> TraceTime {
        self.time_in(thread, position, |rows| {
            rows.partition_point(|row| row[0] < position.0).max(1)
        })
    }

    fn time_in(
        &self,
        thread: ThreadNumber,
        position: EventPosition,
        after: impl Fn(&[[u64; 2]]) -> usize,
    ) -> TraceTime {
        if self.single.is_some() {
            return TraceTime(position.0);
        }
        let found = self
            .threads
            .binary_search_by_key(&thread, |(thread, _)| *thread);
        let Ok(found) = found else {
            return TraceTime(0);
        };
        let rows: &[[u64; 2]] = self.threads[found].1.u64s().as_chunks().0;
        match after(rows).checked_sub(1).and_then(|row| rows.get(row)) {
            Some([start, time]) => {
                TraceTime(time.saturating_add(position.0.saturating_sub(*start)))
            }
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
    /// Of those threads that have something to write.
    threads: Vec<Option<BufWriter<File>>>,
}

impl<'a> Files<'a> {
    fn open(folder: &'a IndexFolder, threads: &[Columns]) -> Result<Self> {
        // They are all there, even if there is nothing to write.
        for columns in threads {
            append(folder, &of_thread(columns.summary.thread))?;
        }
        Ok(Self {
            folder,
            axis: append(folder, AXIS)?,
            threads: threads.iter().map(|_| None).collect(),
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
        let file = match &mut self.threads[number] {
            Some(file) => file,
            none => none.insert(append(self.folder, &of_thread(thread))?),
        };
        for word in [position, time] {
            file.write_all(&word.to_le_bytes()).during("write", &path)?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        let path = self.folder.file(AXIS);
        for file in self.threads.iter_mut().flatten().chain([&mut self.axis]) {
            file.flush().during("write", &path)?;
        }
        Ok(())
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
