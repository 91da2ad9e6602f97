//! What a client wants to hear of: requests with their modifiers.

use java_names::names;
use time_travel::frames::Frame;
use time_travel::{Breakpoint, BreakpointKind, Step, Stop, methods_writing};
use trace_format::{FieldId, MethodId, ObjectId, ThreadNumber};

use crate::catalogue::TypeNumber;
use crate::identity::Identity;
use crate::machine::{Location, Machine};
use crate::packet::Input;
use crate::refusal::Refusal;

/// No client sets more.
const MOST_REQUESTS: usize = 100_000;

/// Sorts of events, by their numbers in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum EventKind {
    Step = 1,
    Breakpoint = 2,
    Exception = 4,
    ThreadStart = 6,
    ThreadDeath = 7,
    ClassPrepare = 8,
    /// Accepted, and never heard of: a recording unloads nothing.
    ClassUnload = 9,
    FieldModification = 21,
    MethodEntry = 40,
    MethodExit = 41,
    MethodExitWithValue = 42,
    MachineStart = 90,
    MachineDeath = 99,
}

impl EventKind {
    pub(crate) fn parse(number: u8) -> Result<EventKind, Refusal> {
        Ok(match number {
            1 => EventKind::Step,
            2 => EventKind::Breakpoint,
            4 => EventKind::Exception,
            6 => EventKind::ThreadStart,
            7 => EventKind::ThreadDeath,
            8 => EventKind::ClassPrepare,
            9 => EventKind::ClassUnload,
            21 => EventKind::FieldModification,
            40 => EventKind::MethodEntry,
            41 => EventKind::MethodExit,
            42 => EventKind::MethodExitWithValue,
            90 => EventKind::MachineStart,
            99 => EventKind::MachineDeath,
            // Reads of fields and monitors are not events of a recording.
            20 | 43..=46 => return Err(Refusal::NotImplemented),
            _ => return Err(Refusal::InvalidEventType),
        })
    }
}

/// Who stands still when an event is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum SuspendPolicy {
    Nobody = 0,
    Thread = 1,
    All = 2,
}

impl SuspendPolicy {
    fn parse(number: u8) -> Result<SuspendPolicy, Refusal> {
        match number {
            0 => Ok(SuspendPolicy::Nobody),
            1 => Ok(SuspendPolicy::Thread),
            2 => Ok(SuspendPolicy::All),
            _ => Err(Refusal::IllegalArgument),
        }
    }
}

#[derive(Clone, Debug)]
enum Modifier {
    Thread(ThreadNumber),
    Class(TypeNumber),
    ClassMatch(String),
    ClassExclude(String),
    Location(Location),
    Exception {
        class: Option<TypeNumber>,
        caught: bool,
        uncaught: bool,
    },
    Field(TypeNumber, usize),
    Step(StepWanted),
    Instance(Option<ObjectId>),
    SourceName(String),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct StepWanted {
    pub(crate) thread: ThreadNumber,
    pub(crate) step: Step,
}

/// See the module's header.
#[derive(Debug)]
pub(crate) struct EventRequest {
    pub(crate) id: u32,
    pub(crate) kind: EventKind,
    pub(crate) policy: SuspendPolicy,
    modifiers: Vec<Modifier>,
    /// Only the event of this number, counted from 1, is told; then the request is done with.
    count: Option<u32>,
    /// Where the run meets it.
    places: Vec<BreakpointKind>,
}

/// All requests of a client, and the breakpoints that they are in the run.
#[derive(Default)]
pub(crate) struct EventRequests {
    all: Vec<EventRequest>,
    last: u32,
    breakpoints: Vec<Breakpoint>,
    /// Which requests each breakpoint is of.
    owners: Vec<Owners>,
}

/// The requests behind a breakpoint.
enum Owners {
    One(u32),
    /// Breakpoints at instructions are looked for together, however many there are.
    ByPlace(Vec<(MethodId, u32, u32)>),
}

impl EventRequests {
    pub(crate) fn set(
        &mut self,
        machine: &mut Machine<'_>,
        input: &mut Input<'_>,
    ) -> Result<&EventRequest, Refusal> {
        if self.all.len() >= MOST_REQUESTS {
            return Err(Refusal::OutOfMemory);
        }
        let kind = EventKind::parse(input.byte()?)?;
        let policy = SuspendPolicy::parse(input.byte()?)?;
        let mut count = None;
        let read = input.list(1, |input| modifier(machine, input, &mut count))?;
        let mut request = EventRequest {
            id: self.last + 1,
            kind,
            policy,
            modifiers: read.into_iter().flatten().collect(),
            count,
            places: Vec::new(),
        };
        request.places = request.met_at(machine)?;
        self.last += 1;
        self.all.push(request);
        self.collect();
        self.all.last().ok_or(Refusal::IllegalArgument)
    }

