//! The next hit of a breakpoint from where somebody stands, or the one before.
//!
//! Only calls that a breakpoint can be hit in are walked, in the order of their beginning. A call may be hit after the
//! calls that it makes, so the first hit that is found is compared with those of the calls around it.

use java_analysis::happening::{Happening, Moment};
use java_analysis::history;
use java_analysis::moment::Moments;
use java_analysis::variable::Variable;
use trace_format::{ObjectId, ThreadNumber};
use trace_store::{CallId, CallOutcome, ThreadCalls, Written};

use crate::breakpoint::{Breakpoint, BreakpointKind, Candidates};
use crate::frames::CallVariables;
use crate::position::{Direction, Key, Stop};
use crate::scan::Sieve;
use crate::sifting::{SiftedCall, Sifting};
use crate::stepping::{Arrival, Step, Traveller};

impl<'run> Traveller<'run> {
    /// One step that ends early at a breakpoint of its thread.
    #[must_use]
    pub fn step_to_breakpoint(
        &self,
        from: &Stop,
        step: Step,
        direction: Direction,
        breakpoints: &[Breakpoint],
    ) -> Option<Arrival> {
        let target = self.step(from, step, direction);
        let thread = Some(from.thread());
        let met = self.first_met(from, direction, target.as_ref(), thread, breakpoints);
        met.or_else(|| {
            Some(Arrival {
                stop: target?,
                breakpoints: Vec::new(),
            })
        })
    }

    /// Goes on to the next breakpoint of any thread; `None` if there is none any more.
    #[must_use]
    pub fn run_to_breakpoint(
        &self,
        from: &Stop,
        direction: Direction,
        breakpoints: &[Breakpoint],
    ) -> Option<Arrival> {
        self.first_met(from, direction, None, None, breakpoints)
    }

    /// The first breakpoints that are met on the way from one stop to another, or to the end.
    #[must_use]
    pub fn first_met(
        &self,
        from: &Stop,
        direction: Direction,
        until: Option<&Stop>,
        thread: Option<ThreadNumber>,
        breakpoints: &[Breakpoint],
    ) -> Option<Arrival> {
        let from = from.key();
        let mut nearest: Option<(Key, Vec<usize>)> = None;
        for (place, breakpoint) in breakpoints.iter().enumerate() {
            let bound = nearest.as_ref().map(|(key, _)| *key);
            let search = Search {
                traveller: *self,
                breakpoint,
                direction,
                from,
                // What lies behind the nearest so far is not looked for.
                until: bound.or_else(|| until.map(Stop::key)),
                thread,
            };
            let Some(key) = search.nearest() else {
                continue;
            };
            match bound {
                Some(known) if known.position == key.position => {
                    if let Some((_, places)) = &mut nearest {
                        places.push(place);
                    }
                }
                Some(known) if !search.is_nearer(&key, &known) => {}
                _ => nearest = Some((key, vec![place])),
            }
        }
        let (key, breakpoints) = nearest?;
        Some(Arrival {
            stop: self.stop(key.position)?,
            breakpoints,
        })
    }
}

impl Breakpoint {
    /// The stop for a hit: of an exception where it was thrown.
    pub(crate) fn resolve(&self, traveller: &Traveller<'_>, hit: Stop) -> Stop {
        match self.kind {
            BreakpointKind::Caught | BreakpointKind::Uncaught => {
                origin_of_exception(traveller, &hit).unwrap_or(hit)
            }
            _ => hit,
        }
    }
}

impl<'run> Traveller<'run> {
    /// Right after the last write of a variable at a stop or before it.
    #[must_use]
    pub fn last_write(&self, variable: &Variable, before: &Stop) -> Option<Stop> {
        let is_written_here = match (&before.moment.what, variable) {
            (Happening::Local(local), Variable::Local { node, name }) => {
                *node == before.position.node && local.name == *name
            }
            (Happening::Write(write), variable) => variable.is_at(self.run(), write.place),
            _ => false,
        };
        if is_written_here {
            return Some(before.clone());
        }
        let breakpoint = Breakpoint::unlisted(BreakpointKind::Data(variable.clone()));
        let met = self.run_to_breakpoint(before, Direction::Backwards, &[breakpoint])?;
        Some(met.stop)
    }

