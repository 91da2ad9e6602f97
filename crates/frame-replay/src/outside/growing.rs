//! The search in a run that goes on: each call is gone through once, as soon as it has ended.

use std::collections::{BTreeMap, HashMap};

use trace_format::ThreadNumber;
use trace_store::{CallId, OutsideWrite, ThreadCalls, Trace};

use super::{Found, Search, Stretch, Variable, is_searched, stretches};
use crate::program::Program;
use crate::side_by_side;

/// What was found so far, and where to go on.
#[derive(Debug, Default)]
pub struct OutsideSearch {
    /// Calls of each thread that were there.
    seen: BTreeMap<ThreadNumber, u32>,
    /// Of them, those that had not ended.
    open: Vec<CallId>,
    found: Vec<OutsideWrite>,
    /// The last one of each variable.
    last: HashMap<Variable, Found>,
    /// The code of the program, and how much of it was known.
    program: Option<(u64, Program)>,
    is_over: bool,
}

impl OutsideSearch {
    /// Goes through calls that have ended since, by about so many of each thread. Whether that was all that is to be
    /// searched. The run must be the same as before, or a longer part of it.
    pub fn advance(&mut self, trace: &Trace, most: u32) -> bool {
        // As with a run that is complete: it would take longer than somebody waits.
        self.is_over |= !is_searched(trace);
        if self.is_over {
            self.program = None;
            return true;
        }
        let _replaying = tracing::debug_span!("replay", of = "calls that ended since").entered();
        let (calls, is_all) = self.ended_since(trace, most);
        let known = trace.symbols().size();
        let program = match self.program.take() {
            Some((size, program)) if size == known => program,
            _ => Program::of(trace),
        };
        let search = match trace.may_grow() {
            // Others are at work beside it: the program, and those who ask.
            true => Search::new(trace, 1),
            false => Search::new(trace, side_by_side::cores()),
        };
        let found = search.find(&program, &calls, &self.last);
        self.program = Some((known, program));
        for write in &found {
            if let Ok(time) = trace.time(write.thread, write.position) {
                let found = Found {
                    value: write.value,
                    time,
                    segment: trace.segment(write.thread, write.position).ok(),
                };
                self.last.insert((write.object, write.slot), found);
            }
        }
        self.found.extend(found);
        is_all
    }

    /// All that was found.
    pub fn found(&self) -> &[OutsideWrite] {
        &self.found
    }

    /// Calls that have ended and were not gone through; all that are left, if there will be no more.
    fn ended_since(&mut self, trace: &Trace, most: u32) -> (Vec<Stretch>, bool) {
        let is_open = |call: &CallId| {
            let calls = trace.calls(call.thread);
            trace.may_grow() && calls.is_ok_and(|calls| calls.is_open(call.index))
        };
        let (open, ended) = std::mem::take(&mut self.open)
            .into_iter()
            .partition::<Vec<CallId>, _>(is_open);
        self.open = open;
        let ended = ended.into_iter();
        let mut ranges: Vec<Stretch> = ended
            .map(|call| (call.thread, call.index..call.index + 1))
            .collect();
        let mut is_all = true;
        for calls in trace.all_calls().into_iter().flatten() {
            let thread = calls.thread();
            let seen = self.seen.entry(thread).or_default();
            let begin = *seen;
            let mut end = calls.len().min(begin.saturating_add(most));
            *seen = end;
            is_all &= end == calls.len();
            // The open calls are those that hold the last one.
            let holding = holding_the_end(calls).skip_while(|index| *index >= end);
            for index in holding
                .take_while(|index| *index >= begin)
                .collect::<Vec<_>>()
            {
                if is_open(&CallId::new(thread, index)) {
                    ranges.extend(stretches(thread, index + 1..end));
                    self.open.push(CallId::new(thread, index));
                    end = index;
                }
            }
            ranges.extend(stretches(thread, begin..end));
        }
        (ranges, is_all)
    }
}

/// The last call, its caller, and so on.
fn holding_the_end(calls: ThreadCalls<'_>) -> impl Iterator<Item = u32> {
    let last = calls.len().checked_sub(1);
    std::iter::successors(last, move |index| calls.parent(*index))
}
