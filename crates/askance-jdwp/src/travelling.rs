//! From one event to the next: what the requests of a client come to, in the order of the run.

use std::collections::VecDeque;

use java_analysis::happening::{Happening, WrittenVariable};
use time_travel::frames::Frame;
use time_travel::{Direction, Position, Step, Stop};
use trace_format::{ObjectId, ThreadNumber, Value};
use trace_store::CallOutcome;

use crate::catalogue::{self, TypeNumber};
use crate::event_request::{EventKind, EventRequests, SuspendPolicy};
use crate::identity::Identity;
use crate::machine::{Location, Machine, Place, field_number, write_unknown};
use crate::packet::Output;

/// A client that filters everything away gets what is left after so many stops in a row.
const MOST_UNWANTED: u32 = 10_000_000;

/// What is told of one place.
pub(crate) struct Told {
    pub(crate) policy: SuspendPolicy,
    /// A composite event's data.
    pub(crate) data: Output,
    /// Whether this was the last.
    pub(crate) is_end: bool,
}

/// A client's way through the run.
#[derive(Default)]
pub(crate) struct Journey {
    /// Classes that are said to be prepared when the run begins, each for a request.
    prepared: VecDeque<(u32, TypeNumber)>,
}

/// The beginning, which is told without a request.
pub(crate) fn started(machine: &Machine<'_>) -> Output {
    let mut data = composite(SuspendPolicy::All, 1);
    data.byte(EventKind::MachineStart as u8);
    data.int(0);
    data.long(Identity::Thread(machine.main_thread()).number());
    data
}

fn composite(policy: SuspendPolicy, events: usize) -> Output {
    let mut data = Output::default();
    data.byte(policy as u8);
    data.count(events);
    data
}

impl Journey {
    /// Remembers to tell of the classes that a request is about, if the run has not begun.
    pub(crate) fn expect_classes(
        &mut self,
        machine: &mut Machine<'_>,
        requests: &EventRequests,
        id: u32,
    ) {
        let Some(request) = requests.get(id) else {
            return;
        };
        if request.kind != EventKind::ClassPrepare || !matches!(machine.place(), Place::Start) {
            return;
        }
        let recorded = machine.catalogue.all();
        let recorded = recorded.filter(|(_, found)| found.class.is_some());
        let recorded: Vec<TypeNumber> = recorded.map(|(number, _)| number).collect();
        for number in recorded {
            if request.allows_class(machine, number) {
                self.prepared.push_back((id, number));
            }
        }
    }

    /// Goes to the next place of which something is to be told, and tells it. `None` where there is nothing any more.
    pub(crate) fn next(
        &mut self,
        machine: &mut Machine<'_>,
        requests: &mut EventRequests,
    ) -> Option<Told> {
        if let Some(told) = self.next_prepared(machine, requests) {
            return Some(told);
        }
        let from = match machine.place() {
            Place::Dead => return None,
            Place::At(stop) => stop.clone(),
            Place::Start => match machine.origin() {
                Some(origin) => origin,
                None => return Some(end(machine, requests)),
            },
        };
        Some(match self.next_stop(machine, requests, from) {
            Some((stop, events)) => told(machine, requests, stop, events),
            None => end(machine, requests),
        })
    }

    fn next_prepared(
        &mut self,
        machine: &mut Machine<'_>,
        requests: &mut EventRequests,
    ) -> Option<Told> {
        if !matches!(machine.place(), Place::Start) {
            self.prepared.clear();
        }
        while let Some((id, number)) = self.prepared.pop_front() {
            let Some(policy) = requests.get(id).map(|request| request.policy) else {
                continue;
            };
            // No JVM prepares what it has listed as loaded: whoever acts on both would act twice.
            if machine.is_listed(number) || !requests.counts(id) {
                continue;
            }
            requests.expire(id);
            let mut data = composite(policy, 1);
            data.byte(EventKind::ClassPrepare as u8);
            data.int(id);
            data.long(Identity::Thread(machine.main_thread()).number());
            machine.write_type(&mut data, number);
            let found = machine.catalogue.get(number);
            data.text(found.map_or("", |found| &found.signature));
            data.int(catalogue::PREPARED);
            return Some(Told {
                policy,
                data,
                is_end: false,
            });
        }
        None
    }

