//! The writes of one slot.

use smallvec::SmallVec;
use trace_format::TraceTime;

/// Rows of one slot, in the order of time.
#[derive(Debug, Clone)]
pub(crate) struct SlotRows<'a> {
    /// Those of each generation that has any.
    parts: SmallVec<[&'a [[u64; 2]]; 1]>,
}

impl<'a> SlotRows<'a> {
    pub(super) fn of(parts: impl Iterator<Item = &'a [[u64; 2]]>) -> Self {
        Self {
            parts: parts.filter(|part| !part.is_empty()).collect(),
        }
    }

    /// The rows before a time.
    pub(crate) fn before(&self, time: TraceTime) -> Self {
        let before = |part: &&'a [[u64; 2]]| &part[..part.partition_point(|row| row[1] < time.0)];
        Self::of(self.parts.iter().map(before))
    }

    /// The rows at a time and after it.
    pub(crate) fn from(&self, time: TraceTime) -> Self {
        let from = |part: &&'a [[u64; 2]]| &part[part.partition_point(|row| row[1] < time.0)..];
        Self::of(self.parts.iter().map(from))
    }

    pub(crate) fn first(&self) -> Option<TraceTime> {
        Some(TraceTime(self.parts.first()?.first()?[1]))
    }

    pub(crate) fn last(&self) -> Option<TraceTime> {
        Some(TraceTime(self.parts.last()?.last()?[1]))
    }

    pub(crate) fn take_first(&mut self) -> Option<TraceTime> {
        let (first, rest) = self.parts.first()?.split_first()?;
        if rest.is_empty() {
            self.parts.remove(0);
        } else {
            self.parts[0] = rest;
        }
        Some(TraceTime(first[1]))
    }

    pub(crate) fn take_last(&mut self) -> Option<TraceTime> {
        let part = self.parts.last_mut()?;
        let (last, rest) = part.split_last()?;
        *part = rest;
        if rest.is_empty() {
            self.parts.pop();
        }
        Some(TraceTime(last[1]))
    }

    pub(crate) fn len(&self) -> usize {
        self.parts.iter().map(|part| part.len()).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    pub(crate) fn times(self) -> impl DoubleEndedIterator<Item = TraceTime> + 'a {
        let rows = self.parts.into_iter().flatten();
        rows.map(|row| TraceTime(row[1]))
    }
}
