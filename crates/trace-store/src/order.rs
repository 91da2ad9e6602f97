//! Which accesses of different threads are ordered.
//!
//! Stamps cut what a thread did into segments, and come from one counter. A stamp is drawn right after a lock is
//! acquired and right before it is released, so segments of two threads are ordered if the one ended, by its stamp,
//! before the other began. Where two segments overlap, nothing is known of the order of what was done in them, and a
//! place on the time axis is only a place.

use std::collections::HashMap;
use std::ops::Range;

use trace_format::{EventPosition, ObjectId, ThreadNumber, TraceTime};

use crate::error::Result;
use crate::trace::Trace;
use crate::writes::SlotRows;

/// Variables with up to this many writes are gone through anew each time.
const FEW_WRITES: usize = 8;
/// Variables whose writes are kept in mind; beyond that all are forgotten.
const MOST_SLOTS: usize = 1 << 16;
const NEVER: u64 = u64::MAX;

/// What a thread did between two stamps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    thread: ThreadNumber,
    /// The stamps that begin and end it.
    begin: u64,
    end: u64,
    /// Where it begins on the axis, where it ends, and where the thread goes on: what lies between the latter two was
    /// begun by others meanwhile.
    start: TraceTime,
    stop: TraceTime,
    resumes: TraceTime,
    /// Where it lies in the thread's events.
    positions: Range<u64>,
    is_first: bool,
}

impl Segment {
    /// All that was done, where there is one thread.
    pub fn alone(thread: ThreadNumber) -> Self {
        Segment {
            thread,
            begin: 0,
            end: NEVER,
            start: TraceTime(0),
            stop: TraceTime(NEVER),
            resumes: TraceTime(NEVER),
            positions: 0..NEVER,
            is_first: true,
        }
    }

    /// Whether what happened right before the event at a position belongs to it.
    #[inline]
    pub fn has(&self, thread: ThreadNumber, position: EventPosition) -> bool {
        let Range { start, end } = self.positions;
        let is_begun = start < position.0 || self.is_first;
        self.thread == thread && is_begun && position.0 <= end
    }

    /// Whether all that was done in it comes after what was done in another, or is of the same thread.
    pub fn is_after(&self, other: &Segment) -> bool {
        self.thread == other.thread || other.end < self.begin
    }

    /// Whether what was written then is ordered with all that was done in it, and was written before.
    fn follows(&self, other: &Span) -> bool {
        self.thread == other.thread || other.end < self.begin
    }
}

/// The stamps between which something was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    thread: ThreadNumber,
    begin: u64,
    end: u64,
}

impl Span {
    fn follows(&self, other: &Span) -> bool {
        self.thread == other.thread || other.end < self.begin
    }
}

/// Whether writes of variables that several threads wrote are ordered among each other. Goes through the writes of a
/// variable once, as far as it is asked.
#[derive(Debug, Default)]
pub struct WriteOrder {
    slots: HashMap<(ObjectId, u32), Ordered>,
}

/// The writes of a slot, from the first one on.
#[derive(Debug, Clone, Default)]
struct Ordered {
    /// The last one that was gone through.
    passed: Option<TraceTime>,
    /// Of all of them, the one whose segment ends last, and the last end of a segment of another thread than its.
    last: Option<Span>,
    last_of_others: Option<u64>,
    /// Where the order of a write with an earlier one is not known: times of the first and the last in a row.
    disputed: Vec<[TraceTime; 2]>,
    is_last_disputed: bool,
}

impl Ordered {
    fn go_on(&mut self, trace: &Trace, rows: &SlotRows<'_>) -> Result<()> {
        let next = self.passed.map_or(0, |passed| passed.0.saturating_add(1));
        for time in rows.from(TraceTime(next)).times() {
            self.pass(time, trace.span_at(time)?);
        }
        Ok(())
    }

    fn pass(&mut self, time: TraceTime, span: Span) {
        self.passed = Some(time);
        let other = match self.last {
            Some(last) if last.thread != span.thread => Some(last.end),
            _ => self.last_of_others,
        };
        let is_disputed = other.is_some_and(|end| end >= span.begin);
        match self.disputed.last_mut() {
            Some([_, last]) if is_disputed && self.is_last_disputed => *last = time,
            _ if is_disputed => self.disputed.push([time, time]),
            _ => {}
        }
        self.is_last_disputed = is_disputed;
        let (last, earlier) = match self.last {
            Some(last) if last.end > span.end => (last, Some(span)),
            last => (span, last),
        };
        if let Some(earlier) = earlier.filter(|earlier| earlier.thread != last.thread) {
            self.last_of_others = self.last_of_others.max(Some(earlier.end));
        }
        self.last = Some(last);
    }

    fn is_disputed(&self, time: TraceTime) -> bool {
        let begun = self.disputed.partition_point(|[first, _]| *first <= time);
        let row = begun.checked_sub(1).and_then(|at| self.disputed.get(at));
        row.is_some_and(|[_, last]| time <= *last)
    }
}

/// Between these stamps no write of a variable is known: segments that begin after the first and end before the other
/// see the same one as the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Calm {
    pub(crate) after: u64,
    pub(crate) until: u64,
}

impl Calm {
    pub(crate) const ALWAYS: Calm = Calm {
        after: 0,
        until: NEVER,
    };
    pub(crate) const NEVER: Calm = Calm {
        after: NEVER,
        until: 0,
    };

    /// Leaves out the segments that did not begin after this one.
    pub(crate) fn begin_after(&mut self, segment: &Segment) {
        self.after = self.after.max(segment.end.saturating_add(1));
    }