    fn collect(&mut self) {
        self.breakpoints.clear();
        self.owners.clear();
        let mut by_place = Vec::new();
        for request in &self.all {
            for kind in &request.places {
                match kind {
                    BreakpointKind::Instructions(places) => {
                        let owned = places.iter().map(|(method, at)| (*method, *at, request.id));
                        by_place.extend(owned);
                    }
                    other => {
                        self.breakpoints.push(Breakpoint::unlisted(other.clone()));
                        self.owners.push(Owners::One(request.id));
                    }
                }
            }
        }
        if !by_place.is_empty() {
            by_place.sort_unstable();
            let mut places: Vec<(MethodId, u32)> = by_place
                .iter()
                .map(|&(method, at, _)| (method, at))
                .collect();
            places.dedup();
            let kind = BreakpointKind::Instructions(places);
            self.breakpoints.push(Breakpoint::unlisted(kind));
            self.owners.push(Owners::ByPlace(by_place));
        }
    }

    pub(crate) fn clear(&mut self, kind: EventKind, id: u32) {
        self.all
            .retain(|request| request.kind != kind || request.id != id);
        self.collect();
    }

    pub(crate) fn clear_breakpoints(&mut self) {
        self.all
            .retain(|request| request.kind != EventKind::Breakpoint);
        self.collect();
    }

    pub(crate) fn breakpoints(&self) -> &[Breakpoint] {
        &self.breakpoints
    }

    /// The requests of some breakpoints that are met in a method at an offset, each once.
    pub(crate) fn owners(&self, met: &[usize], method: MethodId, at: Option<u32>) -> Vec<u32> {
        let mut ids = Vec::new();
        for owners in met.iter().filter_map(|&place| self.owners.get(place)) {
            match owners {
                Owners::One(id) => ids.push(*id),
                Owners::ByPlace(places) => {
                    let is_there =
                        |place: &&(MethodId, u32, u32)| place.0 == method && Some(place.1) == at;
                    ids.extend(places.iter().filter(is_there).map(|place| place.2));
                }
            }
        }
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    pub(crate) fn get(&self, id: u32) -> Option<&EventRequest> {
        self.all.iter().find(|request| request.id == id)
    }

    pub(crate) fn of_kind(&self, kind: EventKind) -> impl Iterator<Item = &EventRequest> {
        self.all.iter().filter(move |request| request.kind == kind)
    }

    /// The step that is wanted of a thread.
    pub(crate) fn step_of(&self, thread: ThreadNumber) -> Option<(&EventRequest, StepWanted)> {
        self.of_kind(EventKind::Step).find_map(|request| {
            let step = request.step()?;
            (step.thread == thread).then_some((request, step))
        })
    }

    /// Counts an event of a request; whether it is to be told.
    pub(crate) fn counts(&mut self, id: u32) -> bool {
        let found = self.all.iter_mut().find(|request| request.id == id);
        let Some(EventRequest {
            count: Some(count), ..
        }) = found
        else {
            return true;
        };
        *count = count.saturating_sub(1);
        *count == 0
    }

    /// Removes a request that was told its only event.
    pub(crate) fn expire(&mut self, id: u32) {
        let before = self.all.len();
        self.all
            .retain(|request| request.id != id || request.count != Some(0));
        if self.all.len() != before {
            self.collect();
        }
    }
}

impl EventRequest {
    fn step(&self) -> Option<StepWanted> {
        self.modifiers.iter().find_map(|modifier| match modifier {
            Modifier::Step(step) => Some(*step),
            _ => None,
        })
    }

