//! All writes to the heap, sorted by what they wrote to and then by time, on disk.
//!
//! A row is sixteen bytes: object and slot, then the time; the value stands in the event that
//! the time leads to. Statics are slots of object 0. A bulk write of a few elements has a row for
//! each; a longer one has a single row in a slot of its own, behind the object's other slots, or
//! else copying arrays around would make an index much larger than the trace.
//!
//! A look-up in a thousand million rows would touch thirty pages of them. Every [`STRIDE`]th row is
//! therefore kept a second time, in a file that is small enough to stay in memory; with it a
//! look-up touches one page or two.

use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;

use trace_format::event::{self, Skimmed, Target, skim};
use trace_format::{EventPosition, Frame, ObjectId, Stream, ThreadNumber, TraceTime};

use crate::axis::Axis;
use crate::call_index::{CallIndex, Source};
use crate::error::{IoContext, Result};
use crate::external_sort::ExternalSort;
use crate::index_folder::IndexFolder;
use crate::map::{Map, bytes_of_u64s};

const NAME: &str = "writes";
const ROWS: &str = "rows";
const SAMPLES: &str = "samples";
/// Rows from one sample to the next: a page of them.
const STRIDE: usize = 256;

/// The slot of bulk writes.
pub(crate) const BULK: u32 = u32::MAX;
/// The slot of what an object said of itself: no variable, but it has a value at a time as they do.
pub(crate) const TEXT: u32 = BULK - 1;
/// Bulk writes up to this many elements have a row for each.
const SPREAD: u32 = 16;
/// What statics are slots of.
pub(crate) const STATICS: ObjectId = ObjectId::NULL;

#[derive(Debug)]
pub(crate) struct WriteIndex {
    _folder: IndexFolder,
    rows: Map,
    /// The first row of each stride.
    samples: Map,
}

/// Rows of one slot, in the order of time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlotRows<'a> {
    rows: &'a [[u64; 2]],
}

impl WriteIndex {
    pub(crate) fn open(source: &Source<'_>, calls: &CallIndex) -> Result<Self> {
        if let Some((folder, ())) = IndexFolder::find(source.folder, NAME, &source.stamp)
            && let Ok(index) = Self::of(folder)
        {
            return Ok(index);
        }
        let mut folder = IndexFolder::create(source.folder, NAME)?;
        let mut sort = ExternalSort::new(folder.file(ROWS));
        for thread in source.streams.threads() {
            let end = calls.summary(thread).map_or(0, |summary| summary.end);
            scan(source, thread, end, &calls.axis, &mut sort)?;
        }
        let mut samples = Samples::create(&folder);
        sort.finish_showing(|row| samples.take(row))?;
        samples.finish()?;
        if source.finished {
            folder.publish(source.folder, NAME, &source.stamp, ());
        }
        Self::of(folder)
    }

    fn of(folder: IndexFolder) -> Result<Self> {
        Ok(Self {
            rows: Map::open(&folder.file(ROWS))?,
            samples: Map::open(&folder.file(SAMPLES))?,
            _folder: folder,
        })
    }

    pub(crate) fn release(&self) {
        self.rows.release();
        self.samples.release();
    }

    fn rows(&self) -> &[[u64; 2]] {
        self.rows.u64s().as_chunks().0
    }

    pub(crate) fn len(&self) -> usize {
        self.rows().len()
    }

