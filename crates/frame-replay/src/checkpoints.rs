//! States of a replay kept along the way, so that going back costs no more than going on.
//!
//! They are kept at even distances. When there are too many, every other one goes and the
//! distance doubles: a call of any length keeps a bounded number, and to reach any step means to
//! run at most one distance.

use crate::machine::State;

const MOST: usize = 512;
const FIRST_DISTANCE: u64 = 1024;

pub(crate) struct Checkpoints<'t> {
    states: Vec<State<'t>>,
    distance: u64,
}

impl<'t> Checkpoints<'t> {
    pub(crate) fn new(first: State<'t>) -> Self {
        Checkpoints {
            states: vec![first],
            distance: FIRST_DISTANCE,
        }
    }

    /// To be told of every state; keeps it if it is time.
    #[inline]
    pub(crate) fn pass(&mut self, state: &State<'t>) {
        if state.step >= self.states.len() as u64 * self.distance {
            self.keep(state);
        }
    }

    #[cold]
    fn keep(&mut self, state: &State<'t>) {
        self.states.push(state.clone());
        if self.states.len() >= MOST {
            let mut number = 0;
            self.states.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.distance *= 2;
        }
    }

    /// The last state at or before a step.
    pub(crate) fn before(&self, step: u64) -> &State<'t> {
        let after = self.states.partition_point(|state| state.step <= step);
        &self.states[after.saturating_sub(1)]
    }

    /// The last state in which nothing at or after a position had happened.
    pub(crate) fn before_position(&self, position: trace_format::EventPosition) -> &State<'t> {
        let after = self
            .states
            .partition_point(|state| state.input.position() < position);
        &self.states[after.saturating_sub(1)]
    }

    /// The last step that is sure to be reached quickly.
    pub(crate) fn last(&self) -> &State<'t> {
        &self.states[self.states.len() - 1]
    }
}
