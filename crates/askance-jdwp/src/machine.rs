//! The recorded run as a virtual machine: where it stands, which threads there are, who is suspended, and how things
//! are written for a client.
//!
//! A recording does not run while nobody looks: it goes from one event to the next when the thread that the last one
//! was about is resumed, and stands in between. So frames can always be read, and no number of a frame outlives the
//! place that it was given at.

use std::collections::{HashMap, HashSet};

use java_model::heap::{Heap as _, ThingKind};
use java_model::run::JavaRun;
use java_names::names;
use time_travel::frames::{self, Frame, FrameSlots};
use time_travel::{JavaValue, Position, Stop, Traveller};
use trace_format::{MethodId, ObjectId, ThreadNumber, TraceTime, Value};

use crate::catalogue::{Catalogue, TypeNumber, signature_of};
use crate::identity::Identity;
use crate::packet::{Input, Output};
use crate::refusal::Refusal;

/// The tag of what is not known: the protocol's "no value".
const VOID: u8 = b'V';
/// Frames are numbered with so many bits below the number of the place.
const FRAME_BITS: u32 = 24;

/// Where the machine stands.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// Before everything that is recorded.
    Start,
    At(Stop),
    /// Behind everything.
    Dead,
}

/// See the module's header.
pub(crate) struct Machine<'run> {
    pub(crate) run: &'run JavaRun,
    pub(crate) traveller: Traveller<'run>,
    pub(crate) catalogue: Catalogue<'run>,
    place: Place,
    /// Counts the places, for the numbers of frames.
    visit: u64,
    /// How often everything was suspended, and how much oftener, or less often, a thread was.
    suspensions: i64,
    of_threads: HashMap<ThreadNumber, i64>,
    /// Strings that are no objects of the recording.
    texts: Vec<String>,
    /// Types that the client was given in a list of what is loaded.
    listed: HashSet<TypeNumber>,
}

/// A place in code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) class: TypeNumber,
    pub(crate) method: usize,
    /// `None`: not known where in the method.
    pub(crate) offset: Option<u32>,
}

impl<'run> Machine<'run> {
    pub(crate) fn new(run: &'run JavaRun) -> Self {
        Machine {
            run,
            traveller: Traveller::new(run),
            catalogue: Catalogue::new(run),
            place: Place::Start,
            visit: 0,
            suspensions: 1,
            of_threads: HashMap::new(),
            texts: Vec::new(),
            listed: HashSet::new(),
        }
    }

    // ---- where it stands

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    pub(crate) fn go_to(&mut self, place: Place) {
        self.place = place;
        self.visit += 1;
    }

    /// The time of the place; the beginning and the end of the run are times as well.
    pub(crate) fn time(&self) -> TraceTime {
        match &self.place {
            Place::Start => TraceTime(0),
            Place::At(stop) => stop.time,
            Place::Dead => TraceTime(u64::MAX >> 1),
        }
    }

    /// The thread that the last event was about.
    pub(crate) fn current_thread(&self) -> ThreadNumber {
        match &self.place {
            Place::At(stop) => stop.thread(),
            Place::Start | Place::Dead => self.main_thread(),
        }
    }

    pub(crate) fn main_thread(&self) -> ThreadNumber {
        let main = self.run.main_call();
        let call = main.and_then(|main| self.run.call_id(main));
        call.map_or(ThreadNumber(0), |call| call.thread)
    }

    /// The threads that have begun and not ended.
    pub(crate) fn threads(&self) -> Vec<ThreadNumber> {
        let stop = match &self.place {
            Place::Start | Place::Dead => return vec![self.main_thread()],
            Place::At(stop) => stop,
        };
        let threads = self.run.trace().threads();
        let is_there = |thread: &ThreadNumber| {
            *thread == stop.thread()
                || !self.traveller.is_over(*thread, stop.time) && self.has_begun(*thread)
        };
        threads.filter(is_there).collect()
    }

