//! Locals and stack by slots, as instructions number them: what takes two is followed by nothing.

use crate::VerificationType;

/// A frame of one version, by slots.
#[derive(Debug, Clone)]
pub(super) struct Hint {
    pub(super) locals: Vec<VerificationType>,
    pub(super) stack: Vec<VerificationType>,
}

/// What two slots hold stands in both.
pub(super) fn types_to_slots(types: &[VerificationType]) -> Vec<VerificationType> {
    let mut slots = Vec::with_capacity(types.len());
    for &kind in types {
        slots.push(kind);
        if kind.slots() == 2 {
            slots.push(VerificationType::Top);
        }
    }
    slots
}

/// The other way round.
pub(super) fn slots_to_types(slots: &[VerificationType]) -> Vec<VerificationType> {
    let mut types = Vec::with_capacity(slots.len());
    let mut at = 0;
    while let Some(&kind) = slots.get(at) {
        types.push(kind);
        at += usize::from(kind.slots());
    }
    types
}

/// The letter that instructions have for such a value.
pub(super) fn kind_of(kind: VerificationType) -> char {
    match kind {
        VerificationType::Integer => 'i',
        VerificationType::Long => 'l',
        VerificationType::Float => 'f',
        VerificationType::Double => 'd',
        _ => 'a',
    }
}
