//! The numbers by which a client knows things: which kind of thing in the upper half, which of them in the lower.

use trace_format::{ObjectId, ThreadNumber};

use crate::refusal::Refusal;

/// What a number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    Null,
    /// A class, an interface or an array class, by its place in the catalogue.
    Type(u32),
    /// The class object of a type.
    ClassObject(u32),
    Thread(ThreadNumber),
    Group(ThreadGroup),
    /// The loader of everything that is not the JDK's.
    Loader,
    Object(ObjectId),
    /// A string that is no object of the recording: a constant, or one that the client made.
    Text(u32),
}

/// The two groups that there always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThreadGroup {
    System,
    Main,
}

impl Identity {
    pub(crate) fn number(self) -> u64 {
        let (kind, number): (u64, u32) = match self {
            Identity::Null => (0, 0),
            Identity::Type(place) => (1, place),
            Identity::ClassObject(place) => (2, place),
            Identity::Thread(thread) => (3, thread.0),
            Identity::Group(group) => (4, u32::from(group == ThreadGroup::Main)),
            Identity::Loader => (5, 0),
            Identity::Object(object) => (6, object.0),
            Identity::Text(place) => (7, place),
        };
        kind << 32 | u64::from(number)
    }

    pub(crate) fn parse(number: u64) -> Result<Identity, Refusal> {
        let low =
            u32::try_from(number & u64::from(u32::MAX)).map_err(|_| Refusal::InvalidObject)?;
        Ok(match (number >> 32, low) {
            (0, 0) => Identity::Null,
            (1, place) => Identity::Type(place),
            (2, place) => Identity::ClassObject(place),
            (3, thread) => Identity::Thread(ThreadNumber(thread)),
            (4, 0) => Identity::Group(ThreadGroup::System),
            (4, 1) => Identity::Group(ThreadGroup::Main),
            (5, 0) => Identity::Loader,
            (6, object) if object != 0 => Identity::Object(ObjectId(object)),
            (7, place) => Identity::Text(place),
            _ => return Err(Refusal::InvalidObject),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever a number stands for has that number, so no two things share one.
        #[test]
        fn a_number_stands_for_one_thing(kind in 0_u64..10, low: u32) {
            let number = kind << 32 | u64::from(low);
            if let Ok(found) = Identity::parse(number) {
                prop_assert_eq!(found.number(), number);
            }
        }
    }
}
