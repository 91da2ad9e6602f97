//! Numbers that must not be confused: one type for each numbering and each axis.

use std::fmt;

macro_rules! number {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[repr(transparent)]
        pub struct $name(pub $inner);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl From<$inner> for $name {
            fn from(number: $inner) -> Self {
                Self(number)
            }
        }
    };
}

number! {
    /// The identity of a Java object; 0 is `null`.
    ObjectId(u32)
}
number! {
    /// A class in `symbols`: one definition by one loader.
    ClassNumber(u32)
}
number! {
    /// A method in `symbols`. 24 bits: events carry it beside their tag.
    MethodId(u32)
}
number! {
    /// A field in `symbols`, as some code names it. 24 bits, like [`MethodId`].
    FieldId(u32)
}
number! {
    /// A recorded thread; 0 is the first that ran recorded code.
    ThreadNumber(u32)
}
number! {
    /// A byte offset in a thread's events stream: the time within a thread.
    EventPosition(u64)
}
number! {
    /// A byte offset in a thread's values stream.
    ValuePosition(u64)
}
number! {
    /// A byte offset in a thread's objects stream.
    ObjectPosition(u64)
}
number! {
    /// A position on the time axis that all threads share.
    TraceTime(u64)
}

/// Numbers of methods and fields above this do not fit beside an event's tag (an ENTER has 23 bits for it).
pub const MAX_SYMBOL_NUMBER: u32 = 0x007F_FFFF;

impl ObjectId {
    pub const NULL: Self = Self(0);

    pub fn is_null(self) -> bool {
        self.0 == 0
    }
}

/// Restores a position of which only the low 32 bits were written, from the last one known
/// before it. Positions grow, but the writer may note one a little late: up to 64 KiB backwards
/// counts as such, and not as a jump of 4 GiB.
pub fn restore_position(last: u64, low: u32) -> u64 {
    const LATE: u32 = 0x1_0000;
    let ahead = low.wrapping_sub(last as u32);
    if ahead > u32::MAX - LATE {
        last.saturating_sub(u64::from(ahead.wrapping_neg()))
    } else {
        last.saturating_add(u64::from(ahead))
    }
}