    /// Where the run meets it.
    fn met_at(&self, machine: &mut Machine<'_>) -> Result<Vec<BreakpointKind>, Refusal> {
        Ok(match self.kind {
            EventKind::Breakpoint => vec![self.breakpoint(machine)?],
            EventKind::Exception => self.exceptions(),
            EventKind::FieldModification => self.field_writes(machine)?,
            EventKind::MethodEntry => vec![BreakpointKind::Function {
                methods: self.methods(machine),
            }],
            EventKind::MethodExit | EventKind::MethodExitWithValue => {
                vec![BreakpointKind::Exit {
                    methods: self.methods(machine),
                }]
            }
            EventKind::Step if self.step().is_none() => return Err(Refusal::IllegalArgument),
            _ => Vec::new(),
        })
    }

    fn breakpoint(&self, machine: &mut Machine<'_>) -> Result<BreakpointKind, Refusal> {
        let location = self.modifiers.iter().find_map(|modifier| match modifier {
            Modifier::Location(location) => Some(*location),
            _ => None,
        });
        let location = location.ok_or(Refusal::IllegalArgument)?;
        let known = machine.catalogue.declarations(location.class)?;
        let method = known.methods.get(location.method);
        let method = method.ok_or(Refusal::InvalidMethod)?;
        let code = method.code.as_ref().ok_or(Refusal::InvalidLocation)?;
        let offset = location.offset.unwrap_or(0);
        let methods = machine
            .catalogue
            .methods_at(location.class, location.method);
        let starts_line = code.lines.iter().any(|(start, _)| *start == offset);
        match (starts_line, offset) {
            (true, _) => {
                let places = methods.into_iter().map(|method| (method, offset));
                Ok(BreakpointKind::Instructions(places.collect()))
            }
            (false, 0) => Ok(BreakpointKind::Function { methods }),
            (false, _) => Err(Refusal::InvalidLocation),
        }
    }

    fn exceptions(&self) -> Vec<BreakpointKind> {
        let wanted = self.modifiers.iter().find_map(|modifier| match modifier {
            Modifier::Exception {
                caught, uncaught, ..
            } => Some((*caught, *uncaught)),
            _ => None,
        });
        let (caught, uncaught) = wanted.unwrap_or((true, true));
        let kinds = [
            caught.then_some(BreakpointKind::Caught),
            uncaught.then_some(BreakpointKind::Uncaught),
        ];
        kinds.into_iter().flatten().collect()
    }

    fn field_writes(&self, machine: &mut Machine<'_>) -> Result<Vec<BreakpointKind>, Refusal> {
        let (class, place) = self.field().ok_or(Refusal::IllegalArgument)?;
        let object = self.modifiers.iter().find_map(|modifier| match modifier {
            Modifier::Instance(object) => *object,
            _ => None,
        });
        let known = machine.catalogue.declarations(class)?;
        let field = known.fields.get(place).ok_or(Refusal::InvalidField)?;
        let owner = machine.catalogue.get(class)?.name().to_owned();
        // Where no recorded code names the field, nobody writes it.
        let found = machine.run.field(&owner, &field.name);
        let numbers = found.map(|field: FieldId| machine.run.trace().resolve_field(field));
        let kind = numbers.map(|field| BreakpointKind::FieldWrite {
            methods: methods_writing(machine.run, field),
            field,
            object,
        });
        Ok(kind.into_iter().collect())
    }

    pub(crate) fn field(&self) -> Option<(TypeNumber, usize)> {
        self.modifiers.iter().find_map(|modifier| match modifier {
            Modifier::Field(class, place) => Some((*class, *place)),
            _ => None,
        })
    }

    /// The recorded methods of the classes that are wanted.
    fn methods(&self, machine: &mut Machine<'_>) -> Vec<MethodId> {
        let mut methods = Vec::new();
        for method in machine.run.methods() {
            let Some((class, _)) = machine.catalogue.of_method(method) else {
                continue;
            };
            if self.allows_class(machine, class) {
                methods.push(method);
            }
        }
        methods
    }

    /// Whether an event in code of a class is wanted.
    pub(crate) fn allows_class(&self, machine: &mut Machine<'_>, class: TypeNumber) -> bool {
        let name = machine
            .catalogue
            .get(class)
            .map(|found| names::class(found.name()));
        let name = name.unwrap_or_default();
        self.modifiers.iter().all(|modifier| match modifier {
            Modifier::Class(wanted) => machine.catalogue.is_subtype(class, *wanted),
            Modifier::ClassMatch(pattern) => is_match(&name, pattern),
            Modifier::ClassExclude(pattern) => !is_match(&name, pattern),
            Modifier::SourceName(pattern) => {
                let known = machine.catalogue.declarations(class);
                let file = known.ok().and_then(|known| known.source_file.clone());
                file.is_some_and(|file| is_match(&file, pattern))
            }
            _ => true,
        })
    }

