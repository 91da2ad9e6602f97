//! How much is gone through before a search gives up.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the steps that were gone through, by all threads of a search, call by call.
#[derive(Debug)]
pub(super) struct Patience {
    most: u64,
    spent: AtomicU64,
}

impl Patience {
    pub(super) fn new(most: u64) -> Self {
        Patience {
            most,
            spent: AtomicU64::new(0),
        }
    }

    /// Whether a call that has taken so many steps is already too long by itself.
    #[inline]
    pub(super) fn is_exceeded_by(&self, steps: u64) -> bool {
        steps > self.most
    }

    pub(super) fn spend(&self, steps: u64) {
        self.spent.fetch_add(steps, Ordering::Relaxed);
    }

    pub(super) fn is_over(&self) -> bool {
        self.spent() > self.most
    }

    pub(super) fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }
}