    fn next_stop(
        &mut self,
        machine: &mut Machine<'_>,
        requests: &mut EventRequests,
        from: Stop,
    ) -> Option<(Stop, Vec<(u32, EventKind)>)> {
        let mut from = from;
        let step = match machine.place() {
            Place::At(_) => requests.step_of(from.thread()),
            _ => None,
        };
        let step = step.map(|(request, wanted)| (request.id, wanted));
        let target = step.and_then(|(id, wanted)| {
            let stop = step_target(machine, requests, &from, id, wanted.step)?;
            Some((id, stop))
        });
        for _ in 0..MOST_UNWANTED {
            let until = target.as_ref().map(|(_, stop)| stop);
            let thread = until.map(Stop::thread);
            let (traveller, breakpoints) = (machine.traveller, requests.breakpoints());
            let met = traveller.first_met(&from, Direction::Forwards, until, thread, breakpoints);
            let threads = match until {
                Some(_) => None,
                None => next_of_threads(machine, requests, &from),
            };
            let (stop, places, of_thread) = match (met, threads) {
                (Some(met), Some((stop, id))) => {
                    if met.stop.position == stop.position {
                        (stop, met.breakpoints, Some(id))
                    } else if met.stop.is_before(machine.run, &stop) {
                        (met.stop, met.breakpoints, None)
                    } else {
                        (stop, Vec::new(), Some(id))
                    }
                }
                (None, Some((stop, id))) => (stop, Vec::new(), Some(id)),
                (Some(met), None) => (met.stop, met.breakpoints, None),
                (None, None) => {
                    let (id, stop) = target?;
                    return requests
                        .counts(id)
                        .then_some((stop, vec![(id, EventKind::Step)]));
                }
            };
            let mut events = wanted_at(machine, requests, &stop, &places);
            if let Some(id) = of_thread
                && let Some(kind) = requests.get(id).map(|request| request.kind)
                && requests.counts(id)
            {
                events.push((id, kind));
            }
            if let Some((id, target)) = &target
                && target.position == stop.position
                && requests.counts(*id)
            {
                events.push((*id, EventKind::Step));
            }
            if !events.is_empty() {
                return Some((stop, events));
            }
            from = stop;
        }
        None
    }
}

/// Which of the breakpoints that are met are to be told.
fn wanted_at(
    machine: &mut Machine<'_>,
    requests: &mut EventRequests,
    stop: &Stop,
    places: &[usize],
) -> Vec<(u32, EventKind)> {
    let mut events = Vec::new();
    let method = machine.run.method(stop.position.node);
    for id in requests.owners(places, method, stop.moment.offset) {
        let Some(request) = requests.get(id) else {
            continue;
        };
        let kind = request.kind;
        let mut is_wanted = request.allows(machine, stop);
        if kind == EventKind::Exception {
            let class = exception_at(machine, stop).map(|thrown| machine.type_of(thrown.exception));
            is_wanted &= class.is_some_and(|class| request.allows_exception(machine, class));
        }
        if is_wanted && requests.counts(id) {
            events.push((id, kind));
        }
    }
    events
}

/// Where a step ends, as a JVM has it: in another line, or in a caller right after the call; never where a call ends.
fn step_target(
    machine: &mut Machine<'_>,
    requests: &EventRequests,
    from: &Stop,
    id: u32,
    step: Step,
) -> Option<Stop> {
    let (traveller, run) = (machine.traveller, machine.run);
    let mut stop = from.clone();
    let mut step = step;
    for _ in 0..MOST_UNWANTED {
        let before = stop;
        stop = traveller.step(&before, step, Direction::Forwards)?;
        if stop.is_end() {
            step = if step == Step::Out { Step::Over } else { step };
            continue;
        }
        // Whatever an exception passes through is not where it leads to.
        if let Happening::Call(call) = stop.moment.what
            && matches!(run.trace().outcome(call), Ok(CallOutcome::Threw(_)))
            && stop.call != before.call
        {
            step = if step == Step::Out { Step::Over } else { step };
            continue;
        }
        stop = at_line(machine, stop);
        let is_same_line = stop.call == from.call && stop.moment.line == from.moment.line;
        if is_same_line && stop.moment.line.is_some() {
            continue;
        }
        let class = machine.catalogue.of_method(run.method(stop.position.node));
        let request = requests.get(id)?;
        if class.is_none_or(|(class, _)| request.allows_class(machine, class)) {
            return Some(stop);
        }
    }
    None
}

/// Right after a call that was the last of its line, the next line begins: that is one place for a JVM.
fn at_line(machine: &Machine<'_>, stop: Stop) -> Stop {
    let next = machine.traveller.stop(Position {
        event: stop.position.event + 1,
        ..stop.position
    });
    let is_same = |next: &Stop| {
        next.moment.what == Happening::Line && next.moment.offset == stop.moment.offset
    };
    match next.filter(is_same) {
        Some(next) if matches!(stop.moment.what, Happening::Call(_)) => next,
        _ => stop,
    }
}

