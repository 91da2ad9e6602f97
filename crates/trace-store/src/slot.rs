//! A variable of an object, what it held, and the writes that it saw: the words in which a trace answers about state.

use trace_format::{EventPosition, FieldId, ThreadNumber, TraceTime, Value};

/// A variable inside an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectSlot {
    /// By any of the numbers that mean the field.
    Field(FieldId),
    Element(u32),
}

/// What a variable holds, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotValue {
    pub value: Value,
    /// `None`: it was never written; this is what it held from the start.
    pub written: Option<Written>,
}

/// The place of a write in the run. `Trace::call_of` tells the call that did it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Written {
    pub time: TraceTime,
    pub thread: ThreadNumber,
    pub position: EventPosition,
    /// Library code wrote, during the call.
    pub by_library: bool,
    /// Set if nothing that was recorded wrote: the number, in its thread, of the call that was the
    /// first to read what something outside had written.
    pub first_read_by: Option<u32>,
}

/// One entry of a variable's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryEntry {
    pub value: Value,
    pub written: Written,
}

impl HistoryEntry {
    /// Whether nothing that was given up can have written later. A write from outside has the time before the
    /// event that it came before.
    pub(crate) fn is_known_from(&self, since: TraceTime) -> bool {
        let late = u64::from(self.written.first_read_by.is_some());
        self.written.time.0 + late >= since.0
    }

    pub(crate) fn slot_value(self) -> SlotValue {
        SlotValue {
            value: self.value,
            written: Some(self.written),
        }
    }
}
