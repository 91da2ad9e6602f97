//! What is known of the variables that were accessed last, each with the times between which it
//! holds.

use trace_format::{ObjectId, TraceTime, Value};
use trace_store::{Known, ObjectSlot, Segment};

use super::Variable;

/// Places, of which a variable has one: what was there before is forgotten.
const PLACES: usize = 1 << 16;
/// So many there are at first: a short search is done before more would have been made.
const FEW: usize = 1 << 8;
/// There are more once so many variables have taken the places of others, for each place.
const CROWDED: usize = 4;

pub(super) struct KnownAtHand {
    places: Vec<Option<KnownVariable>>,
    /// How often a variable took the place of another.
    taken: usize,
    /// Counts the stretches in which only one call writes.
    stretch: u64,
}

#[derive(Debug, Clone, Copy)]
struct KnownVariable {
    variable: Variable,
    known: Known,
    /// The call wrote it itself: this holds until others may write.
    noted_in: Option<u64>,
}

impl KnownAtHand {
    pub(super) fn new() -> Self {
        KnownAtHand {
            places: vec![None; FEW],
            taken: 0,
            stretch: 0,
        }
    }

    fn put(&mut self, place: KnownVariable) {
        let number = number_of(place.variable, self.places.len());
        let before = self.places[number].replace(place);
        self.taken += usize::from(before.is_some_and(|before| before.variable != place.variable));
        if self.taken > CROWDED * self.places.len() && self.places.len() < PLACES {
            let more = self.places.len() * 16;
            let known = std::mem::replace(&mut self.places, vec![None; more.min(PLACES)]);
            for place in known.into_iter().flatten() {
                let number = number_of(place.variable, self.places.len());
                self.places[number] = Some(place);
            }
            self.taken = 0;
        }
    }

    /// What is known of a variable that was read at a time, which is in a segment, and whether that is sure; `ask`
    /// finds it out where it is not at hand. That the call reads what it wrote is no news, but another thread may
    /// have written since.
    pub(super) fn at(
        &mut self,
        variable: Variable,
        read: Value,
        time: TraceTime,
        segment: &Segment,
        ask: impl FnOnce() -> Option<(Known, bool)>,
    ) -> Option<(Known, bool)> {
        let place = &self.places[number_of(variable, self.places.len())];
        if let Some(place) = place
            && place.variable == variable
            && place.known.is_sure(time, segment)
            && place.noted_in.is_none_or(|stretch| {
                let value = place.known.value;
                stretch == self.stretch && value.is_some_and(|value| value.bits() == read.bits())
            })
        {
            return Some((place.known, true));
        }
        let (known, is_sure) = ask()?;
        self.put(KnownVariable {
            variable,
            known,
            noted_in: None,
        });
        Some((known, is_sure))
    }

    /// The call that is looked at has written; `time` is after that.
    pub(super) fn note(&mut self, variable: Variable, value: Value, time: TraceTime) {
        self.put(KnownVariable {
            variable,
            known: Known::written(value, time),
            noted_in: Some(self.stretch),
        });
    }

    /// Another call is looked at from now on, or another one has run in between.
    pub(super) fn others_may_write(&mut self) {
        self.stretch += 1;
    }
}

fn number_of((ObjectId(object), slot): Variable, places: usize) -> usize {
    let number = match slot {
        ObjectSlot::Field(field) => field.0,
        ObjectSlot::Element(index) => index,
    };
    let mixed = (u64::from(object) << 32 | u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 40) as usize % places
}

#[cfg(test)]
mod tests {
    use trace_format::ThreadNumber;

    use super::*;

    const COUNT: Variable = (ObjectId(7), ObjectSlot::Element(3));

    /// A call that reads and writes in turn, a million times, and calls something a few times:
    /// only what happened meanwhile is asked for.
    #[test]
    fn what_a_call_wrote_itself_is_not_asked_for() {
        let mut known = KnownAtHand::new();
        let segment = Segment::alone(ThreadNumber(0));
        let mut asked = 0;
        let mut value = Value::Int(0);
        for round in 0..1_000_000 {
            let time = TraceTime(10 * round);
            let found = known.at(COUNT, value, time, &segment, || {
                asked += 1;
                let mut known = Known::written(value, TraceTime(0));
                known.until = TraceTime(time.0 + 5);
                Some((known, true))
            });
            assert_eq!(found.and_then(|(found, _)| found.value), Some(value));
            value = Value::Int(round as i32);
            known.note(COUNT, value, TraceTime(time.0 + 8));
            if round % 100_000 == 99_999 {
                known.others_may_write();
            }
        }
        assert_eq!(asked, 10);
    }

    /// Another thread may have written since: then what is read is no news by itself.
    #[test]
    fn what_a_call_wrote_itself_is_asked_for_if_it_reads_something_else() {
        let mut known = KnownAtHand::new();
        let segment = Segment::alone(ThreadNumber(0));
        known.note(COUNT, Value::Int(1), TraceTime(5));
        let mut is_asked = false;
        known.at(COUNT, Value::Int(2), TraceTime(6), &segment, || {
            is_asked = true;
            None
        });
        assert!(is_asked);
    }
}