/// The next beginning or end of a thread that somebody wants to hear of.
fn next_of_threads(
    machine: &Machine<'_>,
    requests: &EventRequests,
    from: &Stop,
) -> Option<(Stop, u32)> {
    let mut nearest: Option<(Stop, u32)> = None;
    for kind in [EventKind::ThreadStart, EventKind::ThreadDeath] {
        for request in requests.of_kind(kind) {
            for thread in machine.run.trace().threads() {
                if !request.allows_thread(thread) {
                    continue;
                }
                let stop = match kind {
                    // Before its first line, where a breakpoint may be.
                    EventKind::ThreadStart => {
                        let first = machine.traveller.thread_start(thread);
                        first.and_then(|first| {
                            machine.traveller.stop(Position {
                                event: 0,
                                ..first.position
                            })
                        })
                    }
                    _ => machine.traveller.thread_end(thread),
                };
                let Some(stop) = stop.filter(|stop| from.is_before(machine.run, stop)) else {
                    continue;
                };
                let is_nearer = |(known, _): &(Stop, u32)| stop.is_before(machine.run, known);
                if nearest.as_ref().is_none_or(is_nearer) {
                    nearest = Some((stop, request.id));
                }
            }
        }
    }
    nearest
}

/// Behind the last event.
fn end(machine: &mut Machine<'_>, requests: &EventRequests) -> Told {
    machine.go_to(Place::Dead);
    let ids: Vec<u32> = requests
        .of_kind(EventKind::MachineDeath)
        .map(|request| request.id)
        .collect();
    // It is told without a request as well.
    let ids = if ids.is_empty() { vec![0] } else { ids };
    let mut data = composite(SuspendPolicy::Nobody, ids.len());
    for id in ids {
        data.byte(EventKind::MachineDeath as u8);
        data.int(id);
    }
    Told {
        policy: SuspendPolicy::Nobody,
        data,
        is_end: true,
    }
}

fn told(
    machine: &mut Machine<'_>,
    requests: &mut EventRequests,
    stop: Stop,
    events: Vec<(u32, EventKind)>,
) -> Told {
    let policies = events
        .iter()
        .filter_map(|(id, _)| Some(requests.get(*id)?.policy));
    let policy = policies.max().unwrap_or(SuspendPolicy::Nobody);
    let mut data = composite(policy, events.len());
    let thread = stop.thread();
    let is_write = events
        .iter()
        .any(|(_, kind)| *kind == EventKind::FieldModification);
    let stop = match is_write {
        true => before_write(machine, stop),
        false => stop,
    };
    let frame = Frame::of(&stop);
    machine.go_to(Place::At(stop.clone()));
    let location = machine.location_of(&frame, true);
    for (id, kind) in events {
        data.byte(kind as u8);
        data.int(id);
        data.long(Identity::Thread(thread).number());
        match kind {
            EventKind::Exception => tell_exception(machine, &mut data, &stop, location),
            EventKind::FieldModification => {
                let field = requests.get(id).and_then(|request| request.field());
                machine.write_location(&mut data, location);
                tell_write(machine, &mut data, &stop, field);
            }
            EventKind::ThreadStart | EventKind::ThreadDeath => {}
            EventKind::MethodExitWithValue => {
                machine.write_location(&mut data, location);
                match time_travel::frames::returned(machine.run, &frame) {
                    Some(value) => machine.write_java_value(&mut data, &value),
                    None => write_unknown(&mut data),
                }
            }
            _ => machine.write_location(&mut data, location),
        }
        requests.expire(id);
    }
    match policy {
        SuspendPolicy::All => machine.suspend_all(),
        SuspendPolicy::Thread => machine.suspend(thread),
        SuspendPolicy::Nobody => {}
    }
    Told {
        policy,
        data,
        is_end: false,
    }
}

/// An exception where it is thrown.
struct ThrownException {
    exception: ObjectId,
    /// Of the instruction that threw it.
    offset: Option<u32>,
    catcher: Option<Location>,
}