    pub(crate) fn slot(&self, object: ObjectId, slot: u32) -> SlotRows<'_> {
        let key = key(object, slot);
        let range = self.first_from([key, 0])..self.first_from([key, u64::MAX]);
        SlotRows {
            rows: self.rows().get(range).unwrap_or_default(),
        }
    }

    /// The last write of a slot before a time.
    pub(crate) fn last_before(
        &self,
        object: ObjectId,
        slot: u32,
        time: TraceTime,
    ) -> Option<TraceTime> {
        let key = key(object, slot);
        let last = self.first_from([key, time.0]).checked_sub(1)?;
        let [found, written] = self.rows()[last];
        (found == key).then_some(TraceTime(written))
    }

    /// The same for slots that follow each other. Their rows do as well, so that each is found from
    /// where the one before it was.
    pub(crate) fn each_last_before(
        &self,
        object: ObjectId,
        slots: Range<u32>,
        time: TraceTime,
    ) -> Vec<Option<TraceTime>> {
        let rows = self.rows();
        let mut place = self.first_from([key(object, slots.start), 0]);
        slots
            .map(|slot| {
                let key = key(object, slot);
                place = self.first_onwards(place, [key, time.0]);
                let [found, written] = *rows.get(place.checked_sub(1)?)?;
                (found == key).then_some(TraceTime(written))
            })
            .collect()
    }

    /// The time after the last write of any of these slots before a time, and the time of the first
    /// one after that: from the one to the other nothing in them changes.
    pub(crate) fn quiet_around(
        &self,
        object: ObjectId,
        slots: RangeInclusive<u32>,
        time: TraceTime,
    ) -> RangeInclusive<TraceTime> {
        let (mut since, mut until) = (0, u64::MAX);
        let rows = self.rows();
        let end = key(object, *slots.end());
        let mut next = self.first_from([key(object, *slots.start()), 0]);
        while let Some(&[key, _]) = rows.get(next).filter(|row| row[0] <= end) {
            let at = self.first_onwards(next, [key, time.0]);
            let of_slot =
                |row: Option<&[u64; 2]>| row.filter(|row| row[0] == key).map(|row| row[1]);
            if let Some(last) = of_slot(at.checked_sub(1).and_then(|at| rows.get(at))) {
                since = since.max(last.saturating_add(1));
            }
            if let Some(first) = of_slot(rows.get(at)) {
                until = until.min(first);
            }
            // Always onwards, even if the rows are damaged and not in order.
            next = self.first_onwards(at, [key, u64::MAX]).max(next + 1);
        }
        TraceTime(since)..=TraceTime(until)
    }

    /// The last write of each of these slots that lies between two times.
    pub(crate) fn last_of_each(
        &self,
        object: ObjectId,
        slots: RangeInclusive<u32>,
        times: Range<TraceTime>,
    ) -> impl Iterator<Item = TraceTime> {
        let end = key(object, *slots.end());
        let mut next = self.first_from([key(object, *slots.start()), 0]);
        std::iter::from_fn(move || {
            let &[key, _] = self.rows().get(next).filter(|row| row[0] <= end)?;
            let mut written = self.slot(object, key as u32).before(times.end).times();
            // Always onwards, even if the rows are damaged and not in order.
            next = self.first_from([key, u64::MAX]).max(next + 1);
            Some(written.next_back())
        })
        .flatten()
        .filter(move |&last| last >= times.start)
    }

    /// The variables of an object that were ever written, bulk writes left out.
    pub(crate) fn slots(&self, object: ObjectId) -> impl Iterator<Item = u32> {
        let mut next = self.first_from([key(object, 0), 0]);
        std::iter::from_fn(move || {
            let &[key, _] = self.rows().get(next)?;
            // Always onwards, even if the rows are damaged and not in order.
            next = self.first_from([key, u64::MAX]).max(next + 1);
            (key >> 32 == u64::from(object.0)).then_some(key as u32)
        })
        .filter(|&slot| slot < TEXT)
    }

    /// The number of rows before this one. No write has the largest time there is.
    fn first_from(&self, row: [u64; 2]) -> usize {
        let samples: &[[u64; 2]] = self.samples.u64s().as_chunks().0;
        let rows = self.rows();
        let after = samples.partition_point(|sample| *sample < row);
        let start = (after.saturating_sub(1) * STRIDE).min(rows.len());
        let end = (after * STRIDE).min(rows.len());
        start + rows[start..end].partition_point(|at| *at < row)
    }

    /// The same if it is not before this place, and probably near.
    fn first_onwards(&self, place: usize, row: [u64; 2]) -> usize {
        let rows = self.rows();
        let far = place.saturating_add(STRIDE);
        if rows.get(far).is_some_and(|found| *found < row) {
            return self.first_from(row);
        }
        let near = rows.get(place..far.min(rows.len())).unwrap_or_default();
        place + near.partition_point(|found| *found < row)
    }
}

/// Writes the samples while the rows go by.
struct Samples {
    path: PathBuf,
    rows: Vec<[u64; 2]>,
    seen: usize,
}

impl Samples {
    fn create(folder: &IndexFolder) -> Self {
        Self {
            path: folder.file(SAMPLES),
            rows: Vec::new(),
            seen: 0,
        }
    }

    fn take(&mut self, row: &[u64; 2]) {
        if self.seen.is_multiple_of(STRIDE) {
            self.rows.push(*row);
        }
        self.seen += 1;
    }

    fn finish(self) -> Result<()> {
        let bytes = bytes_of_u64s(self.rows.as_flattened());
        std::fs::write(&self.path, bytes).during("write", &self.path)
    }
}

