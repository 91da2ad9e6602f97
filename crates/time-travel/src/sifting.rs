//! The calls of a thread that a breakpoint may be hit in, in their order or backwards.
//!
//! Whether one may be is told for a batch at a time, on all cores. Batches are small at first, because the next hit may
//! be near, and grow as long as they are quick: whoever stops at the first hit has looked at little more than was
//! needed.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::{Duration, Instant};

use frame_replay::side_by_side;
use trace_store::ThreadCalls;

use crate::breakpoint::{Breakpoint, Candidates};
use crate::position::Direction;
use crate::scan::{HitsOfCall, Scan, Sieve};
use crate::stepping::Traveller;

/// The calls of the first batch.
const FIRST_BATCH: u32 = 256;
const LARGEST_BATCH: u32 = 1 << 21;
/// A batch that is quicker is followed by a larger one.
const QUICK: Duration = Duration::from_millis(15);
/// A batch that is slower is followed by a smaller one.
const SLOW: Duration = Duration::from_millis(60);
/// A thread takes so many calls at a time, unless there are fewer for each.
const LARGEST_PIECE: u32 = 1 << 13;
/// With fewer candidates than this, other threads are not worth being started.
const FEWEST_TOGETHER: usize = 64;

/// Which calls are looked at, and for what.
pub(crate) struct Sifting<'all, 'run> {
    pub(crate) traveller: Traveller<'run>,
    pub(crate) breakpoint: &'all Breakpoint,
    pub(crate) candidates: &'all Candidates,
    /// `None`: every candidate may be hit.
    pub(crate) sieve: Option<&'all Sieve>,
    pub(crate) calls: ThreadCalls<'run>,
    /// Calls of which only a part lies on the way, in order: each of them may be hit.
    pub(crate) open: Vec<u32>,
    /// Whether each call is looked at beyond its first hit.
    pub(crate) counts_all: bool,
    pub(crate) deadline: Option<Instant>,
}

/// A call that may be hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SiftedCall {
    pub(crate) index: u32,
    pub(crate) hits: HitsOfCall,
}

/// See the module's header.
pub(crate) struct Sifted<'all, 'run> {
    sifting: Sifting<'all, 'run>,
    left: Range<u32>,
    direction: Direction,
    batch: u32,
    found: VecDeque<SiftedCall>,
    is_cut_off: bool,
}

impl<'all, 'run> Sifting<'all, 'run> {
    pub(crate) fn sift(self, range: Range<u32>, direction: Direction) -> Sifted<'all, 'run> {
        Sifted {
            sifting: self,
            left: range,
            direction,
            batch: FIRST_BATCH,
            found: VecDeque::new(),
            is_cut_off: false,
        }
    }

    pub(crate) fn may_be_hit(&self, index: u32) -> bool {
        !self.sift_batch(index..index + 1).is_empty()
    }

    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|end| Instant::now() >= end)
    }

    fn candidates(&self, range: Range<u32>) -> Vec<u32> {
        let run = self.traveller.run();
        let is_candidate = |index: &u32| {
            let (breakpoint, candidates) = (self.breakpoint, self.candidates);
            breakpoint.is_candidate(run, candidates, self.calls, *index)
        };
        range.filter(is_candidate).collect()
    }

    /// Those in a range that may be hit, in order; what was found when the time was over.
    fn sift_batch(&self, range: Range<u32>) -> Vec<SiftedCall> {
        let perhaps = |index: u32| SiftedCall {
            index,
            hits: HitsOfCall::Perhaps,
        };
        let Some(sieve) = self.sieve else {
            return self.candidates(range).into_iter().map(perhaps).collect();
        };
        let cores = side_by_side::cores();
        let size = range.len() as u32 / (4 * cores as u32);
        let size = size.clamp(FIRST_BATCH, LARGEST_PIECE);
        let starts = range.clone().step_by(size as usize);
        let pieces: Vec<Range<u32>> = starts
            .map(|start| start..start.saturating_add(size).min(range.end))
            .collect();
        let few = range.len() <= FEWEST_TOGETHER;
        let threads = if few { 1 } else { cores };
        let scan = || Scan::new(&self.traveller, sieve);
        let found = side_by_side::each(threads, &pieces, scan, |scan, piece| {
            if self.is_over() {
                return Vec::new();
            }
            let looked_at = |index: u32| {
                if self.open.binary_search(&index).is_ok() {
                    return perhaps(index);
                }
                let hits = scan.hits(self.calls, index, self.counts_all, || self.is_over());
                SiftedCall { index, hits }
            };
            let looked_at = self.candidates(piece.clone()).into_iter().map(looked_at);
            let is_hit = |call: &SiftedCall| call.hits != HitsOfCall::Known(0);
            looked_at.filter(is_hit).collect::<Vec<SiftedCall>>()
        });
        found.concat()
    }
}

impl Sifted<'_, '_> {
    /// Whether the time was over before all calls had been looked at.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }

    /// Leaves out the calls from this one on.
    pub(crate) fn end_at(&mut self, end: u32) {
        self.left.end = self.left.end.min(end);
        self.found.retain(|call| call.index < end);
    }

    /// The calls that are looked at next.
    fn next_batch(&mut self) -> Range<u32> {
        let left = &mut self.left;
        let size = self.batch.min(left.end.saturating_sub(left.start));
        match self.direction {
            Direction::Forwards => {
                left.start += size;
                left.start - size..left.start
            }
            Direction::Backwards => {
                left.end -= size;
                left.end..left.end + size
            }
        }
    }
}

impl Iterator for Sifted<'_, '_> {
    type Item = SiftedCall;

    fn next(&mut self) -> Option<SiftedCall> {
        while self.found.is_empty() && !self.left.is_empty() && !self.is_cut_off {
            let range = self.next_batch();
            let started = Instant::now();
            self.found = self.sifting.sift_batch(range).into();
            let took = started.elapsed();
            if took < QUICK {
                self.batch = (self.batch * 4).min(LARGEST_BATCH);
            } else if took > SLOW {
                self.batch = (self.batch / 2).max(1);
            }
            if self.sifting.is_over() {
                self.is_cut_off = true;
                self.found.clear();
            }
        }
        match self.direction {
            Direction::Forwards => self.found.pop_front(),
            Direction::Backwards => self.found.pop_back(),
        }
    }
}