    fn has_begun(&self, thread: ThreadNumber) -> bool {
        let calls = self.run.read(self.run.trace().calls(thread));
        let first = calls.and_then(|calls| Some(calls.entry(calls.roots().next()?)));
        first.is_some_and(|entry| java_model::shown::time(self.run, thread, entry) <= self.time())
    }

    /// A thread that a client names.
    pub(crate) fn thread(&self, input: &mut Input<'_>) -> Result<ThreadNumber, Refusal> {
        let thread = match Identity::parse(input.long()?) {
            Ok(Identity::Thread(thread)) => thread,
            _ => return Err(Refusal::InvalidThread),
        };
        let is_there = thread == self.main_thread() || self.run.trace().calls(thread).is_ok();
        is_there.then_some(thread).ok_or(Refusal::InvalidThread)
    }

    /// Where a thread stands; `None` if it has no frames.
    pub(crate) fn stop_of(&self, thread: ThreadNumber) -> Option<Stop> {
        let Place::At(here) = &self.place else {
            return None;
        };
        if here.thread() == thread {
            return Some(here.clone());
        }
        if self.traveller.is_over(thread, here.time) {
            return None;
        }
        let mut stop = self.traveller.thread_at(thread, here.time)?;
        stop.time = here.time;
        Some(stop)
    }

    // ---- suspension

    pub(crate) fn suspensions_of(&self, thread: ThreadNumber) -> u32 {
        let own = self.of_threads.get(&thread).copied().unwrap_or(0);
        u32::try_from(self.suspensions + own).unwrap_or(0)
    }

    pub(crate) fn suspend_all(&mut self) {
        self.suspensions += 1;
    }

    pub(crate) fn suspend(&mut self, thread: ThreadNumber) {
        *self.of_threads.entry(thread).or_default() += 1;
    }

    pub(crate) fn resume_all(&mut self) {
        if self.suspensions > 0 {
            self.suspensions -= 1;
            let least = -self.suspensions;
            for own in self.of_threads.values_mut() {
                *own = (*own).max(least);
            }
        } else {
            for own in self.of_threads.values_mut() {
                *own = (*own - 1).max(0);
            }
        }
    }

    pub(crate) fn resume(&mut self, thread: ThreadNumber) {
        if self.suspensions_of(thread) > 0 {
            *self.of_threads.entry(thread).or_default() -= 1;
        }
    }

    // ---- frames

    pub(crate) fn frame_number(&self, index: usize) -> u64 {
        self.visit << FRAME_BITS | index as u64
    }

    /// A frame that a client names, and whether it is the innermost.
    pub(crate) fn frame(
        &self,
        thread: ThreadNumber,
        number: u64,
    ) -> Result<(Frame, bool), Refusal> {
        let index = number & ((1 << FRAME_BITS) - 1);
        if number >> FRAME_BITS != self.visit {
            return Err(Refusal::InvalidFrame);
        }
        let index = usize::try_from(index).map_err(|_| Refusal::InvalidFrame)?;
        let stop = self.stop_of(thread).ok_or(Refusal::InvalidFrame)?;
        let found = frames::stack(&self.traveller, &stop, index, 1);
        let frame = found.into_iter().next().ok_or(Refusal::InvalidFrame)?;
        Ok((frame, index == 0))
    }

    pub(crate) fn location_of(&self, frame: &Frame, is_innermost: bool) -> Option<Location> {
        let method = self.run.method(frame.node());
        let offset = match is_innermost {
            true => frame.moment.offset,
            false => None,
        };
        let slots = || FrameSlots::of(&self.traveller, frame, is_innermost);
        let offset = offset.or_else(|| Some(slots()?.offset));
        self.location(method, offset)
    }

    pub(crate) fn location(&self, method: MethodId, offset: Option<u32>) -> Option<Location> {
        let (class, method) = self.catalogue.of_method(method)?;
        Some(Location {
            class,
            method,
            offset,
        })
    }