    pub(crate) fn allows_thread(&self, thread: ThreadNumber) -> bool {
        self.modifiers.iter().all(|modifier| match modifier {
            Modifier::Thread(wanted) => *wanted == thread,
            _ => true,
        })
    }

    /// Whether an event at a stop is wanted.
    pub(crate) fn allows(&self, machine: &mut Machine<'_>, stop: &Stop) -> bool {
        if !self.allows_thread(stop.thread()) {
            return false;
        }
        let of_method = machine
            .catalogue
            .of_method(machine.run.method(stop.position.node));
        if let Some((class, _)) = of_method
            && !self.allows_class(machine, class)
        {
            return false;
        }
        let this = machine
            .run
            .call(Frame::of(stop).node())
            .and_then(|call| call.this);
        self.modifiers.iter().all(|modifier| match modifier {
            // Of a field its own instance is meant, which the breakpoint knows.
            Modifier::Instance(wanted) if self.kind != EventKind::FieldModification => {
                *wanted == this
            }
            _ => true,
        })
    }

    /// Whether an exception of a class is wanted.
    pub(crate) fn allows_exception(&self, machine: &mut Machine<'_>, class: TypeNumber) -> bool {
        self.modifiers.iter().all(|modifier| match modifier {
            Modifier::Exception {
                class: Some(wanted),
                ..
            } => machine.catalogue.is_subtype(class, *wanted),
            _ => true,
        })
    }
}

/// Patterns have a star at their beginning or at their end, or none.
fn is_match(name: &str, pattern: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => name == pattern,
    }
}

fn modifier(
    machine: &Machine<'_>,
    input: &mut Input<'_>,
    count: &mut Option<u32>,
) -> Result<Option<Modifier>, Refusal> {
    Ok(Some(match input.byte()? {
        1 => {
            let wanted = input.int()?;
            if wanted == 0 {
                return Err(Refusal::IllegalArgument);
            }
            *count = Some(wanted);
            return Ok(None);
        }
        // Conditions are said to be for the future.
        2 => {
            input.int()?;
            return Ok(None);
        }
        3 => Modifier::Thread(machine.thread(input)?),
        4 => Modifier::Class(machine.type_named(input)?),
        5 => Modifier::ClassMatch(input.text()?),
        6 => Modifier::ClassExclude(input.text()?),
        7 => Modifier::Location(machine.location_named(input)?),
        8 => {
            let mut ahead = *input;
            let class = match ahead.long()? {
                0 => {
                    *input = ahead;
                    None
                }
                _ => Some(machine.type_named(input)?),
            };
            Modifier::Exception {
                class,
                caught: input.flag()?,
                uncaught: input.flag()?,
            }
        }
        9 => {
            machine.type_named(input)?;
            let (class, place) = machine.field_named(input)?;
            Modifier::Field(class, place)
        }
        10 => {
            let thread = machine.thread(input)?;
            let (size, depth) = (input.int()?, input.int()?);
            let step = match depth {
                0 => Step::Into,
                1 => Step::Over,
                2 => Step::Out,
                _ => return Err(Refusal::IllegalArgument),
            };
            // What lies between two lines is not executed again instruction by instruction.
            if size != 1 && step != Step::Out {
                return Err(Refusal::NotImplemented);
            }
            Modifier::Step(StepWanted { thread, step })
        }
        11 => Modifier::Instance(match Identity::parse(input.long()?)? {
            Identity::Object(object) => Some(object),
            _ => None,
        }),
        12 => Modifier::SourceName(input.text()?),
        // No virtual threads: there is nothing to leave out.
        13 => return Ok(None),
        _ => return Err(Refusal::NotImplemented),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_their_star_at_an_end() {
        assert!(is_match("shop.Cart", "shop.*"));
        assert!(is_match("shop.Cart", "*.Cart"));
        assert!(is_match("shop.Cart", "shop.Cart"));
        assert!(is_match("shop.Cart", "*"));
        assert!(!is_match("shop.Cart", "Cart"));
        assert!(!is_match("shop.Cart", "shop"));
    }
}
