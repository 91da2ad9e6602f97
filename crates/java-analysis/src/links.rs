//! What a slice is made of: links, and what each took from.

use trace_format::{EventPosition, ObjectId, ThreadNumber};
use trace_store::{CallId, ObjectSlot};

/// Something that gave a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Link {
    /// A step of a call assigned a local.
    Local(CallId, u64),
    /// A write to the heap, by where it stands in the trace.
    Written(ThreadNumber, EventPosition, Variable),
    /// The same, done by library code during a call.
    WrittenByLibrary(ThreadNumber, EventPosition, Variable),
    /// What a call gave back.
    Return(CallId),
    /// What a call began with in a local.
    Argument(CallId, u16),
    /// A step made an object or array.
    Made(CallId, u64),
    /// A step called something that was not recorded.
    Library(CallId, u64),
    /// A step gave one of its operands to library code, which kept it.
    Kept(CallId, u64, usize),
    /// A step made library code keep an object that it had not given it.
    Moved(CallId, u64, ObjectId),
    /// A step decided where to go on.
    Decision(CallId, u64),
    /// What a variable held from the start.
    Initial(Variable),
    /// Something outside wrote it, before a call read it first, at about this time.
    WrittenOutside(CallId, EventPosition, Variable),
    /// What a step read was not what was last written: something outside wrote it.
    Outside(CallId, u64),
}

/// A variable of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Variable {
    Slot(ObjectId, ObjectSlot),
    Static(trace_format::FieldId),
}

/// What a link took from.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    pub(super) values: Vec<Link>,
    pub(super) addresses: Vec<Link>,
    /// Steps that took a constant.
    pub(super) constants: Vec<(CallId, u64)>,
    /// Whether values were computed of others on the way, not only loaded and moved.
    pub(super) computed: bool,
    /// Why something could not be followed.
    pub(super) trouble: Option<String>,
}

/// A followed link.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) link: Link,
    pub(super) from: Vec<usize>,
    pub(super) taken: Taken,
}
