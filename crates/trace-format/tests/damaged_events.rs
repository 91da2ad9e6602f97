//! Events that no recorder writes, which a damaged file may hold all the same: what random inputs have found.

use trace_format::event::{self, tag};
use trace_format::{DecodeError, FieldId, FrameShape, Kind, MethodId, OpenCalls, Signatures};

/// Methods that take nothing and return nothing, all of them known.
struct AllKnown;

impl Signatures for AllKnown {
    fn frame(&self, _: MethodId) -> Option<FrameShape> {
        Some(FrameShape::default())
    }

    fn field(&self, _: FieldId) -> Option<Kind> {
        Some(Kind::Int)
    }
}

/// A long ENTER of a method whose number is short was five bytes long to one reader and three to another.
#[test]
fn a_long_enter_of_a_short_number_is_none() {
    let bytes = [tag::ENTER_FAR, 7, 0, 0, 0, 0, 0, 0, 0, 0];
    let unknown = Err(DecodeError::UnknownMethod(7));
    assert_eq!(event::decode(&bytes, &AllKnown, None).map(drop), unknown);
    assert_eq!(event::skim(&bytes, &AllKnown, None).map(drop), unknown);
}

/// A call that was open where the damage begins was remembered by its place in bytes that are gone.
#[test]
fn calls_that_are_open_at_damaged_events_have_a_head() {
    let enter = [tag::ENTER, 1, 0];
    let task = [tag::TASK, 9, 0, 0, 0, 1, 0, 0, 0];
    let chunk = [&enter[..], &enter, &task, &[0x3f]].concat();
    let mut calls = OpenCalls::default();
    assert_eq!(
        calls.read(&chunk, 1, &AllKnown),
        Err(DecodeError::UnknownEvent(0x3f))
    );
    let head = calls.head();
    assert_eq!(head, [&enter[..], &task, &enter].concat());
}
