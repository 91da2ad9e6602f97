//! Which course of answers a space is the result of, so that what was worked out along it can be kept.

use std::sync::atomic::{AtomicU64, Ordering};

use super::SearchSpace;

/// A number that no other course of answers has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct History(u64);

impl History {
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        History(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl SearchSpace {
    /// As long as this stays the same, judgements were added that leave fewer suspects, and nothing else
    /// has happened.
    pub(crate) fn course(&self) -> (u64, usize) {
        (self.history.0, self.unknown.len())
    }
}
