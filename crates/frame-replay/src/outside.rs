//! Finds writes that nobody recorded, by what recorded code read.
//!
//! Every call is re-executed, and what it read is compared with what recorded writes say that the
//! variable held. Most variables are read often between two writes, so what is known of one is
//! kept with the times between which it holds, and the trace is asked once for each such stretch;
//! what a call has written itself it need not ask for. Stretches of calls are searched side by side.
//!
//! Where threads meet, the order of a read and a write of another thread may not be known. Such a
//! read is no evidence of anything (`trace_store::WriteOrder`).

mod at_hand;
mod by_kin;
mod growing;
mod patience;
mod placing;
mod readers;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::{ControlFlow, Range};

use classfile::opcode;
use trace_format::{
    EventPosition, FieldId, MethodId, ObjectId, Stream, ThreadNumber, TraceTime, Value,
};
use trace_store::{CallId, Known, ObjectSlot, OutsideWrite, Segment, Trace, WriteOrder};

use self::at_hand::KnownAtHand;
pub use self::by_kin::OutsideByKin;
pub use self::growing::OutsideSearch;
use self::patience::Patience;
use self::placing::Until;
use crate::code::{MethodCode, Op};
use crate::program::Program;
use crate::replay::{Accessed, Runner};
use crate::side_by_side;
use crate::step::{Access, HeapVariable};

/// With more values than this (in bytes, all threads) a run is not searched: re-executing it would
/// take longer than somebody waits who asks for a variable.
const MOST_VALUES: u64 = 32 << 20;
/// Reads of variables that were written from outside.
const MOST_READS: usize = 1 << 20;
/// Writes whose time is looked for; more than these have the time of the read.
const MOST_PLACED: usize = 2000;
/// Calls that are gone through in one go.
const STRETCH: u32 = 1 << 13;

type Variable = (ObjectId, ObjectSlot);

/// Whether a run is short enough to be searched.
pub fn is_searched(trace: &Trace) -> bool {
    let values = trace.threads().map(|thread| {
        let values = trace.stream(thread, Stream::Values);
        values.length() - values.kept_from()
    });
    values.sum::<u64>() <= MOST_VALUES
}

/// All writes that were not recorded and that some read gave away; none if the run is too long.
pub fn find_outside_writes(trace: &Trace) -> Vec<OutsideWrite> {
    if !is_searched(trace) {
        return Vec::new();
    }
    let _replaying = tracing::info_span!("replay", of = "all calls").entered();
    let search = Search::new(trace, side_by_side::cores());
    search.find(&Program::of(trace), &search.all_calls(), &HashMap::new())
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
    /// Whether it tells more than what is known.
    fn contradicts(&self, known: &Known) -> bool {
        self.is_news(known, known.value)
    }

    /// Bits are compared: a boolean in an array is read as a byte.
    fn is_news(&self, known: &Known, held: Option<Value>) -> bool {
        match held {
            Some(held) => held.bits() != self.value.bits(),
            None => known.is_given_up,
        }
    }
}

/// Reads in the order in which calls made them, without those that tell nothing new.
#[derive(Debug, Default)]
struct KeptReads {
    reads: Vec<Read>,
    /// The last one of each variable, by its place.
    last: HashMap<Variable, usize>,
}

impl KeptReads {
    fn add(&mut self, read: Read, known: &Known) {
        let is_same = |last: &Read| {
            last.value.bits() == read.value.bits()
                && known.from <= last.time
                && last.time <= read.time
        };
        let last = self.last.get(&read.variable);
        if last.is_some_and(|last| is_same(&self.reads[*last])) || self.reads.len() == MOST_READS {
            return;
        }
        self.last.insert(read.variable, self.reads.len());
        self.reads.push(read);
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
            ObjectSlot::Field(field) => Some(*field),
            ObjectSlot::Element(_) => None,
        });
        let is_element = |variable: &Variable| matches!(variable.1, ObjectSlot::Element(_));
        Concerned {
            fields: fields.collect(),
            elements: variables.iter().any(is_element),
        }
    }

    fn may_read(&self, trace: &Trace, code: &MethodCode) -> bool {
        let mut fields = code.fields.iter().filter_map(|site| site.id);
        fields.any(|field| self.fields.contains(&trace.resolve_field(field)))
            || self.elements && code.ops.iter().any(loads)
    }
}

