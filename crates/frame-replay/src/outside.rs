//! Finds writes that nobody recorded, by what recorded code read.
//!
//! Every call is re-executed, and what it read is compared with what recorded writes say that the
//! variable held. Most variables are read often between two writes, so what is known of one is
//! kept with the times between which it holds, and the trace is asked once for each such stretch.
//!
//! Where threads meet, the order of a read and a write of another thread may not be known. A
//! value that another thread wrote at any time is no evidence, then.

mod at_hand;
mod placing;

use std::collections::{BTreeMap, HashMap, HashSet};

use classfile::opcode;
use trace_format::{
    EventPosition, FieldId, MethodId, ObjectId, Stream, ThreadNumber, TraceTime, Value,
};
use trace_store::{CallId, Known, OutsideWrite, Slot, Trace};

use self::at_hand::KnownAtHand;
use self::placing::Until;
use crate::code::{MethodCode, Op};
use crate::program::Program;
use crate::replay::Runner;
use crate::step::Place;

/// With more values than this (in bytes, all threads) a run is not searched: re-executing it would
/// take longer than somebody waits who asks for a variable.
const MOST_VALUES: u64 = 32 << 20;
/// Reads of variables that were written from outside.
const MOST_READS: usize = 1 << 20;
/// Writes whose time is looked for; more than these have the time of the read.
const MOST_PLACED: usize = 2000;
/// Writes by other threads that are looked at for one read.
const MOST_WRITES: usize = 1000;

type Variable = (ObjectId, Slot);

/// Whether a run is short enough to be searched.
pub fn is_searched(trace: &Trace) -> bool {
    let values = trace.threads().map(|thread| {
        let values = trace.stream(thread, Stream::Values);
        values.length()
    });
    values.sum::<u64>() <= MOST_VALUES
}

/// All writes that were not recorded and that some read gave away; none if the run is too long.
pub fn find_outside_writes(trace: &Trace) -> Vec<OutsideWrite> {
    if !is_searched(trace) {
        return Vec::new();
    }
    let program = Program::of(trace);
    let mut surprised = HashSet::new();
    let mut search = Search::new(trace);
    search.every_read(&program, &|_| true, |read, known| {
        if read.contradicts(known) {
            surprised.insert(read.variable);
        }
    });
    if surprised.is_empty() {
        return Vec::new();
    }
    // A second time: what such a variable was before and after, also where that is no surprise.
    let mut reads: BTreeMap<Variable, Vec<Read>> = BTreeMap::new();
    let mut kept = 0;
    let concerned = Concerned::of(&surprised);
    search.every_read(&program, &|code| concerned.may_read(code), |read, known| {
        if kept < MOST_READS && surprised.contains(&read.variable) {
            let list = reads.entry(read.variable).or_default();
            let is_same = |last: &Read| {
                last.value.bits() == read.value.bits()
                    && known.from <= last.time
                    && last.time <= read.time
            };
            if !list.last().is_some_and(is_same) {
                list.push(read);
                kept += 1;
            }
        }
    });
    let mut found = Vec::new();
    for (_, mut list) in reads {
        list.sort_by_key(|read| read.time);
        search.compare(&program, &list, &mut found);
    }
    found
}

#[derive(Debug, Clone, Copy)]
struct Read {
    variable: Variable,
    value: Value,
    time: TraceTime,
    thread: ThreadNumber,
    position: EventPosition,
    call: u32,
    step: u64,
}

impl Read {
    /// Bits are compared: a boolean in an array is read as a byte.
    fn contradicts(&self, known: &Known) -> bool {
        known
            .value
            .is_some_and(|value| value.bits() != self.value.bits())
    }
}

/// What the variables are that something outside wrote, as far as code can tell.
struct Concerned {
    fields: HashSet<FieldId>,
    elements: bool,
}

impl Concerned {
    fn of(variables: &HashSet<Variable>) -> Concerned {
        let fields = variables.iter().filter_map(|(_, slot)| match slot {
            Slot::Field(field) => Some(*field),
            Slot::Element(_) => None,
        });
        let is_element = |variable: &Variable| matches!(variable.1, Slot::Element(_));
        Concerned {
            fields: fields.collect(),
            elements: variables.iter().any(is_element),
        }
    }

    fn may_read(&self, code: &MethodCode) -> bool {
        let mut fields = code.fields.iter().filter_map(|site| site.id);
        let loads = |op: &Op| matches!(op.code, opcode::IALOAD..=opcode::SALOAD);
        fields.any(|field| self.fields.contains(&field))
            || self.elements && code.ops.iter().any(loads)
    }
}

