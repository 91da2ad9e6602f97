//! The time axis that all threads share.
//!
//! Within a thread, time is the position in its events. Stamps cut a thread's events into
//! segments; the segments of all threads, ordered by their stamps and laid end to end, are the
//! axis, so a time on it is again a number of bytes. With one thread it is that thread's
//! positions. While several threads are still running, times move as segments get longer: a time
//! is good until the next refresh, a thread and a position are good for ever.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufWriter, Write};

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

impl Axis {
    pub(crate) fn build(folder: &IndexFolder, threads: &[Columns]) -> Result<Self> {
        if let [] | [_] = threads {
            let single = threads.first();
            return Ok(Self {
                single: Some(ThreadNumber(
                    single.map_or(0, |columns| columns.summary.thread),
                )),
                stretches: Map::default(),
                threads: Vec::new(),
                end: single.map_or(0, |columns| columns.summary.end) + 1,
            });
        }
        let end = merge(folder, threads)?;
        Self::open(folder, threads, end)
    }

    /// The axis that [`Axis::build`] has left in the folder.
    pub(crate) fn open(folder: &IndexFolder, threads: &[Columns], end: u64) -> Result<Self> {
        if threads.len() < 2 {
            return Self::build(folder, threads);
        }
        let mut maps = Vec::new();
        for columns in threads {
            let thread = columns.summary.thread;
            let map = Map::open(&folder.file(&format!("{thread}.{AXIS}")))?;
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

/// Writes the axis and each thread's view of it; returns its end.
fn merge(folder: &IndexFolder, threads: &[Columns]) -> Result<u64> {
    let create = |name: &str| {
        let path = folder.file(name);
        File::create(&path)
            .map(BufWriter::new)
            .during("create", &path)
    };
    let mut axis = create(AXIS)?;
    let mut files = Vec::new();
    for columns in threads {
        files.push(create(&format!("{}.{AXIS}", columns.summary.thread))?);
    }
    let mut next = vec![0; threads.len()];
    let mut queue: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    for (number, columns) in threads.iter().enumerate() {
        if let Some(stamp) = first_stamp(columns.segments(), number == 0) {
            queue.push(Reverse((stamp, number)));
        }
    }
    let mut time = 0;
    let mut previous = None;
    let path = folder.file(AXIS);
    while let Some(Reverse((_, number))) = queue.pop() {
        let columns = &threads[number];
        let segments = columns.segments();
        let row: usize = next[number];
        next[number] += 1;
        let start = segments[row][0];
        // The place after a thread's last event is a time too, and no other thread's.
        let end = match segments.get(row + 1) {
            Some([position, stamp]) => {
                queue.push(Reverse((*stamp, number)));
                *position
            }
            None => columns.summary.end.saturating_add(1),
        };
        if previous != Some(number) {
            for word in [time, u64::from(columns.summary.thread), start] {
                axis.write_all(&word.to_le_bytes()).during("write", &path)?;
            }
            for word in [start, time] {
                files[number]
                    .write_all(&word.to_le_bytes())
                    .during("write", &path)?;
            }
        }
        previous = Some(number);
        time = u64::saturating_add(time, end.saturating_sub(start));
    }
    for file in files.iter_mut().chain([&mut axis]) {
        file.flush().during("write", &path)?;
    }
    Ok(time)
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
