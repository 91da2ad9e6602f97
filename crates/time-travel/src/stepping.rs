//! Steps: over, into and out, by Java line, forwards and backwards.
//!
//! Whoever steps stands before a line, right after a call that a line made, or where a call ends. A call's end is a
//! stop of its own, because what it gives back and what it changed are known there. So, within one call, a step back
//! from where a step over led is where that began.

use debug_engine::NodeId;
use frame_replay::Program;
use java_analysis::happening::{Happening, Moment};
use java_analysis::moment::Moments;
use java_model::run::JavaRun;
use java_model::shown;
use trace_format::{EventPosition, ThreadNumber, TraceTime};
use trace_store::{CallId, CallOutcome, ThreadCalls};

use crate::position::{Direction, Position, Stop};

/// See the module's header.
#[derive(Clone, Copy)]
pub struct Traveller<'run> {
    run: &'run JavaRun,
    program: &'run Program,
}

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the next line of the call, or the line before.
    Over,
    /// Into a call that lies between, if there is one.
    Into,
    /// To the caller: right after the call, or right before it.
    Out,
}

/// Where a step or a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrival {
    pub stop: Stop,
    /// The places, in the list that was given, of the breakpoints that are there.
    pub breakpoints: Vec<usize>,
}

impl<'run> Traveller<'run> {
    #[must_use]
    pub fn new(run: &'run JavaRun) -> Self {
        Traveller {
            run,
            program: run.program(),
        }
    }

