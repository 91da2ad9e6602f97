//! States of a replay kept along the way, so that going back costs no more than going on.
//!
//! They are kept at even distances. When there are too many, every other one goes and the
//! distance doubles: a call of any length keeps a bounded number, and to reach any step that was passed
//! means to run at most one distance.

use trace_format::EventPosition;

use crate::machine::{Checkpoint, Machine};

const MOST: usize = 512;
const FIRST_DISTANCE: u64 = 1024;

pub(crate) struct Checkpoints {
    /// In the order of their steps; the first is where the call begins.
    kept: Vec<Checkpoint>,
    distance: u64,
    /// The step at which to look again whether one is to be kept.
    due: u64,
}

impl Checkpoints {
    pub(crate) fn new(first: Checkpoint) -> Self {
        Checkpoints {
            kept: vec![first],
            distance: FIRST_DISTANCE,
            due: FIRST_DISTANCE,
        }
    }

    /// To be told after every step; keeps the state if it is time.
    #[inline]
    pub(crate) fn pass(&mut self, machine: &Machine<'_>) {
        if machine.state.step >= self.due {
            self.keep(machine);
        }
    }

    #[cold]
    fn keep(&mut self, machine: &Machine<'_>) {
        let step = machine.state.step;
        let before = self.before(step).step();
        self.due = before + self.distance;
        if step >= self.due {
            self.add(machine.checkpoint());
            self.due = step + self.distance;
        }
    }

    fn add(&mut self, checkpoint: Checkpoint) {
        let after = self.after(checkpoint.step());
        self.kept.insert(after, checkpoint);
        if self.kept.len() >= MOST {
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.distance *= 2;
        }
    }

    /// The replay goes on from a checkpoint that was kept elsewhere.
    pub(crate) fn went_to(&mut self, checkpoint: &Checkpoint) {
        if checkpoint.step() - self.before(checkpoint.step()).step() >= self.distance {
            self.add(checkpoint.clone());
        }
        self.due = 0;
    }

    /// The replay has gone back or ahead, to one of these.
    pub(crate) fn went(&mut self) {
        self.due = 0;
    }

    fn after(&self, step: u64) -> usize {
        self.kept.partition_point(|kept| kept.step() <= step)
    }

    /// The last state at or before a step.
    pub(crate) fn before(&self, step: u64) -> &Checkpoint {
        &self.kept[self.after(step).saturating_sub(1)]
    }

    /// The last state in which nothing at or after a position had happened.
    pub(crate) fn before_position(&self, position: EventPosition) -> &Checkpoint {
        let after = self
            .kept
            .partition_point(|kept| kept.input.position < position);
        &self.kept[after.saturating_sub(1)]
    }

    /// The last step that is sure to be reached quickly.
    pub(crate) fn last(&self) -> &Checkpoint {
        &self.kept[self.kept.len() - 1]
    }
}