/// The exception that is thrown at a stop, and where it is caught.
fn exception_at(machine: &Machine<'_>, stop: &Stop) -> Option<ThrownException> {
    let (run, traveller) = (machine.run, machine.traveller);
    let mut here = stop.clone();
    let mut thrown: Option<(ObjectId, Option<u32>)> = None;
    loop {
        let found = match here.moment.what {
            Happening::Ended(CallOutcome::Threw(exception)) => Some((exception, None)),
            Happening::Caught(exception) => Some((exception, Some(here.moment.offset))),
            _ => None,
        };
        if let Some((exception, caught)) = found {
            let (exception, offset) = match thrown {
                Some(thrown) => thrown,
                None => {
                    let mut moments = traveller.moments(here.position.node)?;
                    let slots = moments.slots_at(&here.moment, true);
                    (exception, slots.map(|(offset, _)| offset))
                }
            };
            thrown = Some((exception, offset));
            let is_outermost = || {
                let calls = run.trace().calls(here.call.thread);
                calls.map_or(true, |calls| calls.parent(here.call.index).is_none())
            };
            if caught.is_some() || is_outermost() {
                let catcher = caught
                    .and_then(|offset| machine.location(run.method(here.position.node), offset));
                return Some(ThrownException {
                    exception,
                    offset,
                    catcher,
                });
            }
        }
        here = match here.is_end() {
            true => traveller.step(&here, Step::Out, Direction::Forwards)?,
            false => traveller.stop(Position {
                event: here.position.event + 1,
                ..here.position
            })?,
        };
        // A stop at a line is before the exception only if nothing else comes between.
        let is_on_way = matches!(
            here.moment.what,
            Happening::Caught(_) | Happening::Ended(_) | Happening::Call(_)
        );
        if !is_on_way {
            return None;
        }
    }
}

fn tell_exception(
    machine: &mut Machine<'_>,
    data: &mut Output,
    stop: &Stop,
    location: Option<Location>,
) {
    let thrown = exception_at(machine, stop);
    let offset = thrown.as_ref().and_then(|thrown| thrown.offset);
    let exact = location.map(|location| Location {
        offset: offset.or(location.offset),
        ..location
    });
    machine.write_location(data, exact);
    let exception = thrown
        .as_ref()
        .map_or(ObjectId::NULL, |thrown| thrown.exception);
    machine.write_value(data, Value::Ref(exception));
    machine.write_location(data, thrown.and_then(|thrown| thrown.catcher));
}

/// The stop of a write as a JVM has it: everything as it is before the instruction that writes. What follows is behind
/// the write all the same.
fn before_write(machine: &Machine<'_>, stop: Stop) -> Stop {
    let Happening::Write(write) = &stop.moment.what else {
        return stop;
    };
    let position = write.position;
    let moments = machine.traveller.moments(stop.position.node);
    let slots = moments.and_then(|mut moments| moments.slots_at(&stop.moment, true));
    let mut before = stop;
    before.time = java_model::shown::time(machine.run, before.thread(), position);
    before.moment.position = position;
    if let (Some((offset, _)), Some(step)) = (slots, before.moment.step) {
        before.moment.offset = Some(offset);
        before.moment.step = step.checked_sub(1);
    }
    before
}

/// What is about to be written at a stop.
fn tell_write(
    machine: &mut Machine<'_>,
    data: &mut Output,
    stop: &Stop,
    field: Option<(TypeNumber, usize)>,
) {
    let (class, place) = field.unwrap_or((TypeNumber(0), 0));
    machine.write_type(data, class);
    data.long(field_number(class, place));
    let write = match &stop.moment.what {
        Happening::Write(write) => Some(write),
        _ => None,
    };
    let object = match write.map(|write| write.place) {
        Some(WrittenVariable::Field { object, .. }) => object,
        _ => ObjectId::NULL,
    };
    machine.write_value(data, Value::Ref(object));
    let descriptor = machine.catalogue.declarations(class).ok();
    let descriptor = descriptor.and_then(|known| Some(known.fields.get(place)?.descriptor.clone()));
    match write {
        Some(write) => {
            let value = java_model::shown::typed(write.value, &descriptor.unwrap_or_default());
            machine.write_value(data, value);
        }
        None => write_unknown(data),
    }
}

/// Goes back to before the call of a frame. `None` if nobody recorded called it.
pub(crate) fn pop(machine: &Machine<'_>, thread: ThreadNumber, frame: &Frame) -> Option<Stop> {
    let stop = machine.traveller.stop(frame.position)?;
    let before = machine
        .traveller
        .step(&stop, Step::Out, Direction::Backwards)?;
    let calls = machine.run.read(machine.run.trace().calls(thread))?;
    let caller = calls.parent(frame.call.index)?;
    (before.call.index == caller).then_some(before)
}