struct Search<'t> {
    trace: &'t Trace,
    known: KnownAtHand,
    several_threads: bool,
}

impl<'t> Search<'t> {
    fn new(trace: &'t Trace) -> Self {
        Search {
            trace,
            known: KnownAtHand::new(),
            several_threads: trace
                .all_calls()
                .is_ok_and(|mut calls| calls.nth(1).is_some()),
        }
    }

    /// Shows every read of a variable that has a number, with what was known of it, in calls of
    /// methods that matter.
    fn every_read(
        &mut self,
        program: &Program,
        matters: &dyn Fn(&MethodCode) -> bool,
        mut show: impl FnMut(Read, &Known),
    ) {
        let trace = self.trace;
        let Ok(threads) = trace.all_calls() else {
            return;
        };
        let mut methods: HashMap<MethodId, bool> = HashMap::new();
        let mut runner = Runner::new(trace, program);
        for calls in threads {
            let thread = calls.thread();
            let mut now = (EventPosition(u64::MAX), TraceTime(0));
            for index in 0..calls.len() {
                let method = calls.method(index);
                let matters = methods.entry(method).or_insert_with(|| {
                    let code = program.code(trace, method);
                    code.is_ok_and(matters)
                });
                if !*matters {
                    continue;
                }
                let see = |step, position, code: &MethodCode, place, value| {
                    let variable = variable(code, place)?;
                    if now.0 != position {
                        now = (position, trace.time(thread, position).ok()?);
                    }
                    let read = Read {
                        variable,
                        value,
                        time: now.1,
                        thread,
                        position,
                        call: index,
                        step,
                    };
                    let known = self.known.at(trace, variable, read.time)?;
                    if !read.contradicts(&known) || !self.may_be_order(&read) {
                        show(read, &known);
                    }
                    Some(())
                };
                // A call that cannot be replayed to its end has shown what it read until then.
                let _ = runner.run_reading(CallId::new(thread, index), see);
            }
        }
    }

    /// Whether another thread wrote what was read, and only when is in doubt.
    fn may_be_order(&self, read: &Read) -> bool {
        if !self.several_threads {
            return false;
        }
        let (object, slot) = read.variable;
        let writes = self.trace.recorded_writes_of(object, slot);
        let Ok(writes) = writes else {
            return true;
        };
        let mut others = writes
            .take(MOST_WRITES)
            .filter(|entry| entry.written.thread != read.thread);
        others.any(|entry| read.value.bits() == 0 || entry.value.bits() == read.value.bits())
    }

    /// When the write may have been, at the latest.
    fn earlier(&self, program: &Program, read: &Read) -> Option<EventPosition> {
        let call = CallId::new(read.thread, read.call);
        placing::last_library_call(self.trace, program, call, Until::Step(read.step))
    }

    /// Reads of one variable, in the order of time.
    fn compare(&mut self, program: &Program, reads: &[Read], found: &mut Vec<OutsideWrite>) {
        let mut outside: Option<Read> = None;
        let mut before = TraceTime(0);
        for read in reads {
            let Some(known) = self.known.at(self.trace, read.variable, read.time) else {
                continue;
            };
            let held = match &outside {
                Some(last) if last.time >= known.from => Some(last.value),
                _ => known.value,
            };
            if held.is_some_and(|held| held.bits() != read.value.bits()) {
                outside = Some(*read);
                let place = found.len() < MOST_PLACED;
                let earlier = place.then(|| self.earlier(program, read)).flatten();
                let is_between = |position: &EventPosition| {
                    let time = self.trace.time(read.thread, *position);
                    time.is_ok_and(|time| known.from < time && before < time && time <= read.time)
                };
                found.push(OutsideWrite {
                    object: read.variable.0,
                    slot: read.variable.1,
                    value: read.value,
                    thread: read.thread,
                    position: earlier.filter(is_between).unwrap_or(read.position),
                    call: read.call,
                });
            }
            before = read.time;
        }
    }
}

fn variable(code: &MethodCode, place: Place) -> Option<Variable> {
    Some(match place {
        Place::Element { array, index } => (array, Slot::Element(index)),
        Place::Field { object, field } => (object, Slot::Field(code.field(field)?.id?)),
        Place::Static { field } => (ObjectId::NULL, Slot::Field(code.field(field)?.id?)),
    })
}
