//! What happens in a call, event by event, before it is made readable.
//!
//! Assignments of locals are read off the instructions; everything else is in the trace.

use classfile::opcode;
use frame_replay::{Replay, ReplayError, Slot};
use java_model::run::JavaRun;
use java_model::shown;
use trace_format::event::{Write, WriteTarget};
use trace_format::{EventPosition, FieldId, ObjectId, ThreadNumber, Value};
use trace_store::{CallId, CallOutcome, Trace};

/// A moment of a call: right after one of its events.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// The event's number.
    pub event: u64,
    /// Instructions executed by then; `None` where the call could not be re-executed.
    pub step: Option<u64>,
    /// What the heap held is the state at this position of the thread's events.
    pub position: EventPosition,
    pub line: Option<u32>,
    /// The byte-code offset of the instruction that is executed next; `None` at the call's end, and where the call
    /// could not be re-executed.
    pub offset: Option<u32>,
    pub what: Happening,
}

impl Moment {
    /// Whether the event is an assignment of that local variable.
    #[must_use]
    pub fn assigns(&self, local: &str) -> bool {
        matches!(&self.what, Happening::Local(write) if write.name == local)
    }
}

/// What an event is, before it is made readable.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    Entered,
    Line,
    Local(LocalWrite),
    Write(HeapWrite),
    Call(CallId),
    /// Work was handed over, of which another thread made this call.
    HandedOver(CallId),
    /// A call of something that was not recorded, by the instruction that made it.
    Library {
        instruction: usize,
        /// The slots that it was given, the receiver's among them.
        arguments: Vec<Slot>,
        result: Option<Slot>,
        /// The exception that left it, and was caught by the caller.
        threw: Option<ObjectId>,
    },
    Caught(ObjectId),
    Ended(CallOutcome),
}

#[derive(Clone, Debug, PartialEq)]
pub struct LocalWrite {
    pub slot: u16,
    pub name: String,
    pub descriptor: String,
    /// `None`: the variable came to be here.
    pub before: Option<Slot>,
    pub after: Slot,
}

#[derive(Clone, Debug, PartialEq)]
pub struct HeapWrite {
    pub place: WrittenVariable,
    /// What the call calls the object that was written to, if it has a name for it.
    pub holder: Option<String>,
    /// Of a range: its first value.
    pub value: Value,
    pub by_library: bool,
    /// Of the write itself.
    pub position: EventPosition,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenVariable {
    Field {
        object: ObjectId,
        field: FieldId,
    },
    Static {
        field: FieldId,
    },
    Element {
        array: ObjectId,
        index: u32,
    },
    Range {
        array: ObjectId,
        start: u32,
        count: u32,
    },
}

impl WrittenVariable {
    /// The object that it belongs to.
    #[must_use]
    pub fn object(self) -> Option<ObjectId> {
        match self {
            WrittenVariable::Field { object, .. } => Some(object),
            WrittenVariable::Element { array, .. } | WrittenVariable::Range { array, .. } => {
                Some(array)
            }
            WrittenVariable::Static { .. } => None,
        }
    }
}

/// A local variable at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalAt {
    pub name: String,
    pub descriptor: String,
    pub value: Slot,
}

/// An assignment of a local that is about to happen.
pub(crate) struct Stored {
    slot: u16,
    name: String,
    descriptor: String,
    before: Option<Slot>,
}

impl Stored {
    /// What the instruction will assign, if that is something a person knows by name.
    pub(crate) fn by(replay: &Replay<'_>, at: usize) -> Option<Stored> {
        let code = replay.code();
        let instruction = code.instructions().get(at)?;
        let slot = instruction.local_index()?;
        if !instruction.is_local_store() && instruction.opcode != opcode::IINC {
            return None;
        }
        let names = code.local_names();
        if names.is_empty() {
            return Some(Stored {
                slot,
                name: format!("local{slot}"),
                descriptor: String::new(),
                before: None,
            });
        }
        let is_meant = |name: &&frame_replay::LocalName| {
            name.slot == slot && name.start <= instruction.end() && instruction.pc < name.end
        };
        let name = names
            .iter()
            .filter(is_meant)
            .max_by_key(|name| name.start)?;
        let known = name.start <= instruction.pc;
        let before = replay.locals().get(usize::from(slot)).copied();
        Some(Stored {
            slot,
            name: name.name.clone(),
            descriptor: name.descriptor.clone(),
            before: before.filter(|slot| known && *slot != Slot::EMPTY),
        })
    }

    pub(crate) fn done(self, replay: &Replay<'_>) -> Option<LocalWrite> {
        let after = *replay.locals().get(usize::from(self.slot))?;
        Some(LocalWrite {
            slot: self.slot,
            name: self.name,
            descriptor: self.descriptor,
            before: self.before,
            after,
        })
    }
}

pub(crate) fn heap_write(
    trace: &Trace,
    thread: ThreadNumber,
    write: &Write<'_>,
    position: EventPosition,
) -> Option<HeapWrite> {
    let (place, value) = match write.target {
        WriteTarget::Field {
            field,
            object,
            value,
        } => (WrittenVariable::Field { object, field }, value),
        WriteTarget::Static { field, value } => (WrittenVariable::Static { field }, value),
        WriteTarget::Element {
            array,
            index,
            value,
        } => (WrittenVariable::Element { array, index }, value),
        WriteTarget::Range(range) => {
            let (array, start, count) = (range.array, range.start, range.elements.count);
            let place = WrittenVariable::Range {
                array,
                start,
                count,
            };
            (place, trace.element_written(thread, &range, start)?)
        }
    };
    Some(HeapWrite {
        place,
        holder: None,
        value,
        by_library: write.by_library,
        position,
    })
}

/// Why a call cannot be re-executed, as one sentence.
pub fn replay_sentence(error: &ReplayError) -> String {
    match error {
        ReplayError::NotInFull(_) => {
            "only calls were recorded: lines and local variables are not known".to_owned()
        }
        other => format!(
            "the call cannot be re-executed, so lines and local variables are not known: {other}"
        ),
    }
}

/// The variable that was written.
#[must_use]
pub fn place_name(run: &JavaRun, place: WrittenVariable, holder: Option<&str>) -> String {
    let name = |object| holder.map_or_else(|| shown::object_name(run, object), str::to_owned);
    match place {
        WrittenVariable::Field { object, field } => {
            format!("{}.{}", name(object), shown::field_name(run, field))
        }
        WrittenVariable::Static { field } => shown::static_name(run, field),
        WrittenVariable::Element { array, index } => format!("{}[{index}]", name(array)),
        WrittenVariable::Range {
            array,
            start,
            count,
        } => {
            let end = start.saturating_add(count).saturating_sub(1);
            format!("{}[{start}…{end}]", name(array))
        }
    }
}
