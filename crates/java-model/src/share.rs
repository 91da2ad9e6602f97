//! How many values are followed for each of many variables.
//!
//! A question shows the statics that a call can have changed, and a call high up in a large program can have changed
//! thousands. Each is compared before and after, so that following all of them as far as one alone would take
//! longer than anybody waits. They share what is followed for all of them together; what a small one leaves over
//! serves the next.

use std::cell::Cell;

/// So many values are followed for all of them together: some tenths of a second, in the largest runs.
const MOST_TOGETHER: usize = 20_000;
/// Of each at least so many: the value itself, and the first that it holds.
const FEWEST: usize = 2;

/// See the module's header.
#[derive(Debug)]
pub struct Share {
    values: Cell<usize>,
    states: Cell<usize>,
}

impl Share {
    /// For this many variables, each before and after.
    pub fn among(variables: usize) -> Share {
        Share {
            values: Cell::new(MOST_TOGETHER),
            states: Cell::new(2 * variables),
        }
    }

    /// How many values the next state may have.
    pub(super) fn next(&self) -> usize {
        (self.values.get() / self.states.get().max(1)).max(FEWEST)
    }

    /// The next state took so many.
    pub(super) fn took(&self, values: usize) {
        self.values.set(self.values.get().saturating_sub(values));
        self.states.set(self.states.get().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_leaves_over_serves_the_next() {
        let share = Share::among(2);
        assert_eq!(share.next(), MOST_TOGETHER / 4);
        share.took(2);
        share.took(2);
        assert_eq!(share.next(), (MOST_TOGETHER - 4) / 2);
    }

    #[test]
    fn all_together_take_little_more_than_there_is() {
        let share = Share::among(100_000);
        let mut all = 0;
        for _ in 0..200_000 {
            let next = share.next();
            assert!(next >= FEWEST);
            all += next;
            share.took(next);
        }
        assert!(all <= MOST_TOGETHER + 200_000 * FEWEST);
    }
}