struct Search<'t> {
    trace: &'t Trace,
    /// By how many threads calls are gone through.
    workers: usize,
    patience: Patience,
}

/// What goes from call to call.
struct Worker<'t> {
    runner: Runner<'t>,
    known: KnownVariables<'t>,
    /// Whether calls of a method matter, by its number, as far as that is known.
    methods: Vec<Option<bool>>,
}

impl Worker<'_> {
    fn learn(&mut self, method: MethodId, does_matter: bool) -> bool {
        let number = method.0 as usize;
        if self.methods.len() <= number {
            self.methods.resize(number + 1, None);
        }
        self.methods[number] = Some(does_matter);
        does_matter
    }
}

/// What is known of variables where somebody is.
struct KnownVariables<'t> {
    trace: &'t Trace,
    at_hand: KnownAtHand,
    order: WriteOrder,
    /// Where that is: a place in a thread, its time and its segment.
    place: Option<(ThreadNumber, EventPosition)>,
    time: TraceTime,
    segment: Option<Segment>,
}

impl<'t> KnownVariables<'t> {
    fn new(trace: &'t Trace) -> Self {
        KnownVariables {
            trace,
            at_hand: KnownAtHand::new(),
            order: WriteOrder::default(),
            place: None,
            time: TraceTime(0),
            segment: None,
        }
    }

    /// Goes to right before the event at a position.
    fn go_to(&mut self, thread: ThreadNumber, position: EventPosition) -> Option<TraceTime> {
        if self.place == Some((thread, position)) {
            return Some(self.time);
        }
        self.place = None;
        let segment = self.segment.take();
        self.segment = match segment.filter(|segment| segment.has(thread, position)) {
            None => {
                self.at_hand.others_may_write();
                self.trace.segment(thread, position).ok()
            }
            segment => segment,
        };
        self.time = self.trace.time_before(thread, position).ok()?;
        self.place = Some((thread, position));
        Some(self.time)
    }

    /// What recorded writes say of a variable there, if it is sure who wrote it last.
    fn of(&mut self, variable: Variable, read: Value) -> Option<Known> {
        let segment = self.segment.as_ref()?;
        let (trace, time, order) = (self.trace, self.time, &mut self.order);
        let ask = || {
            let (object, slot) = variable;
            let known = trace.known_around(order, object, slot, time, segment);
            known.ok()
        };
        let (known, is_sure) = self.at_hand.at(variable, read, time, segment, ask)?;
        is_sure.then_some(known)
    }
}

impl<'t> Search<'t> {
    fn new(trace: &'t Trace, workers: usize) -> Self {
        Search::with_patience(trace, workers, u64::MAX)
    }

    /// Ends, with less found, when about so many steps have reached the heap.
    fn with_patience(trace: &'t Trace, workers: usize, most: u64) -> Self {
        let patience = Patience::new(most);
        Search {
            trace,
            workers,
            patience,
        }
    }

    /// The writes that reads of these calls give away, if `before` are the last ones of variables that are known
    /// already.
    fn find(
        &self,
        program: &Program,
        calls: &[Stretch],
        before: &HashMap<Variable, Found>,
    ) -> Vec<OutsideWrite> {
        let surprised = self.every_read(
            program,
            calls,
            &|method| self.code_is(program, method, reads_anything),
            |surprised: &mut HashSet<Variable>, read, known| {
                if read.contradicts(known) {
                    surprised.insert(read.variable);
                }
            },
        );
        let surprised: HashSet<Variable> = surprised.into_iter().flatten().collect();
        self.tell(program, calls, &surprised, before)
    }

