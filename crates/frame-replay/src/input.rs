//! What was recorded of the call, in order: its own events, its children, the values it consumed.
//!
//! Events and values are two streams that point into each other. The next event with a position
//! in the values bounds what may be read before it, so a value that is not there is noticed at
//! the instruction that wants it, not somewhere later.

use trace_format::event::{self, Event, Write};
use trace_format::{EventPosition, Kind, ObjectId, Stream, Value, restore_position};
use trace_store::{CallId, CallOutcome, StoreError, ThreadCalls, Trace, ValueReader};

use crate::error::ReplayError;
use crate::events::{EventPlace, Events, Own};

/// See the module's header.
#[derive(Debug)]
pub(crate) struct Input<'t> {
    events: Events<'t>,
    next: Next<'t>,
    values: ValueReader<'t>,
    /// Values before this belong to what comes before `next`.
    bound: u64,
    /// Values of the call end here.
    limit: u64,
    /// Everything up to here has happened.
    position: EventPosition,
    end: EventPosition,
    /// Where the events and values of the thread end.
    recorded: (EventPosition, u64),
    /// Where they begin, if their oldest part was given up.
    kept_from: (EventPosition, u64),
    /// How many values were taken.
    pub(crate) taken: u64,
    quiet: Option<Quiet<'t>>,
    /// From where `next` was looked for: among the events, and how far the values were.
    looked_from: (EventPlace, u64),
}

/// A place in the call, as plain data. What follows from it is looked up again.
#[derive(Debug, Clone)]
pub(crate) struct Bookmark {
    looked_from: (EventPlace, u64),
    values: u64,
    pub(crate) position: EventPosition,
    taken: u64,
}

/// Between two events that matter, stamps may have been taken, and library code may have written during several calls.
/// A MARK tells how far the values were then: this is the next such place.
#[derive(Debug, Clone)]
struct Quiet<'t> {
    position: EventPosition,
    values: u64,
    /// Behind the MARK, and behind stamps that follow it.
    events: Events<'t>,
    /// What follows here was done by the call whose result is the next value.
    is_in_call: bool,
}

/// What comes next among the call's own events. Stamps and writes by library code are left out.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Next<'t> {
    Child(u32),
    Write(EventPosition, Write<'t>),
    This(ObjectId),
    Catch {
        exception: ObjectId,
        handler: u16,
    },
    Throw {
        exception: ObjectId,
    },
    Exit(Option<Value>),
    /// Nothing more was recorded of this call.
    Nothing,
}

impl<'t> Input<'t> {
    pub(crate) fn new(trace: &'t Trace, id: CallId) -> Result<Self, ReplayError> {
        let calls = trace.calls(id.thread)?;
        if !calls.contains(id.index) {
            return Err(StoreError::NoCall(id.number()).into());
        }
        let values = trace.stream(id.thread, Stream::Values);
        let stream = trace.stream(id.thread, Stream::Events);
        let events = Events::new(calls, trace.symbols(), stream, id.index);
        let mut input = Input {
            looked_from: (events.place(), 0),
            events,
            next: Next::Nothing,
            values: values.reader(0),
            recorded: (EventPosition(stream.length()), values.length()),
            kept_from: (EventPosition(stream.kept_from()), values.kept_from()),
            bound: 0,
            limit: 0,
            taken: 0,
            quiet: None,
            position: EventPosition(0),
            end: EventPosition(0),
        };
        input.begin()?;
        Ok(input)
    }

    /// Turns to another call. Within a thread that is done in place: most calls are so short that
    /// making a new input would take longer than running them.
    pub(crate) fn turn_to(&mut self, trace: &'t Trace, id: CallId) -> Result<(), ReplayError> {
        let calls = self.events.calls;
        if calls.thread() != id.thread || !calls.contains(id.index) {
            *self = Input::new(trace, id)?;
            return Ok(());
        }
        self.events.turn_to_call(id.index);
        self.begin()
    }

    /// Stands at the entry of the call that the events are of.
    fn begin(&mut self) -> Result<(), ReplayError> {
        let extent = self.events.extent();
        // Behind the last byte that is not zero nothing is sure to have been written.
        let (end, limit) = match extent.end {
            Some(end) => (end.exit, end.values.0),
            None => self.recorded,
        };
        let start = extent.values.0;
        let (kept_event, kept_value) = self.kept_from;
        if extent.entry < kept_event {
            return Err(ReplayError::BeginningGivenUp);
        }
        self.limit = limit.max(start);
        if start < kept_value && start < self.limit {
            return Err(ReplayError::ValuesGivenUp);
        }
        self.bound = self.limit;
        self.values.seek(start);
        self.taken = 0;
        self.position = EventPosition(extent.entry.0 + 1);
        self.end = end;
        self.look();
        Ok(())
    }

