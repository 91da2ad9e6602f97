//! What is known of the variables that were read last, each with the times between which it holds.

use trace_format::{ObjectId, TraceTime};
use trace_store::{Known, Slot, Trace};

use super::Variable;

/// Places, of which a variable has one: what was there before is forgotten.
const PLACES: usize = 1 << 18;

pub(super) struct KnownAtHand {
    places: Vec<Option<(Variable, Known)>>,
}

impl KnownAtHand {
    pub(super) fn new() -> Self {
        KnownAtHand {
            places: vec![None; PLACES],
        }
    }

    pub(super) fn at(
        &mut self,
        trace: &Trace,
        variable: Variable,
        time: TraceTime,
    ) -> Option<Known> {
        let place = &mut self.places[place_of(variable)];
        if let Some((known_variable, known)) = place
            && *known_variable == variable
            && known.from <= time
            && time < known.until
        {
            return Some(*known);
        }
        let known = trace.known_around(variable.0, variable.1, time).ok()?;
        *place = Some((variable, known));
        Some(known)
    }
}

fn place_of((ObjectId(object), slot): Variable) -> usize {
    let number = match slot {
        Slot::Field(field) => field.0,
        Slot::Element(index) => index,
    };
    let mixed = (u64::from(object) << 32 | u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 40) as usize % PLACES
}