    /// The writes of variables that some read gave away. All reads of them are gone through a second time: what such a
    /// variable was before and after, also where that is no surprise.
    fn tell(
        &self,
        program: &Program,
        calls: &[Stretch],
        surprised: &HashSet<Variable>,
        before: &HashMap<Variable, Found>,
    ) -> Vec<OutsideWrite> {
        if surprised.is_empty() {
            return Vec::new();
        }
        let concerned = Concerned::of(surprised);
        let kept = self.every_read(
            program,
            calls,
            &|method| {
                let may_read = |code: &MethodCode| concerned.may_read(self.trace, code);
                self.code_is(program, method, may_read)
            },
            |kept: &mut KeptReads, read, known| {
                if surprised.contains(&read.variable) {
                    kept.add(read, known);
                }
            },
        );
        let kept = kept.into_iter().flat_map(|kept| kept.reads);
        let mut reads: BTreeMap<Variable, Vec<Read>> = BTreeMap::new();
        for read in kept.take(MOST_READS) {
            reads.entry(read.variable).or_default().push(read);
        }
        let mut known = KnownVariables::new(self.trace);
        let mut found = Vec::new();
        for (variable, mut list) in reads {
            list.sort_by_key(|read| read.time);
            let before = before.get(&variable).cloned();
            self.compare(program, &mut known, before, &list, &mut found);
        }
        found
    }

    /// Shows every read of a variable that has a number, with what was known of it, in calls of
    /// methods that matter. Stretches of calls are gone through side by side; what `show` made of
    /// each is returned in the order of the calls.
    fn every_read<T: Default + Send>(
        &self,
        program: &Program,
        calls: &[Stretch],
        matters: &(dyn Fn(MethodId) -> bool + Sync),
        show: impl Fn(&mut T, Read, &Known) + Sync,
    ) -> Vec<T> {
        let trace = self.trace;
        let worker = || Worker {
            runner: Runner::new(trace, program),
            known: KnownVariables::new(trace),
            methods: Vec::new(),
        };
        side_by_side::each(self.workers, calls, worker, |worker, (thread, calls)| {
            let mut shown = T::default();
            let Ok(columns) = trace.calls(*thread) else {
                return shown;
            };
            for index in calls.clone() {
                let method = columns.method(index);
                let is_known = worker.methods.get(method.0 as usize).copied().flatten();
                let does_matter = is_known.unwrap_or_else(|| worker.learn(method, matters(method)));
                if does_matter && !self.patience.is_over() {
                    let show = |read, known: &Known| show(&mut shown, read, known);
                    self.reads_of(worker, CallId::new(*thread, index), show);
                }
            }
            shown
        })
    }

    /// Whether this can be said of a method's code. Code that cannot be read is not re-executed.
    fn code_is(
        &self,
        program: &Program,
        method: MethodId,
        holds: impl FnOnce(&MethodCode) -> bool,
    ) -> bool {
        program.code(self.trace, method).is_ok_and(holds)
    }

