//! The protocol's own words for what cannot be done.

/// An error of the protocol, by its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum Refusal {
    InvalidThread = 10,
    InvalidThreadGroup = 11,
    InvalidObject = 20,
    InvalidClass = 21,
    InvalidMethod = 23,
    InvalidLocation = 24,
    InvalidField = 25,
    InvalidFrame = 30,
    NoMoreFrames = 31,
    InvalidSlot = 35,
    /// What a recording cannot do.
    NotImplemented = 99,
    AbsentInformation = 101,
    InvalidEventType = 102,
    IllegalArgument = 103,
    /// What would be told does not fit into one answer.
    OutOfMemory = 110,
    VirtualMachineDead = 112,
    InvalidIndex = 503,
    InvalidLength = 504,
    InvalidString = 506,
    InvalidClassLoader = 507,
    InvalidArray = 508,
    NativeMethod = 511,
}

pub(crate) type Answered = Result<(), Refusal>;