    #[inline]
    pub(crate) fn has(&self, segment: &Segment) -> bool {
        self.after <= segment.begin && segment.end <= self.until
    }
}

impl WriteOrder {
    /// Whether the last of these writes comes after all the others of them, which are those of a slot up to it.
    fn is_settled(
        &mut self,
        trace: &Trace,
        slot: (ObjectId, u32),
        rows: &SlotRows<'_>,
    ) -> Result<bool> {
        let Some(last) = rows.last().filter(|_| rows.len() > 1) else {
            return Ok(true);
        };
        if rows.len() <= FEW_WRITES {
            let mut ordered = Ordered::default();
            ordered.go_on(trace, rows)?;
            return Ok(!ordered.is_last_disputed);
        }
        if self.slots.len() >= MOST_SLOTS {
            self.slots.clear();
        }
        let ordered = self.slots.entry(slot).or_default();
        ordered.go_on(trace, rows)?;
        Ok(!ordered.is_disputed(last))
    }

    /// Whether everything that was written to these slots of an object, which are one variable, is ordered with what
    /// was done in a segment; and then, for which others the same holds.
    pub(crate) fn calm_around(
        &mut self,
        trace: &Trace,
        object: ObjectId,
        slots: &[u32],
        segment: &Segment,
    ) -> Result<Option<Calm>> {
        let index = trace.write_index()?;
        let mut calm = Calm::ALWAYS;
        let mut last: Option<(TraceTime, Span)> = None;
        for &slot in slots {
            if let Some(next) = index.first_from(object, slot, segment.stop) {
                if next < segment.resumes {
                    return Ok(None);
                }
                let until = trace.span_at(next)?.begin.saturating_sub(1);
                calm.until = calm.until.min(until);
            }
            let own = index.first_from(object, slot, segment.start);
            if own.is_some_and(|own| own < segment.stop) {
                calm = Calm::NEVER;
            }
            let rows = index.slot(object, slot).before(segment.start);
            let Some(time) = rows.last() else {
                continue;
            };
            let span = trace.span_at(time)?;
            if !segment.follows(&span) || !self.is_settled(trace, (object, slot), &rows)? {
                return Ok(None);
            }
            calm.after = calm.after.max(span.end.saturating_add(1));
            let Some(other) = last.replace((time, span)) else {
                continue;
            };
            let (later, earlier) = match time > other.0 {
                true => ((time, span), other),
                false => (other, (time, span)),
            };
            if !later.1.follows(&earlier.1) {
                return Ok(None);
            }
            last = Some(later);
        }
        Ok(Some(calm))
    }
}

impl Trace {
    /// The segment of what a thread did right before the event at a position.
    pub fn segment(&self, thread: ThreadNumber, position: EventPosition) -> Result<Segment> {
        let axis = &self.call_index()?.axis;
        if axis.is_single() {
            return Ok(Segment::alone(thread));
        }
        let calls = self.calls(thread)?;
        let segments = calls.columns.segments();
        let next = segments.partition_point(|[start, _]| *start < position.0);
        let next = next.max(1);
        let [start, begin] = segments.get(next - 1).copied().unwrap_or_default();
        let (end, until) = match segments.get(next) {
            Some([position, stamp]) => (*stamp, *position),
            None => (NEVER, NEVER),
        };
        let (stop, resumes) = match until {
            NEVER => {
                let end = EventPosition(calls.columns.summary.end);
                (axis.time_before(thread, end), TraceTime(NEVER))
            }
            until => {
                let until = EventPosition(until);
                (axis.time_before(thread, until), axis.time(thread, until))
            }
        };
        Ok(Segment {
            thread,
            begin,
            end,
            start: axis.time(thread, EventPosition(start)),
            stop,
            resumes,
            positions: start..until,
            is_first: next == 1,
        })
    }

    /// The stamps around the event at a time.
    fn span_at(&self, time: TraceTime) -> Result<Span> {
        let (thread, position) = self.position(time)?;
        let segments = self.calls(thread)?.columns.segments();
        let next = segments.partition_point(|[start, _]| *start <= position.0);
        let stamp = |at: usize| segments.get(at).map(|[_, stamp]| *stamp);
        Ok(Span {
            thread,
            begin: next.checked_sub(1).and_then(stamp).unwrap_or(0),
            end: stamp(next).unwrap_or(NEVER),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Segments of a few threads: each thread's follow each other.
    fn spans() -> impl Strategy<Value = Vec<Span>> {
        proptest::collection::vec(0..4u32, 1..60).prop_map(|stamped| {
            let mut open = [0; 4];
            let mut spans = Vec::new();
            for (stamp, thread) in (1..).zip(stamped) {
                spans.push(Span {
                    thread: ThreadNumber(thread),
                    begin: open[thread as usize],
                    end: stamp,
                });
                open[thread as usize] = stamp;
            }
            spans.sort_by_key(|span| (span.begin, span.thread));
            spans
        })
    }

    proptest! {
        /// A write is disputed if and only if some earlier one is not ordered with it.
        #[test]
        fn disputes_are_those_that_comparing_all_pairs_finds(spans in spans(), picked in any::<u64>()) {
            let written = spans.iter().enumerate().filter(|(at, _)| picked >> at & 1 == 1);
            let written: Vec<(TraceTime, Span)> = written
                .map(|(at, span)| (TraceTime(at as u64), *span))
                .collect();
            let mut ordered = Ordered::default();
            for (time, span) in &written {
                ordered.pass(*time, *span);
            }
            for (at, (time, span)) in written.iter().enumerate() {
                let is_disputed = written[..at].iter().any(|(_, other)| !span.follows(other));
                prop_assert_eq!(ordered.is_disputed(*time), is_disputed);
            }
        }
    }
}