    pub(crate) fn bookmark(&self) -> Bookmark {
        Bookmark {
            looked_from: self.looked_from,
            values: self.values.position(),
            position: self.position,
            taken: self.taken,
        }
    }

    /// To a place of the same call.
    pub(crate) fn go_to(&mut self, bookmark: &Bookmark) {
        // Positions in events are completed by how far the values were when they were read.
        let (place, values) = bookmark.looked_from;
        self.events.go_to(place);
        self.values.seek(values);
        self.look();
        self.values.seek(bookmark.values);
        self.position = bookmark.position;
        self.taken = bookmark.taken;
    }

    /// Finds the next event that matters.
    fn look(&mut self) {
        self.find_next();
        self.pass_stamps();
    }

    fn find_next(&mut self) {
        self.looked_from = (self.events.place(), self.values.position());
        self.quiet = None;
        loop {
            let (position, event) = match self.events.next() {
                Some(Own::Event(position, event)) => (position, event),
                Some(Own::Child(child)) => {
                    self.bound = self.events.passed().values.0;
                    self.next = Next::Child(child);
                    return;
                }
                None => {
                    (self.next, self.bound) = (Next::Nothing, self.limit);
                    return;
                }
            };
            let here = |vpos| Some(restore_position(self.values.position(), vpos));
            let (next, bound) = match event {
                Event::Write(write) if !write.by_library => (Next::Write(position, write), None),
                Event::This { object } => (Next::This(object), None),
                Event::Catch {
                    vpos,
                    exception,
                    handler,
                    ..
                } => (Next::Catch { exception, handler }, here(vpos)),
                // This ends a call that library code saw fail without telling us.
                Event::Throw { exception, .. } if exception.is_null() => continue,
                Event::Throw {
                    vpos, exception, ..
                } => (Next::Throw { exception }, here(vpos)),
                Event::Exit { value, .. } => {
                    let end = self.events.extent().end;
                    (Next::Exit(value), end.map(|end| end.values.0))
                }
                Event::Mark { vpos } => {
                    if self.quiet.is_none() {
                        self.quiet = Some(Quiet {
                            position,
                            values: restore_position(self.values.position(), vpos),
                            events: self.events.clone(),
                            is_in_call: false,
                        });
                    }
                    continue;
                }
                // No value was noted since the last event that told how many there were.
                Event::Sync { .. } if self.quiet.is_none() => {
                    self.position = self.position.max(EventPosition(position.0 + 1));
                    continue;
                }
                _ => continue,
            };
            self.next = next;
            self.bound = bound.unwrap_or(self.limit);
            return;
        }
    }

    /// Passes the stamps that were taken before any more values were noted.
    fn pass_stamps(&mut self) {
        let here = self.values.position();
        while let Some(quiet) = &mut self.quiet {
            if quiet.values > here || quiet.values == here && quiet.is_in_call {
                return;
            }
            match quiet.events.next() {
                Some(Own::Event(position, Event::Mark { vpos })) => {
                    quiet.position = position;
                    quiet.values = restore_position(quiet.values, vpos);
                    quiet.is_in_call = false;
                }
                Some(Own::Event(position, Event::Sync { .. })) => {
                    quiet.position = EventPosition(position.0 + 1);
                    self.position = self.position.max(quiet.position);
                }
                Some(Own::Event(_, Event::Write(write))) if write.by_library => {
                    quiet.is_in_call = true;
                }
                Some(Own::Event(
                    _,
                    Event::Submit { .. }
                    | Event::Task { .. }
                    | Event::Text { .. }
                    | Event::Output { .. },
                )) => quiet.is_in_call = true,
                _ => self.quiet = None,
            }
        }
    }

