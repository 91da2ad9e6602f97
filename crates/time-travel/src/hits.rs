//! All hits of a breakpoint in the run, in order.

use crate::position::{Key, Position};

/// See the module's header.
#[derive(Clone, Debug, Default)]
pub struct Hits {
    pub(crate) keys: Vec<Key>,
    pub(crate) is_complete: bool,
}

impl Hits {
    /// Whether these are all.
    #[must_use]
    pub fn are_complete(&self) -> bool {
        self.is_complete
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Where they are, in the order of the run.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = Position> + '_ {
        self.keys.iter().map(|key| key.position)
    }
}