    /// The stop from which everything that is recorded lies ahead.
    pub(crate) fn origin(&self) -> Option<Stop> {
        let mut first: Option<Stop> = None;
        for thread in self.run.trace().threads() {
            let Some(start) = self.traveller.thread_start(thread) else {
                continue;
            };
            let is_first = |known: &Stop| start.is_before(self.run, known);
            if first.as_ref().is_none_or(is_first) {
                first = Some(start);
            }
        }
        let node = first?.position.node;
        self.traveller.stop(Position { node, event: 0 })
    }

    // ---- what clients name

    pub(crate) fn type_named(&self, input: &mut Input<'_>) -> Result<TypeNumber, Refusal> {
        let number = match Identity::parse(input.long()?) {
            Ok(Identity::Type(place) | Identity::ClassObject(place)) => TypeNumber(place),
            _ => return Err(Refusal::InvalidClass),
        };
        self.catalogue.get(number).map(|_| number)
    }

    /// An object that is there: one of the recording, or one that stands for something else.
    pub(crate) fn object_named(&self, input: &mut Input<'_>) -> Result<Identity, Refusal> {
        let found = Identity::parse(input.long()?)?;
        let is_there = match found {
            Identity::Null | Identity::Type(_) => false,
            Identity::ClassObject(place) => self.catalogue.get(TypeNumber(place)).is_ok(),
            Identity::Thread(thread) => self.run.trace().calls(thread).is_ok(),
            Identity::Group(_) | Identity::Loader => true,
            Identity::Object(object) => self.run.thing(object).is_some(),
            Identity::Text(place) => self.texts.get(place as usize).is_some(),
        };
        is_there.then_some(found).ok_or(Refusal::InvalidObject)
    }

    /// A field that a client names: the class that declares it, and its place there.
    pub(crate) fn field_named(
        &self,
        input: &mut Input<'_>,
    ) -> Result<(TypeNumber, usize), Refusal> {
        let number = input.long()?;
        let class = u32::try_from(number >> 32).ok();
        let class = class.and_then(|class| class.checked_sub(1)).map(TypeNumber);
        let class = class.filter(|class| self.catalogue.get(*class).is_ok());
        let place = place_of(number & u64::from(u32::MAX));
        class.zip(place).ok_or(Refusal::InvalidField)
    }

    /// A place in code that a client names.
    pub(crate) fn location_named(&self, input: &mut Input<'_>) -> Result<Location, Refusal> {
        input.byte()?;
        let class = self.type_named(input)?;
        let method = place_of(input.long()?).ok_or(Refusal::InvalidMethod)?;
        let offset = u32::try_from(input.long()?).map_err(|_| Refusal::InvalidLocation)?;
        Ok(Location {
            class,
            method,
            offset: Some(offset),
        })
    }

    // ---- strings that are no objects

    pub(crate) fn make_text(&mut self, text: &str) -> Identity {
        let known = self.texts.iter().position(|known| known == text);
        let place = known.unwrap_or_else(|| {
            self.texts.push(text.to_owned());
            self.texts.len() - 1
        });
        Identity::Text(u32::try_from(place).unwrap_or(u32::MAX))
    }

    pub(crate) fn text(&self, place: u32) -> Option<&str> {
        self.texts.get(place as usize).map(String::as_str)
    }

    // ---- types that are loaded

    pub(crate) fn list(&mut self, output: &mut Output, number: TypeNumber) {
        self.listed.insert(number);
        self.write_type(output, number);
    }

    /// Whether the client knows that a type is loaded.
    pub(crate) fn is_listed(&self, number: TypeNumber) -> bool {
        self.listed.contains(&number)
    }

    // ---- writing

    /// The class of an object of the recording.
    pub(crate) fn type_of(&mut self, object: ObjectId) -> TypeNumber {
        let class = self.run.thing(object).map(|thing| thing.class);
        let class = class.unwrap_or_else(|| "java.lang.Object".to_owned());
        self.catalogue
            .named(&signature_of(&names::internal(&class)))
    }

