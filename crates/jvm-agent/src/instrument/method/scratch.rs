//! The locals in which probes keep operands for a moment.
//!
//! No frame knows them, so all probes can use the same. Where there are no frames the verifier infers what they hold,
//! and where control comes together it compares what two probes left in one, for which it loads the classes of both,
//! needed or not. There a local that may hold an object of a program's class belongs to one probe alone.

use std::collections::BTreeMap;

use java_names::descriptor::JavaType;

/// Enough for a value of any kind, which is kept across one instruction.
const VALUE: u16 = 2;

pub(super) struct ScratchLocals {
    first: u16,
    slots: u16,
    infers_types: bool,
    /// Where it does: the locals of all probes that keep so many slots of the platform's own types.
    shared: BTreeMap<u16, u16>,
}

impl ScratchLocals {
    pub(super) fn new(first: u16, infers_types: bool) -> Self {
        ScratchLocals {
            first,
            slots: VALUE,
            infers_types,
            shared: BTreeMap::new(),
        }
    }

    pub(super) fn slots(&self) -> u16 {
        self.slots
    }

    /// Whether the verifier must not see of which class a reference in the local for single values is.
    pub(super) fn hides_classes(&self) -> bool {
        self.infers_types
    }

    /// The first of the locals for operands of these types and `more` slots. What two probes of one instruction keep
    /// is apart if the second says how many slots the first has.
    pub(super) fn keep(&mut self, kinds: &[JavaType<'_>], more: u16, first_has: u16) -> u16 {
        let slots = kinds.iter().map(|kind| kind.slots()).sum::<u16>() + more;
        let offset = if !self.infers_types {
            VALUE + first_has
        } else if kinds.iter().all(is_of_the_platform) {
            *self.shared.entry(slots + first_has).or_insert(self.slots)
        } else {
            self.slots
        };
        self.slots = self.slots.max(offset.saturating_add(slots));
        self.first.saturating_add(offset)
    }
}

/// Whether a value of this static type is never one of a program's class.
fn is_of_the_platform(kind: &JavaType<'_>) -> bool {
    match kind {
        JavaType::Reference(descriptor) => {
            let element = descriptor.trim_start_matches('[');
            !element.starts_with('L') || element == "Ljava/lang/String;"
        }
        _ => true,
    }
}
