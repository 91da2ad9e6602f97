//! All writes to the heap, sorted by what they wrote to and then by time, on disk.
//!
//! A row is sixteen bytes: object and slot, then the time; the value stands in the event that
//! the time leads to. Statics are slots of object 0. A bulk write of a few elements has a row for
//! each; a longer one has a single row in a slot of its own, behind the object's other slots, or
//! else copying arrays around would make an index much larger than the trace.
//!
//! The index of a run that goes on consists of generations, each later than the one before; that of one that has ended
//! is a single one.

mod scan;
mod slot_rows;
mod walk_of_slots;

use std::ops::{Range, RangeInclusive};

use smallvec::SmallVec;
use trace_format::{ObjectId, TraceTime};

use crate::call_index::{CallIndex, IndexSource};
use crate::error::Result;
use crate::external_sort::ExternalSort;
use crate::generations::{Generation, Generations};
use crate::index_folder::IndexFolder;
use crate::sorted_rows::SortedRows;
use crate::walks::Walks;

use scan::Walk;
pub(crate) use slot_rows::SlotRows;
pub use walk_of_slots::IndexedWrite;
pub(crate) use walk_of_slots::{WantedSlots, WritesPlace};

const NAME: &str = "writes";

/// The slot of bulk writes.
pub(crate) const BULK: u32 = u32::MAX;
/// The slot of what an object said of itself: no variable, but it has a value at a time as they do.
pub(crate) const TEXT: u32 = BULK - 1;
/// What statics are slots of.
pub(crate) const STATICS: ObjectId = ObjectId::NULL;

/// No write has the largest time there is.
const NEVER: u64 = u64::MAX;

#[derive(Debug)]
pub(crate) struct WriteIndex {
    /// In the order of time.
    generations: Vec<Generation<2>>,
}

/// Makes the index of a run that goes on.
#[derive(Debug)]
pub(crate) struct WriteIndexBuilder {
    generations: Generations<2>,
    walks: Walks<Walk>,
    /// Where the index ends.
    end: TraceTime,
}

impl WriteIndexBuilder {
    pub(crate) fn new(trace: &std::path::Path) -> Result<Self> {
        Ok(Self {
            generations: Generations::new(IndexFolder::create(trace, NAME)?),
            walks: Walks::default(),
            end: TraceTime(0),
        })
    }

    /// Goes on to where the calls' index ends.
    pub(crate) fn advance(
        &mut self,
        source: &IndexSource<'_>,
        calls: &CallIndex,
    ) -> Result<WriteIndex> {
        let mut sort = self.generations.begin();
        collect(&mut self.walks, source, calls, &mut sort)?;
        // The place after the last event is where the next one may be.
        self.generations.add(sort, self.end.0.saturating_sub(1))?;
        self.end = calls.axis.end();
        Ok(WriteIndex {
            generations: self.generations.newest(),
        })
    }
}

impl WriteIndex {
    pub(crate) fn open(source: &IndexSource<'_>, calls: &CallIndex) -> Result<Self> {
        let rows = SortedRows::kept_or_made(source, NAME, |sort| {
            collect(&mut Walks::default(), source, calls, sort)
        })?;
        Ok(Self {
            generations: Generation::only(rows),
        })
    }

    pub(crate) fn release(&self) {
        self.generations.iter().for_each(|it| it.rows.release());
    }

    pub(crate) fn len(&self) -> usize {
        let generations = self.generations.iter();
        generations.map(|it| it.rows.rows().len()).sum()
    }