    /// What stands for an object, and its tag.
    pub(crate) fn identity_of(&mut self, object: ObjectId) -> (u8, Identity) {
        if object.is_null() {
            return (b'L', Identity::Null);
        }
        let Some(thing) = self.run.thing(object) else {
            return (b'L', Identity::Object(object));
        };
        match thing.kind {
            ThingKind::ClassObject { name } => {
                let number = self.catalogue.named(&signature_of(&names::internal(&name)));
                (b'c', Identity::ClassObject(number.0))
            }
            _ if thing.class == "java.lang.String" => (b's', Identity::Object(object)),
            _ if thing.class.starts_with('[') => (b'[', Identity::Object(object)),
            _ => (b'L', Identity::Object(object)),
        }
    }

    /// A value with its tag.
    pub(crate) fn write_value(&mut self, output: &mut Output, value: Value) {
        match value {
            Value::Ref(object) => {
                let (tag, identity) = self.identity_of(object);
                output.byte(tag);
                output.long(identity.number());
            }
            value => {
                output.byte(tag_of(value));
                write_plain(output, value);
            }
        }
    }

    pub(crate) fn write_java_value(&mut self, output: &mut Output, value: &JavaValue) {
        match value {
            JavaValue::Known(value) => self.write_value(output, *value),
            JavaValue::Text(text) => {
                output.byte(b's');
                output.long(self.make_text(text).number());
            }
            JavaValue::Class(name) => {
                let number = self.catalogue.named(&signature_of(name));
                output.byte(b'c');
                output.long(Identity::ClassObject(number.0).number());
            }
        }
    }

    /// The sort of a type, and its number.
    pub(crate) fn write_type(&self, output: &mut Output, number: TypeNumber) {
        output.byte(self.catalogue.get(number).map_or(1, |found| found.tag));
        output.long(Identity::Type(number.0).number());
    }

    pub(crate) fn write_location(&self, output: &mut Output, location: Option<Location>) {
        match location {
            Some(location) => {
                self.write_type(output, location.class);
                output.long(location.method as u64 + 1);
                output.long(location.offset.map_or(u64::MAX, u64::from));
            }
            None => {
                output.byte(0);
                output.long(0);
                output.long(0);
                output.long(0);
            }
        }
    }
}

/// The number of a field: clients may name it without its class, so the class is in it.
pub(crate) fn field_number(class: TypeNumber, place: usize) -> u64 {
    (u64::from(class.0) + 1) << 32 | (place as u64 + 1)
}

/// The place of a method whose number is one more.
pub(crate) fn place_of(number: u64) -> Option<usize> {
    usize::try_from(number.checked_sub(1)?).ok()
}

pub(crate) fn write_unknown(output: &mut Output) {
    output.byte(VOID);
}

fn tag_of(value: Value) -> u8 {
    match value {
        Value::Boolean(_) => b'Z',
        Value::Byte(_) => b'B',
        Value::Char(_) => b'C',
        Value::Short(_) => b'S',
        Value::Int(_) => b'I',
        Value::Float(_) => b'F',
        Value::Long(_) => b'J',
        Value::Double(_) => b'D',
        Value::Ref(_) => b'L',
    }
}

/// A primitive value without its tag.
pub(crate) fn write_plain(output: &mut Output, value: Value) {
    match value {
        Value::Boolean(value) => output.flag(value),
        Value::Byte(value) => output.byte(value.cast_unsigned()),
        Value::Char(value) => output.short(value),
        Value::Short(value) => output.short(value.cast_unsigned()),
        Value::Int(value) => output.int(value.cast_unsigned()),
        Value::Float(value) => output.int(value.to_bits()),
        Value::Long(value) => output.long(value.cast_unsigned()),
        Value::Double(value) => output.long(value.to_bits()),
        Value::Ref(object) => output.long(Identity::Object(object).number()),
    }
}