    fn reads_of(&self, worker: &mut Worker<'t>, call: CallId, mut show: impl FnMut(Read, &Known)) {
        let Worker { runner, known, .. } = worker;
        known.at_hand.others_may_write();
        let mut steps = 0;
        // A call that cannot be replayed to its end has shown what it read until then.
        let _ = runner.run_accessing(call, |done| {
            if let Some((read, known)) = self.read_by(known, call, &done) {
                show(read, &known);
            }
            steps += 1;
            match self.patience.is_exceeded_by(steps) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        self.patience.spend(steps);
    }

    /// What a step read, if it did, and what was known of that.
    fn read_by(
        &self,
        known: &mut KnownVariables<'_>,
        call: CallId,
        done: &Accessed<'_>,
    ) -> Option<(Read, Known)> {
        if done.others_may_write {
            known.at_hand.others_may_write();
        }
        let (Access::Read(place, value) | Access::Write(place, value)) = done.access?;
        let variable = variable(self.trace, done.code, place)?;
        let time = known.go_to(call.thread, done.position)?;
        if let Some(Access::Write(..)) = done.access {
            known.at_hand.note(variable, value, time);
            return None;
        }
        let read = Read {
            variable,
            value,
            time,
            thread: call.thread,
            position: done.position,
            call: call.index,
            step: done.step,
        };
        Some((read, known.of(variable, value)?))
    }

    fn all_calls(&self) -> Vec<Stretch> {
        let threads = self.trace.all_calls().into_iter().flatten();
        threads
            .flat_map(|calls| stretches(calls.thread(), 0..calls.len()))
            .collect()
    }

    /// When the write may have been, at the latest.
    fn earlier(&self, program: &Program, read: &Read) -> Option<EventPosition> {
        let call = CallId::new(read.thread, read.call);
        placing::last_library_call(self.trace, program, call, Until::Step(read.step))
    }

    /// Reads of one variable, in the order of time.
    fn compare(
        &self,
        program: &Program,
        known: &mut KnownVariables<'_>,
        mut outside: Option<Found>,
        reads: &[Read],
        found: &mut Vec<OutsideWrite>,
    ) {
        let mut before = TraceTime(0);
        for read in reads {
            known.go_to(read.thread, read.position);
            let segment = known.segment.clone();
            let Some(known) = known.of(read.variable, read.value) else {
                continue;
            };
            let last = outside.as_ref().filter(|last| last.time >= known.from);
            let held = last.map_or(known.value, |last| Some(last.value));
            let was_before = || last.is_some_and(|last| !last.is_before(segment.as_ref()));
            if read.is_news(&known, held) && (read.contradicts(&known) || !was_before()) {
                outside = Some(Found {
                    value: read.value,
                    time: read.time,
                    segment,
                });
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
                    is_given_up: held.is_none(),
                });
            }
            before = read.time;
        }
    }
}

/// What something outside wrote, and when that was read.
#[derive(Debug, Clone)]
struct Found {
    value: Value,
    time: TraceTime,
    segment: Option<Segment>,
}

impl Found {
    /// Whether it is sure that what was done in a segment came later.
    fn is_before(&self, segment: Option<&Segment>) -> bool {
        let found = self.segment.as_ref();
        let ordered = found
            .zip(segment)
            .map(|(found, later)| later.is_after(found));
        ordered.unwrap_or(false)
    }
}

/// Calls of a thread that follow each other.
type Stretch = (ThreadNumber, Range<u32>);

/// Calls in pieces that can be gone through side by side.
fn stretches(thread: ThreadNumber, calls: Range<u32>) -> impl Iterator<Item = Stretch> {
    let Range { start, end } = calls;
    let starts = (start..end).step_by(STRETCH as usize);
    starts.map(move |start| (thread, start..end.min(start.saturating_add(STRETCH))))
}

fn reads_anything(code: &MethodCode) -> bool {
    let reads = |op: &Op| matches!(op.code, opcode::GETFIELD | opcode::GETSTATIC) || loads(op);
    code.ops.iter().any(reads)
}

fn loads(op: &Op) -> bool {
    matches!(op.code, opcode::IALOAD..=opcode::SALOAD)
}

/// Whatever class code names a field by, it is one variable.
fn variable(trace: &Trace, code: &MethodCode, place: HeapVariable) -> Option<Variable> {
    let slot = |field| {
        let field = code.field(field)?.id?;
        Some(ObjectSlot::Field(trace.resolve_field(field)))
    };
    Some(match place {
        HeapVariable::Element { array, index } => (array, ObjectSlot::Element(index)),
        HeapVariable::Field { object, field } => (object, slot(field)?),
        HeapVariable::Static { field } => (ObjectId::NULL, slot(field)?),
    })
}