    /// Where the exception was thrown that leaves a call or is caught at this stop; the stop itself if none is.
    #[must_use]
    pub fn thrown_at(&self, stop: Stop) -> Stop {
        origin_of_exception(self, &stop).unwrap_or(stop)
    }
}

struct Search<'run, 'wanted> {
    traveller: Traveller<'run>,
    breakpoint: &'wanted Breakpoint,
    direction: Direction,
    from: Key,
    until: Option<Key>,
    thread: Option<ThreadNumber>,
}

impl<'run> Search<'run, '_> {
    /// Whether one hit is met before another.
    fn is_nearer(&self, one: &Key, other: &Key) -> bool {
        let run = self.traveller.run();
        match self.direction {
            Direction::Forwards => one.is_before(run, other),
            Direction::Backwards => other.is_before(run, one),
        }
    }

    /// Whether a hit lies on the way.
    fn is_on_way(&self, key: &Key) -> bool {
        self.is_nearer(&self.from, key)
            && self.until.is_none_or(|until| !self.is_nearer(&until, key))
            && self.thread.is_none_or(|thread| thread == key.call.thread)
    }

    fn nearest(&self) -> Option<Key> {
        if let Some(keys) = self.breakpoint.hits.all() {
            return self.nearest_listed(keys);
        }
        match &self.breakpoint.kind {
            BreakpointKind::Data(variable) if !matches!(variable, Variable::Local { .. }) => {
                self.nearest_write(variable)
            }
            _ => self.nearest_in_calls(),
        }
    }

    fn nearest_listed(&self, keys: &[Key]) -> Option<Key> {
        let run = self.traveller.run();
        let nearest = match self.direction {
            Direction::Forwards => {
                let after = keys.partition_point(|key| !self.from.is_before(run, key));
                let mut rest = keys[after..].iter();
                rest.find(|key| self.is_on_way(key) || self.is_beyond(key))
            }
            Direction::Backwards => {
                let before = keys.partition_point(|key| key.is_before(run, &self.from));
                let mut rest = keys[..before].iter().rev();
                rest.find(|key| self.is_on_way(key) || self.is_beyond(key))
            }
        };
        nearest.filter(|key| self.is_on_way(key)).copied()
    }

    /// Whether nothing behind a hit can be on the way.
    fn is_beyond(&self, key: &Key) -> bool {
        self.until.is_some_and(|until| self.is_nearer(&until, key))
    }

    fn nearest_write(&self, variable: &Variable) -> Option<Key> {
        let writes = history::writes(self.traveller.run(), variable)?;
        let mut variables = CallVariables::new(self.traveller);
        let mut is_it = |written: Written| {
            let stop = stop_of_write(&self.traveller, &written)?;
            let applies =
                self.is_on_way(&stop.key()) && self.breakpoint.applies(&mut variables, &stop);
            applies.then(|| stop.key())
        };
        match self.direction {
            Direction::Forwards => {
                let mut writes = writes.starting_at(self.from.time);
                writes.find_map(|entry| is_it(entry.written))
            }
            Direction::Backwards => {
                let mut writes = writes.ending_before(self.from.time).rev();
                writes.find_map(|entry| is_it(entry.written))
            }
        }
    }

    fn nearest_in_calls(&self) -> Option<Key> {
        let run = self.traveller.run();
        let candidates = self.breakpoint.candidates(run);
        let sieve = Sieve::of(&self.traveller, self.breakpoint);
        let mut best = None;
        let threads = run.trace().threads();
        for thread in threads.filter(|&thread| self.thread.is_none_or(|only| only == thread)) {
            let Some(calls) = self.traveller.calls(thread) else {
                continue;
            };
            if !candidates.may_be_in(thread) {
                continue;
            }
            let found = match self.direction {
                Direction::Forwards => {
                    self.first_in_thread(calls, &candidates, sieve.as_ref(), best)
                }
                Direction::Backwards => {
                    self.last_in_thread(calls, &candidates, sieve.as_ref(), best)
                }
            };
            best = found.or(best);
        }
        best
    }

    fn is_candidate(&self, calls: ThreadCalls<'_>, candidates: &Candidates, index: u32) -> bool {
        let run = self.traveller.run();
        self.breakpoint.is_candidate(run, candidates, calls, index)
    }

    /// Whether nothing from a moment of a thread on, in this direction, can be on the way.
    fn is_past(&self, thread: ThreadNumber, moment: &Moment) -> bool {
        let end = self.until.filter(|until| until.call.thread == thread);
        end.is_some_and(|end| match self.direction {
            Direction::Forwards => moment.position > end.at,
            Direction::Backwards => moment.position < end.at,
        })
    }

    /// Finds the calls of a thread that may be hit; of those that are `open` here, only a part lies ahead or behind.
    fn sifting<'all>(
        &'all self,
        calls: ThreadCalls<'run>,
        candidates: &'all Candidates,
        sieve: Option<&'all Sieve>,
        open: Vec<u32>,
    ) -> Sifting<'all, 'run> {
        Sifting {
            traveller: self.traveller,
            breakpoint: self.breakpoint,
            candidates,
            sieve,
            calls,
            open,
            counts_all: false,
            deadline: None,
        }
    }

    /// The calls around where somebody stands that can be hit, the innermost first.
    fn open_here<'all>(
        &'all self,
        calls: ThreadCalls<'run>,
        candidates: &'all Candidates,
        begun: u32,
    ) -> impl Iterator<Item = u32> + use<'all, 'run> {
        let last = begun.checked_sub(1).into_iter();
        let around = last.flat_map(move |last| std::iter::once(last).chain(calls.ancestors(last)));
        around.filter(move |&index| {
            self.traveller.is_open_at(calls, index, self.from.time)
                && self.is_candidate(calls, candidates, index)
        })
    }

    fn first_in_thread(
        &self,
        calls: ThreadCalls<'run>,
        candidates: &Candidates,
        sieve: Option<&Sieve>,
        best: Option<Key>,
    ) -> Option<Key> {
        let begun = self.traveller.begun_at(calls, self.from.time);
        let mut found: Option<Key> = None;
        for index in self.open_here(calls, candidates, begun) {
            found = self.first_in_call(calls, index, found.or(best)).or(found);
        }
        // What begins later than the nearest hit is not hit earlier.
        let end = |found: Option<Key>| {
            let bound = found.or(best).or(self.until);
            bound.map_or(calls.len(), |bound| {
                self.traveller.begun_at(calls, bound.time)
            })
        };
        let sifting = self.sifting(calls, candidates, sieve, Vec::new());
        let mut sifted = sifting.sift(begun..end(found), Direction::Forwards);
        while let Some(SiftedCall { index, .. }) = sifted.next() {
            if let Some(nearer) = self.first_in_call(calls, index, found.or(best)) {
                found = Some(nearer);
                sifted.end_at(end(found));
            }
        }
        found
    }

    /// The first hit in a call that is nearer than what is known.
    fn first_in_call(&self, calls: ThreadCalls<'_>, index: u32, bound: Option<Key>) -> Option<Key> {
        let mut moments = self.moments(calls, index)?;
        let mut variables = CallVariables::new(self.traveller);
        if calls.thread() == self.from.call.thread && calls.entry(index) < self.from.at {
            moments.go_before(self.from.at);
        }
        while let Some(moment) = moments.next() {
            if self.is_past(calls.thread(), &moment) {
                return None;
            }
            if !self.breakpoint.is_at(&moments, &moment) {
                continue;
            }
            let hit = self.traveller.stop_at(&moments, moment);
            let stop = self.breakpoint.resolve(&self.traveller, hit);
            let key = stop.key();
            if bound.is_some_and(|bound| !self.is_nearer(&key, &bound)) || self.is_beyond(&key) {
                return None;
            }
            if self.is_on_way(&key) && self.breakpoint.applies(&mut variables, &stop) {
                return Some(key);
            }
        }
        None
    }

    fn last_in_thread(
        &self,
        calls: ThreadCalls<'run>,
        candidates: &Candidates,
        sieve: Option<&Sieve>,
        best: Option<Key>,
    ) -> Option<Key> {
        let begun = self.traveller.begun_at(calls, self.from.time);
        // What had ended before the nearest hit so far is not hit later.
        let start = best.or(self.until).map_or(0, |bound| {
            let begun = self.traveller.begun_at(calls, bound.time);
            begun.saturating_sub(1)
        });
        let mut open: Vec<u32> = self.open_here(calls, candidates, begun).collect();
        open.reverse();
        let around = calls.contains(start).then(|| calls.ancestors(start));
        let around = around.into_iter().flatten().filter(|&index| {
            let is_open = open.binary_search(&index).is_ok();
            is_open || {
                let sifting = self.sifting(calls, candidates, sieve, Vec::new());
                sifting.may_be_hit(index)
            }
        });
        let sifting = self.sifting(calls, candidates, sieve, open.clone());
        let sifted = sifting.sift(start..begun, Direction::Backwards);
        let mut found = None;
        for index in sifted.map(|call| call.index).chain(around) {
            found = self.last_in_call(calls, index, best);
            if found.is_some() {
                // What began earlier ended before it, unless it is around it.
                for around in calls.ancestors(index) {
                    if self.is_candidate(calls, candidates, around) {
                        found = self.last_in_call(calls, around, found).or(found);
                    }
                }
                break;
            }
        }
        let in_flight = self.thrown_and_not_yet_caught(calls, candidates);
        match (found, in_flight) {
            (Some(found), Some(thrown)) if self.is_nearer(&thrown, &found) => Some(thrown),
            (None, Some(thrown)) if best.is_none_or(|best| self.is_nearer(&thrown, &best)) => {
                Some(thrown)
            }
            _ => found,
        }
    }

    /// Where the exception was thrown that passes through where somebody stands, on its way to a call that catches it:
    /// its hit lies behind, the event that tells of it ahead.
    fn thrown_and_not_yet_caught(
        &self,
        calls: ThreadCalls<'run>,
        candidates: &Candidates,
    ) -> Option<Key> {
        if self.breakpoint.kind != BreakpointKind::Caught {
            return None;
        }
        let begun = self.traveller.begun_at(calls, self.from.time);
        let mut open = self.open_here(calls, candidates, begun);
        open.find_map(|index| {
            let mut moments = self.moments(calls, index)?;
            moments.go_before(self.from.at);
            // The first event ahead, or the one behind the call that is left there.
            let first = loop {
                let moment = moments.next()?;
                let stop = self.traveller.stop_at(&moments, moment.clone());
                if !stop.key().is_before(self.traveller.run(), &self.from) {
                    break moment;
                }
            };
            let caught = match first.what {
                Happening::Call(_) => moments.next()?,
                _ => first,
            };
            if !self.breakpoint.is_at(&moments, &caught) {
                return None;
            }
            let hit = self.traveller.stop_at(&moments, caught);
            let stop = self.breakpoint.resolve(&self.traveller, hit);
            let key = stop.key();
            let mut variables = CallVariables::new(self.traveller);
            let is_hit = self.is_on_way(&key) && self.breakpoint.applies(&mut variables, &stop);
            is_hit.then_some(key)
        })
    }

    /// The last hit in a call that is nearer than what is known.
    fn last_in_call(&self, calls: ThreadCalls<'_>, index: u32, bound: Option<Key>) -> Option<Key> {
        let mut moments = self.moments(calls, index)?;
        let is_own = calls.thread() == self.from.call.thread;
        if is_own && calls.entry(index) < self.from.at {
            moments.go_before(self.from.at);
        }
        let (traveller, run) = (self.traveller, self.traveller.run());
        let mut variables = CallVariables::new(traveller);
        let mut end = None;
        while let Some(moment) = moments.next() {
            let stop = traveller.stop_at(&moments, moment);
            if !stop.key().is_before(run, &self.from) {
                end = Some(stop.position.event);
                break;
            }
        }
        let mut end = end.unwrap_or_else(|| moments.count_events());
        loop {
            let moment = self.last_match(&mut moments, end)?;
            end = moment.event;
            let hit = traveller.stop_at(&moments, moment);
            let stop = self.breakpoint.resolve(&traveller, hit);
            let key = stop.key();
            if bound.is_some_and(|bound| !self.is_nearer(&key, &bound)) || self.is_beyond(&key) {
                return None;
            }
            if self.is_on_way(&key) && self.breakpoint.applies(&mut variables, &stop) {
                return Some(key);
            }
        }
    }

    fn last_match(&self, moments: &mut Moments<'run>, end: u64) -> Option<Moment> {
        // What tells whether a moment is a hit must not be in use by the search.
        let other = self.traveller.moments(moments.node())?;
        let thread = moments.call().id.thread;
        let is_hit = |moment: &Moment| self.breakpoint.is_at(&other, moment);
        let found =
            moments.last_before(end, |moment| is_hit(moment) || self.is_past(thread, moment));
        found.filter(is_hit)
    }

    fn moments(&self, calls: ThreadCalls<'_>, index: u32) -> Option<Moments<'run>> {
        let call = CallId::new(calls.thread(), index);
        let node = self.traveller.run().node(call)?;
        self.traveller.moments(node)
    }
}