    #[inline]
    pub(crate) fn next(&self) -> Next<'t> {
        self.next
    }

    /// The next event has happened.
    pub(crate) fn consume(&mut self) {
        if let Next::Write(position, _) = self.next {
            self.position = EventPosition(position.0 + 1);
            self.look();
        } else {
            self.look();
            self.settle();
        }
    }

    /// Library code may have written since the last event; it has returned.
    pub(crate) fn settle(&mut self) {
        let next = match self.next {
            Next::Child(child) => self.events.calls.entry(child),
            Next::Write(position, _) => position,
            _ => self.position.max(self.end_of_quiet()),
        };
        self.position = self.next_library_write().map_or(next, |at| at.min(next));
    }

    /// Where what is known to have been written during a later call begins.
    fn next_library_write(&mut self) -> Option<EventPosition> {
        self.pass_stamps();
        self.quiet.as_ref().map(|quiet| quiet.position)
    }

    /// Where nothing more than the end follows, the end is the time.
    fn end_of_quiet(&self) -> EventPosition {
        match self.next {
            Next::Exit(_) | Next::Throw { .. } | Next::Nothing => self.end,
            _ => self.position,
        }
    }

    #[inline]
    pub(crate) fn position(&self) -> EventPosition {
        self.position
    }

    /// Whether the next event is bound to happen before any more values are read.
    #[inline]
    pub(crate) fn is_due(&self) -> bool {
        self.values.position() == self.bound
    }

    /// Whether an exception struck before any more values were read.
    #[inline]
    pub(crate) fn exception_is_due(&self) -> bool {
        self.is_due() && matches!(self.next, Next::Catch { .. } | Next::Throw { .. })
    }

    /// The next value, if there is one before the next event.
    #[inline]
    pub(crate) fn value(&mut self, kind: Kind) -> Option<Value> {
        if self.values.position() + kind.size() as u64 > self.bound && !self.is_followed() {
            return None;
        }
        self.taken += 1;
        let value = self.values.next(kind);
        let value = value.or_else(|| self.values.next_with_zeros(kind));
        if self.quiet.is_some() {
            self.pass_stamps();
        }
        value
    }

    /// Whether the thread did something after all values that can be seen of it, which it was not told how many there
    /// were: then those that are missing are zeros.
    #[cold]
    fn is_followed(&self) -> bool {
        let is_open = self.events.extent().end.is_none();
        // Where the values of a call begin behind the last byte that is not zero, its limit is there.
        is_open && self.bound == self.limit && matches!(self.next, Next::Write(..) | Next::This(_))
    }

    /// The next child, if it began before any more values were read.
    #[inline]
    pub(crate) fn due_child(&self) -> Option<u32> {
        match self.next {
            Next::Child(child) if self.is_due() => Some(child),
            _ => None,
        }
    }

    /// Steps over a child that is next: its values are not ours, what it wrote has happened.
    /// `false`, and nothing done, if it has not ended.
    pub(crate) fn skip_child(&mut self) -> bool {
        let Some(end) = self.events.passed().end else {
            return false;
        };
        self.values.seek(end.values.0);
        let after = EventPosition(end.exit.0 + u64::from(!end.is_lost));
        self.position = self.position.max(after);
        self.look();
        true
    }

    /// Whether the call is open, and whether it ended without an event of its own.
    pub(crate) fn ending(&self) -> (bool, bool) {
        let end = self.events.extent().end;
        (end.is_none(), end.is_some_and(|end| end.is_lost))
    }

    pub(crate) fn calls(&self) -> ThreadCalls<'t> {
        self.events.calls
    }

    /// How a call ended.
    pub(crate) fn outcome(&mut self, call: u32) -> CallOutcome {
        self.events.outcome(call)
    }

    /// `this` and the arguments of a call, as its ENTER has them.
    pub(crate) fn arguments(&mut self, call: u32) -> impl Iterator<Item = Value> + use<'t> {
        let (bytes, kinds) = self.events.arguments(call);
        event::values(bytes, kinds)
    }
}

impl std::fmt::Display for Next<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Next::Child(child) => write!(f, "a call (number {child})"),
            Next::Write(_, write) => write!(f, "the write {:?}", write.target),
            Next::This(object) => write!(f, "the constructed object #{object}"),
            Next::Catch { exception, handler } => {
                write!(f, "exception #{exception} caught at offset {handler}")
            }
            Next::Throw { exception } => write!(f, "the end by exception #{exception}"),
            Next::Exit(Some(value)) => write!(f, "the return of {value}"),
            Next::Exit(None) => f.write_str("the return"),
            Next::Nothing => f.write_str("the end of what was recorded"),
        }
    }
}