    #[must_use]
    pub fn run(&self) -> &'run JavaRun {
        self.run
    }

    /// The events of a call.
    #[must_use]
    pub fn moments(&self, node: NodeId) -> Option<Moments<'run>> {
        Moments::of(self.run, self.program, node)
    }

    /// What the run has at a position; `None` if there is no such event.
    #[must_use]
    pub fn stop(&self, position: Position) -> Option<Stop> {
        let mut moments = self.moments(position.node)?;
        let moment = moments.at(position.event)?;
        Some(self.stop_at(&moments, moment))
    }

    pub(crate) fn stop_at(&self, moments: &Moments<'run>, moment: Moment) -> Stop {
        Stop::new(self.run, moments.node(), moments.call().id, moment)
    }

    /// The first stop of a call: before its first line, or its entry if lines are not known.
    #[must_use]
    pub fn first_stop(&self, node: NodeId) -> Option<Stop> {
        let mut moments = self.moments(node)?;
        let is_line = |moment: &Moment| moment.what == Happening::Line;
        let moment = match moments.at(1).filter(is_line) {
            Some(first) => first,
            None => moments.at(0)?,
        };
        Some(self.stop_at(&moments, moment))
    }

    /// Where a call ended, or the last that is known of it.
    #[must_use]
    pub fn last_stop(&self, node: NodeId) -> Option<Stop> {
        let mut moments = self.moments(node)?;
        let last = moments.count_events().checked_sub(1)?;
        let moment = moments.at(last)?;
        Some(self.stop_at(&moments, moment))
    }

    /// The first stop of a thread.
    #[must_use]
    pub fn thread_start(&self, thread: ThreadNumber) -> Option<Stop> {
        let calls = self.calls(thread)?;
        let first = calls.roots().next()?;
        self.first_stop(self.run.node(CallId::new(thread, first))?)
    }

    /// The last stop of a thread.
    #[must_use]
    pub fn thread_end(&self, thread: ThreadNumber) -> Option<Stop> {
        let calls = self.calls(thread)?;
        let last = root_of(calls, calls.len().checked_sub(1)?);
        self.last_stop(self.run.node(CallId::new(thread, last))?)
    }

    /// Whether a thread's recorded calls had all ended before a time.
    #[must_use]
    pub fn is_over(&self, thread: ThreadNumber, time: TraceTime) -> bool {
        let Some(calls) = self.calls(thread) else {
            return true;
        };
        let last = calls.len().checked_sub(1).map(|last| root_of(calls, last));
        let exit = last.and_then(|root| calls.exit(root));
        exit.is_some_and(|exit| shown::time(self.run, thread, exit) < time)
    }

    /// Where a thread stood at a time; `None` if it had not begun yet.
    #[must_use]
    pub fn thread_at(&self, thread: ThreadNumber, time: TraceTime) -> Option<Stop> {
        let calls = self.calls(thread)?;
        let open = self.open_at(calls, time)?;
        let entry = calls.entry(open);
        let exit = calls.exit(open).unwrap_or(EventPosition(u64::MAX >> 2));
        let at = self.position_at(thread, time, entry, exit);
        let node = self.run.node(CallId::new(thread, open))?;
        let mut moments = self.moments(node)?;
        moments.go_before(at);
        let mut last = None;
        for moment in moments.by_ref() {
            if moment.position > at && last.is_some() {
                break;
            }
            last = Some(moment);
        }
        Some(self.stop_at(&moments, last?))
    }

    /// The last position of a thread, between two, whose time has come.
    fn position_at(
        &self,
        thread: ThreadNumber,
        time: TraceTime,
        from: EventPosition,
        to: EventPosition,
    ) -> EventPosition {
        let (mut low, mut high) = (from.0, to.0);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match shown::time(self.run, thread, EventPosition(middle)) <= time {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        EventPosition(low)
    }

    /// How many calls of a thread had begun at a time.
    pub(crate) fn begun_at(&self, calls: ThreadCalls<'_>, time: TraceTime) -> u32 {
        let (mut low, mut high) = (0, calls.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let began = shown::time(self.run, calls.thread(), calls.entry(middle));
            match began <= time {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }

    /// The innermost call of a thread that was open at a time; the one that ended last, if none was.
    fn open_at(&self, calls: ThreadCalls<'_>, time: TraceTime) -> Option<u32> {
        let last = self.begun_at(calls, time).checked_sub(1)?;
        let mut index = last;
        while !self.is_open_at(calls, index, time) {
            match calls.parent(index) {
                Some(parent) => index = parent,
                None => return Some(root_of(calls, last)),
            }
        }
        Some(index)
    }

    pub(crate) fn is_open_at(&self, calls: ThreadCalls<'_>, index: u32, time: TraceTime) -> bool {
        let end = |exit| shown::time(self.run, calls.thread(), exit);
        calls.exit(index).is_none_or(|exit| end(exit) >= time)
    }

    pub(crate) fn calls(&self, thread: ThreadNumber) -> Option<ThreadCalls<'run>> {
        self.run.read(self.run.trace().calls(thread))
    }

    /// One step, whatever breakpoints there are; `None` where the thread's recording begins or ends.
    #[must_use]
    pub fn step(&self, from: &Stop, step: Step, direction: Direction) -> Option<Stop> {
        match (step, direction) {
            (Step::Over, Direction::Forwards) => self.over(from),
            (Step::Into, Direction::Forwards) => self.next_inside(from),
            (Step::Out, Direction::Forwards) => self.after_call(from.position.node),
            (Step::Over, Direction::Backwards) => self.back_over(from),
            (Step::Into, Direction::Backwards) => self.back_into(from),
            (Step::Out, Direction::Backwards) => self.before_call(from.position.node),
        }
    }

    fn over(&self, from: &Stop) -> Option<Stop> {
        let mut moments = self.moments(from.position.node)?;
        let mut next = moments.at(from.position.event + 1);
        while let Some(moment) = next {
            if is_stop(&moment) {
                return Some(self.stop_at(&moments, moment));
            }
            next = moments.next();
        }
        self.after_call(from.position.node)
    }

    fn next_inside(&self, from: &Stop) -> Option<Stop> {
        let mut moments = self.moments(from.position.node)?;
        let mut next = moments.at(from.position.event + 1);
        while let Some(moment) = next {
            if let Happening::Call(call) = moment.what
                && let Some(inside) = self.inside(call, Direction::Forwards)
            {
                return Some(inside);
            }
            if is_stop(&moment) {
                return Some(self.stop_at(&moments, moment));
            }
            next = moments.next();
        }
        self.after_call(from.position.node)
    }

    /// The first or last stop in a call; of what a compiler made, in what that called.
    fn inside(&self, call: CallId, direction: Direction) -> Option<Stop> {
        let mut call = call;
        loop {
            let calls = self.calls(call.thread)?;
            if !self.run.code(calls.method(call.index)).compiler_made {
                break;
            }
            let children = calls.children(call.index);
            let child = match direction {
                Direction::Forwards => children.into_iter().next(),
                Direction::Backwards => children.last(),
            };
            call = CallId::new(call.thread, child?);
        }
        let node = self.run.node(call)?;
        match direction {
            Direction::Forwards => self.first_stop(node),
            Direction::Backwards => self.last_stop(node),
        }
    }

    /// Right after a call, in its caller; where the thread has none, in what it called next.
    fn after_call(&self, node: NodeId) -> Option<Stop> {
        if matches!(self.run.outcome(node), Some(CallOutcome::Open)) {
            return None;
        }
        let call = self.run.call_id(node)?;
        let calls = self.calls(call.thread)?;
        match self.in_caller(call) {
            Some((moments, made)) => Some(self.stop_at(&moments, made)),
            None if calls.parent(call.index).is_some() => None,
            None => {
                let next = call.index + calls.subtree(call.index);
                let next = calls.contains(next).then_some(next)?;
                self.first_stop(self.run.node(CallId::new(call.thread, next))?)
            }
        }
    }

    /// Right before a call, in its caller; where the thread has none, at the end of what it called before.
    fn before_call(&self, node: NodeId) -> Option<Stop> {
        let call = self.run.call_id(node)?;
        let calls = self.calls(call.thread)?;
        match self.in_caller(call) {
            Some((mut moments, made)) => {
                let before = moments.at(made.event.checked_sub(1)?)?;
                Some(self.stop_at(&moments, before))
            }
            None if calls.parent(call.index).is_some() => None,
            None => {
                let before = root_of(calls, call.index.checked_sub(1)?);
                self.last_stop(self.run.node(CallId::new(call.thread, before))?)
            }
        }
    }

    /// The event of the caller that is this call.
    pub(crate) fn in_caller(&self, call: CallId) -> Option<(Moments<'run>, Moment)> {
        let calls = self.calls(call.thread)?;
        let caller = CallId::new(call.thread, calls.parent(call.index)?);
        let mut moments = self.moments(self.run.node(caller)?)?;
        moments.go_before(calls.entry(call.index));
        let made = moments.find(|moment| moment.what == Happening::Call(call))?;
        Some((moments, made))
    }

    fn back_over(&self, from: &Stop) -> Option<Stop> {
        let node = from.position.node;
        let mut moments = self.moments(node)?;
        let is_line = |moment: &Moment| moment.what == Happening::Line;
        match moments.last_before(from.position.event, is_line) {
            Some(moment) => Some(self.stop_at(&moments, moment)),
            None => self.start_or_caller(from),
        }
    }

    fn back_into(&self, from: &Stop) -> Option<Stop> {
        let mut before = from.position.event.checked_add(1)?;
        let mut moments = self.moments(from.position.node)?;
        let here = from.position.event;
        let is_it = |moment: &Moment| match moment.what {
            Happening::Call(_) => true,
            Happening::Line => moment.event < here,
            _ => false,
        };
        while let Some(moment) = moments.last_before(before, is_it) {
            match moment.what {
                Happening::Call(call) => {
                    if let Some(inside) = self.inside(call, Direction::Backwards) {
                        return Some(inside);
                    }
                    before = moment.event;
                }
                _ => return Some(self.stop_at(&moments, moment)),
            }
        }
        self.start_or_caller(from)
    }

    /// The first stop of the call, where that is its entry and lies behind; the caller otherwise.
    fn start_or_caller(&self, from: &Stop) -> Option<Stop> {
        let first = self.first_stop(from.position.node)?;
        match first.position.event < from.position.event {
            true => Some(first),
            false => self.before_call(from.position.node),
        }
    }
}

/// The outermost call around one.
fn root_of(calls: ThreadCalls<'_>, index: u32) -> u32 {
    calls.ancestors(index).last().unwrap_or(index)
}

/// Where stepping by lines stops.
fn is_stop(moment: &Moment) -> bool {
    matches!(moment.what, Happening::Line | Happening::Ended(_))
}