/// Right after a write. One from outside recorded code is known by who read it first: that call's beginning.
pub(crate) fn stop_of_write(traveller: &Traveller<'_>, written: &Written) -> Option<Stop> {
    let run = traveller.run();
    if let Some(reader) = written.first_read_by {
        let call = CallId::new(written.thread, reader);
        return traveller.first_stop(run.node(call)?);
    }
    let call = run.trace().call_of(written.thread, written.position);
    let node = run.node(run.read(call).flatten()?)?;
    let mut moments = traveller.moments(node)?;
    moments.go_before(written.position);
    let is_it = |moment: &Moment| matches!(&moment.what, Happening::Write(write) if write.position == written.position);
    let moment = moments.find(is_it)?;
    Some(traveller.stop_at(&moments, moment))
}

/// Where an exception that leaves a call, or is caught in it, was thrown: the end of the innermost call that it left.
pub(crate) fn origin_of_exception(traveller: &Traveller<'_>, stop: &Stop) -> Option<Stop> {
    let run = traveller.run();
    let exception = match stop.moment.what {
        Happening::Caught(exception) | Happening::Ended(CallOutcome::Threw(exception)) => exception,
        _ => return None,
    };
    let mut origin = stop.clone();
    while let Some(thrower) = thrower_below(traveller, &origin, exception) {
        origin = traveller.last_stop(run.node(thrower)?)?;
    }
    match origin.moment.what {
        // Thrown and caught in one call: before it was caught.
        Happening::Caught(_) => before_event(traveller, &origin),
        _ => Some(origin),
    }
}

/// The moment of the same call before one.
fn before_event(traveller: &Traveller<'_>, stop: &Stop) -> Option<Stop> {
    traveller.stop(crate::Position {
        event: stop.position.event.checked_sub(1)?,
        ..stop.position
    })
}

/// The call right before a moment that the exception left as well.
fn thrower_below(traveller: &Traveller<'_>, stop: &Stop, exception: ObjectId) -> Option<CallId> {
    let Happening::Call(call) = before_event(traveller, stop)?.moment.what else {
        return None;
    };
    let run = traveller.run();
    let outcome = run.read(run.trace().outcome(call))?;
    (outcome == CallOutcome::Threw(exception)).then_some(call)
}