    pub(crate) fn slot(&self, object: ObjectId, slot: u32) -> SlotRows<'_> {
        let key = key(object, slot);
        let rows = self.generations.iter().map(|Generation { rows, .. }| {
            let first = rows.first_from(&[key, 0]);
            let end = rows.first_onwards(first, &[key, NEVER]);
            rows.rows().get(first..end).unwrap_or_default()
        });
        SlotRows::of(rows)
    }

    /// The last write of a slot before a time.
    pub(crate) fn last_before(
        &self,
        object: ObjectId,
        slot: u32,
        time: TraceTime,
    ) -> Option<TraceTime> {
        let key = key(object, slot);
        let mut newest_first = self.before(time).iter().rev();
        newest_first.find_map(|Generation { rows, .. }| {
            let last = rows.first_from(&[key, time.0]).checked_sub(1)?;
            written_at(rows, last, key)
        })
    }

    /// The first write of a slot at a time or after it.
    pub(crate) fn first_from(
        &self,
        object: ObjectId,
        slot: u32,
        time: TraceTime,
    ) -> Option<TraceTime> {
        let key = key(object, slot);
        self.from(time).iter().find_map(|Generation { rows, .. }| {
            let first = rows.first_from(&[key, time.0]);
            written_at(rows, first, key)
        })
    }

    /// The generations that have anything before a time.
    fn before(&self, time: TraceTime) -> &[Generation<2>] {
        let after = self.generations.partition_point(|it| it.since < time.0);
        &self.generations[..after]
    }

    /// Those that have anything at a time or after it.
    fn from(&self, time: TraceTime) -> &[Generation<2>] {
        let begun = self.before(time).len().saturating_sub(1);
        &self.generations[begun..]
    }

    /// The same for slots that follow each other. Their rows do as well, so that each is found from
    /// where the one before it was.
    pub(crate) fn each_last_before(
        &self,
        object: ObjectId,
        slots: Range<u32>,
        time: TraceTime,
    ) -> Vec<Option<TraceTime>> {
        let mut each = vec![None; slots.len()];
        for Generation { rows, .. } in self.before(time).iter().rev() {
            let mut place = rows.first_from(&[key(object, slots.start), 0]);
            let first = rows.rows().get(place);
            if first.is_none_or(|row| row[0] >= key(object, slots.end)) {
                continue;
            }
            let each = slots.clone().zip(&mut each);
            for (slot, last) in each.filter(|(_, last)| last.is_none()) {
                let key = key(object, slot);
                place = rows.first_onwards(place, &[key, time.0]);
                let before = place.checked_sub(1);
                *last = before.and_then(|row| written_at(rows, row, key));
            }
        }
        each
    }

    /// The time after the last write of any of these slots before a time, and the time of the first
    /// one after that: from the one to the other nothing in them changes.
    pub(crate) fn quiet_around(
        &self,
        object: ObjectId,
        slots: RangeInclusive<u32>,
        time: TraceTime,
    ) -> RangeInclusive<TraceTime> {
        let around = |it: &Generation<2>| nearest(&it.rows, object, slots.clone(), time);
        let begun = self.before(time).len().saturating_sub(1);
        let (earlier, rest) = self.generations.split_at(begun);
        let (last, first) = rest.first().map(around).unwrap_or_default();
        let last = last.or_else(|| earlier.iter().rev().find_map(|it| around(it).0));
        let first = first.or_else(|| rest.iter().skip(1).find_map(|it| around(it).1));
        let since = last.map_or(0, |last| last.saturating_add(1));
        TraceTime(since)..=TraceTime(first.unwrap_or(u64::MAX))
    }

    /// The last write of each of these slots that lies between two times.
    pub(crate) fn last_of_each(
        &self,
        object: ObjectId,
        slots: RangeInclusive<u32>,
        times: Range<TraceTime>,
    ) -> impl Iterator<Item = TraceTime> {
        let written = self.written(object, slots);
        let last = move |slot| self.last_before(object, slot, times.end);
        written
            .filter_map(last)
            .filter(move |&last| last >= times.start)
    }

    /// The variables of an object that were ever written, bulk writes left out.
    pub(crate) fn slots(&self, object: ObjectId) -> impl Iterator<Item = u32> {
        self.written(object, 0..=TEXT - 1)
    }

    /// Which of these slots were ever written.
    fn written(&self, object: ObjectId, slots: RangeInclusive<u32>) -> impl Iterator<Item = u32> {
        let first = key(object, *slots.start());
        let end = key(object, *slots.end());
        let places = self.generations.iter();
        let mut places: SmallVec<[(&SortedRows<2>, usize); 1]> = places
            .map(|it| (&*it.rows, it.rows.first_from(&[first, 0])))
            .collect();
        std::iter::from_fn(move || {
            let key_at = |rows: &SortedRows<2>, place: usize| {
                let [key, _] = *rows.rows().get(place)?;
                (key <= end).then_some(key)
            };
            let keys = places.iter().filter_map(|(rows, at)| key_at(rows, *at));
            let next = keys.min()?;
            for (rows, place) in &mut places {
                if key_at(rows, *place).is_some_and(|key| key <= next) {
                    // Always onwards, even if the rows are damaged and not in order.
                    let after = rows.first_onwards(*place, &[next, NEVER]);
                    *place = after.max(*place + 1);
                }
            }
            Some(next as u32)
        })
    }
}

/// Collects the rows of what is new, as far as the calls' index goes.
fn collect(
    walks: &mut Walks<Walk>,
    source: &IndexSource<'_>,
    calls: &CallIndex,
    sort: &mut ExternalSort<2>,
) -> Result<()> {
    walks.advance(source.streams, calls, |walk, thread, end| {
        walk.advance(source, thread, end, &calls.axis, sort)
    })
}

/// The last write of any of these slots before a time, and the first one at it or after it.
fn nearest(
    sorted: &SortedRows<2>,
    object: ObjectId,
    slots: RangeInclusive<u32>,
    time: TraceTime,
) -> (Option<u64>, Option<u64>) {
    let (mut before, mut after) = (None, None);
    let rows = sorted.rows();
    let end = key(object, *slots.end());
    let mut next = sorted.first_from(&[key(object, *slots.start()), 0]);
    while let Some(&[mut key, _]) = rows.get(next).filter(|row| row[0] <= end) {
        let mut at = sorted.first_onwards(next, &[key, time.0]);
        loop {
            let of_slot =
                |row: Option<&[u64; 2]>| row.filter(|row| row[0] == key).map(|row| row[1]);
            before = before.max(of_slot(at.checked_sub(1).and_then(|at| rows.get(at))));
            if let Some(first) = of_slot(rows.get(at)) {
                after = Some(after.map_or(first, |after: u64| after.min(first)));
            }
            if key >= end {
                return (before, after);
            }
            // Elements follow each other: the next slot's place is looked for without its beginning.
            key += 1;
            at = sorted.first_onwards(at, &[key, time.0]);
            let row = at.checked_sub(1).and_then(|at| rows.get(at));
            if row.is_none_or(|row| row[0] != key) {
                break;
            }
        }
        // Always onwards, even if the rows are damaged and not in order.
        next = at.max(next + 1);
    }
    (before, after)
}

/// The time of a row, if it is there and of this slot.
fn written_at(sorted: &SortedRows<2>, row: usize, wanted: u64) -> Option<TraceTime> {
    let [key, time] = *sorted.rows().get(row)?;
    (key == wanted).then_some(TraceTime(time))
}

fn key(object: ObjectId, slot: u32) -> u64 {
    u64::from(object.0) << 32 | u64::from(slot)
}
