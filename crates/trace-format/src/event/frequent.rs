//! The events that there are most of, told apart as fast as can be.
//!
//! A pass over a trace is bound by the instructions that each event takes. So the eight bytes that an event
//! begins with are loaded at once, its end is checked once, and whoever wants to know is told in the place
//! where it turns out what it is: one function that returned it would put it together for a caller that
//! takes it apart again, which cost more than all else here.

use super::{CallLengths, Signatures, size, tag};
use crate::{FieldId, Kind, MethodId};

/// Who is told of frequent events, each with the place where it begins.
pub trait FrequentEvents {
    /// Whether the call is taken; if not, the pass ends before it.
    fn enter(&mut self, at: usize, entered: Entered) -> bool;

    /// Gives the length of an EXIT of the call that is current then, that of an unknown one if none is open.
    fn exit(&mut self, at: usize, values: u8) -> u32;

    /// A call whose EXIT comes right after its ENTER: nothing else is called as often. As [`FrequentEvents::enter`].
    #[inline(always)]
    fn leaf(&mut self, at: usize, entered: Entered, exit_at: usize, exit_values: u8) -> bool {
        let is_taken = self.enter(at, entered);
        if is_taken {
            self.exit(exit_at, exit_values);
        }
        is_taken
    }

    /// A THIS, or a write to a field or to one element. As [`FrequentEvents::enter`].
    fn other(&mut self, tag: u8) -> bool;
}

/// A call that begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entered {
    pub method: MethodId,
    /// Bytes of values since the last event that told.
    pub values: u8,
    pub lengths: CallLengths,
}

/// Passes over the frequent events that begin at a place and gives the place after them. What stands there
/// [`skim`](super::skim) may know: it is rare, cut off, or within the last few bytes. `exit` is as
/// [`FrequentEvents::exit`] gives it.
#[inline(always)]
pub fn pass_frequent(
    bytes: &[u8],
    mut at: usize,
    signatures: &impl Signatures,
    mut exit: u32,
    to: &mut impl FrequentEvents,
) -> usize {
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let word = u64::from_le_bytes(*word);
        let tag = word as u8;
        let end;
        if tag >= tag::ENTER {
            let method = MethodId(((word as u16).swap_bytes() & 0x7fff).into());
            let lengths = signatures.call_lengths(method);
            end = at + lengths.enter as usize;
            if end > bytes.len() {
                break;
            }
            let entered = Entered {
                method,
                values: (word >> 16) as u8,
                lengths,
            };
            let next = bytes.get(end).copied().unwrap_or_default();
            let after = end + lengths.exit as usize;
            if (tag::EXIT..tag::ENTER).contains(&next) && after <= bytes.len() {
                if !to.leaf(at, entered, end, next - tag::EXIT) {
                    break;
                }
                at = after;
                continue;
            }
            if !to.enter(at, entered) {
                break;
            }
            exit = lengths.exit;
        } else if tag >= tag::EXIT {
            end = at + exit as usize;
            if end > bytes.len() {
                break;
            }
            exit = to.exit(at, tag - tag::EXIT);
        } else {
            let Length { fixed, has_field } = OTHERS[usize::from(tag)];
            let mut length = usize::from(fixed);
            if has_field {
                let field = FieldId((word >> 8) as u32 & 0x00ff_ffff);
                let value = signatures.field_size(field);
                if value == 0 {
                    break;
                }
                length += usize::from(value);
            }
            end = at + length;
            if length == 0 || end > bytes.len() || !to.other(tag) {
                break;
            }
        }
        at = end;
    }
    at
}

/// How long an event is that is neither ENTER nor EXIT.
#[derive(Clone, Copy)]
struct Length {
    /// 0: its tag does not tell, or it is not frequent.
    fixed: u8,
    /// The value of the field that it names comes on top.
    has_field: bool,
}

const OTHERS: [Length; tag::EXIT as usize] = {
    const fn with_field(fixed: usize) -> Length {
        Length {
            fixed: fixed as u8,
            has_field: true,
        }
    }
    const fn known(length: usize) -> Length {
        Length {
            fixed: length as u8,
            has_field: false,
        }
    }
    let mut lengths = [known(0); tag::EXIT as usize];
    lengths[tag::THIS as usize] = known(size::THIS);
    let mut by = 0;
    while by < 2 {
        let library = by * tag::BY_LIBRARY as usize;
        lengths[tag::PUT_FIELD as usize + library] = with_field(size::PUT_FIELD);
        lengths[tag::PUT_THIS as usize + library] = with_field(size::PUT_THIS);
        lengths[tag::PUT_STATIC as usize + library] = with_field(size::PUT_STATIC);
        let mut code = 0;
        while code < Kind::ALL.len() {
            let value = Kind::ALL[code].size();
            let at = code + library;
            lengths[tag::ARRAY_STORE as usize + at] = known(size::ARRAY_STORE + value);
            lengths[tag::ARRAY_STORE_NEAR as usize + at] = known(size::ARRAY_STORE_NEAR + value);
            code += 1;
        }
        by += 1;
    }
    lengths
};
