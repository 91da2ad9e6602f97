//! What one executed instruction did.

use trace_format::{EventPosition, ObjectId, Value};

/// An executed instruction. Its operands are those that [`Replay::operands`](crate::Replay::operands)
/// shows before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayStep {
    /// How many instructions of the call ran before.
    pub index: u64,
    /// The instruction, by its index in [`MethodCode::instructions`](crate::MethodCode::instructions).
    pub instruction: usize,
    /// Bytecode offset.
    pub pc: u32,
    pub line: Option<u16>,
    /// When it ran: what the heap held before it is the state at this position.
    pub position: EventPosition,
    /// The heap access that it made, if it succeeded.
    pub access: Option<Access>,
    pub flow: Flow,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read(HeapVariable, Value),
    Write(HeapVariable, Value),
}

/// A place in the heap. Fields are named by their number in [`MethodCode::field`](crate::MethodCode::field).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeapVariable {
    Field { object: ObjectId, field: u32 },
    Static { field: u32 },
    Element { array: ObjectId, index: u32 },
}

/// Where control went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// To this instruction, by its index.
    To(usize),
    /// An exception struck here and was caught by the handler at this instruction.
    Caught {
        exception: ObjectId,
        handler: usize,
    },
    Ended(CallEnding),
}

/// What an instruction did that stays inside the frame.
pub(crate) enum Inside {
    /// The next instruction follows.
    On,
    To(usize),
    /// Nothing: it is none of those.
    No,
}

/// How the call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallEnding {
    /// `None`: void.
    Returned(Option<Value>),
    Threw(ObjectId),
    /// An exception left the call before its code could note it.
    Lost,
    /// The recording ended here, the instruction did not.
    Open,
}