impl<'a> SlotRows<'a> {
    /// The rows before a time.
    pub(crate) fn before(self, time: TraceTime) -> Self {
        Self {
            rows: &self.rows[..self.rows.partition_point(|row| row[1] < time.0)],
        }
    }

    /// The rows at a time and after it.
    pub(crate) fn from(self, time: TraceTime) -> Self {
        Self {
            rows: &self.rows[self.rows.partition_point(|row| row[1] < time.0)..],
        }
    }

    pub(crate) fn first(self) -> Option<TraceTime> {
        self.rows.first().map(|row| TraceTime(row[1]))
    }

    pub(crate) fn take_first(&mut self) -> Option<TraceTime> {
        let (first, rest) = self.rows.split_first()?;
        self.rows = rest;
        Some(TraceTime(first[1]))
    }

    pub(crate) fn last(self) -> Option<TraceTime> {
        self.rows.last().map(|row| TraceTime(row[1]))
    }

    pub(crate) fn take_last(&mut self) -> Option<TraceTime> {
        let (last, rest) = self.rows.split_last()?;
        self.rows = rest;
        Some(TraceTime(last[1]))
    }

    pub(crate) fn is_empty(self) -> bool {
        self.rows.is_empty()
    }

    pub(crate) fn times(self) -> impl DoubleEndedIterator<Item = TraceTime> + 'a {
        self.rows.iter().map(|row| TraceTime(row[1]))
    }
}

fn key(object: ObjectId, slot: u32) -> u64 {
    u64::from(object.0) << 32 | u64::from(slot)
}

/// Walks the events of a thread as far as its call columns go.
fn scan(
    source: &Source<'_>,
    thread: ThreadNumber,
    end: u64,
    axis: &Axis,
    sort: &mut ExternalSort<2>,
) -> Result<()> {
    let symbols = source.symbols;
    let mut stack: Vec<Frame> = Vec::new();
    for piece in source.streams.view(thread, Stream::Events).pieces() {
        let mut at = 0;
        while piece.base + (at as u64) < end {
            let current = stack.last().copied();
            let rest = &piece.bytes[at..];
            let shape = current.map(|frame| frame.shape);
            let Ok(Some((event, length))) = skim(rest, symbols, shape) else {
                break;
            };
            match event {
                Skimmed::Enter { method, shape, .. } => {
                    let arguments = &rest[event::enter_size(method)..length];
                    stack.push(Frame::entered(shape, arguments));
                }
                Skimmed::Exit { .. } => {
                    stack.pop();
                }
                Skimmed::Throw { depth, .. } => {
                    if depth > 0 && depth as usize <= stack.len() {
                        stack.truncate(depth as usize - 1);
                    }
                }
                Skimmed::Catch { depth, .. } => stack.truncate(depth as usize),
                Skimmed::Write { .. } => {
                    let position = EventPosition(piece.base + at as u64);
                    let this = current.map_or(ObjectId::NULL, |frame| frame.this);
                    if let Ok(Some(write)) = event::decode_write(rest, symbols, this) {
                        add(write.target, axis.time(thread, position), sort)?;
                    }
                }
                Skimmed::This { object } => {
                    if let Some(frame) = stack.last_mut() {
                        frame.this = object;
                    }
                }
                Skimmed::Text { object } => {
                    let position = EventPosition(piece.base + at as u64);
                    sort.push([key(object, TEXT), axis.time(thread, position).0])?;
                }
                Skimmed::Sync { .. }
                | Skimmed::Mark { .. }
                | Skimmed::Submit { .. }
                | Skimmed::Task { .. } => {}
            }
            at += length;
        }
        source.streams.has_read(&piece);
    }
    Ok(())
}

fn add(target: Target<'_>, time: TraceTime, sort: &mut ExternalSort<2>) -> Result<()> {
    match target {
        Target::Field { object, field, .. } if !object.is_null() => {
            sort.push([key(object, field.0), time.0])
        }
        Target::Static { field, .. } => sort.push([key(STATICS, field.0), time.0]),
        Target::Element { array, index, .. } if !array.is_null() && index < TEXT => {
            sort.push([key(array, index), time.0])
        }
        Target::Range(range) if !range.array.is_null() => {
            if range.count > SPREAD {
                return sort.push([key(range.array, BULK), time.0]);
            }
            for offset in 0..range.count {
                if let Some(index) = range.start.checked_add(offset).filter(|&at| at < TEXT) {
                    sort.push([key(range.array, index), time.0])?;
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
